// Proof of the route: a made-up event is asked through tag, matrix and channels, and nothing is sent.
import { send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { networkName } from '/static/shared/words.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { blocking, doc, families, lacking, proven, tell } from './state.js'

/** @import { SaidExplanation as Explanation } from '../../../warning/routing/said-trace.ts' */
/** @typedef {{ region: string, family: string, answer: Explanation }} Tried */

/** More are not asked here: each asks the station to decide. */
const MOST = 5

/** Regions with a column, each with a family of its own that has cells. */
function toTry() {
  const { areas, matrix } = doc.value
  return matrix.columns.slice(0, MOST).flatMap(({ region, families: rows }) => {
    const probe = areas.find(({ name }) => name === region)?.probe ?? null
    return probe === null ? [] : [{ region, rows, probe }]
  })
}

/** The gravest thing there is, in the area: what does not reach a channel then never will. @param {string} family @param {object} probe */
const madeUp = (family, probe) => ({
  id: `first-run-${Date.now()}`,
  source: 'first-run',
  family,
  severity: 'immediate',
  title: t('A made-up event'),
  ...probe
})

export function Route() {
  const tried = useSignal(/** @type {Tried[]} */ ([]))
  const places = toTry()
  const edition = JSON.stringify(places)
  useEffect(() => {
    let over = false
    const ask = async () => {
      /** @type {Tried[]} */
      const found = []
      for (const place of places) found.push(...(await tryOut(place)))
      if (over) return
      tried.value = found
      proven.value = new Set(found.filter(reaches).map(({ region }) => region))
    }
    ask().catch(tell)
    return () => {
      over = true
    }
  }, [edition])
  return html`<section aria-labelledby="route">
    <h3 id="route">${t('Where a warning would go')}</h3>
    ${places.length === 0 ? html`<p>${t('No area has a cell of the matrix yet: nothing would be sent for any.')}</p>` : html`<p>${t('A made-up event of immediate danger in each area, decided as a real one would be. Nothing is sent.')}</p>`}
    <ol class="routes" aria-live="polite">${tried.value.map((one) => html`<${Place} key=${one.region} ...${one} />`)}</ol>
    <${Blocking} />
  </section>`
}

/** The first family of the area that reaches a channel; when none does, its first. @param {ReturnType<typeof toTry>[number]} place */
async function tryOut({ region, rows, probe }) {
  /** @type {Tried[]} */
  const tried = []
  for (const family of rows) {
    const { body } = await send('/api/notifications/region-routing/explain', { event: madeUp(family, probe) })
    const one = { region, family, answer: body }
    if (reaches(one)) return [one]
    tried.push(one)
  }
  return tried.slice(0, 1)
}

/** The message must be for this area: one that overlaps it may have cells of its own. @param {Tried} tried */
const reaches = ({ region, answer }) =>
  answer.messages.some(({ state, regions }) => state === 'planned' && regions.includes(region))

/** @param {Tried} props */
function Place({ region, family, answer }) {
  const label = families.find(({ key }) => key === family)?.label ?? family
  const good = reaches({ region, family, answer })
  const messages = answer.messages.filter(({ regions }) => regions.includes(region))
  const tagged = answer.event.regions.includes(region)
  const last =
    answer.trace.findLast((step) => step.region === region) ??
    answer.trace.findLast(({ outcome }) => outcome === 'stop')
  return html`<li class=${good ? 'proof good' : 'proof bad'}>
    <strong>${good ? t('{region}: it would be sent', { region }) : t('{region}: it would not be sent', { region })}</strong>
    <ol class="way">
      <li>${tagged ? t('It lies in {region}.', { region }) : t('It is not found in {region}.', { region })}</li>
      <li>${messages.length > 0 ? t('{family} × {region} names a channel.', { family: label, region }) : html`${t('No channel is named for it.')} ${last?.detail ?? ''}`}</li>
      ${messages.map((message) => html`<li key=${`${message.transport} ${message.channel}`}>${channelSaid(message)}${message.text !== null && html`<br /><q class="text">${message.text}</q>`}</li>`)}
    </ol>
  </li>`
}

/** @param {Explanation['messages'][number]} message */
function channelSaid({ transport, channel, state, blocked }) {
  const name = `${networkName(transport)} ${channel}`
  if (state === 'planned') return t('{channel} would say:', { channel: name })
  const why = BLOCKED[blocked ?? ''] ?? ''
  return state === 'held'
    ? t('{channel} would wait: {why}.', { channel: name, why })
    : t('{channel} would fail: {why}.', { channel: name, why })
}

/** @type {Record<string, string>} */
const BLOCKED = {
  no_radio: t('no radio'),
  radio_down: t('the radio is down'),
  no_channel: t('the radio has no such channel'),
  channel_disabled: t('the channel is disabled on the radio'),
  quiet_hours: t('quiet hours'),
  cooldown: t('cooling down'),
  summary: t('it is summed up with others')
}

/** Problems that would keep every warning from going out, with the page that mends them. */
function Blocking() {
  if (blocking.value.length > 0)
    return html`<div class="banner bad" role="alert"><strong>${t('Nothing would be sent yet:')}</strong>
      ${problemList(blocking.value)}</div>`
  return html`<p class="state good">${t('Nothing keeps a warning from going out.')}</p>
    ${lacking.value.length > 0 && html`<div class="banner note"><strong>${t('But something would be missed:')}</strong>${problemList(lacking.value)}</div>`}`
}

/** @param {typeof blocking.value} problems */
const problemList = (problems) =>
  html`<ul>${problems.map(({ code, message, link }, at) => html`<li key=${`${code} ${at}`}>${message} <a href=${link}>${t('Look')}</a></li>`)}</ul>`
