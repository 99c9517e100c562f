import { wordsOf } from '../../model/content.ts'
import type { DeliveryState } from '../../model/delivery.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'

/**
 * A piece joined a waiting message of its own thread the moment it came: it is a narrow row behind that message, because a storm joins
 * two and a half for each event, and of a message's columns and indexes it needs few. It has a number among those of the messages, by which
 * both are listed together. A piece of another thread is a message's row of its own: its thread and the guards find it there.
 */

/** The number of the next message or piece. */
export const NEXT_ID =
  '1 + max(coalesce((SELECT max(id) FROM deliveries), 0), coalesce((SELECT max(id) FROM delivery_pieces), 0))'

/** The state of a piece from its beginning to its end, and the reason for it. */
export const JOINED: Extract<DeliveryState, 'merged'> = 'merged'

/** The words of a piece and the codes it is about, as the guards compare them. */
export interface Piece {
  zones: string[]
  material: string
}

/** Stores a message as a piece of the one that it joined, which is of its thread; answers its number. */
export function insertPiece(db: Database, piece: Delivery): number {
  const { kind, path } = wordsOf(piece.content)
  const { lastInsertRowid } = db
    .sql(
      `INSERT INTO delivery_pieces (id, merged_into, transport, kind, path, severity, family, lifecycle, regions, zones, event_seqs, event_ids, material, created_at)
       VALUES (${NEXT_ID}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    )
    .run(
      piece.mergedInto,
      piece.transport,
      kind,
      path,
      piece.severity,
      piece.family,
      piece.lifecycle,
      JSON.stringify(piece.regions),
      JSON.stringify(piece.zones),
      JSON.stringify(piece.eventSeqs),
      JSON.stringify(piece.eventIds),
      piece.material,
      piece.createdAt
    )
  return Number(lastInsertRowid)
}

/** A piece has no story of its own: what becomes of its words is told of the message that it joined. */
const UNSENT = {
  state: JOINED,
  reason: JOINED,
  radio: null,
  parts: null,
  bytes: null,
  attempts: 0,
  heardBy: 0,
  simulated: false,
  firstSentAt: null,
  sentAt: null
} satisfies Partial<Delivery>

/** Columns of a piece under the name of the message's column that they stand in for. */
const OWN = [
  'kind',
  'path',
  'severity',
  'family',
  'lifecycle',
  'regions',
  'zones',
  'event_seqs',
  'event_ids',
  'material',
  'created_at'
] as const

/** The columns for `pieceFromRow`, of a piece `p` beside the message `d` that it joined. */
export const PIECE_BESIDE = `d.*, p.id AS piece, ${OWN.map((name) => `p.${name} AS piece_${name}`).join(', ')}`

/** Reads a piece as a message of its own: so lists show it, and so it was told of when it joined. */
export function pieceFromRow(row: Row): Delivery {
  const own = OWN.map((name): [string, SqlValue] => [name, row[`piece_${name}`] ?? null])
  const piece = deliveryFromRow({ ...row, ...Object.fromEntries(own), id: row['piece'] ?? null })
  return { ...piece, ...UNSENT, mergedInto: Number(row['id']), dueAt: piece.createdAt }
}

/** The pieces of the messages of a thread by the message they joined, in order. */
export function piecesOfThread(db: Database, threadId: string): Map<number, Piece[]> {
  const pieces = new Map<number, Piece[]>()
  const rows = db
    .sql(
      `SELECT p.merged_into, p.zones, p.material FROM deliveries AS d JOIN delivery_pieces AS p ON p.merged_into = d.id
       WHERE d.thread_id = ? ORDER BY p.id`
    )
    .all(threadId)
  for (const row of rows) {
    const into = Number(row['merged_into'])
    const piece = { zones: storedJson(row['zones']) as string[], material: String(row['material']) }
    const known = pieces.get(into)
    if (known === undefined) pieces.set(into, [piece])
    else known.push(piece)
  }
  return pieces
}
