/**
 * The time from `accept()` to `Radio.send()`: one `immediate` event at a time in an idle process, on a real file with
 * `synchronous = FULL`. The event, its decision, its messages and the packet identity are on the disk before the radio
 * is called.
 *
 * node --import=tsx scripts/bench-latency.ts [--quick] [--help]
 */
import { join } from 'node:path'
import type { Clock } from '../src/platform/clock/clock.ts'
import { MC_PRESETS, mcModem, mtModem } from '../src/warning/radios/modem.ts'
import type {
  Network,
  Radio,
  RadioChannel,
  RadioDescription,
  RadioMessage,
  Receipt
} from '../src/warning/radios/radio.ts'
import { answer, inBenchFolder, percentile, type Row } from './bench-part.ts'
import { benchConfig, latencyEvent, openBenchCore } from './bench-world.ts'
import { atMostInserts, bareInsert } from './bench-yardstick.ts'

if (process.argv.includes('--help')) {
  console.log('node --import=tsx scripts/bench-latency.ts [--quick]\nMilliseconds from event to radio, as JSON rows.')
  process.exit(0)
}
const EVENTS = process.argv.includes('--quick') ? 300 : 500
const WARM_UP = 20
/** Of one durable insert of the same bytes: the event and its messages are one commit, each radio's word one more, beside all deciding. */
const TARGET_INSERTS = 25
/** The longest pause the pacing asks for, and more: 4 × time-on-air, an hour's airtime budget spread over the events. */
const PAUSE_MS = 60_000
const MOST_LOOKS = 100

/**
 * The wall clock with pauses cut out: timers run in real time, so every millisecond the program itself waits (commit window,
 * `after(0)`) is measured; between two events `skip` moves the clock on, so that the 3 s between two texts, the part gap and
 * the airtime budget are over before the next event comes, as they are in a quiet hour.
 */
class SkippingClock implements Clock {
  #ahead = 0
  readonly #waiting = new Set<{ at: number; run: () => void }>()

  now(): number {
    return Date.now() + this.#ahead
  }

  after(ms: number, task: () => void): () => void {
    const entry = {
      at: this.now() + Math.max(0, ms),
      run: () => {
        this.#waiting.delete(entry)
        clearTimeout(timer)
        task()
      }
    }
    const timer = setTimeout(entry.run, Math.max(0, ms))
    timer.unref()
    this.#waiting.add(entry)
    return () => {
      this.#waiting.delete(entry)
      clearTimeout(timer)
    }
  }

  skip(ms: number): void {
    this.#ahead += ms
    const due = [...this.#waiting].filter(({ at }) => at <= this.now()).sort((a, b) => a.at - b.at)
    for (const { run } of due) run()
  }
}

/** Takes every text at once and remembers when: what a driver does with it is not part of this figure. */
class StopwatchRadio implements Radio {
  readonly description: RadioDescription
  readonly #channels: readonly RadioChannel[]
  calledAt: number[] = []
  #heard: (receipt: Receipt) => void = () => undefined

  constructor(network: Network, channels: readonly (number | string)[]) {
    const modem = network === 'mt' ? mtModem('ShortFast', 'US') : mcModem(MC_PRESETS['US/Canada'])
    this.description = {
      id: `watch-${network}`,
      network,
      link: 'simulated',
      simulated: true,
      nodeName: 'Lookout',
      modem
    }
    this.#channels = channels.map((id) => ({ id, name: String(id), enabled: true }))
  }

  connect = async () => undefined
  health = () => ({ state: 'ready' as const, reason: null, since: 0 })
  session = () => 'one'
  channels = () => this.#channels
  send = async ({ identity }: RadioMessage) => {
    this.calledAt.push(performance.now())
    // A neighbour repeats it: a text that nobody was heard repeating is said again.
    setImmediate(() => this.#heard({ identity, kind: 'heard', at: Date.now() }))
    return { kind: 'sent' as const, at: Date.now() }
  }
  onReceipt = (listener: (receipt: Receipt) => void) => {
    this.#heard = listener
    return () => undefined
  }
  onChange = () => () => undefined
  close = async () => undefined
}

async function run(folder: string): Promise<Row[]> {
  const config = benchConfig()
  const cells = Object.values(config.notifications.region_routes.cells).flatMap((row) => Object.values(row))
  const mt = new StopwatchRadio('mt', [0, 1, 2, 3, 4, 5, 6, 7])
  const mc = new StopwatchRadio(
    'mc',
    cells.map(({ mc: name }) => name ?? '')
  )
  const clock = new SkippingClock()
  const { core, close } = await openBenchCore({
    databasePath: join(folder, 'lookout.db'),
    config,
    radios: [mt, mc],
    clock,
    commitWindowMs: 20
  })
  const firstRadio: number[] = []
  const bothRadios: number[] = []
  for (let at = -WARM_UP; at < EVENTS; at++) {
    const event = latencyEvent(config, at + WARM_UP, clock.now())
    mt.calledAt = []
    mc.calledAt = []
    const start = performance.now()
    await core.accept([{ event }])
    if (mt.calledAt.length !== 1 || mc.calledAt.length !== 1)
      throw new Error(`the event reached the radios ${mt.calledAt.length} and ${mc.calledAt.length} times`)
    const times = [mt.calledAt[0]! - start, mc.calledAt[0]! - start]
    if (at >= 0) {
      firstRadio.push(Math.min(...times))
      bothRadios.push(Math.max(...times))
    }
    await idle()
    clock.skip(PAUSE_MS)
    await idle()
    // On a busy machine the radios' answers take longer than an idle one needs.
    for (let look = 0; look < MOST_LOOKS && core.waiting.open() > 0; look++) await idle()
    if (core.waiting.open() > 0) throw new Error('the queue is not free')
  }
  await close()
  const bare = await bareInsert(folder, JSON.stringify(latencyEvent(config, 0, clock.now())).length, 1)
  return [
    ...atMostInserts(
      `event to first byte at the first radio, 99 % of ${EVENTS} immediate events`,
      percentile(firstRadio, 0.99),
      bare.p99Ms,
      TARGET_INSERTS
    ),
    ...atMostInserts(
      'event to first byte at the second radio too, 99 %',
      percentile(bothRadios, 0.99),
      bare.p99Ms,
      TARGET_INSERTS
    ),
    { what: 'a bare insert of the same bytes, durable, 99 %', value: bare.p99Ms, unit: 'ms' },
    { what: 'event to first byte at the second radio too, median', value: percentile(bothRadios, 0.5), unit: 'ms' },
    { what: 'the slowest of all', value: Math.max(...bothRadios), unit: 'ms' }
  ]
}

/** Long enough for what the radios' answers set off. */
function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

await inBenchFolder(async (folder) => answer(await run(folder)))
