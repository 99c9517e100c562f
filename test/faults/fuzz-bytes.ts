import type { Chance } from './fuzz-chance.ts'

/** Bytes broken bit by bit and by ranges, and protobuf messages broken field by field. */

const EDGES = [0, 1, 0x3c, 0x3e, 0x7f, 0x80, 0x94, 0xc3, 0xfe, 0xff]

function changed(bytes: Uint8Array, chance: Chance, others: readonly Uint8Array[]): Uint8Array {
  const at = chance.below(bytes.length + 1)
  const long = 1 + chance.below(chance.onceIn(4) ? 64 : 4)
  const head = bytes.subarray(0, at)
  switch (chance.below(8)) {
    case 0:
      return joined(head, bytes.subarray(at + long))
    case 1:
      return joined(head, bytes.subarray(at, at + long), bytes.subarray(at))
    case 2: {
      const other = chance.of(others)
      const from = chance.below(other.length + 1)
      return joined(head, other.subarray(from, from + long), bytes.subarray(at + chance.below(2) * long))
    }
    case 3:
      return head
    case 4:
      return joined(head, new Uint8Array(long).fill(chance.of(EDGES)), bytes.subarray(at))
    default: {
      // `slice` of a Buffer is none: the corpus would rot.
      const copy = Uint8Array.from(bytes)
      if (at < copy.length) copy[at] = chance.onceIn(2) ? chance.of(EDGES) : (copy[at] ?? 0) ^ (1 << chance.below(8))
      return copy
    }
  }
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** `base` changed once to six times, with bytes of the corpus too, no longer than `most`. */
export function brokenBytes(
  chance: Chance,
  { base, corpus, most }: { base: Uint8Array; corpus: readonly Uint8Array[]; most: number }
): Uint8Array {
  let bytes = base
  const changes = chance.onceIn(50) ? 0 : 1 + chance.below(chance.onceIn(3) ? 6 : 2)
  for (let done = 0; done < changes; done++) bytes = changed(bytes, chance, corpus)
  return bytes.subarray(0, most)
}

/** `base` with some bytes exchanged, at the length it had: a file of offsets is read on behind its header. */
export function brokenInPlace(chance: Chance, base: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(base)
  for (let left = 1 + chance.below(chance.onceIn(3) ? 6 : 2); left > 0; left--) {
    const at = chance.below(bytes.length)
    const [from, long] = [chance.below(bytes.length), chance.onceIn(3) ? 1 + chance.below(8) : 1]
    const kind = chance.below(6)
    if (kind < 2) bytes.fill(chance.of(EDGES), at, at + long)
    else if (kind === 2) bytes.copyWithin(at, from, from + long)
    else bytes[at] = chance.onceIn(2) ? chance.below(256) : (bytes[at] ?? 0) ^ (1 << chance.below(8))
  }
  return bytes
}

/** The same beginning and end around a piece that is repeated. */
export function pumpOfBytes(chance: Chance, corpus: readonly Uint8Array[]): (size: number) => Uint8Array {
  const base = chance.of(corpus)
  const cut = chance.onceIn(2) ? 0 : chance.below(base.length + 1)
  const from = chance.below(base.length + 1)
  const piece = chance.onceIn(3)
    ? Uint8Array.from({ length: 1 + chance.below(4) }, () => chance.of(EDGES))
    : base.slice(from, from + 1 + chance.below(16))
  const tail = chance.onceIn(2) ? new Uint8Array(0) : base.subarray(cut)
  return (size) => {
    const one = piece.length === 0 ? Uint8Array.of(0) : piece
    const room = Math.max(one.length, size - cut - tail.length)
    const body = new Uint8Array(room)
    for (let at = 0; at < room; at += one.length) body.set(one.subarray(0, Math.min(one.length, room - at)), at)
    return joined(base.subarray(0, cut), body, tail)
  }
}

interface Field {
  number: number
  wire: number
  value: Uint8Array
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value >>> 0
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return [...bytes, rest]
}

/** The fields of a message; null when the bytes are none. */
function fieldsOf(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = []
  let at = 0
  const number = (): number | null => {
    let bits = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) return null
      if (shift < 32) bits |= (byte & 0x7f) << shift
      if (byte < 0x80) return bits >>> 0
    }
    return null
  }
  while (at < bytes.length) {
    const tag = number()
    if (tag === null || tag >>> 3 === 0) return null
    const wire = tag & 7
    const begin = at
    const length = wire === 2 ? number() : wire === 0 ? 0 : wire === 1 ? 8 : wire === 5 ? 4 : null
    if (length === null || (wire === 0 && number() === null)) return null
    const start = wire === 2 ? at : begin
    if (wire !== 0) at += length
    if (at > bytes.length) return null
    fields.push({ number: tag >>> 3, wire, value: bytes.subarray(start, at) })
  }
  return fields
}

function written(fields: readonly Field[]): Uint8Array {
  return joined(
    ...fields.flatMap(({ number, wire, value }) => [
      Uint8Array.from([...varint(((number << 3) | wire) >>> 0), ...(wire === 2 ? varint(value.length) : [])]),
      value
    ])
  )
}

/** A protobuf message with one field gone, doubled, renumbered, of another type or with another value, at any depth. */
export function brokenMessage(bytes: Uint8Array, chance: Chance): Uint8Array {
  const fields = fieldsOf(bytes)
  if (fields === null || fields.length === 0) return bytes
  const at = chance.below(fields.length)
  const field = fields[at]
  if (field === undefined) return bytes
  switch (chance.below(7)) {
    case 0:
      fields.splice(at, 1)
      break
    case 1:
      fields.splice(chance.below(fields.length), 0, field)
      break
    case 2:
      field.number = chance.of([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 19, 536870911])
      break
    case 3:
      fields[at] = { ...field, wire: 0, value: Uint8Array.from(varint(chance.of([0, 1, 127, 128, 0xffffffff]))) }
      break
    case 4:
      fields[at] = {
        ...field,
        wire: 5,
        value: Uint8Array.from([0, 0, chance.below(256), chance.of([0x7f, 0xff, 0x80])])
      }
      break
    default:
      if (field.wire === 2) field.value = brokenMessage(field.value, chance)
      else field.value = Uint8Array.from(varint(chance.below(0x1_0000_0000)))
  }
  return written(fields)
}
