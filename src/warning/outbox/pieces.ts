import { wordsOf } from '../../model/content.ts'
import type { DeliveryState } from '../../model/delivery.ts'
import type { Database } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import type { Delivery } from './delivery.ts'

/**
 * A piece joined a waiting message of its own thread the moment it came: it is a narrow row behind that message, because a storm joins
 * two and a half for each event, and of a message's columns and indexes it needs few. It has a number among those of the messages, by which
 * both are listed together. A piece of another thread is a message's row of its own: its thread and the guards find it there.
 */

/** The state of a piece from its beginning to its end, and the reason for it. */
export const JOINED: Extract<DeliveryState, 'merged'> = 'merged'

/** The words of a piece and the codes it is about, as the guards compare them. */
export interface Piece {
  zones: string[]
  material: string
}

/** Made once, as all that a storm asks for each event: a text that is put together is a new one to be looked up by each of its letters. */
const INSERT = `INSERT INTO delivery_pieces (id, merged_into, transport, kind, path, severity, family, lifecycle, regions, zones, event_seqs, event_ids, material, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Stores a message as a piece of the one that it joined, which is of its thread. */
export function insertPiece(db: Database, piece: Delivery): void {
  const { kind, path } = wordsOf(piece.content)
  db.sql(INSERT).write(
    piece.id,
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
}

/**
 * The columns for `shownFromRow`, of a piece `p` beside the message `d` that it joined: lists show it as a message of its own, as it was
 * told of when it joined. It has no story: what becomes of its words is told of that message.
 */
export const SHOWN_PIECE = `p.id, d.transport, NULL AS radio, d.channel, d.direct, '${JOINED}' AS state, '${JOINED}' AS reason, NULL AS parts,
  NULL AS bytes, p.severity, p.family, p.regions, d.thread_id, p.lifecycle, p.kind, p.path, d.digest_of, p.event_ids, 0 AS attempts,
  0 AS heard_by, p.merged_into, d.code, p.created_at, p.created_at AS due_at, NULL AS sent_at, 0 AS simulated, d.demo`

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
