import { join } from 'node:path'
import t from 'tap'
import { Catalogue } from '../../../src/knowledge/catalogue/catalogue.ts'
import { knowledgeMigrations } from '../../../src/knowledge/catalogue/schema.ts'
import { UploadStore } from '../../../src/knowledge/catalogue/uploads.ts'
import { JobStore } from '../../../src/knowledge/jobs/store.ts'
import { LibrarySources } from '../../../src/knowledge/library/sources.ts'
import { ScrapeJobs } from '../../../src/knowledge/scrape/jobs.ts'
import { because } from '../../../src/model/reason.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { reasonText, storedReason } from '../../../src/platform/database/stored-reason.ts'
import { inWords, note } from '../../helpers/in-words.ts'

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
    t.match(inWords(catalogue.byId(1)), { warnings: ['page 3 is blank'], copyAsked: false, modelWarning: failed })
    t.match(inWords(catalogue.byId(2)), {
      warnings: [/a probable copy of “Knots”/],
      copyAsked: true,
      modelWarning: null
    })
    t.match(catalogue.byId(3), { warnings: [], copyAsked: false, modelWarning: null })
    db.close()
  }
)

/** Steps of the schema of the last version whose rows held sentences. */
const WITH_SENTENCES = 5

t.test('sentences in the rows of an older version are kept as notes, or have their codes', async (t) => {
  const path = join(t.testdir({}), 'knowledge.db')
  const old = await openDatabase({
    path,
    migrations: knowledgeMigrations.slice(0, WITH_SENTENCES),
    synchronous: 'NORMAL'
  })
  const put = (table: string, own: Readonly<Record<string, string | number>>): void => {
    const columns = old
      .sql(`SELECT name, type FROM pragma_table_info('${table}') WHERE "notnull" = 1 AND dflt_value IS NULL`)
      .all()
      .map(({ name, type }): [string, string | number] => [String(name), type === 'TEXT' ? '' : 0])
    const row = { ...Object.fromEntries(columns), ...own }
    const names = Object.keys(row)
    old
      .sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(row))
  }
  const said = 'tesseract is not installed; it reads scanned pages'
  const review = JSON.stringify({ reason: 'it is about several domains', candidates: ['Medical'], duplicate_of: null })
  put('documents', {
    id: 1,
    hash: 'a',
    kind: 'pdf',
    status: 'failed',
    provenance: '{}',
    review,
    reason: 'its file is missing',
    warnings: JSON.stringify(['page 3 is blank', 'the file is empty']),
    model_warning: 'The language model wrote nothing for pages 1–5: it failed'
  })
  put('documents', { id: 2, hash: 'b', kind: 'pdf', status: 'complete', provenance: '{}' })
  put('jobs', { id: 1, kind: 'extract', subject: '1', state: 'held', reason: said, progress: 'page 3 of 90' })
  put('uploads', { hash: 'c', state: 'rejected', sidecar: '{}', reason: 'The file is empty.' })
  put('windows', { document_id: 1, number: 0, state: 'failed', reason: "it's odd" })
  put('key_health', { id: 'k', quarantine: 'host answers 403' })
  const gone = 'The file is gone from the folder of archives: put it back, or remove the source.'
  put('library_sources', { id: 1, filename: 'a.zim', category: 'A', state: 'missing', reason: gone })
  put('archive_articles', { source_id: 1, path: 'p', state: 'skipped', reason: 'it has only 5 characters of text' })
  put('scrape_jobs', { id: 1, status: 'failed', limits: '{}', message: 'the crawl was interrupted' })
  old.close()

  const db = await openDatabase({ path, migrations: knowledgeMigrations, synchronous: 'NORMAL' })
  const now = (): number => 0
  const jobs = new JobStore({ db, now })
  const catalogue = new Catalogue({ db, jobs, now })
  t.match(catalogue.byId(1), {
    reason: because('source_file_missing'),
    warnings: [note('page 3 is blank'), because('file_is_empty')],
    modelWarning: note('The language model wrote nothing for pages 1–5: it failed'),
    review: { reason: because('domain_several'), candidates: ['Medical'], duplicate_of: null }
  })
  t.match(catalogue.byId(2), { reason: null, warnings: [], modelWarning: null, review: null })
  t.match(jobs.get('extract', '1'), { reason: note(said), progress: note('page 3 of 90') })
  t.same(new UploadStore({ db, jobs, now }).get('c')?.reason, because('upload_empty'))
  t.same(catalogue.windows(1)[0]?.reason, note("it's odd"))
  const source = new LibrarySources({ db, jobs, now }).byId(1)
  t.same(source?.reason, because('archive_gone'), 'a decision asks this one: an archive that is back is taken again')
  t.same(new ScrapeJobs({ db, jobs, now }).byId(1)?.message, because('crawl_interrupted'))
  const columns = [
    ['key_health', 'quarantine'],
    ['archive_articles', 'reason']
  ]
  t.same(
    columns.map(([table, column]) => storedReason(db.sql(`SELECT ${column} AS said FROM ${table}`).get()?.['said'])),
    [note('host answers 403'), note('it has only 5 characters of text')]
  )
  db.close()
})

/** Steps of the schema of the last version to which a damaged archive was one that is missing, or none at all. */
const WITHOUT_DAMAGED = 6

t.test('archives of an older version keep what was read from them, and are looked at once more', async (t) => {
  const path = join(t.testdir({}), 'knowledge.db')
  const old = await openDatabase({
    path,
    migrations: knowledgeMigrations.slice(0, WITHOUT_DAMAGED),
    synchronous: 'NORMAL'
  })
  const states = ['present', 'missing', 'removing']
  for (const [n, state] of states.entries())
    old
      .sql(
        `INSERT INTO library_sources (id, filename, uuid, title, description, language, category, size_bytes, mtime,
           article_count, state, reason, detected_at, changed_at) VALUES (?, ?, '', '', '', '', ?, 5, 5, 5, ?, ?, 1, 1)`
      )
      .run(n, `${n}.zim`, `${n}`, state, reasonText(because('archive_gone')))
  old.sql("INSERT INTO archive_articles (source_id, path, title, state) VALUES (0, 'p', '', 'document')").run()
  old.close()
  const db = await openDatabase({ path, migrations: knowledgeMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const sources = new LibrarySources({ db, jobs: new JobStore({ db, now: () => 0 }), now: () => 0 })
  t.same(
    sources.list().map(({ state, mtime, reason }) => [state, mtime, reason?.code]),
    states.map((state) => [state, 0, 'archive_gone'])
  )
  t.equal(sources.counts(0).extracted, 1, 'articles that belong to a source stay with it')
  sources.setState(0, 'damaged', because('not_a_zim'))
  t.equal(sources.byId(0)?.state, 'damaged')
  db.sql('DELETE FROM library_sources WHERE id = 0').run()
  t.equal(sources.counts(0).extracted, 0, 'and still go with it')
})

t.test('whatever a column holds is told: what is no reason any more is told as it stands', async (t) => {
  t.equal(storedReason(null), null)
  t.same(storedReason(reasonText(because('it_failed'))), because('it_failed'))
  for (const text of ['{turned bits', '{"code":"of_a_newer_version","params":{}}', '[]', 'A sentence.'])
    t.same(storedReason(text), note(text))
  const long = reasonText(because('file_cannot_be_read', { said: note('x'.repeat(100_000)) }))
  t.ok((long ?? '').length < 700, 'another program may say any length')
})
