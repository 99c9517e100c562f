// The pen of the browser: what the server has drawn is drawn on in place.

import { html } from '../vendor/ui.js'
import { language, t, term } from './i18n.js'
import { ago, when } from './time.js'

/** A moment both ways: how long ago or how soon, and when. @param {string} at */
function moment(at) {
  const ms = Date.parse(at)
  return html`<time datetime=${at} title=${when(ms)} data-ago="">${ago(ms)}</time>`
}

/** @type {import('../shared/pen.js').Pen<any>} */
export const pen = { html, t, term, language, moment }
