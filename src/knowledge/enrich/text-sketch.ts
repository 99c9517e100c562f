import { comparedWords, shingleHash } from './simhash.ts'

/** Broder: On the resemblance and containment of documents (1997): of all shingles the smallest hashes stand for the set. */
export const SKETCH_SIZE = 512
const SHINGLE = 3
/** Lines at the edge of a page that may be its head or its foot. */
const EDGE_LINES = 2
/** A longer line is text. */
const LONGEST_HEAD = 120
/** On so many pages, and so large a part of them, a line is furniture. */
const [FURNITURE_PAGES, FURNITURE_SHARE] = [3, 0.1]
/** Different lines at edges that are counted at a time. */
const MOST_EDGES = 20_000

/** The distinct shingles of a text in short: enough to tell how much two texts share, whatever their format and length. */
export interface TextSketch {
  /** The smallest hashes, ascending; all of them when the text has fewer than `SKETCH_SIZE`. */
  hashes: Uint32Array
  /** Words that were counted. */
  words: number
}

/** Sketch of a text that is in memory, page by page. */
export function sketchOf(pages: readonly string[]): TextSketch {
  const furniture = new Furniture()
  for (const page of pages) furniture.see(page)
  const sketcher = new Sketcher(furniture)
  for (const page of pages) sketcher.add(page)
  return sketcher.end()
}

/**
 * Makes the sketch of a text, a page at a time. What one format has and another has not is left out: running heads and feet, numbers
 * of pages and sections, hyphens at the ends of lines. Memory does not grow with the text.
 */
export class Sketcher {
  readonly #furniture: ReadonlySet<string>
  readonly #smallest = new Smallest(SKETCH_SIZE)
  readonly #last: number[] = []
  #words = 0

  constructor(furniture: Furniture) {
    this.#furniture = furniture.lines()
  }

  add(page: string): void {
    for (const word of comparedWords(plain(page, this.#furniture))) {
      if (!/\p{L}/u.test(word)) continue
      this.#words += 1
      this.#last.push(wordNumber(word))
      if (this.#last.length > SHINGLE) this.#last.shift()
      if (this.#last.length === SHINGLE) this.#smallest.add(shingleHash(this.#last))
    }
  }

  end(): TextSketch {
    return { hashes: this.#smallest.sorted(), words: this.#words }
  }
}

/** How much of two texts is common, estimated from their sketches. */
export interface Common {
  /** Of all that stands in either, the share that stands in both, 0…1. */
  both: number
  /** Of the shorter text, the share that stands in the longer one, 0…1. */
  ofShorter: number
}

export function commonOf(a: TextSketch, b: TextSketch): Common {
  const [one, other] = [new Set(a.hashes), new Set(b.hashes)]
  const union = [...new Set([...one, ...other])].sort((x, y) => x - y)
  // Of the union, too, only the smallest are a fair sample: above the end of a full sketch nothing is known.
  const bound = Math.min(endOf(a), endOf(b))
  const sample = union.filter((hash) => hash <= bound)
  const shared = sample.filter((hash) => one.has(hash) && other.has(hash)).length
  const [ofA, ofB] = [one, other].map((set) => sample.filter((hash) => set.has(hash)).length)
  const smaller = Math.min(ofA ?? 0, ofB ?? 0)
  return { both: sample.length === 0 ? 0 : shared / sample.length, ofShorter: smaller === 0 ? 0 : shared / smaller }
}

function endOf({ hashes }: TextSketch): number {
  return hashes.length < SKETCH_SIZE ? 0xffffffff : (hashes.at(-1) ?? 0)
}

/** Lines that stand at the top or the foot of many pages, their numbers aside. */
export class Furniture {
  readonly #counts = new Map<string, number>()
  #pages = 0

  see(page: string): void {
    this.#pages += 1
    const lines = page.split('\n').filter((line) => line.trim() !== '' && line.length <= LONGEST_HEAD)
    const edges = new Set(
      [...lines.slice(0, EDGE_LINES), ...lines.slice(EDGE_LINES).slice(-EDGE_LINES)].map(furnitureKey)
    )
    for (const key of edges) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    if (this.#counts.size > MOST_EDGES) this.#forget()
  }

  /** A line of a head comes again and again; what was seen seldom among so many is none. */
  #forget(): void {
    for (let most = 1; this.#counts.size > MOST_EDGES / 2; most++)
      for (const [key, count] of this.#counts) if (count <= most) this.#counts.delete(key)
  }

  lines(): ReadonlySet<string> {
    const least = Math.max(FURNITURE_PAGES, this.#pages * FURNITURE_SHARE)
    return new Set([...this.#counts].flatMap(([key, count]) => (count >= least ? [key] : [])))
  }
}

const furnitureKey = (line: string): string =>
  line
    .toLowerCase()
    .replace(/(?<![\p{L}\d])\d+(?![\p{L}\d])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function plain(page: string, furniture: ReadonlySet<string>): string {
  const lines = page.split('\n')
  const kept =
    furniture.size === 0
      ? lines
      : lines.filter((line) => line.length > LONGEST_HEAD || !furniture.has(furnitureKey(line)))
  return kept
    .join('\n')
    .replace(/(?<=\p{L})[-\u00ad\u2010]\n\s*(?=\p{Ll})/gu, '')
    .replace(/https?:\S+/g, ' ')
}

/** FNV-1a. */
function wordNumber(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The smallest distinct numbers of many; holds at most twice as many as it keeps. */
class Smallest {
  readonly #most: number
  #kept = new Set<number>()
  #bound = 0xffffffff

  constructor(most: number) {
    this.#most = most
  }

  add(value: number): void {
    if (value > this.#bound) return
    this.#kept.add(value)
    if (this.#kept.size >= 2 * this.#most) this.#cut()
  }

  #cut(): void {
    const sorted = Uint32Array.from(this.#kept).sort().subarray(0, this.#most)
    this.#kept = new Set(sorted)
    this.#bound = sorted.at(-1) ?? 0xffffffff
  }

  sorted(): Uint32Array {
    return Uint32Array.from(this.#kept).sort().slice(0, this.#most)
  }
}
