import type { Embedder } from './embedder.ts'

const DIMS = 1024
/** Part of the model's name: a change of what is hashed, or how, makes other vectors. */
const MODEL = 'ngrams-3-5-1024'

const WORD = /[\p{L}\p{N}]+/gu
const MARKS = /\p{M}+/gu
/** Scripts written without blanks: a word is one to three signs. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Longer runs of letters are no words: their beginning is enough. */
const MAX_WORD = 64

/** The weight of a whole word beside one of its n-grams. */
const WORD_WEIGHT = 1

/**
 * Vectors from letters alone: every word and every run of 3 to 5 letters of it falls into one of 1024 dimensions with a sign,
 * both by a hash (signed feature hashing, Weinberger et al. 2009). Texts that share words, or parts of them, are near each
 * other; texts that mean the same in other words are not. Deterministic, needs nothing, knows no language and so takes all.
 */
export const hashEmbedder: Embedder = {
  provider: 'hash',
  model: MODEL,
  dims: DIMS,
  floor: 0.08,
  embed: async (texts) => texts.map(hashVector)
}

/** One text as a vector of length 1; of a text without letters and digits, zeros. */
export function hashVector(text: string): Float32Array {
  const counts = new Map<string, number>()
  const folded = text.normalize('NFKD').replace(MARKS, '').toLowerCase()
  for (const [word] of folded.matchAll(WORD)) {
    const key = word.slice(0, MAX_WORD)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const vector = new Float32Array(DIMS)
  for (const [word, count] of counts) addWord(vector, word, 1 + Math.log(count))
  return normalised(vector)
}

/** Words of few letters are mostly grammar, in most languages; each n-gram counts less the more a word has. */
function addWord(vector: Float32Array, word: string, frequency: number): void {
  const unspaced = UNSPACED.test(word)
  const [shortest, longest] = unspaced ? [1, 3] : [3, 5]
  const framed = unspaced ? word : `^${word}$`
  const weight = frequency * (unspaced ? 1 : Math.min(1, word.length / 6) ** 2)
  add(vector, hashOf(`=${word}`, 0, word.length + 1), weight * WORD_WEIGHT)
  const grams = Math.max(1, (longest - shortest + 1) * (framed.length - longest + 2))
  const each = (weight * 3) / Math.sqrt(grams)
  for (let size = shortest; size <= longest; size++)
    for (let from = 0; from + size <= framed.length; from++) add(vector, hashOf(framed, from, from + size), each)
}

/** The low ten bits choose the dimension, another one the sign. */
function add(vector: Float32Array, hash: number, weight: number): void {
  const at = hash & (DIMS - 1)
  vector[at] = (vector[at] ?? 0) + ((hash & 0x10000) === 0 ? weight : -weight)
}

/** FNV-1a over UTF-16 units, then the finaliser of MurmurHash3: every bit depends on every unit. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The vector with length 1. */
export function normalised(vector: Float32Array): Float32Array {
  let square = 0
  for (const value of vector) square += value * value
  const length = Math.sqrt(square)
  return length === 0 ? vector : vector.map((value) => value / length)
}
