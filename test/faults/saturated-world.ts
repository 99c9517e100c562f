import { pino } from 'pino'
import * as v from 'valibot'
import { familyKeys } from '../../src/model/families.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { Core } from '../../src/station/core.ts'
import { NO_ZONE_SHAPES } from '../../src/warning/coverage/zones.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import type { DeliveryView } from '../../src/warning/outbox/delivery.ts'
import { memorySource } from '../../src/warning/radios/link/memory.ts'
import { MeshCoreRadio } from '../../src/warning/radios/meshcore/driver.ts'
import { MeshtasticRadio } from '../../src/warning/radios/meshtastic/driver.ts'
import type { Network } from '../../src/warning/radios/radio.ts'
import type { LoraSettings } from '../peers/meshcore-air.ts'
import { MeshcoreNode } from '../peers/meshcore-node.ts'
import { MeshtasticNode } from '../peers/meshtastic-node.ts'
import { SATURATED_CONFIG, type SaturatedEvent } from './saturated-events.ts'

const START = Date.parse('2026-06-01T18:00:00Z')

/** Two radios of one run. */
export interface Pair {
  name: string
  mt: { label: string; preset: number; region: number; reports: 'start' | 'end' }
  mc: { label: string; lora: LoraSettings }
  /** A neighbour of each radio passes every text on, and keeps the channel busy meanwhile. */
  repeats: boolean
}

/** One text as it went on the air, told by the radio's peer. */
export interface OnAir {
  at: number
  airMs: number
  text: string
  channel: number | string
  /** Receivers show what has an identity they had already no second time. */
  identity: number
}

/** The program's walk with its real drivers, and both peers, in one process and on one virtual clock. */
export class SaturatedWorld {
  readonly clock = new VirtualClock(START)
  readonly onAir: Record<Network, OnAir[]> = { mt: [], mc: [] }
  /** The texts that a peer refused, whatever for. */
  readonly refused: string[] = []
  /** Lines of the program's log at `error` and above. */
  readonly logged: string[] = []
  readonly #config = v.parse(configSchema, SATURATED_CONFIG)
  readonly #families = familyKeys(this.#config.families)
  readonly #mtNode: MeshtasticNode
  readonly #mcNode: MeshcoreNode
  readonly #radios: [MeshtasticRadio, MeshCoreRadio]
  #core: Core | null = null

  constructor({ mt, mc, repeats }: Pair, random: () => number) {
    const { clock } = this
    this.#mtNode = new MeshtasticNode({
      clock,
      preset: mt.preset,
      region: mt.region,
      channels: [0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({ index, name: `c${index}`, role: index === 0 ? 1 : 2 })),
      air: { random, repeats, reports: mt.reports },
      onEvent: (event) => this.#told('mt', event)
    })
    this.#mcNode = new MeshcoreNode({
      time: clock,
      random,
      lora: mc.lora,
      sharedChannel: repeats,
      countsAirtime: true,
      slots: ['Public', 'north', 'south', 'east'].map((name, slot) => ({ slot, name })),
      print: (event) => this.#told('mc', event)
    })
    this.#radios = [
      new MeshtasticRadio({
        id: 'mt',
        clock,
        random,
        source: memorySource((end) => {
          const client = this.#mtNode.attach({ write: (bytes) => end.write(bytes), close: () => end.close() })
          end.onData((bytes) => client.received(bytes))
          end.onClose(() => client.closed())
        })
      }),
      new MeshCoreRadio({
        id: 'mc',
        clock,
        random,
        source: memorySource((end) => {
          const client = this.#mcNode.attach({ write: (bytes) => end.write(bytes), close: () => end.close() })
          end.onData((bytes) => client.data(bytes))
          end.onClose(() => client.gone())
        })
      })
    ]
  }

  get core(): Core {
    if (this.#core === null) throw new Error('not open')
    return this.#core
  }

  /** The legal share of an hour, as the drivers learnt it. */
  dutyCycle(network: Network): number {
    return this.#radios[network === 'mt' ? 0 : 1].description.modem.dutyCycle
  }

  async open(): Promise<void> {
    this.#core = await Core.open({
      databasePath: ':memory:',
      config: () => this.#config,
      configFor: () => this.#config,
      zones: NO_ZONE_SHAPES,
      radios: this.#radios,
      clock: this.clock,
      log: pino({ level: 'error' }, { write: (line: string) => void this.logged.push(line) }),
      commitWindowMs: 0,
      transmit: true,
      retentionDays: { events: 30, deliveries: 30, traces: 30 }
    })
    // As in the program: the queues are there before a radio has told anything about itself.
    this.#core.start()
    const ready = Promise.all(this.#radios.map((radio) => radio.connect()))
    await this.clock.runTo(this.clock.now() + 30_000)
    await ready
  }

  /** Stores events; time stands still meanwhile. */
  async post(events: readonly SaturatedEvent[]): Promise<void> {
    const now = this.clock.now()
    const arrivals = events.map((event) => ({
      event: parseEventInput(event, { now, families: this.#families })
    }))
    const accepted = this.core.accept(arrivals)
    await this.clock.runTo(now)
    await accepted
  }

  /** Messages that wait for one radio; `forAirtime`: the budget of the hour is spent for the one whose turn it is. */
  waiting(network: Network): { count: number; forAirtime: boolean } {
    const head = this.core.waiting.next(network, this.clock.now())
    return { count: this.core.waiting.open(network), forAirtime: head?.reason === 'airtime' }
  }

  *deliveries(): Iterable<DeliveryView> {
    let cursor: number | undefined
    for (;;) {
      const page = this.core.deliveries.list({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
      yield* page.deliveries
      if (page.next === null) return
      cursor = page.next
    }
  }

  async close(): Promise<void> {
    const closing = this.core.close()
    await this.clock.runTo(this.clock.now() + 5000)
    await closing
    await Promise.all(this.#radios.map((radio) => radio.close()))
    this.#mtNode.stop()
    this.#mcNode.powerOff()
  }

  #told(network: Network, event: { event: string } & Record<string, unknown>): void {
    if (event.event === 'on-air') {
      const { at, airMs, text, channel, id, timestamp } = event
      this.onAir[network].push({
        at: Number(at),
        airMs: Number(airMs),
        text: String(text),
        channel: typeof channel === 'number' ? channel : String(channel),
        identity: Number(id ?? timestamp)
      })
    }
    if (event.event === 'refused') this.refused.push(`${network}: error ${event['error']} at ${this.clock.now()}`)
  }
}
