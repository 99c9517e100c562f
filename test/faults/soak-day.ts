import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Test } from 'tap'
import { SEVERITIES } from '../../src/model/severity.ts'
import { type Station, station, withMatrix } from '../helpers/station.ts'
import { Chance } from './fuzz-chance.ts'
import { slopeAnHour } from './soak-slope.ts'

/** A day of a fast clock over the whole walk, from posted events to simulated radios whose links break and come back. */

const HOUR_S = 3600
/** Twenty steps an hour: an event in most of them, a break of a link in some. */
const STEPS = 20
const STEP_S = HOUR_S / STEPS
/** A break lasts this many steps at most. */
const LONGEST_BREAK = 6
/** Caches fill and the history of a day is kept: what grows for ever grows faster. */
const MOST_MB_AN_HOUR = 1
const MB = 1024 * 1024

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

interface Hour {
  at: number
  heapMb: number
  rssMb: number
  handles: number
  written: number
}

const OPEN: ReadonlySet<string> = new Set(['queued', 'transmitting', 'held'])

export async function compressedDay(t: Test, { hours, seed }: { hours: number; seed: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-soak-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const cells = { fire: { North: { mt: 1, mc: 'north' } } }
  const s = await station(t, {
    config: withMatrix(cells),
    databasePath: join(folder, 'lookout.db'),
    onError: () => undefined
  })
  const chance = Chance.of('soak', seed)
  const day = new Day(s, chance)
  const looks: Hour[] = []
  for (let hour = 0; hour < hours; hour++) {
    for (let step = 0; step < STEPS; step++) await day.step()
    looks.push(look(s.clock.now()))
  }
  await day.end()
  judge(t, { s, day, looks, hours })
}

/** Posts events, changes and ends them, and breaks the links now and then. */
class Day {
  readonly #s: Station
  readonly #chance: Chance
  readonly #down = new Map<'mt' | 'mc', number>()
  posted = 0
  breaks = 0

  constructor(s: Station, chance: Chance) {
    this.#s = s
    this.#chance = chance
  }

  async step(): Promise<void> {
    for (const network of ['mt', 'mc'] as const) this.#flap(network)
    if (!this.#chance.onceIn(4)) await this.#post()
    await this.#s.run(STEP_S)
  }

  /** The links come back, and what waits has six hours. */
  async end(): Promise<void> {
    for (const network of ['mt', 'mc'] as const) this.#s[network].setFault({ down: false })
    for (let hour = 0; hour < 6; hour++) await this.#s.run(HOUR_S)
  }

  #flap(network: 'mt' | 'mc'): void {
    const left = this.#down.get(network) ?? 0
    if (left > 0) {
      this.#down.set(network, left - 1)
      if (left === 1) this.#s[network].setFault({ down: false })
    } else if (this.#chance.onceIn(12)) {
      this.#down.set(network, 1 + this.#chance.below(LONGEST_BREAK))
      this.#s[network].setFault({ down: true })
      this.breaks++
    }
  }

  async #post(): Promise<void> {
    const nth = this.#chance.onceIn(3) ? this.#chance.below(this.posted + 1) : this.posted
    const lifecycle = nth === this.posted ? 'new' : this.#chance.of(['update', 'cancel'] as const)
    this.posted++
    await this.#s.post({
      id: `e${nth}`,
      revision: String(this.posted),
      thread_id: `test:e${nth}`,
      lifecycle,
      severity: this.#chance.of(SEVERITIES),
      title: `Fire ${nth} on the hill, ${this.posted}`
    })
  }
}

function look(at: number): Hour {
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return {
    at,
    heapMb: heapUsed / MB,
    rssMb: rss / MB,
    handles: readdirSync('/proc/self/fd').length,
    written: process.resourceUsage().fsWrite * 512
  }
}

function judge(t: Test, { s, day, looks, hours }: { s: Station; day: Day; looks: Hour[]; hours: number }): void {
  // The first quarter fills caches and compiles.
  const settled = looks.slice(Math.floor(looks.length / 4))
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined) throw new Error('no hour has passed')
  const heap = slopeAnHour(settled.map(({ at, heapMb }) => ({ at, value: heapMb })))
  const rss = slopeAnHour(settled.map(({ at, rssMb }) => ({ at, value: rssMb })))
  const states = new Map<string, number>()
  for (const { state } of s.deliveries({ merged: true })) states.set(state, (states.get(state) ?? 0) + 1)
  const written = (last.written - first.written) / Math.max(1, settled.length - 1)
  console.log(
    `soak, ${hours} h: ${day.posted} events, ${day.breaks} breaks of a link; heap ${first.heapMb.toFixed(1)} to ${last.heapMb.toFixed(1)} MiB, ` +
      `${heap.toFixed(3)} MiB an hour; resident ${rss.toFixed(2)} MiB an hour; handles ${first.handles} to ${last.handles}; ` +
      `written ${(written / 1e6).toFixed(2)} MB an hour; ${[...states].map(([state, count]) => `${count} ${state}`).join(', ')}`
  )
  t.ok(heap < MOST_MB_AN_HOUR, `the heap grows by ${heap.toFixed(3)} MiB an hour`)
  t.ok(last.handles <= first.handles, 'no open file is left behind')
  t.same(
    [...states.keys()].filter((state) => OPEN.has(state)),
    [],
    'every message has come to an end'
  )
}
