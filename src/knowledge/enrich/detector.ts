import { because, type Reason } from '../../model/reason.ts'
import { reasonOf } from '../../platform/errors.ts'
import { languageCode } from './language-codes.ts'

/** A language and how sure the detector is of it, 0…1. */
export interface Guess {
  /** ISO 639-1 where there is one, else ISO 639-3. */
  code: string
  share: number
}

/** The state of the detector on `/knowledge`: a station whose filter lets everything through must say so (L7). */
export interface DetectorState {
  detector: 'fasttext' | 'franc-min'
  state: 'not loaded' | 'ready' | 'missing'
  /** The reason why it is missing. */
  reason: Reason | null
}

export interface Detector {
  /** The likeliest languages of a text, best first; empty when nothing can be said. Null: there is no working detector. */
  guess(text: string): Promise<Guess[] | null>
  state(): DetectorState
}

/** The languages of franc-min 6.2, as the program writes them. */
const SMALL =
  'es en pt id fr de jv vi it tr pl sw su ro ha ff bs hr nl sr ku yo uz ms ig ceb tl hu az cs rn mg qu mad ny za rw zu sv ln ' +
  'so hmn ilo ru uk koi be bg kk ar ur skr fa ps hi mr mai bho ne mag zh ja ko bn ta te kn gu ml my pa am th si el za'
const SMALL_LANGUAGES = new Set(SMALL.split(' '))

/** True when the small detector knows every one of these languages; only then a profile may use it (contract §8). */
export function isSmallEnough(allowed: readonly string[]): boolean {
  return allowed.every((code) => SMALL_LANGUAGES.has(languageCode(code)))
}

type Guesser = (text: string) => Guess[]

/** Tests put others in their place. */
export interface DetectorParts {
  fasttext: () => Promise<Guesser>
  francMin: () => Promise<Guesser>
}
const PARTS: DetectorParts = { fasttext: loadFasttext, francMin: loadFrancMin }

/**
 * The detector of this profile, loaded at the first text: the small one where the profile asks for it and it knows every
 * allowed language, else fastText's lid.176 (100 % of 35 languages at 1500 characters, 22 MB). Neither reaches for the
 * network. One that cannot be loaded is asked for again at the next start of the process.
 */
export function createDetector(options: {
  small: boolean
  /** As configured now: a change may need the other detector. */
  allowed: () => readonly string[]
  parts?: DetectorParts
}): Detector {
  const { fasttext, francMin } = options.parts ?? PARTS
  const both = { fasttext: new LoadedOnce('fasttext', fasttext), 'franc-min': new LoadedOnce('franc-min', francMin) }
  const current = (): LoadedOnce => both[options.small && isSmallEnough(options.allowed()) ? 'franc-min' : 'fasttext']
  return { state: () => ({ ...current().state }), guess: (text) => current().guess(text) }
}

class LoadedOnce {
  readonly state: DetectorState
  readonly #load: () => Promise<Guesser>
  #loading: Promise<Guesser | null> | null = null

  constructor(detector: DetectorState['detector'], load: () => Promise<Guesser>) {
    this.state = { detector, state: 'not loaded', reason: null }
    this.#load = load
  }

  async guess(text: string): Promise<Guess[] | null> {
    this.#loading ??= this.#loaded()
    const guesser = await this.#loading
    try {
      return guesser === null ? null : guesser(text)
    } catch (error) {
      // A WebAssembly module that trapped once is of no more use.
      return this.#lost(error)
    }
  }

  async #loaded(): Promise<Guesser | null> {
    try {
      const guesser = await this.#load()
      this.state.state = 'ready'
      return guesser
    } catch (error) {
      return this.#lost(error)
    }
  }

  #lost(error: unknown): null {
    this.state.state = 'missing'
    this.state.reason = because('detector_broken', { detector: this.state.detector, said: reasonOf(error) })
    this.#loading = Promise.resolve(null)
    return null
  }
}

/** The package finds its model and its WebAssembly beside its own files; it is not bundled for that reason. */
async function loadFasttext(): Promise<Guesser> {
  const { getLIDModel } = await import('fasttext.wasm.js')
  const identification = await getLIDModel()
  const model = await identification.load()
  return (text) => {
    const found = model.predict(text, 5, 0.01)
    const guesses: Guess[] = []
    for (let at = 0; at < found.size(); at++) {
      const [share, label] = found.get(at)
      const raw = label.replace('__label__', '')
      guesses.push({ code: fasttextCode(raw), share })
    }
    // Memory of the WebAssembly heap, which no garbage collector sees.
    if ('delete' in found && typeof found.delete === 'function') found.delete()
    return guesses
  }
}

/** lid.176 names languages as Wikipedia does: `als` is Alemannic there, Tosk Albanian in ISO 639-3. */
const WIKIPEDIA = new Map([
  ['als', 'gsw'],
  ['bh', 'bho'],
  ['eml', 'egl'],
  ['nah', 'nhn']
])

function fasttextCode(raw: string): string {
  return WIKIPEDIA.get(raw) ?? languageCode(raw)
}

async function loadFrancMin(): Promise<Guesser> {
  const { francAll } = await import('franc-min')
  return (text) => {
    const [best, ...rest] = francAll(text)
    if (best === undefined || best[0] === 'und') return []
    // Its figures are distances to the best one, not shares: the first counts, the rest is order.
    return [best, ...rest.slice(0, 4)].map(([code], rank) => ({ code: languageCode(code), share: rank === 0 ? 1 : 0 }))
  }
}
