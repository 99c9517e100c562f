import type { Clock } from '../../src/platform/clock/clock.ts'
import { MC_PRESETS, mcModem, mtModem } from '../../src/warning/radios/modem.ts'
import type { InboundText, Network } from '../../src/warning/radios/radio.ts'
import type { SimulatedRadio } from '../../src/warning/radios/simulated.ts'
import { SimulatedMc } from '../../src/warning/radios/simulated-mc.ts'
import { SimulatedMt } from '../../src/warning/radios/simulated-mt.ts'
import { mcChannelAirtimeMs, mtTextAirtimeMs } from '../../src/warning/radios/time-on-air.ts'

const MODEM = { mt: mtModem('LongFast', 'US'), mc: mcModem(MC_PRESETS['US/Canada']) }
/** The channel of MeshCore. */
export const MC_CHANNEL = 'north'
/** The way of a text through a node that repeats it. */
const HOP_MS = 1500

/** A text at the antenna of a node, once, however often it came. */
export interface Reception {
  node: string
  from: string
  text: string
  at: number
}

export interface AirOptions {
  clock: Clock
  random: () => number
  /** Default Meshtastic. */
  network?: Network
  /** The share of copies that is lost between two nodes that reach each other, 0…1. */
  loss?: number
  /** True while these two reach each other. */
  reaches?: (from: string, to: string) => boolean
}

/** One of the nodes: its own memory of what it had, and the host that is connected, if one is. */
interface AirNode {
  had: Set<string>
  radio: SimulatedRadio | null
  /** Waits in the node for its host. */
  mailbox: Partial<InboundText>[]
}

/**
 * A channel of Meshtastic or MeshCore in memory: what a station's radio takes floods to the nodes in reach, each of which repeats it once. A copy may be
 * lost. A node keeps what comes while its host is away, as firmware does.
 */
export class Air {
  readonly receptions: Reception[] = []
  readonly #o: AirOptions
  readonly #nodes = new Map<string, AirNode>()
  /** Radios that their hosts have lost. */
  readonly #away = new Map<string, SimulatedRadio | null>()

  constructor(options: AirOptions) {
    this.#o = options
  }

  /** A node without a station: a listener. */
  listener(id: string): void {
    this.#nodes.set(id, { had: new Set(), radio: null, mailbox: [] })
  }

  /** The radio of a station, connected; again after an end of its process. */
  async radio(id: string): Promise<SimulatedRadio> {
    const { clock, random, network = 'mt' } = this.#o
    const node = this.#nodes.get(id) ?? { had: new Set(), radio: null, mailbox: [] }
    this.#nodes.set(id, node)
    const common = { id, clock, modem: MODEM[network], nodeName: id, random }
    const radio =
      network === 'mt' ? new SimulatedMt(common) : new SimulatedMc({ ...common, channels: () => [MC_CHANNEL] })
    radio.onTaken(({ identity, channel, text }) => {
      const key = `${network}|${id}|${identity.packetId ?? identity.senderTimestamp}|${text}`
      node.had.add(key)
      const words =
        network === 'mt' ? { text, from: id } : { text: text.slice(`${id}: `.length), from: '', fromName: id }
      clock.after(Math.ceil(this.#airtimeMs(text)) + 300, () => this.#flood(id, id, { key, channel, ...words }))
    })
    await radio.connect()
    node.radio = radio
    return radio
  }

  #airtimeMs(text: string): number {
    const bytes = Buffer.byteLength(text)
    return this.#o.network === 'mc' ? mcChannelAirtimeMs(bytes, MODEM.mc) : mtTextAirtimeMs(bytes, MODEM.mt)
  }

  /** The host of this node is there and listens: it gets what waited. */
  listen(id: string): void {
    const node = this.#nodes.get(id)
    for (const text of node?.mailbox.splice(0) ?? []) node?.radio?.receive({ text: '', ...text, late: true })
  }

  /** The host of this node is gone; the node goes on. */
  leave(id: string): void {
    const node = this.#nodes.get(id)
    if (node !== undefined) node.radio = null
  }

  /** The link of a host to its node is lost; the node goes on. */
  lose(id: string): void {
    this.#nodes.get(id)?.radio?.setFault({ down: true })
    this.#away.set(id, this.#nodes.get(id)?.radio ?? null)
    this.leave(id)
  }

  /** And is there again: the host gets what waited. */
  regain(id: string): void {
    const [node, radio] = [this.#nodes.get(id), this.#away.get(id) ?? null]
    this.#away.delete(id)
    if (node === undefined || radio === null || node.radio !== null) return
    node.radio = radio
    radio.setFault({ down: false })
    this.listen(id)
  }

  /** Texts that a listener had, in order. */
  heardBy(node: string): Reception[] {
    return this.receptions.filter((one) => one.node === node)
  }

  #flood(via: string, from: string, text: Partial<InboundText> & { key: string }): void {
    const { clock, random, loss = 0, reaches = () => true } = this.#o
    for (const [id, node] of this.#nodes) {
      if (id === via || !reaches(via, id) || random() < loss || node.had.has(text.key)) continue
      node.had.add(text.key)
      this.receptions.push({ node: id, from, text: text.text ?? '', at: clock.now() })
      if (node.radio === null) node.mailbox.push(text)
      else node.radio.receive({ text: '', ...text, direct: false })
      clock.after(HOP_MS + Math.floor(random() * HOP_MS), () => this.#flood(id, from, text))
    }
  }
}
