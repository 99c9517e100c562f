/** Boots an image of scripts/build-image in an emulated board and says what came of it. docs/decisions/0040-the-image.md. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const HELP = `node --import=tsx scripts/boot-image.ts FOLDER [options]: boots FOLDER/lookout.img in QEMU (-M virt, Cortex-A53)

  --memory MB    of the board (512)
  --port N       of this machine, led to the station (18090)
  --kills N      afterwards the power is cut N times, at a random moment, and each time the board must come up again (0)
  --seed N       of those moments (1)
  --limit S      seconds until a start counts as failed (1800)
  --log FOLDER   write every write of the card down there, for scripts/image-cuts.ts
  --keep         keep the card and the console log

A copy of the image is made as large as a card of 4 GB, with a filled-in lookout-setup.txt; the image stays as it is.
Needs: qemu-system-arm mtools. stdout: JSON with the figures. exit codes: 0 as it should be · 1 not
`

const CARD_BYTES = 4_000_000_000
/** Where scripts/image-layout begins the boot partition. */
const BOOT_AT = '@@4M'
const SETUP =
  'name = Emulated Hill\r\ncountry = US\r\nplace = Boise, Idaho\r\nareas = Ada, Idaho\r\nwifi name = auto\r\nspeed = 5\r\n'
const WORDS =
  'root=LABEL=lookout-root ro rootwait net.ifnames=0 console=ttyAMA0 panic=10 systemd.debug_shell=ttyAMA0 modules_load=mac80211_hwsim'
/** An emulated board on a busy machine may take 14 s, the watchdog's, for a step, and more than 90 s to find its card. */
const PATIENT = 'systemd.watchdog_sec=0 systemd.default_device_timeout_sec=900'

interface Options {
  folder: string
  memory: number
  port: number
  limit: number
  /** A folder for base.img and log.img. */
  log: string | undefined
}

/** An emulated board with its card in it. */
class Board {
  readonly #o: Options
  readonly #card: string
  #qemu: ChildProcessWithoutNullStreams | null = null
  console = ''

  constructor(card: string, options: Options) {
    this.#card = card
    this.#o = options
  }

  start(): void {
    const { folder, memory, port, log } = this.#o
    const qemu = spawn('qemu-system-aarch64', [
      ...['-M', 'virt', '-cpu', 'cortex-a53', '-smp', '2', '-m', String(memory), '-display', 'none', '-no-reboot'],
      ...['-kernel', join(folder, 'vmlinuz'), '-initrd', join(folder, 'initrd.img'), '-append', `${WORDS} ${PATIENT}`],
      ...driveOf(this.#card, log),
      ...['-device', 'virtio-blk-pci,drive=card', '-device', 'virtio-rng-pci'],
      ...['-netdev', `user,id=cable,hostfwd=tcp:127.0.0.1:${port}-:8080`],
      ...['-device', 'virtio-net-pci,netdev=cable,romfile=', '-monitor', 'none', '-serial', 'stdio']
    ])
    for (const stream of [qemu.stdout, qemu.stderr])
      stream.on('data', (bytes: Buffer) => {
        this.console += bytes.toString('latin1')
        appendFileSync(`${this.#card}.console`, bytes)
      })
    this.#qemu = qemu
  }

  /** Seconds until the station answers. @throws Error when it does not within the limit, with the end of the console */
  async healthy(): Promise<number> {
    const { port, limit } = this.#o
    const begun = performance.now()
    const seconds = (): number => (performance.now() - begun) / 1000
    while (seconds() < limit) {
      if (this.#qemu?.exitCode !== null) break
      const answer = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(5000) }).catch(
        (error: unknown) => {
          if (error instanceof Error) return null
          throw error
        }
      )
      if (answer?.ok === true) return Math.round(seconds())
      await answer?.body?.cancel()
      await pause(500)
    }
    throw new Error(`no answer within ${Math.round(seconds())} s; the console ended:\n${this.console.slice(-4000)}`)
  }

  /** The output of a command, by the shell on the serial console. */
  async ask(command: string): Promise<string> {
    const mark = `mark${Math.random().toString(36).slice(2)}`
    const from = this.console.length
    // The marks in two parts: the terminal repeats what is typed.
    this.#qemu?.stdin.write(`\necho ${mark}"-begin"; ( ${command} ) 2>&1; echo ${mark}"-end"\n`)
    const lines = (): string[] => this.console.slice(from).split(/\r*\n/)
    for (let tries = 0; tries < 1500 && !lines().includes(`${mark}-end`); tries++) await pause(200)
    const all = lines()
    return all
      .slice(all.indexOf(`${mark}-begin`) + 1, all.indexOf(`${mark}-end`))
      .join('\n')
      .trim()
  }

  /** The power is cut: nothing of it is asked. */
  async cut(): Promise<void> {
    const qemu = this.#qemu
    if (qemu === null || qemu.exitCode !== null) return
    const gone = new Promise((done) => qemu.once('exit', done))
    qemu.kill('SIGKILL')
    await gone
  }
}

/** With a log, QEMU notes each write and flush before it makes it: docs/decisions/0053. */
function driveOf(card: string, log: string | undefined): string[] {
  if (log === undefined) return ['-drive', `file=${card},if=none,id=card,format=raw,cache=writeback`]
  const logged = `driver=blklogwrites,node-name=card,file=raw,log.driver=file,log.filename=${join(log, 'log.img')},log-sector-size=512`
  const file = ['-blockdev', `driver=file,node-name=file,filename=${card}`]
  return [...file, '-blockdev', 'driver=raw,node-name=raw,file=file', '-blockdev', logged]
}

const COMMANDS = {
  // The kernel pretends two Wi-Fi chips; NetworkManager and wpa_supplicant do not know.
  hotspot:
    'for n in $(seq 90); do s=$(sed -n s/^state=//p /run/lookout-hotspot/state); [ "$s" = on ] && break; sleep 2; done; echo $s',
  failed_units: 'systemctl --failed --no-legend --plain | cut -d" " -f1 | paste -sd" "',
  root: 'findmnt -no OPTIONS / | cut -d, -f1',
  data_mb: 'df -m --output=size /data | tail -1',
  memory_used_mb: "awk '/^MemTotal/ { t = $2 } /^MemAvailable/ { print int((t - $2) / 1024) }' /proc/meminfo",
  memory_available_mb: "awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo",
  station_mb: 'expr $(cat /sys/fs/cgroup/system.slice/lookout.service/memory.current) / 1048576',
  startup: 'systemd-analyze time | head -1',
  sectors_written: "awk '{ print $7 }' /sys/block/vda/stat"
} as const

/** Promises of the image that hold in the emulated board. */
function faultsOf(found: Readonly<Record<string, string>>, name: string, report: string): string[] {
  const faults = []
  if (found['failed_units'] !== '') faults.push(`units failed: ${found['failed_units']}`)
  if (found['hotspot'] !== 'on') faults.push(`the hotspot is ${found['hotspot']}`)
  if (found['root'] !== 'ro') faults.push(`the root is ${found['root']}`)
  if (!(Number(found['data_mb']) > 2000)) faults.push(`the data partition has ${found['data_mb']} MB of a card of 4 GB`)
  if (name !== 'Emulated Hill') faults.push(`lookout-setup.txt was not taken: the station is called ${name}`)
  for (const words of ['Claim code: ', 'Emulated Hill', 'speed', 'Lookout-'])
    if (!report.includes(words)) faults.push(`lookout.txt has no "${words}"`)
  return faults
}

async function nameOf(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/first-run`)
  const { station } = (await answer.json()) as { station?: { name?: string } }
  return station?.name ?? ''
}

function makeCard(folder: string, work: string): string {
  const card = join(work, 'card.img')
  execFileSync('cp', ['--sparse=always', join(folder, 'lookout.img'), card])
  truncateSync(card, CARD_BYTES)
  const setup = join(work, 'lookout-setup.txt')
  writeFileSync(setup, SETUP)
  execFileSync('mcopy', ['-o', '-i', `${card}${BOOT_AT}`, setup, '::lookout-setup.txt'])
  return card
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

/** Cuts the power while it runs or starts; answers the seconds of each start after. */
async function cutOften(
  board: Board,
  { kills, seed, up }: { kills: number; seed: number; up: number }
): Promise<number[]> {
  const random = chance(seed)
  const starts: number[] = []
  for (let nth = 0; nth < kills; nth++) {
    // Half of them while it starts.
    if (nth > 0 && random() < 0.5) {
      await board.cut()
      board.start()
      await pause(random() * up * 1000)
    } else await pause(random() * 20_000)
    await board.cut()
    board.start()
    starts.push(await board.healthy())
  }
  return starts
}

/** The figures of a first start and of those after cuts, and whatever is not as it should be. */
async function boot(
  card: string,
  board: Board,
  { port }: Options,
  kills: { kills: number; seed: number }
): Promise<object> {
  board.start()
  const firstStart = await board.healthy()
  // The report and the code on the console follow the answer.
  await pause(20_000)
  const found: Record<string, string> = {}
  for (const [name, command] of Object.entries(COMMANDS)) found[name] = await board.ask(command)
  await board.ask('sync')
  const starts = await cutOften(board, { ...kills, up: firstStart })
  const name = await nameOf(port)
  await board.cut()
  const report = execFileSync('mtype', ['-i', `${card}${BOOT_AT}`, '::lookout.txt'], { encoding: 'utf8' })
  console.error(report)
  const faults = faultsOf(found, name, report)
  if (!board.console.includes('Claim code: ')) faults.push('no claim code on the console')
  process.exitCode = faults.length === 0 ? 0 : 1
  return { first_start_s: firstStart, ...found, starts_s: starts, faults }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      memory: { type: 'string', default: '512' },
      port: { type: 'string', default: '18090' },
      kills: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      limit: { type: 'string', default: '1800' },
      log: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' }
    }
  })
  const [folder] = positionals
  if (values.help || folder === undefined) {
    console.log(HELP)
    process.exitCode = values.help ? 0 : 2
    return
  }
  const work = mkdtempSync(join(tmpdir(), 'boot-image-'))
  const [memory, port, limit] = [Number(values.memory), Number(values.port), Number(values.limit)]
  const log = values.log === undefined ? undefined : resolve(values.log)
  const options = { folder: resolve(folder), memory, port, limit, log }
  const card = makeCard(options.folder, work)
  if (log !== undefined) {
    mkdirSync(log, { recursive: true })
    execFileSync('cp', ['--sparse=always', card, join(log, 'base.img')])
    // A log goes on from an earlier one only by mistake.
    writeFileSync(join(log, 'log.img'), '')
  }
  const board = new Board(card, options)
  try {
    const kills = { kills: Number(values.kills), seed: Number(values.seed) }
    console.log(JSON.stringify({ memory_mb: memory, ...(await boot(card, board, options, kills)) }))
  } finally {
    await board.cut()
    if (values.keep) console.error(work)
    else rmSync(work, { recursive: true })
  }
}

await main()
