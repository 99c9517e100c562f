import { stat } from 'node:fs/promises'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { type TextFileOptions, textAtStart, textOfFile } from '../encoding/text-file.ts'
import { EXTRACT_LIMITS } from './extract-tools.ts'
import { cleanPageText } from './page-quality.ts'
import { cutPages, PageCutter } from './text-pages.ts'

/** The beginning of a text that is enough for one page. */
export const TEXT_HEAD_BYTES = 256 * 1024

/**
 * The pages of a text file, one after the other, as they are stored; those without text are left out. A file is read piece by piece: a
 * text of any length needs the memory of a few pages. @throws AppError `too-large`
 */
export async function* pagesOfText(path: string, options: TextFileOptions = {}): AsyncGenerator<string> {
  await checkSize(path, EXTRACT_LIMITS.fileBytes)
  const cutter = new PageCutter()
  for await (const piece of textOfFile(path, options)) yield* filled(cutter.add(piece))
  yield* filled(cutter.end())
}

function* filled(pages: Iterable<string>): Generator<string> {
  for (const page of pages) {
    const text = cleanPageText(page)
    if (text !== '') yield text
  }
}

/** The whole text of a file that must not be large: captions, what another program wrote. @throws AppError `too-large` */
export async function readTextFile(path: string, limit: number, options: TextFileOptions = {}): Promise<string> {
  await checkSize(path, limit)
  const pieces: string[] = []
  for await (const piece of textOfFile(path, options)) pieces.push(piece)
  return pieces.join('')
}

/** The beginning of a text file, at most `pages` pages. */
export async function textFileHead(path: string, pages: number, options: TextFileOptions = {}): Promise<string> {
  const text = await textAtStart(path, TEXT_HEAD_BYTES * Math.max(1, pages), options)
  return cutPages(text).slice(0, pages).join('\f')
}

async function checkSize(path: string, limit: number): Promise<void> {
  const { size } = await stat(path)
  if (size > limit) throw new AppError('too-large', because('text_too_large', { size, limit }))
}
