import { SaturatedMaker } from './saturated-events.ts'
import { type Injection, judgeSaturated, type RadioRun } from './saturated-verdict.ts'
import { type Pair, SaturatedWorld } from './saturated-world.ts'
import { seeded } from './storm-events.ts'

const HOUR_MS = 3_600_000
/** Before the first message is put among those that wait, the queues are full and the radios at work. */
const RUN_UP_MS = 120_000
const REFILL_EVERY_MS = 10_000
const LAST_MS = 60_000
/** Contract: so many wait all the time. More are filled in, for those sent between two refills. */
const QUEUE = 200
const FILL_TO = 220
/** Numbers of the presets at LongFast or faster. */
const FAST_MT = new Set([0, 6])

export interface RunOptions {
  seed: number
  hours: number
  /** Immediate messages put among those that wait, at random instants: one in each part of the run. */
  immediates: number
}

/** A run of hours in which both radios never lack messages; and how often the reserve was all that was left for an immediate one. */
export async function saturatedRun(pair: Pair, { seed, hours, immediates }: RunOptions) {
  const world = new SaturatedWorld(pair, seeded(seed))
  await world.open()
  const { clock } = world
  const maker = new SaturatedMaker(seeded(seed + 1))
  const chance = seeded(seed + 2)
  const begin = clock.now() + RUN_UP_MS
  const end = begin + hours * HOUR_MS
  const injections: Injection[] = []
  let fromReserve = 0
  for (let part = 0; part < immediates; part++) {
    await saturate(world, maker, begin + Math.floor(((part + chance()) * (end - begin)) / immediates))
    const [mt, mc] = [world.waiting('mt'), world.waiting('mc')]
    fromReserve += Number(mt.forAirtime) + Number(mc.forAirtime)
    const event = maker.immediate()
    injections.push({ token: event.id, at: clock.now(), waiting: { mt: mt.count, mc: mc.count } })
    await world.post([event])
  }
  await saturate(world, maker, end)
  await clock.runTo(clock.now() + LAST_MS)
  const verdict = judgeSaturated({
    radios: radioRuns(pair, world),
    injections,
    deliveries: [...world.deliveries()],
    refused: world.refused,
    logged: world.logged,
    queue: QUEUE
  })
  await world.close()
  return { ...verdict, fromReserve }
}

/** Lets time pass until `until`, with full queues. */
async function saturate(world: SaturatedWorld, maker: SaturatedMaker, until: number): Promise<void> {
  const { clock } = world
  for (;;) {
    const missing = (['mt', 'mc'] as const).flatMap((network) =>
      Array.from({ length: Math.max(0, FILL_TO - world.waiting(network).count) }, () => maker.routine(network))
    )
    if (missing.length > 0) await world.post(missing)
    if (clock.now() >= until) return
    await clock.runTo(Math.min(clock.now() + REFILL_EVERY_MS, until))
  }
}

function radioRuns(pair: Pair, world: SaturatedWorld): RadioRun[] {
  const { mt, mc, repeats: shared } = pair
  return [
    {
      network: 'mt',
      label: mt.label,
      dutyCycle: world.dutyCycle('mt'),
      fast: FAST_MT.has(mt.preset),
      shared,
      onAir: world.onAir.mt
    },
    {
      network: 'mc',
      label: mc.label,
      dutyCycle: world.dutyCycle('mc'),
      fast: mc.lora.sf <= 8,
      shared,
      onAir: world.onAir.mc
    }
  ]
}
