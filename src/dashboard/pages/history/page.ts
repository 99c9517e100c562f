import * as v from 'valibot'
import { timeText } from '../../../../web/shared/times.js'
import type { Language } from '../../../model/words/languages.ts'
import { paced, readersTurn } from '../../../platform/clock/slices.ts'
import { MAX_HOURS, type MetricType, POINT_EVERY_MS, type Point } from '../../../platform/metrics/point.ts'
import { eachSeries, perHour, type Series, seriesByKey, seriesOf } from '../../../platform/metrics/series.ts'
import type { Span } from '../../../warning/outbox/last-day.ts'
import type { Services } from '../../api/services.ts'
import type { HttpContext } from '../../server/context.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type ChartSpec, chartSteps } from '../frame/chart.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { readerOf } from '../frame/reader.ts'
import { airAhead } from './air-ahead.ts'

const SPANS = [6, 24, 72, MAX_HOURS] as const
const DRAWN = ['system', 'radios', 'airtime', 'feeds', 'knowledge'] as const

/** A page forgives what the API refuses: another span of time is shown. */
export const historyPageQuery = v.object({
  hours: v.fallback(
    v.pipe(
      v.string(),
      v.transform(Number),
      v.check((hours) => SPANS.includes(hours as (typeof SPANS)[number]))
    ),
    24
  )
})

interface View {
  t: Translate
  language: Language
  from: number
  to: number
  zone: string
  clock: string
  /** When something grave was in force: what the machine did meanwhile is seen against it. */
  spans: readonly Span[]
  read: (type: MetricType) => Point[]
}

/** `GET /history`: what was measured, drawn on the server: it needs no script. */
function readHistoryPage({ context }: Services): Handler<v.InferOutput<typeof historyPageQuery>, undefined> {
  const charts = new KeptCharts()
  return async ({ query: { hours }, headers, identity }) => {
    const language = languageOf(headers)
    const t = translator(language)
    const { history } = context
    const ahead = airAhead(readerOf(context, { headers, identity }), await context.airtimeAhead())
    const body =
      history === null
        ? html`${ahead}<p>${t('This profile keeps no history of measurements.')}</p>`
        : html`${ahead}${spans(t, hours)}<p class="quiet"><span class="band-key"></span> ${t('Shaded: an alert of critical or immediate danger was in force.')}</p>${await charts.of(context, history, { t, language, hours })}`
    return page(context, {
      title: t('History'),
      path: '/history',
      body,
      headers,
      identity,
      style: 'pages/history/style.css',
      script: 'pages/history/script.js',
      light: true
    })
  }
}

interface Shown {
  t: Translate
  language: Language
  hours: number
}

/** Charts until the next point: those of a week cost a board a second, and anybody may look as often as he likes. */
class KeptCharts {
  #point = -1
  readonly #charts = new Map<string, Promise<Html>>()

  of(context: HttpContext, history: NonNullable<HttpContext['history']>, shown: Shown): Promise<Html> {
    const now = context.now()
    const point = history.latest('system', { now, withinMs: 3 * POINT_EVERY_MS })?.at ?? now
    if (point !== this.#point) this.#charts.clear()
    this.#point = point
    const { timezone, time_format } = context.shownConfig().station
    const key = `${shown.language} ${shown.hours} ${timezone} ${time_format}`
    const known = this.#charts.get(key)
    if (known !== undefined) return known
    const made = viewOf(context, history, shown).then(sections)
    this.#charts.set(key, made)
    made.catch(() => this.#charts.delete(key))
    return made
  }
}

async function viewOf(
  context: HttpContext,
  history: NonNullable<HttpContext['history']>,
  { t, language, hours }: Shown
): Promise<View> {
  const to = context.now()
  const { timezone: zone, time_format: clock } = context.shownConfig().station
  const points = new Map<MetricType, Point[]>()
  for (const type of DRAWN) points.set(type, await paced(history.readSteps(type, { hours, now: to }), readersTurn))
  return {
    t,
    language,
    zone,
    clock,
    from: to - hours * 3_600_000,
    to,
    spans: context.ledger.day
      .spans(to, hours)
      .filter(({ severity }) => severity === 'critical' || severity === 'immediate'),
    read: (type) => points.get(type) ?? []
  }
}

function spans(t: Translate, hours: number): Html {
  const links = SPANS.map(
    (span) =>
      html`<li><a href="/history?hours=${span}"${span === hours ? html` aria-current="page"` : null}>${span < 72 ? t('{count} hours', { count: span }) : t('{count} days', { count: span / 24 })}</a></li>`
  )
  return html`<nav class="spans" aria-label="${t('Span of time')}"><ul>${links}</ul></nav>\n`
}

/** A young station says once that nothing was measured, not in every chart. */
async function sections(view: View): Promise<Html> {
  const { t } = view
  const all = [
    await section(t, { title: t('Machine'), drawing: systemCharts(view) }),
    await section(t, { title: t('Radios'), drawing: radioCharts(view) }),
    await section(t, { title: t('Sources'), drawing: feedCharts(view) }),
    await section(t, { title: t('Knowledge'), drawing: knowledgeCharts(view) })
  ]
  if (all.every(({ isEmpty }) => isEmpty))
    return html`<p class="quiet">${t('Nothing measured yet: there is a point every two minutes.')}</p>`
  return html`${all.map(({ shown }) => shown)}`
}

/** A chart of a week takes some milliseconds: others have their turn between two of them (contract §6). */
async function section(
  t: Translate,
  { title, drawing }: { title: string; drawing: Iterable<Drawing | null> }
): Promise<{ shown: Html; isEmpty: boolean }> {
  const charts: Html[] = []
  const missing: string[] = []
  for (const one of drawing) {
    if (typeof one === 'string') missing.push(one)
    else if (one !== null) charts.push(one)
    await readersTurn()
  }
  const rest = missing.length === 0 ? null : html`<p class="quiet">${t('Not measured yet:')} ${missing.join('; ')}</p>`
  const shown = html`<section><h2>${title}</h2>${charts.length === 0 ? null : html`<div class="charts">${charts}</div>`}${rest}</section>\n`
  return { shown, isEmpty: charts.length === 0 }
}

type Given = Pick<ChartSpec, 'id' | 'title' | 'series' | 'format'> & Partial<ChartSpec>

/** A chart, or the title of one of which nothing was measured. */
type Drawing = Html | string

function* drawn({ t, language, from, to, zone, clock, spans }: View, given: Given): Generator<Drawing | null> {
  const words = {
    last: t('Last'),
    smallest: t('Smallest'),
    largest: t('Largest'),
    more: (count: number) => t('{count} more are not drawn.', { count })
  }
  const moment = (at: number): string => timeText(at, { zone, clock }, language, 'weekday')
  yield (yield* chartSteps({ ...given, language, from, to, spans, words, moment })) ?? given.title
}

function named(series: Series, name: string): Series {
  return { name, points: series.points }
}

/** How the memory of a process was counted the last time. */
function memoryTitle(points: readonly Point[], t: Translate): string {
  return seriesOf(points, 'station_memory_is_pss').points.at(-1)?.value === 0
    ? t('Memory by process (RSS: what several hold together counts for each)')
    : t('Memory by process (PSS: what several hold together is shared out)')
}

/** At each point the first of these that is known. */
function firstKnown(points: readonly Point[], names: readonly string[]): Series {
  const known = points.flatMap(({ at, data }) => {
    const value = names.map((name) => data[name]).find((one) => typeof one === 'number')
    return typeof value === 'number' ? [{ at, value }] : []
  })
  return { name: '', points: known }
}

function* memoryCharts(view: View): Generator<Drawing | null> {
  const { t } = view
  const points = view.read('system')
  const of = (name: string, shown: string): Series => named(seriesOf(points, name), shown)
  yield* drawn(view, {
    id: 'memory',
    title: t('Memory'),
    format: 'bytes',
    floor: 0,
    series: [
      of('station_memory_bytes', t('All processes of Lookout')),
      of('station_memory_peak_bytes', t('Highest seen since the point before')),
      of('memory_available_bytes', t('Still available'))
    ]
  })
  yield* drawn(view, {
    id: 'processes',
    title: memoryTitle(points, t),
    format: 'bytes',
    floor: 0,
    series: [
      // Older points have the second alone.
      named(firstKnown(points, ['main_memory_bytes', 'rss_bytes']), t('Main process')),
      of('worker_memory_bytes', t('Worker')),
      of('largest_child_bytes', t('Largest other program'))
    ]
  })
}

function* systemCharts(view: View): Generator<Drawing | null> {
  const { t } = view
  const points = view.read('system')
  const of = (name: string, shown: string): Series => named(seriesOf(points, name), shown)
  yield* drawn(view, {
    id: 'cpu',
    title: t('Processor'),
    format: 'percent',
    floor: 0,
    ceiling: 100,
    series: [of('cpu_percent', t('Whole machine')), of('station_cpu_percent', t('All processes of Lookout'))]
  })
  yield* memoryCharts(view)
  yield* drawn(view, {
    id: 'stall',
    title: t('Longest step that radios had to wait for'),
    format: 'milliseconds',
    floor: 0,
    series: [of('longest_stall_ms', 'Lookout')]
  })
  yield* drawn(view, {
    id: 'temperature',
    title: t('Temperature'),
    format: 'celsius',
    series: [of('temperature_celsius', t('Processor'))]
  })
  yield* drawn(view, {
    id: 'throttled',
    title: t('Throttled or short of voltage'),
    format: 'whole',
    floor: 0,
    ceiling: 1,
    series: [of('throttled', t('Now')), of('throttled_since_boot', t('Since the board started'))]
  })
  yield* drawn(view, {
    id: 'disk',
    title: t('Space on the disk'),
    format: 'bytes',
    floor: 0,
    series: [of('disk_free_bytes', t('Free'))]
  })
  yield* drawn(view, {
    id: 'written',
    title: t('Written to the disk, per hour'),
    format: 'bytes',
    floor: 0,
    series: [perHour(of('disk_written_bytes', t('Whole machine'))), perHour(of('process_written_bytes', 'Lookout'))]
  })
}

function* radioCharts(view: View): Generator<Drawing | null> {
  const { t } = view
  const radios = view.read('radios')
  const airtime = view.read('airtime')
  const share = (series: Series): Series => ({
    name: series.name,
    points: series.points.map(({ at, value }) => ({ at, value: value * 100 }))
  })
  yield* drawn(view, {
    id: 'airtime',
    title: t('Time on air in the last hour, seconds'),
    format: 'tenth',
    floor: 0,
    series: seriesByKey(airtime, 'used_seconds')
  })
  yield* drawn(view, {
    id: 'waiting',
    title: t('Messages that wait'),
    format: 'whole',
    floor: 0,
    series: seriesByKey(radios, 'waiting')
  })
  yield* drawn(view, {
    id: 'ready',
    title: t('Ready (1) or not (0)'),
    format: 'whole',
    floor: 0,
    ceiling: 1,
    series: seriesByKey(radios, 'ready')
  })
  yield* drawn(view, {
    id: 'channel',
    title: t('Channel busy'),
    format: 'percent',
    floor: 0,
    series: seriesByKey(radios, 'channel_utilization').map(share)
  })
  yield* drawn(view, {
    id: 'nodes',
    title: t('Nodes known'),
    format: 'whole',
    floor: 0,
    series: seriesByKey(radios, 'nodes_known')
  })
  yield* drawn(view, {
    id: 'battery',
    title: t('Battery'),
    format: 'percent',
    floor: 0,
    ceiling: 100,
    series: seriesByKey(radios, 'battery_percent')
  })
}

/** As many lines as there are sources: others have their turn after each. */
function* feedCharts(view: View): Generator<Drawing | null> {
  const { t } = view
  const points = view.read('feeds')
  const up: Series[] = []
  for (const series of eachSeries(points, 'up')) {
    up.push(series)
    yield null
  }
  const perHours: Series[] = []
  for (const series of eachSeries(points, 'bytes')) {
    perHours.push(perHour(series))
    yield null
  }
  yield* drawn(view, {
    id: 'feeds-up',
    title: t('Answers as it should (1) or not (0)'),
    format: 'whole',
    floor: 0,
    ceiling: 1,
    series: up
  })
  yield* drawn(view, {
    id: 'feeds-bytes',
    title: t('Bytes over the network, per hour'),
    format: 'bytes',
    floor: 0,
    series: perHours
  })
}

function* knowledgeCharts(view: View): Generator<Drawing | null> {
  const { t } = view
  const points = view.read('knowledge')
  const of = (name: string, shown: string): Series => named(seriesOf(points, name), shown)
  yield* drawn(view, {
    id: 'documents',
    title: t('Documents'),
    format: 'whole',
    floor: 0,
    series: [of('complete', t('Complete')), of('in_pipeline', t('In work')), of('failed', t('Failed'))]
  })
  yield* drawn(view, {
    id: 'vectors',
    title: t('Items and vectors'),
    format: 'whole',
    floor: 0,
    series: [of('items', t('Items')), of('vectors', t('Vectors'))]
  })
}

export const historyPage = (services: Services): Route =>
  get('/history', {
    about:
      'Charts of what was measured: machine, radios, sources, knowledge; `?hours=6|24|72|168`. A script tells the values under the pointer.',
    query: historyPageQuery,
    handle: readHistoryPage(services)
  })
