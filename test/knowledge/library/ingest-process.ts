// Reads the archives of a data folder until it is killed, by itself, in the middle of something: after so many lines.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Catalogue } from '../../../src/knowledge/catalogue/catalogue.ts'
import { knowledgeMigrations } from '../../../src/knowledge/catalogue/schema.ts'
import { JobStore } from '../../../src/knowledge/jobs/store.ts'
import { ArchiveArticles } from '../../../src/knowledge/library/archive-articles.ts'
import type { ArchiveReader } from '../../../src/knowledge/library/archive-reader.ts'
import { ingestJob } from '../../../src/knowledge/library/ingest-job.ts'
import { INGEST, LibrarySources } from '../../../src/knowledge/library/sources.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { quickReader } from './setup.ts'

const [, , folder = '', limit = ''] = process.argv
const db = await openDatabase({
  path: join(folder, 'knowledge.db'),
  migrations: knowledgeMigrations,
  synchronous: 'FULL'
})
const now = (): number => systemClock.now()
const jobs = new JobStore({ db, now })
const catalogue = new Catalogue({ db, jobs, now })
const sources = new LibrarySources({ db, jobs, now })
const path = join(folder, 'zim', 'wiki.zim')
if (sources.byFilename('wiki.zim') === null)
  sources.record({ filename: 'wiki.zim', sizeBytes: statSync(path).size, mtime: 1 }, await quickReader.facts(path))
const [source] = sources.list()
if (source === undefined) throw new Error('no source')
sources.setIngest(source.id, true)
let lines = 0
const reader: ArchiveReader = {
  ...quickReader,
  articles: async function* (request) {
    for await (const line of quickReader.articles(request)) {
      if (++lines === Number(limit)) process.kill(process.pid, 'SIGKILL')
      yield line
    }
  }
}
const log = { info: () => undefined, warn: () => undefined }
const articles = new ArchiveArticles({ db, catalogue, sources, domainOf: () => 'Unsorted', now })
const kind = ingestJob({
  sources,
  catalogue,
  articles,
  reader,
  clock: systemClock,
  log,
  folder: join(folder, 'zim'),
  checkSpace: async () => undefined
})
for (const owner of jobs.owners()) jobs.releaseOwner(owner)
db.exec("UPDATE jobs SET due_at = 0 WHERE state = 'waiting'")
const job = jobs.claim([INGEST], { owner: `process ${process.pid}`, leaseMs: 60_000 })
if (job !== null) {
  const result = await kind.run(job, { signal: new AbortController().signal, progress: () => undefined })
  if (result.end === 'done') jobs.finish(job.id, `process ${process.pid}`, result.commit)
}
db.close()
