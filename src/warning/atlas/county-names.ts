import { readFileSync } from 'node:fs'
import { errorText } from '../../platform/errors.ts'
import { stateOf } from '../coverage/codes.ts'
import type { ZoneCounties } from '../coverage/zones.ts'
import { membersOf } from './place-index.ts'

export interface CountyNamesOptions {
  /** The county atlas (TopoJSON with names), or null when it is not installed. */
  atlasFile: string | null
  onProblem: (message: string) => void
}

/**
 * Words that say which part of a county a zone is: `Northern Fairfield`, `Mendocino Coast`. A valley or a desert may be
 * larger than the county of its name.
 */
const PART =
  /^(?:(?:north|south)(?:east|west)?(?:ern)?|(?:east|west)(?:ern)?|central|coastal|inland|interior|upper|lower|greater|metro(?:politan)?|far|extreme|coast|county|counties|city|of|the|and|lakeshore|mainland)$/
/** Names of counties that are also plain words of maps: alone they name no county. */
const PLAIN = new Set(
  'bay lake valley mountain park grand union summit island river desert forest garden eagle'.split(' ')
)

/**
 * The counties of a zone by its name, as text products list it: most zones are named after the county they are, or are a
 * part of. Nothing is read before the first question. Never throws.
 */
export class CountyNames {
  readonly #o: CountyNamesOptions
  /** By state and bare name. */
  #byName: ReadonlyMap<string, readonly string[]> | null = null

  constructor(options: CountyNamesOptions) {
    this.#o = options
  }

  /**
   * The counties among the names, in the state of the zone; null when no name is one. `whole` when every name is, with
   * nothing but the words for a part of it.
   */
  counties(zone: string, names: readonly string[]): ZoneCounties | null {
    const state = stateOf(zone)
    const found = names.map((name) => this.#read(name, state))
    const codes = [...new Set(found.flatMap((one) => one.codes))]
    return codes.length === 0 ? null : { codes, whole: found.every(({ whole }) => whole) }
  }

  /** Reads the names before the first question. */
  prepare(): void {
    this.#all()
  }

  #read(name: string, state: string): { codes: readonly string[]; whole: boolean } {
    const words = bare(name.replace(new RegExp(`[ ,]+${state}$`), '')).split(' ')
    for (let length = Math.min(words.length, 4); length > 0; length--) {
      for (let at = 0; at + length <= words.length; at++) {
        const own = words.slice(at, at + length).join('')
        const rest = [...words.slice(0, at), ...words.slice(at + length)]
        const whole = rest.every((word) => PART.test(word))
        const codes = this.#all().get(`${state} ${own}`)
        if (codes !== undefined && (whole || !PLAIN.has(own))) return { codes, whole }
      }
    }
    return { codes: [], whole: false }
  }

  #all(): ReadonlyMap<string, readonly string[]> {
    this.#byName ??= this.#load()
    return this.#byName
  }

  #load(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>()
    if (this.#o.atlasFile === null) return found
    try {
      const { objects } = JSON.parse(readFileSync(this.#o.atlasFile, 'utf8'))
      for (const { code, name } of membersOf(objects?.counties)) {
        const key = `${stateOf(code)} ${bare(name).replaceAll(' ', '')}`
        found.set(key, [...(found.get(key) ?? []), code])
      }
    } catch (error) {
      this.#o.onProblem(errorText(error))
    }
    return found
  }
}

/** Without accents, case and punctuation: `St. Lawrence` and `Saint Lawrence` are one. */
function bare(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .replace(/\bsaint(e?)\b/g, 'st$1')
    .replace(/\b(?:county|parish|borough)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}
