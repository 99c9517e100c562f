/**
 * Memory of all processes of the station, profile by profile, while one large text, a PDF of many pages and fifty mixed files come in. The large
 * ones come first: whoever uploads something small behind them waits for it.
 *
 *   node --import=tsx scripts/bench-memory.ts [--quick] [--profile NAME] [--minutes N] [--help]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, openAsBlob, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type StationProcess, stationProcesses } from '../src/platform/metrics/station-processes.ts'
import { ingestFile } from '../test/faults/ingest-files.ts'
import { seeded } from '../test/faults/storm-events.ts'
import { samplePdf } from '../test/helpers/documents.ts'
import { answer, atMost, inBenchFolder, type Row, root } from './bench-part.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    minutes: { type: 'string' },
    help: { type: 'boolean', short: 'h' }
  }
})
if (values.help === true) {
  console.log(`usage: node --import=tsx scripts/bench-memory.ts [--quick] [--profile NAME] [--minutes N]

Memory of all processes for each profile while one text of 128 MiB, a PDF of 1,000 pages and 50 mixed files come in, as JSON rows. Linux only.
  --quick         a text of 16 MiB, 100 pages, 10 files
  --profile NAME  home, regional_pi or minimal_pi alone
  --minutes N     wait no longer for the large ones of a profile; 20, with --quick 5`)
  process.exit(0)
}
const { quick } = values
const MIB = 2 ** 20
const PROFILES = values.profile === undefined ? ['home', 'regional_pi', 'minimal_pi'] : [values.profile]
const TEXT_MIB = quick ? 16 : 128
const PAGES = quick ? 100 : 1000
const FILES = quick ? 10 : 50
const MOST_MS = Number(values.minutes ?? (quick ? 5 : 20)) * 60_000
const SMALL_S = 60
/** A text is taken in or refused within a minute for each ten million bytes. */
const TEXT_S = (60 * TEXT_MIB * MIB) / 10_000_000
const LOOK_MS = 1000
const SETTLED = new Set(['complete', 'failed', 'rejected', 'skipped', 'duplicate', 'needs_review'])

interface Upload {
  name: string
  body: Blob
}

interface Station {
  child: ChildProcess
  url: string
  headers: Record<string, string>
  /** Ends of side processes that nobody asked for, in the words of the log. */
  deaths: string[]
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function started(folder: string, profile: string): Promise<Station> {
  const data = join(folder, profile)
  mkdirSync(data)
  writeFileSync(join(data, 'config.json'), JSON.stringify({ station: { name: 'Memory' } }))
  const { tuning } = JSON.parse(readFileSync(join(root, `profiles/${profile}.json`), 'utf8')) as {
    tuning: { heap_mb: number }
  }
  const command = [`--max-old-space-size=${tuning.heap_mb}`, join(root, 'dist/lookout.js'), 'start', '--no-demo']
  const place = ['--host', '127.0.0.1', '--port', '0', '--profile', profile, '--data', data]
  const child = spawn(process.execPath, [...command, ...place], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LOOKOUT_LOG: 'error' }
  })
  const deaths: string[] = []
  let last = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (last + chunk).split('\n')
    last = lines.pop() ?? ''
    deaths.push(...lines.filter((line) => line.includes('side process ended unexpectedly')))
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const found = /lookout ready (http:\/\/\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the program ended with ${code} before it was ready`)))
  })
  const token = join(data, 'local.token')
  const secret = existsSync(token) ? readFileSync(token, 'utf8').trim() : ''
  return { child, url, deaths, headers: secret === '' ? {} : { authorization: `Bearer ${secret}` } }
}

interface Peaks {
  all: number
  main: number
  worker: number
  child: { bytes: number; name: string }
  /** False: of some process only its resident memory could be read. */
  areShares: boolean
}

/** Looks at all processes each second until it is told to stop. */
function watch(pid: number): { stop: () => Promise<Peaks> } {
  const peaks: Peaks = { all: 0, main: 0, worker: 0, child: { bytes: 0, name: 'none' }, areShares: true }
  let on = true
  const looking = (async () => {
    while (on) {
      const begun = performance.now()
      for (const one of await look(pid, peaks)) note(one, peaks)
      await pause(Math.max(50, LOOK_MS - (performance.now() - begun)))
    }
  })()
  return {
    stop: async () => {
      on = false
      await looking
      return peaks
    }
  }
}

async function look(pid: number, peaks: Peaks): Promise<StationProcess[]> {
  const found = await stationProcesses({ proc: '/proc', root: pid, pause: () => nextTurn() })
  peaks.all = Math.max(
    peaks.all,
    found.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
  )
  return found
}

function note({ role, memoryBytes, name, isShare }: StationProcess, peaks: Peaks): void {
  if (!isShare) peaks.areShares = false
  if (role === 'main') peaks.main = Math.max(peaks.main, memoryBytes)
  else if (role === 'worker') peaks.worker = Math.max(peaks.worker, memoryBytes)
  else if (memoryBytes > peaks.child.bytes) peaks.child = { bytes: memoryBytes, name }
}

/** Answers the hash. */
async function send({ url, headers }: Station, { name, body }: Upload): Promise<string> {
  const response = await fetch(`${url}/api/upload?filename=${encodeURIComponent(name)}`, {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/octet-stream' }
  })
  const told = (await response.json()) as { hash?: string; detail?: string }
  if (told.hash === undefined) throw new Error(`${name}: ${response.status} ${told.detail}`)
  return told.hash
}

interface End {
  status: string
  message: string
  seconds: number
}

/** How it ended, and when; asked on and on beside the others. */
async function endOf({ url, headers }: Station, hash: string, begun: number): Promise<End> {
  for (;;) {
    const seconds = (performance.now() - begun) / 1000
    const response = await fetch(`${url}/api/upload/${hash}/status`, { headers })
    const { status, message } = (await response.json()) as { status: string; message: string }
    if (SETTLED.has(status) || seconds * 1000 > MOST_MS) return { status, message, seconds }
    await pause(500)
  }
}

async function measured(folder: string, profile: string, { text, pdf, files }: Inputs): Promise<Row[]> {
  const station = await started(folder, profile)
  await pause(3000)
  const watching = watch(station.child.pid ?? 0)
  const sent: { hash: string; at: number }[] = []
  const tiny = { name: 'tiny.txt', body: new Blob([words(3000, 'tiny')]) }
  for (const upload of [text, pdf, tiny, ...files])
    sent.push({ hash: await send(station, upload), at: performance.now() })
  const [textEnd, pdfEnd, tinyEnd, ...smallEnds] = await Promise.all(
    sent.map(({ hash, at }) => endOf(station, hash, at))
  )
  const peaks = await watching.stop()
  const wasGone = station.child.exitCode !== null
  station.child.kill('SIGTERM')
  if (!wasGone) await new Promise((resolve) => station.child.once('exit', resolve))
  return rowsOf(profile, { peaks, smallEnds, tinyEnd, textEnd, pdfEnd, deaths: station.deaths, wasGone })
}

interface Found {
  peaks: Peaks
  smallEnds: readonly End[]
  tinyEnd: End | undefined
  textEnd: End | undefined
  pdfEnd: End | undefined
  deaths: readonly string[]
  wasGone: boolean
}

function rowsOf(profile: string, found: Found): Row[] {
  const { peaks, smallEnds, tinyEnd, textEnd, pdfEnd, deaths, wasGone } = found
  const mib = (bytes: number): number => bytes / MIB
  const complete = smallEnds.filter(({ status }) => status === 'complete').length
  const kind = peaks.areShares ? 'PSS' : 'RSS'
  return [
    { what: `${profile}: all processes, peak of ${kind}`, value: mib(peaks.all), unit: 'MiB' },
    { what: `${profile}: main process`, value: mib(peaks.main), unit: 'MiB' },
    { what: `${profile}: worker`, value: mib(peaks.worker), unit: 'MiB' },
    { what: `${profile}: largest other (${peaks.child.name})`, value: mib(peaks.child.bytes), unit: 'MiB' },
    {
      what: `${profile}: ${complete} of ${smallEnds.length} files complete`,
      value: Math.max(...smallEnds.map(({ seconds }) => seconds)),
      unit: 's'
    },
    atMost(`${profile}: a file of 3 kB behind them ${tinyEnd?.status}`, tinyEnd?.seconds ?? 0, 's', SMALL_S),
    atMost(`${profile}: ${TEXT_MIB} MiB of text ${saidOf(textEnd)}`, textEnd?.seconds ?? 0, 's', TEXT_S),
    { what: `${profile}: PDF of ${PAGES} pages ${saidOf(pdfEnd)}`, value: pdfEnd?.seconds ?? 0, unit: 's' },
    atMost(`${profile}: processes that ended unasked`, deaths.length + (wasGone ? 1 : 0), '', 0)
  ]
}

function saidOf(end: End | undefined): string {
  return end === undefined ? 'not sent' : end.status === 'complete' ? 'complete' : `${end.status}: ${end.message}`
}

const PROSE =
  'Water that looks clear may still carry germs. Bring it to a rolling boil for one full minute before you drink it. If there is no fuel, add two drops of plain bleach for every litre and wait half an hour.'

/** So many bytes of paragraphs of which no two are alike. */
function words(bytes: number, name: string): string {
  const parts: string[] = []
  for (let at = 0, n = 0; at < bytes; n++) {
    const part = `Paragraph ${n} of ${name}. ${PROSE} This one has the number ${n * 7919} and the word ${name}${n.toString(36)}.\n\n`
    parts.push(part)
    at += part.length
  }
  return parts.join('').slice(0, bytes)
}

interface Inputs {
  text: Upload
  pdf: Upload
  files: readonly Upload[]
}

async function inputsIn(folder: string): Promise<Inputs> {
  const path = join(folder, 'large.txt')
  const out = createWriteStream(path)
  for (let part = 0; part < TEXT_MIB; part++)
    if (!out.write(words(MIB, `chapter${part}`))) await new Promise<void>((resolve) => out.once('drain', resolve))
  await new Promise<void>((resolve) => out.end(() => resolve()))
  const pages = Array.from({ length: PAGES }, (_, page) => words(1800, `page${page}`))
  const random = seeded(3)
  const files: Upload[] = []
  for (let n = 0; n < FILES; n++) {
    const { name, bytes } = await ingestFile(n, random)
    files.push({ name, body: new Blob([new Uint8Array(bytes)]) })
  }
  const pdf = new Blob([new Uint8Array(await samplePdf(pages, { title: 'A thousand pages' }))])
  return { text: { name: 'large.txt', body: await openAsBlob(path) }, pdf: { name: 'pages.pdf', body: pdf }, files }
}

await inBenchFolder(async (folder) => {
  const inputs = await inputsIn(folder)
  const rows: Row[] = []
  for (const profile of PROFILES) rows.push(...(await measured(folder, profile, inputs)))
  answer(rows)
})
