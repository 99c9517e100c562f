// The station's steps with a document that was sent.
import { t } from '/static/lib/i18n.js'
import { pen } from '/static/lib/pen.js'
import { stepper } from '/static/shared/parts.js'
import { html } from '/static/vendor/ui.js'

/** @typedef {import('/static/knowledge/sending.js').Sending} Sending */
/** @typedef {import('../knowledge/knowledge-words.ts').Step} Step */
/**
 * @typedef {object} Words what the server says about this page
 * @property {number} max_bytes
 * @property {Record<string, string>} names of every status
 * @property {Record<string, Step[]>} steps how far a file is in every status
 * @property {string[]} over statuses after which nothing more happens
 */

/** The progress of the station with a file that has arrived. @param {{ one: Sending, words: Words }} props */
export function Standing({ one, words }) {
  const status = one.status.value
  const name = status?.status ?? 'pending'
  const steps = words.steps[name] ?? []
  return html`${stepper(pen, { label: t('How far it is'), steps: steps.map(({ name: content, state }) => ({ content, state })) })}
    <p><a href=${`/documents/${one.hash}`}>${words.names[name] ?? name}</a>${status?.progress ? html` <small>${status.progress}</small>` : null}
      ${status?.reason ? html` <span class="reason">${status.reason}</span>` : null}</p>`
}
