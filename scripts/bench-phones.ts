/**
 * Thirty phones on the hotspot: the built program with the limits of `minimal_pi`, thirty live streams, and pages and API
 * asked for in a loop, while events come in; and in turn with it a bare server that gives the same bytes to the same phones.
 *
 *   node --import=tsx scripts/bench-phones.ts [--quick] [--help]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { join } from 'node:path'
import { keepAnswers } from './bench-bare.ts'
import { answer, atMost, inBenchFolder, percentile, type Row, root } from './bench-part.ts'

if (process.argv.includes('--help')) {
  console.log('node --import=tsx scripts/bench-phones.ts [--quick]\nThirty phones at once, as JSON rows. Linux only.')
  process.exit(0)
}
const quick = process.argv.includes('--quick')
const PHONES = 30
const SECONDS = quick ? 10 : 30
/** The program and the bare server take turns, so that both meet whatever else the machine does. */
const TURNS = 2
const TARGETS = { rssMb: 110, timesBare: 3 }
/** Somebody reads between two looks. Milliseconds. */
const PAUSE_MS = 1000
const EVENTS_MS = 2000
/** People take up their phones one after the other. Milliseconds. */
const ARRIVE_MS = 50
/** The addresses that a phone asks for, in turn. */
const PATHS = [
  '/',
  '/alerts',
  '/api/status',
  '/static/style.css',
  '/events',
  '/api/deliveries?limit=50',
  '/mesh-a/routing',
  '/api/events?limit=50',
  '/api/radios'
]
const { heap_mb: HEAP_MB } = JSON.parse(readFileSync(join(root, 'profiles/minimal_pi.json'), 'utf8')).tuning

const REGIONS = Array.from({ length: 8 }, (_, n) => `Valley ${n}`)
const FAMILIES = ['fire', 'weather', 'seismic', 'roads']
const config = {
  station: { name: 'Camas Prairie', timezone: 'America/Boise' },
  radios: [
    { id: 'roof', network: 'mt', link: 'simulated' },
    { id: 'mast', network: 'mc', link: 'simulated' }
  ],
  coverage: {
    region_tagging: true,
    areas: REGIONS.map((name, n) => ({ name, bbox: [-117 + n / 2, 43, -116.5 + n / 2, 45] }))
  },
  notifications: {
    region_routes: {
      enabled: true,
      cells: Object.fromEntries(
        FAMILIES.map((family) => [
          family,
          Object.fromEntries(REGIONS.map((name, n) => [name, { mt: n % 7, mc: `valley-${n}` }]))
        ])
      )
    }
  }
}

let serial = 0

function event(): object {
  const n = serial++
  const now = Date.now()
  return {
    id: `bench-${n}`,
    source: 'bench',
    family: FAMILIES[n % FAMILIES.length],
    severity: n % 10 === 0 ? 'critical' : 'priority',
    title: `Incident ${n} near mile ${n % 90} of the northern road`,
    summary: 'Moves east with the wind; crews are on their way, the road may close within the hour.',
    lat: 44,
    lon: -116.9 + (n % 8) / 2,
    sent_at: new Date(now).toISOString(),
    expires: new Date(now + 3_600_000).toISOString()
  }
}

interface Running {
  child: ChildProcess
  port: number
}

interface Program extends Running {
  /** Its own secret: news comes with a right, phones come as guests, who have none wherever they come from. */
  secret: string
}

/** A process of Node that says its port once it serves. */
async function started(args: string[], ready: RegExp): Promise<Running> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOOKOUT_LOG: 'error' }
  })
  const port = await new Promise<number>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const found = ready.exec(text)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    child.once('exit', (code) => reject(new Error(`${args.at(-1)} ended with ${code} before it was ready`)))
  })
  return { child, port }
}

async function startProgram(folder: string): Promise<Program> {
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'config.json'), JSON.stringify(config))
  const program = [join(root, 'dist/lookout.js'), 'start', '--profile', 'minimal_pi']
  const running = await started(
    [`--max-old-space-size=${HEAP_MB}`, ...program, '--host', '127.0.0.1', '--port', '0', '--data', data],
    /lookout ready http:\/\/[^:]+:(\d+)/
  )
  return { ...running, secret: readFileSync(join(data, 'local.token'), 'utf8').trim() }
}

/** The same bytes from polka and sirv alone. */
async function startBare(folder: string, port: number): Promise<Running> {
  const files = join(folder, 'bare')
  mkdirSync(files)
  await keepAnswers(port, PATHS, files)
  return started(['--import=tsx', join(root, 'scripts/bench-bare.ts'), files], /bare ready (\d+)/)
}

async function end({ child }: Running): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function post({ port, secret }: Program, body: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
    const req = request({ port, host: '127.0.0.1', path: '/api/events', method: 'POST', headers }, (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode ?? 0))
    })
    req.on('error', reject)
    req.end(JSON.stringify(body))
  })
}

interface Tally {
  times: Map<string, number[]>
  failed: number
  bytes: number
  heard: number
}

/** One look: from asking to the last byte, as a phone over plain HTTP asks. */
function look(port: number, path: string, agent: Agent, tally: Tally): Promise<void> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const failed = (): void => {
      tally.failed++
      resolve()
    }
    get({ port, host: '127.0.0.1', path, agent, headers: { 'accept-encoding': 'gzip, deflate' } }, (res) => {
      res.on('data', (chunk) => {
        tally.bytes += chunk.length
      })
      res.on('end', () => {
        if (res.statusCode !== 200) return failed()
        const times = tally.times.get(path) ?? []
        times.push(performance.now() - begun)
        tally.times.set(path, times)
        resolve()
      })
    }).on('error', failed)
  })
}

/** A phone: its live stream, and one look after another until the end. */
async function phone(port: number, number: number, until: number, tally: Tally): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, number * ARRIVE_MS))
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  const stream = get({ port, host: '127.0.0.1', path: '/api/stream', agent: false }, (res) => {
    res.on('data', (chunk) => {
      tally.heard += String(chunk).split('\nevent: ').length - 1
    })
  }).on('error', () => undefined)
  for (let turn = number; Date.now() < until; turn++) {
    await look(port, PATHS[turn % PATHS.length] ?? '/', agent, tally)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())))
  }
  stream.destroy()
  agent.destroy()
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** CPU so far, from the kernel's count in hundredths of a second. Milliseconds. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const emptyTally = (): Tally => ({ times: new Map(), failed: 0, bytes: 0, heard: 0 })

/** All phones at one server for a while. */
async function phones({ port }: Running, seconds: number, tally: Tally): Promise<void> {
  const until = Date.now() + seconds * 1000
  await Promise.all(Array.from({ length: PHONES }, (_, number) => phone(port, number, until, tally)))
}

async function measure(program: Program, bare: Running): Promise<Row[]> {
  const { child } = program
  const [tally, bareTally] = [emptyTally(), emptyTally()]
  const pid = child.pid ?? 0
  const restMb = residentMb(pid)
  let cpu = 0
  let rss = 0
  for (let turn = 0; turn < TURNS; turn++) {
    const before = cpuMs(pid)
    const watch = setInterval(() => {
      rss = Math.max(rss, residentMb(pid))
    }, 250)
    const news = setInterval(() => void post(program, event()), EVENTS_MS)
    await phones(program, SECONDS / TURNS, tally)
    clearInterval(news)
    clearInterval(watch)
    cpu += cpuMs(pid) - before
    await phones(bare, SECONDS / TURNS, bareTally)
  }
  const all = [...tally.times.values()].flat()
  const bareAll = [...bareTally.times.values()].flat()
  const [p99, bareP99] = [percentile(all, 0.99), percentile(bareAll, 0.99)]
  return [
    atMost(`resident memory at most, ${PHONES} phones for ${SECONDS} s`, rss, 'MiB', TARGETS.rssMb),
    atMost('pages and API, p99, times that of polka + sirv with the same bytes', p99 / bareP99, '×', TARGETS.timesBare),
    atMost('answers that were refused or lost', tally.failed + bareTally.failed, '', 0),
    { what: 'pages and API, p99 to the last byte', value: p99, unit: 'ms' },
    { what: 'the same of polka + sirv', value: bareP99, unit: 'ms' },
    { what: 'pages and API, median', value: percentile(all, 0.5), unit: 'ms' },
    { what: 'the same of polka + sirv', value: percentile(bareAll, 0.5), unit: 'ms' },
    { what: 'CPU of the program, share of one core', value: cpu / SECONDS / 10, unit: '%' },
    { what: 'resident memory with 300 events, before the phones', value: restMb, unit: 'MiB' },
    { what: 'answers; of the bare server', value: `${all.length}; ${bareAll.length}`, unit: '' },
    { what: 'bytes of an answer, mean', value: Math.round(tally.bytes / Math.max(1, all.length)), unit: 'B' },
    { what: 'the same of polka + sirv', value: Math.round(bareTally.bytes / Math.max(1, bareAll.length)), unit: 'B' },
    { what: 'messages of the live streams', value: tally.heard, unit: '' },
    ...[...tally.times].map(([path, times]) => ({
      what: `p99 of ${path}; of polka + sirv`,
      value: `${Math.round(percentile(times, 0.99))}; ${Math.round(percentile(bareTally.times.get(path) ?? [], 0.99))}`,
      unit: 'ms'
    }))
  ]
}

await inBenchFolder(async (folder) => {
  const program = await startProgram(folder)
  for (let n = 0; n < 5; n++) await post(program, Array.from({ length: 60 }, event))
  const bare = await startBare(folder, program.port)
  try {
    answer(await measure(program, bare))
  } finally {
    await Promise.all([end(program), end(bare)])
  }
})
