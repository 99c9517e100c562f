import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { memorySource } from '../../../../src/warning/radios/link/memory.ts'
import { MeshCoreRadio } from '../../../../src/warning/radios/meshcore/driver.ts'
import type {
  InboundText,
  OtherAirtime,
  RadioMessage,
  Receipt,
  SendOutcome
} from '../../../../src/warning/radios/radio.ts'
import { settled } from '../../../contract/radio.ts'
import { MeshcoreNode } from '../../../peers/meshcore-node.ts'
import type { NodeOptions, PeerEvent } from '../../../peers/meshcore-options.ts'

export const START = Date.UTC(2026, 0, 1)

/** The driver and the peer on one virtual clock, joined by a memory link that can be cut. */
export class Bench {
  readonly clock: VirtualClock
  readonly node: MeshcoreNode
  readonly radio: MeshCoreRadio
  readonly receipts: Receipt[] = []
  readonly texts: InboundText[] = []
  readonly events: PeerEvent[] = []
  readonly logged: string[] = []
  /** Every byte the driver wrote, one entry a frame. */
  readonly written: string[] = []
  /** Time on the air besides texts. */
  readonly spent: OtherAirtime[] = []
  #down = false
  #timestamp = Math.floor(START / 1000)

  constructor(options: NodeOptions = {}, clock = new VirtualClock(START), floodScope?: string) {
    this.clock = clock
    this.node = new MeshcoreNode({
      time: this.clock,
      slots: [
        { slot: 0, name: 'Public' },
        { slot: 3, name: 'north-fire' },
        { slot: 5, name: '#alerts' }
      ],
      print: (event) => this.events.push(event),
      ...options
    })
    const source = memorySource((end) => {
      if (this.#down) throw new Error('the link is cut')
      const client = this.node.attach({ write: (bytes) => end.write(bytes), close: () => end.close() })
      end.onData((bytes) => {
        this.written.push(Buffer.from(bytes).toString('hex'))
        client.data(bytes)
      })
      end.onClose(() => client.gone())
    })
    const log = (details: object, message: string): void => void this.logged.push(JSON.stringify([message, details]))
    this.radio = new MeshCoreRadio({
      id: 'hill',
      source,
      clock: this.clock,
      random: () => 0.5,
      ...(floodScope === undefined ? {} : { floodScope }),
      log: { info: log, warn: log }
    })
    this.radio.onOtherAirtime((spent) => this.spent.push(spent))
    this.radio.onReceipt((receipt) => this.receipts.push(receipt))
    this.radio.onText((text) => this.texts.push(text))
  }

  async connected(): Promise<this> {
    await settled(this.clock, this.radio.connect())
    return this
  }

  message(text: string, over: Partial<RadioMessage> = {}): RadioMessage {
    return { channel: 'north-fire', text, identity: { senderTimestamp: ++this.#timestamp }, ...over }
  }

  send(text: string, over: Partial<RadioMessage> = {}): Promise<SendOutcome> {
    return settled(this.clock, this.radio.send(this.message(text, over)))
  }

  wait(ms: number): Promise<void> {
    return this.clock.runTo(this.clock.now() + ms)
  }

  breakLink(): void {
    this.#down = true
    this.node.dropLink()
  }

  mendLink(): void {
    this.#down = false
  }

  heardOnAir(): string[] {
    return this.node.transmitted.map(({ text }) => text)
  }

  kinds(): string[] {
    return this.receipts.map(({ kind }) => kind)
  }

  async close(): Promise<void> {
    await this.radio.close()
    this.node.powerOff()
  }
}

/** A bench whose radio is ready. */
export function bench(options: NodeOptions = {}): Promise<Bench> {
  return new Bench(options).connected()
}

/** A seeded source of chance: the same seed, the same run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
