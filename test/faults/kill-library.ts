import { existsSync, mkdirSync, mkdtempSync, openAsBlob, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { knowledgeMigrations } from '../../src/knowledge/catalogue/schema.ts'
import { readFeed } from '../../src/knowledge/library/feed.ts'
import type { SourceView } from '../../src/knowledge/library/status.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { canServeArchives, makeArchive } from '../helpers/archives.ts'
import { Launched, readyLine } from '../helpers/process.ts'
import { seeded } from './storm-events.ts'

const RULES = [
  'an archive that was uploaded is registered: row, file and feed of the real server agree',
  'reading goes on where it was: every article is one document, none twice',
  'both archives of one title are complete in the end, and found with a citation that opens in the server',
  'a removal that was cut off is finished: no document, no row, no file, no entry of the feed',
  'no orphan row and no orphan file, and the database passes its integrity check'
] as const
type Rule = (typeof RULES)[number]

const HELP = `usage: kill-library [--seed N] [--rounds N] [--articles N] [--sources] [--keep]

Two archives of one title are uploaded, registered with a real kiwix-serve, read, and removed; the program is killed with SIGKILL at seeded
random instants of each and started again on the same folder.
${RULES.map((rule) => `  - ${rule}`).join('\n')}
  --seed N      default: one that is printed
  --rounds N    kills; default 60: a third while uploading and registering, reading, removing each
  --articles N  of each archive; default 400
  --sources     the sources instead of the bundled program
  --keep        keep the folder, and tell where it is
`

const PROGRAM = fileURLToPath(new URL('../../dist/lookout.js', import.meta.url))
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const NAMES = ['notes_a.zim', 'notes_b.zim'] as const

interface Listing {
  sources: SourceView[]
  server: { status: string; url: string | null; problem: string | null }
}

/** One folder, many lives of one program. */
class Run {
  readonly folder = mkdtempSync(join(tmpdir(), 'lookout-library-'))
  readonly data = join(this.folder, 'data')
  readonly problems: { rule: Rule; what: string }[] = []
  kills = 0
  readonly #random: () => number
  readonly #program: string | undefined
  readonly #articles: number

  constructor(seed: number, articles: number, program: string | undefined) {
    this.#random = seeded(seed)
    this.#articles = articles
    this.#program = program
    mkdirSync(this.data)
    writeFileSync(
      join(this.data, 'config.json'),
      JSON.stringify({ station: { name: 'Library' }, library: { port: 0, detect_minutes: 1 } })
    )
  }

  /** Each article has a word of its own. */
  async prepare(): Promise<void> {
    for (const [n, name] of NAMES.entries()) {
      const pages = Object.fromEntries(
        Array.from({ length: this.#articles - 1 }, (_, page) => [
          `article ${page}.html`,
          `<h1>Article ${page}</h1><p>The word ${wordOf(n, page)} stands only here. ${'Keep the well in good order and tell the next watch what was done. '.repeat(4)}${n} ${page}</p>`
        ])
      )
      await makeArchive(join(this.folder, name), { title: 'Field Notes', pages })
    }
  }

  fail(rule: Rule, what: string): void {
    this.problems.push({ rule, what })
  }

  launch(): Launched {
    return new Launched({
      args: ['start', '--port', '0', '--data', this.data, '--no-demo'],
      env: { LOOKOUT_LOG: 'error' },
      ...(this.#program === undefined ? {} : { program: this.#program })
    })
  }

  async up(): Promise<{ launched: Launched; url: string }> {
    const launched = this.launch()
    const { url } = await launched.until('the ready line', () => readyLine(launched.stdout))
    return { launched, url }
  }

  /** A life in which `work` is begun and cut off after a while. */
  async cut(work: (url: string) => Promise<void>, longest: number): Promise<void> {
    const { launched, url } = await this.up()
    // The next life must find out what it was doing when it was killed.
    const working = work(url).catch(() => undefined)
    await pause(50 + this.#random() * longest)
    await launched.kill()
    this.kills++
    await working
  }

  async upload(url: string): Promise<void> {
    for (const name of NAMES) {
      const form = new FormData()
      form.append('file', await openAsBlob(join(this.folder, name)), name)
      await fetch(`${url}/api/library/sources`, { method: 'POST', body: form })
    }
  }

  async read(url: string): Promise<void> {
    const { sources } = await listing(url)
    for (const { id } of sources) await order(url, `/api/library/sources/${id}/ingest`, { enabled: true })
  }

  async remove(url: string): Promise<void> {
    const { sources } = await listing(url)
    for (const { id } of sources) await fetch(`${url}/api/library/sources/${id}`, { method: 'DELETE' })
  }

  /** A life that is left alone until `is` holds. */
  async until(what: string, rule: Rule, is: (url: string) => Promise<string | null>): Promise<void> {
    const { launched, url } = await this.up()
    let why: string | null = 'never looked'
    const deadline = Date.now() + 180_000
    for (;;) {
      why = await is(url)
      if (why === null || Date.now() > deadline) break
      await pause(300)
    }
    if (why !== null) this.fail(rule, `${what}: ${why}`)
    const { code, stderr } = await launched.stop()
    if (code !== 0 || stderr !== '') this.fail(RULES[4], `it ended with ${code}: ${stderr.slice(0, 400)}`)
  }

  async registered(url: string): Promise<string | null> {
    await this.upload(url)
    const { sources, server } = await listing(url)
    if (
      sources
        .map(({ filename }) => filename)
        .toSorted()
        .join() !== NAMES.join()
    )
      return `${sources.length} sources`
    if (server.url === null) return `the server is ${server.status}`
    const feed = (await readFeed({ url: server.url, userAgent: 'tests' })).map(({ uuid }) => uuid).toSorted()
    return feed.join() ===
      sources
        .map(({ uuid }) => uuid)
        .toSorted()
        .join()
      ? null
      : `${feed.length} in the feed`
  }

  async complete(url: string): Promise<string | null> {
    const { sources } = await listing(url)
    const open = sources.filter(({ status }) => status !== 'COMPLETE')
    if (open.length > 0) {
      if (open.some(({ ingest_enabled }) => !ingest_enabled)) await this.read(url)
      return open.map(({ filename, status, progress }) => `${filename} ${status} ${progress}`).join(', ')
    }
    for (const [n] of NAMES.entries()) {
      const word = wordOf(n, Math.floor(this.#articles / 2))
      const { results } = await answer<{ results: { citation: { url: string } }[] }>(`${url}/api/search?q=${word}`)
      const [first] = results
      // While the server starts, articles are cited by the dashboard's own page.
      if (first?.citation.url.startsWith('/')) return 'the server is not asked yet'
      const page = first === undefined ? '' : await (await fetch(first.citation.url)).text()
      if (!page.includes(word)) return `"${word}" is not found, or its citation does not open`
    }
    return null
  }

  async gone(url: string): Promise<string | null> {
    const { sources, server } = await listing(url)
    if (sources.length > 0) {
      await this.remove(url)
      return `${sources.length} sources`
    }
    if (server.status !== 'off') return `the server is ${server.status}`
    // The job that removes ends after what it removed; a life that is cut off between the two has not finished it.
    const { jobs } = await answer<{ jobs: { kind: string }[] }>(`${url}/api/knowledge`)
    return jobs.length === 0 ? null : `${jobs.map(({ kind }) => kind).join(', ')} goes on`
  }

  async judge(documents: number): Promise<void> {
    const path = join(this.data, 'knowledge.db')
    const db = await openDatabase({ path, migrations: knowledgeMigrations, synchronous: 'FULL' })
    const count = (sql: string): number => counted(db, sql)
    const wiki = count("SELECT count(*) AS n FROM documents WHERE kind = 'wiki'")
    if (wiki !== documents) this.fail(documents === 0 ? RULES[3] : RULES[1], `${wiki} documents, not ${documents}`)
    const twice = count(
      'SELECT count(*) AS n FROM (SELECT source_id, url FROM documents GROUP BY source_id, url HAVING count(*) > 1)'
    )
    if (twice > 0) this.fail(RULES[1], `${twice} articles twice`)
    if (documents === 0) {
      for (const table of ['library_sources', 'archive_articles', 'items', 'pages', 'document_hashes', 'jobs'])
        if (count(`SELECT count(*) AS n FROM ${table}`) > 0) this.fail(RULES[3], `rows of ${table} are left`)
      const folder = join(this.data, 'archives')
      const files = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : []
      const left = files.filter((name) => name !== 'library.xml' && name !== '.parts')
      if (left.length > 0) this.fail(RULES[3], `files are left: ${left.join(', ')}`)
    }
    const whole = db
      .sql('PRAGMA integrity_check')
      .all()
      .map((row) => String(row['integrity_check']))
      .join()
    if (whole !== 'ok') this.fail(RULES[4], whole)
    db.close()
  }
}

function counted(db: Database, sql: string): number {
  return Number(db.sql(sql).get()?.['n'])
}

/** Letters only, so that no part of it is a word of its own. */
function wordOf(archive: number, page: number): string {
  const letters = 'bdfghjklmnprst'
  return `zor${'ae'[archive]}${letters[page % 14]}o${letters[Math.floor(page / 14) % 14]}u${letters[Math.floor(page / 196) % 14]}ix`
}

async function answer<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T
}

const listing = (url: string): Promise<Listing> => answer<Listing>(`${url}/api/library/sources`)

async function order(url: string, path: string, body: object): Promise<void> {
  await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string' },
      articles: { type: 'string' },
      sources: { type: 'boolean' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    console.log(HELP.trimEnd())
    return 0
  }
  if (!canServeArchives()) {
    console.log('skipped: zimwriterfs and kiwix-serve are not installed\n\n0 passed, 0 failed')
    return 0
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
  const each = Math.max(1, Math.round(Number(values.rounds ?? 60) / 3))
  const articles = Number(values.articles ?? 400)
  console.log(`kill-library: seed ${seed}, ${3 * each} kills, 2 archives of ${articles} articles`)
  const run = new Run(seed, articles, values.sources ? undefined : PROGRAM)
  await run.prepare()
  for (let round = 0; round < each; round++) await run.cut((url) => run.upload(url), 1500)
  await run.until('registered', RULES[0], (url) => run.registered(url))
  for (let round = 0; round < each; round++) await run.cut((url) => run.read(url), 3500)
  await run.until('complete', RULES[2], (url) => run.complete(url))
  // The first page of each is a stub, which is left out.
  await run.judge(2 * (articles - 1))
  for (let round = 0; round < each; round++) await run.cut((url) => run.remove(url), 1500)
  await run.until('removed', RULES[3], (url) => run.gone(url))
  await run.judge(0)
  const failed = new Set(run.problems.map(({ rule }) => rule))
  console.log(`seed ${seed}: ${run.kills} kills`)
  for (const rule of RULES) console.log(`${failed.has(rule) ? 'not ok' : 'ok'} ${rule}`)
  for (const { rule, what } of run.problems.slice(0, 40)) console.log(`  ${rule}: ${what}`)
  console.log(`\n${RULES.length - failed.size} passed, ${failed.size} failed`)
  if (values.keep || failed.size > 0) console.log(`the folder: ${run.folder}`)
  else rmSync(run.folder, { recursive: true, force: true })
  return failed.size === 0 ? 0 : 1
}

process.exitCode = await main()
