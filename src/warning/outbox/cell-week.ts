import type { Database } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'

/** Rows looked at in one step: it takes some two milliseconds. */
const STEP = 500
/** A storm of a week leaves more; the newest are told. */
const MOST = 10_000

/** A message that left by the matrix, as far as its cells count it. */
export interface CellMessage {
  family: string
  regions: string[]
  network: 'mt' | 'mc'
  /** Bytes of each of its parts. */
  parts: number[]
  simulated: boolean
}

/** The messages of the cells, of the last days. */
export class CellWeek {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Those that left since then, newest first and in steps, and at the end whether there were more than are counted. */
  *portions(since: number): Generator<CellMessage[], { complete: boolean }> {
    let [at, id] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    for (let read = 0; read < MOST; read += STEP) {
      const last = this.#stepEnd(since, at, id)
      const [lastAt, lastId] = last ?? [since + 1, 0]
      yield this.#db.sql(MESSAGES).all(lastAt, lastId, at, id).map(messageOf)
      if (last === null) return { complete: true }
      at = lastAt
      id = lastId
    }
    return { complete: false }
  }

  /** Found in the index alone; null: the step is the last. */
  #stepEnd(since: number, at: number, id: number): [at: number, id: number] | null {
    const row = this.#db
      .sql(
        `SELECT created_at, id FROM deliveries INDEXED BY deliveries_created
         WHERE created_at > ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ${STEP - 1}`
      )
      .get(since, at, id)
    return row === undefined ? null : [Number(row['created_at']), Number(row['id'])]
  }
}

const MESSAGES = `SELECT family, regions, transport, parts, bytes, simulated FROM deliveries INDEXED BY deliveries_created
  WHERE (created_at, id) >= (?, ?) AND (created_at, id) < (?, ?) AND path = 'matrix' AND direct = 0 AND transport IN ('mt', 'mc')
  AND state IN ('sent', 'heard', 'delivered', 'unconfirmed', 'sent_unknown') ORDER BY created_at DESC, id DESC`

function messageOf(row: Record<string, unknown>): CellMessage {
  const parts = storedJson(row['parts'])
  return {
    family: String(row['family']),
    regions: texts(storedJson(row['regions'])),
    network: row['transport'] === 'mt' ? 'mt' : 'mc',
    parts: Array.isArray(parts) ? texts(parts).map((text) => Buffer.byteLength(text)) : [Number(row['bytes'] ?? 0)],
    simulated: row['simulated'] === 1
  }
}

function texts(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
}
