// A person's orders about an alert: acknowledge it, silence it, end a silence.
import { send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { Problem, refusalOf } from '/static/log/problem.js'
import { toast } from '/static/shared/parts.js'
import { html, useSignal } from '/static/vendor/ui.js'

/**
 * @typedef {object} EventData
 * @property {string} id
 * @property {string} source
 * @property {number} seq
 * @property {string} thread_id
 * @property {string | null} code
 * @property {string} title
 * @property {string} severity
 * @property {string} family
 * @property {string[]} regions
 * @property {import('/static/map/shapes.js').Where} where
 * @property {any[]} areas
 * @property {boolean} can_write
 */
/** @typedef {{ data: EventData, done: () => void }} ActionProps */

const DAY_MS = 86_400_000

/** A code has no sign that means something in a path. @param {EventData} data */
const nameOf = ({ code, thread_id }) => code ?? thread_id

/** @param {ActionProps} props */
export function Actions({ data, done }) {
  const back = encodeURIComponent(location.pathname + location.search)
  if (!data.can_write)
    return html`<p><a class="button" href=${`/sign-in?back=${back}`}>${t('Sign in')}</a> ${t('to acknowledge or silence this alert.')}</p>`
  return html`<${Acknowledge} data=${data} done=${done} /><${Silence} data=${data} done=${done} />`
}

/**
 * Runs an order of the form it stands in: one at a time, with what came of it.
 * @param {() => Promise<string>} order answers what was done
 */
function useOrder(order) {
  const busy = useSignal(false)
  const said = useSignal('')
  const refusal = useSignal(/** @type {import('/static/log/problem.js').Refusal | null} */ (null))
  const run = async () => {
    if (busy.peek()) return
    busy.value = true
    said.value = ''
    refusal.value = null
    try {
      said.value = await order()
    } catch (error) {
      refusal.value = refusalOf(error)
    } finally {
      busy.value = false
    }
  }
  const outcome = () => html`<${Problem} refusal=${refusal.value} />${toast({ html }, said.value, 'good')}`
  return { busy, run, outcome }
}

/** @param {SubmitEvent} event @param {() => Promise<void>} run */
function submitted(event, run) {
  event.preventDefault()
  void run()
}

/** While nothing can be stored the answer says so. @param {string} words @param {{ stored?: boolean }} body */
function told(words, { stored }) {
  return stored === false ? `${words} ${t('It is not stored: the disk fails, and a restart forgets it.')}` : words
}

/** @param {ActionProps} props */
function Acknowledge({ data, done }) {
  const reason = useSignal('')
  const { busy, run, outcome } = useOrder(async () => {
    const { body } = await send(`/api/threads/${encodeURIComponent(nameOf(data))}/ack`, { reason: reason.peek() })
    reason.value = ''
    done()
    return told(body.stopped ? t('Acknowledged: nothing more follows.') : t('Acknowledged.'), body)
  })
  return html`<details class="act"><summary>${t('Acknowledge')} …</summary>
    <form onSubmit=${(/** @type {SubmitEvent} */ event) => submitted(event, run)}>
    <p class="quiet">${t('Says that somebody takes care of it. No reminder follows.')}</p>
    <p><label for="ack-reason">${t('Who, or why (may be empty)')}</label>
      <input id="ack-reason" maxlength="200" value=${reason.value} onInput=${(/** @type {any} */ event) => {
        reason.value = event.currentTarget.value
      }} /></p>
    <p><button class="primary" disabled=${busy.value}>${busy.value ? t('Sending …') : t('Acknowledge')}</button></p>
    ${outcome()}</form></details>`
}

/** The targets of a silence, most narrow first. @param {EventData} data */
function targetsOf({ thread_id, family, regions }) {
  return [
    { label: t('only this alert'), body: { thread: thread_id } },
    ...regions.map((region) => ({ label: t('{family} in {region}', { family, region }), body: { family, region } })),
    { label: t('everything of {family}', { family }), body: { family } }
  ]
}

/** @returns {[string, string][]} */
const durations = () => [
  ['30m', t('30 minutes')],
  ['2h', t('2 hours')],
  ['8h', t('8 hours')],
  ['1d', t('1 day')],
  ['7d', t('7 days')]
]

/** @param {ActionProps} props */
function Silence({ data, done }) {
  const reason = useSignal('')
  const target = useSignal(0)
  const duration = useSignal('2h')
  const immediate = useSignal(false)
  const targets = targetsOf(data)
  const { busy, run, outcome } = useOrder(async () => {
    const { body } = await send('/api/silences', {
      ...targets[target.peek()]?.body,
      duration: duration.peek(),
      reason: reason.peek(),
      include_immediate: immediate.peek()
    })
    reason.value = ''
    done()
    const hours = Math.round((Date.parse(body.until) - Date.now()) / (DAY_MS / 24))
    return told(hours < 1 ? t('Silenced.') : t('Silenced for {hours} h.', { hours }), body)
  })
  return html`<details class="act"><summary>${t('Silence')} …</summary>
    <form onSubmit=${(/** @type {SubmitEvent} */ event) => submitted(event, run)}>
    <p class="quiet">${t('Nothing of it is sent for a while. It ends by itself.')}</p>
    <p><label for="silence-what">${t('What')}</label>
      <select id="silence-what" onChange=${(/** @type {any} */ event) => {
        target.value = event.currentTarget.selectedIndex
      }}>${targets.map(({ label }) => html`<option>${label}</option>`)}</select></p>
    <p><label for="silence-time">${t('For how long')}</label>
      <select id="silence-time" value=${duration.value} onChange=${(/** @type {any} */ event) => {
        duration.value = event.currentTarget.value
      }}>${durations().map(([value, label]) => html`<option value=${value}>${label}</option>`)}</select></p>
    <p><label for="silence-reason">${t('Why')}</label>
      <input id="silence-reason" required maxlength="200" value=${reason.value} onInput=${(
        /** @type {any} */ event
      ) => {
        reason.value = event.currentTarget.value
      }} /></p>
    <p><label><input type="checkbox" checked=${immediate.value} onChange=${(/** @type {any} */ event) => {
      immediate.value = event.currentTarget.checked
    }} /> ${t('Immediate danger too')}</label></p>
    <p><button disabled=${busy.value}>${busy.value ? t('Sending …') : t('Silence')}</button></p>
    ${outcome()}</form></details>`
}

/**
 * Puts a button to end it beside every silence the server has drawn.
 * @param {EventData} data
 * @param {() => void} done
 */
export function endButtons({ can_write }, done) {
  if (!can_write) return
  for (const line of document.querySelectorAll('[data-silence]')) {
    if (line.querySelector('button') !== null) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = t('End this silence')
    button.addEventListener('click', async () => {
      button.disabled = true
      try {
        const { body } = await send(`/api/silences/${line.getAttribute('data-silence')}`, undefined, {
          method: 'DELETE'
        })
        if (body.stored === false) line.after(told(t('Ended.'), body))
        line.remove()
        done()
      } catch (error) {
        button.disabled = false
        button.after(` ${refusalOf(error).detail}`)
      }
    })
    line.append(' ', button)
  }
}
