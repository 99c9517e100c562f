import type { Database } from '../../platform/database/database.ts'

/** In these words, or the index `events_demo` does not serve. */
const IS_DEMO = `instr(event, '"demo":true') > 0 AND json_extract(event, '$.data.demo') = 1`
/** Nobody may be told of them any more, nor may anything real be taken for a copy of them. */
const OF_THREADS = ['follow_ups', 'stand_ins', 'acks', 'thread_names', 'thread_codes', 'silences'] as const

/** Rows that the demo left in the ledger: they have no place on a station that is set up (contract §13). */
export class DemoRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Takes it all out, as one; true while a message is on its way to a radio and stays until that is over. */
  remove(): boolean {
    return this.#db.transaction(() => {
      // The run it remembers: the next demo is a new one.
      this.#db.exec("DELETE FROM facts WHERE name = 'demo_run'")
      const flying = this.#db.sql("SELECT count(*) AS count FROM deliveries WHERE demo = 1 AND state = 'transmitting'")
      const any = this.#db.sql(`SELECT 1 FROM events WHERE ${IS_DEMO} LIMIT 1`)
      const rows = this.#db.sql('SELECT 1 FROM deliveries WHERE demo = 1 LIMIT 1')
      if (any.get() === undefined && rows.get() === undefined) return false
      const threads = `SELECT thread_id FROM events WHERE ${IS_DEMO}`
      for (const table of OF_THREADS) this.#db.exec(`DELETE FROM ${table} WHERE thread_id IN (${threads})`)
      const gone = "SELECT id FROM deliveries WHERE demo = 1 AND state <> 'transmitting'"
      this.#db.exec(`DELETE FROM dedup WHERE delivery_id IN (${gone})`)
      this.#db.exec(`DELETE FROM delivery_steps WHERE delivery_id IN (${gone})`)
      this.#db.exec(`DELETE FROM delivery_pieces WHERE merged_into IN (${gone})`)
      this.#db.exec("DELETE FROM deliveries WHERE demo = 1 AND state <> 'transmitting'")
      this.#db.exec(`DELETE FROM events WHERE ${IS_DEMO}`)
      // A region of the demo may bear the name of one's own.
      this.#db.exec('DELETE FROM cooldowns')
      this.#db.outdate()
      return Number(flying.get()?.['count'] ?? 0) > 0
    })
  }
}
