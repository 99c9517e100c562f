import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { asBag, type Bag } from '../reading/json.ts'
import { bagAt, bagsOf, looseText, looseTime } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { Standing } from '../reading/standing.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { ReadTools, SourceMemory } from '../source.ts'
import { type Report, several, TAKEN_BACK } from './report.ts'
import type { JmaSettings } from './settings.ts'
import { prefectureName, rankOf, WARNING_KINDS, type WarningKind } from './warning-kinds.ts'

const PREFIX = 'weather:'
const NAMES = 'municipalities'
/** A municipality; regions and prefectures, which repeat what their municipalities say, have six digits. */
const MUNICIPALITY = /^\d{7}$/
/** `解除`, and `発表警報・注意報はなし`: over, or nothing there. Every other status says that it is in force. */
const NOT_IN_FORCE = /^解除|なし$/
/** Fields that name the report, wherever the listing calls it so. */
const KIND_OF_REPORT = ['dataTypeCode', 'controlTitle', 'publishingOffice'] as const

/** The part of a report about one kind of warning at one municipality. */
interface Statement {
  area: string
  code: string
  isOn: boolean
  time: number
}

/** True for a list of reports with municipalities: `warning/data/r8/map.json`, or that of one prefecture. */
export function isWarningList(list: readonly unknown[]): boolean {
  return list.some((entry) => Array.isArray(bagAt(asBag(entry), 'warning')?.['class20Items']) || isOldReport(entry))
}

/** As the pages had it until May 2026. */
export function isOldReport(entry: unknown): boolean {
  return Array.isArray(asBag(entry)?.['areaTypes'])
}

/** True for a report (VPWW5x, VPWS50) whose body lists municipalities. */
export function isWarningReport({ body }: Report): boolean {
  return several(body['Warning']).some((warning) => warning['Item'] !== undefined)
}

type Told = { events: LookoutEvent[]; skipped: SkippedItem[] }

/** All that is in force. What the listing no longer has, twice in a row, is over. */
export function* warningsOfList(
  list: readonly unknown[],
  settings: JmaSettings,
  tools: ReadTools
): Generator<void, Told> {
  const newest = new Map<string, Statement[]>()
  yield* eachInTurn(bagsOf(list), (entry) => {
    for (const [area, statements] of statementsOf(entry)) {
      const key = `${KIND_OF_REPORT.map((name) => looseText(entry[name])).join('/')}/${area}`
      const before = newest.get(key)?.[0]?.time ?? Number.NEGATIVE_INFINITY
      if ((statements[0]?.time ?? 0) >= before) newest.set(key, statements)
    }
  })
  const told = yield* tell([...newest.values()].flat(), settings, tools)
  const listed = new Set(told.events.map(({ id }) => id))
  return { ...told, events: [...told.events, ...(yield* endsOf(listed, 2, tools))] }
}

/** Reads one report: it ends what it says is over, and nothing that it does not name. */
export function* warningsOfReport(report: Report, settings: JmaSettings, tools: ReadTools): Generator<void, Told> {
  const statements = several(report.body['Warning'])
    .flatMap(({ Item }) => several(Item))
    .flatMap((item) => {
      const area = looseText(asBag(item['Area'])?.['Code'])
      return statedKinds(several(item['Kind']), 'Code', 'Status').map(({ code, isOn }) => ({
        area,
        code,
        time: report.time,
        isOn: isOn && !report.isTakenBack
      }))
    })
    .filter(({ area }) => MUNICIPALITY.test(area))
  const told = yield* tell(statements, settings, tools)
  const going = new Set(told.events.map(({ id }) => id))
  const over = new Set(statements.filter(({ isOn }) => !isOn).map(({ area, code }) => idOf(area, code)))
  const others = standingIds(tools).filter((id) => !over.has(id))
  return { ...told, events: [...told.events, ...(yield* endsOf(new Set([...others, ...going]), 1, tools))] }
}

/** The same listing once more. */
export function warningsAgain(tools: ReadTools): Generator<void, LookoutEvent[]> {
  return new Standing(tools, PREFIX).sameAgain()
}

function statementsOf(entry: Bag): Map<string, Statement[]> {
  const time = looseTime(entry['reportDatetime'])
  const found = new Map<string, Statement[]>()
  if (time === null) return found
  const areas = isOldReport(entry)
    ? bagsOf(entry['areaTypes']).flatMap(({ areas: of }) => bagsOf(of))
    : bagsOf(asBag(entry['warning'])?.['class20Items'])
  const isTakenBack = looseText(entry['infoType']) === TAKEN_BACK
  for (const item of areas) {
    const area = looseText(item['areaCode'] ?? item['code'])
    if (!MUNICIPALITY.test(area)) continue
    const kinds = statedKinds(bagsOf(item['kinds'] ?? item['warnings']), 'code', 'status')
    // Without a kind it still says that nothing is in force there.
    const said = kinds.length === 0 ? [{ code: '', isOn: false }] : kinds
    const statements = said.map(({ code, isOn }) => ({ area, code, time, isOn: isOn && !isTakenBack }))
    found.set(area, [...(found.get(area) ?? []), ...statements])
  }
  return found
}

function statedKinds(kinds: readonly Bag[], code: string, status: string): { code: string; isOn: boolean }[] {
  return kinds.map((kind) => ({
    code: looseText(kind[code]).padStart(2, '0'),
    isOn: !NOT_IN_FORCE.test(looseText(kind[status]))
  }))
}

/** One event for each kind in a prefecture, with all of its municipalities. */
function* tell(
  statements: readonly Statement[],
  { weather_level }: JmaSettings,
  tools: ReadTools
): Generator<void, Told> {
  const groups = new Map<string, { kind: WarningKind; areas: Set<string>; time: number }>()
  const skipped = new Map<string, Reason>()
  yield* eachInTurn(statements, ({ area, code, isOn, time }) => {
    const kind = WARNING_KINDS.get(code)
    if (!isOn || code === '00') return
    if (kind === undefined)
      skipped.set(`${area.slice(0, 2)}:${code}`, because('unknown_warning_kind', { kind: clip(code, 10) }))
    else if (rankOf(kind.level) < rankOf(weather_level))
      skipped.set(idOf(area, code), because('below_severity', { least: weather_level }))
    else {
      const group = groups.get(idOf(area, code)) ?? { kind, areas: new Set(), time }
      group.areas.add(area)
      group.time = Math.max(group.time, time)
      groups.set(idOf(area, code), group)
    }
  })
  const standing = new Standing(tools, PREFIX)
  const names = asBag(tools.memory.get(NAMES)) ?? {}
  const events: LookoutEvent[] = []
  yield* eachInTurn([...groups], ([id, group]) => {
    events.push(standing.tell(toEvent(id, group, names, tools)))
  })
  return { events, skipped: [...skipped].map(([id, reason]) => ({ id, reason })) }
}

function idOf(area: string, code: string): string {
  return `${area.slice(0, 2)}:${code}`
}

function toEvent(
  id: string,
  { kind, areas, time }: { kind: WarningKind; areas: ReadonlySet<string>; time: number },
  names: Bag,
  tools: ReadTools
): LookoutEvent {
  const codes = [...areas].sort()
  const known = codes.map((code) => looseText(names[code])).filter((name) => name !== '')
  const prefecture = prefectureName(id)
  return feedEvent(
    {
      id,
      revision: `${time}/${revisionOf(codes)}`,
      category: kind.category,
      severity: kind.severity,
      title: `${kind.name}: ${prefecture}`,
      sent_at: formatTime(Math.min(time, tools.receivedAt)),
      thread_id: `jma:weather:${id}`,
      data: {
        event_name: kind.name,
        places: known.length === codes.length ? known : [prefecture],
        ...(kind.instruction === '' ? {} : { instruction: kind.instruction }),
        attribution: 'JMA',
        material: `${kind.code}|${revisionOf(codes)}`,
        gravity: rankOf(kind.level),
        geocodes: [...codes.map((code) => `JMA:${code}`), `JMA_PREF:${id.slice(0, 2)}`]
      }
    },
    tools
  )
}

function standingIds({ memory }: ReadTools): string[] {
  return memory.keys(PREFIX).map((key) => key.slice(PREFIX.length))
}

/** The end of what is not listed. What a graver step of the same hazard replaced ends silently: nothing is over there. */
function* endsOf(listed: ReadonlySet<string>, misses: number, tools: ReadTools): Generator<void, LookoutEvent[]> {
  const graver = (id: string): boolean => {
    const kind = WARNING_KINDS.get(id.slice(3))
    return [...listed].some((other) => {
      const found = WARNING_KINDS.get(other.slice(3))
      const isSame = other.slice(0, 2) === id.slice(0, 2) && found?.hazard === kind?.hazard
      return isSame && found !== undefined && kind !== undefined && rankOf(found.level) > rankOf(kind.level)
    })
  }
  const replaced = new Set<string>()
  const standing = standingIds(tools)
  yield* eachInTurn(standing, (id) => {
    if (!listed.has(id) && graver(id)) replaced.add(id)
  })
  const silent = new Standing(tools, PREFIX, { silent: true })
  const quiet = yield* silent.missing(new Set(standing.filter((id) => !replaced.has(id))), 1)
  return [...quiet, ...(yield* new Standing(tools, PREFIX).missing(listed, misses))]
}

/** English names of municipalities, of `common/const/area.json`. Answers how many there are. */
export function* rememberMunicipalities(value: Bag, memory: SourceMemory): Generator<void, number> {
  const names: [string, string][] = []
  yield* eachInTurn(Object.entries(asBag(value['class20s']) ?? {}), ([code, entry]) => {
    const name = clip(oneLine(looseText(asBag(entry)?.['enName'])), 40)
    if (MUNICIPALITY.test(code) && name !== '') names.push([code, name])
  })
  if (names.length > 0) memory.set(NAMES, Object.fromEntries(names))
  return names.length
}
