import { byteLength, cutToBytes } from './budget.ts'
import { foldDraft } from './fold.ts'
import type { ComposeRequest } from './request.ts'
import { sanitise } from './sanitise.ts'
import { draftMessage } from './templates.ts'

type Asked = Pick<ComposeRequest, 'event' | 'station' | 'nowMs' | 'language' | 'ascii'>

/**
 * The name of a mark on a map, of at most `most` bytes: on an English channel the title, as its source has it; elsewhere what the text of
 * the channel calls it, `BRAND Two Barrel`, in whole words. Where it is and until when the mark says itself.
 */
export function mapName(asked: Asked, most: number): string {
  const { event, language = 'en', ascii = false } = asked
  if (language === 'en') return cutToBytes(sanitise(event.title), most).trimEnd()
  const written = draftMessage({ ...asked, kind: 'new', regions: [], limitBytes: most, targetBytes: most })
  const { what, subject } = ascii ? foldDraft(written, language) : written
  const words = sanitise(`${what} ${subject}`.replace(/,$/, '')).split(' ')
  while (words.length > 1 && byteLength(words.join(' ')) > most) words.pop()
  return cutToBytes(words.join(' '), most).replace(/[\s,:;]+$/, '')
}
