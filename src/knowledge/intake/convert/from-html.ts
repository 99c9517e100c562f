import { createReadStream } from 'node:fs'
import { HtmlBlocks } from './html-blocks.ts'
import type { OwnResult } from './own-result.ts'
import { PdfWriter } from './pdf-writer.ts'

/** Lays HTML in UTF-8 out as a PDF, without pictures. @throws AppError */
export async function htmlToPdf(input: string, output: string): Promise<OwnResult> {
  const writer = await PdfWriter.open({ path: output, facts: { title: '', author: '' } })
  try {
    const reader = new HtmlBlocks()
    for await (const chunk of createReadStream(input, { encoding: 'utf8' })) {
      for (const block of reader.feed(String(chunk))) await writer.add(block)
    }
    for (const block of reader.end()) await writer.add(block)
  } catch (error) {
    writer.abandon()
    throw error
  }
  return writer.close()
}
