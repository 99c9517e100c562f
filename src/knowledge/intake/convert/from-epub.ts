import type { Block } from './block.ts'
import { memberPath, readEpub } from './epub.ts'
import { HtmlBlocks } from './html-blocks.ts'
import { ZIP_LIMITS } from './limits.ts'
import type { OwnResult } from './own-result.ts'
import { PdfWriter } from './pdf-writer.ts'
import { SafeZip } from './safe-zip.ts'

/** Characters of markup read at once: a book may be one chapter. */
const SLICE = 64 * 1024

/** Lays an EPUB out as a PDF: chapters in the order of reading, each on a new page, with its pictures. @throws AppError */
export async function epubToPdf(input: string, output: string): Promise<OwnResult> {
  const zip = await SafeZip.open(input)
  try {
    const book = await readEpub(zip)
    const writer = await PdfWriter.open({ path: output, facts: book, pictures: (source) => pictureOf(zip, source) })
    try {
      for (const chapter of book.chapters) {
        await writer.add({ kind: 'new-page' })
        for await (const block of chapterBlocks(zip, chapter)) await writer.add(block)
      }
    } catch (error) {
      writer.abandon()
      throw error
    }
    const { textLength, warnings } = await writer.close()
    return { textLength, warnings: [...book.warnings, ...warnings] }
  } finally {
    zip.close()
  }
}

/** The blocks of one chapter, as they are read; its pictures named as members of the archive. */
export async function* chapterBlocks(zip: SafeZip, chapter: string): AsyncGenerator<Block> {
  const markup = (await zip.text(chapter)) ?? ''
  const reader = new HtmlBlocks()
  for (let at = 0; at < markup.length; at += SLICE) {
    for (const block of reader.feed(markup.slice(at, at + SLICE))) yield located(block, chapter)
  }
  for (const block of reader.end()) yield located(block, chapter)
}

function located(block: Block, chapter: string): Block {
  if (block.kind !== 'picture' || block.source.startsWith('data:')) return block
  return { ...block, source: memberPath(chapter, block.source) }
}

async function pictureOf(zip: SafeZip, source: string): Promise<Buffer | null> {
  const inline = /^data:image\/(?:png|jpe?g);base64,(.*)$/is.exec(source)
  if (inline !== null) return Buffer.from(inline[1] ?? '', 'base64')
  return zip.sizeOf(source) > ZIP_LIMITS.pictureBytes ? null : await zip.bytes(source, ZIP_LIMITS.pictureBytes)
}
