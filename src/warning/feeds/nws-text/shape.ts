import type { Geometry, Position } from '../../../model/geojson.ts'
import { nearestHour } from './times.ts'

const MAX_POINTS = 200
/** Pago Pago alone lies south of the equator. */
const SOUTHERN = new Set(['NSTU'])

/**
 * The outline behind `LAT...LON`: pairs of hundredths of a degree, longitudes west. Eight digits are a pair in one word; a
 * longitude below 40 has lost its leading hundred. Null for less than three points.
 */
export function polygonOf(text: string, office: string): Geometry | null {
  const block = /^LAT\.\.\.LON((?:\s+\d{3,8}\b)+)/m.exec(text)?.[1]
  if (block === undefined) return null
  const points = pointsOf(block, office)
  const [first] = points
  if (first === undefined || points.length < 3) return null
  const last = points.at(-1)
  const closed = last !== undefined && last[0] === first[0] && last[1] === first[1] ? points : [...points, first]
  return { type: 'Polygon', coordinates: [closed] }
}

function pointsOf(block: string, office: string): Position[] {
  const numbers = block.trim().split(/\s+/)
  const words = numbers.flatMap((word) => (word.length >= 7 ? [word.slice(0, 4), word.slice(4)] : [word]))
  const points: Position[] = []
  for (let at = 0; at + 1 < words.length && points.length < MAX_POINTS; at += 2) {
    const [lat, west] = [degrees(words[at] ?? '', 90), degrees(words[at + 1] ?? '', 360)]
    points.push([-(west < 40 ? west + 100 : west), SOUTHERN.has(office) ? -lat : lat])
  }
  return points
}

/** Hundredths; thousandths where hundredths are no such angle. */
function degrees(word: string, limit: number): number {
  const number = Number(word)
  return number / 100 > limit ? number / 1000 : number / 100
}

/** `TIME...MOT...LOC`: when, from which bearing, how fast, and where the storm was. */
export interface Motion {
  /** Epoch milliseconds. */
  time: number
  from_degrees: number
  knots: number
  points: Position[]
}

/** The motion of a storm, or null. The hour is the one nearest to `sent`. */
export function motionOf(text: string, office: string, sent: number): Motion | null {
  const match = /^TIME\.\.\.MOT\.\.\.LOC\s+(\d{4})Z\s+(\d{1,3})DEG\s+(\d{1,3})KT((?:\s+\d{3,8}\b)*)/m.exec(text)
  const time = match === null ? null : nearestHour(match[1] ?? '', sent)
  if (match === null || time === null) return null
  return { time, from_degrees: Number(match[2]), knots: Number(match[3]), points: pointsOf(match[4] ?? '', office) }
}
