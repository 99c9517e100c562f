import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { type SkippedItem, TEST_REASON } from '../feed.ts'
import { asBag, textsOf } from '../reading/json.ts'
import { bagsOf, jsonListingSteps, looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { Standing } from '../reading/standing.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps, xmlSteps } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { quakeOfReport, quakesOfList } from './quakes.ts'
import { jsonOf, type Report, reportOf, TAKEN_BACK } from './report.ts'
import type { JmaSettings } from './settings.ts'
import { isTsunami, tsunamisOf } from './tsunami.ts'
import { isVolcanoList, rememberPlaces, volcanoesOf } from './volcanoes.ts'
import {
  isOldReport,
  isWarningList,
  isWarningReport,
  rememberMunicipalities,
  warningsAgain,
  warningsOfList,
  warningsOfReport
} from './warnings.ts'

const KIND = 'jma'
const FEED = 'JMA'
/** A report that old is no longer in force, whatever the list says. */
const MOST_AGE_MS = 24 * 3_600_000
/** Names and places of volcanoes and municipalities are asked for once a month, */
const PLACES_MS = 30 * 24 * 3_600_000
/** … and when they could not be had, after an hour. */
const PLACES_AGAIN_MS = 3_600_000
/** Reports fetched in one poll at most: one event has one. */
const MOST_REPORTS = 5
/** The memory of what each report told, by its name. */
const REPORT = 'report:'

/** Earthquakes, tsunamis and volcanoes by the Japan Meteorological Agency: the JSON behind its disaster pages, without a key. */
export const jmaSource: SourceKind<JmaSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Earthquakes with intensities, warnings of tsunamis, volcanoes and the weather of Japan (JMA).',
  defaultIntervalSeconds: 60,
  minIntervalSeconds: 60,
  warns: true,
  needsContact: false,
  poll,
  read: (body, settings, tools) => drain(readSteps(body, settings, tools))
}

/** A product that fails does not keep what the others tell; when they tell nothing, the failure counts. */
async function poll(settings: JmaSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const whole = empty()
  let changed = false
  let failed: AppError | null = null
  for (const product of settings.products) {
    try {
      const reading = await POLLS[product](settings, tools)
      if (reading === 'unchanged') continue
      changed = true
      add(whole, reading)
    } catch (error) {
      if (!(error instanceof AppError) || tools.signal.aborted) throw error
      whole.skipped.push({ id: product, reason: error.reason })
      failed = error
    }
  }
  if (failed !== null && whole.events.length === 0) throw failed
  return changed ? whole : 'unchanged'
}

type ProductPoll = (settings: JmaSettings, tools: PollTools) => Promise<SourceReading | 'unchanged'>

const POLLS: Record<JmaSettings['products'][number], ProductPoll> = {
  async quake(settings, tools) {
    const answer = await tools.fetch({ url: address(settings, 'quake/data/list.json') })
    if (answer.state === 'unchanged') return 'unchanged'
    return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  },
  async tsunami(settings, tools) {
    const answer = await tools.fetch({ url: address(settings, 'tsunami/data/list.json') })
    const standing = tsunamisIn(tools)
    if (answer.state === 'unchanged') return ended(await inTurns(standing.sameAgain(), tools.signal))
    const list = await inTurns(listOf(await inTurns(decodeSteps(answer.body), tools.signal)), tools.signal)
    const reports: { name: string; report: Report | null }[] = []
    // All of them before one is told: an end that is told must not be lost with the rest.
    for (const name of await inTurns(newestReports(list, tools.receivedAt), tools.signal)) {
      const detail = await tools.fetch({ url: address(settings, `tsunami/data/${name}`) })
      const isNew = detail.state === 'new'
      const report = isNew
        ? await inTurns(forecastIn(await inTurns(decodeSteps(detail.body), tools.signal), name), tools.signal)
        : null
      reports.push({ name, report })
    }
    const events = await inTurns(followTsunamis(reports, standing, tools), tools.signal)
    return { ...empty(), events, items: list.length }
  },
  async volcano(settings, tools) {
    await findOnce('places', settings, tools, {
      path: 'volcano/const/volcano_list.json',
      *keep(text) {
        const { bag, list } = yield* jsonListingSteps(text, FEED)
        return yield* rememberPlaces(list ?? bag, tools.memory)
      }
    })
    const answer = await tools.fetch({ url: address(settings, 'volcano/data/warning.json') })
    if (answer.state === 'unchanged') return ended(await inTurns(volcanoesIn(tools).sameAgain(), tools.signal))
    return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  },
  async weather(settings, tools) {
    await findOnce('areas', settings, tools, {
      path: 'common/const/area.json',
      *keep(text) {
        const { bag } = yield* jsonListingSteps(text, FEED)
        return yield* rememberMunicipalities(bag, tools.memory)
      }
    })
    const answer = await tools.fetch({ url: address(settings, 'warning/data/r8/map.json') })
    if (answer.state === 'unchanged') return ended(await inTurns(warningsAgain(tools), tools.signal))
    return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  }
}

/** @throws AppError `bad-input` when it is none. */
function* forecastIn(text: string, name: string): Generator<void, Report> {
  const report = reportOf((yield* jsonListingSteps(text, FEED)).bag)
  if (report !== null && isTsunami(report)) return report
  throw new AppError('bad-input', because('body_no_tsunami', { feed: FEED, name }))
}

/** A report that has not changed goes on with what it told; without any report for the second time a grade is no longer in force. */
function* followTsunamis(
  reports: readonly { name: string; report: Report | null }[],
  standing: Standing,
  tools: PollTools
): Generator<void, LookoutEvent[]> {
  const { memory } = tools
  const events: LookoutEvent[] = []
  const listed = new Set<string>()
  for (const key of memory.keys(REPORT)) {
    if (!reports.some(({ name }) => key === `${REPORT}${name}`)) memory.delete(key)
  }
  for (const { name, report } of reports) {
    if (report?.isDrill) continue
    const told =
      report === null
        ? { events: [], listed: textsOf(memory.get(`${REPORT}${name}`)) }
        : tsunamisOf(report, standing, tools)
    if (report !== null) memory.set(`${REPORT}${name}`, told.listed)
    events.push(...told.events)
    for (const id of told.listed) listed.add(id)
  }
  return [...events, ...(yield* standing.missing(listed))]
}

/** The newest forecast of each event, but for those that are old or taken back. */
function* newestReports(list: readonly unknown[], now: number): Generator<void, string[]> {
  const newest = new Map<string, { time: number; name: string }>()
  yield* eachInTurn(bagsOf(list), (entry) => {
    const name = looseText(entry['json'])
    const time = looseTime(entry['rdt'])
    if (!/^[\w-]{1,100}VTSE41[\w-]{0,20}\.json$/.test(name) || time === null || now - time > MOST_AGE_MS) return
    const id = looseText(entry['eid'])
    const isTakenBack = looseText(entry['ift']) === TAKEN_BACK
    const before = newest.get(id)
    if (before === undefined || time >= before.time) newest.set(id, { time, name: isTakenBack ? '' : name })
  })
  return [...newest.values()]
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.time - a.time)
    .slice(0, MOST_REPORTS)
    .map(({ name }) => name)
}

interface Constant {
  path: string
  /** Answers how much it found. */
  keep: (text: string) => Generator<void, number>
}

/** Names and places change seldom. While they cannot be had, what happens is told without them. */
async function findOnce(
  name: string,
  settings: JmaSettings,
  tools: PollTools,
  { path, keep }: Constant
): Promise<void> {
  const next = looseNumber(asBag(tools.memory.get(name))?.['next']) ?? 0
  if (tools.receivedAt < next) return
  let isKnown = true
  try {
    const answer = await tools.fetch({ url: address(settings, path) })
    isKnown =
      answer.state === 'unchanged' ||
      (await inTurns(keep(await inTurns(decodeSteps(answer.body), tools.signal)), tools.signal)) > 0
  } catch (error) {
    if (!(error instanceof AppError) || tools.signal.aborted) throw error
    isKnown = false
  }
  tools.memory.set(name, { next: tools.receivedAt + (isKnown ? PLACES_MS : PLACES_AGAIN_MS) })
}

/** A list of its pages, or a report as JSON or as XML, as files hold one. */
function* readSteps(body: Uint8Array, settings: JmaSettings, tools: ReadTools): Generator<void, SourceReading> {
  const text = yield* decodeSteps(body)
  if (text.trimStart().startsWith('<')) return yield* readXml(text, settings, tools)
  const { bag, list } = yield* jsonListingSteps(text, FEED)
  if (list === null && isOldReport(bag)) return yield* readWarnings([bag], settings, tools)
  if (list === null) return yield* readReport(reportOf(bag), settings, tools)
  if (isWarningList(list)) return yield* readWarnings(list, settings, tools)
  if (isVolcanoList(list))
    return { ...empty(), ...(yield* volcanoesOf(list, volcanoesIn(tools), tools)), items: list.length }
  return yield* readEvents(list, settings, tools)
}

/** The list of earthquakes, or that of tsunamis, which only names its reports. */
function* readEvents(
  list: readonly unknown[],
  settings: JmaSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  if (list.length > 0 && list.every((entry) => looseText(asBag(entry)?.['eid']) === ''))
    throw new AppError('bad-input', because('body_unknown_list', { feed: FEED }))
  const others: unknown[] = []
  const tsunamis: SkippedItem[] = []
  let newest = 0
  yield* eachInTurn(list, (entry) => {
    const bag = asBag(entry)
    const report = looseText(bag?.['json'])
    newest = Math.max(newest, looseTime(bag?.['rdt']) ?? 0)
    if (!report.includes('VTSE')) others.push(entry)
    else
      tsunamis.push({
        id: looseText(bag?.['eid']),
        reason: because('only_names_report', { report: report.slice(0, 100) })
      })
  })
  const quakes = yield* quakesOfList(others, settings, tools)
  return {
    ...empty(),
    events: quakes.events,
    skipped: [...quakes.skipped, ...tsunamis],
    updated: newest === 0 ? null : formatTime(newest),
    items: list.length
  }
}

function* readWarnings(
  list: readonly unknown[],
  settings: JmaSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  return { ...empty(), ...(yield* warningsOfList(list, settings, tools)), items: list.length }
}

function* readXml(text: string, settings: JmaSettings, tools: ReadTools): Generator<void, SourceReading> {
  const root = yield* xmlSteps(text, FEED)
  if (root.name === 'feed') throw new AppError('bad-input', because('body_only_points', { feed: FEED }))
  return yield* readReport(root.name === 'Report' ? reportOf(jsonOf(root)) : null, settings, tools)
}

function* readReport(report: Report | null, settings: JmaSettings, tools: ReadTools): Generator<void, SourceReading> {
  if (report === null) throw new AppError('bad-input', because('body_no_report', { feed: FEED }))
  const reading = { ...empty(), updated: formatTime(report.time), items: 1 }
  if (report.isDrill) return { ...reading, skipped: [{ id: report.eventId || report.title, reason: TEST_REASON }] }
  if (isWarningReport(report)) return { ...reading, ...(yield* warningsOfReport(report, settings, tools)) }
  if (isTsunami(report)) return { ...reading, events: tsunamisOf(report, tsunamisIn(tools), tools).events }
  const quake = quakeOfReport(report, settings, tools)
  if (quake === null)
    throw new AppError('bad-input', because('report_of_nothing', { feed: FEED, title: report.title.slice(0, 60) }))
  return 'reason' in quake ? { ...reading, skipped: [quake] } : { ...reading, events: [quake] }
}

function* listOf(text: string): Generator<void, unknown[]> {
  const { list } = yield* jsonListingSteps(text, FEED)
  if (list === null) throw new AppError('bad-input', because('body_not_a_list', { feed: FEED }))
  return list
}

/** A report says that a warning is over. That a list is empty says nothing: such a warning only ceases to be in force. */
function tsunamisIn(tools: ReadTools): Standing {
  return new Standing(tools, 'tsunami:', { silent: true })
}

function volcanoesIn(tools: ReadTools): Standing {
  return new Standing(tools, 'volcano:')
}

function address({ url }: JmaSettings, path: string): string {
  return `${url.replace(/\/+$/, '')}/${path}`
}

function empty(): SourceReading & { events: LookoutEvent[]; skipped: SkippedItem[] } {
  return { kind: KIND, events: [], skipped: [], updated: null, items: 0 }
}

function ended(events: LookoutEvent[]): SourceReading | 'unchanged' {
  return events.length === 0 ? 'unchanged' : { ...empty(), events }
}

function add(whole: SourceReading, { events, skipped, items, updated }: SourceReading): void {
  whole.events.push(...events)
  whole.skipped.push(...skipped)
  whole.items += items
  if (updated !== null && (whole.updated === null || updated > whole.updated)) whole.updated = updated
}
