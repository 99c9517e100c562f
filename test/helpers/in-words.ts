import { because, isReason, type Reason } from '../../src/model/reason.ts'
import { sentenceOf } from '../../src/model/words/sentences.ts'

/** Some reason of a test's own, as a sentence. */
export const note = (text: string): Reason => because('note', { text })

/** The same value with every reason in it as its English sentence: what a reader would see. */
export function inWords(value: unknown): unknown {
  if (isReason(value)) return sentenceOf(value)
  if (Array.isArray(value)) return value.map(inWords)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inWords(part)]))
}
