// Vector tiles (Mapbox Vector Tile 2.1), as much of them as a plain map needs. Throws on anything that is not one, and
// reads no more than a screen can show, whatever the file says.

const MAX_BYTES = 8 * 1024 * 1024
const MAX_NUMBERS = 400_000

/** @typedef {{ type: 1 | 2 | 3, tags: Record<string, string | number | boolean>, lines: number[][] }} TileFeature lines: flat x, y pairs in tile units */
/** @typedef {{ extent: number, features: TileFeature[] }} TileLayer */

/** Protobuf wire format: https://protobuf.dev/programming-guides/encoding */
class Reader {
  at = 0
  #bytes
  #view

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get more() {
    return this.at < this.#bytes.length
  }

  varint() {
    let value = 0
    for (let shift = 1; shift <= 2 ** 63; shift *= 128) {
      const byte = this.#bytes[this.at++]
      if (byte === undefined) throw new Error('the tile ends in the middle')
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
    throw new Error('a number of the tile is too long')
  }

  bytes() {
    const length = this.varint()
    const end = this.at + length
    if (end > this.#bytes.length) throw new Error('the tile ends in the middle')
    const part = this.#bytes.subarray(this.at, end)
    this.at = end
    return part
  }

  /** @param {4 | 8} size */
  float(size) {
    if (this.at + size > this.#bytes.length) throw new Error('the tile ends in the middle')
    const value = size === 4 ? this.#view.getFloat32(this.at, true) : this.#view.getFloat64(this.at, true)
    this.at += size
    return value
  }

  /** @param {number} wire */
  skip(wire) {
    if (wire === 0) this.varint()
    else if (wire === 2) this.bytes()
    else if (wire === 1 || wire === 5) this.float(wire === 1 ? 8 : 4)
    else throw new Error('this is no vector tile')
  }
}

/**
 * Calls `field` for each field of a message; what it does not read (answers false) is skipped.
 * @param {Uint8Array} bytes @param {(number: number, reader: Reader, wire: number) => boolean} field
 */
function message(bytes, field) {
  const reader = new Reader(bytes)
  while (reader.more) {
    const key = reader.varint()
    const wire = key % 8
    if (!field((key - wire) / 8, reader, wire)) reader.skip(wire)
  }
}

const text = new TextDecoder()

/**
 * The layers of a tile that are wanted, by name.
 * @param {Uint8Array} bytes not compressed
 * @param {ReadonlySet<string>} wanted
 * @returns {Map<string, TileLayer>}
 */
export function decodeTile(bytes, wanted) {
  if (bytes.length > MAX_BYTES) throw new Error('the tile is too large')
  /** @type {Map<string, TileLayer>} */
  const layers = new Map()
  const budget = { left: MAX_NUMBERS }
  message(bytes, (number, reader, wire) => {
    if (number !== 3 || wire !== 2) return false
    const layer = readLayer(reader.bytes(), wanted, budget)
    if (layer !== null) layers.set(layer.name, layer)
    return true
  })
  return layers
}

/** @param {Uint8Array} bytes @param {ReadonlySet<string>} wanted @param {{ left: number }} budget */
function readLayer(bytes, wanted, budget) {
  let name = ''
  let extent = 4096
  /** @type {string[]} */ const keys = []
  /** @type {(string | number | boolean)[]} */ const values = []
  /** @type {Uint8Array[]} */ const raw = []
  message(bytes, (number, reader, wire) => {
    if (number === 5 && wire === 0) extent = reader.varint()
    else if (wire !== 2 || number > 4) return false
    else if (number === 1) name = text.decode(reader.bytes())
    else if (number === 2) raw.push(reader.bytes())
    else if (number === 3) keys.push(text.decode(reader.bytes()))
    else values.push(readValue(reader.bytes()))
    return true
  })
  if (!wanted.has(name) || extent <= 0) return null
  const features = raw.flatMap((one) => readFeature(one, keys, values, budget) ?? [])
  return { name, extent, features }
}

/** Number of the field → how its value is read. @type {Record<number, (reader: Reader) => string | number | boolean>} */
const VALUES = {
  1: (reader) => text.decode(reader.bytes()),
  2: (reader) => reader.float(4),
  3: (reader) => reader.float(8),
  4: (reader) => reader.varint(),
  5: (reader) => reader.varint(),
  6: (reader) => zigzag(reader.varint()),
  7: (reader) => reader.varint() === 1
}
const WIRES = [-1, 2, 5, 1, 0, 0, 0, 0]

/** @param {Uint8Array} bytes @returns {string | number | boolean} */
function readValue(bytes) {
  /** @type {string | number | boolean} */
  let value = ''
  message(bytes, (number, reader, wire) => {
    const read = VALUES[number]
    if (read === undefined || WIRES[number] !== wire) return false
    value = read(reader)
    return true
  })
  return value
}

/** @param {number} value */
function zigzag(value) {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

/**
 * @param {Uint8Array} bytes @param {readonly string[]} keys @param {readonly (string | number | boolean)[]} values
 * @param {{ left: number }} budget
 * @returns {TileFeature | null}
 */
function readFeature(bytes, keys, values, budget) {
  let type = 0
  /** @type {number[]} */ let tagNumbers = []
  /** @type {number[]} */ let commands = []
  message(bytes, (number, reader, wire) => {
    if (number === 3 && wire === 0) type = reader.varint()
    else if (number === 2 && wire === 2) tagNumbers = packed(reader.bytes(), budget)
    else if (number === 4 && wire === 2) commands = packed(reader.bytes(), budget)
    else return false
    return true
  })
  if (type !== 1 && type !== 2 && type !== 3) return null
  /** @type {TileFeature['tags']} */
  const tags = {}
  for (let at = 0; at + 1 < tagNumbers.length; at += 2) {
    const key = keys[tagNumbers[at] ?? -1]
    const value = values[tagNumbers[at + 1] ?? -1]
    if (key !== undefined && value !== undefined && key !== '__proto__') tags[key] = value
  }
  return { type, tags, lines: linesOf(commands, type === 3) }
}

/** @param {Uint8Array} bytes @param {{ left: number }} budget */
function packed(bytes, budget) {
  const reader = new Reader(bytes)
  const numbers = []
  while (reader.more && budget.left-- > 0) numbers.push(reader.varint())
  return numbers
}

/** Commands of section 4.3: 1 move, 2 line, 7 close. @param {readonly number[]} commands @param {boolean} closed */
function linesOf(commands, closed) {
  /** @type {number[][]} */
  const lines = []
  let [x, y] = [0, 0]
  const step = (/** @type {number} */ id, /** @type {number} */ at) => {
    x += zigzag(commands[at] ?? 0)
    y += zigzag(commands[at + 1] ?? 0)
    if (id === 1) lines.push([x, y])
    else lines.at(-1)?.push(x, y)
  }
  for (let at = 0; at < commands.length; ) {
    const command = commands[at++] ?? 0
    const id = command & 7
    const end = Math.min(commands.length - 1, at + (id === 7 ? 0 : 2 * (command >>> 3)))
    for (; at < end; at += 2) step(id, at)
    if (id === 7 && closed) close(lines.at(-1))
  }
  return lines
}

/** @param {number[] | undefined} line */
function close(line) {
  if (line !== undefined) line.push(line[0] ?? 0, line[1] ?? 0)
}
