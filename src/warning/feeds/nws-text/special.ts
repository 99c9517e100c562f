import { formatTime } from '../../../model/time.ts'
import type { Vtec } from '../reading/vtec.ts'
import type { Product, Segment } from './product.ts'
import { nearestDay } from './times.ts'

/** The whole sentence: a cancel needs no more, so it is one though no mark says that the product ends. */
const CANCELLED =
  /\bhas cancel+ed\s+(?:the\s+)?(?:tornado|severe thunderstorm)\s+watch(?:\s+-)?\s+number\s+\d{1,4}\b[^\n]*\n/i

/** A watch of the Storm Prediction Center as the P-VTEC string its other products carry, or null. */
export function watchVtec(product: Product, segment: Segment): Vtec | null {
  if (!/^SEL[0-9A-Z]$/.test(product.awips) || segment.ugc === null) return null
  const text = segment.lines.join('\n')
  const [, kind = '', number = ''] =
    /\b(Tornado|Severe Thunderstorm) Watch(?: - )? ?Number (\d{1,4})\b/i.exec(text) ?? []
  const isCancelled = CANCELLED.test(text)
  if (number === '' || (!isCancelled && !/\bhas issued an?\b/i.test(text))) return null
  return {
    product: 'O',
    action: isCancelled ? 'CAN' : 'NEW',
    office: product.office,
    phenomenon: /^tornado$/i.test(kind) ? 'TO' : 'SV',
    significance: 'A',
    number: Number(number),
    start: product.sent,
    end: nearestDay(segment.ugc.expires, product.sent)
  }
}

/** SEL has no `$$`: it ends with the name of the forecaster, `...Hart`. */
export function endsWithName(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => line.trim() !== '') ?? ''
  return /^\.\.\.[A-Z][A-Za-z'./ -]{1,60}$/.test(last) && lines.some((line) => line.trim() === '&&')
}

/** A message of a tsunami warning centre to other countries: without codes, about one earthquake. */
export interface TsunamiMessage {
  thread: string
  number: number
  /** The centre says that the threat has passed, or that there is none any more. */
  isOver: boolean
  isThreat: boolean
  magnitude: number | null
  lat: number | null
  lon: number | null
  place: string
}

/** The message of a TSU product about another ocean, or null when it names no earthquake. */
export function tsunamiMessage({ awips, office, lines, sent }: Product): TsunamiMessage | null {
  const text = lines.join('\n')
  const origin = /ORIGIN TIME\s+(\d{4}) (?:UTC|Z) ([A-Z]{3})[A-Z]* (\d{1,2}) (\d{4})/i.exec(text)
  if (!awips.startsWith('TSU') || origin === null) return null
  const [, clock = '', month = '', day = '', year = ''] = origin
  const [, lat, north, lon, east] =
    /COORDINATES\s+([\d.]+) (?:DEGREES )?(NORTH|SOUTH)\s+([\d.]+) (?:DEGREES )?(EAST|WEST)/i.exec(text) ?? []
  const magnitude = Number(/MAGNITUDE\s+([\d.]+)/i.exec(text)?.[1] ?? Number.NaN)
  const time = Date.parse(`${day} ${month} ${year} ${clock.slice(0, 2)}:${clock.slice(2)} UTC`)
  return {
    thread: `nws-tsunami:${office}:${Number.isNaN(time) ? formatTime(sent).slice(0, 13) : formatTime(time).slice(0, 16)}`,
    number: Number(/MESSAGE NUMBER\s+(\d+)/i.exec(text)?.[1] ?? 1),
    isOver: /NO LONGER A TSUNAMI THREAT|THREAT [^.]{0,60}HAS(?: NOW)? PASSED|THREAT[^.]{0,40}\bIS OVER\b/i.test(text),
    isThreat: /HAZARDOUS TSUNAMI WAVES[^.]{0,120}(?:POSSIBLE|FORECAST)|TSUNAMI WAVES HAVE BEEN OBSERVED/i.test(text),
    magnitude: Number.isFinite(magnitude) ? magnitude : null,
    lat: angle(lat, north, 'SOUTH', 90),
    lon: angle(lon, east, 'WEST', 180),
    place: (/^[ \t]*(?:\*[ \t]*)?LOCATION\s+(\S[^\n]*)$/im.exec(text)?.[1] ?? '').replace(/\s+/g, ' ').trim()
  }
}

function angle(text: string | undefined, side: string | undefined, negative: string, limit: number): number | null {
  const value = Number(text ?? Number.NaN)
  if (!Number.isFinite(value) || value > limit) return null
  return side?.toUpperCase() === negative ? -value : value
}
