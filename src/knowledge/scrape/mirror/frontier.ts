import { closeSync, createReadStream, existsSync, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { addressKey } from './address.ts'

export type EntryKind = 'page' | 'part'

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
}

const line = v.variant('t', [
  v.object({ t: v.literal('add'), url: v.string(), kind: v.picklist(['page', 'part']) }),
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
  v.object({ t: v.literal('gone'), key: v.string() }),
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
  readonly #parts: Entry[] = []
  readonly #file: number
  #pagesDone = 0
  #pagesKnown = 0
  #bytes = 0
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

  /** Time of earlier runs. Milliseconds. */
  get spentMs(): number {
    return this.#spentMs
  }

  /** False: known already. */
  add(url: URL, kind: EntryKind): boolean {
    if (this.find(url) !== null) return false
    this.#write({ t: 'add', url: url.href, kind })
    return true
  }

  find(url: URL): Entry | null {
    const key = addressKey(url)
    return this.#entries.get(this.#same.get(key) ?? key) ?? null
  }

  /** Parts of pages that are there first, then the next page; null when nothing is left. */
  next(): Entry | null {
    return takeWaiting(this.#parts) ?? takeWaiting(this.#pages)
  }

  /** To be tried again, after the others. */
  putBack(entry: Entry): void {
    entry.tries++
    ;(entry.kind === 'page' ? this.#pages : this.#parts).push(entry)
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

  /** It is not there, or is not kept. */
  gone(entry: Entry): void {
    this.#write({ t: 'gone', key: entry.key })
  }

  spent(ms: number): void {
    this.#write({ t: 'time', ms })
  }

  *kept(): Iterable<Entry> {
    for (const entry of this.#entries.values()) if (entry.state === 'done') yield entry
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
      else this.#left(entry, one)
    }
  }

  #added({ url, kind }: Extract<Line, { t: 'add' }>): void {
    if (!URL.canParse(url)) return
    const key = addressKey(new URL(url))
    if (this.#entries.has(key)) return
    const entry: Entry = { key, url, kind, state: 'waiting', file: '', mime: '', raw: null, from: url, tries: 0 }
    this.#entries.set(key, entry)
    if (kind === 'page') this.#pagesKnown++
    ;(kind === 'page' ? this.#pages : this.#parts).push(entry)
  }

  #finished(entry: Entry, { file, mime, raw, from, bytes }: Extract<Line, { t: 'done' }>): void {
    Object.assign(entry, { state: 'done', file, mime, raw, from })
    this.#bytes += bytes
    this.#raws = Math.max(this.#raws, raw ?? 0)
    if (entry.kind === 'page') this.#pagesDone++
  }

  #left(entry: Entry, one: Extract<Line, { t: 'same' | 'gone' }>): void {
    entry.state = 'gone'
    if (one.t === 'same') this.#same.set(entry.key, one.as)
    if (entry.kind === 'page') this.#pagesKnown--
  }
}

function takeWaiting(queue: Entry[]): Entry | null {
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift())
    if (entry.state === 'waiting') return entry
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
