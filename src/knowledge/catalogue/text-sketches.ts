import type { Database } from '../../platform/database/database.ts'
import type { Document } from './document.ts'
import { documentFromRow } from './rows.ts'

/** Of a sketch so many numbers are looked for: two texts with half of their shingles in common share some of them all but surely. */
const KEYS = 16
/** Documents that are compared in full. */
const MOST_ALIKE = 8

/** A text in short: the smallest hashes of its shingles, ascending, and its words. See enrich/text-sketch.ts. */
export interface StoredSketch {
  hashes: Uint32Array
  words: number
}

/** Stores the sketch of a document's text in place of an older one. */
export function storeSketch(db: Database, id: number, { hashes, words }: StoredSketch): void {
  db.transaction(() => {
    db.sql('DELETE FROM text_sketch_keys WHERE document_id = ?').run(id)
    const bytes = Buffer.alloc(hashes.length * 4)
    for (const [at, hash] of hashes.entries()) bytes.writeUInt32LE(hash, at * 4)
    db.sql('INSERT OR REPLACE INTO text_sketches (document_id, words, hashes) VALUES (?, ?, ?)').run(id, words, bytes)
    const insert = db.sql('INSERT INTO text_sketch_keys (value, document_id) VALUES (?, ?)')
    for (const hash of hashes.subarray(0, KEYS)) insert.run(hash, id)
  })
}

/** The documents whose texts may have much in common with this one, the likeliest first. */
export function alike(
  db: Database,
  { hashes }: StoredSketch,
  exceptHash: string
): { document: Document; sketch: StoredSketch }[] {
  const keys = [...hashes.subarray(0, KEYS)]
  if (keys.length === 0) return []
  const rows = db
    .sql(
      `SELECT documents.*, text_sketches.words AS sketch_words, text_sketches.hashes AS sketch_hashes
       FROM (SELECT document_id, count(*) AS shared FROM text_sketch_keys
             WHERE value IN (SELECT value FROM json_each(?1)) GROUP BY document_id) AS near
       JOIN documents ON documents.id = near.document_id
       JOIN text_sketches ON text_sketches.document_id = near.document_id
       WHERE documents.hash <> ?2 ORDER BY near.shared DESC, documents.id LIMIT ?3`
    )
    .all(JSON.stringify(keys), exceptHash, MOST_ALIKE)
  return rows.map((row) => ({
    document: documentFromRow(row),
    sketch: { words: Number(row['sketch_words']), hashes: hashesOf(row['sketch_hashes']) }
  }))
}

function hashesOf(stored: unknown): Uint32Array {
  const bytes = Buffer.from(stored as Uint8Array)
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4))
}
