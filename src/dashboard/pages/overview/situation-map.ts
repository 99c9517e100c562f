import type { Units } from '../../../model/units.ts'
import { readCircle } from '../../../warning/coverage/circle.ts'
import { locate, type Place } from '../../../warning/coverage/locate.ts'
import type { AreaPart } from '../../../warning/coverage/settings.ts'
import { readBox, readShape } from '../../../warning/coverage/shape.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import type { HttpContext } from '../../server/context.ts'
import { type Html, html } from '../frame/html.ts'
import { type Reader, shorten } from '../frame/reader.ts'
import { groundOf } from './ground.ts'
import { discOf, type Frame, frameOf, graticule, HEIGHT, middleOf, pathOf, scaleBar, WIDTH } from './map-frame.ts'
import { drawnNodes, type MapNode, nodeLabels, nodeMarks } from './mesh-nodes.ts'

/** A sketch of a shape is enough for a map of this size; reading more would hold up the radios. */
const MOST_VERTICES = 600
/** Warnings may name a hundred zones; beyond these the regions they touch are seen anyway. */
const MOST_ZONES = 24
const MOST_HAZARDS = 20
/** Outlines of codes are kept as they were read. */
const MOST_KNOWN = 400
const LONGEST_NAME = 26

type Zones = HttpContext['places']
interface Drawn {
  name: string
  place: Place
}

const NOWHERE: Place = { how: 'geometry', points: [], outlines: [], disc: null, thinned: false }
const known = new WeakMap<Zones, Map<string, Place | null>>()
const drawnAreas = new WeakMap<object, readonly Drawn[]>()

function outlineOf(code: string, places: Zones): Place | null {
  const own = known.get(places) ?? new Map<string, Place | null>()
  known.set(places, own)
  const before = own.get(code)
  if (before !== undefined) return before
  const geometry = places.outline(code)
  const shape = geometry === null ? null : readShape(geometry, MOST_VERTICES)
  const place = shape === null ? null : { ...NOWHERE, ...shape }
  if (own.size < MOST_KNOWN) own.set(code, place)
  return place
}

function joined(places: readonly (Place | null)[]): Place {
  const found = places.filter((place) => place !== null)
  return {
    ...NOWHERE,
    points: found.flatMap(({ points }) => points),
    outlines: found.flatMap(({ outlines }) => outlines),
    disc: found.find(({ disc }) => disc !== null)?.disc ?? null
  }
}

function placeOfPart({ codes, circle, bbox, geometry }: AreaPart, places: Zones): Place {
  if (codes !== undefined) return joined(codes.map((code) => outlineOf(code, places)))
  if (circle !== undefined) return { ...NOWHERE, disc: readCircle(circle) }
  const box = bbox === undefined ? null : readBox(bbox)
  if (box !== null) return { ...NOWHERE, outlines: [box] }
  return { ...NOWHERE, ...readShape(geometry, MOST_VERTICES) }
}

/** The areas with a name, as they lie; read once for a configuration. */
function areasOf({ context }: Reader): readonly Drawn[] {
  const { coverage } = context.shownConfig()
  const before = drawnAreas.get(coverage)
  if (before !== undefined) return before
  const areas = coverage.areas.flatMap(({ name, parts }) =>
    name === null ? [] : [{ name, place: joined(parts.map((part) => placeOfPart(part, context.places))) }]
  )
  drawnAreas.set(coverage, areas)
  return areas
}

function hazardPlace({ event }: StoredEvent, { context }: Reader): Place {
  const drawn = locate(event, MOST_VERTICES)
  if (drawn !== null) return drawn
  return joined(event.zones.slice(0, MOST_ZONES).map((code) => outlineOf(code, context.places)))
}

interface Label {
  x: number
  y: number
  text: string
  kind: string
  /** Stands on a phone too. */
  isSure: boolean
}

/** Half the width of a letter and the height of a line, in units: on a desk, and on a phone. */
const LETTERS = [
  { half: 4.6, line: 16 },
  { half: 8.8, line: 32 }
] as const

/** Names that would lie over others are left out, on a phone earlier than on a desk; those before have the right of way. */
function placed(labels: readonly Omit<Label, 'isSure'>[]): Label[] {
  const [desk = [], phone = []] = LETTERS.map(({ half, line }) => {
    const taken: { x: number; y: number; w: number }[] = []
    return labels.filter(({ x, y, text }) => {
      const w = text.length * half
      const isFree = taken.every((other) => Math.abs(other.x - x) > other.w + w || Math.abs(other.y - y) > line)
      const isInside = x - w > 0 && x + w < WIDTH && y > line && y < HEIGHT - 4
      if (isFree && isInside) taken.push({ x, y, w })
      return isFree && isInside
    })
  })
  return desk.map((label) => ({ ...label, isSure: phone.includes(label) }))
}

const MARKS: Readonly<Record<string, string>> = {
  immediate: 'M0-9 9 7H-9z',
  critical: 'M0-9 9 0 0 9-9 0z',
  priority: 'M-7-7H7V7H-7z',
  routine: 'M-7 0A7 7 0 1 0 7 0 7 7 0 1 0-7 0z'
}

/** The last pictures of a configuration. A stored message never changes, so that the same ones in force make the same picture. */
const MOST_PICTURES = 4
const pictures = new WeakMap<object, Map<string, Picture | null>>()

/** The part that only the alerts change; nodes are laid over it each time. */
interface Picture {
  frame: Frame
  shapes: Html
  labels: readonly Omit<Label, 'isSure'>[]
  /** The names where there are no nodes. */
  names: readonly Html[]
}

interface Shown {
  caption?: string
  nodes?: readonly MapNode[]
  /** Is given room for the ground of a map of the operator's, which a script draws (`web/map/underlay.js`). */
  isStage?: boolean
  /** On the page of an alert its name is known, and would lie over those of the regions. */
  isOwn?: boolean
}

/** Everything that lies here, as one picture without a script: areas, what threatens them by its gravity, our own places, nodes that told theirs. */
export function situationMap(reader: Reader, alerts: readonly StoredEvent[], shown: Shown = {}): Html {
  const { t } = reader
  const { isStage = false, isOwn = false } = shown
  const picture = pictureOf(reader, { alerts, isOwn })
  if (picture === null)
    return html`<p class="stage blank" data-key="map">${t('No area is drawn yet: the map begins with the first.')} <a href="/coverage">${t('Coverage')}</a></p>`
  const { frame, shapes, labels } = picture
  const { caption = countsOf(reader, alerts) } = shown
  const nodes = drawnNodes(shown.nodes ?? [], frame)
  const names = nodes.length === 0 ? picture.names : namesOf([...labels, ...nodeLabels(nodes, frame)])
  // A script draws here, and writes whose map it is: both outlive the next drawing of the page.
  const under = isStage ? html`<canvas data-own aria-hidden="true"></canvas>` : null
  const credit = isStage ? html`<p class="credit" data-own></p>` : null
  const box = isStage ? html` data-box="${[frame.west, frame.south, frame.east, frame.north].join(',')}"` : null
  return html`<figure class="stage" data-key="map"${box}>${under}<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
${shapes}${nodeMarks(nodes, frame, reader.context.now())}${names}${scale(frame, reader.context.shownConfig().station.units)}
</svg><figcaption class="hidden">${caption}</figcaption>${credit}</figure>`
}

function countsOf({ context, t }: Reader, alerts: readonly StoredEvent[]): string {
  return t('Map: {areas} areas, {alerts} alerts in force. Both stand in words beside it.', {
    areas: context.shownConfig().coverage.areas.filter(({ name }) => name !== null).length,
    alerts: alerts.length
  })
}

interface Asked {
  alerts: readonly StoredEvent[]
  isOwn: boolean
}

function pictureOf(reader: Reader, asked: Asked): Picture | null {
  const { coverage } = reader.context.shownConfig()
  const own = pictures.get(coverage) ?? new Map<string, Picture | null>()
  pictures.set(coverage, own)
  const shown = asked.alerts.map(({ event: { source, id, revision } }) => [source, id, revision])
  const key = JSON.stringify([reader.isGuest, asked.isOwn, shown])
  const known = own.get(key)
  const picture = known === undefined ? drawnPicture(reader, asked) : known
  own.delete(key)
  own.set(key, picture)
  for (const oldest of own.keys()) {
    if (own.size <= MOST_PICTURES) break
    own.delete(oldest)
  }
  return picture
}

function drawnPicture(reader: Reader, { alerts, isOwn }: Asked): Picture | null {
  const areas = areasOf(reader)
  const hazards = alerts.slice(0, MOST_HAZARDS).map((alert) => ({ ...alert, place: hazardPlace(alert, reader) }))
  const frame = frameOf(
    areas.map(({ place }) => place),
    hazards.map(({ place }) => place)
  )
  if (frame === null) return null
  const touched = new Map(
    hazards.toReversed().flatMap(({ event }) => event.regions.map((region) => [region, event.severity] as const))
  )
  const shapes = html`<path class="graticule" d="${graticule(frame)}"/>${reader.context.places.ground === null ? null : groundOf(frame)}
${areas.map(({ name, place }) => html`<g class="area ${touched.get(name) ?? 'calm'}">${drawn(place, frame)}</g>`)}
${hazards.toReversed().map(({ event, place }) => html`<g class="hazard ${event.severity}">${drawn(place, frame)}</g>`)}
${hazards.map(({ event, place }) => mark(middleOf(place, frame), event.severity))}
${ownPlaces(reader, frame)}`
  const labels = labelsOf(frame, areas, isOwn ? [] : hazards)
  return { frame, shapes, labels, names: namesOf(labels) }
}

function drawn(place: Place, frame: Frame): Html {
  const disc = place.disc === null ? null : discOf(place.disc, frame)
  const round = disc === null ? null : html`<circle cx="${disc.x}" cy="${disc.y}" r="${disc.r}"/>`
  const path = pathOf(place.outlines, frame)
  return html`${path === '' ? null : html`<path d="${path}"/>`}${round}`
}

function mark(at: { x: number; y: number } | null, severity: string): Html | null {
  if (at === null) return null
  return html`<g transform="translate(${at.x} ${at.y})"><path class="mark ${severity}" d="${MARKS[severity] ?? ''}"/></g>`
}

/** The station's own places are the operator's to know. */
function ownPlaces({ context, isGuest }: Reader, frame: Frame): Html[] {
  if (isGuest) return []
  return context
    .shownConfig()
    .station.anchors.filter(
      ({ lon, lat }) => lon > frame.west && lon < frame.east && lat > frame.south && lat < frame.north
    )
    .map(
      ({ lat, lon }) =>
        html`<g class="own" transform="translate(${frame.x(lon).toFixed(1)} ${frame.y(lat).toFixed(1)})"><path d="M-7 6 0-10 7 6zM0-10V11"/></g>`
    )
}

function labelsOf(
  frame: Frame,
  areas: readonly Drawn[],
  hazards: readonly (StoredEvent & { place: Place })[]
): Omit<Label, 'isSure'>[] {
  const below = (place: Place, text: string, kind: string, by: number): Omit<Label, 'isSure'>[] => {
    const at = middleOf(place, frame)
    return at === null ? [] : [{ x: at.x, y: at.y + by, text: shorten(text, LONGEST_NAME), kind }]
  }
  const of = (some: typeof hazards): Omit<Label, 'isSure'>[] =>
    some.flatMap(({ event, place }) => below(place, event.title, `what ${event.severity}`, 26))
  const isGrave = ({ event }: StoredEvent): boolean => event.severity === 'immediate' || event.severity === 'critical'
  return [
    ...of(hazards.filter(isGrave)),
    ...areas.flatMap(({ name, place }) => below(place, name, 'name', -16)),
    ...of(hazards.filter((hazard) => !isGrave(hazard)))
  ]
}

function namesOf(labels: readonly Omit<Label, 'isSure'>[]): Html[] {
  return placed(labels).map(
    ({ x, y, text, kind, isSure }) =>
      html`<text class="${kind}${isSure ? '' : ' roomy'}" x="${x}" y="${y}">${text}</text>`
  )
}

function scale(frame: Frame, units: Units): Html {
  const { distance, length } = scaleBar(frame, units)
  return html`<g class="scale"><path d="M16 ${HEIGHT - 14}h${length}"/><text x="${16 + length / 2}" y="${HEIGHT - 20}">${distance}</text></g>`
}
