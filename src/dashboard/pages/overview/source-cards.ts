import { sparkline } from '../../../../web/shared/parts.js'
import { stateMark } from '../../../../web/shared/pen.js'
import { number } from '../../../../web/shared/times.js'
import type { SourceStatus } from '../../../warning/feeds/status.ts'
import type { HttpContext } from '../../server/context.ts'
import { toldTo } from '../../server/guest.ts'
import { type Html, html } from '../frame/html.ts'
import { penOf } from '../frame/pen.ts'
import { type Reader, shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { eventsByHour, type MeasuredDay } from './measured-day.ts'
import { isInTrouble } from './overview-problems.ts'

/** More are a list, and stand on their own page. */
const MOST_CARDS = 6
const LONGEST_REASON = 120

/** Counted, as the trouble is told above, and each as a card: those in trouble first, then whoever said most. `measured`: null without a history. */
export function sourceSection(reader: Reader, measured: MeasuredDay | null): Html {
  const { context, t } = reader
  const sources = hazardSources(context)
  const link = html`<a href="/sources">${t('All sources')}</a>`
  if (sources.length === 0) return html`<p>${t('No source is configured.')} ${link}</p>`
  const on = sources.filter(({ state }) => state !== 'off')
  const days = new Map(on.map(({ name }) => [name, hoursOf(name, measured)]))
  const said = (name: string): number => (days.get(name) ?? []).reduce((sum: number, count) => sum + (count ?? 0), 0)
  const shown = on
    .toSorted((a, b) => rankOf(a) - rankOf(b) || said(b.name) - said(a.name))
    .slice(0, MOST_CARDS)
    .map((source) => card(reader, source, days.get(source.name) ?? null))
  const cards = shown.length === 0 ? null : html`<ul class="radios small">${shown}</ul>`
  return html`${counts(reader, sources)}${cards}<p>${link}</p>`
}

/** The watch over our own mesh tells of no danger: it answers although nobody listens to anything. */
export function hazardSources({ sources }: Pick<HttpContext, 'sources'>): SourceStatus[] {
  return sources.list().filter(({ kind }) => kind !== 'mesh_health')
}

function hoursOf(name: string, measured: MeasuredDay | null): (number | null)[] | null {
  const thing = measured?.feeds.get(name)
  return thing === undefined ? null : eventsByHour(thing)
}

function rankOf(source: SourceStatus): number {
  if (isInTrouble(source)) return 0
  return isWaiting(source) ? 1 : 2
}

function isWaiting({ state }: SourceStatus): boolean {
  return state === 'waiting' || state === 'connecting'
}

/** How many answer, how many do not, and when one answered last. */
function counts({ context, language, t }: Reader, sources: readonly SourceStatus[]): Html {
  const on = sources.filter(({ state }) => state !== 'off')
  const troubled = on.filter(isInTrouble).length
  const waiting = on.filter(isWaiting).length
  const lastOk = Math.max(...on.map(({ last_ok }) => (last_ok === null ? 0 : Date.parse(last_ok))), 0)
  const parts = [
    inOrder(on.length - troubled - waiting, t),
    ...(waiting > 0
      ? [html`<span class="state waiting">${t('{count} not asked yet', { count: waiting })}</span>`]
      : []),
    ...(troubled > 0 ? [html`<span class="state bad">${t('{count} in trouble', { count: troubled })}</span>`] : []),
    ...(sources.length > on.length
      ? [html`<span class="quiet">${t('{count} off', { count: sources.length - on.length })}</span>`]
      : [])
  ]
  const last = lastOk === 0 ? null : html`<p>${t('Last answer:')} ${agoTime(context, lastOk, language)}</p>`
  return html`<p class="counts">${parts.map((part) => html`${part} `)}</p>${last}`
}

/** None in order is nothing good. */
function inOrder(count: number, t: Reader['t']): Html {
  return html`<span class="${count > 0 ? 'state good' : 'quiet'}">${t('{count} in order', { count })}</span>`
}

const PROVEN: ReadonlySet<string> = new Set(['ok', 'unchanged', 'ready'])

function card(reader: Reader, source: SourceStatus, hours: readonly (number | null)[] | null): Html {
  const { context, language, t } = reader
  const { name, state, reason, last_ok } = source
  const tone = PROVEN.has(state) ? 'up' : isInTrouble(source) ? 'down' : ''
  const why = reason === null ? '' : `: ${shorten(toldTo(reason, reader), LONGEST_REASON)}`
  const last =
    last_ok === null
      ? t('no answer since the start')
      : html`${t('Last answer:')} ${agoTime(context, Date.parse(last_ok), language)}`
  return html`<li class="${tone}" data-key="${name}"><h3>${name}</h3><p>${stateMark(penOf(context, language), state)}${why} · ${last}</p>${eventLine(reader, source, hours)}</li>
`
}

/** Silence is told with how much of it is known: an hour without an answer says nothing about events. */
function eventLine({ language, t }: Reader, { events }: SourceStatus, hours: readonly (number | null)[] | null): Html {
  const known = (hours ?? []).filter((count) => count !== null)
  if (hours === null || known.length === 0)
    return html`<p><small>${t('Events since the start: {count}', { count: number(events, language) })}</small></p>`
  const count = number(
    known.reduce((sum, some) => sum + some, 0),
    language
  )
  const said =
    known.length === hours.length
      ? t('Events in 24 hours: {count}', { count })
      : t('Events in {hours} of 24 hours: {count}; the others are not known.', { hours: known.length, count })
  return html`<p><small>${said}</small></p>${sparkline({ html }, { values: hours, said: t('{said}, by hour', { said }) })}`
}
