/** Cuts the power of a board that ran, after the event: docs/decisions/0053-cut-power-after-the-event.md. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadDriver } from '../src/platform/database/sqlite-driver.ts'

const HELP = `node --import=tsx scripts/image-cuts.ts FOLDER [options]: judges the cards that power cuts would have left

  --cuts N        moments at which the power is cut (80)
  --seed N        of those moments, and of the writes that get lost (1)
  --starts N      cards among them that the program is started on (8)
  --acks FILE     lines of JSON: an event's id, and how long the log was when it was acknowledged (FOLDER/acks.ndjson)

FOLDER has base.img, the card before the start, and log.img, every write since: what scripts/boot-image.ts --log leaves.
Needs: e2fsprogs dosfstools mtools, and dist/. stdout: JSON with the figures. exit codes: 0 all held · 1 not
`
const SECTOR = 512
/** Of dm-log-writes and QEMU's blklogwrites: https://docs.kernel.org/admin-guide/device-mapper/log-writes.html */
const MAGIC = 0x6a736677736872n
const FLUSH = 1n
const FUA = 2n
const DISCARD = 4n
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`

interface Write {
  /** Byte of the log behind its data. */
  end: number
  /** Byte of the log where its data begin; null when it has none. */
  data: number | null
  /** Byte of the card. */
  to: number
  bytes: number
  /** All before it are on the card when it is. */
  flushes: boolean
}

interface Part {
  name: 'boot' | 'root' | 'data'
  at: number
  size: number
}

interface Ack {
  id: string
  log: number
}

/** The writes of a log, in the order in which they were made. @throws Error when it is no such log */
function readLog(file: string): Write[] {
  const log = openSync(file, 'r')
  const { size } = fstatSync(log)
  const header = Buffer.alloc(40)
  readSync(log, header, 0, 40, 0)
  // A killed QEMU has not written how many there are: they are walked to the end of the file.
  if (size > 0 && header.readBigUInt64LE(0) !== MAGIC && header.readBigUInt64LE(0) !== 0n)
    throw new Error(`${file} is no log of writes`)
  const writes: Write[] = []
  for (let at = SECTOR; at + SECTOR <= size; ) {
    readSync(log, header, 0, 32, at)
    const [sector, count, flags] = [header.readBigUInt64LE(0), header.readBigUInt64LE(8), header.readBigUInt64LE(16)]
    const bytes = Number(count) * SECTOR
    const hasData = (flags & DISCARD) === 0n && bytes > 0
    const data = hasData ? at + SECTOR : null
    const end = at + SECTOR + (hasData ? bytes : 0)
    if (end > size) break
    writes.push({ end, data, to: Number(sector) * SECTOR, bytes, flushes: (flags & (FLUSH | FUA)) !== 0n })
    at = end
  }
  closeSync(log)
  return writes
}

/** The partitions of an MBR, by their order on the card; the last one reaches to its end, as lookout-grow makes it. */
function partsOf(card: string): Part[] {
  const file = openSync(card, 'r')
  const table = Buffer.alloc(SECTOR)
  readSync(file, table, 0, SECTOR, 0)
  const { size } = fstatSync(file)
  closeSync(file)
  const names = ['boot', 'root', 'data'] as const
  return names.map((name, nth) => {
    const at = table.readUInt32LE(446 + 16 * nth + 8) * SECTOR
    const length = table.readUInt32LE(446 + 16 * nth + 12) * SECTOR
    return { name, at, size: name === 'data' ? size - at : length }
  })
}

/** Bytes that were written to each partition; `table`: before the first one. */
function writtenTo(writes: readonly Write[], parts: readonly Part[]): Record<Part['name'] | 'table', number> {
  const bytes = { boot: 0, root: 0, data: 0, table: 0 }
  for (const one of writes) {
    const part = parts.find(({ at, size }) => one.to >= at && one.to < at + size)
    bytes[part?.name ?? 'table'] += one.data === null ? 0 : one.bytes
  }
  return bytes
}

/** The partitions of a card as they would be. */
class Card {
  readonly #parts: readonly Part[]
  readonly #log: number
  readonly #files: Map<Part['name'], string>

  constructor(base: string, log: string, folder: string) {
    this.#parts = partsOf(base)
    this.#log = openSync(log, 'r')
    this.#files = new Map()
    for (const { name, at, size } of this.#parts.filter(({ name }) => name !== 'root')) {
      const file = join(folder, `${name}.img`)
      const count = name === 'data' ? 192 : Math.ceil(size / 2 ** 20)
      const from = ['iflag=skip_bytes', `skip=${at}`, 'bs=1M', `count=${count}`, 'conv=sparse', 'status=none']
      execFileSync('dd', [`if=${base}`, `of=${file}`, ...from])
      truncateSync(file, size)
      this.#files.set(name, file)
    }
  }

  file(name: 'boot' | 'data'): string {
    return this.#files.get(name) ?? ''
  }

  /** @param most only so many bytes of it: one that the cut tore. @param files others than its own */
  apply(
    write: Write,
    { most = write.bytes, files = this.#files }: { most?: number; files?: ReadonlyMap<string, string> } = {}
  ): void {
    if (write.data === null) return
    const part = this.#parts.find(({ at, size }) => write.to >= at && write.to < at + size)
    const file = part === undefined ? undefined : files.get(part.name)
    if (part === undefined || file === undefined) return
    const bytes = Buffer.alloc(most)
    readSync(this.#log, bytes, 0, most, write.data)
    const to = openSync(file, 'r+')
    writeSync(to, bytes, 0, most, write.to - part.at)
    closeSync(to)
  }

  /** The same at another place, to be changed. */
  copied(folder: string): Map<string, string> {
    return new Map(
      [...this.#files].map(([name, file]) => {
        const to = join(folder, `${name}.cut`)
        execFileSync('cp', ['--sparse=always', file, to])
        return [name, to]
      })
    )
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function run(program: string, args: readonly string[]): { code: number; out: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, PATH } })
  return { code: status ?? -1, out: `${stdout}${stderr}` }
}

/** Faults of the data partition, repaired as the board does at its start. Leaves its files in `folder`. */
async function judgeData(
  image: string,
  folder: string,
  acks: readonly Ack[]
): Promise<{ faults: string[]; events: number }> {
  const faults: string[] = []
  const repaired = run('e2fsck', ['-y', image])
  if (repaired.code >= 4) faults.push(`e2fsck -y ended with ${repaired.code}: ${repaired.out.slice(-300)}`)
  if (run('e2fsck', ['-fn', image]).code !== 0) faults.push('e2fsck -fn finds faults after the repair')
  run('debugfs', ['-R', `rdump /lookout ${folder}`, image])
  const file = join(folder, 'lookout/lookout.db')
  if (!existsSync(file)) return { faults: acks.length === 0 ? faults : [...faults, 'lookout.db is gone'], events: 0 }
  const Driver = await loadDriver()
  const database = new Driver(file)
  try {
    const [sound] = database.prepare('PRAGMA integrity_check').all() as { integrity_check?: string }[]
    if (sound?.integrity_check !== 'ok') faults.push(`lookout.db: ${JSON.stringify(sound)}`)
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE name = 'events'").all()
    if (tables.length === 0)
      return { faults: acks.length === 0 ? faults : [...faults, 'no table of events'], events: 0 }
    const rows = database.prepare("SELECT id FROM events WHERE source = 'cuts'").all() as { id: string }[]
    const there = new Set(rows.map(({ id }) => id))
    const lost = acks.filter(({ id }) => !there.has(id))
    if (lost.length > 0) faults.push(`acknowledged and lost: ${lost.map(({ id }) => id).join(' ')}`)
    return { faults, events: rows.length }
  } catch (error) {
    return { faults: [...faults, `lookout.db: ${String(error)}`], events: 0 }
  } finally {
    database.close()
  }
}

/** Faults of the boot partition: what the board starts from is whole, and each text file is the old one or the new one. */
function judgeBoot(image: string): string[] {
  const faults: string[] = []
  // 1 is a file system that was not unmounted, or a lost cluster: the board mounts it, and fsck of the start sets it right.
  const checked = run('fsck.vfat', ['-a', '-w', image])
  if (checked.code > 1) faults.push(`fsck.vfat: ${checked.out.slice(-300)}`)
  const read = (name: string): string | null => {
    const { code, out } = run('mtype', ['-i', image, `::${name}`])
    return code === 0 ? out : null
  }
  if (read('cmdline.txt')?.includes('root=LABEL=lookout-root') !== true) faults.push('cmdline.txt is not whole')
  if (read('config.txt') === null) faults.push('config.txt is gone')
  const setup = read('lookout-setup.txt')
  if (setup === null || !/^name = .+/m.test(setup)) faults.push('lookout-setup.txt is not whole')
  const secret = /^wifi passphrase =(.*?)\r?$/m.exec(setup ?? '')?.[1] ?? ''
  if (secret.trim() !== '' && /\s{6,}/.test(secret)) faults.push('the pass phrase is half overwritten')
  const report = read('lookout.txt')
  if (report !== null && report !== '' && !report.startsWith('Lookout')) faults.push('lookout.txt is not whole')
  return faults
}

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** Starts the program of this machine on the data of a card: null, or the reason why it does not come up. */
async function startOn(data: string): Promise<string | null> {
  const port = await freePort()
  const args = [
    'dist/lookout.js',
    'start',
    '--data',
    data,
    '--port',
    String(port),
    '--no-demo',
    '--profile',
    'minimal_pi'
  ]
  const station = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  station.stderr.on('data', (bytes: Buffer) => {
    words = (words + bytes.toString('utf8')).slice(-1000)
  })
  const gone = new Promise((done) => station.once('exit', done))
  try {
    for (let tries = 0; tries < 240 && station.exitCode === null; tries++) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null)
      if (answer?.ok === true) return null
      await pause(500)
    }
    return `the program does not come up: ${words}`
  } finally {
    station.kill('SIGTERM')
    await gone
  }
}

interface Judged {
  cut: number
  lost: number
  acknowledged: number
  events: number
  started: boolean
  faults: string[]
}

/** The card of one cut, judged. */
async function judge(
  card: Card,
  waiting: readonly Write[],
  options: { random: () => number; acks: readonly Ack[]; start: boolean; work: string }
): Promise<Omit<Judged, 'cut'>> {
  const { random, acks, start, work } = options
  const folder = mkdtempSync(join(work, 'cut-'))
  try {
    const files = card.copied(folder)
    let lost = 0
    for (const write of waiting) {
      const luck = random()
      if (luck < 0.45) card.apply(write, { files })
      else if (luck < 0.55) card.apply(write, { files, most: Math.floor((random() * write.bytes) / SECTOR) * SECTOR })
      else lost++
    }
    const { faults, events } = await judgeData(files.get('data') ?? '', folder, acks)
    faults.push(...judgeBoot(files.get('boot') ?? ''))
    const data = join(folder, 'lookout')
    const started = start && existsSync(data)
    const notUp = started ? await startOn(data) : null
    if (notUp !== null) faults.push(notUp)
    return { lost, acknowledged: acks.length, events, started, faults }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function optionsOf() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cuts: { type: 'string', default: '80' },
      seed: { type: 'string', default: '1' },
      starts: { type: 'string', default: '8' },
      acks: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  return { values, folder: positionals[0] }
}

interface Plan {
  folder: string
  cuts: number
  starts: number
  random: () => number
  acks: readonly Ack[]
  work: string
}

/** Each cut in the order of time, so that the card is written once. */
async function cutAll(writes: readonly Write[], { folder, cuts, starts, random, acks, work }: Plan): Promise<Judged[]> {
  const moments = Array.from({ length: cuts }, () => 1 + Math.floor(random() * writes.length)).sort((a, b) => a - b)
  const all: Judged[] = []
  const card = new Card(join(folder, 'base.img'), join(folder, 'log.img'), work)
  let applied = 0
  for (const [nth, cut] of moments.entries()) {
    const durable = writes.slice(0, cut).findLastIndex(({ flushes }) => flushes) + 1
    for (; applied < durable; applied++) {
      const write = writes[applied]
      if (write !== undefined) card.apply(write)
    }
    const known = acks.filter(({ log }) => log <= (writes[cut - 1]?.end ?? 0))
    const start = Math.floor((nth * starts) / cuts) !== Math.floor(((nth + 1) * starts) / cuts)
    const one = { cut, ...(await judge(card, writes.slice(durable, cut), { random, acks: known, start, work })) }
    all.push(one)
    console.error(JSON.stringify(one))
  }
  return all
}

async function main(): Promise<void> {
  const { values, folder } = optionsOf()
  if (values.help || folder === undefined) {
    console.log(HELP)
    process.exitCode = values.help ? 0 : 2
    return
  }
  const [cuts, starts, random] = [Number(values.cuts), Number(values.starts), chance(Number(values.seed))]
  const writes = readLog(join(folder, 'log.img'))
  const ackFile = values.acks ?? join(folder, 'acks.ndjson')
  const lines = existsSync(ackFile) ? readFileSync(ackFile, 'utf8').trim().split('\n') : []
  const acks = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Ack)
  const work = mkdtempSync(join(process.env['TMPDIR'] ?? tmpdir(), 'image-cuts-'))
  try {
    const all = await cutAll(writes, { folder, cuts, starts, random, acks, work })
    const faults = all.flatMap(({ cut, faults }) => faults.map((fault) => `${cut}: ${fault}`))
    const written = writtenTo(writes, partsOf(join(folder, 'base.img')))
    if (written.root > 0) faults.push(`the root was written: ${written.root} bytes`)
    const facts = { written, writes: writes.length, flushes: writes.filter(({ flushes }) => flushes).length, cuts }
    const started = all.filter((one) => one.started).length
    const withEvents = all.filter(({ acknowledged }) => acknowledged > 0).length
    const lostWrites = all.reduce((sum, { lost }) => sum + lost, 0)
    console.log(JSON.stringify({ ...facts, lost_writes: lostWrites, with_events: withEvents, started, faults }))
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    rmSync(work, { recursive: true })
  }
}

await main()
