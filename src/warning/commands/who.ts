import { byteLength } from '../messages/budget.ts'
import { put, putAll } from '../messages/catalogue/words.ts'
import { inUnits } from '../messages/replying.ts'
import { sanitise } from '../messages/sanitise.ts'
import type { MeshNode } from '../radios/radio.ts'
import { type Answer, repliesTo, threadByCode } from './ask.ts'
import { refusal } from './rights.ts'

const NAME_CHARACTERS = 20
const MINUTE_MS = 60_000

/**
 * `!who CODE`: nodes that told a position inside of the area of an alert, those first whose position is the newest, each with its age. For
 * admins alone, by direct message: where people are is nobody else's business, and their positions are not told even so.
 */
export const who: Answer = (ask, context) => {
  const refused = refusal('who', ask)
  if (refused !== null) return refused
  const found = threadByCode(ask.words[0], ask, context)
  if (typeof found === 'string') return found
  const event = context.ledger.thread(found.threadId).find(({ event: one }) => context.insideOf(one) !== null)?.event
  const area = event === undefined ? null : context.insideOf(event)
  const said = repliesTo(ask).who
  if (area === null) return put(said.noArea, found.code)
  const { nodes, placed, untold, whole } = peopleInside(context.nodes(), area)
  const age = (at: number): string => inUnits(ask.spoken.language, ageText(ask.now - at))
  const names = nodes.map(({ name, at }) => `${[...name].slice(0, NAME_CHARACTERS).join('')} ${age(at)}`)
  const counts = [found.code, String(nodes.length), String(placed)]
  const head = putAll(whole ? said.inside : said.insidePart, counts)
  const tail = put(said.untold, String(untold))
  return `${head}${listed(names, ask.limitBytes - byteLength(head) - byteLength(tail))}${tail}`
}

/** A node with the place it told last, degrees. Times are epoch milliseconds; `heardAt`: null where its radio does not tell. */
export interface PlacedNode {
  id: string
  name: string
  lat: number
  lon: number
  at: number
  heardAt: number | null
}

/**
 * The nodes of which a place is known, the one heard last first. What two radios hear is one node, where it said it is last; ids of the two
 * networks never look alike.
 */
export function placedNodes(nodes: readonly MeshNode[]): PlacedNode[] {
  const byId = new Map<string, PlacedNode>()
  for (const node of nodes) {
    if (node.position == null) continue
    const known = byId.get(node.id)
    const heardAt = latest(node.lastHeardAt, known?.heardAt ?? null)
    const position = known === undefined || known.at < node.position.at ? node.position : known
    const { lat, lon, at } = position
    byId.set(node.id, { id: node.id, name: nameOf(node) || (known?.name ?? ''), lat, lon, at, heardAt })
  }
  const named = [...byId.values()].map((node) => ({ ...node, name: node.name || node.id }))
  return named.sort((a, b) => (b.heardAt ?? b.at) - (a.heardAt ?? a.at))
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

/** Nodes whose position lies inside of an area, the newest position first. Each counts once, however many radios hear it. */
export interface PeopleInside {
  nodes: { name: string; at: number }[]
  /** Nodes of which a position is known, and of which none is. */
  placed: number
  untold: number
  /** False where only a part of the area can be drawn here. */
  whole: boolean
}

export function peopleInside(
  nodes: readonly MeshNode[],
  area: { covers: (lat: number, lon: number) => boolean; whole: boolean }
): PeopleInside {
  const placed = placedNodes(nodes)
  const inside = placed.filter(({ lat, lon }) => area.covers(lat, lon)).sort((a, b) => b.at - a.at)
  return {
    nodes: inside.map(({ name, at }) => ({ name, at })),
    placed: placed.length,
    untold: new Set(nodes.map(({ id }) => id)).size - placed.length,
    whole: area.whole
  }
}

function listed(names: readonly string[], room: number): string {
  for (let count = names.length; count > 0; count--) {
    const rest = names.length - count
    const text = `: ${names.slice(0, count).join(', ')}${rest === 0 ? '' : `, +${rest}`}`
    if (byteLength(text) <= room) return text
  }
  return ''
}

const nameOf = ({ name }: MeshNode): string => sanitise(name).trim()

function ageText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS))
  if (minutes < 120) return `${minutes}m`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)}h` : `${Math.round(minutes / 1440)}d`
}
