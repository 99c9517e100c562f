/** Boots an image of scripts/build-image in an emulated board and says what came of it. docs/decisions/0040-the-image.md. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BOOT_AT, Board, chance, HOST_SEEN, makeCard, nameOf, STATION_NAME } from './image-board.ts'
import { post, postAll, ROUTES, settings, tokenOf } from './image-events.ts'
import { lastLine } from './image-phone-words.ts'
import { makeTools, phonesIn } from './image-phones.ts'
import { quietServices, watchRest } from './image-rest.ts'
import { converted, faultsOfViews, memoryOf, VIEWS } from './image-views.ts'

const HELP = `node --import=tsx scripts/boot-image.ts FOLDER [options]: boots FOLDER/lookout.img in QEMU (-M virt, Cortex-A53)

  --memory MB    of the board (512)
  --port N       of this machine, led to the station (18090)
  --kills N      afterwards the power is cut N times, at a random moment, and each time the board must come up again (0)
  --seed N       of those moments (1)
  --limit S      seconds until a start counts as failed (1800)
  --log FOLDER   write every write of the card down there, for scripts/image-cuts.ts
  --phones       two phones join the hotspot by the pass phrase of the set-up file and look around
  --events N     an operator posts N events and renames the station, and FOLDER/acks.ndjson notes when each was acknowledged; needs --log
  --rest N       then, twelve minutes after all else, what is written in N minutes at rest, 15 or a multiple of it; with --log by file too
  --services     meanwhile five warning services are asked that have nothing new
  --keep         keep the card and the console log

A copy of the image is made as large as a card of 4 GB, with a filled-in lookout-setup.txt; the image stays as it is.
Needs: qemu-system-arm mtools. stdout: JSON with the figures. exit codes: 0 as it should be · 1 not
`

/** A radio that is not there: what is to be sent waits. */
const NO_RADIO = `${HOST_SEEN}:4`
const WIFI = { ssid: 'Hill Station', passphrase: 'quiet owl & co' }
const setupOf = (wifi: string): string =>
  [
    'name = ',
    'country = US',
    'place = Boise, Idaho',
    'areas = Ada, Idaho',
    `${wifi}`,
    `meshtastic = ${NO_RADIO}`,
    'speed = 5',
    ''
  ]
    .join('\r\n')
    .replace('name = ', `name = ${STATION_NAME}`)
const SETUP = setupOf('wifi name = auto')
const SETUP_FOR_PHONES = setupOf(`wifi name = ${WIFI.ssid}\r\nwifi passphrase = ${WIFI.passphrase}`)

/** After which a start is over, and whatever was done with the station: ten minutes after a setting the audit log is anchored. */
const [STARTED_MS, SETTLED_MS] = [5 * 60_000, 12 * 60_000]

/** At rest the second has no process: it is started by who asks. */
const SERVICES = ['lookout.service', 'lookout-sandbox.service']

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
  station_private_mb: memoryOf('RssAnon', ...SERVICES),
  station_resident_mb: memoryOf('VmRSS', ...SERVICES),
  startup: 'systemd-analyze time | head -1',
  sectors_written: "awk '{ print $7 }' /sys/block/vda/stat",
  ...VIEWS,
  sandbox_private_mb: memoryOf('RssAnon', 'lookout-sandbox.service'),
  sandbox_resident_mb: memoryOf('VmRSS', 'lookout-sandbox.service')
} as const

/** Promises of the image that hold in the emulated board. */
function faultsOf(found: Readonly<Record<string, string>>, name: string, report: string): string[] {
  const faults = []
  if (found['failed_units'] !== '') faults.push(`units failed: ${found['failed_units']}`)
  if (found['hotspot'] !== 'on') faults.push(`the hotspot is ${found['hotspot']}`)
  if (found['root'] !== 'ro') faults.push(`the root is ${found['root']}`)
  if (!(Number(found['data_mb']) > 2000)) faults.push(`the data partition has ${found['data_mb']} MB of a card of 4 GB`)
  if (!name.startsWith(STATION_NAME)) faults.push(`lookout-setup.txt was not taken: the station is called ${name}`)
  for (const words of ['Claim code: ', STATION_NAME, 'speed'])
    if (!report.includes(words)) faults.push(`lookout.txt has no "${words}"`)
  return [...faults, ...faultsOfViews(found)]
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

interface Stages {
  kills: number
  seed: number
  phones: boolean
  events: number
  /** Minutes. */
  rest: number
  services: boolean
  log: string | undefined
}

/** Uses the station once it is up: the figures of it, and whatever is not as it should be. */
async function used(
  board: Board,
  card: string,
  stages: Stages & { upAt: number }
): Promise<{ figures: object; faults: string[] }> {
  const figures: Record<string, unknown> = {}
  const faults: string[] = []
  const { phones, events, rest, services, upAt, log } = stages
  if (!phones && events === 0 && !services && rest === 0) return { figures, faults }
  const token = await tokenOf(board)
  try {
    figures['document_s'] = await converted(board, token)
  } catch (error) {
    faults.push(String(error))
  }
  if (phones) {
    const seen = await phonesIn(board, { token, wifi: WIFI, title: await post(board, token, 0) }).catch(
      (error: unknown) => ({
        figures: {},
        faults: [`the look of the phones ended early: ${String(error)}`]
      })
    )
    figures['phones'] = seen.figures
    faults.push(...seen.faults)
    console.error(JSON.stringify(seen, null, 1))
  }
  if (events > 0 && log !== undefined) {
    await settings(board, token, ROUTES)
    await postAll(board, token, { count: events, log })
    figures['events'] = events
  }
  if (rest > 0) figures['rest'] = await rested(board, { token, services, upAt, minutes: rest, log, card })
  return { figures, faults }
}

/** Tells the writes at rest, when the start has been over for a while. */
async function rested(
  board: Board,
  {
    token,
    services,
    upAt,
    ...watch
  }: { token: string; services: boolean; upAt: number; minutes: number; log: string | undefined; card: string }
): Promise<object> {
  const quiet = services ? await quietServices() : null
  try {
    const contact = { '/station/contact': 'hill@example.org' }
    if (quiet !== null) await settings(board, token, { ...contact, '/sources': quiet.sources })
    await pause(Math.max(SETTLED_MS, upAt + STARTED_MS - performance.now()))
    const written = await watchRest(board, watch)
    const memory = async (line: string): Promise<number> =>
      Number(lastLine(await board.ask(memoryOf(line, ...SERVICES))))
    return { ...written, private_mb: await memory('RssAnon'), resident_mb: await memory('VmRSS') }
  } finally {
    quiet?.server.closeAllConnections()
    quiet?.server.close()
  }
}

/** The figures of a first start and of those after cuts, and whatever is not as it should be. */
async function boot(card: string, board: Board, stages: Stages): Promise<object> {
  board.start()
  const firstStart = await board.healthy()
  const upAt = performance.now()
  console.error(`answers after ${firstStart} s`)
  // The report and the code on the console follow the answer.
  await pause(20_000)
  const found: Record<string, string> = {}
  // The claim code and the name of the Wi-Fi may come on the console in the middle of an answer.
  for (const [name, command] of Object.entries(COMMANDS)) found[name] = lastLine(await board.ask(command))
  console.error(JSON.stringify(found))
  await board.ask('sync')
  const use = await used(board, card, { ...stages, upAt })
  const starts = await cutOften(board, { ...stages, up: firstStart })
  const name = await nameOf(board)
  await board.cut()
  const report = execFileSync('mtype', ['-i', `${card}${BOOT_AT}`, '::lookout.txt'], { encoding: 'utf8' })
  console.error(report)
  const faults = [...faultsOf(found, name, report), ...use.faults]
  if (!board.console.includes('Claim code: ')) faults.push('no claim code on the console')
  process.exitCode = faults.length === 0 ? 0 : 1
  return { first_start_s: firstStart, ...found, ...use.figures, starts_s: starts, faults }
}

/** The card before the start, and an empty log. */
function beginLog(log: string, card: string): void {
  mkdirSync(log, { recursive: true })
  execFileSync('cp', ['--sparse=always', card, join(log, 'base.img')])
  // A log goes on from an earlier one only by mistake.
  writeFileSync(join(log, 'log.img'), '')
  if (existsSync(join(log, 'acks.ndjson'))) rmSync(join(log, 'acks.ndjson'))
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
      phones: { type: 'boolean', default: false },
      events: { type: 'string', default: '0' },
      rest: { type: 'string', default: '0' },
      services: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' }
    }
  })
  const [folder] = positionals
  if (values.help || folder === undefined || (values.events !== '0' && values.log === undefined)) {
    console.log(HELP)
    process.exitCode = values.help ? 0 : 2
    return
  }
  const work = mkdtempSync(join(tmpdir(), 'boot-image-'))
  const [memory, port, limit] = [Number(values.memory), Number(values.port), Number(values.limit)]
  const log = values.log === undefined ? undefined : resolve(values.log)
  const stages: Stages = {
    ...{ kills: Number(values.kills), seed: Number(values.seed), phones: values.phones, events: Number(values.events) },
    ...{ rest: Number(values.rest), services: values.services, log }
  }
  const image = resolve(folder)
  const card = makeCard(image, work, values.phones ? SETUP_FOR_PHONES : SETUP)
  if (log !== undefined) beginLog(log, card)
  const tools = values.phones ? makeTools(work, WIFI) : undefined
  const board = new Board(card, { folder: image, memory, port, limit, log, tools })
  try {
    console.log(JSON.stringify({ memory_mb: memory, ...(await boot(card, board, stages)) }))
  } finally {
    await board.cut()
    if (values.keep) console.error(work)
    else rmSync(work, { recursive: true })
  }
}

await main()
