import { saysHazard } from '../../../model/closure.ts'
import type { Geometry } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import type { SkippedItem } from '../feed.ts'
import type { Bag } from '../reading/json.ts'
import { textOf } from '../reading/json.ts'
import { looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import type { RoadKind, RoadReport } from './report.ts'
import { saysClosed } from './words.ts'

/** Event lists of the 511 services of many U.S. states (`/api/v2/get/event`): flat objects in capitals. */

/** True for an entry of such a list. */
export function isStateEvent(event: Bag): boolean {
  return 'RoadwayName' in event || ('EventType' in event && 'ID' in event)
}

/** One entry of such a list. */
export function readStateEvent(event: Bag, attribution: string): RoadReport | SkippedItem {
  const id = looseText(event['ID']) || looseText(event['Id'])
  if (id === '') return { id, reason: because('no_id') }
  const updated = stateTime(event['LastUpdated']) ?? stateTime(event['Reported']) ?? stateTime(event['StartDate'])
  if (updated === null) return { id, reason: because('no_change_time') }
  const text = textOf(event['Description'])
  const type = textOf(event['EventType'])
  const closed = event['IsFullClosure'] === true || saysClosed(text)
  const place = oneLine(textOf(event['Location']) || textOf(event['County']))
  return {
    id,
    revision: String(updated),
    kind: kindOf(type, closed),
    planned: /roadwork|construction|specialEvents/i.test(type),
    hazard: saysHazard(`${text} ${textOf(event['EventSubType'])}`),
    road: oneLine(textOf(event['RoadwayName'])),
    text,
    places: place === '' ? [] : [place],
    start: stateTime(event['StartDate']),
    end: stateTime(event['PlannedEndDate']),
    updated,
    geometry: pointOf(event),
    over: false,
    attribution
  }
}

function kindOf(type: string, closed: boolean): RoadKind {
  if (closed) return 'closure'
  if (/roadwork|construction/i.test(type)) return 'work'
  return /congestion/i.test(type) ? 'congestion' : 'incident'
}

/** Epoch seconds, or a text; 0 stands for none. */
function stateTime(value: unknown): number | null {
  const number = looseNumber(value)
  if (number === null) return looseTime(value)
  if (number <= 0) return null
  return looseTime(number < 1e11 ? number * 1000 : number)
}

function pointOf(event: Bag): Geometry | null {
  const points = [
    ['Longitude', 'Latitude'],
    ['LongitudeSecondary', 'LatitudeSecondary']
  ].flatMap(([x = '', y = '']) => {
    const [lon, lat] = [looseNumber(event[x]), looseNumber(event[y])]
    return lon === null || lat === null || (lon === 0 && lat === 0) || Math.abs(lat) > 90 ? [] : [[lon, lat]]
  })
  const [first] = points
  if (first === undefined) return null
  return points.length === 1 ? { type: 'Point', coordinates: first } : { type: 'LineString', coordinates: points }
}
