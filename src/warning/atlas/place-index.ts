import { readFile } from 'node:fs/promises'
import { readersTurn, Slices } from '../../platform/clock/slices.ts'
import { errorText } from '../../platform/errors.ts'
import { canonicalCode, isZone, stateOf } from '../coverage/codes.ts'

/** A place with a code, as a search finds it. */
export interface PlaceFound {
  /** Canonical: UGC, or the two letters of a state. */
  code: string
  /** Empty when only the code is known: zone packs keep no names. */
  name: string
  /** Name of the state; empty for a state itself. */
  state: string
  kind: 'state' | 'county' | 'zone'
}

export interface PlaceIndexOptions {
  /** The county atlas (TopoJSON with names), or null when it is not installed. */
  atlasFile: string | null
  /** Codes of the operator's zone packs, canonical. */
  packCodes: () => readonly string[]
  onProblem: (message: string) => void
}

interface Entry extends PlaceFound {
  /** Folded name and state, for comparing. */
  words: string
  folded: string
}

interface Names {
  entries: readonly Entry[]
  byCode: ReadonlyMap<string, Entry>
}

/**
 * Names of counties and states, and codes of zones. The atlas is read when somebody searches for the first time, in slices: the
 * thread of the radios is not held by a visitor. Only the names are kept. Never rejects: without an atlas only codes are found.
 */
export class PlaceIndex {
  readonly #o: PlaceIndexOptions
  #names: Promise<Names> | null = null

  constructor(options: PlaceIndexOptions) {
    this.#o = options
  }

  /** The name of a code: `Ada`; empty when there is none. */
  async nameOf(code: string): Promise<string> {
    return (await this.#all()).byCode.get(code)?.name ?? ''
  }

  /**
   * Best first: the code itself, names that begin so, words that begin so, names that contain it. `ada id`, `Ada, Idaho`
   * and `IDC001` all find Ada County.
   */
  async search(query: string, limit: number): Promise<PlaceFound[]> {
    const text = fold(query)
    if (text === '') return []
    const exact = canonicalCode(query)
    const found = this.#candidates(await this.#all(), exact)
      .map((entry) => ({ entry, rank: rankOf(entry, text, exact) }))
      .filter(({ rank }) => rank !== null)
      // By characters: the words are folded, and an order of a language costs ten times as much.
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || (a.entry.words < b.entry.words ? -1 : 1))
    return found.slice(0, limit).map(({ entry: { code, name, state, kind } }) => ({ code, name, state, kind }))
  }

  #candidates({ entries, byCode }: Names, exact: string | null): readonly Entry[] {
    const more = [...this.#o.packCodes(), ...(exact === null ? [] : [exact])]
    const nameless = [...new Set(more)].filter((code) => !byCode.has(code))
    const stateName = (code: string): string => byCode.get(stateOf(code))?.name ?? stateOf(code)
    return [...entries, ...nameless.map((code) => entryOf(code, '', stateName(code)))]
  }

  #all(): Promise<Names> {
    this.#names ??= this.#read()
    return this.#names
  }

  async #read(): Promise<Names> {
    const entries: Entry[] = []
    const byCode = new Map<string, Entry>()
    const keep = (entry: Entry): void => {
      entries.push(entry)
      byCode.set(entry.code, entry)
    }
    try {
      if (this.#o.atlasFile === null) return { entries, byCode }
      const { objects } = JSON.parse(await readFile(this.#o.atlasFile, 'utf8'))
      // To parse it takes as long as a slice.
      await readersTurn()
      const states = membersOf(objects?.states)
      const counties = membersOf(objects?.counties)
      await readersTurn()
      const slices = new Slices(readersTurn)
      for (const { code, name } of states) keep(entryOf(code, name, ''))
      for (const { code, name } of counties) {
        keep(entryOf(code, name, byCode.get(stateOf(code))?.name ?? stateOf(code)))
        await slices.pause()
      }
    } catch (error) {
      this.#o.onProblem(errorText(error))
    }
    return { entries, byCode }
  }
}

/** The atlas is a file of this program, but it is read as carefully as any other. */
export function membersOf(object: unknown): { code: string; name: string }[] {
  if (typeof object !== 'object' || object === null || !('geometries' in object)) return []
  const { geometries } = object
  if (!Array.isArray(geometries)) return []
  return geometries.flatMap((member: unknown) => {
    if (typeof member !== 'object' || member === null || !('id' in member) || !('properties' in member)) return []
    const id = String(member.id)
    const code = canonicalCode(id.length === 2 ? `${id}000` : id)
    const { properties } = member
    const name = typeof properties === 'object' && properties !== null && 'name' in properties ? properties.name : null
    return code === null || typeof name !== 'string' ? [] : [{ code, name }]
  })
}

function entryOf(code: string, name: string, state: string): Entry {
  const kind = code.length === 2 ? 'state' : isZone(code) ? 'zone' : 'county'
  return { code, name, state, kind, folded: fold(name), words: fold(`${name} ${state} ${stateOf(code)} ${code}`) }
}

/** Without accents, case and punctuation: `Doña Ana` is `dona ana`. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:county|parish|borough)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/** Lower is better; null: not found. */
function rankOf(entry: Entry, text: string, exact: string | null): number | null {
  if (exact !== null && entry.code === exact) return 0
  if (entry.folded === text) return entry.kind === 'state' ? 1 : 2
  const words = entry.words.split(' ')
  if (!text.split(' ').every((part) => words.some((word) => word.startsWith(part))))
    return entry.folded.includes(text) ? 5 : null
  return entry.folded !== '' && entry.folded.startsWith(text.split(' ')[0] ?? text) ? 3 : 4
}
