import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { PEER_WORDS } from '../../src/warning/outbox/peer-question.ts'
import { CLOCKS_DIFFER_MS } from '../../src/warning/outbox/standby-slots.ts'
import type { Network } from '../../src/warning/radios/radio.ts'
import { Air, MC_CHANNEL } from '../helpers/air.ts'
import { DifferingClock } from '../helpers/differing-clock.ts'
import { LAN_KINDS, Lan, type LanKind } from '../helpers/lan.ts'
import { START, type Station, station, withMatrix } from '../helpers/station.ts'
import { printGain } from './standby-gain.ts'
import { seeded } from './storm-events.ts'

const HELP = `usage: standby [--seed N] [--count N] [--loss SHARE] [--differ MS] [--network mt|mc] [--ip any|true|none]
       standby --gain

Two or three stations of one secret and their listeners on one channel of Meshtastic (even seeds) or MeshCore (odd ones) in memory: virtual
clocks that differ, an air that loses copies, and a network that falls apart and comes together while a grave alert arrives at each of them
in its own time. Stations end and start again. Of every alert:
  - no listener in reach of a station that lives is left without it
  - no listener is told it twice by stations of which the second had the first one's text, or has it while its own is on the air
In three of four partitions the stations have each other's addresses, too, and a network that answers rightly, lies, is silent or slow, or
answers with what is forged, old or no answer at all (\`--ip any\`), and stations lose their radios for a while. What it says changes nothing of the above.
A station that had no copy of what the other said speaks (rather twice than never): how often, is counted.
  --seed N    default: one that is printed
  --count N   partitions; default 1,000
  --loss S    most of the copies that are lost between two nodes, 0…1; default 0.3
  --differ M  most by which two clocks differ, in milliseconds; default 2000
  --network   one network alone
  --gain      instead: the seconds until the second says what a first without a radio does not, without IP and with it
  --ip        any (default), true: it answers rightly wherever it does, none: there is none
`
const SECRET = 'a shared secret of three'
const STATIONS = ['!00000001', '!00000002', '!00000003'] as const
const LISTENERS = ['!000000f1', '!000000f2', '!000000f3', '!000000f4'] as const
const SECOND = 1000
const MINUTE = 60 * SECOND
/** Sources are polled: the stations have it within this of each other. */
const LAG_MS = 25 * SECOND
/** The alert comes this long after the beginning. */
const ALERT_AT = 2 * MINUTE
const END = 25 * MINUTE

interface Said {
  by: string
  at: number
  /** Nodes that a text of this station could reach then, by whatever repeats it. */
  reach: Set<string>
}

interface Found {
  none: string[]
  twice: string[]
  /** Twice, and the second had no copy: it was in another part of the network, or every copy was lost. */
  parted: number
  lost: number
  said: number
  /** Questions by IP, and waits that they ended or lengthened. */
  asked: number
  sooner: number
  later: number
}

type Ip = 'any' | 'true' | 'none'
const pick = <T>(list: readonly [T, ...T[]], chance: number): T => list[Math.floor(chance * list.length)] ?? list[0]
const urlOf = (order: number): string => `http://192.168.1.${order}:8080`

interface Host {
  id: (typeof STATIONS)[number]
  clock: DifferingClock
  config: object
  path: string
  station: Station | null
  /** It has lost its radio for a while. */
  away: boolean
  heardOf: boolean
  end: (() => Promise<void> | void)[]
}

interface PartitionOptions {
  seed: number
  loss: number
  differMs: number
  network: Network
  ip: Ip
}

/** Something that happens so many milliseconds after the beginning. */
interface Planned {
  at: number
  what: () => Promise<void> | void
}

/** One partition, from a seed. */
class Partition {
  readonly #random: () => number
  readonly #clock = new VirtualClock(START)
  readonly #folder = mkdtempSync(join(tmpdir(), 'standby-'))
  readonly #said: Said[] = []
  readonly #air: Air
  readonly #lan: Lan
  /** Links to radios that are lost and come back, where there is IP to tell of it. */
  readonly #outages: Planned[] = []
  readonly #moved = { sooner: 0, later: 0 }
  readonly #hosts: Host[]
  readonly #errors: string[] = []
  readonly #event: Record<string, unknown>
  /** The part of the network each node is in, and since when. */
  #parts = new Map<string, number>()
  /** Listeners that were without a living station of the alert for a while since it came. */
  readonly #excused = new Set<string>()

  constructor({ seed, loss, differMs, network, ip }: PartitionOptions) {
    this.#random = seeded(seed)
    // Chance of its own: without IP a seed is the same partition.
    const chance = seeded(seed ^ 0x5bd1e995)
    const hasIp = ip === 'true' || (ip === 'any' && chance() < 0.75)
    const mostly = chance() < 0.6 ? pick(['true', 'lies'] as const, chance()) : pick(LAN_KINDS, chance())
    const lies = pick([...PEER_WORDS, null] as const, chance())
    const kind = (): LanKind => (ip === 'true' ? 'true' : chance() < 0.7 ? mostly : pick(LAN_KINDS, chance()))
    const lie = (): (typeof PEER_WORDS)[number] => lies ?? pick(PEER_WORDS, chance())
    const delay = (): number => Math.floor(chance() ** 3 * 4 * SECOND)
    this.#lan = new Lan({ clock: this.#clock, secret: SECRET, kind, lie, delay })
    const reaches = (from: string, to: string): boolean => this.#parts.get(from) === this.#parts.get(to)
    this.#air = new Air({ clock: this.#clock, random: this.#random, loss: this.#random() * loss, reaches, network })
    // Any part of a slot.
    const begin = Math.floor(this.#random() * 5 * MINUTE)
    const ids = STATIONS.slice(0, this.#random() < 0.5 ? 2 : 3)
    const addresses = hasIp ? ids.map((_, at) => ({ order: at + 1, address: urlOf(at + 1) })) : []
    this.#hosts = ids.map((id, index) => ({
      id,
      clock: new DifferingClock(this.#clock, begin + Math.floor(this.#random() * differMs)),
      config: withMatrix(
        { fire: { North: network === 'mt' ? { mt: 3 } : { mc: MC_CHANNEL } } },
        {
          standby: { enabled: true, order: index + 1, stations: ids.length, secret: SECRET, peers: STATIONS, addresses }
        }
      ),
      path: join(mkdtempSync(join(this.#folder, 'data-')), 'lookout.db'),
      station: null,
      away: false,
      heardOf: false,
      end: []
    }))
    const severity = this.#random() < 0.5 ? 'critical' : 'immediate'
    const sent = this.#random() < 0.5 ? { sent_at: new Date(START + begin + ALERT_AT).toISOString() } : {}
    this.#event = { id: `e${seed}`, title: 'Pine Fire', severity, expires: '2026-06-02T18:00:00Z', ...sent }
    for (const [at, host] of this.#hosts.entries())
      this.#lan.add(urlOf(at + 1), { order: at + 1, station: () => host.station })
    for (const host of hasIp ? this.#hosts : []) {
      if (chance() < 0.6) continue
      const at = Math.floor(ALERT_AT - MINUTE + chance() * 2 * MINUTE)
      const back = at + Math.floor(chance() * 3 * MINUTE)
      this.#outages.push({ at, what: () => this.#lose(host) }, { at: back, what: () => this.#regain(host) })
    }
    for (const id of LISTENERS) this.#air.listener(id)
    this.#split()
  }

  async run(): Promise<Found> {
    try {
      for (const host of this.#hosts) await this.#open(host)
      for (const { at, what } of this.#plan()) {
        await this.#clock.runTo(START + at)
        await what()
        this.#excuse()
      }
      const found = this.#judge()
      for (const host of this.#hosts) await this.#close(host)
      return { ...found, asked: this.#lan.asked.length, ...this.#moved }
    } finally {
      for (const host of this.#hosts) await this.#close(host)
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  /** Everything that happens, in order: the alert at each station, splits and joins around it, ends and starts; at last all is well. */
  #plan(): Planned[] {
    const around = (): number => Math.floor(ALERT_AT - MINUTE + this.#random() * 4 * MINUTE)
    const plan: Planned[] = this.#hosts.map((host) => ({
      at: ALERT_AT + Math.floor(this.#random() * LAG_MS),
      what: () => this.#bring(host)
    }))
    for (let n = Math.floor(this.#random() * 3); n > 0; n--) plan.push({ at: around(), what: () => this.#split() })
    const everybody = this.#random() < 0.2
    for (const host of this.#hosts) {
      if (!everybody && this.#random() < 0.6) continue
      const at = around()
      plan.push({ at, what: () => this.#close(host) })
      const back = at + Math.floor(this.#random() * 3 * MINUTE)
      plan.push({ at: back, what: () => this.#open(host) })
      plan.push({ at: back + Math.floor(this.#random() * LAG_MS), what: () => this.#bring(host) })
    }
    plan.push(...this.#outages)
    plan.push({ at: ALERT_AT + LAG_MS, what: () => undefined })
    plan.push({ at: 8 * MINUTE, what: () => this.#join() })
    plan.push({ at: END, what: () => undefined })
    return plan.sort((a, b) => a.at - b.at)
  }

  /** The source lists the alert whenever it is asked. */
  async #bring(host: Host): Promise<void> {
    if (host.station === null || host.heardOf) return
    host.heardOf = true
    await host.station.post(this.#event)
  }

  async #open(host: Host): Promise<void> {
    if (host.station !== null) return
    const radio = await this.#air.radio(host.id)
    radio.onTaken(({ text }, at) => {
      if (text.includes('Pine Fire')) this.#said.push({ by: host.id, at, reach: this.#reachOf(host.id) })
    })
    host.station = await station(
      {
        teardown: (end: () => Promise<void> | void) => host.end.push(end),
        fail: (why: string) => this.#errors.push(why)
      } as never,
      {
        config: host.config,
        clock: host.clock,
        databasePath: host.path,
        radios: [radio],
        random: this.#random,
        askPeer: this.#lan.ask
      }
    )
    this.#air.listen(host.id)
  }

  async #close(host: Host): Promise<void> {
    if (host.station === null) return
    this.#count(host.station)
    host.station = null
    host.away = false
    this.#air.leave(host.id)
    for (const end of host.end.splice(0)) await end()
  }

  #lose(host: Host): void {
    if (host.station === null) return
    host.away = true
    this.#air.lose(host.id)
  }

  #regain(host: Host): void {
    if (!host.away) return
    host.away = false
    this.#air.regain(host.id)
  }

  /** Waits of this station that a word over IP has moved; of one that started again those before it, too. */
  #count(one: Station): void {
    const codes = one.deliveries().flatMap(({ id }) => one.core.deliveries.steps(id).map(({ step }) => step.code))
    this.#moved.sooner += codes.filter((code) => code === 'not_of_peers').length
    this.#moved.later += codes.filter((code) => code === 'coming_of_peer').length
  }

  #split(): void {
    for (const id of [...this.#hosts.map((host) => host.id), ...LISTENERS])
      this.#parts.set(id, this.#random() < 0.5 ? 0 : 1)
  }

  #join(): void {
    this.#parts = new Map([...this.#parts.keys()].map((id) => [id, 0]))
  }

  #reachOf(id: string): Set<string> {
    return new Set([...this.#parts].filter(([, part]) => part === this.#parts.get(id)).map(([one]) => one))
  }

  /** A listener that has no living station in reach while the alert is said may miss it. */
  #excuse(): void {
    if (this.#clock.now() < START + ALERT_AT || this.#clock.now() >= START + 8 * MINUTE) return
    for (const id of LISTENERS) {
      const reach = this.#reachOf(id)
      if (!this.#hosts.some((host) => host.station !== null && !host.away && reach.has(host.id))) this.#excused.add(id)
      else if (this.#hasMoved(id)) this.#excused.add(id)
    }
  }

  /** The network changed while it was said: who was elsewhere then may have missed it. */
  #hasMoved(id: string): boolean {
    return this.#said.length > 0 && !this.#said.some(({ reach }) => reach.has(id))
  }

  #judge(): Found {
    const found: Found = {
      none: [...this.#errors],
      twice: [],
      parted: 0,
      lost: 0,
      said: this.#said.length,
      asked: 0,
      sooner: 0,
      later: 0
    }
    for (const listener of LISTENERS) {
      const told = this.#said.filter(({ reach }) => reach.has(listener))
      const firsts = told.filter(({ by }, at) => told.findIndex((one) => one.by === by) === at)
      if (firsts.length === 0 && !this.#excused.has(listener)) found.none.push(listener)
      for (const [n, later] of firsts.entries()) {
        const before = firsts.slice(0, n)
        if (before.length === 0) continue
        const had = this.#air.heardBy(later.by).filter(({ from }) => before.some(({ by }) => by === from))
        if (had.length > 0 || before.some(({ at }) => later.at - at < 5 * SECOND))
          found.twice.push(`${listener} by ${later.by}`)
        else if (before.some(({ reach }) => reach.has(later.by))) found.lost++
        else found.parted++
      }
    }
    return found
  }
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    loss: { type: 'string' },
    differ: { type: 'string' },
    network: { type: 'string' },
    ip: { type: 'string' },
    gain: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' }
  }
})
if (values.help === true) {
  console.log(HELP.trimEnd())
  process.exit(0)
}
if (values.gain === true) {
  process.exit((await printGain()) === 0 ? 0 : 1)
}
const first = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const count = Number(values.count ?? 1000)
const loss = Number(values.loss ?? 0.3)
const differMs = Number(values.differ ?? CLOCKS_DIFFER_MS)
const ip: Ip = values.ip === 'true' || values.ip === 'none' ? values.ip : 'any'
let passed = 0
let failed = 0
const sums = { said: 0, parted: 0, lost: 0, asked: 0, sooner: 0, later: 0 }
const COUNTED = ['said', 'parted', 'lost', 'asked', 'sooner', 'later'] as const
for (let n = 0; n < count; n++) {
  const seed = first + n
  const network = values.network === 'mt' || values.network === 'mc' ? values.network : seed % 2 === 0 ? 'mt' : 'mc'
  const found = await new Partition({ seed, loss, differMs, network, ip }).run()
  for (const name of COUNTED) sums[name] += found[name]
  if (found.none.length + found.twice.length === 0) passed++
  else {
    failed++
    console.log(`seed ${seed}: without it ${found.none.join(', ') || '-'}; twice ${found.twice.join(', ') || '-'}`)
  }
}
console.log(
  `${count} partitions from seed ${first}: said ${sums.said} times; listeners told twice because the second station was in another part of the network: ${sums.parted}, because every copy was lost: ${sums.lost}`
)
console.log(`by IP: ${sums.asked} questions, ${sums.sooner} waits ended sooner, ${sums.later} lengthened`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
