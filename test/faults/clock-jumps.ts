import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { watchTime } from '../../src/station/time-watch.ts'
import { SelfReport } from '../../src/warning/readiness/self-report.ts'
import { type Station, station } from '../helpers/station.ts'
import { CHANNELS, isUrgent, SEVERITIES, type StormEvent, StormMaker, seeded } from './storm-events.ts'
import { type AirLine, judge, RULES as STORM_RULES } from './storm-verdict.ts'

const RULES = [
  ...STORM_RULES,
  'what is still in force when the clock is right is on the air, on every level',
  'nothing waits or is held on once the clock is right',
  'what is known stays known, whatever the clock says',
  'a leap, or a clock that is not set, is told'
] as const
const [, , , , , LOST, HELD, KNOWN, TOLD] = RULES

const HELP = `usage: clock-jumps [--seed N] [--jumps N]

A station with a storm of events whose senders know the time; its own clock leaps: to 1970, by hours and years, both ways, and back, with
restarts under a wrong clock, over the end of daylight saving time. Senders repeat all they said. At the end the clock is right:
${RULES.map((rule) => `  - ${rule}`).join('\n')}
  --seed N    default: one that is printed
  --jumps N   default 30
`

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR
/** An hour and a half before the clocks of Boise go back. */
const START = Date.parse('2026-11-01T06:30:00Z')
const CONFIG = {
  station: { timezone: 'America/Boise' },
  notifications: {
    coalesce_seconds: 1,
    toggles: { fire: { cooldown_seconds: 0 } },
    region_routes: { enabled: true, cells: { fire: CHANNELS } }
  }
}

/** The errors of a clock, each a leap from whatever it showed before. */
const ERRORS: readonly { name: string; of: (truth: number) => number }[] = [
  { name: '1970', of: (truth) => 5000 - truth },
  { name: '1 hour ahead', of: () => HOUR },
  { name: '1 hour behind', of: () => -HOUR },
  { name: '7 hours ahead', of: () => 7 * HOUR },
  { name: '7 hours behind', of: () => -7 * HOUR },
  { name: '3 days ahead', of: () => 72 * HOUR },
  { name: '3 days behind', of: () => -72 * HOUR },
  { name: '1 year ahead', of: () => YEAR },
  { name: '1 year behind', of: () => -YEAR },
  { name: '10 years ahead', of: () => 10 * YEAR },
  { name: '10 years behind', of: () => -10 * YEAR },
  { name: 'right', of: () => 0 }
]

interface Row {
  name: string
  events: number
  restarted: boolean
  told: string
}

type Sent = StormEvent & { sent_at: string; expires: string }

class Jumps {
  readonly problems: { rule: string; what: string }[] = []
  readonly rows: Row[] = []
  readonly posted: Sent[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'lookout-clock-'))
  readonly #random: () => number
  readonly #maker: StormMaker
  readonly #closing: (() => unknown)[] = []
  readonly #air: AirLine[] = []
  readonly #report = new SelfReport()
  #truth = START
  #where = 'the beginning'
  #unwatch: () => void = () => undefined

  constructor(seed: number) {
    this.#random = seeded(seed)
    this.#maker = new StormMaker(seeded(seed + 1))
  }

  async run(jumps: number): Promise<void> {
    let s = await this.#open(new VirtualClock(START))
    let error = ERRORS[ERRORS.length - 1]
    await this.#storm(s)
    for (let jump = 1; jump <= jumps; jump++) {
      const others = ERRORS.filter((one) => one !== error)
      // Every third time the clock is mended.
      error = jump % 3 === 0 ? ERRORS[ERRORS.length - 1] : others[Math.floor(this.#random() * others.length)]
      const name = error?.name ?? 'right'
      this.#where = `jump ${jump}, ${name}`
      const at = this.#truth + (error?.of(this.#truth) ?? 0)
      const restarted = this.#random() < 0.3
      const before = s.clock.now()
      const leapt = Math.abs(at - before) > MINUTE
      if (restarted) s = await this.#restarted(s, at)
      else s.clock.set(at)
      await this.#pass(s, 5)
      const events = await this.#storm(s)
      this.rows.push({
        name,
        events,
        restarted,
        told: this.#said({ now: s.clock.now(), restarted, before, leapt })
      })
      await this.#repeat(s)
      await this.#pass(s, 60 + this.#random() * 600)
    }
    this.#where = 'the end'
    s.clock.set(this.#truth)
    await this.#pass(s, 20 * 60)
    await this.#repeat(s)
    await this.#pass(s, 40 * 60)
    this.#judge(s)
    this.#unwatch()
    for (const task of this.#closing.reverse()) await task()
    rmSync(this.#folder, { recursive: true })
  }

  async #open(clock: VirtualClock): Promise<Station> {
    const t = {
      teardown: (task: () => unknown) => void this.#closing.push(task),
      fail: (what?: unknown) => {
        this.#bad('the run goes on', String(what).slice(0, 400))
        return false
      }
    } as unknown as Parameters<typeof station>[0]
    const databasePath = join(this.#folder, 'lookout.db')
    const s = await station(t, { config: CONFIG, databasePath, clock, neighbours: 2, report: this.#report })
    this.#watch(s)
    return s
  }

  /** As the program does it: by a clock that nobody can set. */
  #watch(s: Station): void {
    this.#unwatch()
    this.#unwatch = watchTime(this.#report, {
      clock: s.clock,
      steady: () => this.#truth - START,
      onLeap: () => s.core.clockSet()
    })
  }

  async #restarted(s: Station, at: number): Promise<Station> {
    this.#keepAir(s)
    this.#unwatch()
    const next = await s.restart({ clock: new VirtualClock(at) })
    this.#watch(next)
    return next
  }

  #keepAir(s: Station): void {
    for (const radio of [s.mt, s.mc])
      this.#air.push(...radio.airLog.map((entry): AirLine => ({ ...entry, radio: radio.description.id })))
  }

  /** Lets time pass second by second, so that the clock that nobody sets keeps step with it. */
  async #pass(s: Station, seconds: number): Promise<void> {
    for (let done = 0; done < seconds; done++) {
      this.#truth += 1000
      await s.run(1)
    }
  }

  async #storm(s: Station): Promise<number> {
    const count = 2 + Math.floor(this.#random() * 3)
    for (let n = 0; n < count; n++) {
      const hours = 10 + this.#random() * 10
      const sent = {
        ...this.#maker.next(),
        sent_at: new Date(this.#truth - 5000).toISOString(),
        expires: new Date(this.#truth + hours * HOUR).toISOString()
      }
      this.posted.push(sent)
      await s.post(sent)
      await this.#pass(s, 2)
    }
    return count
  }

  async #repeat(s: Station): Promise<void> {
    for (const sent of this.posted) {
      const { duplicate } = await s.post({ ...sent })
      if (!duplicate) this.#bad(KNOWN, `${sent.severity} ${sent.title}`)
    }
  }

  /** A clock that was not set and now is has been mended: that is no leap. */
  #said({
    now,
    restarted,
    before,
    leapt
  }: {
    now: number
    restarted: boolean
    before: number
    leapt: boolean
  }): string {
    const { jump } = this.#report.facts(now).clock
    if (!isSet(now)) return 'not set'
    if (jump !== null) return `leapt ${jump.seconds > 0 ? 'forward' : 'back'}`
    if (!isSet(before)) return 'no more that it is not set'
    // Nobody knows how long it was off.
    if (restarted && now >= before) return 'nothing: it may be later'
    if (!leapt) return 'nothing: no leap'
    this.#bad(TOLD, new Date(now).toISOString())
    return 'nothing'
  }

  #judge(s: Station): void {
    this.#keepAir(s)
    for (const { rule, what } of judge(this.#air, this.posted).problems) this.#bad(rule, what)
    const cancelled = new Set(this.posted.flatMap((one) => (one.lifecycle === 'cancel' ? [one.thread_id] : [])))
    for (const one of this.posted) {
      if (isUrgent(one.severity) || cancelled.has(one.thread_id)) continue
      for (const region of one.regions) {
        for (const radio of ['sim-mt', 'sim-mc']) {
          const said = this.#air.some(
            (line) =>
              line.radio === radio &&
              tokenOf(line.text) >= `${one.thread_id}R${one.revision}` &&
              tokenOf(line.text).startsWith(one.thread_id)
          )
          if (!said) this.#bad(LOST, `${one.severity} ${one.title} for ${region} on ${radio}: ${this.#fate(s, one)}`)
        }
      }
    }
    const open = s.deliveries().filter(({ state }) => ['queued', 'held', 'transmitting'].includes(state))
    for (const { state, text, reason } of open) this.#bad(HELD, `${state} ${String(reason)} ${text}`)
  }

  #fate(s: Station, { id, revision }: Sent): string {
    const stored = s.core.ledger.find(id).find(({ event }) => event.revision === revision)
    const rows = s.deliveries().filter(({ text }) => text?.includes(id) === true)
    return `${stored?.decision} ${stored?.reason}; ${rows.map(({ state, reason }) => `${state} ${JSON.stringify(reason)}`).join(', ')}`
  }

  get counts(): string {
    return SEVERITIES.map(
      (level) => `${level} ${this.posted.filter(({ severity }) => severity === level).length}`
    ).join(', ')
  }

  get texts(): number {
    return this.#air.length
  }

  #bad(rule: string, what: string): void {
    this.problems.push({ rule, what })
    console.log(`  not ok: ${rule}\n    ${this.#where}: ${what}`)
  }
}

const isSet = (now: number): boolean => now >= Date.UTC(2025, 0, 1)
const tokenOf = (text: string): string => /K\d{5}r\d+/i.exec(text)?.[0].toUpperCase() ?? ''

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      jumps: { type: 'string', default: '30' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const jumps = Number(values.jumps)
  if (![seed, jumps].every(Number.isInteger)) throw new Error('whole numbers, please')
  console.log(`clock jumps, seed ${seed}`)
  const run = new Jumps(seed)
  await run.run(jumps)
  for (const [index, { name, events, restarted, told }] of run.rows.entries())
    console.log(
      `  ${index + 1}. ${name}${restarted ? ', with a restart' : ''}: ${events} events; told: ${told || 'by the next leap'}`
    )
  console.log(
    `seed ${seed}: ${jumps} jumps, ${run.posted.length} events (${run.counts}), ${run.texts} texts on the air`
  )
  const failed = new Set(run.problems.map(({ rule }) => rule))
  for (const rule of RULES) console.log(`${failed.has(rule) ? 'not ok' : 'ok'} ${rule}`)
  console.log(`${RULES.length - failed.size} passed, ${failed.size} failed`)
  return failed.size === 0 ? 0 : 1
}

process.exitCode = await main()
