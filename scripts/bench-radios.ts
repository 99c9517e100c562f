/**
 * The cost of a real radio for the built program, on profile `minimal_pi`: resident memory with each kind of link
 * against the same program without a radio, and which modules each of them loads. The radios are the wire-level peers
 * of the tests, in processes of their own.
 *
 * node --import=tsx scripts/bench-radios.ts [--quick] [--help]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasSocat, Peer } from '../test/helpers/peer.ts'
import { answer, atMost, inBenchFolder, median, type Row, root } from './bench-part.ts'

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/bench-radios.ts [--quick]\nMemory and modules of each radio link, as JSON rows. Linux only; serial links need socat.'
  )
  process.exit(0)
}
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 3 : 5
/** V8 gives back what a start left behind some seconds later. */
const REST_SECONDS = quick ? 12 : 20
const PATIENCE_MS = 30_000
const program = join(root, 'dist/lookout.js')

interface Variant {
  name: string
  radios: object[]
  /** MiB over no radio at all, promised. */
  limitMib?: number
  /** Parts of src/ and of node_modules/ that belong to this kind of radio. */
  loads: readonly string[]
}

/** Everything that belongs to one kind of radio only; none of it may be loaded for another. */
const PARTS: Record<string, RegExp> = {
  'Meshtastic driver': /^src\/radios\/meshtastic\//,
  'MeshCore driver': /^src\/radios\/meshcore\//,
  'TCP link': /^src\/radios\/link\/tcp\.ts$/,
  'serial link': /^src\/radios\/link\/serial\.ts$/,
  serialport: /^node_modules\/(?:serialport|@serialport)\//,
  'simulated radios': /^src\/radios\/simulated/,
  'other radio packages': /^node_modules\/(?:@meshtastic|@liamcottle|@bufbuild)\//
}

interface Started {
  child: ChildProcess
  url: string
}

async function start(data: string, radios: object[], env: Record<string, string> = {}): Promise<Started> {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'config.json'), JSON.stringify({ radios }))
  const args = [program, 'start', '--profile', 'minimal_pi', '--host', '127.0.0.1', '--port', '0', '--data', data]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOOKOUT_LOG: 'error', ...env }
  })
  return { child, url: await readyUrl(child) }
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const url = /lookout ready (\S+)/.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`the program ended with ${code} before it was ready`)))
  })
}

async function stop({ child }: Started): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Until every configured radio says ready. */
async function radiosReady({ url }: Started): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { radios } = (await (await fetch(`${url}/api/radios`)).json()) as {
      radios: { state: string; reason: string }[]
    }
    if (radios.every(({ state }) => state === 'ready')) return
    if (Date.now() > deadline) throw new Error(`not ready: ${JSON.stringify(radios)}`)
    await pause(100)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function residentMib({ child }: Started): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Resident memory of each variant, all of them at rest beside one another so that they meet the same machine. */
async function residents(variants: readonly Variant[], folder: string): Promise<Map<string, number>> {
  const values = new Map(variants.map(({ name }) => [name, [] as number[]]))
  // The first round fills the page cache.
  for (let round = -1; round < ROUNDS; round++) {
    const running = await Promise.all(
      variants.map(async ({ name, radios }, at) => {
        const started = await start(join(folder, `data-${at}`), radios)
        await radiosReady(started)
        return { name, started }
      })
    )
    if (round >= 0) await pause(REST_SECONDS * 1000)
    for (const { name, started } of running) if (round >= 0) values.get(name)?.push(residentMib(started))
    await Promise.all(running.map(({ started }) => stop(started)))
  }
  return new Map([...values].map(([name, list]) => [name, median(list)]))
}

/** The source files and packages a process loaded in its life, as V8 tells when it ends; bundles are looked up in their source maps. */
async function loaded({ radios }: Variant, folder: string): Promise<Set<string>> {
  const coverage = join(folder, 'coverage')
  rmSync(coverage, { recursive: true, force: true })
  const started = await start(join(folder, 'data'), radios, { NODE_V8_COVERAGE: coverage })
  await radiosReady(started)
  await stop(started)
  const files = new Set<string>()
  for (const name of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }
    for (const { url } of result)
      if (url.startsWith('file:')) for (const file of sourcesOf(fileURLToPath(url))) files.add(file)
  }
  if (![...files].includes('src/station/app.ts')) throw new Error('the list of loaded modules is incomplete')
  return files
}

function sourcesOf(file: string): string[] {
  if (!existsSync(`${file}.map`) || dirname(file) !== dirname(program)) return [relative(root, file)]
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] }
  return sources.map((source) => relative(root, join(dirname(file), source)))
}

async function moduleRow(variant: Variant, folder: string): Promise<Row> {
  const files = [...(await loaded(variant, folder))]
  const parts = Object.keys(PARTS).filter((part) => files.some((file) => PARTS[part]?.test(file)))
  const target = variant.loads.join(', ') || 'nothing'
  const value = parts.join(', ') || 'nothing'
  return { what: `${variant.name}: parts loaded`, value, unit: '', target, ok: value === target }
}

async function run(folder: string): Promise<Row[]> {
  const serial = hasSocat()
  const pty = join(folder, 'ttyMT')
  const mcPty = join(folder, 'ttyMC')
  const tcp = await Peer.start('mt', ['--port', '0'])
  const companion = await Peer.start('mc', ['--port', '0', '--channels', 'north,south,fire'])
  const peers = [tcp, companion]
  if (serial)
    peers.push(await Peer.start('mt', ['--pty', pty]), await Peer.start('mc', ['--port', '0', '--pty', mcPty]))
  const host = '127.0.0.1'
  const mt = { id: 'mt', network: 'mt' }
  const mc = { id: 'mc', network: 'mc' }
  const variants: Variant[] = [
    { name: 'no radio', radios: [], loads: [] },
    {
      name: 'MT over TCP',
      radios: [{ ...mt, link: 'tcp', host, port: tcp.port }],
      limitMib: 5,
      loads: ['Meshtastic driver', 'TCP link']
    },
    {
      name: 'MC over TCP',
      radios: [{ ...mc, link: 'tcp', host, port: companion.port }],
      limitMib: 4,
      loads: ['MeshCore driver', 'TCP link']
    }
  ]
  if (serial)
    variants.push(
      {
        name: 'MT over serial',
        radios: [{ ...mt, link: 'serial', path: pty }],
        limitMib: 17,
        loads: ['Meshtastic driver', 'serial link', 'serialport']
      },
      {
        name: 'MC over serial',
        radios: [{ ...mc, link: 'serial', path: mcPty }],
        limitMib: 17,
        loads: ['MeshCore driver', 'serial link', 'serialport']
      }
    )
  try {
    const rows = await measured(variants, folder)
    for (const variant of variants) rows.push(await moduleRow(variant, folder))
    if (!serial) rows.push({ what: 'serial links', value: 'not measured: socat is not installed', unit: '' })
    return rows
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()))
  }
}

async function measured(variants: readonly Variant[], folder: string): Promise<Row[]> {
  const mib = await residents(variants, folder)
  const of = (name: string): number => mib.get(name) ?? Number.NaN
  return variants.map(({ name, limitMib }) => {
    const what = `${name}: resident ${REST_SECONDS} s after ready`
    if (limitMib === undefined) return { what, value: of(name), unit: 'MiB' }
    // A serial link is promised as what it adds to the driver over TCP.
    const base = name.endsWith('serial') ? name.replace('serial', 'TCP') : 'no radio'
    return atMost(`${name}: more than ${base}`, of(name) - of(base), 'MiB', limitMib)
  })
}

await inBenchFolder(async (folder) => answer(await run(folder)))
