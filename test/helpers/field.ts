import type { Test } from 'tap'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { memorySource } from '../../src/warning/radios/link/memory.ts'
import { MeshCoreRadio } from '../../src/warning/radios/meshcore/driver.ts'
import { MeshtasticRadio } from '../../src/warning/radios/meshtastic/driver.ts'
import { settled } from '../contract/radio.ts'
import { airMs } from '../peers/meshcore-air.ts'
import { MeshcoreNode } from '../peers/meshcore-node.ts'
import { withDefaults } from '../peers/meshcore-options.ts'
import { MeshtasticNode } from '../peers/meshtastic-node.ts'
import { note } from './in-words.ts'
import { START, type Station, type StationOptions, station } from './station.ts'

/** Names of the MeshCore channels that every node of a field has. */
export const MC_CHANNELS = ['north', 'south', 'drill'] as const
const MT_CHANNELS = [1, 2, 3, 7]
/** The number of Meshtastic's port for text messages. */
const TEXT = 1
/** Time in which a node passes a packet on. */
const HOP_MS = 1500
/** The modem of the MeshCore peers. */
const LORA = withDefaults({}).lora
const EVERYBODY = 0xffff_ffff

/** A text or mark that a person's radio showed. */
export interface Shown {
  network: 'mt' | 'mc'
  from: string
  /** Index or name; null for a direct text. */
  channel: number | string | null
  /** Meshtastic: 1 a text, 11 an alert, 8 a waypoint. */
  port: number
  text: string
  at: number
}

/** Time that something of a station took on the air. */
export interface OnAir {
  network: 'mt' | 'mc'
  station: string
  text: string
  at: number
  airMs: number
}

interface Packet {
  network: 'mt' | 'mc'
  key: string
  from: string
  number: number
  channel: number | string
  port: number
  text: string
  timestamp: number
  id: number
}

/** A node of the field: it has each packet once, and passes it on once. */
interface FieldNode {
  had: Set<string>
  take: (packet: Packet) => void
}

export interface FieldStation extends Station {
  name: string
  number: number
  mtNode: MeshtasticNode
  mcNode: MeshcoreNode
}

export interface Person {
  name: string
  number: number
  shown: Shown[]
  /** The words of what was shown, each as `mt:3 words`; alerts and waypoints with their port. */
  words: () => string[]
  /** Writes by Meshtastic: to a station alone, encrypted with this node's key, or on a channel. */
  writeMt: (to: FieldStation, text: string, channel?: number) => void
  writeMc: (to: FieldStation, text: string, channel?: string) => void
  /** Tells its place by Meshtastic's position packet. */
  tell: (to: FieldStation, port: number, payload: Uint8Array) => void
  /** Its radio is switched off: what is said meanwhile it never has. */
  off: boolean
}

export interface FieldOptions {
  /** The share of copies that is lost between two nodes, 0…1. */
  loss?: number
  random?: () => number
  /** The time at which it begins, epoch milliseconds. */
  start?: number
}

/**
 * Stations with the drivers of both networks, each on a Meshtastic node and a MeshCore companion that speak the wire protocol, and people with
 * radios of both: on one virtual clock, and an air that floods from node to node and loses copies.
 */
export class Field {
  readonly clock: VirtualClock
  readonly onAir: OnAir[] = []
  /** All that the nodes refused: for its rate, its size, a full queue. */
  readonly refused: object[] = []
  /** Names of stations and people that hear nobody and are heard by nobody. */
  readonly cut = new Set<string>()
  readonly #t: Pick<Test, 'teardown' | 'fail'>
  readonly #loss: number
  readonly #random: () => number
  readonly #nodes: Record<'mt' | 'mc', Map<string, FieldNode>> = { mt: new Map(), mc: new Map() }
  readonly #people = new Map<string, Person>()

  constructor(t: Pick<Test, 'teardown' | 'fail'>, { loss = 0, random = () => 0.5, start = START }: FieldOptions = {}) {
    this.clock = new VirtualClock(start)
    this.#t = t
    this.#loss = loss
    this.#random = random
  }

  run(seconds: number): Promise<void> {
    return this.clock.runTo(this.clock.now() + seconds * 1000)
  }

  /** A station whose two radios are ready. People that are to be contacts on MeshCore are there before it. */
  async station(
    name: string,
    number: number,
    options: Omit<StationOptions, 'clock' | 'radios'>
  ): Promise<FieldStation> {
    const mtNode = this.#meshtastic(name, number)
    const mcNode = this.#meshcore(name)
    const quiet = { info: () => undefined, warn: () => undefined }
    const common = { clock: this.clock, random: () => 0.5, log: quiet }
    const mt = new MeshtasticRadio({
      ...common,
      id: 'mt',
      source: memorySource((end) => {
        const client = mtNode.attach({
          write: (bytes) => end.write(bytes),
          close: (reason) => end.close(reason === undefined ? undefined : note(reason))
        })
        end.onData((bytes) => client.received(bytes))
        end.onClose(() => client.closed())
      })
    })
    const mc = new MeshCoreRadio({
      ...common,
      id: 'mc',
      source: memorySource((end) => {
        const client = mcNode.attach({ write: (bytes) => end.write(bytes), close: () => end.close() })
        end.onData((bytes) => client.data(bytes))
        end.onClose(() => client.gone())
      })
    })
    await Promise.all([settled(this.clock, mt.connect()), settled(this.clock, mc.connect())])
    const made = await station(this.#t, { random: () => 0.5, ...options, clock: this.clock, radios: [mt, mc] })
    this.#t.teardown(async () => {
      await Promise.all([mt.close(), mc.close()])
      mtNode.stop()
      mcNode.powerOff()
    })
    return Object.assign(made, { name, number, mtNode, mcNode })
  }

  /** A person with a radio of each network; on MeshCore a contact of the stations that come later. */
  person(name: string, number: number): Person {
    const shown: Shown[] = []
    let told = 0
    const id = (): number => number * 0x1000 + ++told
    const take = ({ network, from, channel, port, text }: Packet): void => {
      if (!person.off) shown.push({ network, from, channel, port, text, at: this.clock.now() })
    }
    const key = Buffer.alloc(32, number).toString('hex')
    const person: Person = {
      name,
      number,
      shown,
      off: false,
      words: () =>
        shown.map(({ network, channel, port, text }) => {
          const where = channel === null ? 'direct' : channel
          return `${network}:${where}${port === TEXT ? '' : ` port ${port}`} ${port === 8 ? '' : text}`.trimEnd()
        }),
      writeMt: ({ mtNode, number: to }, text, channel) =>
        mtNode.incoming(
          channel === undefined
            ? { from: number, to, text, id: id(), pki: true, publicKey: key }
            : { from: number, text, channel, id: id() }
        ),
      writeMc: ({ mcNode }, text, channel) => {
        if (channel === undefined) mcNode.receiveDirect(name, text)
        else mcNode.receiveText(slotOf(channel), name, text)
      },
      tell: ({ mtNode }, port, payload) => mtNode.incoming({ from: number, text: '', port, payload, id: id() })
    }
    for (const network of ['mt', 'mc'] as const) this.#nodes[network].set(name, { had: new Set(), take })
    this.#people.set(name, person)
    return person
  }

  /** The seconds that a station's packets were on the air of a network since `from`. */
  airSeconds(network: 'mt' | 'mc', from = 0): number {
    const mine = this.onAir.filter((one) => one.network === network && one.at >= from)
    return mine.reduce((sum, { airMs }) => sum + airMs, 0) / 1000
  }

  #meshtastic(name: string, number: number): MeshtasticNode {
    const people = [...this.#people.values()]
    const node = new MeshtasticNode({
      clock: this.clock,
      name,
      number,
      preset: 0,
      telemetryMs: 0,
      contacts: people.map((one) => one.number),
      channels: [
        { index: 0, name: '', role: 1 },
        ...[1, 2, 3, 4, 5, 6, 7].map((index) => ({
          index,
          name: `c${index}`,
          role: MT_CHANNELS.includes(index) ? (2 as const) : (0 as const)
        }))
      ],
      air: { random: this.#random, repeats: true, reports: 'end' },
      onEvent: (event) => this.#heardOf(event, { network: 'mt', name, number })
    })
    this.#nodes.mt.set(name, {
      had: new Set(),
      take: (packet) => {
        const payload = Buffer.from(packet.text, packet.port === 8 ? 'latin1' : 'utf8')
        const { id, port, text, number: from } = packet
        node.incoming({ from, id, port, text, payload, channel: Number(packet.channel) })
      }
    })
    return node
  }

  #meshcore(name: string): MeshcoreNode {
    const node = new MeshcoreNode({
      time: this.clock,
      name,
      contacts: [...this.#people.keys()].map((contact) => ({ name: contact })),
      slots: [{ slot: 0, name: 'Public' }, ...MC_CHANNELS.map((channel) => ({ slot: slotOf(channel), name: channel }))],
      print: (event) => this.#heardOf(event, { network: 'mc', name, number: 0 })
    })
    this.#nodes.mc.set(name, {
      had: new Set(),
      take: ({ channel, from, text, timestamp }) => node.receiveText(slotOf(String(channel)), from, text, timestamp)
    })
    return node
  }

  #heardOf(
    event: Record<string, unknown> & { event: string },
    { network, name, number }: { network: 'mt' | 'mc'; name: string; number: number }
  ): void {
    if (event.event === 'refused') this.refused.push({ network, ...event })
    if (event.event === 'on-air') {
      const { text, at, airMs } = event as unknown as OnAir
      this.onAir.push({ network, station: name, text, at, airMs })
    }
    if (event.event !== 'transmitted') return
    const told = event as unknown as Record<string, string | number | null> & { text: string }
    const { to } = told
    const words = network === 'mt' ? told.text : told.text.replace(`${name}: `, '')
    const id = Number(told['id'] ?? told['timestamp'])
    const packet: Packet = {
      network,
      key: `${name}|${id}|${told.text}`,
      from: name,
      number,
      channel: network === 'mt' ? Number(told['channel']) : String(told['channel']),
      port: Number(told['port'] ?? TEXT),
      text: words,
      timestamp: Number(told['timestamp'] ?? 0),
      id
    }
    const isDirect = network === 'mt' ? to !== EVERYBODY : to !== null
    // The peer tells when a channel text begins; of a direct one it tells the end.
    if (network === 'mc' && isDirect) {
      const ms = airMs(6 + 16 * Math.ceil((5 + Buffer.byteLength(told.text)) / 16), LORA)
      this.onAir.push({ network, station: name, text: told.text, at: this.clock.now() - ms, airMs: ms })
    }
    if (isDirect) this.#direct(packet, to ?? '')
    else {
      this.#nodes[network].get(name)?.had.add(packet.key)
      this.#flood(name, packet)
    }
  }

  #direct(packet: Packet, to: string | number): void {
    const person = [...this.#people.values()].find((one) => one.number === to || one.name === to)
    if (person === undefined || person.off || this.cut.has(person.name) || this.cut.has(packet.from)) return
    const { network, from, port, text } = packet
    person.shown.push({ network, from, channel: null, port, text, at: this.clock.now() })
  }

  #flood(via: string, packet: Packet): void {
    for (const [name, node] of this.#nodes[packet.network]) {
      if (name === via || this.cut.has(name) || this.cut.has(via) || node.had.has(packet.key)) continue
      if (this.#random() < this.#loss) continue
      node.had.add(packet.key)
      node.take(packet)
      this.clock.after(HOP_MS + Math.floor(this.#random() * HOP_MS), () => this.#flood(name, packet))
    }
  }
}

function slotOf(channel: string): number {
  return MC_CHANNELS.indexOf(channel as (typeof MC_CHANNELS)[number]) + 1
}
