import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import { openReadOnlyDatabase } from '../database/database-read-only.ts'

interface Move {
  id: number
  from: string
  to: string
}

/**
 * A station goes on filing while it is copied. Moves that its journal tells of and the copied one does not were made after
 * the copy of the database: the files go back to where that copy knows them, in the backup only.
 */
export async function rewind<File extends { path: string }>(
  files: readonly File[],
  { dataFolder, copy }: { dataFolder: string; copy: string }
): Promise<File[]> {
  const [then, now] = [await journal(copy), await journal(join(dataFolder, 'knowledge.db'))]
  const known = new Set(then.map(keyOf))
  const later = now.filter((move) => !known.has(keyOf(move))).sort((a, b) => b.id - a.id)
  const byPath = new Map(files.map((file) => [file.path, file]))
  for (const { from, to } of later) {
    const file = byPath.get(to)
    if (file === undefined || byPath.has(from)) continue
    byPath.delete(to)
    byPath.set(from, { ...file, path: from })
  }
  return [...byPath.values()]
}

const keyOf = ({ id, from, to }: Move): string => JSON.stringify([id, from, to])

async function journal(path: string): Promise<Move[]> {
  const db = await openReadOnlyDatabase(path)
  try {
    return hasJournal(db) ? db.sql('SELECT id, from_path, to_path FROM file_moves').all().map(moveOf) : []
  } finally {
    db.close()
  }
}

function hasJournal(db: Database): boolean {
  return db.sql("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'file_moves'").get() !== undefined
}

const moveOf = (row: Record<string, unknown>): Move => ({
  id: Number(row['id']),
  from: String(row['from_path']),
  to: String(row['to_path'])
})
