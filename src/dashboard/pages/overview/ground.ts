import * as v from 'valibot'
import { readersTurn, Slices } from '../../../platform/clock/slices.ts'
import type { Services } from '../../api/services.ts'
import { notFound } from '../../server/problem.ts'
import { text } from '../../server/reply.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Html, html } from '../frame/html.ts'
import { type Frame, frameOfBox, HEIGHT, ringPath, WIDTH } from './map-frame.ts'

const FILE = '/maps/ground.svg'
/** The bundled atlas changes with the program only. */
const CACHED = 'public, max-age=86400'
/** A frame is written with so many digits: a hundredth of a unit on the narrowest. */
const DIGITS = 4
/** So many of the last pictures are kept: those of a storm are asked for by every phone. */
const MOST_KEPT = 6

const boxQuery = v.object({
  box: v.pipe(
    v.string('box is missing'),
    v.regex(/^(?:-?\d{1,4}(?:\.\d{1,6})?(?:,|$)){4}$/, 'box is west, south, east and north in degrees'),
    v.transform((given) => given.split(',').map(Number) as [number, number, number, number]),
    v.check(
      ([west, south, east, north]) => west < east && south < north && south >= -90 && north <= 90,
      'box is west, south, east and north in degrees'
    )
  )
})

/** The lines below a map, in the colours of whoever shows them. They are a file of their own: a page that is drawn anew need not bring them again. */
export function groundOf({ west, south, east, north }: Frame): Html {
  const box = [west, south, east, north].map((degrees) => degrees.toFixed(DIGITS)).join(',')
  return html`<use class="ground" href="${FILE}?box=${box}#ground"/>`
}

/** `GET /maps/ground.svg`: coasts and borders of the bundled atlas in a box. */
function readGround({ context }: Services): Handler<v.InferOutput<typeof boxQuery>, undefined> {
  const kept = new Map<string, Promise<string>>()
  return async ({ query: { box } }) => {
    const { ground } = context.places
    if (ground === null) throw notFound()
    const key = box.join()
    const picture = kept.get(key) ?? drawn(ground, box)
    kept.delete(key)
    kept.set(key, picture)
    picture.catch(() => kept.delete(key))
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
    return text('image/svg+xml', await picture, { 'Cache-Control': CACHED })
  }
}

async function drawn(
  ground: NonNullable<Services['context']['places']['ground']>,
  [west, south, east, north]: v.InferOutput<typeof boxQuery>['box']
): Promise<string> {
  const frame = frameOfBox({ west, south, east, north })
  const slices = new Slices(readersTurn)
  const paths: Html[] = []
  for (const { name, lines } of await ground(frame)) {
    let path = ''
    for (const line of lines) {
      path += ringPath(line, frame)
      await slices.pause()
    }
    if (path !== '') paths.push(html`<path class="${name}"${WIDTHS[name] ?? null} d="${path}"/>`)
  }
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><g id="ground" fill="none">${paths}</g></svg>`
    .text
}

/** Finer lines are thinner and fainter; the sheets of a page do not reach into a file that it shows. */
const WIDTHS: Readonly<Record<string, Html>> = {
  countries: html` stroke-width="1.6"`,
  states: html` stroke-width="1.3"`,
  counties: html` stroke-width="0.7"`
}

export const groundPicture = (services: Services): Route =>
  get(FILE, {
    about:
      'Coasts and borders of the bundled atlas as an SVG, for the maps that the server draws; `?box=west,south,east,north` in degrees.',
    query: boxQuery,
    handle: readGround(services)
  })
