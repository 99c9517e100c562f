import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { type BookFacts, textLength, visibleText } from './block.ts'
import type { SafeZip } from './safe-zip.ts'
import { MOST_OPEN, ShallowParser } from './shallow-parser.ts'

const BODY = 'word/document.xml'

/** Title and author as the document's properties say. */
export async function docxFacts(zip: SafeZip): Promise<BookFacts> {
  const facts = { title: '', author: '' }
  const markup = (await zip.text('docProps/core.xml')) ?? ''
  let inside = ''
  let depth = 0
  const parser = new ShallowParser(
    {
      onopentag: () => {
        depth++
        inside = ''
      },
      ontext: (text) => {
        inside += text
      },
      onclosetag: (name) => {
        depth--
        if (name === 'dc:title') facts.title = inside
        if (name === 'dc:creator') facts.author = inside
      }
    },
    () => depth > MOST_OPEN,
    { xmlMode: true }
  )
  parser.end(markup)
  return facts
}

/**
 * Characters of the document's own text, blanks not counted (ECMA-376, `w:t`). Of text that stands twice, for old readers
 * (`mc:Fallback`), and of hidden text only what is seen counts. @throws AppError `bad-input` when there is no document, or
 * one nested so deep that its reader, which is recursive, would run out of stack.
 */
export async function docxTextLength(zip: SafeZip): Promise<number> {
  const body = zip.has(BODY) ? BODY : zip.names.find((name) => /^word\/document\w*\.xml$/.test(name))
  const markup = body === undefined ? null : await zip.text(body)
  if (markup === null) throw new AppError('bad-input', because('word_no_text_part'))
  let length = 0
  let fallback = 0
  let hidden = false
  let text = false
  let depth = 0
  let deepest = 0
  const parser = new ShallowParser(
    {
      onopentag(name, attributes) {
        depth++
        deepest = Math.max(deepest, depth)
        if (name === 'mc:Fallback') fallback += 1
        if (name === 'w:r') hidden = false
        if (name === 'w:vanish') hidden = attributes['w:val'] !== '0' && attributes['w:val'] !== 'false'
        if (name === 'w:t') text = true
      },
      ontext(piece) {
        if (text && fallback === 0 && !hidden) length += textLength(visibleText(piece))
      },
      onclosetag(name) {
        depth--
        if (name === 'mc:Fallback') fallback -= 1
        if (name === 'w:t') text = false
      }
    },
    () => depth > MOST_OPEN,
    { xmlMode: true }
  )
  parser.end(markup)
  if (deepest > MOST_OPEN) throw new AppError('bad-input', because('markup_too_deep', { most: MOST_OPEN }))
  return length
}
