import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { because } from '../model/reason.ts'
import { nextTurn, paced, Slices } from '../platform/clock/slices.ts'
import type { JsonObject } from '../platform/config/json.ts'
import { rewriteSteps } from '../platform/config/rewrite.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { type AtomicFileSystem, atomicFileSystem, errorCode, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { type ConfigProblem, freezeSteps, type Judged, judgeSteps, placelessProblem, problemText } from './document.ts'

/** `smtp_password` and the like stand in it: for its owner only. A file that exists keeps its mode. */
const MODE = 0o600
/** Between two slices the whole text may be parsed in one go, which takes as long again. */
const SLICE_MS = 5

export interface GoodReading {
  kind: 'good'
  judged: Judged & { ok: true }
}
/** The finding in the place of the file. */
export type Reading = { kind: 'missing' } | GoodReading | { kind: 'bad'; problems: Refused }
type Refused = (Judged & { ok: false })['problems']

export interface ConfigFileSystem extends AtomicFileSystem {
  readFile: (path: string) => Promise<Uint8Array>
}
export const configFileSystem: ConfigFileSystem = { ...atomicFileSystem, readFile }

/** Somebody else saved the file since it was read: read it again and repeat the change. */
export class ChangedOnDisk extends AppError {
  constructor(file: string) {
    super('conflict', because('changed_on_disk', { file }))
  }
}

/**
 * The durable adapter under lowdb: a write first keeps the good file as `.bak`, then replaces it atomically, and never
 * goes over a file that is invalid or that changed since it was read (contract §12). All of it in slices: contract §6, *Warnings
 * before work*.
 */
export class ConfigFile implements Adapter<JsonObject> {
  readonly path: string
  readonly #fs: ConfigFileSystem
  #reading: Reading = { kind: 'missing' }

  constructor(path: string, fs: ConfigFileSystem = configFileSystem) {
    this.path = path
    this.#fs = fs
  }

  /** The result of the last `read` or `write`; of a good one everything is frozen. */
  get reading(): Reading {
    return this.#reading
  }

  /** Reads and judges the file, and remembers it as `reading`. Never throws for what stands in it. */
  async look(): Promise<Reading> {
    this.#reading = await this.#read(this.path)
    return this.#reading
  }

  /** lowdb's way to read: null when it is missing. @throws AppError `config-refused` when it is not valid. */
  async read(): Promise<JsonObject | null> {
    const reading = await this.look()
    if (reading.kind === 'bad')
      throw new AppError('config-refused', because('note', { text: problemText(reading.problems[0]) }))
    return reading.kind === 'good' ? reading.judged.raw : null
  }

  /** @throws AppError `conflict` when the file is invalid or changed since it was read; `no-space`, `unavailable`. */
  async write(data: JsonObject): Promise<void> {
    const now = await this.#demandUnchanged()
    await nextTurn()
    const text = await inSlices(rewriteSteps(data, now.kind === 'good' ? now.judged : null))
    await nextTurn()
    const next = await this.#judge(Buffer.from(text), this.path)
    if (next.kind === 'bad') throw new AppError('invalid', because('note', { text: problemText(next.problems[0]) }))
    // Judging takes a while, and somebody may have saved meanwhile.
    await this.#demandUnchanged()
    if (now.kind === 'good') await this.keepBackup(now.judged.text)
    await writeFileAtomic(this.path, text, now.kind === 'missing' ? { mode: MODE, fs: this.#fs } : { fs: this.#fs })
    this.#reading = next
  }

  /** @throws AppError `conflict` when the file is invalid or changed since it was read. */
  async #demandUnchanged(): Promise<Reading> {
    const now = await this.#read(this.path)
    if (now.kind === 'bad') throw refusal(now.problems[0])
    if (textOf(now) !== textOf(this.#reading)) throw new ChangedOnDisk(this.path)
    return now
  }

  get backupPath(): string {
    return `${this.path}.bak`
  }

  /** The copy kept from before, if there is a good one. */
  async readBackup(): Promise<Reading> {
    return this.#read(this.backupPath)
  }

  /** Keeps `text`, which is good, as the last good copy; writes only when it is another one. */
  async keepBackup(text: string): Promise<void> {
    if ((await this.#textAt(this.backupPath)) !== text)
      await writeFileAtomic(this.backupPath, text, { mode: MODE, fs: this.#fs })
  }

  async #read(path: string): Promise<Reading> {
    let bytes: Uint8Array
    try {
      bytes = await this.#fs.readFile(path)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return { kind: 'missing' }
      const problem = placelessProblem(path, 'unreadable', `cannot be read: ${errorText(error)}`)
      return { kind: 'bad', problems: [problem] }
    }
    return this.#judge(bytes, path)
  }

  /** A text that was found good a moment ago is not judged again. */
  async #judge(bytes: Uint8Array, path: string): Promise<Reading> {
    const known = textOf(this.#reading)
    if (known !== null && textIn(bytes) === known) return this.#reading
    await nextTurn()
    const judged = await inSlices(judgeSteps(bytes, path))
    if (!judged.ok) return { kind: 'bad', problems: judged.problems }
    await inSlices(freezeSteps(judged.raw))
    await inSlices(freezeSteps(judged.config))
    return { kind: 'good', judged }
  }

  /** Null where there is none. What is wrong with it is told by whoever writes in its place. */
  async #textAt(path: string): Promise<string | null> {
    try {
      return textIn(await this.#fs.readFile(path))
    } catch (error) {
      if (errorCode(error) === '') throw error
      return null
    }
  }
}

/** Says why nothing is saved while the file is invalid: names line and path (contract §12). */
export function refusal(problem: ConfigProblem): AppError {
  const { path, code, message } = problem
  return new AppError('conflict', because('repair_it_first', { problem: problemText(problem) }), {
    issues: [{ path, code, message }]
  })
}

function refusedAtStart(problem: ConfigProblem, count: number): AppError {
  const { path, code, message } = problem
  const said = { problem: problemText(problem) }
  const why =
    count > 1 ? because('refused_at_start_more', { ...said, more: count - 1 }) : because('refused_at_start', said)
  return new AppError('config-refused', why, { issues: [{ path, code, message }] })
}

/** The note about a station that runs by the backup because the file is gone. */
export const GONE =
  'the file is gone, its backup config.json.bak is in force: put the file back, or save any setting; to begin anew, remove both'

/** The base of a start: the file, else its backup and the problem of the file (also when that is gone), else (both null) the defaults. */
export interface FirstReading {
  good: GoodReading | null
  problem: ConfigProblem | null
}

/** @throws AppError `config-refused`, naming file, line and pointer, when the file is invalid and there is no good copy. */
export async function readAtStart(file: ConfigFile): Promise<FirstReading> {
  const reading = await file.look()
  if (reading.kind === 'good') return { good: reading, problem: null }
  const backup = await file.readBackup()
  if (reading.kind === 'missing') {
    if (backup.kind !== 'good') return { good: null, problem: null }
    // A station that was set up must not wake as an empty one: that would route nothing and call itself ready.
    return { good: backup, problem: placelessProblem(file.path, 'missing', GONE) }
  }
  const [problem] = reading.problems
  if (backup.kind !== 'good') throw refusedAtStart(problem, reading.problems.length)
  return { good: backup, problem }
}

/** Null when it is not UTF-8; without a byte order mark, as it is judged. */
function textIn(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : null
}

async function inSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  const slices = new Slices(nextTurn, SLICE_MS)
  return paced(steps, () => slices.pause())
}

function textOf(reading: Reading): string | null {
  return reading.kind === 'good' ? reading.judged.text : null
}
