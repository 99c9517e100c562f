/**
 * Fifty files go from upload to search in the built program, while the memory of the program and of its side processes is
 * looked at; then one upload of 200 MB.
 *
 *   node --import=tsx scripts/bench-ingest.ts [--quick] [--help]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, openAsBlob, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IngestFile, ingestFile } from '../test/faults/ingest-files.ts'
import { seeded } from '../test/faults/storm-events.ts'
import { answer, atMost, inBenchFolder, percentile, type Row, root } from './bench-part.ts'
import { atMostStarts } from './bench-yardstick.ts'

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/bench-ingest.ts [--quick]\nFifty files from upload to search, as JSON rows. Linux only.'
  )
  process.exit(0)
}
const quick = process.argv.includes('--quick')
const FILES = quick ? 10 : 50
const BIG_BYTES = (quick ? 50 : 200) * 2 ** 20
const TARGETS = { ingestMb: 40, uploadMb: 50, p99Starts: 2 }
const SETTLE_MS = 4000
const LOOK_MS = 100
const ASK_MS = 40

interface Started {
  child: ChildProcess
  url: string
}

async function started(folder: string): Promise<Started> {
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'config.json'), JSON.stringify({ station: { name: 'Ingest' } }))
  const args = [
    '--max-old-space-size=96',
    join(root, 'dist/lookout.js'),
    'start',
    '--no-demo',
    '--port',
    '0',
    '--data',
    data
  ]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOOKOUT_LOG: 'error' }
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const found = /lookout ready (http:\/\/\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the program ended with ${code} before it was ready`)))
  })
  return { child, url }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Peaks {
  main: number
  /** The largest process below it, and what it was. */
  child: { mb: number; name: string }
  /** All processes below it together. */
  children: number
}

/** Looks at the tree of processes until told to stop. MiB of resident memory. */
class Watch {
  readonly peaks: Peaks = { main: 0, child: { mb: 0, name: '' }, children: 0 }
  readonly #timer: NodeJS.Timeout

  constructor(pid: number) {
    this.#timer = setInterval(() => this.#look(pid), LOOK_MS)
  }

  #look(pid: number): void {
    this.peaks.main = Math.max(this.peaks.main, rss(pid))
    let all = 0
    for (const { pid: child, name } of below(pid)) {
      const mb = rss(child)
      all += mb
      if (mb > this.peaks.child.mb) this.peaks.child = { mb, name }
    }
    this.peaks.children = Math.max(this.peaks.children, all)
  }

  stop(): Peaks {
    clearInterval(this.#timer)
    return this.peaks
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process ended while we looked.
    return ''
  }
}

function rss(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function below(pid: number): { pid: number; name: string }[] {
  const parents = new Map<number, { parent: number; name: string }>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = read(`/proc/${entry}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const words = read(`/proc/${entry}/cmdline`).split('\0')
    const role = words.indexOf('work')
    parents.set(Number(entry), { parent, name: role === -1 ? (words[0] ?? '') : `work ${words[role + 1]}` })
  }
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one)?.parent ?? 0
    return parent === pid || (parent > 1 && isBelow(parent))
  }
  return [...parents].filter(([one]) => isBelow(one)).map(([one, { name }]) => ({ pid: one, name }))
}

async function upload(url: string, name: string, body: Blob): Promise<string> {
  const form = new FormData()
  form.append('file', body, name)
  const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
  const told = (await response.json()) as { hash?: string; detail?: string }
  if (response.status !== 201 || told.hash === undefined) throw new Error(`${name}: ${response.status} ${told.detail}`)
  return told.hash
}

async function json<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T
}

/** Asks the station again and again: whoever waits here, the radios wait for too. Milliseconds of each answer. */
function askOnAndOn(url: string): { stop: () => Promise<number[]> } {
  let on = true
  const took: number[] = []
  const asking = (async () => {
    while (on) {
      const begun = performance.now()
      await (await fetch(`${url}/api/health`)).arrayBuffer()
      took.push(performance.now() - begun)
      await pause(ASK_MS)
    }
  })()
  return {
    stop: async () => {
      on = false
      await asking
      return took
    }
  }
}

async function ingest({ child, url }: Started, files: readonly IngestFile[]): Promise<Row[]> {
  await pause(SETTLE_MS)
  const pid = child.pid ?? 0
  const idle = rss(pid)
  const watch = new Watch(pid)
  const health = askOnAndOn(url)
  const begun = performance.now()
  for (const { name, bytes } of files) await upload(url, name, new Blob([new Uint8Array(bytes)]))
  for (const { name, hash } of files) {
    for (;;) {
      const { status, message } = await json<{ status: string; message?: string }>(`${url}/api/upload/${hash}/status`)
      if (status === 'complete') break
      if (['failed', 'rejected', 'skipped', 'duplicate', 'needs_review'].includes(status))
        throw new Error(`${name}: ${status} ${message ?? ''}`)
      await pause(200)
    }
  }
  const seconds = (performance.now() - begun) / 1000
  const peaks = watch.stop()
  const answers = await health.stop()
  const documents = (
    await json<{ documents: { page_count: number; item_count: number }[] }>(`${url}/api/documents?limit=100`)
  ).documents
  const pages = documents.reduce((sum, { page_count }) => sum + page_count, 0)
  const items = documents.reduce((sum, { item_count }) => sum + item_count, 0)
  return [
    { what: `${files.length} files, upload to search`, value: seconds, unit: 's' },
    { what: 'pages read', value: pages / seconds, unit: 'pages/s' },
    { what: 'items indexed and embedded', value: items / seconds, unit: 'items/s' },
    atMost('main process above idle while they are read', peaks.main - idle, 'MiB', TARGETS.ingestMb),
    ...atMostStarts('the station answers meanwhile, p99', percentile(answers, 0.99), TARGETS.p99Starts),
    { what: `largest process beside it (${peaks.child.name})`, value: peaks.child.mb, unit: 'MiB' },
    { what: 'all processes beside it together', value: peaks.children, unit: 'MiB' }
  ]
}

/** A PDF by its first bytes, and nothing after them: taken whole, found damaged later. */
async function bigFile(folder: string): Promise<string> {
  const file = join(folder, 'big.pdf')
  const out = createWriteStream(file)
  out.write('%PDF-1.7\n')
  const random = seeded(4)
  const block = Buffer.from(Uint8Array.from({ length: 2 ** 20 }, () => Math.floor(random() * 256)))
  for (let written = 0; written < BIG_BYTES; written += block.length)
    if (!out.write(block)) await new Promise<void>((resolve) => out.once('drain', resolve))
  await new Promise<void>((resolve) => out.end(() => resolve()))
  return file
}

async function bigUpload({ child, url }: Started, folder: string): Promise<Row[]> {
  const file = await bigFile(folder)
  const pid = child.pid ?? 0
  await pause(SETTLE_MS)
  const idle = rss(pid)
  const watch = new Watch(pid)
  const begun = performance.now()
  await upload(url, 'big.pdf', await openAsBlob(file))
  const seconds = (performance.now() - begun) / 1000
  const peaks = watch.stop()
  return [
    { what: `an upload of ${BIG_BYTES / 2 ** 20} MiB`, value: BIG_BYTES / 2 ** 20 / seconds, unit: 'MiB/s' },
    atMost('main process above idle during that upload', peaks.main - idle, 'MiB', TARGETS.uploadMb)
  ]
}

await inBenchFolder(async (folder) => {
  const random = seeded(3)
  const files: IngestFile[] = []
  for (let n = 0; n < FILES; n++) files.push(await ingestFile(n, random))
  const program = await started(folder)
  const rows = [...(await ingest(program, files)), ...(await bigUpload(program, folder))]
  program.child.kill('SIGTERM')
  await new Promise((resolve) => program.child.once('exit', resolve))
  answer(rows)
})
