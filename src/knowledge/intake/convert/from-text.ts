import { guessEncoding } from '../../encoding/guess.ts'
import { readTextFile } from '../../enrich/read-text.ts'
import { CHILD_LIMITS } from './limits.ts'
import type { OwnResult } from './own-result.ts'
import { PdfWriter } from './pdf-writer.ts'

/** A line longer than this was not broken by its writer: every line is a paragraph then. */
const BROKEN_LINES = 120

/** Lays plain text out as a PDF; form feeds begin new pages. @throws AppError */
export async function textToPdf(input: string, output: string): Promise<OwnResult> {
  // This runs in a process of its own already.
  const text = await readTextFile(input, CHILD_LIMITS.textBytes, { guess: guessEncoding })
  const writer = await PdfWriter.open({ path: output, facts: { title: '', author: '' } })
  try {
    for (const part of text.split('\f')) {
      await writer.add({ kind: 'new-page' })
      for (const paragraph of paragraphsOf(part)) await writer.add({ kind: 'paragraph', text: paragraph })
    }
  } catch (error) {
    writer.abandon()
    throw error
  }
  return writer.close()
}

function paragraphsOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/)
  return lines.some((line) => line.length > BROKEN_LINES) ? lines : lines.join('\n').split(/\n[ \t]*\n/)
}
