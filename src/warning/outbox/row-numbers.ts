import type { DeliveryState } from '../../model/delivery.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { Remembered } from '../../platform/database/remembered.ts'
import type { DeliveryTransport } from './delivery.ts'
import { JOINED } from './pieces.ts'

const COUNT = `INSERT INTO delivery_counts VALUES (?, ?, ?)
  ON CONFLICT (transport, state) DO UPDATE SET n = n + excluded.n`

/**
 * Counts the rows that a transaction adds, by transport and state, and writes the sums once, as its last step: a trigger took a third
 * of what a message costs, for SQLite then keeps a journal of each statement. What is moved or removed later is counted by triggers.
 * Whoever reads the counts settles them first (`Database.settle`).
 */
class RowCounts {
  readonly #db: Database
  #added = new Map<DeliveryTransport, Map<DeliveryState, number>>()
  readonly #write = (): void => {
    const added = this.#added
    this.#added = new Map()
    for (const [transport, byState] of added)
      for (const [state, n] of byState) this.#db.sql(COUNT).write(transport, state, n)
  }

  constructor(db: Database) {
    this.#db = db
  }

  /** A row of this state is stored: part of the caller's transaction. */
  added(transport: DeliveryTransport, state: DeliveryState): void {
    // The counts that a transaction before this one left here were undone with it.
    if (this.#db.atEnd(this.#write)) this.#added.clear()
    const byState = this.#added.get(transport) ?? new Map<DeliveryState, number>()
    this.#added.set(transport, byState.set(state, (byState.get(state) ?? 0) + 1))
    if (!this.#db.isInTransaction) this.#write()
  }
}

const LAST_ID =
  'SELECT max(coalesce((SELECT max(id) FROM deliveries), 0), coalesce((SELECT max(id) FROM delivery_pieces), 0)) AS id'

/** Numbers the messages and their pieces, in the order in which they are stored, and counts them. */
export class RowNumbers {
  readonly #db: Database
  readonly #last: Remembered<number>
  readonly #counts: RowCounts

  constructor(db: Database) {
    this.#db = db
    this.#last = new Remembered(db, 1)
    this.#counts = new RowCounts(db)
  }

  /** The number of the next row, for whoever stores it: part of the caller's transaction. */
  next(transport: DeliveryTransport, state: DeliveryState): number {
    const id = 1 + (this.#last.get('') ?? Number(this.#db.sql(LAST_ID).get()?.['id']))
    this.#last.set('', id)
    this.#counts.added(transport, state)
    return id
  }
}

/** Counts a row that was copied as it stands. */
export function countCopied(db: Database, table: string, row: Row): void {
  if (table === 'deliveries') db.sql(COUNT).write(row['transport'] ?? '', row['state'] ?? '', 1)
  if (table === 'delivery_pieces') db.sql(COUNT).write(row['transport'] ?? '', JOINED, 1)
}

const WHILE_APPLIED = [
  ['deliveries', 'NEW.state'],
  ['delivery_pieces', `'${JOINED}'`]
] as const

/** Does work whose rows SQLite adds by itself (`Database.apply`), and counts them. */
export function counting(db: Database, work: () => void): void {
  for (const [table, state] of WHILE_APPLIED)
    db.exec(`CREATE TEMP TRIGGER count_${table} AFTER INSERT ON main.${table} BEGIN
      INSERT OR IGNORE INTO delivery_counts VALUES (NEW.transport, ${state}, 0);
      UPDATE delivery_counts SET n = n + 1 WHERE transport = NEW.transport AND state = ${state};
    END`)
  try {
    work()
  } finally {
    for (const [table] of WHILE_APPLIED) db.exec(`DROP TRIGGER temp.count_${table}`)
  }
}
