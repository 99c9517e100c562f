import { randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import { sha256Hex } from '../bytes/hash.ts'
import { fileSignature } from '../config/signature.ts'
import { AppError, errorText, refusedAt } from '../errors.ts'
import { errorCode, removeLeftovers } from '../files/atomic-file.ts'
import { KnownFolder } from '../files/known-folder.ts'
import type { Log } from '../log/log.ts'
import { CLAIM_CODE_BYTES, claimCode, readClaimCode } from './claim-code.ts'
import { COST, type Cost, hashSecret, isSecret, type SecretHash } from './secret-hash.ts'
import {
  NOTHING,
  readSessionFile,
  type SessionFile,
  type SessionRecord,
  setAside,
  writeSessionFile
} from './session-file.ts'

export const SESSION_FILE = 'session.json'
/** Counted as a person does; nothing else is asked of a passphrase. */
export const LEAST_PASSPHRASE = 8
/** More is no passphrase but an attempt to keep the processor busy. Bytes. */
const LONGEST_PASSPHRASE = 1024

const SESSION_BYTES = 32
const SESSION_MS = 30 * 86_400_000
/** A session in use is written down again this often, not at each request: flash wears out. */
const TOUCH_MS = 6 * 3_600_000
const MAX_SESSIONS = 20
/** A code that was told by radio, where others may see the phone it came to. */
export const ONCE_MS = 15 * 60_000
const ONCE_TRIES = 10
const MAX_ADDRESSES = 20

export interface SessionState {
  /** Somebody has chosen the passphrase. */
  claimed: boolean
  /** There is a claim code to be typed in. */
  offered: boolean
  /** There is a code by which a new passphrase may be chosen in place of the one there is. */
  renewable?: true
  /** The reason why the file cannot be used; null when it can. */
  problem: string | null
}

export interface SessionStoreOptions {
  /** The data folder. */
  folder: string
  now?: () => number
  random?: (bytes: number) => Buffer
  log?: Pick<Log, 'warn'>
  /** Of the hashes it makes; tests take less. */
  cost?: Cost
  /** Replaces the file; tests pass one that fails. */
  write?: typeof writeSessionFile
}

/**
 * The operator's passphrase and sessions (contract §10) in `session.json`, mode 0600: hashes only, so a copy of the file
 * opens nothing. Changes are made one at a time; the file is replaced in one step, so no crash leaves half of it.
 */
export class SessionStore {
  readonly #path: string
  readonly #folder: KnownFolder
  readonly #now: () => number
  readonly #random: (bytes: number) => Buffer
  readonly #log: Pick<Log, 'warn'> | undefined
  readonly #cost: Cost
  readonly #writeFile: typeof writeSessionFile
  #signature: string | null = null
  #known: SessionFile = NOTHING
  #queue: Promise<unknown> = Promise.resolve()
  /** Not in the file: it ends with the process. */
  #once: { hash: SecretHash; until: number; tries: number } | null = null

  constructor({
    folder,
    now = Date.now,
    random = randomBytes,
    log,
    cost = COST,
    write = writeSessionFile
  }: SessionStoreOptions) {
    this.#path = join(folder, SESSION_FILE)
    this.#folder = new KnownFolder(folder)
    this.#now = now
    this.#random = random
    this.#log = log
    this.#cost = cost
    this.#writeFile = write
  }

  /** Never throws for what stands in the file. */
  async state(): Promise<SessionState> {
    try {
      const { claim, passphrase } = await this.#file()
      const renewable = passphrase !== null && this.#isOnceOpen() ? { renewable: true as const } : {}
      return {
        claimed: passphrase !== null,
        offered: passphrase === null && claim !== null,
        problem: null,
        ...renewable
      }
    } catch (error) {
      return { claimed: false, offered: false, problem: errorText(error) }
    }
  }

  /** A code by which one new passphrase may be chosen within `ONCE_MS`; the one before ends. Nothing changes until it is used. */
  offerOnce(): Promise<string> {
    return this.#enqueue(async () => {
      const code = claimCode(this.#random(CLAIM_CODE_BYTES))
      this.#once = { hash: await this.#hash(code), until: this.#now() + ONCE_MS, tries: ONCE_TRIES }
      return code
    })
  }

  /** The clock may have been set back meanwhile: then it is over, too. */
  #isOnceOpen(): boolean {
    const left = (this.#once?.until ?? 0) - this.#now()
    return left > 0 && left <= ONCE_MS
  }

  async #isOnce(code: string): Promise<boolean> {
    if (this.#once === null || !this.#isOnceOpen()) return false
    if (await isSecret(readClaimCode(code), this.#once.hash)) return true
    this.#once.tries--
    if (this.#once.tries === 0) this.#once = null
    return false
  }

  /**
   * A new claim code, `7KQM-3FXB`; the one before ends. Its text is in the answer and nowhere else. A file that cannot be
   * used is put aside. `reset` forgets the passphrase and ends every session. `code`: that one in place of one by chance.
   * Null, and nothing is written, when the program was `asked` to end meanwhile: nobody waits for a hash then.
   * @throws AppError `conflict` when the station is claimed and `reset` is false.
   */
  newClaim(options?: { reset?: boolean }): Promise<string>
  newClaim(options: { asked: AbortSignal; code?: string }): Promise<string | null>
  newClaim({
    reset = false,
    asked,
    code = claimCode(this.#random(CLAIM_CODE_BYTES))
  }: {
    reset?: boolean
    asked?: AbortSignal
    code?: string
  } = {}): Promise<string | null> {
    return this.#enqueue(async () => {
      await removeLeftovers(this.#path, Date.now())
      const before = await this.#readOrSetAside()
      if (before.passphrase !== null && !reset) throw new AppError('conflict', because('claimed_sign_in'))
      const claim = await this.#hash(code)
      if (asked?.aborted) return null
      await this.#write({ ...before, claim, passphrase: null, sessions: [], addresses: [] })
      return code
    })
  }

  /**
   * Sets the first passphrase and answers the token of a session. @throws AppError `unauthenticated` for a wrong code,
   * `invalid` for a passphrase that is too short, `conflict` when there is one already. `from` is remembered.
   */
  claim(code: string, passphrase: string, from = ''): Promise<string> {
    return this.#change(async (file) => {
      checkPassphrase(passphrase)
      const isOffered = this.#isOnceOpen()
      if (isOffered && (await this.#isOnce(code.slice(0, 64)))) {
        this.#once = null
        const renewed = await this.#hash(passphrase)
        return this.#withSession({ ...file, claim: null, passphrase: renewed, sessions: [] }, from)
      }
      if (file.passphrase !== null && isOffered) throw new AppError('unauthenticated', because('not_the_claim_code'))
      if (file.passphrase !== null) throw new AppError('conflict', because('claimed_already'))
      if (file.claim === null) throw new AppError('conflict', because('no_claim_code_yet'))
      if (!(await isSecret(readClaimCode(code.slice(0, 64)), file.claim)))
        throw new AppError('unauthenticated', because('not_the_claim_code'))
      const kept = await this.#hash(passphrase)
      return this.#withSession({ ...file, claim: null, passphrase: kept, sessions: [] }, from)
    })
  }

  /** Answers the token of a new session; `from` is remembered. @throws AppError `unauthenticated`; `conflict` before the station is claimed. */
  signIn(passphrase: string, from = ''): Promise<string> {
    return this.#change(async (file) => {
      await checkSecret(file, passphrase)
      return this.#withSession(file, from)
    })
  }

  /** True when somebody has signed in from this address since the station was claimed. */
  async hasSignedInFrom(address: string): Promise<boolean> {
    try {
      return (await this.#file()).addresses.includes(address)
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  /** Answers the token of a new session: every other one ends. @throws AppError `unauthenticated`, `invalid`, `conflict`. */
  changePassphrase(current: string, next: string): Promise<string> {
    return this.#change(async (file) => {
      checkPassphrase(next)
      await checkSecret(file, current)
      return this.#withSession({ ...file, passphrase: await this.#hash(next), sessions: [] })
    })
  }

  /** Ends this session; nothing happens when there is none. */
  async signOut(token: string): Promise<void> {
    const hash = sha256Hex(token)
    await this.#change(async (file) => {
      const sessions = file.sessions.filter((session) => session.hash !== hash)
      return { file: sessions.length === file.sessions.length ? null : { ...file, sessions }, answer: null }
    })
  }

  /**
   * True when this token is a session of today. Each use lengthens it to 30 days from now. False, never an error, while
   * the file cannot be used: reading the pages stays possible, and `state` tells.
   */
  async verify(token: string): Promise<boolean> {
    if (!/^[\w-]{43}$/.test(token)) return false
    let file: SessionFile
    try {
      file = await this.#file()
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
    const hash = Buffer.from(sha256Hex(token), 'hex')
    let found: SessionRecord | null = null
    for (const session of file.sessions) {
      if (timingSafeEqual(Buffer.from(session.hash, 'hex'), hash)) found = session
    }
    if (found === null || !this.#isAlive(found)) return false
    if (this.#now() - Date.parse(found.seen_at) > TOUCH_MS) await this.#touch(found.hash)
    return true
  }

  /** A full disk must not lock the operator out. */
  async #touch(hash: string): Promise<void> {
    const seen_at = new Date(this.#now()).toISOString()
    try {
      await this.#change(async (file) => {
        const sessions = file.sessions.map((session) => (session.hash === hash ? { ...session, seen_at } : session))
        return { file: { ...file, sessions }, answer: null }
      })
    } catch (error) {
      if (!(error instanceof AppError) && errorCode(error) === '') throw error
      this.#log?.warn({ err: error }, 'the use of a session could not be written down')
    }
  }

  #hash(secret: string): Promise<SecretHash> {
    return hashSecret(secret, { random: this.#random, cost: this.#cost })
  }

  #isAlive({ seen_at }: SessionRecord): boolean {
    return this.#now() - Date.parse(seen_at) < SESSION_MS
  }

  #withSession(file: SessionFile, from = ''): { file: SessionFile; answer: string } {
    const answer = this.#random(SESSION_BYTES).toString('base64url')
    const now = new Date(this.#now()).toISOString()
    // Those not used for longest make room.
    const others = file.sessions
      .filter((session) => this.#isAlive(session))
      .sort((a, b) => Date.parse(b.seen_at) - Date.parse(a.seen_at))
      .slice(0, MAX_SESSIONS - 1)
    const addresses = from === '' ? file.addresses : [from, ...file.addresses.filter((one) => one !== from)]
    return {
      file: {
        ...file,
        addresses: addresses.slice(0, MAX_ADDRESSES),
        sessions: [{ hash: sha256Hex(answer), created_at: now, seen_at: now }, ...others]
      },
      answer
    }
  }

  /** Read again when it changed: `lookout token claim` is another process. */
  async #file(): Promise<SessionFile> {
    const signature = await fileSignature(this.#path, Date.now())
    if (signature === null || signature !== this.#signature) {
      this.#known = await readSessionFile(this.#path)
      this.#signature = signature
    }
    return this.#known
  }

  async #readOrSetAside(): Promise<SessionFile> {
    try {
      return await readSessionFile(this.#path)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#log?.warn({ err: error }, 'session.json cannot be used: it is put aside as session.json.bad')
      await setAside(this.#path)
      return NOTHING
    }
  }

  #change<T>(make: (file: SessionFile) => Promise<{ file: SessionFile | null; answer: T }>): Promise<T> {
    return this.#enqueue(async () => {
      const { file, answer } = await make(await readSessionFile(this.#path))
      if (file !== null) await this.#write(file)
      return answer
    })
  }

  async #write(file: SessionFile): Promise<void> {
    this.#folder.demand()
    await this.#writeFile(this.#path, file)
    this.#signature = null
  }

  /** One at a time: also so that many tries at once take the memory of one. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => undefined)
    return result
  }
}

async function checkSecret({ passphrase }: SessionFile, given: string): Promise<void> {
  if (passphrase === null) throw new AppError('conflict', because('not_claimed_yet'))
  if (Buffer.byteLength(given) > LONGEST_PASSPHRASE || !(await isSecret(given, passphrase)))
    throw new AppError('unauthenticated', because('not_the_passphrase'))
}

/** Lets a new passphrase pass or throws AppError `invalid`. Only its length counts. */
export function checkPassphrase(passphrase: string): void {
  const tooShort = [...passphrase.normalize('NFKC')].length < LEAST_PASSPHRASE
  if (!tooShort && Buffer.byteLength(passphrase) <= LONGEST_PASSPHRASE) return
  const why = tooShort
    ? because('passphrase_at_least', { least: LEAST_PASSPHRASE })
    : because('passphrase_at_most', { most: LONGEST_PASSPHRASE })
  throw refusedAt('/passphrase', 'range', why)
}
