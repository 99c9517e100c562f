import { join } from 'node:path'
import t from 'tap'
import { Catalogue } from '../../../src/knowledge/catalogue/catalogue.ts'
import { knowledgeMigrations } from '../../../src/knowledge/catalogue/schema.ts'
import { JobStore } from '../../../src/knowledge/jobs/store.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'

/** Steps of the schema of the last version whose jobs read the warnings of a document. */
const BY_SENTENCES = 3

t.test(
  'a document of an older version is not asked about twice, and its model is asked again where it failed',
  async (t) => {
    const path = join(t.testdir({}), 'knowledge.db')
    const old = await openDatabase({
      path,
      migrations: knowledgeMigrations.slice(0, BY_SENTENCES),
      synchronous: 'NORMAL'
    })
    const columns = old
      .sql(
        "SELECT name, type FROM pragma_table_info('documents') WHERE \"notnull\" = 1 AND dflt_value IS NULL OR name IN ('id', 'warnings')"
      )
      .all()
      .map(({ name, type }) => ({ name: String(name), value: type === 'TEXT' ? '' : 0 }))
    const put = (id: number, warnings: readonly string[]): void => {
      const own = {
        id,
        warnings: JSON.stringify(warnings),
        hash: String(id),
        provenance: '{}',
        status: 'complete',
        kind: 'pdf'
      }
      const row = columns.map(({ name, value }) => new Map(Object.entries(own)).get(name) ?? value)
      const names = columns.map(({ name }) => name)
      old.sql(`INSERT INTO documents (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(...row)
    }
    const failed = 'The language model wrote nothing for pages 6–10: the answer was withheld'
    put(1, ['page 3 is blank', failed])
    put(2, ['It was held as a probable copy of “Knots”.'])
    put(3, [])
    old.close()

    const db = await openDatabase({ path, migrations: knowledgeMigrations, synchronous: 'NORMAL' })
    const now = (): number => 0
    const catalogue = new Catalogue({ db, jobs: new JobStore({ db, now }), now })
    t.match(catalogue.byId(1), { warnings: ['page 3 is blank'], copyAsked: false, modelWarning: failed })
    t.match(catalogue.byId(2), { warnings: [/a probable copy of “Knots”/], copyAsked: true, modelWarning: null })
    t.match(catalogue.byId(3), { warnings: [], copyAsked: false, modelWarning: null })
    db.close()
  }
)
