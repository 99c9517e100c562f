import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { knowledgeMigrations } from '../../src/knowledge/catalogue/schema.ts'
import { searchMigrations } from '../../src/knowledge/search/schema.ts'
import { sha256Hex } from '../../src/platform/bytes/hash.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import type { IngestFile } from './ingest-files.ts'

export const INGEST_RULES = [
  'every file is complete, exactly once',
  'every file is found by a word that only it has, with a citation that opens',
  'the stored originals are the uploaded bytes',
  'no orphan file: what lies in the data folder belongs to a row',
  'no orphan row: no job, no claim and no record is left over',
  'what is indexed is what is in the catalogue, item by item',
  'both databases pass their integrity check'
] as const
export type IngestRule = (typeof INGEST_RULES)[number]

export interface IngestProblem {
  rule: IngestRule
  what: string
}

interface Asked {
  url: string
  folder: string
  files: readonly IngestFile[]
}

/** Judged over HTTP while the last life still runs. */
export async function judgeAnswers({ url, files }: Asked): Promise<IngestProblem[]> {
  const problems: IngestProblem[] = []
  for (const { name, hash, word } of files) {
    const status = await answer(`${url}/api/upload/${hash}/status`)
    if (status['status'] !== 'complete')
      problems.push({
        rule: INGEST_RULES[0],
        what: `${name}: ${String(status['status'])} ${String(status['message'])}`
      })
    const found = await answer(`${url}/api/search?q=${word}`)
    const results = found['results'] as { hash: string; citation: { url: string } }[]
    const [first] = results
    if (first?.hash !== hash) {
      problems.push({ rule: INGEST_RULES[1], what: `${name}: "${word}" finds ${results.length}, and not it first` })
      continue
    }
    const opened = await fetch(new URL(first.citation.url, url))
    const page = await opened.text()
    if (opened.status !== 200 || !page.includes(word))
      problems.push({ rule: INGEST_RULES[1], what: `${name}: ${first.citation.url} answers ${opened.status}` })
  }
  return problems
}

async function answer(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url)
  return (await response.json()) as Record<string, unknown>
}

/** Judged on the files, when nothing runs any more. */
export async function judgeFolder({ folder, files }: Asked): Promise<IngestProblem[]> {
  const db = await openDatabase({
    path: join(folder, 'knowledge.db'),
    migrations: knowledgeMigrations,
    synchronous: 'FULL'
  })
  const index = await openDatabase({
    path: join(folder, 'search.db'),
    migrations: searchMigrations,
    synchronous: 'NORMAL'
  })
  try {
    return [...rows(db, files), ...stored(db, folder, files), ...indexed(db, index), ...whole(db), ...whole(index)]
  } finally {
    db.close()
    index.close()
  }
}

function rows(db: Database, files: readonly IngestFile[]): IngestProblem[] {
  const problems: IngestProblem[] = []
  const documents = db
    .sql('SELECT hash, status FROM documents')
    .all()
    .map((row) => String(row['hash']))
  const wanted = files.map(({ hash }) => hash)
  if (documents.toSorted().join() !== wanted.toSorted().join())
    problems.push({ rule: INGEST_RULES[0], what: `${documents.length} documents for ${wanted.length} files` })
  const left = db.sql('SELECT kind, subject, state, reason FROM jobs').all()
  for (const row of left) problems.push({ rule: INGEST_RULES[4], what: `job ${JSON.stringify(row)}` })
  for (const row of db.sql("SELECT hash, state, reason FROM uploads WHERE state <> 'filed'").all())
    problems.push({ rule: INGEST_RULES[4], what: `upload ${JSON.stringify(row)}` })
  for (const row of db.sql("SELECT * FROM file_moves WHERE state = 'planned'").all())
    problems.push({ rule: INGEST_RULES[4], what: `move ${JSON.stringify(row)}` })
  for (const table of ['pages', 'items', 'document_hashes']) {
    const [row] = db.sql(`SELECT count(*) AS n FROM ${table} WHERE document_id NOT IN (SELECT id FROM documents)`).all()
    if (Number(row?.['n']) > 0) problems.push({ rule: INGEST_RULES[4], what: `${String(row?.['n'])} rows of ${table}` })
  }
  return problems
}

/** Folders of work: nothing may be left in them when nothing is being worked on. */
const WORK = ['acquired', 'processing', 'rejected']

function stored(db: Database, folder: string, files: readonly IngestFile[]): IngestProblem[] {
  const problems: IngestProblem[] = []
  for (const name of WORK)
    for (const file of filesBelow(join(folder, name)))
      problems.push({ rule: INGEST_RULES[3], what: relative(folder, file) })
  const shelf = new Map(filesBelow(join(folder, 'library')).map((file) => [file, sha256Hex(readFileSync(file))]))
  const hashes = new Set(shelf.values())
  for (const { name, hash } of files) {
    if (!hashes.has(hash)) problems.push({ rule: INGEST_RULES[2], what: `${name} is not on the shelf` })
  }
  const known = new Set(
    db
      .sql('SELECT hash FROM document_hashes')
      .all()
      .map((row) => String(row['hash']))
  )
  for (const [file, hash] of shelf)
    if (!known.has(hash)) problems.push({ rule: INGEST_RULES[3], what: relative(folder, file) })
  for (const row of db.sql('SELECT hash, path FROM documents WHERE path IS NOT NULL').all())
    if (!shelf.has(join(folder, String(row['path']))))
      problems.push({ rule: INGEST_RULES[3], what: `a document's file is not there: ${String(row['path'])}` })
  return problems
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function indexed(db: Database, index: Database): IngestProblem[] {
  const items = Number(db.sql('SELECT count(*) AS n FROM items').get()?.['n'])
  const counted = Number(db.sql('SELECT sum(item_count) AS n FROM documents').get()?.['n'])
  const vectors = Number(db.sql('SELECT sum(vector_count) AS n FROM documents').get()?.['n'])
  const codes = Number(index.sql('SELECT count(*) AS n FROM vectors').get()?.['n'])
  const same = items > 0 && items === counted && items === vectors && items === codes
  return same
    ? []
    : [
        {
          rule: INGEST_RULES[5],
          what: `${items} items, ${counted} counted, ${vectors} vectors counted, ${codes} codes`
        }
      ]
}

function whole(db: Database): IngestProblem[] {
  const text = db
    .sql('PRAGMA integrity_check')
    .all()
    .map((row) => String(row['integrity_check']))
    .join('; ')
  return text === 'ok' ? [] : [{ rule: INGEST_RULES[6], what: text }]
}
