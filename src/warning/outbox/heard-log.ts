import { hash } from 'node:crypto'
import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Delivery } from './delivery.ts'
import { HeardIndex } from './heard-index.ts'

/** The record of a heard event and its decision. */
export interface Heard {
  event: LookoutEvent
  seq: number | null
  decision: { kind: string; reason: string; sends: readonly { dedup: { source: string; key: string } }[] } | null
}

/** Of `critical` and above all of the event; and where something of it left a radio, by the claim of its message. */
interface More {
  grave?: { event: LookoutEvent; seq: number; kind: string; reason: string }
  told?: { source: string; key: string }
}

/** One line of the log: that an event was heard, or told. */
export interface HeardLine extends More {
  identity: string
  at: number
}

type Identity = Pick<LookoutEvent, 'source' | 'id' | 'revision'>

export const HEARD_LOG = 'heard.log'
/** Of each of two generations: some 40,000 events. */
const MOST_BYTES = 2 * 1024 * 1024
/** Outlines of half a megabyte are left out; the box and the regions stay. */
const LONGEST_EVENT = 16_384
/** Stands where an event's identity does. */
const TOLD = '-'.repeat(22)
/** Read at once; the newest lines are looked for in the last of them. */
const LAST_BYTES = 65_536
const LINE_END = 0x0a
/** The number of lines that wait while the disk fails. */
const MOST_WAITING = 2000
const REMEMBERED = 300

/** Names an event in a few bytes. */
export function identityOf({ source, id, revision }: Identity): string {
  return hash('sha256', JSON.stringify([source, id, revision]), 'base64url').slice(0, 22)
}

export function heardLogOf(databasePath: string): string {
  return join(dirname(databasePath), HEARD_LOG)
}

/**
 * The second memory of what was heard, beside `lookout.db` (docs/decisions/0020): whatever of that file is lost, no event counts as
 * new again, and a grave one can be decided again. Appended after each commit, without a sync of its own; each line has a checksum,
 * so that damage costs the lines it lies in.
 */
export class HeardLog {
  readonly #path: string
  readonly #log: Pick<Log, 'warn'>
  /** Of this process, the newest. */
  readonly grave: Heard[] = []
  #waiting: string[] = []
  #file: number | null = null
  #bytes = 0
  #complained = false
  readonly #index = new HeardIndex()

  constructor(databasePath: string, log: Pick<Log, 'warn'>) {
    this.#path = heardLogOf(databasePath)
    this.#log = log
  }

  /** Kept until `write`. What the demo made up is forgotten when the station is set up. */
  note({ event, seq, decision }: Heard): void {
    if (seq === null || event.data['demo'] === true) return
    if (isAtLeast(event.severity, 'critical')) this.grave.push({ event, seq, decision: claimsOf(decision) })
    if (this.grave.length > REMEMBERED) this.grave.shift()
    const identity = identityOf(event)
    this.#index.add(identity)
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(lineOfEvent(identity, event, seq, decision))
  }

  /** A grave message has left: a claim that outlasts its row. */
  noteTold({ severity, sentAt, state, dedup }: Pick<Delivery, 'severity' | 'sentAt' | 'state' | 'dedup'>): void {
    if (state !== 'sent' || sentAt === null || !isAtLeast(severity, 'critical')) return
    if (this.#waiting.length < MOST_WAITING)
      this.#waiting.push(lineOf(TOLD, sentAt, JSON.stringify({ told: dedup } satisfies More)))
  }

  /** A log that takes nothing is no reason to refuse what the database took. */
  write(): void {
    if (this.#waiting.length === 0) return
    try {
      const text = this.#waiting.join('')
      this.#file ??= this.#open()
      appendFileSync(this.#file, text)
      this.#bytes += text.length
      this.#waiting = []
      this.#complained = false
      if (this.#bytes > MOST_BYTES) this.#turn()
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      if (!this.#complained) this.#log.warn({ err: error }, `${HEARD_LOG} could not be written`)
      this.#complained = true
      this.close()
    }
  }

  /** True when a line tells of this event, or is to. Nothing is read for it: see `load`. */
  knows(event: Identity): boolean {
    return this.#index.has(identityOf(event))
  }

  /** Reads what stands there, piece by piece: at the start, and where another file may stand in its place. */
  load(): Promise<void> {
    return this.#index.load(`${this.#path}.1`, this.#path)
  }

  /** Another file may stand there when it is written next. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #open(): number {
    const file = openSync(this.#path, 'a', 0o600)
    this.#bytes = fstatSync(file).size
    return file
  }

  #turn(): void {
    this.close()
    renameSync(this.#path, `${this.#path}.1`)
    this.#index.turn()
  }
}

/** Reads the log of a database, oldest first, a few lines at each step; damaged lines are left out. */
export function* heardLines(databasePath: string): Generator<HeardLine> {
  const path = heardLogOf(databasePath)
  for (const one of [`${path}.1`, path])
    for (const line of linesOf(one)) {
      const read = readLine(line)
      if (read !== null) yield read
    }
}

/** The newest lines. */
export function lastHeard(databasePath: string, count: number): HeardLine[] {
  const path = heardLogOf(databasePath)
  const bytes = [path, `${path}.1`].map((one) => endOf(one)).find((end) => end.length > 0)
  return (bytes ?? Buffer.alloc(0))
    .toString('utf8')
    .split('\n')
    .flatMap((line) => readLine(line) ?? [])
    .slice(-count)
}

/** The part of a decision that is kept: hundreds of whole ones, with their traces, would outlive what collects young objects. */
function claimsOf(decision: Heard['decision']): Heard['decision'] {
  if (decision === null) return null
  const { kind, reason, sends } = decision
  return { kind, reason, sends: sends.map(({ dedup }) => ({ dedup })) }
}

/** Begins with the end of the line before: one that a crash cut off spoils no other. `more` is JSON, or empty. */
function lineOf(identity: string, at: number, more: string): string {
  const text = `${identity} ${at} ${more}`
  return `\n${sumOf(text)} ${text}`
}

function lineOfEvent(identity: string, event: LookoutEvent, seq: number, decision: Heard['decision']): string {
  const { kind, reason } = decision ?? { kind: 'pending', reason: '' }
  const more = isAtLeast(event.severity, 'critical')
    ? `{"grave":{"event":${smallJson(event)},"seq":${seq},"kind":${JSON.stringify(kind)},"reason":${JSON.stringify(reason)}}}`
    : ''
  return lineOf(identity, Date.parse(event.received_at), more)
}

/** Written out once: in a storm each of these costs as much as a row. */
function smallJson(event: LookoutEvent): string {
  const text = JSON.stringify(event)
  return text.length > LONGEST_EVENT ? JSON.stringify({ ...event, geometry: null }) : text
}

function readLine(line: string): HeardLine | null {
  const [, sum, text, identity = '', at, more = ''] = /^(\w{8}) ((\S{22}) (\d+) (.*))$/.exec(line) ?? []
  if (text === undefined || sum !== sumOf(text)) return null
  return { identity, at: Number(at), ...(more === '' ? {} : (JSON.parse(more) as More)) }
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/** Piece by piece: whoever reads on may wait between two lines. One that is not there, or that the disk does not give, tells of nothing. */
function* linesOf(path: string): Generator<string> {
  const file = opened(path)
  if (file === null) return
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let at = 0; ; ) {
      const piece = Buffer.alloc(LAST_BYTES)
      const read = pieceOf(file, piece, at)
      at += read
      const bytes = Buffer.concat([rest, piece.subarray(0, read)])
      const end = read === 0 ? bytes.length : bytes.lastIndexOf(LINE_END)
      yield* bytes.subarray(0, Math.max(0, end)).toString('utf8').split('\n')
      if (read === 0) return
      rest = bytes.subarray(end + 1)
    }
  } finally {
    closeSync(file)
  }
}

function endOf(path: string): Buffer {
  const file = opened(path)
  if (file === null) return Buffer.alloc(0)
  try {
    const bytes = Buffer.alloc(LAST_BYTES)
    const from = Math.max(0, fstatSync(file).size - LAST_BYTES)
    return bytes.subarray(0, pieceOf(file, bytes, from))
  } finally {
    closeSync(file)
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (storageFaultOf(error) === null) throw error
    return null
  }
}

/** How many bytes there are at this place; 0 where the disk does not give them. */
function pieceOf(file: number, into: Buffer, at: number): number {
  try {
    return readSync(file, into, 0, into.length, at)
  } catch (error) {
    if (storageFaultOf(error) === null && errorCode(error) !== 'EISDIR') throw error
    return 0
  }
}
