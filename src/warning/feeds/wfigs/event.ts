import type { EventData, LookoutEvent } from '../../../model/event.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { fireSize, spaced, type Units } from '../../../model/units.ts'
import { sha256Hex } from '../../../platform/bytes/hash.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { type FireRecord, toldContainment, toldSize } from '../reading/fire-history.ts'
import { clip } from '../reading/prose.ts'
import type { ReadTools } from '../source.ts'
import type { Fire } from './join.ts'
import type { WfigsSettings } from './settings.ts'

/** The thread of a fire, whatever layer it was seen in first. */
export function threadOf(id: string): string {
  return `irwin:${id}`
}

/** The event of a fire and what is to be remembered of it. `known` is what was remembered before. */
export function toEvent(
  fire: Fire,
  known: FireRecord | null,
  settings: WfigsSettings,
  tools: ReadTools
): { event: LookoutEvent; record: FireRecord } {
  const { id, point, outline, fips, out } = fire
  const sent = Math.min(tools.receivedAt, Math.max(fire.changed ?? tools.receivedAt, out ?? 0))
  const levels = levelsOf(fire, settings)
  const base = toldSize(known, fire.acres, settings)
  const contained = toldContainment(known, fire.contained)
  const title = titleOf(fire, tools.station.units)
  const event = feedEvent(
    {
      id,
      revision: revisionOf(fire, sent),
      category: categoryOf(fire, known),
      severity: levels.severity,
      title,
      summary: detailOf(fire),
      geometry: outline ?? (point === null ? null : { type: 'Point', coordinates: [point.lon, point.lat] }),
      lat: point?.lat ?? null,
      lon: point?.lon ?? null,
      same: outline === null && point === null && fips !== '' ? [fips] : [],
      sent_at: formatTime(sent),
      thread_id: threadOf(id),
      lifecycle: out === null ? (known === null ? 'new' : 'update') : 'cancel',
      data: {
        ...dataOf(fire, levels),
        material: out === null ? [levels.severity, levels.inside ?? '', `a${base}`, `c${contained}`].join('|') : 'out'
      }
    },
    tools
  )
  const record: FireRecord = {
    base,
    contained,
    gone: null,
    out: out !== null,
    layers: [...new Set([...fire.layers])],
    title,
    name: nameOf(fire),
    attribution: 'WFIGS',
    lat: point?.lat ?? null,
    lon: point?.lon ?? null,
    sent
  }
  return { event, record }
}

/**
 * The facts and the outline; and the day of the source's last report, so that a fire that is reported on without a change
 * stays in force. An update with the same `material` is stored and not told.
 */
function revisionOf({ changed: _, layers: __, modified: ___, ...facts }: Fire, sent: number): string {
  return `${sha256Hex(JSON.stringify(facts)).slice(0, 16)}@${formatTime(sent).slice(0, 10)}`
}

function categoryOf({ type, out }: Fire, known: FireRecord | null): string {
  if (out !== null) return 'wildfire_closed'
  return known === null && type !== 'RX' ? 'wildfire_declared' : 'wildfire_incident'
}

function evacuates({ description }: Fire): boolean {
  return (
    /\bevac/i.test(description) &&
    !/\b(?:no|lifted)\b[^.]{0,40}\bevac|\bevac\w*\b[^.]{0,40}\blifted\b/i.test(description)
  )
}

/** A prescribed burn is routine; a fire is priority from a size on, and critical inside a region while it is large and loose. */
function levelsOf(fire: Fire, settings: WfigsSettings): { severity: Severity; inside: Severity | null } {
  const { type, acres, contained } = fire
  if (type === 'RX') return { severity: 'routine', inside: null }
  if (evacuates(fire)) return { severity: 'critical', inside: null }
  const size = acres ?? 0
  const severity = size >= settings.priority_from && (contained ?? 0) < 100 ? 'priority' : 'routine'
  const loose = size >= settings.critical_from && (contained ?? 0) < settings.critical_below_contained
  return { severity, inside: loose ? 'critical' : null }
}

function nameOf({ name, type }: Fire): string {
  return clip(name, 80) || (type === 'RX' ? 'Prescribed burn' : 'Unnamed fire')
}

function titleOf(fire: Fire, units: Units): string {
  const { type, acres, contained, out } = fire
  const what = type === 'RX' ? 'prescribed burn' : type === 'CX' ? 'fire complex' : 'wildfire'
  const size = fireSize({ acres, hectares: null }, units)
  const parts = [
    `${nameOf(fire)}: ${what}`,
    size === null ? '' : size.unit === 'ac' ? `${size.figure} acres` : spaced(size),
    contained === null ? '' : `${Math.round(contained)} % contained`,
    out === null ? '' : 'out'
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function detailOf(fire: Fire): string {
  if (fire.out !== null) return 'Declared out.'
  if (evacuates(fire)) return clip(fire.description, 160)
  if (fire.type === 'RX') return 'Prescribed burn.'
  return /^(?:active|extreme)$/i.test(fire.behaviour) ? `${fire.behaviour} fire behavior.` : ''
}

function dataOf(fire: Fire, { inside }: { inside: Severity | null }): EventData {
  const { acres, contained, type, id } = fire
  const detail = detailOf(fire)
  const places = placesOf(fire)
  return {
    ...(inside === null ? {} : { severity_inside_region: inside }),
    incident_name: nameOf(fire),
    // A fire of a hundredth of an acre must not read as none.
    ...(acres === null ? {} : { acres: Math.max(0.1, acres) }),
    ...(contained === null ? {} : { contained_percent: contained }),
    ...(places.length === 0 ? {} : { places }),
    ...(detail === '' ? {} : { detail }),
    attribution: 'WFIGS',
    // Its end is told, so until then it goes on.
    until_further_notice: true,
    wfigs: { irwin_id: id, type }
  }
}

/** `12 Miles S from Mayo, FL` as a bearing from a place; else the county. */
function placesOf({ description, county, state }: Fire): string[] {
  const [, miles, wind, of] =
    /^(\d{1,3}(?:\.\d+)?) ?mi(?:les?)?\.? ([NSEW]{1,3}) (?:of|from) ([^.;]{2,60})$/i.exec(description) ?? []
  if (miles !== undefined && wind !== undefined && of !== undefined)
    return [`${miles} mi ${wind.toUpperCase()} of ${of}`]
  if (county === '') return state === '' ? [] : [state]
  return [state === '' ? `${county} County` : `${county} County, ${state}`]
}
