import type { Clock } from '../../src/platform/clock/clock.ts'
import { mtModem } from '../../src/warning/radios/modem.ts'
import type { InboundText } from '../../src/warning/radios/radio.ts'
import { SimulatedMt } from '../../src/warning/radios/simulated-mt.ts'
import { mtTextAirtimeMs } from '../../src/warning/radios/time-on-air.ts'

const MODEM = mtModem('LongFast', 'US')
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
  /** The share of copies that is lost between two nodes that reach each other, 0…1. */
  loss?: number
  /** True while these two reach each other. */
  reaches?: (from: string, to: string) => boolean
}

/** One of the nodes: its own memory of what it had, and the host that is connected, if one is. */
interface AirNode {
  had: Set<string>
  radio: SimulatedMt | null
  /** Waits in the node for its host. */
  mailbox: Partial<InboundText>[]
}

/**
 * A Meshtastic channel in memory: what a station's radio takes floods to the nodes in reach, each of which repeats it once. A copy may be
 * lost. A node keeps what comes while its host is away, as firmware does.
 */
export class Air {
  readonly receptions: Reception[] = []
  readonly #o: AirOptions
  readonly #nodes = new Map<string, AirNode>()

  constructor(options: AirOptions) {
    this.#o = options
  }

  /** A node without a station: a listener. */
  listener(id: string): void {
    this.#nodes.set(id, { had: new Set(), radio: null, mailbox: [] })
  }

  /** The radio of a station, connected; again after an end of its process. */
  async radio(id: string): Promise<SimulatedMt> {
    const { clock, random } = this.#o
    const node = this.#nodes.get(id) ?? { had: new Set(), radio: null, mailbox: [] }
    this.#nodes.set(id, node)
    const radio = new SimulatedMt({ id, clock, modem: MODEM, nodeName: id, random })
    radio.onTaken(({ identity, channel, text }) => {
      const key = `mt|${id}|${identity.packetId}`
      node.had.add(key)
      clock.after(Math.ceil(mtTextAirtimeMs(Buffer.byteLength(text), MODEM)) + 300, () =>
        this.#flood(id, id, { key, channel, text, from: id })
      )
    })
    await radio.connect()
    node.radio = radio
    return radio
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
