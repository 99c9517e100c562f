import { createHash, randomUUID } from 'node:crypto'
import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { Listeners } from '../../platform/listeners.ts'
import { AirtimeHour } from './airtime-hour.ts'
import type {
  InboundText,
  ModemSettings,
  Network,
  PacketIdentity,
  Radio,
  RadioChannel,
  RadioDescription,
  RadioHealth,
  RadioMessage,
  Receipt,
  SendOutcome
} from './radio.ts'
import { type AirEntry, AirLog, type ReceiverMemory, TransmitQueue } from './simulated-air.ts'
import { type LinkFault, SimulatedLink } from './simulated-link.ts'

/** The time for which a driver waits for the node to say something about a text before it calls the outcome unknown. */
export const ANSWER_WAIT_MS = 3000

export interface SimulatedOptions {
  id: string
  clock: Clock
  modem: ModemSettings
  nodeName?: string
  /** Nodes in reach: with none, nobody repeats or receives anything. Default 1. */
  neighbours?: number
  /** The nodes that answer a direct text: MT nodes or MC contacts. Absent: everybody. */
  contacts?: readonly string[]
  /** 0 ≤ x < 1; seed it. Default: always one half. */
  random?: () => number
}

export interface SimulatedFault extends LinkFault {
  /** The next text is refused with this. */
  refuseNext?: { code: string; retry: boolean; reason?: Reason }
  /** Nothing is heard of the next text: it was discarded, or it does go on the air and only the answers got lost. */
  silentNext?: 'discarded' | 'on-air'
}

/** Hears of a text the moment the node takes it: from then on it goes on the air, whatever becomes of this process. */
export type TakenListener = (entry: Packet['entry'], at: number) => void

export type Refusal = Extract<SendOutcome, { kind: 'refused' }>

/** A text the node took into its transmit queue. */
export interface Packet {
  kind: 'packet'
  /** The wait for a free channel, and the time-on-air after it. */
  waitMs: number
  airtimeMs: number
  entry: Omit<AirEntry, 'at' | 'receivedTimes'>
  /** By what receivers know the packet again. */
  receiverKey: string
}

/** The node's verdict on a text: a refusal, no answer at all, or a packet for the air. */
export type Verdict = Refusal | { kind: 'silence' } | Packet

/** The common parts of both simulated radios: the link, the transmit queue, the air log, receipts and faults. */
export abstract class SimulatedRadio implements Radio {
  readonly description: RadioDescription
  protected readonly clock: Clock
  protected readonly neighbours: number
  protected readonly contacts: readonly string[] | undefined
  protected readonly random: () => number
  protected readonly queue = new TransmitQueue((ms, task) => this.after(ms, task))
  protected readonly airtime = new AirtimeHour()
  readonly #link: SimulatedLink
  readonly #log = new AirLog()
  readonly #receivers: ReceiverMemory
  readonly #receiptListeners = new Listeners<[Receipt]>()
  readonly #textListeners = new Listeners<[InboundText]>()
  #received = 0
  readonly #takenListeners = new Set<TakenListener>()
  readonly #timers = new Set<() => void>()
  readonly #pending = new Set<(outcome: SendOutcome) => void>()
  #conversation: string = randomUUID()
  #next: Pick<SimulatedFault, 'refuseNext' | 'silentNext'> = {}

  constructor(network: Network, receivers: ReceiverMemory, options: SimulatedOptions) {
    const { id, clock, modem, nodeName = 'Lookout', neighbours = 1, contacts, random = () => 0.5 } = options
    this.description = { id, network, link: 'simulated', simulated: true, nodeName, modem }
    this.clock = clock
    this.neighbours = neighbours
    this.contacts = contacts
    this.random = random
    this.#receivers = receivers
    this.#link = new SimulatedLink(id, clock)
  }

  abstract channels(): readonly RadioChannel[]

  /** Throws TypeError for an identity this network does not have: the caller fixes it before the first byte. */
  protected abstract checkIdentity(identity: PacketIdentity): void
  /** The firmware's answer to this text. */
  protected abstract judge(message: RadioMessage): Verdict
  /** The events after the packet left: repeats, acknowledgements, receipts. `fresh`: no receiver had it before. */
  protected abstract followUp(packet: Packet, fresh: boolean): void
  /** The link is gone; what the node remembers of this client session goes with it. */
  protected abstract sessionEnded(): void

  /** The newest 1000 texts on the air, oldest first. */
  get airLog(): readonly AirEntry[] {
    return this.#log.entries
  }

  /** The number of texts that went on the air since the start. */
  get sentCount(): number {
    return this.#log.count
  }

  /** The airtime that this radio used in the last hour, its own retransmissions included. */
  airtimeUsedMs(): number {
    return this.airtime.usedMs(this.clock.now())
  }

  connect(): Promise<void> {
    return this.#link.open()
  }

  health(): RadioHealth {
    return this.#link.health
  }

  session(): string {
    return this.#conversation
  }

  /** Breaks the radio, or mends it: a fault stays until it is set again, `…Next` is for one text. */
  setFault({ refuseNext, silentNext, ...link }: SimulatedFault): void {
    if (refuseNext !== undefined) this.#next = { ...this.#next, refuseNext }
    if (silentNext !== undefined) this.#next = { ...this.#next, silentNext }
    if (link.down) {
      this.#conversation = randomUUID()
      this.sessionEnded()
      this.#settleAll(because('lost_unanswered'))
    }
    this.#link.fail(link)
  }

  async send(message: RadioMessage): Promise<SendOutcome> {
    this.checkIdentity(message.identity)
    const { state } = this.#link
    if (state !== 'ready' && state !== 'suspect') {
      return refused('NOT_CONNECTED', true, because('not_connected', { radio: this.description.id, state }))
    }
    const { refuseNext, silentNext } = this.#next
    this.#next = {}
    if (refuseNext !== undefined) {
      return refused(refuseNext.code, refuseNext.retry, refuseNext.reason ?? because('sim_fault'))
    }
    if (state === 'suspect' || silentNext === 'discarded') return this.#unanswered()
    const verdict = this.judge(message)
    if (verdict.kind === 'silence') return this.#unanswered()
    if (verdict.kind === 'refused') return silentNext === 'on-air' ? this.#unanswered() : verdict
    if (silentNext === undefined) return this.#outcome((settle) => this.#transmit(verdict, settle))
    this.#transmit(verdict, () => undefined)
    return this.#unanswered()
  }

  onReceipt(listener: (receipt: Receipt) => void): () => void {
    return this.#receiptListeners.add(listener)
  }

  onChange(listener: () => void): () => void {
    return this.#link.onChange(listener)
  }

  onText(listener: (text: InboundText) => void): () => void {
    return this.#textListeners.add(listener)
  }

  /** Lets a text come in from the mesh; what is left out makes it a direct text of a node nobody knows, heard now. */
  receive(text: Partial<InboundText> & Pick<InboundText, 'text'>): void {
    const { network } = this.description
    const direct = text.channel === undefined || text.channel === null
    const proven = text.proven ?? direct
    const inbound: InboundText = {
      from: network === 'mt' ? '!0000000a' : '0000000000aa',
      fromName: 'Somebody',
      direct,
      proven,
      publicKey: proven && network === 'mt' ? keyOf(text.from ?? '') : null,
      channel: null,
      late: false,
      key: `${network}|simulated ${this.description.id} ${this.clock.now()} ${++this.#received}`,
      at: this.clock.now(),
      ...text
    }
    this.#textListeners.tell(inbound)
  }

  onTaken(listener: TakenListener): () => void {
    this.#takenListeners.add(listener)
    return () => this.#takenListeners.delete(listener)
  }

  async close(): Promise<void> {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#settleAll(because('closed_before_answer'))
    this.#link.close()
    this.#receiptListeners.clear()
    this.#textListeners.clear()
    this.#takenListeners.clear()
  }

  /** True when the node's answers reach us. */
  protected get answering(): boolean {
    return this.#link.state === 'ready'
  }

  /** A timer that ends with the radio. Whole milliseconds: times are stored as integers. */
  protected after(ms: number, task: () => void): void {
    const cancel = this.clock.after(Math.ceil(ms), () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }

  protected report(
    { entry }: Packet,
    kind: Receipt['kind'],
    details: Pick<Receipt, 'by' | 'reason' | 'silent'> = {}
  ): void {
    const receipt: Receipt = { identity: entry.identity, kind, at: this.clock.now(), ...details }
    this.#receiptListeners.tell(receipt)
  }

  #transmit(packet: Packet, settle: (outcome: SendOutcome) => void): void {
    const { waitMs, airtimeMs, entry, receiverKey } = packet
    for (const listener of this.#takenListeners) listener(entry, this.clock.now())
    this.queue.push({
      waitMs,
      airtimeMs,
      left: () => {
        const at = this.clock.now()
        const fresh = this.neighbours > 0 && this.#receivers.hears(receiverKey)
        this.airtime.add(at, airtimeMs)
        this.#log.add({ ...entry, at, receivedTimes: fresh ? 1 : 0 })
        settle({ kind: 'sent', at })
        this.followUp(packet, fresh)
      }
    })
  }

  #unanswered(): Promise<SendOutcome> {
    const reason = because('sim_unanswered', { seconds: ANSWER_WAIT_MS / 1000 })
    return this.#outcome((settle) => this.after(ANSWER_WAIT_MS, () => settle({ kind: 'unknown', reason })))
  }

  /** A promise that `start` settles, or the loss of the link. */
  #outcome(start: (settle: (outcome: SendOutcome) => void) => void): Promise<SendOutcome> {
    return new Promise((resolve) => {
      const settle = (outcome: SendOutcome): void => {
        this.#pending.delete(settle)
        resolve(outcome)
      }
      this.#pending.add(settle)
      start(settle)
    })
  }

  #settleAll(reason: Reason): void {
    for (const settle of [...this.#pending]) settle({ kind: 'unknown', reason })
  }
}

/** The key of a simulated node: the same for the same id. */
function keyOf(from: string): string {
  return createHash('sha256').update(from).digest('hex')
}

/** An explicit refusal: nothing went on the air. `code` is the firmware's name for it. */
export function refused(code: string, retry: boolean, reason: Reason): Refusal {
  return { kind: 'refused', retry, code, reason }
}
