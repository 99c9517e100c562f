import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** The header of a model of this kind is a few hundred bytes. */
const MOST_HEADER = 1_000_000
/** Rows that are kept: words of a text come again. */
const KEPT_ROWS = 2048
const LENGTH_BYTES = 8

type Reader = (view: DataView, at: number) => number

/** By the names of the format: bytes a number, and how it is read. */
const TYPES: Readonly<Record<string, { bytes: number; read: Reader }>> = {
  F64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => halfFloat(view.getUint16(at, true)) },
  BF16: { bytes: 2, read: (view, at) => upperHalf(view.getUint16(at, true)) },
  I64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  I32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  I8: { bytes: 1, read: (view, at) => view.getInt8(at) }
}

/** True of the first bytes of a file of the format. */
export function looksLikeTable(head: Buffer): boolean {
  if (head.length <= LENGTH_BYTES) return false
  return head.readBigUInt64LE() <= MOST_HEADER && head.subarray(LENGTH_BYTES).toString('latin1', 0, 1) === '{'
}

/** A file that is none of the format, or not whole. */
export class NoSafetensors extends Error {}

/** A table of numbers in a file, read row by row: a board need not hold 30 MB of it. */
export class TensorTable {
  readonly rows: number
  /** Numbers in a row; 1 for a list. */
  readonly columns: number
  readonly #fd: number
  readonly #from: number
  readonly #type: { bytes: number; read: Reader }
  readonly #kept = new Map<number, Float64Array>()

  constructor(fd: number, { shape, dtype, from, to }: Tensor) {
    const type = TYPES[dtype]
    const [rows = 0, columns = 1] = shape
    if (type === undefined) throw new NoSafetensors(`numbers of the type ${dtype} are not known here`)
    if (shape.length > 2 || rows * columns * type.bytes !== to - from)
      throw new NoSafetensors('a table does not fit its file')
    this.#fd = fd
    this.#from = from
    this.#type = type
    this.rows = rows
    this.columns = columns
  }

  /** Row `at` of 0 to `rows` - 1. @throws NoSafetensors when there is none, or it holds what is no number */
  row(at: number): Float64Array {
    const kept = this.#kept.get(at)
    if (kept !== undefined) return kept
    if (!Number.isSafeInteger(at) || at < 0 || at >= this.rows) throw new NoSafetensors(`it has no row ${at}`)
    const { bytes, read } = this.#type
    const buffer = readWhole(this.#fd, this.#from + at * this.columns * bytes, this.columns * bytes)
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    const row = Float64Array.from({ length: this.columns }, (_, column) => read(view, column * bytes))
    if (!row.every(Number.isFinite)) throw new NoSafetensors('it holds what is no number')
    if (this.#kept.size >= KEPT_ROWS) this.#kept.clear()
    this.#kept.set(at, row)
    return row
  }
}

interface Tensor {
  dtype: string
  shape: number[]
  /** Places in the file, in bytes. */
  from: number
  to: number
}

/** The tables of a file by their names, and the file, which stays open until `close`. */
export interface SafetensorsFile {
  tables: ReadonlyMap<string, TensorTable>
  close: () => void
}

/**
 * Opens a file of the safetensors format: eight bytes with the length of a JSON header, the header, the numbers.
 * @throws NoSafetensors when it is none; the error of the system when it cannot be read
 */
export function openSafetensors(path: string): SafetensorsFile {
  const fd = openSync(path, 'r')
  try {
    const tensors = tensorsOf(fd)
    const tables = new Map([...tensors].map(([name, tensor]) => [name, new TensorTable(fd, tensor)]))
    return { tables, close: () => closeSync(fd) }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function tensorsOf(fd: number): Map<string, Tensor> {
  const { size } = fstatSync(fd)
  if (size < LENGTH_BYTES) throw new NoSafetensors('it is empty')
  const length = Number(readWhole(fd, 0, LENGTH_BYTES).readBigUInt64LE())
  if (length > Math.min(MOST_HEADER, size - LENGTH_BYTES)) throw new NoSafetensors('its header is longer than the file')
  const header = parsed(readWhole(fd, LENGTH_BYTES, length).toString('utf8'))
  const start = LENGTH_BYTES + length
  return new Map(
    Object.entries(header).flatMap(([name, value]) => {
      if (name === '__metadata__') return []
      const tensor = tensorOf(value, start)
      if (tensor === null || tensor.to > size) throw new NoSafetensors(`its table ${name} is not whole`)
      return [[name, tensor] as const]
    })
  )
}

function parsed(text: string): object {
  try {
    const header: unknown = JSON.parse(text)
    if (typeof header === 'object' && header !== null) return header
  } catch (error) {
    throw new NoSafetensors('its header is no JSON', { cause: error })
  }
  throw new NoSafetensors('its header is no object')
}

function tensorOf(value: unknown, start: number): Tensor | null {
  if (typeof value !== 'object' || value === null) return null
  const { dtype, shape, data_offsets: offsets } = value as { dtype?: unknown; shape?: unknown; data_offsets?: unknown }
  const isCounts = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((one) => Number.isSafeInteger(one) && one >= 0)
  if (typeof dtype !== 'string' || !isCounts(shape) || !isCounts(offsets)) return null
  const [from, to] = offsets
  return from === undefined || to === undefined || to < from
    ? null
    : { dtype, shape, from: start + from, to: start + to }
}

function readWhole(fd: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  if (readSync(fd, buffer, 0, length, at) < length) throw new NoSafetensors('it is shorter than it says')
  return buffer
}

const MANTISSA = 1024

/** IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const [sign, exponent, mantissa] = [bits >> 15 === 0 ? 1 : -1, (bits >> 10) & 31, bits & (MANTISSA - 1)]
  if (exponent === 0) return sign * 2 ** -14 * (mantissa / MANTISSA)
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : Number.NaN
  return sign * 2 ** (exponent - 15) * (1 + mantissa / MANTISSA)
}

const words = new DataView(new ArrayBuffer(4))

/** The upper half of a binary32. */
function upperHalf(bits: number): number {
  words.setUint32(0, bits << 16)
  return words.getFloat32(0)
}
