import { createHash } from 'node:crypto'
import { channelBody, keyOf, secretOf } from './meshcore-air.ts'
import { Antenna } from './meshcore-antenna.ts'
import { Faults, type PeerFault } from './meshcore-faults.ts'
import {
  type FullOptions,
  frameLimit,
  type KnownContact,
  knownContact,
  type NodeOptions,
  type PeerContact,
  type PeerEvent,
  withDefaults
} from './meshcore-options.ts'
import { ANY_PUSHES, channelAnswer, contactAnswers, deviceInfo, selfInfo, statsAnswer } from './meshcore-replies.ts'
import { COMMAND, CommandReader, fixed, framed, u32 } from './meshcore-wire.ts'

/** The client's side of one connection. */
export interface PeerClient {
  write(bytes: Buffer): void
  close(): void
}

const TEXT_LIMIT = 160

/**
 * A MeshCore companion node as its client sees it: firmware 1.17 by default, with its pool of sixteen packets, its cut at 160 bytes and its
 * OK for slots without a channel. Everything it transmits is kept in `transmitted`.
 */
export class MeshcoreNode {
  readonly faults = new Faults()
  readonly transmitted: { text: string; slot: number | null; to: string | null; timestamp: number }[] = []
  /** The command bytes it was given, in order. */
  readonly commands: number[] = []
  readonly #o: FullOptions
  readonly #antenna: Antenna
  readonly #slots = new Map<number, { name: Buffer; secret: Buffer }>()
  readonly #contacts: KnownContact[]
  readonly #waiting: number[][] = []
  #client: PeerClient | null = null
  #reader: CommandReader
  #appProtocol = 0
  #clockSetBy = 0
  #answersAt = 0

  constructor(options: NodeOptions = {}) {
    this.#o = withDefaults(options)
    this.#antenna = new Antenna(this.#o, this.faults, (payload) => this.pushFrame(payload))
    for (const { slot, name, secret } of this.#o.slots) this.setSlot(slot, name, secret)
    this.#contacts = this.#o.contacts.map(knownContact)
    this.#reader = this.#freshReader()
  }

  /** One client at a time: a new one replaces the old. */
  attach(client: PeerClient): { data(bytes: Uint8Array): void; gone(): void } {
    const old = this.#client
    this.#client = client
    // USB serial has no connections: half a frame stays in the parser.
    if (this.#o.rule === 'tcp') this.#reader = this.#freshReader()
    this.#print('client')
    old?.close()
    return {
      data: (bytes) => {
        if (this.#client === client) for (const frame of this.#reader.read(bytes)) this.#command(frame)
      },
      gone: () => {
        if (this.#client !== client) return
        this.#client = null
        this.#print('client gone')
      }
    }
  }

  /** Its clock, in epoch seconds. */
  get clock(): number {
    return Math.floor(this.#o.time.now() / 1000) + this.#o.clockOffset + this.#clockSetBy
  }

  fault(fault: PeerFault): void {
    this.faults.add(fault)
  }

  mend(): void {
    this.faults.clear()
  }

  setSlot(slot: number, name: string, secret: Buffer = secretOf(name)): void {
    this.#slots.set(slot, { name: Buffer.from(fixed(name, 32)), secret })
  }

  clearSlot(slot: number): void {
    // The firmware leaves old bytes behind the first NUL.
    const name = Buffer.from(this.#slots.get(slot)?.name ?? Buffer.alloc(32))
    name[0] = 0
    this.#slots.set(slot, { name, secret: Buffer.alloc(16) })
  }

  /** An advert is heard: the node makes a contact of it. */
  addContact(contact: PeerContact): void {
    this.#contacts.push(knownContact(contact))
    this.pushFrame([0x80, ...keyOf(contact.name)])
  }

  /** The link ends, as when the board is unplugged or another app takes it. */
  dropLink(): void {
    const client = this.#client
    this.#client = null
    client?.close()
  }

  /** Loses what waited in the node, and the link. */
  restart(): void {
    this.powerOff()
    this.dropLink()
    this.#reader = this.#freshReader()
  }

  /** Stops every timer. */
  powerOff(): void {
    this.#antenna.powerOff()
  }

  /** A channel text comes in from the mesh. */
  receiveText(slot: number, sender: string, text: string, timestamp = this.clock): void {
    const body = [slot, 0, 0, ...u32(timestamp), ...Buffer.from(`${sender}: ${text}`)]
    this.#waiting.push(this.#appProtocol >= 3 ? [0x11, 38, 0, 0, ...body] : [0x08, ...body])
    this.pushFrame([0x83])
  }

  /** A direct text comes in. */
  receiveDirect(sender: string, text: string, timestamp = this.clock): void {
    const body = [...keyOf(sender).subarray(0, 6), 0xff, 0, ...u32(timestamp), ...Buffer.from(text)]
    this.#waiting.push(this.#appProtocol >= 3 ? [0x10, 38, 0, 0, ...body] : [0x07, ...body])
    this.pushFrame([0x83])
  }

  /** Any bytes to the client. */
  say(bytes: Uint8Array): void {
    this.#client?.write(Buffer.from(bytes))
  }

  pushFrame(payload: readonly number[]): void {
    this.#client?.write(framed(payload))
  }

  #freshReader(): CommandReader {
    return new CommandReader(frameLimit(this.#o.protocol), this.#o.rule)
  }

  #print(event: string, details: object = {}): void {
    const full: PeerEvent = { event, ...details }
    this.#o.print(full)
  }

  #command(sent: Buffer): void {
    const code = sent[0] ?? 0
    const frame = this.faults.take(['garble'], code) === null ? sent : changedOnTheWay(sent)
    this.commands.push(code)
    const fault = this.faults.take(
      ['drop', 'drop-after', 'garbage', 'slow', 'half', 'refuse', 'discard', 'lost-answer', 'push', 'bytewise', 'stop'],
      code
    )
    if (code === COMMAND.channelText || code === COMMAND.directText) this.#tellOffered(frame)
    if (fault !== null) this.#print('fault', { kind: fault.kind, command: code })
    if (fault?.kind === 'discard' || fault?.kind === 'stop') return
    if (fault?.kind === 'drop') {
      this.dropLink()
      return
    }
    const answers = fault?.kind === 'refuse' ? [[0x01, fault.code ?? 1]] : this.#execute(frame)
    if (fault?.kind !== 'lost-answer') this.#answer(Buffer.concat(answers.map(framed)), fault)
  }

  /** Every text a client hands over, whatever becomes of it. */
  #tellOffered(frame: Buffer): void {
    const text = frame.subarray(frame[0] === COMMAND.channelText ? 7 : 13).toString()
    const timestamp = frame.length < 7 ? 0 : frame.readUInt32LE(3)
    this.#print('offered', { timestamp, text, at: this.#o.time.now() })
  }

  /** Answers keep their order, however late one is. */
  #answer(bytes: Buffer, fault: PeerFault | null): void {
    const client = this.#client
    const now = this.#o.time.now()
    this.#answersAt = Math.max(this.#answersAt, now + (fault?.kind === 'slow' ? (fault.ms ?? 1000) : 0))
    const deliver = (): void => {
      for (const chunk of this.#chunks(bytes, fault)) if (this.#client === client) client?.write(chunk)
      if (fault?.kind === 'drop-after') this.dropLink()
    }
    if (this.#answersAt <= now) deliver()
    else this.#antenna.after(this.#answersAt - now, deliver)
  }

  #chunks(bytes: Buffer, fault: PeerFault | null): Buffer[] {
    if (fault?.kind === 'half') return [bytes.subarray(0, Math.ceil(bytes.length / 2))]
    if (fault?.kind === 'garbage') return [Buffer.from(fault.hex ?? '00ff3e', 'hex'), bytes]
    if (fault?.kind === 'bytewise') return [...bytes].map((byte) => Buffer.of(byte))
    if (fault?.kind === 'push') return [...ANY_PUSHES.map(framed), bytes]
    return [bytes]
  }

  #execute(frame: Buffer): number[][] {
    switch (frame[0]) {
      case COMMAND.deviceQuery:
        this.#appProtocol = frame[1] ?? 0
        return [deviceInfo(this.#o)]
      case COMMAND.appStart:
        return frame.length < 8 ? [[1, 1]] : [selfInfo(this.#o)]
      case COMMAND.getTime:
        return [[0x09, ...u32(this.clock)]]
      case COMMAND.setTime:
        return [this.#setTime(frame)]
      case COMMAND.setName:
        this.#o.name = frame.subarray(1).toString()
        return [[0]]
      case COMMAND.getChannel:
        return [channelAnswer(frame[1] ?? 0, this.#o.maxChannels, this.#slots)]
      case COMMAND.setChannel:
        return [this.#setChannel(frame)]
      case COMMAND.channelText:
        return [this.#channelText(frame)]
      case COMMAND.directText:
        return [this.#directText(frame)]
      case COMMAND.getContacts:
        return contactAnswers(this.#contacts)
      case COMMAND.resetPath:
        return [this.#resetPath(frame)]
      case COMMAND.nextText:
        return [this.#waiting.shift() ?? [0x0a]]
      case COMMAND.advert:
        this.#antenna.transmit({ bytes: 110 + this.#o.name.length, left: () => this.#print('advert') })
        return [[0]]
      case COMMAND.floodScope:
        return [this.#setFloodScope(frame)]
      default:
        return [statsAnswer(frame, this.#o, this.#antenna)]
    }
  }

  /** As the companion firmware from protocol 8: mode 0, with a key of 16 bytes or none. */
  #setFloodScope(frame: Buffer): number[] {
    if (this.#o.protocol < 8 || frame[1] !== 0) return [1, 1]
    this.#print('flood-scope', { key: frame.length >= 18 ? frame.subarray(2, 18).toString('hex') : '' })
    return [0]
  }

  #setTime(frame: Buffer): number[] {
    const wanted = frame.readUInt32LE(1)
    if (wanted < this.clock) return [1, 6]
    this.#clockSetBy += wanted - this.clock
    return [0]
  }

  #setChannel(frame: Buffer): number[] {
    const index = frame[1] ?? 255
    if (index >= this.#o.maxChannels) return [1, 2]
    this.#slots.set(index, { name: frame.subarray(2, 34), secret: frame.subarray(34, 50) })
    return [0]
  }

  #channelText(frame: Buffer): number[] {
    const index = frame[2] ?? 255
    if (index >= this.#o.maxChannels || this.#antenna.full()) return this.#refused(2)
    const timestamp = frame.readUInt32LE(3)
    const text = Buffer.concat([Buffer.from(`${this.#o.name}: `), frame.subarray(7)]).subarray(0, TEXT_LIMIT)
    // A slot without a channel is no error: it goes out under an all-zero key.
    const body = channelBody(this.#slots.get(index)?.secret ?? Buffer.alloc(16), timestamp, text)
    this.#antenna.transmit({
      bytes: 2 + body.length,
      started: (airMs) => {
        const at = this.#o.time.now()
        const channel = this.#nameOf(index)
        this.#print('on-air', { text: text.toString(), slot: index, channel, timestamp, at, airMs })
      },
      left: () => {
        const entry = { text: text.toString(), slot: index, to: null, timestamp }
        this.transmitted.push(entry)
        const fresh = this.#antenna.fresh(body.toString('hex'))
        const at = this.#o.time.now()
        this.#print('transmitted', { ...entry, channel: this.#nameOf(index), bytes: text.length, fresh, at })
        if (fresh) this.#antenna.repeat(body)
      }
    })
    return [0]
  }

  #refused(error: number): number[] {
    this.#print('refused', { error })
    return [1, error]
  }

  #nameOf(slot: number): string {
    const name = this.#slots.get(slot)?.name ?? Buffer.alloc(1)
    return name.toString().replace(/\0[\s\S]*$/, '')
  }

  #directText(frame: Buffer): number[] {
    const [attempt, timestamp, text] = [frame[2] ?? 0, frame.readUInt32LE(3), frame.subarray(13)]
    const contact = this.#contacts.find(({ key }) => key.subarray(0, 6).equals(frame.subarray(7, 13)))
    if (contact === undefined) return [1, 2]
    if (text.length > TEXT_LIMIT || this.#antenna.full()) return [1, 3]
    // As the firmware: of time, attempt, text and the node's own key.
    const hashed = createHash('sha256')
      .update(frame.subarray(3, 7))
      .update(Buffer.from([attempt & 3]))
    const tag = hashed.update(text).update(keyOf(this.#o.name)).digest().readUInt32LE(0)
    const flood = !contact.pathKnown
    const bytes = 6 + 16 * Math.ceil((5 + text.length) / 16)
    this.#antenna.transmit({
      bytes,
      left: () => {
        const entry = { text: text.toString(), slot: null, to: contact.name, timestamp }
        this.transmitted.push(entry)
        const fresh = this.#antenna.fresh(`${tag}`)
        this.#print('transmitted', { ...entry, attempt, flood, bytes: text.length, fresh })
        if (fresh) this.#antenna.acknowledge(contact, tag, flood)
      }
    })
    const airtime = this.#antenna.airtime(bytes)
    const estimate = Math.round(flood ? 500 + 16 * airtime : 500 + 6 * airtime + 250)
    return [0x06, flood ? 1 : 0, ...u32(tag), ...u32(estimate)]
  }

  #resetPath(frame: Buffer): number[] {
    const contact = this.#contacts.find(({ key }) => key.equals(frame.subarray(1, 33)))
    if (contact === undefined) return [1, 2]
    contact.pathKnown = false
    this.#print('path reset', { to: contact.name })
    return [0]
  }
}

/** The last letter is another one. */
function changedOnTheWay(frame: Buffer): Buffer {
  const changed = Buffer.from(frame)
  changed[frame.length - 1] = (frame.at(-1) ?? 0) ^ 0x20
  return changed
}
