/** Vectors as they are kept: eight bits a number for the score, one bit a number for finding candidates. */

/** The vector in whole numbers from -127 to 127, scaled to use that range; the direction is what counts. */
export function toBytes(vector: Float32Array): Uint8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const bytes = new Int8Array(vector.length)
  if (largest > 0)
    for (let at = 0; at < vector.length; at++) bytes[at] = Math.round(((vector[at] ?? 0) * 127) / largest)
  return new Uint8Array(bytes.buffer)
}

/** Dimensions of a code: the next power of two, at least one word. */
const codeDims = (dims: number): number => 2 ** Math.max(5, Math.ceil(Math.log2(dims)))

/** Bytes of a code. */
export const codeLength = (dims: number): number => codeDims(dims) / 8

/**
 * The vector seen from another side: signs drawn once for ever, then the Walsh–Hadamard transform. Angles stay, and every
 * number becomes a sum of all, so that one bit of each says much: with hashed letters, whose numbers are most of them small
 * and a few large, 300 candidates then hold 96 % of the true ten best instead of 64 % (docs/decisions/0010).
 */
function rotated(vector: Float32Array): Float32Array {
  const turned = new Float32Array(codeDims(vector.length))
  for (let at = 0; at < vector.length; at++) turned[at] = (vector[at] ?? 0) * signOf(at)
  for (let half = 1; half < turned.length; half *= 2) addAndSubtract(turned, half)
  return turned
}

function addAndSubtract(values: Float32Array, half: number): void {
  for (let block = 0; block < values.length; block += 2 * half)
    for (let at = block; at < block + half; at++) {
      const [a, b] = [values[at] ?? 0, values[at + half] ?? 0]
      values[at] = a + b
      values[at + half] = a - b
    }
}

/** One bit of a finaliser of MurmurHash3: the same on every machine. */
function signOf(at: number): 1 | -1 {
  let hash = Math.imul(at + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) & 1) === 0 ? 1 : -1
}

/** One bit a dimension of the turned vector, bit 0 of byte 0 first: whether the number is above 0. */
export function toCode(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(codeLength(vector.length))
  for (const [at, value] of rotated(vector).entries())
    if (value > 0) code[at >> 3] = (code[at >> 3] ?? 0) | (1 << (at & 7))
  return code
}

/** Cosine between a vector of length 1 and stored bytes. */
export function cosine(vector: Float32Array, bytes: Uint8Array): number {
  const stored = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let dot = 0
  let square = 0
  for (let at = 0; at < vector.length; at++) {
    const value = stored[at] ?? 0
    dot += (vector[at] ?? 0) * value
    square += value * value
  }
  return square === 0 ? 0 : dot / Math.sqrt(square)
}

export interface ByteTable {
  /** 256 sums for each byte of a code: what these eight dimensions add to the score. */
  sums: Int16Array
  /** No score is larger, none smaller than its negative. */
  limit: number
}

const SCALE = 30_000

/**
 * The question side keeps its precision: a score is the sum of `±question` over all dimensions of the turned vectors, read
 * eight at a time. Hamming distance costs as much and would round the question too.
 */
export function byteTable(question: Float32Array): ByteTable {
  const vector = rotated(question)
  const total = vector.reduce((sum, value) => sum + Math.abs(value), 0)
  const factor = total === 0 ? 0 : SCALE / total
  const bytes = codeLength(question.length)
  const sums = new Int16Array(bytes * 256)
  const weights = new Float64Array(8)
  for (let byte = 0; byte < bytes; byte++) {
    for (let bit = 0; bit < 8; bit++) weights[bit] = (vector[byte * 8 + bit] ?? 0) * factor
    for (let pattern = 0; pattern < 256; pattern++) sums[byte * 256 + pattern] = signedSum(weights, pattern)
  }
  // Each byte's sum is rounded once, by at most a half.
  return { sums, limit: SCALE + Math.ceil(bytes / 2) }
}

function signedSum(weights: Float64Array, pattern: number): number {
  let sum = 0
  for (let bit = 0; bit < 8; bit++) sum += ((pattern >> bit) & 1) === 1 ? (weights[bit] ?? 0) : -(weights[bit] ?? 0)
  return Math.round(sum)
}
