// Outlines of codes (counties, zones, states): asked of the station, many at once, and kept for the page.
import { get } from '../lib/api.js'

const MOST_AT_ONCE = 50
/** GeoJSON of a code; null: there is none. @type {Map<string, any>} */
const known = new Map()
/** Codes that are being asked for. @type {Map<string, Promise<void>>} */
const underWay = new Map()

/**
 * @param {readonly { codes?: readonly string[], geometry?: any, circle?: any, bbox?: any, lat?: any, parts?: readonly any[] }[]} layers
 * @param {() => void} news called once when what is missing now has come, or is known not to
 * @returns {{ outlineOf: (code: string) => any, complete: boolean }}
 */
export function outlinesOf(layers, news) {
  const wanted = layers
    .flatMap((layer) => layer.parts ?? [layer])
    .filter(({ geometry, circle, bbox, lat }) => !geometry && !circle && !bbox && typeof lat !== 'number')
    .flatMap(({ codes }) => codes ?? [])
  const missing = [...new Set(wanted)].filter((code) => !known.has(code))
  const unasked = missing.filter((code) => !underWay.has(code))
  for (let from = 0; from < unasked.length; from += MOST_AT_ONCE) ask(unasked.slice(from, from + MOST_AT_ONCE))
  if (missing.length > 0) void Promise.all(missing.map((code) => underWay.get(code))).then(news)
  return { outlineOf: (code) => known.get(code) ?? null, complete: missing.length === 0 }
}

/** Without an answer they are drawn nowhere; the list beside the map names them in any case. @param {readonly string[]} codes */
function ask(codes) {
  const answer = get(`/api/zones/outlines?codes=${encodeURIComponent(codes.join(','))}`)
    .then(
      ({ body }) => body.outlines,
      () => ({})
    )
    .then((outlines) => {
      for (const code of codes) {
        known.set(code, outlines[code] ?? null)
        underWay.delete(code)
      }
    })
  for (const code of codes) underWay.set(code, answer)
}
