import { NETWORK_NAMES } from '../../../../web/shared/words.js'
import { readersTurn, Slices } from '../../../platform/clock/slices.ts'
import type { LogEntry, LogGap, ReadLog } from '../../server/comms-log.ts'
import { localTimes, spanTimes } from '../../server/day-bounds.ts'
import type { Period } from '../../server/period.ts'
import type { Translate } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'
import { type Drawing, gapWords, lineOf, lostLine, ruledTable } from './lines.ts'

/** The boxes that somebody fills in. */
export interface Filled {
  incident: string
  operator: string
}

/** The form: the same on the page and in the PDF. `rest` stands where the span goes on. */
export async function formOf(
  {
    log,
    gaps,
    filled,
    period,
    rest
  }: { log: ReadLog; gaps: readonly LogGap[]; filled: Filled; period: Period; rest: Content },
  reader: Reader
): Promise<Content[]> {
  const { timezone } = reader.context.shownConfig().station
  return [
    gaps.map((gap) => html`<p class="banner note">${gapWords(gap, reader)}</p>\n`),
    head(filled, period, reader),
    await traffic(log, { reader, local: spanTimes(timezone, period) }),
    log.next === null ? null : rest,
    foot(reader)
  ]
}

/** Boxes 1 to 4 of the form. What nobody has filled in is a line to write on. */
function head({ incident, operator }: Filled, { from, until }: Period, reader: Reader): Html {
  const { t, context } = reader
  const { name, timezone } = context.shownConfig().station
  const local = localTimes(timezone)
  const radios = reader.radios().map(({ network, node_name }) => `${NETWORK_NAMES[network]} ${node_name}`.trim())
  return html`<dl class="boxes">
<div><dt>1. ${t('Incident name and number')}</dt><dd>${incident}</dd></div>
<div><dt>2. ${t('Operational period')}</dt><dd>${local(from)} – ${local(until)}<br><span class="quiet">${timezone}</span></dd></div>
<div><dt>3. ${t('Net or station')}</dt><dd>${name}${radios.length === 0 ? null : html`<br><span class="quiet">${radios.join(' · ')}</span>`}</dd></div>
<div><dt>4. ${t('Radio operator')}</dt><dd>${operator}</dd></div>
</dl>`
}

/** Box 5: what was on the air and what came; then, apart, what was not on the air or is not known to have been. */
async function traffic({ entries }: ReadLog, drawing: Drawing): Promise<Html> {
  const { t } = drawing.reader
  const slices = new Slices(readersTurn)
  const [lines, lost]: [Html[], Html[]] = [[], []]
  for (const entry of entries) {
    if (wasOnAir(entry)) lines.push(lineOf(entry, drawing))
    else lost.push(lostLine(entry, drawing))
    await slices.pause()
  }
  return html`<h2>5. ${t('Radio traffic')}</h2>
<p class="quiet">${summary(entries, t)}</p>
${lines.length === 0 ? null : ruledTable(t('Radio traffic'), [t('Time'), t('From'), t('To'), t('Message')], lines)}
${
  lost.length === 0
    ? null
    : html`<h2>${t('Not on the air')}</h2>
<p class="quiet">${t('None of these counts as a transmission.')}</p>
${ruledTable(t('Not on the air'), [t('Time'), t('To'), t('What became of it'), t('Message')], lost)}`
}`
}

export type OnAirEntry = Exclude<LogEntry, { kind: 'not_sent' }>

function wasOnAir(entry: LogEntry): entry is OnAirEntry {
  return entry.kind === 'received' || (entry.kind === 'sent' && !entry.delivery.simulated)
}

function summary(entries: readonly LogEntry[], t: Translate): string {
  const sent = entries.filter((entry) => entry.kind === 'sent' && !entry.delivery.simulated)
  const came = entries.filter(({ kind }) => kind === 'received').length
  const other = entries.length - sent.length - came
  if (entries.length === 0) return t('Nothing was on the air in this span, and no command came.')
  return t('Transmissions: {sent}. Commands received: {came}. Not on the air, or not known: {other}.', {
    ...{ sent: sent.length, came, other }
  })
}

/** Boxes 6 and 7. */
function foot({ t, context }: Reader): Html {
  const local = localTimes(context.shownConfig().station.timezone)
  return html`<dl class="boxes">
<div><dt>6. ${t('Prepared by (name, call sign)')}</dt><dd></dd></div>
<div><dt>7. ${t('Date and time prepared')}</dt><dd>${local(context.now())}</dd></div>
</dl>`
}
