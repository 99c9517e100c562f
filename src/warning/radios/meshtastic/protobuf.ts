/** As much of the Protocol Buffers wire format as Meshtastic's messages need: varint, fixed32, float, length-delimited. */

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** Bytes that are no protobuf message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
}

type Value =
  | { wire: typeof VARINT | typeof FIXED32; bits: number }
  | { wire: typeof BYTES; bytes: Uint8Array }
  | { wire: typeof FIXED64 }

/**
 * One decoded message, asked by field number. A field that is absent, or has another wire type than asked for, has its default, as
 * protobuf demands; unknown fields do no harm. Of a repeated field the last counts.
 */
export class Fields {
  readonly #values: ReadonlyMap<number, Value>

  private constructor(values: ReadonlyMap<number, Value>) {
    this.#values = values
  }

  /** Throws ProtobufError when the bytes are not a whole, well-formed message. */
  static decode(bytes: Uint8Array): Fields {
    const values = new Map<number, Value>()
    const reader = new Reader(bytes)
    while (!reader.done) {
      const tag = reader.varint()
      const field = tag >>> 3
      if (field === 0) throw new ProtobufError('field number 0')
      values.set(field, reader.value(tag & 7))
    }
    return new Fields(values)
  }

  /** The field numbers present, lowest first. */
  get numbers(): number[] {
    return [...this.#values.keys()].sort((a, b) => a - b)
  }

  has(field: number): boolean {
    return this.#values.has(field)
  }

  /** The low 32 bits of a varint, without sign. */
  uint(field: number): number {
    return this.#bits(field, VARINT) >>> 0
  }

  /** The low 32 bits of a varint, with sign. */
  int(field: number): number {
    return this.#bits(field, VARINT) | 0
  }

  bool(field: number): boolean {
    return this.#bits(field, VARINT) !== 0
  }

  fixed32(field: number): number {
    return this.#bits(field, FIXED32) >>> 0
  }

  float(field: number): number {
    const view = new DataView(new ArrayBuffer(4))
    view.setInt32(0, this.#bits(field, FIXED32))
    return view.getFloat32(0)
  }

  bytes(field: number): Uint8Array {
    const value = this.#values.get(field)
    return value?.wire === BYTES ? value.bytes : new Uint8Array(0)
  }

  /** UTF-8; what is not becomes U+FFFD. */
  text(field: number): string {
    return new TextDecoder().decode(this.bytes(field))
  }

  /** The message in `field`, or null when there is none. Throws ProtobufError when the bytes are none. */
  message(field: number): Fields | null {
    return this.#values.get(field)?.wire === BYTES ? Fields.decode(this.bytes(field)) : null
  }

  #bits(field: number, wire: typeof VARINT | typeof FIXED32): number {
    const value = this.#values.get(field)
    return value?.wire === wire ? value.bits : 0
  }
}

/**
 * True when the bytes are a whole, well-formed message. Keeps nothing of it and throws nothing: a chunk of noise may hold a header
 * at every other byte, and this is asked behind each.
 */
export function isWellFormed(bytes: Uint8Array): boolean {
  const walk = new Walk(bytes)
  while (!walk.done) if (!walk.field()) return false
  return true
}

class Walk {
  readonly #bytes: Uint8Array
  #at = 0
  /** The low 32 bits of the last varint. */
  #bits = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Steps over one field; false where the bytes are none. */
  field(): boolean {
    if (!this.#varint() || this.#bits >>> 3 === 0) return false
    const wire = this.#bits & 7
    if (wire === VARINT) return this.#varint()
    if (wire === BYTES && !this.#varint()) return false
    const length = wire === BYTES ? this.#bits : wire === FIXED64 ? 8 : wire === FIXED32 ? 4 : Number.POSITIVE_INFINITY
    this.#at += length
    return this.#at <= this.#bytes.length
  }

  #varint(): boolean {
    this.#bits = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) return false
      if (shift < 32) this.#bits = (this.#bits | ((byte & 0x7f) << shift)) >>> 0
      if (byte < 0x80) return true
    }
    return false
  }
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Up to 64 bits, of which the low 32 are kept: no field read here has more. */
  varint(): number {
    let bits = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new ProtobufError('cut inside a number')
      if (shift < 32) bits |= (byte & 0x7f) << shift
      if (byte < 0x80) return bits >>> 0
    }
    throw new ProtobufError('a number longer than 64 bits')
  }

  value(wire: number): Value {
    switch (wire) {
      case VARINT:
        return { wire, bits: this.varint() }
      case FIXED64:
        this.#take(8)
        return { wire }
      case BYTES:
        return { wire, bytes: this.#take(this.varint()) }
      case FIXED32: {
        const four = this.#take(4)
        return { wire, bits: new DataView(four.buffer, four.byteOffset).getInt32(0, true) }
      }
      default:
        throw new ProtobufError(`wire type ${wire}`)
    }
  }

  #take(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new ProtobufError('cut inside a field')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

/** Builds a message field by field. As in proto3, a zero or empty field is not written, except an empty message. */
export class Writer {
  readonly #bytes: number[] = []

  /** A whole number from 0 to 2^32 − 1. */
  uint(field: number, value: number): this {
    if (value !== 0) {
      this.#varint((field << 3) | VARINT)
      this.#varint(value)
    }
    return this
  }

  bool(field: number, value: boolean): this {
    return this.uint(field, value ? 1 : 0)
  }

  fixed32(field: number, value: number): this {
    if (value !== 0) {
      this.#varint((field << 3) | FIXED32)
      this.#bytes.push(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24)
    }
    return this
  }

  bytes(field: number, value: Uint8Array): this {
    return value.length === 0 ? this : this.#delimited(field, value)
  }

  message(field: number, value: Writer): this {
    return this.#delimited(field, value.finish())
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }

  #delimited(field: number, value: Uint8Array): this {
    this.#varint((field << 3) | BYTES)
    this.#varint(value.length)
    this.#bytes.push(...value)
    return this
  }

  #varint(value: number): void {
    let rest = value >>> 0
    while (rest >= 0x80) {
      this.#bytes.push((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.#bytes.push(rest)
  }
}
