import { appendFileSync, closeSync, fdatasyncSync, fstatSync, openSync, readFileSync, renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import type { Clock } from '../clock/clock.ts'
import { storageFaultOf } from '../database/storage-fault.ts'
import { errorCode } from '../files/atomic-file.ts'
import { KnownFolder } from '../files/known-folder.ts'
import type { Log } from '../log/log.ts'
import { isIn, putAnchor, readAnchor, syncLines } from './anchor.ts'
import { type AuditRecord, type ChainHead, NO_HEAD, readLine, sealedLine } from './chain.ts'

export const AUDIT_LOG = 'audit.log'
/** Of each of two generations: some 8,000 records. Bytes. */
const MOST_BYTES = 2 * 1024 * 1024
/** Records that nobody waits for are written together, so that a storm does not wear the card. Milliseconds. */
const GATHER_MS = 5000
/** The number of records that wait while the disk fails. */
const MOST_WAITING = 1000
const FIRST = 1
/** Enough of a line for its number. */
const MOST_DIGITS = 40
const LINE_END = '\n'
/** So long after the first record that it does not hold the anchor is put again: once in a while, so that it wears no card. Milliseconds. */
const ANCHOR_MS = 10 * 60_000

export interface AuditOptions {
  folder: string
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
}

/**
 * The record of who changed, sent, silenced and signed in: appended only, each line sealed with the hash of the one before
 * (docs/interface.md §10). What people do is written before they are answered; what leaves by itself is gathered for seconds. No
 * sync of its own: a card that takes its time would hold the radios.
 */
export class AuditLog {
  readonly #o: AuditOptions
  #file: number | null = null
  #bytes = 0
  #head: ChainHead | null = null
  #waiting: Omit<AuditRecord, 'seq'>[] = []
  #cancel: (() => void) | null = null
  #complained = false
  /** Number of the oldest record that is kept; null before the first write. */
  #from: number | null = null
  #cancelAnchor: (() => void) | null = null
  readonly #folder: KnownFolder

  constructor(options: AuditOptions) {
    this.#o = options
    this.#folder = new KnownFolder(options.folder)
  }

  /** Kept for the next write. */
  note(record: Omit<AuditRecord, 'seq' | 'at' | 'more'> & { more?: AuditRecord['more'] }): void {
    if (this.#waiting.length >= MOST_WAITING) return
    const at = new Date(this.#o.clock.now()).toISOString()
    this.#waiting.push({ at, more: {}, ...record })
    this.#cancel ??= this.#o.clock.after(GATHER_MS, () => {
      this.#cancel = null
      this.write()
    })
  }

  /** Written at once. */
  add(record: Parameters<AuditLog['note']>[0]): void {
    this.note(record)
    this.write()
  }

  /** A disk that takes nothing is no reason to refuse what somebody does: it is told once, and tried again with the next record. */
  write(): void {
    if (this.#waiting.length === 0) return
    try {
      const file = this.#open()
      let head = this.#head ?? NO_HEAD
      const lines = this.#waiting.map((record) => {
        const sealed = sealedLine({ seq: head.seq + 1, ...record }, head)
        head = sealed.head
        return sealed.line
      })
      const text = lines.join('')
      appendFileSync(file, text)
      this.#head = head
      this.#waiting = []
      this.#complained = false
      this.#bytes += Buffer.byteLength(text)
      this.#cancelAnchor ??= this.#o.clock.after(ANCHOR_MS, () => void this.#anchor())
      if (this.#bytes > MOST_BYTES) this.#turn()
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      this.#release()
      if (!this.#complained)
        this.#o.log.warn({ err: error }, `${AUDIT_LOG} could not be written: records wait in memory`)
      this.#complained = true
    }
  }

  /** The newest records, the newest first: `most` of those before the one numbered `before`. */
  async newest(most: number, before = Number.POSITIVE_INFINITY): Promise<AuditRecord[]> {
    this.write()
    const found: AuditRecord[] = []
    for (const name of [AUDIT_LOG, `${AUDIT_LOG}.1`]) {
      const lines = await linesOf(join(this.#o.folder, name))
      for (let n = lines.length - 1; n >= 0 && found.length < most; n--) {
        const line = lines[n] ?? ''
        const record = numberOf(line) < before ? readLine(line)?.record : undefined
        if (record !== undefined) found.push(record)
      }
    }
    return found
  }

  async find(seq: number): Promise<AuditRecord | null> {
    const [found] = await this.newest(1, seq + 1)
    return found?.seq === seq ? found : null
  }

  close(): void {
    this.#cancel?.()
    this.#cancel = null
    this.write()
    const isDue = this.#cancelAnchor !== null
    this.#cancelAnchor?.()
    this.#cancelAnchor = null
    try {
      if (isDue && this.#file !== null) {
        fdatasyncSync(this.#file)
        this.#putAnchor(this.#head)
      }
    } catch (error) {
      this.#untold(error)
    }
    this.#release()
  }

  /** The head of this moment, once it is on the disk; nobody waits for it. */
  async #anchor(): Promise<void> {
    this.#cancelAnchor = null
    const head = this.#head
    try {
      await syncLines(join(this.#o.folder, AUDIT_LOG))
      this.#putAnchor(head)
    } catch (error) {
      this.#untold(error)
    }
  }

  #putAnchor(head: ChainHead | null): void {
    this.#folder.demand()
    if (head !== null) putAnchor(this.#o.folder, { from: this.#from ?? FIRST, ...head })
  }

  /** Without a new anchor the one before counts. */
  #untold(error: unknown): void {
    if (storageFaultOf(error) === null) throw error
    this.#o.log.warn({ err: error }, 'how far the log of who did what has come could not be noted')
  }

  #open(): number {
    if (this.#file !== null) return this.#file
    this.#folder.demand()
    const path = join(this.#o.folder, AUDIT_LOG)
    this.#head = headOf(path) ?? headOf(`${path}.1`)
    if (this.#from === null) this.#meet(path)
    const file = openSync(path, 'a', 0o600)
    this.#file = file
    this.#bytes = fstatSync(file).size
    // The power may have ended the last line.
    if (this.#bytes > 0 && !readFileSync(path).subarray(-1).equals(Buffer.from(LINE_END)))
      appendFileSync(file, LINE_END)
    return file
  }

  /** Somebody who shortens the log while nothing runs leaves a gap that the next records would close: it becomes a record. */
  #meet(path: string): void {
    const generations = [`${path}.1`, path].map(textOf)
    const anchor = readAnchor(this.#o.folder)
    this.#from = anchor?.from ?? firstOf(generations.join(''))
    const left = this.#head?.seq ?? 0
    if (anchor === null || generations.some((text) => isIn(text, anchor))) return
    const at = new Date(this.#o.clock.now()).toISOString()
    this.#waiting.unshift({ at, by: 'station', what: because('audit_cut', { had: anchor.seq, left }), more: {} })
  }

  #release(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #turn(): void {
    this.#release()
    const path = join(this.#o.folder, AUDIT_LOG)
    const { seq, hash } = this.#head ?? NO_HEAD
    // Told before it is so: a power cut in between leaves more than is told of, and never less.
    const anchor = readAnchor(this.#o.folder)
    this.#from = firstOf(textOf(path))
    if (anchor !== null) putAnchor(this.#o.folder, { ...anchor, from: this.#from })
    renameSync(path, `${path}.1`)
    this.#o.log.info({ seq, hash }, `${AUDIT_LOG} begins anew; the older half is kept beside it`)
  }
}

/** Whole lines; none when there is no such file. */
export async function linesOf(path: string): Promise<string[]> {
  try {
    return splitLines(await readFile(path, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

function splitLines(text: string): string[] {
  const lines = text.split(LINE_END)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The number of a record, before anybody asks whether it is whole. */
function numberOf(line: string): number {
  return Number(/^\{"seq":(\d+),/.exec(line)?.[1] ?? Number.NaN)
}

/** The number of the first record of a text; where it is none, there may have been all. */
const firstOf = (text: string): number => numberOf(text.slice(0, MOST_DIGITS)) || FIRST

function headOf(path: string): ChainHead | null {
  for (const line of splitLines(textOf(path)).reverse()) {
    const read = readLine(line)
    if (read !== null) return read.head
  }
  return null
}

/** Empty where there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return ''
  }
}
