import { readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../errors.ts'
import { errorCode, writeFileAtomic } from '../files/atomic-file.ts'
import { type KeyPair, readPair } from './certificate.ts'
import { makePair, WORKSHOP } from './make-pair.ts'

/** Key and certificate that the station made, in one file of the data folder: no end of the program leaves one without the other. */
export const OWN_PAIR_FILE = 'tls.pem'

const DAY_MS = 86_400_000
/** Before its end, so that nobody meets one that is over. */
const RENEW_MS = 30 * DAY_MS
/** A station that travels keeps the addresses of the places it comes back to. */
const MOST_NAMES = 40

/** The pair to use, and the reason why it is not a newer one. */
export interface Offered {
  /** The same object as long as nothing has changed. */
  pair: KeyPair
  problem: Reason | null
}

/** Where a server of https has its key and certificate from. */
export interface KeyPairs {
  /** @throws AppError, or an error of the disk, when there is none that can be used. */
  current: (signal: AbortSignal) => Promise<Offered>
}

/** A good one stays in use while the next is not to be had. */
async function orKnown(known: KeyPair | null, renew: () => Promise<KeyPair>): Promise<Offered> {
  try {
    return { pair: await renew(), problem: null }
  } catch (error) {
    if (known === null || !(error instanceof AppError || errorCode(error) !== '')) throw error
    return { pair: known, problem: reasonOf(error) }
  }
}

/** Files of somebody else, who renews them: read anew at each look. */
export class GivenPairs implements KeyPairs {
  readonly #files: readonly [key: string, certificate: string]
  #known: KeyPair | null = null

  /** Paths are absolute, or relative to the folder. */
  constructor(folder: string, files: { certificate: string; key: string }) {
    this.#files = [resolve(folder, files.key), resolve(folder, files.certificate)]
  }

  current(): Promise<Offered> {
    return orKnown(this.#known, () => this.#read())
  }

  async #read(): Promise<KeyPair> {
    const [key, certificate] = [await readGiven(this.#files[0]), await readGiven(this.#files[1])]
    if (this.#known?.key !== key || this.#known.certificate !== certificate)
      this.#known = this.#paired(key, certificate)
    return this.#known
  }

  #paired(key: string, certificate: string): KeyPair {
    try {
      return readPair(key, certificate)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const file = error.reason.code === 'tls_no_key' ? this.#files[0] : this.#files[1]
      throw new AppError(error.code, because('of_file', { file, said: error.reason }), { cause: error })
    }
  }
}

async function readGiven(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new AppError('missing', because('of_file', { file, said: reasonOf(error) }), { cause: error })
  }
}

export interface OwnPairsOptions {
  /** The data folder. */
  folder: string
  /** The names and addresses of this machine at present. */
  names: () => readonly string[]
  /** By the clock of this machine, which openssl writes into the certificate; null while nobody has set it. */
  time: () => number | null
  /** Where openssl is looked for; the PATH otherwise. */
  path?: string
}

/** A pair that the station makes, and makes anew when it has a further name or the certificate nears its end. */
export class OwnPairs implements KeyPairs {
  readonly #options: OwnPairsOptions
  readonly #file: string
  #known: KeyPair | null = null

  constructor(options: OwnPairsOptions) {
    this.#options = options
    this.#file = join(options.folder, OWN_PAIR_FILE)
  }

  async current(signal: AbortSignal): Promise<Offered> {
    this.#known ??= await readOwnPair(this.#options.folder)
    const known = this.#known
    const wanted = this.#options.names()
    if (known !== null && this.#isGood(known, wanted)) return { pair: known, problem: null }
    return orKnown(known, () => this.#make(wanted, signal))
  }

  async #make(wanted: readonly string[], signal: AbortSignal): Promise<KeyPair> {
    const { folder, path } = this.#options
    await removeWorkshops(folder)
    const former = this.#known?.facts.names.map(plainly) ?? []
    const all = [...new Set([...wanted, ...former])].slice(0, Math.max(MOST_NAMES, wanted.length))
    const pair = await makePair(folder, all, { signal, path })
    await writeFileAtomic(this.#file, `${pair.key}${pair.certificate}`, { mode: 0o600 })
    this.#known = pair
    return pair
  }

  #isGood({ facts }: KeyPair, wanted: readonly string[]): boolean {
    const has = new Set(facts.names.map(plainly))
    if (wanted.some((name) => !has.has(name))) return false
    const now = this.#options.time()
    return now === null || (now >= facts.validFrom - DAY_MS && now < facts.validTo - RENEW_MS)
  }
}

/** The pair in the data folder; null when there is none, or none that can be used. */
export async function readOwnPair(folder: string): Promise<KeyPair | null> {
  try {
    const text = await readFile(join(folder, OWN_PAIR_FILE), 'utf8')
    return readPair(text, text)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof AppError) return null
    throw error
  }
}

/** A certificate tells its loopback in full. */
function plainly(name: string): string {
  return name === '0:0:0:0:0:0:0:1' ? '::1' : name
}

/** A kill in the middle left one: keys lie in it that nobody uses. */
async function removeWorkshops(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(WORKSHOP)) await rm(join(folder, name), { recursive: true, force: true })
}
