import { closeSync, createReadStream, existsSync, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { isReason, type Reason } from '../../../model/reason.ts'
import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { addressKey, decoded } from './address.ts'
import { patternOf } from './patterns.ts'

export type EntryKind = 'page' | 'part' | 'document'
/** Patterns that lead to each other in turn are found out within so many steps. */
const STEPS_BACK = 8
/** A page whose way leads through its own pattern so often was not found by a list of pages. */
const CHAINED = 3

/** An address the crawl knows of. */
export interface Entry {
  key: string
  url: string
  kind: EntryKind
  state: 'waiting' | 'done' | 'gone'
  /** Its file in the copy; only when done. */
  file: string
  mime: string
  /** Number of the file as it came, for what is rewritten in the end; null for what is kept as it is. */
  raw: number | null
  /** The address it came from in the end. */
  from: string
  tries: number
  /** Why it is not there; null for what nobody misses. */
  why: Reason | null
  /** The pattern of its address; '' of what is no page. */
  pattern: string
  /** The page it was found on. */
  by: Entry | null
  /** How often its way led through a pattern it had been in: a calendar leads to the next month again and again. */
  repeats: number
}

/** True for a page that only pages of its own kind lead to, one after the other. */
export const isChained = ({ repeats }: Entry): boolean => repeats >= CHAINED

/** The order of pages. */
export interface PageRule {
  /** Its pattern has had its part, or says nothing new: it comes after all others. */
  waits: (entry: Entry) => boolean
  /** Its pattern says nothing new: it comes after those that wait too. */
  isLast: (entry: Entry) => boolean
  /** It is the last one's turn, and it is left out. */
  leaves: (entry: Entry) => boolean
}

const kind = v.picklist(['page', 'part', 'document'])
const line = v.variant('t', [
  v.object({ t: v.literal('add'), url: v.string(), kind, by: v.optional(v.string()) }),
  v.object({
    t: v.literal('done'),
    key: v.string(),
    file: v.string(),
    mime: v.string(),
    raw: v.nullable(v.number()),
    from: v.string(),
    bytes: v.number()
  }),
  v.object({ t: v.literal('same'), key: v.string(), as: v.string() }),
  v.object({ t: v.literal('gone'), key: v.string(), why: v.optional(v.custom<Reason>(isReason)) }),
  v.object({ t: v.literal('document'), key: v.string() }),
  v.object({ t: v.literal('time'), ms: v.number() })
])
type Line = v.InferOutput<typeof line>

/**
 * The knowledge of a crawl, kept in a file that only grows: a crawl that was interrupted goes on where it was. Lines
 * that were cut off by a crash are passed over: what they told is fetched again.
 */
export class Frontier {
  readonly #entries = new Map<string, Entry>()
  /** Keys that turned out to be another one's page (redirects). */
  readonly #same = new Map<string, string>()
  readonly #pages: Entry[] = []
  /** Pages that wait for all others. */
  readonly #later: Entry[] = []
  /** Pages that wait for those too. */
  readonly #last: Entry[] = []
  readonly #leftOut: Entry[] = []
  readonly #parts: Entry[] = []
  readonly #documents: Entry[] = []
  /** One string for each pattern. */
  readonly #patterns = new Map<string, string>()
  readonly #file: number
  #pagesDone = 0
  #pagesKnown = 0
  #bytes = 0
  #documentBytes = 0
  #raws = 0
  #spentMs = 0

  private constructor(file: number) {
    this.#file = file
  }

  static async open(path: string): Promise<Frontier> {
    const known = existsSync(path) ? await readLines(path) : []
    const frontier = new Frontier(openSync(path, 'a'))
    // A line without an end must not swallow the next one.
    if (known.length > 0) writeSync(frontier.#file, '\n')
    for (const one of known) frontier.#apply(one)
    return frontier
  }

  close(): void {
    closeSync(this.#file)
  }

  get pagesDone(): number {
    return this.#pagesDone
  }

  /** Those that are gone not counted. */
  get pagesKnown(): number {
    return this.#pagesKnown
  }

  get size(): number {
    return this.#entries.size
  }

  /** Of everything that is kept. */
  get bytes(): number {
    return this.#bytes
  }

  get documentBytes(): number {
    return this.#documentBytes
  }

  /** Time of earlier runs. Milliseconds. */
  get spentMs(): number {
    return this.#spentMs
  }

  /** `by` is the page it is linked on. One that is known may turn out to be found by a shorter way. */
  add(url: URL, kind: EntryKind, by: Entry | null = null): void {
    const found = this.find(url)
    if (found === null) this.#write({ t: 'add', url: url.href, kind, ...(by === null ? {} : { by: by.key }) })
    else if (found.state === 'waiting' && by !== null) this.#nearer(found, by)
  }

  find(url: URL): Entry | null {
    const key = addressKey(url)
    return this.#entries.get(this.#same.get(key) ?? key) ?? null
  }

  /** Parts of pages that are there first, then the next page; null when nothing is left. */
  next({ waits, isLast, leaves }: PageRule): Entry | null {
    return (
      takeWaiting(this.#parts) ??
      takeUnless(waits, this.#pages, this.#later) ??
      takeUnless(isLast, this.#later, this.#last) ??
      takeUnless(leaves, this.#last, this.#leftOut)
    )
  }

  nextPart(): Entry | null {
    return takeWaiting(this.#parts)
  }

  nextDocument(): Entry | null {
    return takeWaiting(this.#documents)
  }

  /** Pages that a rule has left out. */
  leftOut(): Entry[] {
    return [...new Set(this.#leftOut)].filter(({ state }) => state === 'waiting')
  }

  /** To be tried again, after the others. */
  putBack(entry: Entry): void {
    entry.tries++
    this.#queueOf(entry.kind).push(entry)
  }

  nextRaw(): number {
    return this.#raws + 1
  }

  done(entry: Entry, facts: { file: string; mime: string; raw: number | null; from: string; bytes: number }): void {
    this.#write({ t: 'done', key: entry.key, ...facts })
  }

  /** It leads to another one, which is known. */
  same(entry: Entry, other: Entry): void {
    this.#write({ t: 'same', key: entry.key, as: other.key })
  }

  /** It is not there, or is not kept; `why` when somebody may miss it. */
  gone(entry: Entry, why: Reason | null = null): void {
    this.#write({ t: 'gone', key: entry.key, ...(why === null ? {} : { why }) })
  }

  /** A page, as it seemed. */
  turnsOutDocument(entry: Entry): void {
    this.#write({ t: 'document', key: entry.key })
  }

  spent(ms: number): void {
    this.#write({ t: 'time', ms })
  }

  /** The files of the copy. */
  *kept(): Iterable<Entry> {
    for (const entry of this.#entries.values()) if (entry.state === 'done' && entry.kind !== 'document') yield entry
  }

  *documents(): Iterable<Entry> {
    for (const entry of this.#entries.values()) if (entry.state === 'done' && entry.kind === 'document') yield entry
  }

  /** Pages and documents that somebody may miss. */
  *missed(): Iterable<{ entry: Entry; why: Reason }> {
    for (const entry of this.#entries.values())
      if (entry.why !== null && entry.kind !== 'part') yield { entry, why: entry.why }
  }

  /** Pages that were asked for, in this run and in earlier ones. */
  *asked(): Iterable<Entry> {
    for (const entry of this.#entries.values()) if (entry.state !== 'waiting' && entry.kind === 'page') yield entry
  }

  #write(one: Line): void {
    writeSync(this.#file, `${JSON.stringify(one)}\n`)
    this.#apply(one)
  }

  #apply(one: Line): void {
    if (one.t === 'time') this.#spentMs += one.ms
    else if (one.t === 'add') this.#added(one)
    else {
      const entry = this.#entries.get(one.key)
      if (entry?.state !== 'waiting') return
      if (one.t === 'done') this.#finished(entry, one)
      else if (one.t === 'document') this.#turned(entry)
      else this.#left(entry, one)
    }
  }

  #added({ url, kind, by: byKey }: Extract<Line, { t: 'add' }>): void {
    if (!URL.canParse(url)) return
    const address = new URL(url)
    const key = addressKey(address)
    if (this.#entries.has(key)) return
    const by = byKey === undefined ? null : (this.#entries.get(byKey) ?? null)
    const pattern = kind === 'page' ? this.#patternOf(address) : ''
    const entry: Entry = {
      ...{ key, url, kind, state: 'waiting', file: '', mime: '', raw: null, from: url, tries: 0, why: null },
      ...{ pattern, by, repeats: kind === 'page' ? repeatsOf(pattern, by) : 0 }
    }
    this.#entries.set(key, entry)
    if (kind === 'page') this.#pagesKnown++
    this.#queueOf(kind).push(entry)
  }

  #queueOf(kind: EntryKind): Entry[] {
    return { page: this.#pages, part: this.#parts, document: this.#documents }[kind]
  }

  #patternOf(url: URL): string {
    const pattern = patternOf(url, decoded(url.pathname))
    const known = this.#patterns.get(pattern) ?? pattern
    this.#patterns.set(known, known)
    return known
  }

  /** A page that was left out for the way it was found may have been listed all the same. */
  #nearer(entry: Entry, by: Entry): void {
    const repeats = repeatsOf(entry.pattern, by)
    if (repeats >= entry.repeats) return
    const wasChained = isChained(entry)
    Object.assign(entry, { by, repeats })
    if (wasChained && !isChained(entry)) this.#later.push(entry)
  }

  #finished(entry: Entry, { file, mime, raw, from, bytes }: Extract<Line, { t: 'done' }>): void {
    Object.assign(entry, { state: 'done', file, mime, raw, from })
    if (entry.kind === 'document') this.#documentBytes += bytes
    else this.#bytes += bytes
    this.#raws = Math.max(this.#raws, raw ?? 0)
    if (entry.kind === 'page') this.#pagesDone++
  }

  #turned(entry: Entry): void {
    if (entry.kind === 'page') this.#pagesKnown--
    entry.kind = 'document'
    // A run that is interrupted now fetches it again.
    this.#documents.push(entry)
  }

  #left(entry: Entry, one: Extract<Line, { t: 'same' | 'gone' }>): void {
    entry.state = 'gone'
    if (one.t === 'gone') entry.why = one.why ?? null
    if (one.t === 'same') this.#same.set(entry.key, one.as)
    if (entry.kind === 'page') this.#pagesKnown--
  }
}

function repeatsOf(pattern: string, by: Entry | null): number {
  let isAgain = false
  for (let steps = 0, at = by; at !== null && steps < STEPS_BACK && !isAgain; steps++, at = at.by)
    isAgain = at.pattern === pattern
  return (by?.repeats ?? 0) + (isAgain ? 1 : 0)
}

function takeWaiting(queue: Entry[]): Entry | null {
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift())
    if (entry.state === 'waiting') return entry
  return null
}

/** The first that waits; those it is not the turn of go on to the next queue. */
function takeUnless(isNot: (entry: Entry) => boolean, queue: Entry[], next: Entry[]): Entry | null {
  for (let entry = takeWaiting(queue); entry !== null; entry = takeWaiting(queue)) {
    if (!isNot(entry)) return entry
    next.push(entry)
  }
  return null
}

async function readLines(path: string): Promise<Line[]> {
  const lines: Line[] = []
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const parsed = text === '' ? null : v.safeParse(line, jsonOr(null, text))
    if (parsed?.success === true) lines.push(parsed.output)
  }
  return lines
}
