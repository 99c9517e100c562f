import { pino } from 'pino'
import type { Test } from 'tap'
import * as v from 'valibot'
import { familyKeys } from '../../src/model/families.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { type Config, configSchema } from '../../src/settings/schema.ts'
import { Core } from '../../src/station/core.ts'
import type { ClaimOffer, HotspotSwitch } from '../../src/warning/commands/ask.ts'
import { NO_ZONE_SHAPES, type ZoneShapes } from '../../src/warning/coverage/zones.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import type { DeliveryView } from '../../src/warning/outbox/delivery.ts'
import type { AskPeer } from '../../src/warning/outbox/peer-asker.ts'
import { createRadios } from '../../src/warning/radios/create.ts'
import type { Radio } from '../../src/warning/radios/radio.ts'
import { SimulatedRadio } from '../../src/warning/radios/simulated.ts'
import type { Problem } from '../../src/warning/readiness/problem.ts'
import type { SelfReport } from '../../src/warning/readiness/self-report.ts'
import type { Accepted } from '../../src/warning/routing/accepted.ts'
import { namedChannels } from '../../src/warning/routing/named-channels.ts'

/** 2026-06-01 18:00 UTC: when every test begins. */
export const START = Date.parse('2026-06-01T18:00:00Z')

export interface Station {
  clock: VirtualClock
  core: Core
  radios: Radio[]
  mt: SimulatedRadio
  mc: SimulatedRadio
  /** Posts one event; what is left out gets a default that routes to region North at routine. */
  post: (event: Record<string, unknown>, arrival?: { coldStart?: boolean }) => Promise<Accepted>
  /** Lets the clock run. */
  run: (seconds: number) => Promise<void>
  /** Deliveries, oldest first, without the merged rows unless asked. */
  deliveries: (options?: { merged?: boolean }) => DeliveryView[]
  /** `mt:3 text` of everything on the air so far, in order per radio. */
  onAir: () => string[]
  setConfig: (config: unknown) => void
  /** Ends this process and starts another on the same file. */
  restart: (options?: { between?: () => Promise<unknown>; clock?: VirtualClock }) => Promise<Station>
}

export interface StationOptions {
  config?: unknown
  zones?: ZoneShapes
  databasePath?: string
  clock?: VirtualClock
  transmit?: boolean
  noRadios?: boolean
  /** A list that somebody else fills, connects and closes. */
  radios?: Radio[]
  /** Nodes in reach of the simulated radios; 0: nobody hears anything. */
  neighbours?: number
  /** Gets what the station logs as an error; without it such a line fails the test. */
  onError?: (line: string) => void
  report?: SelfReport
  /** The problems of the station; without it there are none. */
  problems?: () => readonly Problem[]
  hotspot?: HotspotSwitch
  claim?: ClaimOffer
  probe?: () => Promise<boolean>
  /** The network between stations. */
  askPeer?: AskPeer
  /** Chance of the back-off between stations. */
  random?: () => number
  reserve?: { keep: () => Promise<void>; release: () => boolean }
}

/** The whole walk from event to simulated radio on a virtual clock. */
export async function station(t: Pick<Test, 'teardown' | 'fail'>, options: StationOptions = {}): Promise<Station> {
  let config: Config = v.parse(configSchema, options.config ?? {})
  const clock = options.clock ?? new VirtualClock(START)
  const databasePath = options.databasePath ?? ':memory:'
  const given = options.radios ?? (options.noRadios ? [] : null)
  const radios =
    given ??
    (await createRadios({
      configured: [],
      allowSimulatedDefault: true,
      mcNames: () => namedChannels(config.notifications).mc,
      clock,
      ...(options.neighbours === undefined ? {} : { neighbours: options.neighbours })
    }))
  const core = await Core.open({
    databasePath,
    config: () => config,
    configFor: () => config,
    zones: options.zones ?? NO_ZONE_SHAPES,
    radios,
    clock,
    log: pino({ level: 'error' }, { write: options.onError ?? ((line: string) => t.fail(`unexpected log: ${line}`)) }),
    commitWindowMs: 0,
    transmit: options.transmit ?? true,
    ...(options.report === undefined ? {} : { report: options.report }),
    ...(options.problems === undefined ? {} : { problems: options.problems }),
    ...(options.askPeer === undefined ? {} : { askPeer: options.askPeer }),
    ...(options.random === undefined ? {} : { random: options.random }),
    ...(options.hotspot === undefined ? {} : { hotspot: options.hotspot }),
    ...(options.claim === undefined ? {} : { claim: options.claim }),
    ...(options.probe === undefined ? {} : { probe: options.probe }),
    ...(options.reserve === undefined ? {} : { reserve: options.reserve }),
    retentionDays: { events: 30, deliveries: 30, traces: 30 }
  })
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    const closing = core.close()
    await clock.runTo(clock.now() + 5000)
    await closing
    if (given === null) await Promise.all(radios.map((radio) => radio.close()))
  }
  t.teardown(close)
  if (given === null) await Promise.all(radios.map((radio) => radio.connect()))
  core.start()
  const simulated = radios.filter((radio) => radio instanceof SimulatedRadio)
  const [mt, mc] = ['mt', 'mc'].map((network) => simulated.find(({ description }) => description.network === network))
  return {
    clock,
    core,
    radios,
    mt: mt as SimulatedRadio,
    mc: mc as SimulatedRadio,
    post: async (event, arrival = {}) => {
      const input = {
        source: 'test',
        title: `event ${String(event['id'])}`,
        family: 'fire',
        regions: ['North'],
        ...event
      }
      const parsed = parseEventInput(input, { now: clock.now(), families: familyKeys(config.families) })
      const accepted = core.accept([{ event: parsed, ...arrival }])
      // A refusal comes while the clock runs, before it is awaited.
      accepted.catch(() => undefined)
      await clock.runTo(clock.now())
      const [first] = await accepted
      if (first === undefined) throw new Error('nothing was accepted')
      return first
    },
    run: (seconds) => clock.runTo(clock.now() + seconds * 1000),
    deliveries: ({ merged = false } = {}) =>
      core.deliveries
        .list({ limit: 1000 })
        .deliveries.filter(({ state }) => merged || state !== 'merged')
        .reverse(),
    onAir: () =>
      simulated.flatMap((radio) =>
        radio.airLog.map(({ channel, text }) => `${radio.description.network}:${channel} ${text}`)
      ),
    setConfig: (next) => {
      config = v.parse(configSchema, next)
    },
    restart: async ({ between, clock: next = clock } = {}) => {
      if (databasePath === ':memory:') throw new Error('a restart needs a file')
      await close()
      await between?.()
      return station(t, { ...options, config, clock: next, databasePath })
    }
  }
}

/** A configuration with a matrix only. */
export function withMatrix(
  cells: unknown,
  more: Record<string, unknown> = {}
): { notifications: Record<string, unknown> } {
  return { notifications: { coalesce_seconds: 0, region_routes: { enabled: true, cells }, ...more } }
}
