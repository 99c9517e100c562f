import type { LookoutEvent } from '../../../model/event.ts'
import { formatTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import { type SkippedItem, TEST_REASON } from '../feed.ts'
import { asBag, textsOf } from '../reading/json.ts'
import { bagsOf, looseNumber, looseText, looseTime, parseJsonListing } from '../reading/loose.ts'
import { Standing } from '../reading/standing.ts'
import { decodeText, parseXml } from '../reading/xml.ts'
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
/** What each report told, by its name. */
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
  read
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
      whole.skipped.push({ id: product, reason: error.message })
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
    return answer.state === 'unchanged' ? 'unchanged' : readText(decodeText(answer.body), settings, tools)
  },
  async tsunami(settings, tools) {
    const answer = await tools.fetch({ url: address(settings, 'tsunami/data/list.json') })
    const standing = tsunamisIn(tools)
    if (answer.state === 'unchanged') return ended(standing.sameAgain())
    const list = listOf(decodeText(answer.body))
    const reports: { name: string; report: Report | null }[] = []
    // All of them before one is told: an end that is told must not be lost with the rest.
    for (const name of newestReports(list, tools.receivedAt)) {
      const detail = await tools.fetch({ url: address(settings, `tsunami/data/${name}`) })
      reports.push({ name, report: detail.state === 'unchanged' ? null : forecastIn(decodeText(detail.body), name) })
    }
    return { ...empty(), events: followTsunamis(reports, standing, tools), items: list.length }
  },
  async volcano(settings, tools) {
    await findOnce('places', settings, tools, {
      path: 'volcano/const/volcano_list.json',
      keep: (text) => {
        const { bag, list } = parseJsonListing(text, FEED)
        return rememberPlaces(list ?? bag, tools.memory)
      }
    })
    const answer = await tools.fetch({ url: address(settings, 'volcano/data/warning.json') })
    if (answer.state === 'unchanged') return ended(volcanoesIn(tools).sameAgain())
    return readText(decodeText(answer.body), settings, tools)
  },
  async weather(settings, tools) {
    await findOnce('areas', settings, tools, {
      path: 'common/const/area.json',
      keep: (text) => rememberMunicipalities(parseJsonListing(text, FEED).bag, tools.memory)
    })
    const answer = await tools.fetch({ url: address(settings, 'warning/data/r8/map.json') })
    if (answer.state === 'unchanged') return ended(warningsAgain(tools))
    return readText(decodeText(answer.body), settings, tools)
  }
}

/** @throws AppError `bad-input` when it is none. */
function forecastIn(text: string, name: string): Report {
  const report = reportOf(parseJsonListing(text, FEED).bag)
  if (report !== null && isTsunami(report)) return report
  throw new AppError('bad-input', `${FEED}: ${name} is no forecast of a tsunami.`)
}

/** A report that has not changed goes on with what it told; without any report for the second time a grade is no longer in force. */
function followTsunamis(
  reports: readonly { name: string; report: Report | null }[],
  standing: Standing,
  tools: PollTools
): LookoutEvent[] {
  const { memory } = tools
  const events: LookoutEvent[] = []
  const listed = new Set<string>()
  for (const [key] of memory.entries(REPORT)) {
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
  return [...events, ...standing.missing(listed)]
}

/** The newest forecast of each event, but for those that are old or taken back. */
function newestReports(list: readonly unknown[], now: number): string[] {
  const newest = new Map<string, { time: number; name: string }>()
  for (const entry of bagsOf(list)) {
    const name = looseText(entry['json'])
    const time = looseTime(entry['rdt'])
    if (!/^[\w-]{1,100}VTSE41[\w-]{0,20}\.json$/.test(name) || time === null || now - time > MOST_AGE_MS) continue
    const id = looseText(entry['eid'])
    const isTakenBack = looseText(entry['ift']) === TAKEN_BACK
    const before = newest.get(id)
    if (before === undefined || time >= before.time) newest.set(id, { time, name: isTakenBack ? '' : name })
  }
  return [...newest.values()]
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.time - a.time)
    .slice(0, MOST_REPORTS)
    .map(({ name }) => name)
}

interface Constant {
  path: string
  /** Answers how much it found. */
  keep: (text: string) => number
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
    isKnown = answer.state === 'unchanged' || keep(decodeText(answer.body)) > 0
  } catch (error) {
    if (!(error instanceof AppError) || tools.signal.aborted) throw error
    isKnown = false
  }
  tools.memory.set(name, { next: tools.receivedAt + (isKnown ? PLACES_MS : PLACES_AGAIN_MS) })
}

/** A list of its pages, or a report as JSON or as XML, as files hold one. */
function read(body: Uint8Array, settings: JmaSettings, tools: ReadTools): SourceReading {
  return readText(decodeText(body), settings, tools)
}

function readText(text: string, settings: JmaSettings, tools: ReadTools): SourceReading {
  if (text.trimStart().startsWith('<')) return readXml(text, settings, tools)
  const { bag, list } = parseJsonListing(text, FEED)
  if (list === null && isOldReport(bag)) return readWarnings([bag], settings, tools)
  if (list === null) return readReport(reportOf(bag), settings, tools)
  if (isWarningList(list)) return readWarnings(list, settings, tools)
  if (isVolcanoList(list)) return { ...empty(), ...volcanoesOf(list, volcanoesIn(tools), tools), items: list.length }
  if (list.length > 0 && bagsOf(list).every((entry) => looseText(entry['eid']) === ''))
    throw new AppError(
      'bad-input',
      `${FEED}: a list, but not of earthquakes, tsunamis, volcanoes or warnings. Look at the address.`
    )
  const tsunamis = bagsOf(list).filter((entry) => looseText(entry['json']).includes('VTSE'))
  const quakes = quakesOfList(
    list.filter((entry) => !looseText(asBag(entry)?.['json']).includes('VTSE')),
    settings,
    tools
  )
  const skipped = tsunamis.map((entry) => ({
    id: looseText(entry['eid']),
    reason: `the list only names its report: read ${looseText(entry['json']).slice(0, 100)}`
  }))
  return {
    ...empty(),
    events: quakes.events,
    skipped: [...quakes.skipped, ...skipped],
    updated: newestOf(list),
    items: list.length
  }
}

function readWarnings(list: readonly unknown[], settings: JmaSettings, tools: ReadTools): SourceReading {
  return { ...empty(), ...warningsOfList(list, settings, tools), items: list.length }
}

function readXml(text: string, settings: JmaSettings, tools: ReadTools): SourceReading {
  const root = parseXml(text, FEED)
  if (root.name === 'feed')
    throw new AppError(
      'bad-input',
      `${FEED}: this feed only points to reports. Give a report, or let the source ask for itself.`
    )
  return readReport(root.name === 'Report' ? reportOf(jsonOf(root)) : null, settings, tools)
}

function readReport(report: Report | null, settings: JmaSettings, tools: ReadTools): SourceReading {
  if (report === null)
    throw new AppError('bad-input', `${FEED}: neither one of its lists nor a report with Head and Body.`)
  const reading = { ...empty(), updated: formatTime(report.time), items: 1 }
  if (report.isDrill) return { ...reading, skipped: [{ id: report.eventId || report.title, reason: TEST_REASON }] }
  if (isWarningReport(report)) return { ...reading, ...warningsOfReport(report, settings, tools) }
  if (isTsunami(report)) return { ...reading, events: tsunamisOf(report, tsunamisIn(tools), tools).events }
  const quake = quakeOfReport(report, settings, tools)
  if (quake === null)
    throw new AppError(
      'bad-input',
      `${FEED}: the report "${report.title.slice(0, 60)}" tells of no earthquake and no tsunami, and warns of no weather.`
    )
  return 'reason' in quake ? { ...reading, skipped: [quake] } : { ...reading, events: [quake] }
}

function listOf(text: string): unknown[] {
  const { list } = parseJsonListing(text, FEED)
  if (list === null) throw new AppError('bad-input', `${FEED}: not a list.`)
  return list
}

function newestOf(list: readonly unknown[]): string | null {
  const times = bagsOf(list).map((entry) => looseTime(entry['rdt']) ?? 0)
  const newest = times.reduce((a, b) => Math.max(a, b), 0)
  return newest === 0 ? null : formatTime(newest)
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
