import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { errorCode } from '../../../platform/files/atomic-file.ts'
import type { ExtractTools } from '../../enrich/extract-tools.ts'
import { pdfFacts } from '../../enrich/pdf-facts.ts'
import { pagesOfFile, writePdfText } from '../../enrich/pdf-text.ts'
import { textLength, visibleText } from './block.ts'

/** A conversion that keeps less of the text has lost something. */
const KEPT_SHARE = 0.9

export interface Judged {
  pages: number
  textLength: number
}

/**
 * Judges whether a PDF is what a converter says it is: exit codes are not believed. It begins with %PDF, has pages, and
 * holds at least 90 % of the source's text (null: nobody knows how much that is). @throws AppError `bad-input` saying
 * what is wrong
 */
export async function judgePdf(options: {
  pdf: string
  sourceTextLength: number | null
  converter: string
  workFolder: string
  tools: ExtractTools
  signal?: AbortSignal
}): Promise<Judged> {
  const { pdf, sourceTextLength, converter, tools, signal } = options
  const given = signal === undefined ? {} : { signal }
  if ((await firstBytes(pdf)) !== '%PDF-') throw new AppError('bad-input', because('converter_no_pdf', { converter }))
  const { pages } = await pdfFacts(pdf, { tools, ...given })
  const folder = await mkdtemp(join(options.workFolder, 'judge-'))
  try {
    const into = join(folder, 'text.txt')
    await writePdfText({ path: pdf, into, pages, tools, ...given })
    let length = 0
    for await (const text of pagesOfFile(into)) length += textLength(visibleText(text))
    if (length === 0 && sourceTextLength !== 0)
      throw new AppError('bad-input', because('converter_no_text', { converter }))
    if (sourceTextLength !== null && length < sourceTextLength * KEPT_SHARE) {
      const share = Math.floor((length / sourceTextLength) * 100)
      throw new AppError('bad-input', because('converter_lost_text', { converter, percent: share }))
    }
    return { pages, textLength: length }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function firstBytes(file: string): Promise<string> {
  try {
    const handle = await open(file)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(5), 0, 5, 0)
      return buffer.toString('latin1', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}
