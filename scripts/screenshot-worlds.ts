/**
 * The stations of `npm run screenshots` and of the pictures in the tests: the built program on data that is the same every time, at a time that
 * is the same every time. Dates, orders and texts come out alike; only seconds differ.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openDatabase } from '../src/platform/database/database.ts'
import { MetricsHistory } from '../src/platform/metrics/history.ts'
import { metricsMigrations } from '../src/platform/metrics/schema.ts'
import { Peer } from '../test/helpers/peer.ts'
import { GUARD } from '../test/helpers/process.ts'
import {
  brokenConfig,
  DOCUMENTS,
  EARLIER,
  eventsOf,
  fullConfig,
  NOW,
  PEER_CHANNELS,
  PLACES,
  smallConfig,
  THEN
} from './screenshot-data.ts'

/** Empty: never configured. Small: an evening with three areas. Full: 10 families × 40 regions, 300 alerts. Broken: nothing answers. */
export const WORLDS = ['empty', 'small', 'full', 'broken'] as const
export type World = (typeof WORLDS)[number]

const root = join(import.meta.dirname, '..')

/** A station behind a wire that can be cut and joined again, as by a lost hotspot. */
export interface Stage {
  url: string
  /** The code by which a passage was named over the mesh; null where nobody asked. */
  passage: string | null
  /** Neither an open connection nor a new one gets through. */
  cut: () => void
  join: () => void
  close: () => Promise<void>
}

/**
 * Code that makes the time of the program begin at `moment` and go on at its own pace; told `{ still }`, it stands at that moment:
 * "3 minutes ago" must not depend on how fast a machine is.
 */
function timeFrom(moment: number): string {
  return `${timeAt(`still ?? real.now() + ${moment - Date.now()}`)}
process.on('message', (told) => { still = told.still })
process.channel?.unref()`
}

/** Code that makes the time of whoever runs it what an expression says. */
export function timeAt(now: string | number): string {
  return `let still = null
const real = Date
globalThis.Date = class Date extends real {
  constructor(...given) { if (given.length === 0) super(Date.now()); else super(...given) }
  static now() { return ${now} }
}`
}

/** As root tells of the Wi-Fi; where there is none, nothing switches it. */
const HOTSPOT_STATE = 'hotspot-state'

function switchHotspotOn(data: string): void {
  writeFileSync(join(data, HOTSPOT_STATE), 'state=on\ninterface=wlan0\nssid=Lookout\nasked=1\n')
  const wish = 'state=on\nssid=Lookout\npassphrase=quiet owl at noon\ncountry=US\nchannel=6\nasked=1\n'
  writeFileSync(join(data, 'hotspot'), wish)
}

/** As root tells of releases; where there is none, nothing on the machine installs one. */
const UPDATE_STATE = 'update-state'

/** A release of an hour ago: installed, or taken back, and then its bundle with its verdict lies there still. */
function installRelease(data: string, outcome: 'updated' | 'rolled_back'): void {
  const why = outcome === 'updated' ? '' : 'reason=update_not_healthy\nsaid=the database is of tomorrow\n'
  const at = NOW / 1000 - 3600
  const from = outcome === 'updated' ? '0.0.9' : '0.1.0'
  const to = outcome === 'updated' ? '0.1.0' : NEWER.version
  const end = `way=page\nstate=done\noutcome=${outcome}\n${why}asked=1\nfrom=${from}\nto=${to}\nat=${at}\n`
  writeFileSync(join(data, UPDATE_STATE), end)
  if (outcome === 'updated') return
  const name = `lookout-${NEWER.version}-linux-${process.arch}.tar.xz`
  const bundle = { name, size: 61_400_000, sha256: '0'.repeat(64), facts: NEWER, refused: null }
  mkdirSync(join(data, 'update'))
  writeFileSync(join(data, 'update/bundle.json'), JSON.stringify(bundle))
}

const NEWER = {
  version: '0.2.0',
  arch: process.arch,
  made_at: new Date(NOW - 30 * 3_600_000).toISOString(),
  development: false,
  key: '3f1c9a70',
  files: 2214,
  bytes: 212_000_000,
  order: 'newer',
  fits: true
}

interface Running {
  port: number
  standStill: () => Promise<void>
  stop: () => Promise<void>
}

async function start(data: string, moment: number, args: readonly string[] = []): Promise<Running> {
  const clock = `data:text/javascript,${encodeURIComponent(timeFrom(moment))}`
  const program = [join(root, 'dist/lookout.js'), 'start', '--data', data, '--port', '0', '--no-demo', ...args]
  const child = spawn(process.execPath, [`--import=${GUARD}`, `--import=${clock}`, ...program], {
    cwd: root,
    env: {
      ...process.env,
      ...{ LC_ALL: 'C', LOOKOUT_LOG: 'fatal', LOOKOUT_RESTARTED_BY: 'systemd' },
      LOOKOUT_HOTSPOT_STATE: join(data, HOTSPOT_STATE),
      LOOKOUT_UPDATE_STATE: join(data, UPDATE_STATE)
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  return {
    port: await portOf(child),
    standStill: () => standStill(child),
    stop: () => stopped(child)
  }
}

/** A clock that leaps by more tells the station of a fault (contract §13), and what is not looked at once a second is no leap. */
const STEP_MS = 50_000
const STEP_EVERY_MS = 1200

/** The time comes to `THEN` in steps that no station takes for a leap, and stands there. */
async function standStill(child: ChildProcess): Promise<void> {
  for (let at = NOW + STEP_MS; at <= THEN; at += STEP_MS) {
    child.send({ still: at })
    await new Promise((resolve) => setTimeout(resolve, STEP_EVERY_MS))
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the station ended with ${code} before it was ready`)))
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /^lookout ready http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
  })
}

function stopped(child: ChildProcess): Promise<void> {
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  return over
}

async function post(port: number, path: string, body: unknown): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** Makes the station of that world and the data behind it; `close` removes both. */
export async function stage(world: World): Promise<Stage> {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/ensure-build.js')], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the program could not be built')
  const folder = mkdtempSync(join(tmpdir(), 'lookout-stage-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const peer = world === 'full' || world === 'small' ? await Peer.start('mt', ['--port', '0', '--name', 'Roof']) : null
  await peer?.tell({ change: { channels: PEER_CHANNELS } })
  const { station, passage } = await build(world, data, peer)
  await station.standStill()
  const wire = await openWire(station.port)
  return {
    ...wire,
    passage,
    close: async () => {
      await wire.close()
      await station.stop()
      const died = peer?.end ?? null
      await peer?.stop()
      rmSync(folder, { recursive: true, force: true })
      // A radio that is down by accident looks like one that is down on purpose.
      if (died !== null) throw new Error(`the simulated node ended before its station: ${died}`)
    }
  }
}

interface Built {
  station: Running
  passage: string | null
}

async function build(world: World, data: string, peer: Peer | null): Promise<Built> {
  if (world === 'empty') return { station: await start(data, NOW), passage: null }
  const port = peer?.port ?? 9
  const config = world === 'broken' ? brokenConfig() : world === 'small' ? smallConfig(port) : fullConfig(port)
  writeFileSync(join(data, 'config.json'), JSON.stringify(config))
  if (world === 'small') switchHotspotOn(data)
  if (world !== 'broken') installRelease(data, world === 'small' ? 'updated' : 'rolled_back')
  if (world !== 'broken') await writeHistory(data)
  // Events of earlier came at their time: the strip of the day and the lists of yesterday are true.
  for (const moment of world === 'full' ? EARLIER : []) {
    const before = await start(data, moment)
    await post(before.port, '/api/events', eventsOf('earlier', moment))
    await drained(before.port, world)
    await before.stop()
  }
  const station = await start(data, NOW)
  await radiosReady(station.port, world)
  for (const from of peer === null ? [] : [0xa1b2c3d4, 0xa1b2c3d5, 0xa1b2c3d6])
    await peer?.tell({ text: { from, text: 'good morning', channel: 0 } })
  // A node says this when it likes; a picture of it is the same every time.
  await peer?.tell({ telemetry: { batteryLevel: 87, voltage: 4.05, channelUtilization: 3.5, airUtilTx: 0.75 } })
  for (const position of peer === null ? [] : PLACES) await peer?.tell({ position })
  if (world === 'full') await addDocuments(station.port)
  // Before the storm, whose messages go first.
  const passage = world === 'full' && peer !== null ? await askOverMesh(peer) : null
  for (const list of batches(eventsOf(world, NOW))) await post(station.port, '/api/events', list)
  await drained(station.port, world)
  return { station, passage }
}

/** A question by radio is what makes a code: the answer names its passage by it. */
async function askOverMesh(peer: Peer): Promise<string> {
  // Its clock is not the station's: of what comes sooner the station takes the node's word that it waited for a year.
  await new Promise((resolve) => setTimeout(resolve, DOUBT_MS))
  const from = peer.events.length
  await peer.tell({ text: { from: 0xa1b2c3d4, text: '!ask how do I boil water', channel: 0 } })
  const { text } = await peer.until('offered', (event) => CODE.test(String(event['text'])), from)
  return CODE.exec(String(text))?.[1] ?? ''
}

const CODE = /\/k\/(\w{5})/
/** The time after a connection in which a node's own time of reception counts, and some. */
const DOUBT_MS = 10_500

function batches(events: readonly object[]): (readonly object[])[] {
  return Array.from({ length: Math.ceil(events.length / 100) }, (_, n) => events.slice(n * 100, n * 100 + 100))
}

const LOOK_MS = 100
/** A storm's queue is never empty: what waits, waits in the pictures too. */
const DRAIN_MS = { empty: 0, small: 30_000, full: 5000, broken: 3000 }

async function until(done: () => Promise<boolean>, most: number): Promise<void> {
  for (let waited = 0; waited < most && !(await done()); waited += LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

async function ask<T>(port: number, path: string): Promise<T> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<T>
}

async function radiosReady(port: number, world: World): Promise<void> {
  if (world === 'broken') return
  await until(async () => {
    const { radios } = await ask<{ radios: { state: string }[] }>(port, '/api/radios')
    return radios.every(({ state }) => state === 'ready')
  }, 20_000)
}

/** Nothing is under way any more, or what is takes too long to wait for. */
async function drained(port: number, world: World): Promise<void> {
  await until(async () => {
    const { deliveries } = await ask<{ deliveries: { state: string }[] }>(port, '/api/deliveries?limit=50')
    return deliveries.every(({ state }) => state !== 'queued' && state !== 'transmitting')
  }, DRAIN_MS[world])
}

/** Nothing more becomes of it by itself: before, a question finds an empty library. */
const SETTLED = new Set(['complete', 'needs_review', 'skipped', 'failed'])

async function addDocuments(port: number): Promise<void> {
  for (const [name, text] of DOCUMENTS) {
    const form = new FormData()
    form.set('file', new Blob([text], { type: 'text/plain' }), name)
    const answer = await fetch(`http://127.0.0.1:${port}/api/upload`, { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
  }
  await until(async () => {
    const { documents } = await ask<{ documents: { status: string }[] }>(port, '/api/documents')
    return documents.length >= DOCUMENTS.length && documents.every(({ status }) => SETTLED.has(status))
  }, 60_000)
}

const EVERY_MS = 120_000
const wave = (n: number, period: number): number => Math.sin((2 * Math.PI * n) / period)

/** A day of measurements with half an hour without power. */
async function writeHistory(data: string): Promise<void> {
  const path = join(data, 'metrics.db')
  const db = await openDatabase({ path, migrations: metricsMigrations, synchronous: 'NORMAL' })
  const history = new MetricsHistory({ db, keepDays: 7 })
  for (let n = 700; n > 0; n--) {
    if (n > 300 && n < 316) continue
    history.record(NOW - n * EVERY_MS, {
      system: {
        cpu_percent: 30 + 25 * wave(n, 90),
        process_cpu_percent: 4 + 2 * wave(n, 31),
        rss_bytes: 68e6 + 3e6 * wave(n, 200),
        memory_available_bytes: 210e6 + 40e6 * wave(n, 300),
        temperature_celsius: 52 + 6 * wave(n, 720),
        throttled: 0,
        throttled_since_boot: n < 200 ? 1 : 0,
        disk_free_bytes: 12e9 - (700 - n) * 2e5,
        disk_written_bytes: (700 - n) * 3e5,
        process_written_bytes: (700 - n) * 9e4
      },
      radios: {
        roof: { ready: n % 97 === 0 ? 0 : 1, waiting: n % 5, channel_utilization: 0.1, nodes_known: 12 },
        mast: { ready: 1, waiting: 0, channel_utilization: 0.03, nodes_known: 4 }
      },
      airtime: {
        roof: { used_seconds: 160 + 150 * wave(n, 260), budget_seconds: 360 },
        mast: { used_seconds: 10, budget_seconds: 360 }
      },
      feeds: {
        nws: { up: 1, bytes: (700 - n) * 4e4, events: Math.round((700 - n) / 9 + 8 * wave(n, 200)) },
        quakes: { up: n > 180 && n < 240 ? 0 : 1, bytes: (700 - n) * 1e4, events: Math.floor((700 - n) / 60) }
      },
      knowledge: {
        total: 900,
        complete: 700 - n,
        in_pipeline: n % 20,
        failed: 3,
        items: (700 - n) * 40,
        vectors: (700 - n) * 39
      }
    })
  }
  history.close()
}

async function openWire(to: number): Promise<Omit<Stage, 'passage'>> {
  const open = new Set<Socket>()
  let isCut = false
  const server: Server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = dial(to, '127.0.0.1')
    for (const [from, other] of [
      [near, far],
      [far, near]
    ] as const) {
      open.add(from)
      from
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(from)
          other.destroy()
        })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the wire has no port')
  const end = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: () => {
      isCut = true
      end()
    },
    join: () => {
      isCut = false
    },
    close: () => {
      end()
      return new Promise((closed) => server.close(() => closed()))
    }
  }
}
