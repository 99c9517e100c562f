import { Parser } from 'htmlparser2'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { type BookFacts, textLength, visibleText } from './block.ts'
import type { SafeZip } from './safe-zip.ts'

const BODY = 'word/document.xml'

/** Title and author as the document's properties say. */
export async function docxFacts(zip: SafeZip): Promise<BookFacts> {
  const facts = { title: '', author: '' }
  const markup = (await zip.text('docProps/core.xml')) ?? ''
  let inside = ''
  const parser = new Parser(
    {
      onopentagname: () => {
        inside = ''
      },
      ontext: (text) => {
        inside += text
      },
      onclosetag: (name) => {
        if (name === 'dc:title') facts.title = inside
        if (name === 'dc:creator') facts.author = inside
      }
    },
    { xmlMode: true }
  )
  parser.end(markup)
  return facts
}

/**
 * Characters of the document's own text, blanks not counted (ECMA-376, `w:t`). Of text that stands twice, for old readers
 * (`mc:Fallback`), and of hidden text only what is seen counts. @throws AppError `bad-input` when there is no document
 */
export async function docxTextLength(zip: SafeZip): Promise<number> {
  const body = zip.has(BODY) ? BODY : zip.names.find((name) => /^word\/document\w*\.xml$/.test(name))
  const markup = body === undefined ? null : await zip.text(body)
  if (markup === null) throw new AppError('bad-input', because('word_no_text_part'))
  let length = 0
  let fallback = 0
  let hidden = false
  let text = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'mc:Fallback') fallback += 1
        if (name === 'w:r') hidden = false
        if (name === 'w:vanish') hidden = attributes['w:val'] !== '0' && attributes['w:val'] !== 'false'
        if (name === 'w:t') text = true
      },
      ontext(piece) {
        if (text && fallback === 0 && !hidden) length += textLength(visibleText(piece))
      },
      onclosetag(name) {
        if (name === 'mc:Fallback') fallback -= 1
        if (name === 'w:t') text = false
      }
    },
    { xmlMode: true }
  )
  parser.end(markup)
  return length
}
