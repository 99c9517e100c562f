import { type MessageKind, wordsOf } from '../../model/content.ts'
import { type DeliveryState, isGivenUp } from '../../model/delivery.ts'
import type { Severity } from '../../model/severity.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { Remembered } from '../../platform/database/remembered.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { isDigest } from './content-sql.ts'
import type { Delivery } from './delivery.ts'
import { type Piece, piecesOfThread } from './pieces.ts'

/** In a storm some thousand threads are told of in turn; each takes about 5 KiB. */
const THREADS = 2000

/** A message of a thread as the guards see it. */
export interface CarriedRow {
  id: number
  channelKey: string
  state: 'waiting' | 'flying' | 'sent'
  kind: MessageKind
  severity: Severity
  regions: string[]
  zones: string[]
  /**
   * The words of the row by place, the pieces it was merged from after its own; a row that says something again adds
   * none.
   */
  pieces: readonly Piece[]
  expiresAt: number | null
  source: string
}

/** As it is remembered: changed in place, for a copy of all that a thread carries was what a storm left behind most. */
type KeptRow = { -readonly [Field in keyof CarriedRow]: CarriedRow[Field] } & { pieces: Piece[] }

interface Thread {
  carried: KeptRow[]
  /** Rows that wait, as they were written last: a further piece joins one without reading it. */
  waiting: Map<number, Delivery>
}

/**
 * The messages of each thread on its channels. A storm says something new of the same threads again and again, and each has dozens
 * of rows: those of the threads asked last are remembered for the next transaction.
 */
export class ThreadRows {
  readonly #db: Database
  readonly #threads: Remembered<Thread>

  constructor(db: Database) {
    this.#db = db
    this.#threads = new Remembered(db, THREADS)
  }

  /** Everything the thread has on its channels that was not given up, oldest first; good until something is stored. */
  carried(threadId: string): readonly CarriedRow[] {
    return this.#threads.get(threadId)?.carried ?? this.#read(threadId)
  }

  /** A row of the thread that waits, if it is remembered. */
  waiting(threadId: string, id: number): Delivery | null {
    return this.#threads.get(threadId)?.waiting.get(id) ?? null
  }

  /** A row of its own was stored for an event. */
  added(row: Delivery): void {
    const thread = this.#threads.get(row.threadId)
    if (thread === undefined) return
    thread.waiting.set(row.id, row)
    thread.carried.push(carriedFrom(row, row.origin === null ? [wordsOfRow(row)] : []))
  }

  /** A row that waits took over what a piece said, which may be of a thread of its own. */
  joined(row: Delivery, piece: Pick<Delivery, 'threadId' | 'zones' | 'material'>): void {
    const isOfThread = piece.threadId === row.threadId
    if (!isOfThread) this.forget(piece.threadId)
    const thread = this.#threads.get(row.threadId)
    const known = thread?.carried.find(({ id }) => id === row.id)
    if (thread === undefined || known === undefined) {
      this.forget(row.threadId)
      return
    }
    thread.waiting.set(row.id, row)
    known.state = stateOf(row.state, row.parts !== null)
    known.severity = row.severity
    known.regions = row.regions
    known.zones = row.zones
    known.expiresAt = row.hazardEndsAt
    if (row.origin !== null) return
    known.pieces[0] = wordsOfRow(row)
    if (isOfThread) known.pieces.push(wordsOfRow(piece))
  }

  /** Something else became of a row of this thread: it is read again. */
  forget(threadId: string): void {
    this.#threads.delete(threadId)
  }

  /** In one go: a thread has dozens of rows. */
  #read(threadId: string): readonly CarriedRow[] {
    const rows = this.#db
      .sql(
        // An alert told in a digest counts for its thread: it has the state of the digest.
        `SELECT d.id, d.channel_key, d.state AS own, coalesce(m.state, d.state) AS state, d.kind, d.severity, d.regions, d.zones, d.material, d.origin,
                d.hazard_ends_at, d.dedup_source, d.merged_into, m.id AS digest, d.parts IS NOT NULL AS has_text
         FROM deliveries d LEFT JOIN deliveries m ON m.id = d.merged_into AND ${isDigest('m.')}
         WHERE d.thread_id = ? AND d.state NOT IN ('suppressed', 'expired', 'failed') ORDER BY d.id`
      )
      .all(threadId)
    const carried = carriedRows(rows, piecesOfThread(this.#db, threadId))
    // The state of a digest is that of a row of another thread.
    if (rows.every((row) => row['digest'] === null)) this.#threads.set(threadId, { carried, waiting: new Map() })
    return carried
  }
}

function carriedFrom(row: Delivery, pieces: Piece[]): KeptRow {
  return {
    id: row.id,
    channelKey: row.channelKey,
    state: stateOf(row.state, row.parts !== null),
    kind: wordsOf(row.content).kind,
    severity: row.severity,
    regions: row.regions,
    zones: row.zones,
    pieces,
    expiresAt: row.hazardEndsAt,
    source: row.dedup.source
  }
}

/** `narrow`: the pieces with rows of their own kind, which no file had before those that are messages. */
function carriedRows(rows: readonly Row[], narrow: ReadonlyMap<number, Piece[]>): KeptRow[] {
  const merged = mergedPieces(rows)
  const piecesOf = (id: number): Piece[] => [...(merged.get(id) ?? []), ...(narrow.get(id) ?? [])]
  return rows.flatMap((row) => {
    const state = String(row['state']) as DeliveryState
    if ((row['own'] === 'merged' && row['digest'] === null) || isGivenUp(state)) return []
    return {
      id: Number(row['id']),
      channelKey: String(row['channel_key']),
      state: stateOf(state, row['digest'] !== null || row['has_text'] === 1),
      kind: String(row['kind']) as CarriedRow['kind'],
      severity: String(row['severity']) as Severity,
      regions: storedJson(row['regions']) as string[],
      zones: storedJson(row['zones']) as string[],
      pieces: row['origin'] === null ? [readPiece(row), ...piecesOf(Number(row['id']))] : [],
      expiresAt: row['hazard_ends_at'] === null ? null : Number(row['hazard_ends_at']),
      source: String(row['dedup_source'])
    }
  })
}

/** By the row they joined, in order. */
function mergedPieces(rows: readonly Row[]): Map<number, Piece[]> {
  const pieces = new Map<number, Piece[]>()
  for (const row of rows) {
    if (row['own'] !== 'merged') continue
    const into = Number(row['merged_into'])
    const known = pieces.get(into)
    if (known === undefined) pieces.set(into, [readPiece(row)])
    else known.push(readPiece(row))
  }
  return pieces
}

function wordsOfRow({ zones, material }: Pick<Delivery, 'zones' | 'material'>): Piece {
  return { zones, material }
}

function readPiece(row: Row): Piece {
  return { zones: storedJson(row['zones']) as string[], material: String(row['material']) }
}

function stateOf(state: DeliveryState, frozen: boolean): CarriedRow['state'] {
  if (state === 'queued' || state === 'held') return frozen ? 'flying' : 'waiting'
  return state === 'transmitting' ? 'flying' : 'sent'
}
