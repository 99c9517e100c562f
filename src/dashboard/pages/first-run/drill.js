// The drill: a made-up event goes the whole way, and each station of it lights up until somebody has heard it, or says what stops it.
import { get, send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { pen } from '/static/lib/pen.js'
import { stepper } from '/static/shared/parts.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { blocking, busy, canWrite, doc, during, mode, proven, radios, tell } from './state.js'

/** @typedef {'good' | 'bad' | 'waiting' | 'off'} Tone */
/** @typedef {{ title: string, tone: Tone, lines: readonly { tone: Tone, text: string }[] }} Station */
/** @typedef {{ state: string, heard_by: number, simulated: boolean, transport: string, channel: string | number, text: string | null, steps: readonly { detail: string }[] }} Message */
/** @typedef {{ event: { regions: string[] }, decision: string | null, trace: readonly { outcome: string, detail: string }[], deliveries: readonly Message[] }} Trace */

const OVER = ['heard', 'delivered', 'unconfirmed', 'failed', 'expired', 'suppressed', 'sent_unknown']
const STOPPED = ['failed', 'expired', 'suppressed', 'held', 'sent_unknown']
const LEFT = ['sent', 'heard', 'delivered', 'unconfirmed']

/** @type {Record<string, string>} */
const STATES = {
  queued: t('Waits for its turn'),
  transmitting: t('Is being sent'),
  sent: t('Sent'),
  heard: t('Sent'),
  delivered: t('Sent'),
  unconfirmed: t('Sent'),
  held: t('Held'),
  expired: t('Too old by now: not sent'),
  failed: t('Failed'),
  suppressed: t('Not sent'),
  sent_unknown: t('It may or may not have been heard')
}

export function Drill() {
  const asked = useSignal(/** @type {{ id: string, region: string } | null} */ (null))
  const trace = useSignal(/** @type {Trace | null} */ (null))
  const look = async () => {
    if (asked.value === null) return
    const { body } = await get(`/api/events/${encodeURIComponent(asked.value.id)}/trace?source=drill`)
    trace.value = body
    if (body.deliveries.some(isHeard)) proven.value = new Set([...proven.value, asked.value.region])
  }
  useEffect(() => onLive(['decided', 'delivery', 'reset'], () => void look().catch(tell)), [])
  const places = doc.value.matrix.columns.map(({ region, families: rows }) => ({ region, family: rows[0] ?? '' }))
  const region = useSignal(places[0]?.region ?? '')
  const start = () =>
    during(async () => {
      trace.value = null
      const place = places.find((one) => one.region === region.value)
      if (place === undefined) return
      const { body } = await send('/api/drills', place)
      asked.value = { id: body.id, region: place.region }
      await look()
    })
  const [stop] = obstacles(places.length)
  return html`<section aria-labelledby="drill">
    <h3 id="drill">${t('The drill')}</h3>
    <p>${t('A made-up event in your area goes the whole way, and every text of it begins with DRILL. On a real radio it goes on the air.')}</p>
    ${
      places.length > 1 &&
      html`<p class="field"><label for="drill-region">${t('Area')}</label><select id="drill-region" onChange=${(
        /** @type {Event & { currentTarget: HTMLSelectElement }} */ event
      ) => {
        region.value = event.currentTarget.value
      }}>${places.map((one) => html`<option value=${one.region}>${one.region}</option>`)}</select></p>`
    }
    <p class="buttons"><button type="button" class="primary" disabled=${!canWrite || busy.value || stop !== undefined} onClick=${start}>${t('Start the drill')}</button></p>
    ${stop !== undefined && html`<p class="state bad">${stop}</p>`}
    <div class="drill" aria-live="polite">${asked.value === null ? null : stepper(pen, { label: t('The way of the drill'), kind: 'boxes wide', steps: stationsOf(trace.value, asked.value.region).map(step) })}</div>
    ${trace.value !== null && html`<${Verdict} trace=${trace.value} id=${asked.value?.id ?? ''} />`}
  </section>`
}

/** Why it cannot even begin. @param {number} columns @returns {string[]} */
function obstacles(columns) {
  if (mode === 'preview') return [t('This is a preview: nothing is sent. Run lookout start for that.')]
  if (columns === 0) return [t('There is no channel to test yet: choose one in the matrix.')]
  const waiting = radios.value.filter(({ state }) => state === 'connecting')
  if (waiting.length > 0 && waiting.length === radios.value.length)
    return [t('The radio you chose is being connected.')]
  return blocking.value.map(({ message }) => message)
}

/** @param {Message} message */
const isHeard = ({ state, heard_by: heard, simulated }) =>
  !simulated && (heard > 0 || state === 'heard' || state === 'delivered')

/** @param {Trace | null} trace @param {string} region @returns {Station[]} */
function stationsOf(trace, region) {
  const tagged = trace?.event.regions.includes(region) ?? false
  const sends = trace?.decision === 'send'
  const stop = trace?.trace.findLast(({ outcome }) => outcome === 'stop')?.detail ?? ''
  const messages = trace?.deliveries ?? []
  return [
    station(t('Tag'), trace !== null, tagged, [tagged ? t('It lies in {region}.', { region }) : stop]),
    station(t('Matrix'), tagged, sends, [sends ? t('A channel is named for it.') : stop]),
    { title: t('Radio'), ...radioLines(messages, sends) },
    { title: t('Heard'), ...heardLines(messages) }
  ]
}

/** @param {string} title @param {boolean} reached @param {boolean} good @param {string[]} words @returns {Station} */
function station(title, reached, good, words) {
  const tone = !reached ? 'off' : good ? 'good' : 'bad'
  return { title, tone, lines: reached ? words.map((text) => ({ tone, text })) : [] }
}

/** @param {Pick<Message, 'transport' | 'channel'>} message */
const nameOf = ({ transport, channel }) => `${transport === 'mt' ? 'Meshtastic' : 'MeshCore'} ${channel}`

/** @param {Message} message @returns {{ tone: Tone, text: string }} */
function radioLine(message) {
  const { state, simulated, steps } = message
  const name = nameOf(message)
  if (LEFT.includes(state))
    return simulated
      ? { tone: 'off', text: `${name}: ${t('simulated: not on the air')}` }
      : { tone: 'good', text: `${name}: ${STATES[state]}` }
  const said = `${name}: ${STATES[state] ?? state}`
  if (STOPPED.includes(state)) return { tone: 'bad', text: `${said} – ${steps.at(-1)?.detail ?? ''}` }
  return { tone: 'waiting', text: said }
}

/** @param {readonly Message[]} messages @param {boolean} sends @returns {Omit<Station, 'title'>} */
function radioLines(messages, sends) {
  const lines = messages.map(radioLine)
  if (lines.length === 0) return { tone: sends ? 'waiting' : 'off', lines: [] }
  return { tone: gravest(lines), lines }
}

/** @param {readonly Message[]} messages @returns {Omit<Station, 'title'>} */
function heardLines(messages) {
  const lines = messages
    .filter(({ state }) => LEFT.includes(state))
    .map((message) => {
      if (message.simulated) return { tone: /** @type {Tone} */ ('off'), text: `${nameOf(message)}: ${t('simulated')}` }
      if (isHeard(message))
        return { tone: /** @type {Tone} */ ('good'), text: `${nameOf(message)}: ${t('another node repeated it')}` }
      const silent = message.state === 'unconfirmed'
      const text = silent ? t('no other node was heard repeating it') : t('listening …')
      return { tone: /** @type {Tone} */ ('waiting'), text: `${nameOf(message)}: ${text}` }
    })
  const heard = lines.some(({ tone }) => tone === 'good')
  return { tone: lines.length === 0 ? 'off' : heard ? 'good' : gravest(lines), lines }
}

/** @param {readonly { tone: Tone }[]} lines @returns {Tone} */
const gravest = (lines) =>
  /** @type {const} */ (['bad', 'waiting', 'off', 'good']).find((tone) => lines.some((one) => one.tone === tone)) ??
  'off'

/** @type {Readonly<Record<Tone, import('/static/shared/parts.js').StepState>>} */
const STEP_STATES = { good: 'done', waiting: 'now', bad: 'stopped', off: 'next' }

/** @param {Station} station @returns {import('/static/shared/parts.js').StepShown} */
function step({ title, tone, lines }) {
  const said = lines.map((line) => html`<li><span class=${`state ${line.tone}`}>${line.text}</span></li>`)
  const content = html`<div class="step"><strong class=${`state ${tone}`}>${title}</strong>${said.length > 0 && html`<ul>${said}</ul>`}</div>`
  return { state: STEP_STATES[tone], content }
}

/** @param {{ trace: Trace, id: string }} props */
function Verdict({ trace, id }) {
  const link = html`<a href=${`/events/${encodeURIComponent(id)}?source=drill`}>${t('Every step of it')}</a>`
  const { deliveries } = trace
  const text = deliveries.find((one) => one.text !== null)?.text ?? ''
  const over =
    trace.decision !== 'send' || (deliveries.length > 0 && deliveries.every(({ state }) => OVER.includes(state)))
  if (deliveries.some(isHeard))
    return html`<p class="proof good" role="status"><strong>${t('Heard: your warnings reach the air.')}</strong><br /><q class="text">${text}</q> ${link}</p>`
  if (!over) return html`<p class="quiet" role="status">${t('It is on its way.')} ${link}</p>`
  const simulated = deliveries.some((one) => one.simulated && LEFT.includes(one.state))
  return html`<p class="proof" role="status"><strong>${simulated ? t('The way is open as far as a simulated radio: nothing was on the air.') : deliveries.some(({ state }) => LEFT.includes(state)) ? t('It was sent, and nobody was heard repeating it: a second node in reach would prove it.') : t('It was not sent.')}</strong> ${link}</p>`
}
