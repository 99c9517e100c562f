/**
 * The built program as an operator meets it, on profile `minimal_pi`: from exec to the ready line, and at rest. Then the same
 * without bundling, and what each package costs a process that imports it.
 *
 *   node --import=tsx scripts/bench-start.ts [--quick] [--help]
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answer, atMost, inBenchFolder, median, type Row, root } from './bench-part.ts'
import { atMostStarts } from './bench-yardstick.ts'

if (process.argv.includes('--help')) {
  console.log('node --import=tsx scripts/bench-start.ts [--quick]\nStart, rest and imports, as JSON rows. Linux only.')
  process.exit(0)
}
const quick = process.argv.includes('--quick')
const STARTS = quick ? 7 : 11
const REST_SECONDS = quick ? 10 : 60
const IMPORTS = 9
/** Private: what no other process could share. The rest of what is resident are pages of the program files, which the kernel drops when it needs them. */
const TARGETS = { privateMb: 36, residentMb: 90, readyStarts: 6 }
/** Not needed by every process: loaded for one verb, one link, one kind of feed or one delivery. Then those always there. */
const OPTIONAL = ['serialport', 'nodemailer', '@valibot/to-json-schema', 'saxes', 'us-atlas/counties-10m.json']
const ALWAYS = [
  '@photostructure/sqlite',
  'valibot',
  'pino',
  'lowdb',
  'polka',
  'sirv',
  'flatbush',
  'topojson-client',
  'node-cron'
]
const TICK_MS = 10

interface Started {
  readyMs: number
  cpuMs: number
  residentMb: number
  privateMb: number
}

/** CPU so far, from the kernel's count in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function memoryOf(pid: number): Pick<Started, 'residentMb' | 'privateMb'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { residentMb: mb('VmRSS'), privateMb: mb('RssAnon') }
}

async function startOnce(program: string, data: string, restSeconds: number): Promise<Started> {
  const args = [program, 'start', '--profile', 'minimal_pi', '--host', '127.0.0.1', '--port', '0', '--data', data]
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOOKOUT_LOG: 'warn' }
  })
  await readyLine(child)
  const readyMs = performance.now() - begun
  const pid = child.pid ?? 0
  const started = { readyMs, cpuMs: cpuMs(pid) }
  if (restSeconds > 0) await new Promise((resolve) => setTimeout(resolve, restSeconds * 1000))
  const memory = memoryOf(pid)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  return { ...started, ...memory }
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      if (text.includes('lookout ready ')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the program ended with ${code} before it was ready`)))
  })
}

async function starts(program: string, folder: string, count: number): Promise<Started[]> {
  const list: Started[] = []
  // The first one fills the page cache.
  for (let at = -1; at < count; at++) {
    const data = join(folder, 'data')
    rmSync(data, { recursive: true, force: true })
    const started = await startOnce(program, data, 0)
    if (at >= 0) list.push(started)
  }
  return list
}

const PAGES = 'src/dashboard/pages'

/** The same sources as one file per module; null when this compiler cannot write them. */
function unbundled(folder: string): string | null {
  const tree = join(folder, 'tree')
  const options = ['--noEmit', 'false', '--outDir', tree, '--rootDir', root, '--rewriteRelativeImportExtensions']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', root, ...options], { stdio: 'ignore' })
  if (status !== 0) return null
  writeFileSync(join(tree, 'package.json'), '{"type":"module"}')
  // The compiler has written there what the server and the browser share.
  for (const name of ['profiles', 'web', 'demo']) cpSync(join(root, name), join(tree, name), { recursive: true })
  cpSync(join(root, PAGES), join(tree, PAGES), { recursive: true, filter: (path) => !path.endsWith('.ts') })
  return join(tree, 'src/main.js')
}

/** In a process of its own each time: what is shared between two packages is paid by both. */
function importCost(name: string): { mb: number; ms: number } {
  const load = name.endsWith('.json')
    ? `JSON.parse(fs.readFileSync(require.resolve('${name}'), 'utf8'))`
    : `await import('${name}')`
  const script = `
    import fs from 'node:fs'
    import { createRequire } from 'node:module'
    const require = createRequire('${root}package.json')
    const [rss, cpu] = [process.memoryUsage().rss, process.cpuUsage()]
    globalThis.kept = ${load}
    const { user, system } = process.cpuUsage(cpu)
    console.log(JSON.stringify({ mb: (process.memoryUsage().rss - rss) / 2 ** 20, ms: (user + system) / 1000 }))`
  const results = Array.from({ length: IMPORTS }, () => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8'
    })
    return JSON.parse(stdout) as { mb: number; ms: number }
  })
  return { mb: median(results.map(({ mb }) => mb)), ms: median(results.map(({ ms }) => ms)) }
}

async function run(folder: string): Promise<Row[]> {
  const program = join(root, 'dist/lookout.js')
  const bundled = await starts(program, folder, STARTS)
  const rest = await startOnce(program, join(folder, 'rest'), REST_SECONDS)
  const rows: Row[] = [
    ...atMostStarts(
      `exec to ready line, median of ${STARTS}`,
      median(bundled.map(({ readyMs }) => readyMs)),
      TARGETS.readyStarts
    ),
    { what: 'CPU of a start, median', value: median(bundled.map((one) => one.cpuMs)), unit: 'ms' },
    atMost(`private memory ${REST_SECONDS} s after the ready line`, rest.privateMb, 'MiB', TARGETS.privateMb),
    atMost(`resident memory ${REST_SECONDS} s after the ready line`, rest.residentMb, 'MiB', TARGETS.residentMb)
  ]
  // Nothing of the rest is promised.
  if (quick) return rows
  const tree = unbundled(folder)
  if (tree !== null) {
    const plain = await starts(tree, folder, STARTS)
    rows.push(
      { what: 'the same without bundling: ready line', value: median(plain.map(({ readyMs }) => readyMs)), unit: 'ms' },
      { what: 'the same without bundling: CPU', value: median(plain.map((one) => one.cpuMs)), unit: 'ms' },
      { what: 'bundled, resident at the ready line', value: median(bundled.map((one) => one.residentMb)), unit: 'MiB' },
      {
        what: 'without bundling, resident at the ready line',
        value: median(plain.map((one) => one.residentMb)),
        unit: 'MiB'
      }
    )
  }
  for (const [names, when] of [
    [OPTIONAL, 'only where used'],
    [ALWAYS, 'always']
  ] as const) {
    for (const name of names) {
      const { mb, ms } = importCost(name)
      rows.push({
        what: `import of ${name} (${when})`,
        value: `${mb.toFixed(1)} MiB, ${ms.toFixed(0)} ms CPU`,
        unit: ''
      })
    }
  }
  return rows
}

await inBenchFolder(async (folder) => answer(await run(folder)))
