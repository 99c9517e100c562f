/**
 * Warnings under load, on a quarter of a core: the built program with the profile and heap of `minimal_pi`, both radios over TCP
 * (wire-level peers), events in posts of 100, ten phones, ten live streams and a back-test every few seconds. One `immediate`
 * event at a time is the probe: from its post until a radio has its bytes.
 *
 * A radio that is still sending, or inside the pause the firmware asks for after a text (`MIN_GAP_MS`), may not be given the next:
 * that wait is the radio's law. What counts as ours begins when the post begins, or when the radio is free of what it was given
 * until then (and within a second after, which is the target); every other text in front of the probe is ours. The whole time is
 * told beside it. A probe does not wait for the queue: it overtakes whatever is less grave.
 *
 *   node --import=tsx scripts/bench-load.ts [--quick] [--help]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MIN_GAP_MS } from '../src/warning/outbox/pace.ts'
import type { Network } from '../src/warning/radios/radio.ts'
import { PeerRadios } from '../test/faults/peer-radios.ts'
import { GUARD } from '../test/helpers/process.ts'
import { ask, Load, type Looks, listen, MC_CHANNELS, matrix, phone, stationConfig } from './bench-load-world.ts'
import { answer, atLeast, atMost, inBenchFolder, percentile, type Row, root } from './bench-part.ts'
import { seeded } from './bench-world.ts'
import { atMostStarts } from './bench-yardstick.ts'
import { throttle } from './throttle.ts'

const HELP = `node --import=tsx scripts/bench-load.ts [--quick] [options]
From an immediate event to the radio under load on a quarter of a core, as JSON rows. Linux only.

  --seconds N     how long; default 180, with --quick 45
  --seed N        default 1
  --share S       part of a core; default 0.25
  --throttle WAY  cgroup, signals (needs no rights) or none; default: cgroup where one may be made, else signals
  --program DIR   the folder of another build, to compare with; default: this one
  --before N      events of the hours before, posted before the core is cut; default 6000, with --quick 1000
  --rest N        a storm out of the blue, N seconds after the ready line: no event of the hours before, the core cut
                  at once, and the first probe with the first post
  --no-load       the probes alone
  --tell          each probe on standard error
  --cpu-prof DIR  where V8 writes a profile of the program
`
const string = { type: 'string' } as const
const boolean = { type: 'boolean' } as const
const { values } = parseArgs({
  options: {
    quick: boolean,
    help: boolean,
    'no-load': boolean,
    tell: boolean,
    ...{
      seconds: string,
      seed: string,
      share: string,
      throttle: string,
      program: string,
      before: string,
      rest: string,
      'cpu-prof': string
    }
  }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const SECONDS = Number(values.seconds ?? (values.quick ? 45 : 180))
const SEED = Number(values.seed ?? 1)
const BEFORE = Number(values.before ?? (values.quick ? 1000 : 6000))
const REST = values.rest === undefined ? null : Number(values.rest)
const SHARE = Number(values.share ?? 0.25)
const PROGRAM = resolve(values.program ?? root)
const loaded = values['no-load'] !== true

const BATCH = 100
const PER_SECOND = 32
const PHONES = 10
const BACKTEST_MS = 5000
/** More than a text and the pause behind it take, so that probes do not wait for one another. */
const PROBE_MS = 5000
/** Of a Node process that does nothing and has as small a share of a core: a second, where it takes 50 ms on a whole one. */
const TARGET_STARTS = 5
/** A text handed over this long after an event is one that its radio made it wait for. */
const WITHIN_MS = 1000
/** A probe that has not come by then is lost, and counts as this. */
const PATIENCE_MS = 60_000
/** On a part of a core a stop takes its time. */
const STOP_MS = 30_000
const { heap_mb: HEAP_MB } = JSON.parse(readFileSync(join(root, 'profiles/minimal_pi.json'), 'utf8')).tuning

/**
 * Runs inside of the program: CPU of its main thread and time on the clock between two turns of its loop, the worst of each second.
 * The same for both builds; wall time on a quarter of a core is mostly the rest of it.
 */
const METER = `
import { appendFileSync, readFileSync } from 'node:fs'
const cpu = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6
let [at, used, worst, step, told] = [performance.now(), cpu(), 0, 0, Date.now()]
setInterval(() => {
  const [now, spent] = [performance.now(), cpu()]
  worst = Math.max(worst, now - at - 10); step = Math.max(step, spent - used)
  ;[at, used] = [now, spent]
  if (Date.now() - told < 1000) return
  appendFileSync(process.env.LOOKOUT_BENCH_METER, JSON.stringify({ at: Date.now(), worst, step }) + '\\n')
  ;[worst, step, told] = [0, 0, Date.now()]
}, 10).unref()
`

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

interface Station {
  child: ChildProcess
  port: number
  meter: string
}

async function started(folder: string, radios: readonly object[]): Promise<Station> {
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'config.json'), JSON.stringify(stationConfig(radios)))
  const meter = join(folder, 'meter')
  const profile =
    values['cpu-prof'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(values['cpu-prof'])}`]
  const program = [join(PROGRAM, 'dist/lookout.js'), 'start', '--profile', 'minimal_pi']
  const child = spawn(
    process.execPath,
    [
      ...[`--import=${GUARD}`, `--max-old-space-size=${HEAP_MB}`, ...profile],
      ...[`--import=data:text/javascript,${encodeURIComponent(METER)}`],
      ...[...program, '--host', '127.0.0.1', '--port', '0', '--data', data]
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, LOOKOUT_LOG: 'fatal', LOOKOUT_BENCH_METER: meter }
    }
  )
  const port = await new Promise<number>((ready, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const found = /lookout ready http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
      if (found !== undefined) ready(Number(found))
    })
    child.once('exit', (code) => reject(new Error(`the program ended with ${code} before it was ready`)))
  })
  for (;;) {
    const { radios: all } = JSON.parse((await ask(port, '/api/radios')).text) as { radios: { state: string }[] }
    if (all.every(({ state }) => state === 'ready')) return { child, port, meter }
    await pause(100)
  }
}

interface Probe {
  word: string
  at: number
  status: number
  answeredMs: number
}

interface Tally {
  probes: Probe[]
  posts: number[]
  backtests: number[]
  turnedAway: number
  looks: Looks
  rssMb: number
}

/** Everything at once, until the time is over. */
async function storm({ child, port }: Station, load: Load): Promise<Tally> {
  const until = Date.now() + SECONDS * 1000
  const isOver = (): boolean => Date.now() >= until
  const tally: Tally = {
    probes: [],
    posts: [],
    backtests: [],
    turnedAway: 0,
    looks: { times: [], refused: 0 },
    rssMb: 0
  }
  const timers = [setInterval(() => (tally.rssMb = Math.max(tally.rssMb, residentMb(child.pid))), 250)]
  const open: Promise<unknown>[] = []
  const every = (ms: number, task: () => Promise<void>): void => {
    timers.push(setInterval(() => open.push(task()), ms))
  }
  const streams: (() => void)[] = []
  if (loaded) {
    every((1000 * BATCH) / PER_SECOND, async () => {
      tally.posts.push((await ask(port, '/api/events', { body: load.batch(BATCH) })).ms)
    })
    every(BACKTEST_MS, async () => {
      const span = { since: new Date(Date.now() - 3_600_000).toISOString() }
      const { status, ms } = await ask(port, '/api/notifications/region-routing/backtest', {
        body: { matrix, ...span }
      })
      if (status === 200) tally.backtests.push(ms)
      else tally.turnedAway++
    })
    streams.push(...Array.from({ length: PHONES }, () => listen(port)))
    for (let number = 0; number < PHONES; number++)
      open.push(phone(port, { number, random: seeded(SEED + number), isOver, looks: tally.looks }))
  }
  // The first seconds are those of a start, which is looked at where it is asked for alone.
  await pause(REST === null ? Math.min(10_000, SECONDS * 200) : 0)
  const random = seeded(SEED * 31)
  while (!isOver()) {
    const { word, event } = load.probe()
    const probe: Probe = { word, at: Date.now(), status: 0, answeredMs: PATIENCE_MS }
    tally.probes.push(probe)
    void ask(port, '/api/events', { body: event }).then(({ status, ms }) =>
      Object.assign(probe, { status, answeredMs: ms })
    )
    await pause(PROBE_MS * (0.8 + 0.4 * random()))
  }
  for (const timer of timers) clearInterval(timer)
  await Promise.race([Promise.all(open), pause(Math.min(PATIENCE_MS, SECONDS * 500))])
  for (const close of streams) close()
  return tally
}

const residentMb = (pid = 0): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

interface Arrival {
  whole: number
  ours: number
}

/** The times at which each probe reached this radio, and from when on it might have. */
function arrivals(probes: readonly Probe[], { network, radios }: { network: Network; radios: PeerRadios }): Arrival[] {
  const offered = radios.offered.filter((text) => text.network === network)
  const left = radios.leftAt.filter((text) => text.network === network)
  return probes.map(({ word, at }) => {
    const found = offered.find(({ text }) => text.includes(word))
    if (found === undefined) return { whole: PATIENCE_MS, ours: PATIENCE_MS }
    const before = offered.findLast((text) => text.at < found.at && text.at <= at + WITHIN_MS)
    const gapMs = MIN_GAP_MS[network]
    const [ended, own] = [before, found].map((text) =>
      left.find(({ at: then }) => text !== undefined && then >= text.at)
    )
    // From hand-over to hand-over, and from end to end: src/warning/outbox/pace.ts.
    const rested = ended === undefined ? 0 : Math.max(ended.at, ended.at + gapMs - ((own?.at ?? found.at) - found.at))
    const free = before === undefined ? at : Math.max(at, before.at + gapMs, rested)
    if (values.tell)
      console.error(
        `${network} ${word} ${found.at - at} ms, ours ${Math.max(0, found.at - free)}; the text before it ${at - (before?.at ?? 0)} ms earlier, ended ${at - (ended?.at ?? 0)} ms before the post`
      )
    return { whole: found.at - at, ours: Math.max(0, found.at - free) }
  })
}

function meterRows(file: string, from: number, to: number): Row[] {
  const seconds = (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { at: number; worst: number; step: number })
    .filter(({ at }) => at >= from && at <= to)
  const [steps, stalls] = [seconds.map(({ step }) => step), seconds.map(({ worst }) => worst)]
  return [
    {
      what: 'CPU between two turns of the loop, the worst of a second: median',
      value: percentile(steps, 0.5),
      unit: 'ms'
    },
    { what: 'CPU between two turns of the loop, at most', value: Math.max(0, ...steps), unit: 'ms' },
    { what: 'the loop stood still, at most', value: Math.max(0, ...stalls), unit: 'ms' }
  ]
}

/** CPU so far, from the kernel's count in hundredths of a second. Milliseconds. */
function cpuMs(pid = 0): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function run(folder: string): Promise<Row[]> {
  const limit = throttle(SHARE, values.throttle ?? 'auto')
  const radios = await PeerRadios.start({ link: 'tcp', folder, mcChannels: MC_CHANNELS })
  const station = await started(folder, radios.config)
  const ended = new Promise((done) => station.child.once('exit', done))
  try {
    const load = new Load(SEED)
    for (let sent = 0; REST === null && loaded && sent < BEFORE; sent += BATCH)
      await ask(station.port, '/api/events', { body: load.batch(Math.min(BATCH, BEFORE - sent)) })
    limit.hold(station.child)
    await pause((REST ?? 0) * 1000)
    const [begun, cpuBefore] = [Date.now(), cpuMs(station.child.pid)]
    const tally = await storm(station, load)
    const [over, cpu] = [Date.now(), cpuMs(station.child.pid) - cpuBefore]
    const late = tally.probes.length === 0 ? 0 : 2000
    await pause(late)
    return [
      ...tableOf(tally, radios),
      ...meterRows(station.meter, begun, over),
      { what: 'CPU of the program, share of one core', value: (100 * cpu) / (over - begun), unit: '%' },
      { what: 'resident memory at most', value: tally.rssMb, unit: 'MiB' },
      { what: `held to ${100 * SHARE} % of a core by`, value: limit.how, unit: '' }
    ]
  } finally {
    station.child.kill('SIGTERM')
    const kill = setTimeout(() => station.child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(kill)
    limit.end()
    await radios.stop()
  }
}

const both = (values: readonly number[]): string =>
  `${Math.round(percentile(values, 0.5))}, ${Math.round(percentile(values, 0.99))}`

function tableOf({ probes, posts, backtests, turnedAway, looks }: Tally, radios: PeerRadios): Row[] {
  const rows = (['mt', 'mc'] as const).flatMap((network): Row[] => {
    const all = arrivals(probes, { network, radios })
    const [ours, whole] = [all.map((one) => one.ours), all.map((one) => one.whole)]
    const name = network === 'mt' ? 'Meshtastic' : 'MeshCore'
    return [
      ...atMostStarts(`event to ${name} radio, p99 of ${probes.length}`, percentile(ours, 0.99), TARGET_STARTS, SHARE),
      { what: `event to ${name} radio, p50`, value: percentile(ours, 0.5), unit: 'ms' },
      { what: `event to ${name} radio, the slowest`, value: Math.max(0, ...ours), unit: 'ms' },
      {
        what: `the same with the wait for the radio's own pause: p50, p99`,
        value: both(whole),
        unit: 'ms'
      }
    ]
  })
  const taken = probes.filter(({ status }) => status === 202).length
  return [
    ...rows,
    {
      what: 'event to its 202, p50, p99',
      value: both(probes.map(({ answeredMs }) => answeredMs)),
      unit: 'ms'
    },
    atLeast('probes answered 202', taken, '', probes.length),
    atMost('texts refused by the radios', radios.refused.length, '', 0),
    { what: 'texts given to the radios', value: radios.offered.length, unit: '' },
    {
      what: `posts of ${BATCH} events, p50, p99 to the answer`,
      value: both(posts),
      unit: 'ms'
    },
    {
      what: 'pages, assets and API, p50, p99',
      value: both(looks.times),
      unit: 'ms'
    },
    { what: 'answers; refused or lost', value: `${looks.times.length}; ${looks.refused}`, unit: '' },
    {
      what: 'back-tests: p50, slowest',
      value: `${Math.round(percentile(backtests, 0.5))}, ${Math.round(Math.max(0, ...backtests))}`,
      unit: 'ms'
    },
    { what: 'back-tests answered; turned away', value: `${backtests.length}; ${turnedAway}`, unit: '' }
  ]
}

await inBenchFolder(async (folder) => answer(await run(folder)))
