import type { HttpContext } from '../../server/context.ts'
import { type Html, html } from '../frame/html.ts'
import { type Reader, shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import type { Frame } from './map-frame.ts'

export type MapNode = ReturnType<HttpContext['reactions']['placed']>[number]

/** Those heard last; more would hide the hazards. */
const MOST_DRAWN = 60
/** A list for a glance. */
const MOST_LISTED = 30
const LONGEST_NAME = 16
/** Meshtastic nodes make themselves known every few hours: who was not heard for so long is drawn hollow. */
const SILENT_MS = 3 * 3_600_000

/** The nodes that a reader may see: where people are is the operator's to know. */
export function nodesFor({ context, isGuest }: Reader): readonly MapNode[] {
  return isGuest ? [] : context.reactions.placed()
}

const isInside = ({ lat, lon }: MapNode, { west, east, south, north }: Frame): boolean =>
  lon > west && lon < east && lat > south && lat < north

/** Those that lie on the map. They never widen it: anybody may write a place on the far side of the world. */
export function drawnNodes(nodes: readonly MapNode[], frame: Frame): readonly MapNode[] {
  return nodes.filter((node) => isInside(node, frame)).slice(0, MOST_DRAWN)
}

export function nodeMarks(nodes: readonly MapNode[], frame: Frame, now: number): Html[] {
  return nodes.map(
    (node) =>
      html`<circle class="node${isSilent(node, now) ? ' silent' : ''}" cx="${frame.x(node.lon).toFixed(1)}" cy="${frame.y(node.lat).toFixed(1)}" r="5"/>`
  )
}

export function nodeLabels(
  nodes: readonly MapNode[],
  frame: Frame
): { x: number; y: number; text: string; kind: string }[] {
  return nodes.map(({ lat, lon, name }) => ({
    x: Math.round(frame.x(lon)),
    y: Math.round(frame.y(lat)) + 20,
    text: shorten(name, LONGEST_NAME),
    kind: 'called'
  }))
}

function isSilent({ heardAt }: MapNode, now: number): boolean {
  return heardAt === null || now - heardAt > SILENT_MS
}

/** The same in words, with both times: when each was heard, and how old its place is. Null where no place is known. */
export function nodeList(reader: Reader, nodes: readonly MapNode[]): Html | null {
  if (nodes.length === 0) return null
  const { context, language, t } = reader
  const items = nodes.slice(0, MOST_LISTED).map(({ name, at, heardAt }) => {
    const heard = heardAt === null ? t('never heard') : html`${t('heard')} ${agoTime(context, heardAt, language)}`
    return html`<li><b>${shorten(name, LONGEST_NAME * 2)}</b>: ${heard} · ${t('place told')} ${agoTime(context, at, language)}</li>`
  })
  const more = nodes.length - items.length
  const count = t('Mesh nodes with a known place: {count}', { count: nodes.length })
  return html`<details class="nodes" data-key="nodes"><summary class="line">${count}</summary>
<p class="quiet">${t('Hollow on the map: not heard for three hours. A node tells its place rarely, and anybody can send one under any name. Guests see none of this.')}</p>
<ul>${items}${more === 0 ? null : html`<li>+${more}</li>`}</ul></details>`
}
