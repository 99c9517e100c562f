// The pen that draws a page, on the server and in the browser: one drawing serves the reader without a script and the
// editor that takes it over.

/** @typedef {import('./words.js').Say} Say */
/**
 * @template T what the template makes: markup on the server, elements in the browser
 * @typedef {object} Pen
 * @property {(parts: TemplateStringsArray, ...values: any[]) => T} html
 * @property {Say} t
 * @property {(text: string) => string} term a name out of the program's own tables
 * @property {string} language
 * @property {(at: string) => T} moment RFC 3339, as the drawer shows times
 */

/**
 * @template T
 * @param {Pen<T>} pen
 * @param {string} name
 * @param {unknown} value
 */
export function fact({ html }, name, value) {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

/** @type {Readonly<Partial<Record<string, 'good' | 'bad' | 'off'>>>} */
const TONES = {
  ok: 'good',
  unchanged: 'good',
  ready: 'good',
  failing: 'bad',
  stale: 'bad',
  blocked: 'bad',
  down: 'bad',
  suspect: 'bad',
  off: 'off',
  closed: 'off'
}

/**
 * The state of a source or a radio: a word, a shape and a colour; never the colour alone.
 * @template T
 * @param {Pen<T>} pen
 * @param {string} state
 * @param {boolean} [simulated] what is only simulated proves nothing, so it is never green
 */
export function stateMark({ html, term }, state, simulated = false) {
  return html`<strong class="state ${simulated ? 'waiting' : (TONES[state] ?? 'waiting')}">${term(state)}</strong>`
}
