// A moment both ways: how long ago or how soon, and when.
import { term } from '../lib/i18n.js'
import { ago, when } from '../lib/time.js'
import { stateTone } from '../shared/tones.js'
import { html } from '../vendor/ui.js'

/** @param {{ at: string | null }} props */
export function Moment({ at }) {
  if (at === null) return html`<span>–</span>`
  const ms = Date.parse(at)
  return html`<time datetime=${at} title=${when(ms)} data-ago="">${ago(ms)}</time>`
}

/** @param {{ name: string, children?: any }} props */
export function Fact({ name, children }) {
  return html`<div><dt>${name}</dt><dd>${children}</dd></div>`
}

/**
 * The state of a source or a radio: a word, a shape and a colour.
 * @param {{ state: string }} props
 */
export function State({ state }) {
  return html`<strong class=${`state ${stateTone(state)}`}>${term(state)}</strong>`
}
