import { hash } from 'node:crypto'
import { appendFileSync, closeSync, fstatSync, openSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Delivery } from './delivery.ts'

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
/** The length of the file's end in which the newest lines are looked for. */
const LAST_BYTES = 65_536
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
  #read: Buffer | null = null

  constructor(databasePath: string, log: Pick<Log, 'warn'>) {
    this.#path = heardLogOf(databasePath)
    this.#log = log
  }

  /** Kept until `write`. What the demo made up is forgotten when the station is set up. */
  note({ event, seq, decision }: Heard): void {
    if (seq === null || event.data['demo'] === true) return
    if (isAtLeast(event.severity, 'critical') && this.grave.push({ event, seq, decision }) > REMEMBERED)
      this.grave.shift()
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(lineOfEvent(event, seq, decision))
  }

  /** A grave message has left: a claim that outlasts its row. */
  noteTold({ severity, sentAt, state, dedup }: Pick<Delivery, 'severity' | 'sentAt' | 'state' | 'dedup'>): void {
    if (state !== 'sent' || sentAt === null || !isAtLeast(severity, 'critical')) return
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(lineOf(TOLD, sentAt, { told: dedup }))
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

  /** True when a line tells of this event. Read once; `close` forgets it. */
  knows(event: Identity): boolean {
    this.#read ??= Buffer.concat(generations(this.#path))
    return this.#read.includes(` ${identityOf(event)} `)
  }

  /** Another file may stand there when it is written next. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
    this.#read = null
  }

  #open(): number {
    const file = openSync(this.#path, 'a', 0o600)
    this.#bytes = fstatSync(file).size
    return file
  }

  #turn(): void {
    this.close()
    renameSync(this.#path, `${this.#path}.1`)
  }
}

/** Reads the log of a database, oldest first; what is damaged of it is left out. */
export function* heardLines(databasePath: string): Generator<HeardLine> {
  for (const bytes of generations(heardLogOf(databasePath)))
    for (const line of bytes.toString('utf8').split('\n')) {
      const read = readLine(line)
      if (read !== null) yield read
    }
}

/** The newest lines. */
export function lastHeard(databasePath: string, count: number): HeardLine[] {
  const bytes = generations(heardLogOf(databasePath)).at(-1)?.subarray(-LAST_BYTES) ?? Buffer.alloc(0)
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => readLine(line) ?? [])
    .slice(-count)
}

/** Begins with the end of the line before: one that a crash cut off spoils no other. */
function lineOf(identity: string, at: number, more: More | null): string {
  const text = `${identity} ${at} ${more === null ? '' : JSON.stringify(more)}`
  return `\n${sumOf(text)} ${text}`
}

function lineOfEvent(event: LookoutEvent, seq: number, decision: Heard['decision']): string {
  const isGrave = isAtLeast(event.severity, 'critical')
  const grave = { event: small(event), seq, kind: decision?.kind ?? 'pending', reason: decision?.reason ?? '' }
  return lineOf(identityOf(event), Date.parse(event.received_at), isGrave ? { grave } : null)
}

function small(event: LookoutEvent): LookoutEvent {
  return JSON.stringify(event).length > LONGEST_EVENT ? { ...event, geometry: null } : event
}

function readLine(line: string): HeardLine | null {
  const [, sum, text, identity = '', at, more = ''] = /^(\w{8}) ((\S{22}) (\d+) (.*))$/.exec(line) ?? []
  if (text === undefined || sum !== sumOf(text)) return null
  return { identity, at: Number(at), ...(more === '' ? {} : (JSON.parse(more) as More)) }
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/** The older one first. One that is not there, or that the disk does not give, tells of nothing. */
function generations(path: string): Buffer[] {
  return [`${path}.1`, path].flatMap((one) => {
    try {
      return [readFileSync(one)]
    } catch (error) {
      if (storageFaultOf(error) === null && errorCode(error) !== 'EISDIR') throw error
      return []
    }
  })
}
