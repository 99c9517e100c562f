import type { EventData, LookoutEvent } from '../../../model/event.ts'
import type { Geometry } from '../../../model/geojson.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { heightOf, spaced } from '../../../model/units.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { asBag, type Bag } from '../reading/json.ts'
import { bagAt, looseText, looseTime } from '../reading/loose.ts'
import { clip } from '../reading/prose.ts'
import type { Standing } from '../reading/standing.ts'
import type { ReadTools } from '../source.ts'
import { COASTS } from './coasts.ts'
import { type Report, several } from './report.ts'

type Grade = 'major' | 'warning' | 'advisory'

/** `Kind.Code` of a coast: 52 is a major warning just issued, 53 one that goes on; 71 to 73 are changes nobody has to act on. */
const GRADES = new Map<string, Grade>([
  ['52', 'major'],
  ['53', 'major'],
  ['51', 'warning'],
  ['62', 'advisory']
])

const CLASSES: Record<
  Grade,
  { category: string; severity: Severity; name: string; instruction: string; gravity: number }
> = {
  major: {
    category: 'tsunami_warning',
    severity: 'immediate',
    name: 'Major Tsunami Warning',
    instruction: 'Leave the coast and rivers for high ground now.',
    gravity: 3
  },
  warning: {
    category: 'tsunami_warning',
    severity: 'immediate',
    name: 'Tsunami Warning',
    instruction: 'Leave the coast and rivers for high ground now.',
    gravity: 2
  },
  advisory: {
    category: 'tsunami_advisory',
    severity: 'critical',
    name: 'Tsunami Advisory',
    instruction: 'Get out of the water and leave the shore now.',
    gravity: 1
  }
}

/** True for a report that forecasts tsunamis by coast. */
export function isTsunami({ body }: Report): boolean {
  return bagAt(body, 'Tsunami', 'Forecast') !== null
}

/**
 * One event for each grade, with all its coasts. A report replaces the one before: a grade it no longer has is over, and told so. Answers
 * the ids that go on too.
 */
export function tsunamisOf(
  report: Report,
  standing: Standing,
  tools: Pick<ReadTools, 'source' | 'receivedAt' | 'station'>
): { events: LookoutEvent[]; listed: string[] } {
  const coasts = new Map<Grade, Bag[]>()
  const items = report.isTakenBack ? [] : several(bagAt(report.body, 'Tsunami', 'Forecast')?.['Item'])
  for (const item of items) {
    const grade = GRADES.get(looseText(bagAt(item, 'Category', 'Kind')?.['Code']))
    if (grade !== undefined) coasts.set(grade, [...(coasts.get(grade) ?? []), item])
  }
  const events: LookoutEvent[] = []
  const listed: string[] = []
  for (const grade of ['major', 'warning', 'advisory'] as const) {
    const of = coasts.get(grade)
    if (of === undefined) continue
    const event = standing.tell(toEvent(report, grade, of, tools))
    events.push(event)
    listed.push(event.id)
  }
  const over = (['major', 'warning', 'advisory'] as const).filter((grade) => !coasts.has(grade))
  const ends = over.map((grade) => standing.end(idOf(report, grade))).filter((end) => end !== null)
  return { events: [...events, ...ends], listed }
}

function idOf({ eventId, time }: Report, grade: Grade): string {
  return `${clip(eventId || String(time), 80)}:${grade}`
}

function toEvent(
  report: Report,
  grade: Grade,
  items: readonly Bag[],
  tools: Pick<ReadTools, 'source' | 'receivedAt' | 'station'>
): LookoutEvent {
  const { category, severity, name, instruction, gravity } = CLASSES[grade]
  const areas = items.map((item) => asBag(item['Area']) ?? {})
  const codes = areas.map((area) => looseText(area['Code'])).filter((code) => /^\d{3}$/.test(code))
  const places = areas.map(
    (area) => COASTS.get(looseText(area['Code']))?.name || looseText(area['enName']) || looseText(area['Name'])
  )
  const id = idOf(report, grade)
  return feedEvent(
    {
      id,
      revision: String(report.time),
      category,
      severity,
      title: name,
      geometry: geometryOf(codes),
      sent_at: formatTime(Math.min(report.time, tools.receivedAt)),
      thread_id: `jma:tsunami:${id}`,
      data: {
        event_name: name,
        places: places.filter((place) => place !== '').map((place) => clip(place, 60)),
        geocodes: codes.map((code) => `JMA_TSUNAMI:${code}`),
        ...wavesOf(items, tools),
        instruction,
        attribution: 'JMA',
        gravity,
        jma: { grade }
      }
    },
    tools
  )
}

function geometryOf(codes: readonly string[]): Geometry | null {
  const rings = codes.map((code) => COASTS.get(code)?.ring).filter((ring) => ring !== undefined)
  return rings.length === 0 ? null : { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }
}

/** Conditions of the first wave that leave no time: it comes at once, or is there. */
const AT_ONCE = /ただちに|到達/

function wavesOf(items: readonly Bag[], { station }: Pick<ReadTools, 'station'>): EventData {
  const heights = items.map((item) => looseText(bagAt(item, 'MaxHeight')?.['TsunamiHeight']).normalize('NFKC'))
  const metres = heights
    .map((height) => Number(/\d{1,2}(?:\.\d)?/.exec(height)?.[0] ?? Number.NaN))
    .filter(Number.isFinite)
  const most = Math.max(0, ...metres)
  const isOver = heights.some((height) => /超|over/i.test(height))
  const isHuge = heights.some((height) => height.includes('巨大'))
  const isNow = items.some((item) => AT_ONCE.test(looseText(bagAt(item, 'FirstHeight')?.['Condition'])))
  const arrivals = items
    .map((item) => looseTime(bagAt(item, 'FirstHeight')?.['ArrivalTime']))
    .filter((time) => time !== null)
  const first = isNow || arrivals.length === 0 ? null : Math.min(...arrivals)
  const height = isHuge
    ? 'Huge waves'
    : most > 0
      ? `Waves ${isOver ? 'over' : 'up to'} ${spaced(heightOf(most, station.units))}`
      : ''
  const arrival = isNow ? 'arriving now' : first === null ? '' : `first about ${clock(first, station)}`
  const detail = [height, arrival].filter((part) => part !== '').join(', ')
  return {
    ...(detail === '' ? {} : { detail: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}` }),
    material: `${isHuge ? 'huge' : most}`
  }
}

/** On the station's clock, as everything it says: `21:20` or `9:20p`. */
function clock(time: number, { timezone, time_format }: ReadTools['station']): string {
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: timezone })
  const text = format.format(time)
  if (time_format === '24h') return text
  const hour = Number(text.slice(0, 2))
  return `${hour % 12 === 0 ? 12 : hour % 12}${text.slice(2)}${hour < 12 ? 'a' : 'p'}`
}
