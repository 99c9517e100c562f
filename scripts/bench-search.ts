/**
 * The search over 100,000 passages with hashed vectors: filled as the worker fills it, asked in a process of its own as the
 * searcher is. Time of whole hybrid questions, time and memory of loading; and how good the answers are on the labelled set.
 *
 *   node --import=tsx scripts/bench-search.ts [--quick] [--help]
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { knowledgeMigrations } from '../src/knowledge/catalogue/schema.ts'
import type { Embedder } from '../src/knowledge/enrich/embed/embedder.ts'
import { hashEmbedder } from '../src/knowledge/enrich/embed/hash.ts'
import { openSearchIndex } from '../src/knowledge/search/index-store.ts'
import { rebuildIndex } from '../src/knowledge/search/rebuild.ts'
import { recallCheck } from '../src/knowledge/search/recall.ts'
import { Searcher } from '../src/knowledge/search/searcher.ts'
import { systemClock } from '../src/platform/clock/clock.ts'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import { ndcg, PASSAGES, QUERIES } from '../test/knowledge/search/labelled.ts'
import { answer, atLeast, atMost, inBenchFolder, memoryInUse, percentile, type Row } from './bench-part.ts'
import { atMostStarts } from './bench-yardstick.ts'

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/bench-search.ts [--quick]\nTime, memory and quality of the search, as JSON rows.'
  )
  process.exit(0)
}
const ITEMS = process.argv.includes('--quick') ? 20_000 : 100_000
const ITEMS_PER_DOCUMENT = 50
const WORDS = 120
const VOCABULARY = 30_000
const QUESTIONS = 400
/** The study measured 43 ms for the median of a whole hybrid question with 256 dimensions. */
const TARGETS = { p50: 1.2, p99: 5, load: 40, megabytes: 64, recall: 0.9 }
const MODEL = { provider: 'hash', model: hashEmbedder.model, dims: 1024 }

/** mulberry32: the same texts on every machine. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const SYLLABLES =
  'an ba cor de el fir ga ho in ka lo mi no or pa qui ra so tu ur ve wa xi yo za str ent ing ion al er'.split(' ')

function vocabulary(random: () => number): string[] {
  const words = new Set<string>()
  while (words.size < VOCABULARY)
    words.add(
      Array.from(
        { length: 2 + Math.floor(random() * 3) },
        () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]
      ).join('')
    )
  return [...words]
}

/** Word ranks as in texts of people: the n-th word is about 1/n as frequent as the first. `from`: the commonest are left out. */
const zipf = (random: () => number, from = 0): number =>
  Math.min(VOCABULARY - 1, from + Math.floor(VOCABULARY ** random()) - 1)

function fillKnowledge(db: Database, words: readonly string[], random: () => number): void {
  const addDocument = db.sql(
    `INSERT INTO documents (id, hash, kind, filename, title, author, edition, year, provenance, source, category, size_bytes,
       domain, taxonomy, status, item_count, created_at, changed_at)
     VALUES (?, ?, ?, 'f.pdf', ?, '', '', '', '{}', 'folder', 'Manuals', 1000, ?, 1, 'complete', ?, 0, 0)`
  )
  const addItem = db.sql(
    `INSERT INTO items (document_id, window, ordinal, origin, first_page, last_page, title, summary, content, details)
     VALUES (?, 0, ?, 'extract', ?, ?, ?, '', ?, ?)`
  )
  const details = JSON.stringify({ domain: 'Medical', subdomain: [], keywords: [], key_facts: [] })
  const some = (count: number, from: number): string =>
    Array.from({ length: count }, () => words[zipf(random, from)]).join(' ')
  // A document is about something: half of its words come from some hundreds of its own.
  const about = (own: readonly string[]): string =>
    Array.from({ length: WORDS }, () =>
      random() < 0.5 ? own[Math.floor(own.length * random() ** 2)] : words[zipf(random)]
    ).join(' ')
  db.transaction(() => {
    for (let document = 1; document <= ITEMS / ITEMS_PER_DOCUMENT; document++) {
      const kind = document % 3 === 0 ? 'wiki' : 'pdf'
      const domain = document % 5 === 0 ? 'Medical' : 'Water Systems'
      addDocument.run(document, document.toString(16).padStart(64, '0'), kind, some(4, 100), domain, ITEMS_PER_DOCUMENT)
      const own = Array.from({ length: 300 }, () => words[zipf(random, 100)] ?? '')
      for (let at = 0; at < ITEMS_PER_DOCUMENT; at++)
        addItem.run(document, at, at + 1, at + 1, some(4, 100), about(own), details)
    }
  })
}

/** Two to five telling words each; every fifth has a slip of the pen, every tenth a filter. */
function questions(words: readonly string[], random: () => number): { q: string; domain?: string }[] {
  return Array.from({ length: QUESTIONS }, (_, n) => {
    const chosen = Array.from({ length: 2 + (n % 4) }, () => words[zipf(random, 60)] ?? '')
    if (n % 5 === 0) chosen[0] = `${chosen[0]?.slice(0, 3)}q${chosen[0]?.slice(3)}`
    return { q: chosen.join(' '), ...(n % 10 === 0 ? { domain: 'Medical' } : {}) }
  })
}

async function openKnowledge(folder: string): Promise<Database> {
  return openDatabase({ path: join(folder, 'knowledge.db'), migrations: knowledgeMigrations, synchronous: 'NORMAL' })
}

/** In a process of its own: opens both files, asks, and tells its figures. */
async function ask(folder: string): Promise<void> {
  const before = await memoryInUse()
  const knowledge = await openKnowledge(folder)
  knowledge.exec('PRAGMA query_only = ON')
  const index = await openSearchIndex({ path: join(folder, 'search.db'), readOnly: true })
  const { lexical, vectors } = index
  const embedder = (): Embedder => hashEmbedder
  const searcher = await Searcher.open({ knowledge, lexical, vectors, embedder, clock: systemClock })
  const random = seeded(7)
  const asked = questions(vocabulary(seeded(1)), random)
  const start = performance.now()
  await vectors.search(
    (await hashEmbedder.embed(['first'], new AbortController().signal))[0] ?? new Float32Array(1024),
    { model: MODEL, k: 1 }
  )
  const loadMs = performance.now() - start
  const times: number[] = []
  let found = 0
  for (const question of asked) {
    const from = performance.now()
    const { mode, count } = await searcher.query({ ...question, limit: 20, offset: 0 })
    times.push(performance.now() - from)
    if (mode === 'hybrid' && count > 0) found++
  }
  const after = await memoryInUse()
  const { recall } = await recallCheck(vectors, MODEL)
  const rss = { total: after.rss, more: after.rss - before.rss }
  const figures = { loadMs, p50: percentile(times, 0.5), p99: percentile(times, 0.99), found, recall, rss }
  process.stdout.write(JSON.stringify(figures))
}

interface Figures {
  loadMs: number
  p50: number
  p99: number
  found: number
  recall: number
  rss: { total: number; more: number }
}

async function askElsewhere(folder: string): Promise<Figures> {
  const args = ['--import=tsx', fileURLToPath(import.meta.url), '--asker', folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the asker ended with ${code}`)
  return JSON.parse(text) as Figures
}

/** Mean nDCG@10 over the labelled questions, by words alone and by both. */
async function quality(): Promise<{ words: number; hybrid: number }> {
  const knowledge = await openDatabase({ path: ':memory:', migrations: knowledgeMigrations, synchronous: 'NORMAL' })
  const { lexical, vectors } = await openSearchIndex({ path: ':memory:' })
  const { signal } = new AbortController()
  for (const [at, { id, domain, title, text }] of PASSAGES.entries()) {
    knowledge
      .sql(
        `INSERT INTO documents (id, hash, kind, filename, title, author, edition, year, provenance, source, category,
           size_bytes, domain, taxonomy, status, created_at, changed_at)
         VALUES (?, ?, 'pdf', 'f', ?, '', '', '', '{}', 'folder', '', 0, ?, 1, 'complete', 0, 0)`
      )
      .run(at + 1, id, title, domain)
    knowledge
      .sql(`INSERT INTO items VALUES (?1, ?1, 0, 0, 'extract', 1, 1, ?2, '', ?3, '{"keywords":[],"subdomain":[]}')`)
      .run(at + 1, title, text)
  }
  await rebuildIndex({ knowledge, lexical, vectors, embedder: hashEmbedder, signal })
  const down: Embedder = { ...hashEmbedder, model: 'none' }
  const mean = async (embedder: Embedder): Promise<number> => {
    const parts = { knowledge, lexical, vectors, clock: systemClock, store: 'built-in' }
    const searcher = await Searcher.open({ ...parts, embedder: () => embedder })
    let sum = 0
    for (const { q, relevant } of QUERIES) {
      const { results } = await searcher.query({ q, limit: 10, offset: 0 })
      sum += ndcg(
        results.map(({ hash }) => hash),
        relevant
      )
    }
    return sum / QUERIES.length
  }
  return { words: await mean(down), hybrid: await mean(hashEmbedder) }
}

async function run(folder: string): Promise<Row[]> {
  const words = vocabulary(seeded(1))
  const knowledge = await openKnowledge(folder)
  fillKnowledge(knowledge, words, seeded(2))
  const index = await openSearchIndex({ path: join(folder, 'search.db') })
  const start = performance.now()
  const { signal } = new AbortController()
  const { items } = await rebuildIndex({
    knowledge,
    lexical: index.lexical,
    vectors: index.vectors,
    embedder: hashEmbedder,
    signal
  })
  const perSecond = (items * 1000) / (performance.now() - start)
  index.close()
  knowledge.close()
  const { loadMs, p50, p99, found, recall, rss } = await askElsewhere(folder)
  const { words: byWords, hybrid } = await quality()
  const what = `over ${ITEMS.toLocaleString('en')} passages`
  return [
    ...atMostStarts(`a whole hybrid question ${what}, median`, p50, TARGETS.p50),
    ...atMostStarts(`a whole hybrid question ${what}, p99`, p99, TARGETS.p99),
    atLeast('questions answered hybrid and not empty', found / QUESTIONS, 'of 1', 0.99),
    ...atMostStarts('loading the codes, at the first question', loadMs, TARGETS.load),
    atMost('memory of the searcher above a bare process', rss.more, 'MiB', TARGETS.megabytes),
    { what: 'memory of the searcher, all of it', value: rss.total, unit: 'MiB' },
    atLeast('recall@10 of the scan against reading everything', recall, 'of 1', TARGETS.recall),
    { what: 'passages indexed and embedded (hash), one core', value: perSecond, unit: '/s' },
    { what: 'search.db, bytes a passage', value: statSync(join(folder, 'search.db')).size / ITEMS, unit: 'B' },
    { what: `nDCG@10 by words alone, ${QUERIES.length} labelled questions`, value: byWords, unit: '' },
    atLeast('nDCG@10 hybrid with hashed vectors', hybrid, '', byWords)
  ]
}

const asker = process.argv.indexOf('--asker')
if (asker >= 0) await ask(process.argv[asker + 1] ?? '')
else await inBenchFolder(async (folder) => answer(await run(folder)))
