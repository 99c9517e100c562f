import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { eventually, Launched, readyLine } from '../helpers/process.ts'
import { type IngestFile, ingestFile } from './ingest-files.ts'
import { INGEST_RULES, type IngestProblem, judgeAnswers, judgeFolder } from './ingest-verdict.ts'
import { seeded } from './storm-events.ts'

const HELP = `usage: kill-ingest [--seed N] [--rounds N] [--files N] [--sources] [--keep]

Real files (PDF, text, EPUB, DOCX, MOBI) are uploaded to a station and go through to search; the whole program, or only its
worker, is killed with SIGKILL at seeded random instants and started again on the same folder. At the end:
${INGEST_RULES.map((rule) => `  - ${rule}`).join('\n')}
  --seed N    default: one that is printed
  --rounds N  kills; default 200
  --files N   default 50
  --sources   the sources instead of the bundled program
  --keep      keep the folder, and tell where it is
`

const PROGRAM = fileURLToPath(new URL('../../dist/lookout.js', import.meta.url))
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** Most of a life: long enough for the slowest step, so that the whole gets on. Milliseconds. */
const LONGEST_MS = 4500
const FINISH_MS = 20 * 60_000

interface Options {
  seed: number
  rounds: number
  files: number
  program: string | undefined
}

/** One folder, many lives of one program. */
class Ingest {
  readonly folder = mkdtempSync(join(tmpdir(), 'lookout-ingest-'))
  readonly data = join(this.folder, 'data')
  readonly files: IngestFile[] = []
  readonly #random: () => number
  readonly #options: Options
  #waiting: IngestFile[] = []
  kills = { program: 0, worker: 0, starting: 0 }
  uploads = { sent: 0, cut: 0, known: 0 }

  constructor(options: Options) {
    this.#options = options
    this.#random = seeded(options.seed)
    mkdirSync(this.data)
    writeFileSync(join(this.data, 'config.json'), JSON.stringify({ station: { name: 'Ingest' } }))
  }

  async prepare(): Promise<void> {
    const random = seeded(this.#options.seed + 1)
    for (let n = 0; n < this.#options.files; n++) this.files.push(await ingestFile(n, random))
    this.#waiting = [...this.files]
  }

  launch(): Launched {
    const { program } = this.#options
    return new Launched({
      args: ['start', '--port', '0', '--data', this.data, '--no-demo'],
      env: { LOOKOUT_LOG: 'error' },
      ...(program === undefined ? {} : { program })
    })
  }

  /** One life that ends by force. */
  async round(): Promise<void> {
    const launched = this.launch()
    if (this.#random() < 0.1) {
      this.kills.starting++
      await pause(this.#random() * 500)
    } else {
      const { url } = await launched.until('the ready line', () => readyLine(launched.stdout))
      const uploading = this.#upload(url)
      await pause(Math.min(LONGEST_MS, 150 + this.#random() ** 2 * LONGEST_MS))
      if (this.#random() < 0.3) await this.#killWorker(launched)
      this.kills.program++
      await launched.kill()
      await uploading
      return
    }
    await launched.kill()
  }

  /** Some files of those that are left; one that was cut off is sent again in a later life. */
  async #upload(url: string): Promise<void> {
    const many = Math.ceil((2 * this.#options.files) / Math.max(1, this.#options.rounds)) + 1
    const now = this.#waiting.splice(0, many)
    for (const file of now) if (!(await this.#send(url, file))) this.#waiting.push(file)
  }

  async #send(url: string, { name, bytes }: IngestFile): Promise<boolean> {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), name)
    form.append('category', 'Handbooks')
    this.uploads.sent++
    try {
      const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
      if (response.status === 409) this.uploads.known++
      else if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
      return true
    } catch (error) {
      if (error instanceof Error && /^\d{3}: /.test(error.message)) throw error
      // Killed before it answered: whether the file was taken is what the repeat finds out.
      this.uploads.cut++
      return false
    }
  }

  /** Only the side processes: the program itself must notice and go on. */
  async #killWorker({ child }: Launched): Promise<void> {
    const killed = childrenOf(child.pid ?? 0).filter((pid) => tryKill(pid))
    if (killed.length === 0) return
    this.kills.worker += killed.length
    await pause(200 + this.#random() * 1500)
  }

  /** As an operator does: a document by its button, a file that never became one by sending it again. */
  async #tryAgain(url: string, { file, status }: { file: IngestFile; status: string }): Promise<void> {
    if (status === 'failed') await fetch(`${url}/api/documents/${file.hash}/retry`, { method: 'POST' })
    else {
      this.#waiting.push(file)
      await this.#upload(url)
    }
  }

  /** The last life: everything is uploaded and goes through. */
  async finish(): Promise<IngestProblem[]> {
    const launched = this.launch()
    const { url } = await launched.until('the ready line', () => readyLine(launched.stdout))
    while (this.#waiting.length > 0) await this.#upload(url)
    const deadline = Date.now() + FINISH_MS
    for (;;) {
      const ends = await Promise.all(this.files.map(async (file) => ({ file, ...(await statusOf(url, file.hash)) })))
      for (const end of ends) if (GIVEN_UP.test(end.reason ?? '')) await this.#tryAgain(url, end)
      if (ends.every(({ status, reason }) => SETTLED.has(status) && !GIVEN_UP.test(reason ?? ''))) break
      if (Date.now() > deadline) break
      await pause(500)
    }
    // The last commit of the worker may be a moment old.
    await eventually('no job is left', async () => (await openJobs(url)) === 0).catch(() => undefined)
    const asked = { url, folder: this.data, files: this.files }
    const answers = await judgeAnswers(asked)
    const { code, stderr } = await launched.stop()
    const folder = await judgeFolder(asked)
    const said = stderr.split('\n').filter((line) => line !== '' && !line.includes('a job was given up'))
    const end: IngestProblem[] =
      code === 0 && said.length === 0
        ? []
        : [{ rule: INGEST_RULES[0], what: `the last life ended with ${code}: ${stderr}` }]
    return [...answers, ...folder, ...end]
  }
}

/** Three kills of the worker while it was at this file alone: it is given up, and an operator tries it again. */
const GIVEN_UP = /ended the worker \d+ times/
const SETTLED = new Set(['complete', 'failed', 'rejected', 'skipped', 'duplicate', 'needs_review'])

async function statusOf(url: string, hash: string): Promise<{ status: string; reason: string | null }> {
  const response = await fetch(`${url}/api/upload/${hash}/status`)
  const { status = String(response.status), reason = null } = (await response.json()) as {
    status?: string
    reason?: string | null
  }
  return { status, reason }
}

async function openJobs(url: string): Promise<number> {
  const answer = (await (await fetch(`${url}/api/knowledge`)).json()) as { jobs?: { count: number; state: string }[] }
  return (answer.jobs ?? []).reduce((sum, { count, state }) => sum + (state === 'dead' ? 0 : count), 0)
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid)
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // It ended while we looked.
    return null
  }
}

function tryKill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string' },
      files: { type: 'string' },
      sources: { type: 'boolean' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    console.log(HELP.trimEnd())
    return 0
  }
  const options: Options = {
    seed: Number(values.seed ?? Math.floor(Math.random() * 1e9)),
    rounds: Number(values.rounds ?? 200),
    files: Number(values.files ?? 50),
    program: values.sources ? undefined : PROGRAM
  }
  console.log(`kill-ingest: seed ${options.seed}, ${options.rounds} kills, ${options.files} files`)
  const ingest = new Ingest(options)
  await ingest.prepare()
  for (let round = 1; round <= options.rounds; round++) {
    await ingest.round()
    if (round % 20 === 0) console.log(`  ${round} kills, ${ingest.uploads.sent} uploads begun`)
  }
  const problems = await ingest.finish()
  const { kills, uploads } = ingest
  console.log(
    `seed ${options.seed}: ${kills.program} kills of the program at work, ${kills.starting} while it started, ${kills.worker} of side processes; ` +
      `${uploads.sent} uploads begun, ${uploads.cut} cut off, ${uploads.known} known when sent again`
  )
  const failed = new Set(problems.map(({ rule }) => rule))
  for (const rule of INGEST_RULES) console.log(`${failed.has(rule) ? 'not ok' : 'ok'} ${rule}`)
  for (const { rule, what } of problems.slice(0, 40)) console.log(`  ${rule}: ${what}`)
  console.log(`\n${INGEST_RULES.length - failed.size} passed, ${failed.size} failed`)
  if (values.keep || failed.size > 0) console.log(`the folder: ${ingest.folder}`)
  else rmSync(ingest.folder, { recursive: true, force: true })
  return failed.size === 0 ? 0 : 1
}

process.exitCode = await main()
