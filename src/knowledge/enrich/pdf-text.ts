import { createReadStream } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { EMPTY } from '../../platform/process/run.ts'
import { EXTRACT_LIMITS, type ExtractTools, systemTools } from './extract-tools.ts'
import { missingProgram } from './needed-programs.ts'

interface TextRun {
  path: string
  /** The file that the text goes to, in a folder of its own. */
  into: string
  pages: number
  tools: ExtractTools
  signal?: AbortSignal
}

/**
 * Writes the text of a PDF as UTF-8, a form feed after every page. The answer is a warning when the PDF is damaged.
 * @throws AppError `missing`, `timeout`, `too-large`; `bad-input` when no text file came out.
 */
export async function writePdfText({ path, into, pages, tools, signal }: TextRun): Promise<Reason | null> {
  if (tools.find('pdftotext') === null) throw missingProgram('pdftotext')
  const folder = dirname(into)
  const result = await tools.run({
    command: 'pdftotext',
    args: ['-enc', 'UTF-8', resolve(path), into],
    cwd: folder,
    reads: [resolve(path)],
    limits: {
      timeMs: EXTRACT_LIMITS.textMs + pages * EXTRACT_LIMITS.textMsPerPage,
      memoryBytes: EXTRACT_LIMITS.memoryBytes,
      outputBytes: 64 * 1024,
      folderBytes: { folder, bytes: EXTRACT_LIMITS.textBytes }
    },
    ...(signal === undefined ? {} : { signal })
  })
  if (result.code !== 0) {
    throw new AppError('bad-input', because('pdf_text_unreadable', { said: result.stderr.trim().slice(-200) }))
  }
  return /Syntax Error/.test(result.stderr) ? because('pdf_text_may_be_missing') : null
}

/** The pages of a file with form feeds, one at a time. What follows the last form feed is a page only if it is not empty. @throws AppError `too-large` */
export async function* pagesOfFile(file: string): AsyncGenerator<string> {
  let parts: string[] = []
  let length = 0
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    const [first = '', ...pages] = String(chunk).split('\f')
    parts.push(first)
    length += first.length
    if (length > EXTRACT_LIMITS.pageLetters)
      throw new AppError('too-large', because('page_too_much_text', { limit: EXTRACT_LIMITS.pageLetters }))
    for (const next of pages) {
      yield parts.join('')
      parts = [next]
      length = next.length
    }
  }
  const rest = parts.join('')
  if (rest !== '') yield rest
}

/** Text of the first `pages` pages of a PDF, for a quick look; pages end with a form feed. @throws AppError as `writePdfText` */
export async function firstPdfText(
  path: string,
  pages: number,
  { tools = systemTools, signal }: { tools?: ExtractTools; signal?: AbortSignal } = {}
): Promise<string> {
  if (tools.find('pdftotext') === null) throw missingProgram('pdftotext')
  const result = await tools.run({
    command: 'pdftotext',
    args: ['-enc', 'UTF-8', '-l', String(pages), resolve(path), '-'],
    cwd: EMPTY,
    reads: [resolve(path)],
    limits: {
      timeMs: EXTRACT_LIMITS.textMs,
      memoryBytes: EXTRACT_LIMITS.memoryBytes,
      outputBytes: 8 * 1024 * 1024
    },
    ...(signal === undefined ? {} : { signal })
  })
  if (result.code !== 0) {
    throw new AppError('bad-input', because('pdf_text_unreadable', { said: result.stderr.trim().slice(-200) }))
  }
  return result.stdout.toString('utf8')
}
