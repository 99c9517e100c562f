import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { asBag, type Bag } from '../reading/json.ts'
import { bagsOf, looseNumber, looseText, looseTime, remember } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import type { Standing } from '../reading/standing.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { ReadTools, SourceMemory } from '../source.ts'

/** The state in force at a volcano, as its table names it. Levels run from 1 (nothing) to 5 (leave). */
interface Grade {
  pattern: RegExp
  severity: Severity
  category: string
  name: string
  detail: string
  gravity: number
}

/** `Item.name`: the level where a volcano has levels, else the words of the warning. */
const GRADES: readonly Grade[] = [
  grade(/レベル[5５]/, 'immediate', 'volcano_warning', 'Volcano Level 5', 'Residents in danger: leave', 5),
  grade(
    /レベル[4４]/,
    'critical',
    'volcano_warning',
    'Volcano Level 4',
    'Elderly and infirm leave, others prepare to',
    4
  ),
  grade(/レベル[3３]/, 'priority', 'volcano_watch', 'Volcano Level 3', 'Do not approach the volcano', 3),
  grade(/レベル[2２]/, 'routine', 'volcano_advisory', 'Volcano Level 2', 'Do not approach the crater', 2),
  grade(/居住地域/, 'critical', 'volcano_warning', 'Volcano Warning', 'Residents in danger', 4),
  grade(/周辺海域/, 'priority', 'volcano_watch', 'Volcano Warning at Sea', 'Ships keep away', 3),
  grade(/入山/, 'priority', 'volcano_watch', 'Volcano Watch', 'Do not approach the volcano', 3),
  grade(/火口周辺/, 'routine', 'volcano_advisory', 'Volcano Advisory', 'Do not approach the crater', 2)
]

function grade(
  pattern: RegExp,
  severity: Severity,
  category: string,
  name: string,
  detail: string,
  gravity: number
): Grade {
  return { pattern, severity, category, name, detail, gravity }
}

/** The part of a bulletin that speaks of the volcano; the others name municipalities. */
const ABOUT_VOLCANO = /対象火山/
const RADIUS_KM = 30

export function isVolcanoList(list: readonly unknown[]): boolean {
  return list.some((entry) => Array.isArray(asBag(entry)?.['volcanoInfos']))
}

/** The volcanoes of `volcano/data/warning.json`: what is in force at each. Level 1, or gone from the list twice, is over. */
export function* volcanoesOf(
  list: readonly unknown[],
  standing: Standing,
  tools: ReadTools
): Generator<void, { events: LookoutEvent[]; skipped: SkippedItem[] }> {
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  const listed = new Set<string>()
  const states: State[] = []
  yield* eachInTurn(bagsOf(list), (entry) => {
    states.push(...statesOf(entry))
  })
  yield* eachInTurn(states, (state) => {
    if (listed.has(state.code)) return
    listed.add(state.code)
    const found = tell(state, standing, tools)
    if ('reason' in found) skipped.push(found)
    else events.push(found)
  })
  return { events: [...events, ...(yield* standing.missing(listed))], skipped }
}

/** The part of a bulletin about one volcano. */
interface State {
  code: string
  /** As the bulletin writes it, in Japanese. */
  volcano: string
  name: string
  time: number | null
}

function statesOf(entry: Bag): State[] {
  const time = looseTime(entry['reportDatetime'])
  const found = itemsOf(entry).flatMap((item) =>
    bagsOf(item['areas']).map((area) => ({
      code: looseText(area['code']).padStart(3, '0'),
      volcano: looseText(area['name']),
      name: looseText(item['name']),
      time
    }))
  )
  return found.filter(({ code }) => /^\d{3}$/.test(code) && code !== '000')
}

function itemsOf(entry: Bag): Bag[] {
  return bagsOf(entry['volcanoInfos'])
    .filter(({ type }) => ABOUT_VOLCANO.test(looseText(type)))
    .flatMap(({ items }) => bagsOf(items))
}

const notInForce = (name: string): Reason =>
  name === '' ? because('none_in_force') : because('value_said', { value: name })

function tell(
  { code, volcano: named, name, time }: State,
  standing: Standing,
  tools: ReadTools
): LookoutEvent | SkippedItem {
  const found = GRADES.find(({ pattern }) => pattern.test(name))
  if (time === null) return { id: code, reason: because('no_report_time') }
  if (found === undefined) return standing.end(code) ?? { id: code, reason: notInForce(clip(name, 60)) }
  const known = asBag(tools.memory.get(key(code)))
  const [lat, lon] = [looseNumber(known?.['lat']), looseNumber(known?.['lon'])]
  const volcano = clip(oneLine(looseText(known?.['name']) || named) || code, 60)
  const at = lat === null || lon === null ? null : { lat, lon }
  return standing.tell(
    feedEvent(
      {
        id: code,
        revision: `${time}/${found.name}`,
        category: found.category,
        severity: found.severity,
        title: `${found.name} ${volcano}`,
        ...(at ?? {}),
        circle: at === null ? null : { ...at, radius_km: RADIUS_KM },
        sent_at: formatTime(Math.min(time, tools.receivedAt)),
        thread_id: `jma:volcano:${code}`,
        data: {
          event_name: found.name,
          detail: found.detail,
          attribution: 'JMA',
          material: found.name,
          gravity: found.gravity,
          geocodes: [`JMA_VOLCANO:${code}`]
        }
      },
      tools
    )
  )
}

function key(code: string): string {
  return `place:${code}`
}

/** Names and places of `volcano/const/volcano_list.json`: `latlon` in degrees, or degrees and minutes. */
export function* rememberPlaces(value: unknown, memory: SourceMemory): Generator<void, number> {
  const entries = Array.isArray(value)
    ? bagsOf(value)
    : Object.entries(asBag(value) ?? {}).map(([code, entry]) => ({ code, ...asBag(entry) }))
  let count = 0
  yield* eachInTurn<Bag>(entries, (bag) => {
    const code = looseText(bag['code']).padStart(3, '0')
    const pair: unknown[] = Array.isArray(bag['latlon']) ? bag['latlon'] : [bag['lat'], bag['lon']]
    const [lat, lon] = pair.map(degrees)
    if (!/^\d{3}$/.test(code) || lat == null || lon == null || Math.abs(lat) > 90 || Math.abs(lon) > 180) return
    const name = clip(oneLine(looseText(bag['nameEn']) || looseText(bag['name_en']) || looseText(bag['nameJp'])), 60)
    remember(memory, key(code), { name, lat, lon })
    count++
  })
  return count
}

function degrees(value: unknown): number | null {
  if (!Array.isArray(value)) return looseNumber(value)
  const [whole, minutes] = value.map(looseNumber)
  return whole == null ? null : Math.round((whole + (minutes ?? 0) / 60) * 1e4) / 1e4
}
