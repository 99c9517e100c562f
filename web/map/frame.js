// The elements a map is made of, and the colours of the page it stands on.
import { t } from '../lib/i18n.js'

/** @param {HTMLElement} note @param {string} text */
export function credit(note, text) {
  if (note.textContent === '') note.textContent = text
}

/** The colours that those of the ground are mixed from: the custom properties every theme sets. */
const SOURCES = /** @type {const} */ (['ground', 'text', 'quiet', 'edge', 'link', 'good'])

/** The colours of the ground in the theme of the page. @param {HTMLElement} frame @returns {import('./base.js').Colours} */
export function coloursOf(frame) {
  const style = getComputedStyle(frame)
  const [ground, text, quiet, edge, link, good] = SOURCES.map((name) => channels(style.getPropertyValue(`--${name}`)))
  const dark = brightness(ground) < 100
  const land = dark ? mix(ground, text, 0.1) : ground
  return {
    dark,
    land: css(land),
    water: css(mix(ground, link, dark ? 0.12 : 0.2)),
    border: css(mix(land, edge, 0.75)),
    text: css(mix(land, quiet, 0.9)),
    halo: css(land),
    green: css(mix(land, good, 0.16)),
    road: css(mix(land, quiet, 0.45))
  }
}

/** @typedef {[number, number, number]} Channels */

/** @param {string} hex `#rrggbb` @returns {Channels} */
function channels(hex) {
  const value = /^#[\da-f]{6}$/i.test(hex.trim()) ? Number.parseInt(hex.trim().slice(1), 16) : 0x808080
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** @param {Channels | undefined} a @param {Channels | undefined} b @param {number} share of b @returns {Channels} */
function mix(a = [128, 128, 128], b = [128, 128, 128], share) {
  const part = (/** @type {0 | 1 | 2} */ at) => Math.round(a[at] + (b[at] - a[at]) * share)
  return [part(0), part(1), part(2)]
}

/** @param {Channels | undefined} channels */
function brightness([red, green, blue] = [128, 128, 128]) {
  return 0.3 * red + 0.59 * green + 0.11 * blue
}

/** @param {Channels | undefined} channels */
function css([red, green, blue] = [128, 128, 128]) {
  return `rgb(${red} ${green} ${blue})`
}

/** @param {string} label @param {boolean} interactive */
export function build(label, interactive) {
  const box = make('div', { class: 'map' })
  const help = t('Arrow keys move it, plus and minus change its scale.')
  const frame = make('div', {
    class: 'map-frame',
    role: 'group',
    'aria-label': interactive ? `${label}. ${help}` : label
  })
  if (interactive) frame.tabIndex = 0
  const controls = make('div', { class: 'map-controls' })
  const buttons = /** @type {const} */ ([
    ['+', t('Zoom in')],
    ['−', t('Zoom out')],
    ['⤢', t('Show everything')]
  ])
  for (const [sign, name] of buttons) {
    const button = make('button', { type: 'button', 'aria-label': name, title: name })
    button.textContent = sign
    controls.append(button)
  }
  const list = make('ul', { class: 'hidden', 'aria-label': t('On this map') })
  const note = make('p', { class: 'map-note', role: 'status' })
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  const cross = make('div', { class: 'map-cross', 'aria-hidden': 'true' })
  box.append(frame, note, list)
  return { box, frame, canvas, note, list, controls, cross }
}

/** @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {Record<string, string>} attributes */
function make(name, attributes) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}
