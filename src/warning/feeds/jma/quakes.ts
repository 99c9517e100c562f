import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { quakeLevel } from '../../../model/levels.ts'
import { because } from '../../../model/reason.ts'
import { highestSeverity, type Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent, oldestFirst } from '../reading/feed-event.ts'
import { asBag, type Bag } from '../reading/json.ts'
import { bagAt, bagsOf, looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { shakingCircle } from '../reading/shaking.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { ReadTools } from '../source.ts'
import { type Report, several, TAKEN_BACK } from './report.ts'
import { SHINDO, type Shindo } from './settings.ts'

/** The knowledge about one earthquake, from all bulletins on it. */
interface Quake {
  id: string
  /** Epoch milliseconds. */
  origin: number
  reported: number
  isTakenBack: boolean
  /** In Latin letters where the agency gives them. */
  place: string
  /** The same in Japanese. */
  named: string
  lat: number | null
  lon: number | null
  depth: number | null
  magnitude: number | null
  shindo: Shindo | null
  /** Prefectures that felt it most: `JMA_PREF:13`. */
  codes: string[]
}

/** The listing goes back a month: what is older is history. */
const MOST_AGE_MS = 24 * 3_600_000
/** Nobody in Japan felt it: a great earthquake far away. */
const FAR_FROM = 6

type Tools = Pick<ReadTools, 'source' | 'receivedAt'>
type Wanted = { min_intensity: Shindo }

/** The earthquakes of `quake/data/list.json`: a flash of intensities, the hypocentre and both come as bulletins of one event. */
export function* quakesOfList(
  list: readonly unknown[],
  wanted: Wanted,
  tools: Tools
): Generator<void, { events: LookoutEvent[]; skipped: SkippedItem[] }> {
  const byEvent = new Map<string, Quake[]>()
  const skipped: SkippedItem[] = []
  yield* eachInTurn(list, (entry) => {
    const quake = quakeOfEntry(asBag(entry) ?? {})
    if ('reason' in quake) skipped.push(quake)
    else byEvent.set(quake.id, [...(byEvent.get(quake.id) ?? []), quake])
  })
  const events: LookoutEvent[] = []
  yield* eachInTurn([...byEvent.values()], (bulletins) => {
    const told = tellQuake(joined(bulletins), wanted, tools)
    if ('reason' in told) skipped.push(told)
    else events.push(told)
  })
  return { events: oldestFirst(events), skipped }
}

function quakeOfEntry(entry: Bag): Quake | SkippedItem {
  const id = looseText(entry['eid'])
  const reported = looseTime(entry['rdt'])
  const origin = looseTime(entry['at']) ?? reported
  if (id === '' || reported === null || origin === null) return { id, reason: because('no_event_id_or_time') }
  const shindo = shindoOf(entry['maxi'])
  return {
    id: clip(id, 80),
    origin,
    reported,
    isTakenBack: looseText(entry['ift']) === TAKEN_BACK,
    place: clip(oneLine(looseText(entry['en_anm']) || looseText(entry['anm'])), 80),
    named: clip(oneLine(looseText(entry['anm'])), 80),
    ...(hypocentre(looseText(entry['cod'])) ?? { lat: null, lon: null, depth: null }),
    magnitude: magnitudeOf(entry['mag']),
    shindo,
    codes: bagsOf(entry['int'])
      .filter((pref) => looseText(pref['maxi']) === shindo)
      .map((pref) => `JMA_PREF:${looseText(pref['code'])}`)
      .filter((code) => /:\d{2}$/.test(code))
  }
}

/** The earthquake of a single report; null when it tells of none. */
export function quakeOfReport(report: Report, wanted: Wanted, tools: Tools): LookoutEvent | SkippedItem | null {
  const [earthquake] = several(report.body['Earthquake'])
  const observation = bagAt(report.body, 'Intensity', 'Observation')
  if (earthquake === undefined && observation === null) return null
  const area = bagAt(earthquake ?? null, 'Hypocenter', 'Area')
  const [coordinate] = [area?.['Coordinate']].flat()
  const quake: Quake = {
    id: report.eventId || String(report.time),
    origin: looseTime(earthquake?.['OriginTime']) ?? report.time,
    reported: report.time,
    isTakenBack: report.isTakenBack,
    place: clip(oneLine(looseText(area?.['enName']) || looseText(area?.['Name'])), 80),
    named: clip(oneLine(looseText(area?.['Name'])), 80),
    ...(hypocentre(looseText(coordinate)) ?? { lat: null, lon: null, depth: null }),
    magnitude: magnitudeOf(earthquake?.['Magnitude']),
    shindo: shindoOf(observation?.['MaxInt']),
    codes: []
  }
  return tellQuake(quake, wanted, tools)
}

/** The newest bulletin counts; what it does not say, the newest that does. Never of an empty list. */
function joined(bulletins: readonly Quake[]): Quake {
  const all = [...bulletins].sort((a, b) => b.reported - a.reported)
  return all.reduce((quake, other) =>
    Object.assign(quake, {
      place: quake.place || other.place,
      named: quake.named || other.named,
      magnitude: quake.magnitude ?? other.magnitude,
      shindo: quake.shindo ?? other.shindo,
      codes: quake.codes.length > 0 ? quake.codes : other.codes,
      ...(quake.lat === null ? { lat: other.lat, lon: other.lon, depth: other.depth } : {})
    })
  )
}

function tellQuake(quake: Quake, { min_intensity }: Wanted, tools: Tools): LookoutEvent | SkippedItem {
  const { id, shindo, magnitude, reported, isTakenBack } = quake
  if (tools.receivedAt - reported > MOST_AGE_MS) return { id, reason: because('older_than_a_day') }
  const isWeak = shindo === null ? (magnitude ?? 0) < FAR_FROM : SHINDO.indexOf(shindo) < SHINDO.indexOf(min_intensity)
  if (isWeak && !isTakenBack)
    return {
      id,
      reason: shindo === null ? because('not_felt_in_japan') : because('below_intensity', { least: min_intensity })
    }
  return toEvent(quake, tools)
}

function toEvent(quake: Quake, tools: Tools): LookoutEvent {
  const { id, origin, reported, place, lat, lon, magnitude, shindo, isTakenBack } = quake
  const at = lat === null || lon === null ? null : { lat, lon }
  const size = magnitude === null ? 'Earthquake' : `M ${magnitude.toFixed(1)} earthquake`
  const circle = at === null ? null : shakingCircle({ ...at, magnitude })
  return feedEvent(
    {
      id,
      revision: String(reported),
      category: 'earthquake_event',
      severity: highestSeverity([quakeLevel({ magnitude, alert: null }), levelOf(shindo, FAR)]),
      title: `${isTakenBack ? 'Withdrawn: ' : ''}${size}${place === '' ? '' : `, ${place}`}`,
      ...(at ?? {}),
      geometry: at === null || circle !== null ? null : { type: 'Point', coordinates: [at.lon, at.lat] },
      circle,
      onset: formatTime(origin),
      sent_at: formatTime(reported),
      thread_id: `jma:${id}`,
      lifecycle: isTakenBack ? 'cancel' : 'new',
      data: factsOf(quake, at === null)
    },
    tools
  )
}

/** Without an epicentre the prefectures that felt it most say where it was. */
function factsOf({ place, named, codes, shindo, magnitude, depth, origin }: Quake, isUnplaced: boolean): EventData {
  return {
    severity_inside_region: highestSeverity([
      quakeLevel({ magnitude, alert: null, insideRegion: true }),
      levelOf(shindo, NEAR)
    ]),
    event_name: 'Earthquake',
    ...(place === '' ? {} : { places: [place] }),
    // A channel in Japanese reads the agency's own name of the place.
    ...(named === '' ? {} : { tongues: { ja: { places: [named] } } }),
    ...(isUnplaced && codes.length > 0 ? { geocodes: codes } : {}),
    detail: shindo === null ? '' : `Intensity up to ${shindo} (shindo)`,
    attribution: 'JMA',
    ...(magnitude === null ? {} : { magnitude }),
    ...(depth === null ? {} : { depth_km: depth }),
    origin_time: formatTime(origin),
    material: `${shindo ?? ''}|${magnitude === null ? '' : Math.floor(magnitude * 2)}`,
    jma: { shindo }
  }
}

/** From which step on which level: somewhere in Japan, and near the epicentre. 4 wakes many; from 5- on things fall, from 6- on houses. */
const FAR: readonly [Shindo, Severity][] = [
  ['7', 'immediate'],
  ['6-', 'critical'],
  ['5-', 'priority']
]
const NEAR: readonly [Shindo, Severity][] = [
  ['6-', 'immediate'],
  ['5-', 'critical'],
  ['4', 'priority']
]

function levelOf(shindo: Shindo | null, steps: readonly [Shindo, Severity][]): Severity {
  if (shindo === null) return 'routine'
  return steps.find(([from]) => SHINDO.indexOf(shindo) >= SHINDO.indexOf(from))?.[1] ?? 'routine'
}

function shindoOf(value: unknown): Shindo | null {
  const text = looseText(value)
  return SHINDO.find((step) => step === text) ?? null
}

/** `Ｍ不明` and `NaN` where nobody knows. */
function magnitudeOf(value: unknown): number | null {
  const magnitude = looseNumber(value)
  return magnitude !== null && magnitude >= -2 && magnitude <= 10 ? magnitude : null
}

/** ISO 6709, depth in metres below: `+38.0+142.0-30000/`. */
function hypocentre(text: string): { lat: number; lon: number; depth: number | null } | null {
  const [, north = '', east = '', below] =
    /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)([+-]\d{1,7})?\/?$/.exec(text) ?? []
  const [lat, lon] = [Number(north), Number(east)]
  if (north === '' || Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0)) return null
  return { lat, lon, depth: below === undefined ? null : Math.round(-Number(below) / 1000) + 0 }
}
