/**
 * A storm through the whole walk: parsed, tagged with eight areas, decided by the matrix and the guards, stored with
 * `synchronous = FULL`, queued for two simulated radios that send at the pace of real ones. Wall time and memory.
 *
 *   node --import=tsx scripts/bench-storm.ts [--quick] [--help]
 */
import { closeSync, fdatasyncSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/platform/clock/clock.ts'
import { keepShapes } from '../src/platform/process/small-heap.ts'
import { createRadios } from '../src/warning/radios/create.ts'
import { answer, atMost, inBenchFolder, median, memoryInUse, type Row } from './bench-part.ts'
import { benchConfig, openBenchCore, Storm } from './bench-world.ts'
import { atMostInserts, bareInsert } from './bench-yardstick.ts'

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/bench-storm.ts [--quick]\nEvents per second with durable guards, as JSON rows.'
  )
  process.exit(0)
}
const TOTAL = process.argv.includes('--quick') ? 20_000 : 100_000
const WARM_UP = 2_000
/** Memory is compared between this many events and all of them. */
const FIRST_LOOK = TOTAL / 5
const LOOK_EVERY = TOTAL / 10
const POST_SIZE = 25
const POSTS_AT_ONCE = 4
/** Of one durable insert of the event's bytes, as many of them in a commit. */
const TARGETS = { cpuInserts: 60, heapGrowthMb: 8, rssGrowthMb: 24 }

function fsyncMs(folder: string): number {
  const file = openSync(join(folder, 'fsync'), 'w')
  const page = Buffer.alloc(4096)
  const times = Array.from({ length: 200 }, () => {
    writeSync(file, page)
    const start = performance.now()
    fdatasyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  return median(times)
}

// As the program does before anything else.
keepShapes()

async function run(folder: string): Promise<Row[]> {
  const config = benchConfig()
  const names = Object.values(config.notifications.region_routes.cells).flatMap((row) =>
    Object.values(row).flatMap(({ mc }) => mc ?? [])
  )
  const clock = systemClock
  const radios = await createRadios({ configured: [], allowSimulatedDefault: true, mcNames: () => names, clock })
  await Promise.all(radios.map((radio) => radio.connect()))
  const databasePath = join(folder, 'lookout.db')
  const { core, counters, close } = await openBenchCore({ databasePath, config, radios, clock, commitWindowMs: 20 })
  const storm = new Storm({ config, now: () => clock.now() })

  let posted = 0
  const poster = async (until: number): Promise<void> => {
    while (posted < until) {
      const count = Math.min(POST_SIZE, until - posted)
      posted += count
      await core.accept(storm.next(count))
    }
  }
  const burst = (until: number) => Promise.all(Array.from({ length: POSTS_AT_ONCE }, () => poster(until)))

  await burst(WARM_UP)
  posted = 0
  let seconds = 0
  let cpu = 0
  const rates: number[] = []
  const looks: { heap: number; rss: number }[] = []
  while (posted < TOTAL) {
    const start = performance.now()
    const before = process.cpuUsage()
    await burst(posted + LOOK_EVERY)
    const took = (performance.now() - start) / 1000
    const { user, system } = process.cpuUsage(before)
    cpu += (user + system) / 1e6
    seconds += took
    rates.push(LOOK_EVERY / took)
    if (posted >= FIRST_LOOK) looks.push(await memoryInUse())
  }
  const states = core.waiting.counts()
  const waiting = core.waiting.open()
  const decided = Object.fromEntries(counters.decided)
  const walMb = statSync(`${databasePath}-wal`).size / 2 ** 20
  await close()
  await Promise.all(radios.map((radio) => radio.close()))

  const bare = await bareInsert(folder, JSON.stringify(storm.next(1)).length, POST_SIZE)
  const [first, last] = [looks[0]!, looks.at(-1)!]
  const share = (kind: string) => `${Math.round((100 * (decided[kind] ?? 0)) / (TOTAL + WARM_UP))} %`
  return [
    { what: `events a second over ${TOTAL.toLocaleString('en')} events`, value: TOTAL / seconds, unit: '/s' },
    { what: 'the slowest tenth of it', value: Math.min(...rates), unit: '/s' },
    ...atMostInserts('CPU for one event', (cpu / TOTAL) * 1e3, bare.cpuMs, TARGETS.cpuInserts),
    { what: 'CPU of a bare insert of its bytes', value: bare.cpuMs, unit: 'ms' },
    atMost(
      `heap in use, growth from ${FIRST_LOOK.toLocaleString('en')} events on`,
      last.heap - first.heap,
      'MiB',
      TARGETS.heapGrowthMb
    ),
    atMost('resident memory, the same', last.rss - first.rss, 'MiB', TARGETS.rssGrowthMb),
    { what: 'heap in use at the end', value: last.heap, unit: 'MiB' },
    { what: 'resident at the end, TypeScript loader included', value: last.rss, unit: 'MiB' },
    {
      what: 'what became of them',
      value: ['send', 'suppressed', 'dropped', 'duplicate', 'silent']
        .map((kind) => `${kind} ${share(kind)}`)
        .join(', '),
      unit: ''
    },
    {
      what: 'messages stored / still waiting',
      value: `${Object.values(states).reduce((a, b) => a + b, 0)} / ${waiting}`,
      unit: ''
    },
    { what: 'write-ahead log at the end', value: walMb, unit: 'MiB' },
    { what: 'one fdatasync in this folder, median', value: fsyncMs(folder), unit: 'ms' }
  ]
}

// As the program does before anything else.
keepShapes()
await inBenchFolder(async (folder) => answer(await run(folder)))
