import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { Page } from '../catalogue/document.ts'
import { type Cue, readCues } from './captions.ts'

/** A page of a transcript ends at the first sentence after so long, at the latest after the second. Seconds. */
const PAGE = 120
const LONGEST_PAGE = 150
/** A silence this long begins a new paragraph. Seconds. */
const SILENCE = 4
/** Characters in a page, for files whose times say nothing. */
const MOST = 6000
/** Non-blank characters; less is no transcript. */
const FEWEST = 50

/** The words somebody said, without what the caption before has shown already. */
interface Said {
  start: number
  end: number
  text: string
}

/**
 * The pages of a WebVTT or SubRip file: prose of about two minutes each, with the second it begins at. Captions that roll
 * (each repeats the line before) or grow word by word are told once.
 * @throws AppError `invalid` when there is no text to speak of, saying what was found.
 */
export function transcriptPages(text: string): Page[] {
  const { cues, broken } = readCues(text)
  const said = withoutRolling(cues)
  const length = said.reduce((sum, { text: words }) => sum + words.replace(/\s/g, '').length, 0)
  if (length < FEWEST) {
    const found = { length, cues: cues.length }
    throw new AppError(
      'invalid',
      broken === 0
        ? because('transcript_too_short', found)
        : because('transcript_too_short_broken', { ...found, broken })
    )
  }
  return pagesOf(said)
}

function withoutRolling(cues: readonly Cue[]): Said[] {
  const said: Said[] = []
  let before: string[] = []
  for (const { start, end, lines } of cues) {
    const fresh = newLines(before, lines)
    if (lines.length > 0) before = lines
    const text = fresh.join(' ')
    if (text !== '') said.push({ start, end, text })
  }
  return said
}

/** The lines of a caption that the one before did not end with; of one that goes on with its last words, what is new. */
function newLines(before: readonly string[], lines: readonly string[]): string[] {
  const whole = lines.join(' ')
  const shown = before.join(' ')
  if (shown !== '' && whole.startsWith(`${shown} `)) return [whole.slice(shown.length + 1)]
  for (let shared = Math.min(before.length, lines.length); shared > 0; shared--) {
    const isSame = lines.slice(0, shared).every((line, at) => line === before[before.length - shared + at])
    if (isSame) return lines.slice(shared)
  }
  const last = before.at(-1) ?? ''
  const [first = '', ...rest] = lines
  if (last !== '' && first.startsWith(`${last} `)) return [first.slice(last.length + 1), ...rest]
  return [...lines]
}

function pagesOf(said: readonly Said[]): Page[] {
  const pages: { start: number; text: string }[] = []
  let end = 0
  for (const { start, end: until, text } of said) {
    const page = pages.at(-1)
    if (page === undefined || isOver(page, start)) pages.push({ start, text })
    else page.text += `${start - end >= SILENCE || /^[\p{Lu}][^:]{0,60}: /u.test(text) ? '\n\n' : ' '}${text}`
    end = until
  }
  return pages.map(({ start, text }, at) => ({ number: at + 1, text, method: 'text', startSeconds: start }))
}

function isOver(page: { start: number; text: string }, now: number): boolean {
  const lasted = now - page.start
  // Times that jump back: parts of a recording one after the other.
  if (lasted < 0 || lasted >= LONGEST_PAGE || page.text.length >= MOST) return true
  return lasted >= PAGE && /[.!?…。！？]["”’)\]]*$/.test(page.text)
}
