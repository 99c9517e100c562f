/** Cuts the power of a board that ran, after the event: docs/decisions/0053-cut-power-after-the-event.md. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chance } from './image-board.ts'
import { type Booted, bootCut, type Kept } from './image-cut-boots.ts'
import { type Ack, judgeData, run } from './image-judge.ts'
import { momentsOf, type Part, partsOf, put, readLog, SECTOR, type Write, writtenTo } from './image-log.ts'

const HELP = `node --import=tsx scripts/image-cuts.ts FOLDER [options]: judges the cards that power cuts would have left

  --cuts N        moments at which the power is cut (80)
  --seed N        of those moments, and of the writes that get lost (1)
  --acknowledged  only moments after the first acknowledgement
  --starts N      cards among them that the program of this machine is started on (8)
  --boots N       cards among them that are booted in QEMU, as scripts/boot-image.ts does it (0)
  --image FOLDER  of kernel and initial file system, for --boots (artifacts/image)
  --acks FILE     lines of JSON: an event's id or the number of a name, and how long the log was when it was acknowledged (FOLDER/acks.ndjson)

FOLDER has base.img, the card before the start, and log.img, every write since: what scripts/boot-image.ts --log --events leaves.
Needs: e2fsprogs dosfstools mtools, and dist/. stdout: JSON with the figures. exit codes: 0 all held · 1 not
`

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
    put(write, this.#log, file, { from: part.at, most })
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
  /** Seconds until it answered in the emulated board; null when it was not booted. */
  booted_s: number | null
  faults: string[]
}

/** The writes on their way that arrived, whole or torn at a sector. */
function keptOf(waiting: readonly Write[], random: () => number): Kept[] {
  const kept: Kept[] = []
  for (const write of waiting) {
    const luck = random()
    if (luck < 0.45) kept.push({ write, most: write.bytes })
    else if (luck < 0.55) kept.push({ write, most: Math.floor((random() * write.bytes) / SECTOR) * SECTOR })
  }
  return kept
}

/** The card of one cut, judged. */
async function judge(
  card: Card,
  waiting: readonly Write[],
  options: {
    random: () => number
    acks: readonly Ack[]
    start: boolean
    boot: ((kept: readonly Kept[]) => Promise<Booted>) | null
    work: string
  }
): Promise<Omit<Judged, 'cut'>> {
  const { random, acks, start, boot, work } = options
  const folder = mkdtempSync(join(work, 'cut-'))
  try {
    const files = card.copied(folder)
    const kept = keptOf(waiting, random)
    for (const { write, most } of kept) card.apply(write, { files, most })
    const lost = waiting.length - kept.length
    const { faults, events } = await judgeData(files.get('data') ?? '', folder, acks)
    faults.push(...judgeBoot(files.get('boot') ?? ''))
    const data = join(folder, 'lookout')
    const started = start && existsSync(data)
    const notUp = started ? await startOn(data) : null
    if (notUp !== null) faults.push(notUp)
    const booted = boot === null ? null : await boot(kept)
    faults.push(...(booted?.faults ?? []))
    return { lost, acknowledged: acks.length, events, started, booted_s: booted?.seconds ?? null, faults }
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
      boots: { type: 'string', default: '0' },
      image: { type: 'string', default: 'artifacts/image' },
      acks: { type: 'string' },
      acknowledged: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' }
    }
  })
  return { values, folder: positionals[0] }
}

interface Plan {
  folder: string
  cuts: number
  /** Byte of the log before which nothing is cut. */
  from: number
  starts: number
  boots: number
  random: () => number
  acks: readonly Ack[]
  image: string
  work: string
}

/** Each cut in the order of time, so that the card is written once. */
async function cutAll(writes: readonly Write[], plan: Plan): Promise<Judged[]> {
  const { folder, cuts, from, starts, boots, random, acks, image, work } = plan
  const moments = momentsOf(writes, { cuts, random, from })
  const all: Judged[] = []
  const bootOf =
    (durable: readonly Write[], known: readonly Ack[]) =>
    (kept: readonly Kept[]): Promise<Booted> =>
      bootCut({ log: folder, durable, kept, acks: known, image, work })
  const card = new Card(join(folder, 'base.img'), join(folder, 'log.img'), work)
  let applied = 0
  for (const [nth, cut] of moments.entries()) {
    const durable = writes.slice(0, cut).findLastIndex(({ flushes }) => flushes) + 1
    for (; applied < durable; applied++) {
      const write = writes[applied]
      if (write !== undefined) card.apply(write)
    }
    const known = acks.filter(({ log }) => log <= (writes[cut - 1]?.end ?? 0))
    const one = (of: number): boolean => Math.floor((nth * of) / cuts) !== Math.floor(((nth + 1) * of) / cuts)
    const boot = one(boots) ? bootOf(writes.slice(0, durable), known) : null
    const options = { random, acks: known, start: one(starts), boot, work }
    const judged = { cut, ...(await judge(card, writes.slice(durable, cut), options)) }
    all.push(judged)
    console.error(JSON.stringify(judged))
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
  const [cuts, starts, boots] = [Number(values.cuts), Number(values.starts), Number(values.boots)]
  const [random, image] = [chance(Number(values.seed)), values.image]
  const writes = readLog(join(folder, 'log.img'))
  const ackFile = values.acks ?? join(folder, 'acks.ndjson')
  const lines = existsSync(ackFile) ? readFileSync(ackFile, 'utf8').trim().split('\n') : []
  const acks = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Ack)
  const work = mkdtempSync(join(process.env['TMPDIR'] ?? tmpdir(), 'image-cuts-'))
  try {
    const [first] = acks
    const from = values.acknowledged ? (first?.log ?? Number.POSITIVE_INFINITY) : 0
    const all = await cutAll(writes, { folder, cuts, from, starts, boots, random, acks, image, work })
    const faults = all.flatMap(({ cut, faults }) => faults.map((fault) => `${cut}: ${fault}`))
    const written = writtenTo(writes, partsOf(join(folder, 'base.img')))
    if (written.root > 0) faults.push(`the root was written: ${written.root} bytes`)
    const facts = { written, writes: writes.length, flushes: writes.filter(({ flushes }) => flushes).length, cuts }
    const started = all.filter((one) => one.started).length
    const withEvents = all.filter(({ acknowledged }) => acknowledged > 0).length
    const lostWrites = all.reduce((sum, { lost }) => sum + lost, 0)
    const booted = all.flatMap(({ booted_s }) => booted_s ?? [])
    console.log(
      JSON.stringify({ ...facts, lost_writes: lostWrites, with_events: withEvents, started, booted_s: booted, faults })
    )
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    rmSync(work, { recursive: true })
  }
}

await main()
