import { type Database, openDatabase } from '../../platform/database/database.ts'
import { MANIFEST } from './inspect.ts'
import { type AddressRow, FIELDS } from './raw-address.ts'
import { WANTED } from './table-indexes.ts'

/** Rows between two commits. */
const BATCH = 20_000
/** KiB for sorting the indexes; what does not fit goes to temporary files. */
const SORT_CACHE = 64_000

/** The columns of the Netsyms address database, 2025. */
const TABLE = `CREATE TABLE addresses (
  zipcode VARCHAR(6) NOT NULL, number VARCHAR(30) NOT NULL, street VARCHAR(200) NOT NULL, street2 VARCHAR(20),
  city VARCHAR(50) NOT NULL, state CHAR(2) NOT NULL, plus4 CHAR(4), country CHAR(2) NOT NULL DEFAULT 'US',
  latitude DECIMAL(8,6), longitude DECIMAL(9,6), source VARCHAR(40)
);
CREATE TABLE ${MANIFEST} (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`

const INSERT = `INSERT INTO addresses (${FIELDS.join(', ')}) VALUES (${FIELDS.map(() => '?').join(', ')})`

/** All that a row is known by: the same twice is one address. */
const DUPLICATES = `DELETE FROM addresses WHERE rowid IN (SELECT id FROM (
  SELECT rowid AS id, row_number() OVER (PARTITION BY zipcode, street, number, street2, city, state ORDER BY rowid) AS nth
  FROM addresses) WHERE nth > 1)`

/** Builds an address file. The file is of no use before `finish`: build it beside its place, then rename it. */
export class AddressWriter {
  readonly #db: Database
  #waiting = 0
  #rows = 0

  private constructor(db: Database) {
    this.#db = db
  }

  /** Makes the file; there must be none. */
  static async create(path: string): Promise<AddressWriter> {
    const db = await openDatabase({ path, migrations: [], synchronous: 'NORMAL', shared: true })
    // Nobody else sees the file, and a half one is thrown away: waiting for the disk is of no use. A log would have to come along.
    db.exec(
      `PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -${SORT_CACHE}`
    )
    db.exec(TABLE)
    return new AddressWriter(db)
  }

  add(row: AddressRow): void {
    if (this.#waiting === 0) this.#db.exec('BEGIN')
    this.#db.sql(INSERT).run(...row)
    this.#rows++
    this.#waiting++
    if (this.#waiting === BATCH) this.#commit()
  }

  get rows(): number {
    return this.#rows
  }

  /** Removes what stands twice, makes the indexes and the note of what is in the file. Answers the rows and those removed. */
  finish(madeAt: string, onStep: (what: string) => void = () => undefined): { rows: number; duplicates: number } {
    this.#commit()
    for (const [at, { sql }] of WANTED.entries()) {
      onStep(`index ${at + 1} of ${WANTED.length}`)
      this.#db.exec(sql)
      // The first index orders them: equal rows stand side by side.
      if (at === 0) this.#removeDuplicates(onStep)
    }
    const rows = Number(this.#db.sql('SELECT count(*) AS count FROM addresses').get()?.['count'])
    this.#note({ rows: String(rows), countries: this.#countries(), made: madeAt })
    return { rows, duplicates: this.#rows - rows }
  }

  close(): void {
    this.#db.close()
  }

  #removeDuplicates(onStep: (what: string) => void): void {
    onStep('rows that stand twice')
    this.#db.exec(DUPLICATES)
  }

  #countries(): string {
    const countries = this.#db.sql('SELECT DISTINCT country FROM addresses ORDER BY country DESC').all()
    return countries.map(({ country }) => String(country)).join(' ')
  }

  #note(entries: Readonly<Record<string, string>>): void {
    for (const [key, value] of Object.entries(entries))
      this.#db.sql(`INSERT INTO ${MANIFEST} (key, value) VALUES (?, ?)`).run(key, value)
  }

  #commit(): void {
    if (this.#waiting > 0) this.#db.exec('COMMIT')
    this.#waiting = 0
  }
}
