import { readFileSync } from 'node:fs'
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

/**
 * Names of counties and states, and codes of zones. The atlas is read when somebody searches for the first time; only
 * the names are kept. Never throws: without an atlas only codes are found.
 */
export class PlaceIndex {
  readonly #o: PlaceIndexOptions
  #entries: readonly Entry[] | null = null
  #names: ReadonlyMap<string, string> | null = null

  constructor(options: PlaceIndexOptions) {
    this.#o = options
  }

  /** The name of a code: `Ada`; empty when there is none. */
  nameOf(code: string): string {
    this.#names ??= new Map(this.#all().map((entry) => [entry.code, entry.name]))
    return this.#names.get(code) ?? ''
  }

  /**
   * Best first: the code itself, names that begin so, words that begin so, names that contain it. `ada id`, `Ada, Idaho`
   * and `IDC001` all find Ada County.
   */
  search(query: string, limit: number): PlaceFound[] {
    const text = fold(query)
    if (text === '') return []
    const exact = canonicalCode(query)
    const found = this.#candidates(exact)
      .map((entry) => ({ entry, rank: rankOf(entry, text, exact) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.entry.words.localeCompare(b.entry.words))
    return found.slice(0, limit).map(({ entry: { code, name, state, kind } }) => ({ code, name, state, kind }))
  }

  #candidates(exact: string | null): readonly Entry[] {
    const named = this.#all()
    const known = new Set(named.map(({ code }) => code))
    const more = [...this.#o.packCodes(), ...(exact === null ? [] : [exact])]
    const states = new Map(named.filter(({ kind }) => kind === 'state').map(({ code, name }) => [code, name]))
    const nameless = [...new Set(more)].filter((code) => !known.has(code))
    return [...named, ...nameless.map((code) => entryOf(code, '', states.get(stateOf(code)) ?? stateOf(code)))]
  }

  #all(): readonly Entry[] {
    this.#entries ??= this.#read()
    return this.#entries
  }

  #read(): readonly Entry[] {
    if (this.#o.atlasFile === null) return []
    try {
      const { objects } = JSON.parse(readFileSync(this.#o.atlasFile, 'utf8'))
      const states = membersOf(objects?.states)
      const byCode = new Map(states.map(({ code, name }) => [code, name]))
      const counties = membersOf(objects?.counties)
      return [
        ...states.map(({ code, name }) => entryOf(code, name, '')),
        ...counties.map(({ code, name }) => entryOf(code, name, byCode.get(stateOf(code)) ?? stateOf(code)))
      ]
    } catch (error) {
      this.#o.onProblem(errorText(error))
      return []
    }
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
