import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { visibleText } from '../../knowledge/intake/convert/block.ts'
import { boardFontsFor } from '../../knowledge/intake/convert/board-fonts.ts'
import { ownCoverage } from '../../knowledge/intake/convert/text-painter.ts'
import { blocksOf, type Flow, type PaperBlock } from './blocks.ts'
import { PaperLayout } from './layout.ts'
import { type Sheet, sheetSchema } from './sheet.ts'

/** Role `print:page`: reads a `Sheet` as JSON from standard input and writes a PDF to standard output. */
export async function printPage(): Promise<void> {
  const sheet = v.parse(sheetSchema, JSON.parse((await buffer(process.stdin)).toString('utf8')))
  await writePaper(sheet, process.stdout)
}

/** Fonts of this machine are looked for in `fontFolders`, when ours lack a character. */
export async function writePaper(
  sheet: Sheet,
  out: NodeJS.WritableStream,
  fontFolders?: readonly string[]
): Promise<void> {
  const PDFDocument = (await import('pdfkit')).default
  const blocks: PaperBlock[] = [
    { kind: 'heading', level: 1, flow: [[{ text: sheet.title, look: 'bold' }]] },
    ...blocksOf(sheet.html)
  ]
  const missing = missingFrom([sheet.head, ...blocks.flatMap(textsOf)])
  const others = boardFontsFor(missing, fontFolders)
  const unknown = [...missing].filter((code) => !others.some(({ coverage }) => coverage.has(code)))
  if (unknown.length > 0) {
    const text = sheet.words.unknown.replace('{count}', String(unknown.length))
    blocks.splice(1, 0, { kind: 'paragraph', flow: [[{ text, look: 'plain' }]], note: true })
  }
  const doc = new PDFDocument({
    ...{ size: sheet.size, margin: 0, pdfVersion: '1.7', bufferPages: true, font: '' },
    info: { Producer: 'Lookout', Creator: 'Lookout', Title: sheet.title }
  })
  const written = pipeline(doc, out)
  const layout = new PaperLayout(doc, sheet, others)
  for (const block of blocks) layout.add(block)
  layout.end()
  await written
}

/** Characters that the embedded fonts lack. */
function missingFrom(texts: readonly string[]): Set<number> {
  const own = ownCoverage('regular')
  const missing = new Set<number>()
  for (const text of texts)
    for (const sign of visibleText(text)) {
      const code = sign.codePointAt(0) ?? 0
      if (!own.has(code)) missing.add(code)
    }
  return missing
}

function textsOf(block: PaperBlock): string[] {
  const of = (flow: Flow): string[] => flow.flat().map(({ text }) => text)
  if (block.kind === 'table') return [...block.heads, ...block.rows.flat().flatMap(of)]
  if (block.kind === 'boxes') return block.boxes.flatMap(({ name, flow }) => [name, ...of(flow)])
  return of(block.flow)
}
