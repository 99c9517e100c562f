import type { AirLanguage } from '../../model/air-languages.ts'
import { durationText } from '../../platform/clock/duration.ts'
import { byteLength, cutToBytes } from './budget.ts'
import { REPLIES } from './catalogue/replies.ts'

/** Sentences of one reply behind each other; empty ones are none. Japanese has no blank between them. */
export function told(language: AirLanguage, sentences: readonly string[]): string {
  return sentences.filter((one) => one !== '').reduce((text, one) => `${text}${joint(language, text)}${one}`, '')
}

function joint(language: AirLanguage, before: string): string {
  return before === '' || (language === 'ja' && before.endsWith('。')) ? '' : ' '
}

/** A duration in the units of a language: `1d12h`, `1日12時間`. */
export function lasting(language: AirLanguage, ms: number): string {
  return inUnits(language, durationText(ms))
}

/** The same of one that is written already. */
export function inUnits(language: AirLanguage, duration: string): string {
  const [days, hours, minutes] = REPLIES[language].units
  return duration.replace(/[dhm]/g, (unit) => (unit === 'd' ? days : unit === 'h' ? hours : minutes))
}

/** As many of the parts, in their order, as fit into `limit` bytes whole; the beginning of the first where not even that does. */
export function wholeParts(parts: readonly string[], joint: string, limit: number): string {
  let text = ''
  for (const part of parts.filter((one) => one !== '')) {
    const next = text === '' ? part : `${text}${joint}${part}`
    if (byteLength(next) <= limit) text = next
    else if (text === '') return cutToBytes(part, limit)
  }
  return text
}

const SENTENCE_END = /[.!?](?= )|。/g

/** A reply of at most `limit` bytes: sentences that find no room are left out whole; of a single one its beginning is said, to a word. */
export function withinBytes(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text
  const cut = cutToBytes(text, limit)
  const [end] = [...text.slice(0, cut.length + 1).matchAll(SENTENCE_END)].map(({ index }) => index + 1).reverse()
  if (end !== undefined && end >= cut.length / 3) return cut.slice(0, end)
  const blank = text[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ')
  return (blank > cut.length / 2 ? cut.slice(0, blank) : cut).trimEnd()
}
