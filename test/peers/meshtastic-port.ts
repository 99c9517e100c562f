import type { ClientEnd, NodeFaults } from './meshtastic-options.ts'
import { ClientFrames, type FromRadioVariant, frame, fromRadio, type PacketInit } from './meshtastic-wire.ts'

const HELD = 32

export interface PortOptions {
  after: (ms: number, task: () => void) => void
  now: () => number
  toRadio: (payload: Buffer) => void
  event: (event: string, details?: Record<string, unknown>) => void
}

interface Client {
  end: ClientEnd
  frames: ClientFrames
  configured: boolean
}

/** The node's one client: frames in, frames out, with whatever is wrong on the way. */
export class ClientPort {
  faults: NodeFaults = {}
  readonly #o: PortOptions
  #client: Client | null = null
  #held: PacketInit[] = []
  #slowUntil = 0

  constructor(options: PortOptions) {
    this.#o = options
  }

  get connected(): boolean {
    return this.#client !== null
  }

  get configured(): boolean {
    return this.#client?.configured === true
  }

  fault(faults: NodeFaults): void {
    this.faults = { ...this.faults, ...faults }
  }

  mend(): void {
    this.faults = {}
  }

  clear(name: keyof NodeFaults): void {
    delete this.faults[name]
  }

  /** True when one more is to be lost; counts it. */
  spend(name: 'loseQueueStatus' | 'loseAck' | 'swallow'): boolean {
    const left = this.faults[name] ?? 0
    if (left > 0) this.faults[name] = left - 1
    return left > 0
  }

  attach(end: ClientEnd): { received: (bytes: Uint8Array) => void; closed: () => void } {
    if (this.faults.unreachable) throw new Error('the node is not reachable')
    this.#client?.end.close('replaced by another client')
    const client: Client = { end, frames: new ClientFrames(), configured: false }
    this.#client = client
    this.#o.event('client')
    return {
      received: (bytes) => {
        if (this.#client !== client) return
        for (const payload of client.frames.push(bytes)) this.#o.toRadio(payload)
      },
      closed: () => {
        if (this.#client === client) this.#gone('client closed')
      }
    }
  }

  drop(reason?: string): void {
    const end = this.#client?.end
    this.#gone('dropped')
    end?.close(reason)
  }

  /** The node has started anew behind the open line: packets are held until it is asked for its configuration. */
  restarted(): void {
    if (this.#client !== null) this.#client.configured = false
  }

  /** The answer to want_config, and behind it what was held. */
  configure(frames: readonly FromRadioVariant[]): void {
    const lossy = this.faults.lossyHandshake === true
    this.clear('lossyHandshake')
    for (const [at, variant] of frames.entries()) if (!lossy || at % 2 === 0) this.send(variant)
    // Variant 19 is newer than the published definitions: firmware 2.8 sends it, and older clients must not mind.
    this.raw(frame(Buffer.from([0x9a, 0x01, 0x02, 0x08, 0x01])))
    if (this.#client !== null) this.#client.configured = true
    for (const packet of this.#held.splice(0)) this.packet(packet)
  }

  packet(packet: PacketInit): void {
    if (this.configured) this.send({ case: 'packet', value: packet })
    else this.#held = [...this.#held, packet].slice(-HELD)
  }

  send(variant: FromRadioVariant): void {
    if (this.faults.silent) return
    const bytes = fromRadio(variant)
    const { garbage, halfFrame, slowMs } = this.faults
    if (garbage !== undefined) {
      this.clear('garbage')
      this.raw(Buffer.from(garbage, 'hex'))
    }
    if (halfFrame) {
      this.clear('halfFrame')
      this.raw(bytes.subarray(0, bytes.length >> 1))
    } else if (slowMs !== undefined && slowMs !== null) this.#slowly(bytes, slowMs)
    else this.raw(bytes)
  }

  raw(bytes: Uint8Array): void {
    this.#client?.end.write(bytes)
  }

  #slowly(bytes: Buffer, ms: number): void {
    const now = this.#o.now()
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes.subarray(i, i + 1)
      if (ms === 0) {
        this.raw(byte)
        continue
      }
      this.#slowUntil = Math.max(now, this.#slowUntil) + ms
      this.#o.after(this.#slowUntil - now, () => this.raw(byte))
    }
  }

  #gone(why: string): void {
    if (this.#client === null) return
    this.#client = null
    this.#o.event('client-gone', { why })
  }
}
