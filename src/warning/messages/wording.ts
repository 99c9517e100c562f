import { COMPASS, compassPoint } from '../../model/compass.ts'
import { CATALOGUE } from './catalogue/catalogue.ts'
import { put, type Terms, type Words } from './catalogue/words.ts'
import { momentIn } from './moments.ts'
import type { ComposeRequest } from './request.ts'
import { clockText, instantText, type TimeStyle } from './times.ts'

type Asked = Pick<ComposeRequest, 'language' | 'station' | 'nowMs'>

/** The words of the channel's language. */
export function wordsOf({ language = 'en' }: Pick<ComposeRequest, 'language'>): Words {
  return CATALOGUE[language].words
}

/** The words for what a source says in English; null on an English channel, which has the source's. */
export function termsOf({ language = 'en' }: Pick<ComposeRequest, 'language'>): Terms | null {
  return CATALOGUE[language].terms
}

function styleOf({ station }: Asked, words: Words): TimeStyle {
  return words.knows12h ? station : { ...station, time_format: '24h' }
}

const marked = (text: string, { hourMark }: Words): string =>
  hourMark === ':' ? text : text.replace(/(?<=\d):(?=\d\d)/g, hourMark)

/** An instant as the people of the channel say it, see `instantText`. */
export function momentText(asked: Asked, ms: number): string {
  const words = wordsOf(asked)
  const text = instantText(ms, styleOf(asked, words), asked.nowMs)
  return asked.language === undefined || asked.language === 'en' ? text : marked(momentIn(words.fixed, text), words)
}

/** The time of day alone. */
export function hourText(asked: Asked, ms: number): string {
  const words = wordsOf(asked)
  return marked(clockText(ms, styleOf(asked, words)), words)
}

/** The nearest of 16 points of the compass in the channel's language. */
export const pointText = (words: Words, degrees: number): string => pointIn(words, compassPoint(degrees))

/** A point of the compass that a source names in English. */
export function pointIn({ compass }: Words, point: string): string {
  return compass.split(' ')[COMPASS.indexOf(point)] ?? point
}

/** The mark before a text (`RPT`, `STILL`, `VIA MC`), as the channel reads it; rows store the English one. */
export function markText(words: Words, mark: string): string {
  if (mark === 'RPT' || mark === 'STILL' || mark === 'DEMO') return words.marks[mark]
  const [, network] = /^VIA (M[CT])$/.exec(mark) ?? []
  return network === undefined ? mark : put(words.via, network)
}
