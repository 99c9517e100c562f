/** A message another message refers to: CAP 1.2 §3.2.1 `references`, and the same three in the NWS listing. */
export interface Reference {
  sender: string
  identifier: string
  /** RFC 3339 UTC, or '' when the source does not say. */
  sent: string
}

/** A message of a listing, as far as chaining needs to know it. */
export interface ChainLink {
  sender: string
  identifier: string
  references: readonly Reference[]
  /** The thread this message starts when nothing earlier is known. */
  own: string
}

/** Joins JSON, CAP and weather-radio copies of one VTEC event. `key` is office.phenomenon.significance.number.year. */
export function vtecThread(key: string): string {
  return `vtec:${key}`
}

/** The name of one CAP message; its key is sender and identifier together (CAP 1.2 §3.2.1). */
export function messageName(sender: string, identifier: string): string {
  return `cap:${sender},${identifier}`
}

/**
 * Threads of messages without VTEC, by message name. A message joins the oldest message it refers to inside the listing,
 * over any number of steps; when none is inside, the earliest one it names; without references it starts its own.
 * Circles and references to itself, which real senders produce, end the walk.
 */
export function chainThreads(links: readonly ChainLink[]): Map<string, string> {
  const known = new Map(links.map((link) => [messageName(link.sender, link.identifier), link]))
  const threads = new Map<string, string>()
  for (const [name, link] of known) threads.set(name, rootOf(name, link, known))
  return threads
}

function rootOf(name: string, link: ChainLink, known: ReadonlyMap<string, ChainLink>): string {
  const seen = new Set([name])
  let current = link
  for (;;) {
    const earlier = oldestFirst(current.references).filter((to) => !seen.has(messageName(to.sender, to.identifier)))
    const inside = earlier.map((to) => messageName(to.sender, to.identifier)).find((to) => known.has(to))
    const next = inside === undefined ? undefined : known.get(inside)
    if (inside === undefined || next === undefined) {
      const first = earlier[0]
      return first === undefined ? current.own : messageName(first.sender, first.identifier)
    }
    seen.add(inside)
    current = next
  }
}

function oldestFirst(references: readonly Reference[]): Reference[] {
  return [...references].sort((a, b) => order(a.sent, b.sent) || order(a.identifier, b.identifier))
}

function order(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
