/**
 * The words of a MeshCore node, by the companion protocol of firmware 1.10 to 1.17. Fields a firmware leaves out at the
 * end are null.
 */

export interface DeviceInfo {
  /** Protocol version: 8 is firmware 1.10 to 1.12, 13 is 1.16 and 1.17. */
  version: number
  maxContacts: number | null
  maxChannels: number | null
  build: string | null
  model: string | null
  firmware: string | null
}

export interface SelfInfo {
  key: Uint8Array
  frequencyKhz: number
  bandwidthHz: number
  spreadingFactor: number
  /** Denominator of the coding rate 4/x: 5…8. */
  codingRate: number
  name: string
}

export interface Contact {
  key: Uint8Array
  type: number
  name: string
  /** The time of its last advert, by its own clock; 0 never. */
  advertSeconds: number
}

/** A text that waited in the node. On a channel `text` starts with the sender's name, which anybody may have written. */
export interface WaitingText {
  slot: number | null
  /** The first six bytes of the sender's key, in hex; null on a channel. */
  keyPrefix: string | null
  /** 0 is plain text, 1 a command line, 2 signed. */
  type: number
  timestamp: number
  text: string
  snr: number | null
  /** Repeaters it came over; null when it came on a known path. */
  hops: number | null
}

export interface ChannelSlot {
  index: number
  /** Empty: the slot is not used. */
  name: string
  secret: Uint8Array
}

export interface CoreStats {
  millivolts: number
  uptimeSeconds: number
  /** 1 the packet pool was full, 2 the channel was busy too long, 4 the radio was stuck. */
  errors: number
  waiting: number
}

/** Answers to commands, then pushes, which come at any time. */
export type Message =
  | { kind: 'ok' }
  | { kind: 'error'; code: number }
  | { kind: 'disabled' }
  | { kind: 'contacts-start'; count: number }
  | ({ kind: 'contact' } & Contact)
  | { kind: 'contacts-end' }
  | ({ kind: 'self-info' } & SelfInfo)
  | { kind: 'sent'; flood: boolean; ackTag: number; timeoutMs: number }
  | ({ kind: 'text' } & WaitingText)
  | { kind: 'no-more-texts' }
  | { kind: 'time'; epochSeconds: number }
  | { kind: 'battery'; millivolts: number }
  | ({ kind: 'device-info' } & DeviceInfo)
  | ({ kind: 'channel' } & ChannelSlot)
  | { kind: 'tuning'; rxDelay: number; airtimeFactor: number }
  | ({ kind: 'core-stats' } & CoreStats)
  | { kind: 'radio-stats'; noise: number; rssi: number; snr: number; txSeconds: number; rxSeconds: number }
  | { kind: 'packet-stats'; received: number; sent: number }
  | { kind: 'advert'; key: Uint8Array }
  | { kind: 'path-updated'; key: Uint8Array }
  | { kind: 'confirmed'; ackTag: number }
  | { kind: 'text-waiting' }
  | { kind: 'heard'; snr: number; rssi: number; packet: Uint8Array }
  | { kind: 'unknown'; code: number }

const SHORTER_THAN_SAID = RangeError

/** The meaning of one frame. One that is too short for its code, or has a code we do not use, is `unknown`. */
export function decode(frame: Uint8Array): Message {
  const code = frame[0] ?? 0
  const read = READERS.get(code)
  if (read === undefined) return { kind: 'unknown', code }
  try {
    return read(new Fields(frame))
  } catch (error) {
    if (error instanceof SHORTER_THAN_SAID) return { kind: 'unknown', code }
    throw error
  }
}

/** True when a frame is a push: unsolicited, never the answer to a command. */
export function isPush(frame: Uint8Array): boolean {
  return (frame[0] ?? 0) >= 0x80
}

/** Reads a frame from its second byte on; DataView throws RangeError past the end. */
class Fields {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 1

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  u8 = (): number => this.#view.getUint8(this.#step(1))
  i8 = (): number => this.#view.getInt8(this.#step(1))
  u16 = (): number => this.#view.getUint16(this.#step(2), true)
  i16 = (): number => this.#view.getInt16(this.#step(2), true)
  u32 = (): number => this.#view.getUint32(this.#step(4), true)

  bytes(length: number): Uint8Array {
    if (this.left < length) throw new SHORTER_THAN_SAID('the frame ends early')
    return this.#bytes.slice(this.#step(length), this.#at)
  }

  rest(): string {
    return Buffer.from(this.bytes(this.left)).toString('utf8')
  }

  /** A text in a field of fixed length. The firmware does not clear what follows the first NUL, so it is cut there. */
  padded(length: number): string {
    const field = this.bytes(length)
    const end = field.indexOf(0)
    return Buffer.from(end === -1 ? field : field.subarray(0, end)).toString('utf8')
  }

  skip(length: number): this {
    this.bytes(length)
    return this
  }

  #step(length: number): number {
    const at = this.#at
    this.#at += length
    return at
  }
}

type Reader = (fields: Fields) => Message

const READERS = new Map<number, Reader>([
  [0x00, () => ({ kind: 'ok' })],
  [0x01, (f) => ({ kind: 'error', code: f.left > 0 ? f.u8() : 0 })],
  [0x02, (f) => ({ kind: 'contacts-start', count: f.u32() })],
  [0x03, contact],
  [0x04, () => ({ kind: 'contacts-end' })],
  [0x05, selfInfo],
  [0x06, (f) => ({ kind: 'sent', flood: f.u8() === 1, ackTag: f.u32(), timeoutMs: f.u32() })],
  [0x07, (f) => directTextFrom(f, null)],
  [0x08, (f) => channelTextFrom(f, null)],
  [0x09, (f) => ({ kind: 'time', epochSeconds: f.u32() })],
  [0x0a, () => ({ kind: 'no-more-texts' })],
  [0x0c, (f) => ({ kind: 'battery', millivolts: f.u16() })],
  [0x0d, deviceInfo],
  [0x0f, () => ({ kind: 'disabled' })],
  [0x10, (f) => directTextFrom(f, snr(f))],
  [0x11, (f) => channelTextFrom(f, snr(f))],
  [
    0x12,
    (f) => ({ kind: 'channel', index: f.u8(), name: f.padded(32), secret: f.left >= 16 ? f.bytes(16) : NO_BYTES })
  ],
  [0x17, (f) => ({ kind: 'tuning', rxDelay: f.u32() / 1000, airtimeFactor: f.u32() / 1000 })],
  [0x18, stats],
  [0x80, (f) => ({ kind: 'advert', key: f.bytes(32) })],
  [0x81, (f) => ({ kind: 'path-updated', key: f.bytes(32) })],
  [0x82, (f) => ({ kind: 'confirmed', ackTag: f.u32() })],
  [0x83, () => ({ kind: 'text-waiting' })],
  [0x88, (f) => ({ kind: 'heard', snr: f.i8() / 4, rssi: f.i8(), packet: f.bytes(f.left) })]
])
const NO_BYTES = new Uint8Array(0)

/** The newer text frames begin with the signal-to-noise ratio and two reserved bytes. */
function snr(f: Fields): number {
  const quarters = f.i8()
  f.skip(2)
  return quarters / 4
}

function contact(f: Fields): Message {
  const key = f.bytes(32)
  const type = f.u8()
  const name = f.skip(1 + 1 + 64).padded(32)
  return { kind: 'contact', key, type, name, advertSeconds: f.left >= 4 ? f.u32() : 0 }
}

function selfInfo(f: Fields): Message {
  const key = f.skip(3).bytes(32)
  const frequencyKhz = f.skip(4 + 4 + 4).u32()
  const bandwidthHz = f.u32()
  const spreadingFactor = f.u8()
  const codingRate = f.u8()
  return { kind: 'self-info', key, frequencyKhz, bandwidthHz, spreadingFactor, codingRate, name: f.padded(f.left) }
}

/** Firmware before protocol 3 sends the version alone, protocol 8 nothing after the firmware's version. */
function deviceInfo(f: Fields): Message {
  const version = f.u8()
  const maxContacts = f.left >= 1 ? f.u8() * 2 : null
  const maxChannels = f.left >= 1 ? f.u8() : null
  if (f.left >= 4) f.skip(4)
  const text = (length: number): string | null => (f.left > 0 ? f.padded(Math.min(length, f.left)) : null)
  const build = text(12)
  const model = text(40)
  return { kind: 'device-info', version, maxContacts, maxChannels, build, model, firmware: text(20) }
}

function channelTextFrom(f: Fields, ratio: number | null): Message {
  const slot = f.u8()
  const hops = hopsOf(f.u8())
  const type = f.u8()
  return { kind: 'text', slot, keyPrefix: null, hops, type, timestamp: f.u32(), text: f.rest(), snr: ratio }
}

/** A signed text (of a room) has four bytes of its author's key before the text. */
function directTextFrom(f: Fields, ratio: number | null): Message {
  const keyPrefix = Buffer.from(f.bytes(6)).toString('hex')
  const hops = hopsOf(f.u8())
  const type = f.u8()
  const timestamp = f.u32()
  if (type === 2) f.skip(4)
  return { kind: 'text', slot: null, keyPrefix, hops, type, timestamp, text: f.rest(), snr: ratio }
}

/** The two top bits are the size of a hash; all ones means the packet came on a known path. */
function hopsOf(pathLength: number): number | null {
  return pathLength === 0xff ? null : pathLength & 0x3f
}

function stats(f: Fields): Message {
  const kind = f.u8()
  if (kind === 0) {
    return { kind: 'core-stats', millivolts: f.u16(), uptimeSeconds: f.u32(), errors: f.u16(), waiting: f.u8() }
  }
  if (kind === 1) {
    const [noise, rssi, quarters] = [f.i16(), f.i8(), f.i8()]
    return { kind: 'radio-stats', noise, rssi, snr: quarters / 4, txSeconds: f.u32(), rxSeconds: f.u32() }
  }
  if (kind === 2) return { kind: 'packet-stats', received: f.u32(), sent: f.u32() }
  return { kind: 'unknown', code: 0x18 }
}
