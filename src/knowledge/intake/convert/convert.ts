import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { placeFile } from '../../../platform/files/atomic-file.ts'
import { missingProgram } from '../../enrich/needed-programs.ts'
import { type Attempt, firstThatWorks, type Made } from './attempts.ts'
import { textLength, visibleText } from './block.ts'
import { type ConvertTools, type Run, runOwn, systemConvertTools } from './convert-tools.ts'
import { judgePdf } from './judge.ts'
import { CHILD_LIMITS } from './limits.ts'
import { unpackMobi } from './mobi.ts'
import { byCalibre, byLibreOffice } from './office.ts'
import { isEncryptedDoc } from './word-file.ts'

export interface Converted {
  /** `converted.pdf` in the work folder. */
  pdf: string
  /** `LibreOffice`, `calibre`, `catdoc`, `mobitool` or `built in`. */
  tool: string
  /** Sentences for people: what the PDF lacks. */
  warnings: Reason[]
  /** Characters of the source's text, blanks not counted; null when nobody can tell. */
  sourceTextLength: number | null
}

export interface ConvertOptions {
  source: string
  /** `.doc`, `.docx`, `.epub`, `.mobi`, `.azw`, `.azw3`, as found by looking at the bytes. */
  extension: string
  /** A folder of this document alone. */
  workFolder: string
  tools?: ConvertTools
  signal?: AbortSignal
  onProgress?: (text: Reason) => void
}

type Job = Run & { source: string; progress: (text: Reason) => void }

const PLAIN_LAYOUT = because('converted_plain_layout')
const TEXT_ALONE = because('converted_text_alone')

/** The ways of converting each format, best first. */
const WAYS: Readonly<Record<string, (job: Job) => Promise<Attempt[]>>> = {
  '.docx': docxWays,
  '.doc': docWays,
  '.epub': async (job) => epubWays(job, job.source),
  '.mobi': mobiWays,
  '.azw': mobiWays,
  '.azw3': mobiWays
}

/**
 * Makes a PDF of a document, as faithfully as this machine can. Success is judged by the result: a PDF with pages that keeps
 * 90 % of the text. @throws AppError `missing` a program is to be installed (the work waits), `invalid` encrypted, `too-large` a
 * bomb or beyond the limits, `timeout`, `bad-input` damaged, `unsupported` another format
 */
export async function convertToPdf(options: ConvertOptions): Promise<Converted> {
  const { extension, workFolder, signal, onProgress = () => undefined, tools = systemConvertTools } = options
  const ways = Object.hasOwn(WAYS, extension) ? WAYS[extension] : undefined
  if (ways === undefined) throw new AppError('unsupported', because('format_not_converted', { extension }))
  for (const name of ['pdfinfo', 'pdftotext'] as const) if (tools.find(name) === null) throw missingProgram(name)
  const folder = await mkdtemp(join(resolve(workFolder), 'convert-'))
  try {
    const job: Job = { tools, folder, signal, source: resolve(options.source), progress: onProgress }
    const judge = async ({ pdf, sourceTextLength }: Made, converter: string): Promise<void> => {
      onProgress(because('checking_pdf'))
      const given = signal === undefined ? {} : { signal }
      await judgePdf({ pdf, sourceTextLength, converter, workFolder: folder, tools, ...given })
    }
    const made = await firstThatWorks(await ways(job), tools.find, judge)
    const pdf = join(resolve(workFolder), 'converted.pdf')
    await placeFile(made.pdf, pdf)
    return { pdf, tool: made.tool, warnings: made.warnings, sourceTextLength: made.sourceTextLength }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Looks the archive through before any other program sees it. */
async function measured(job: Job, source: string): Promise<number> {
  job.progress(because('looking_through'))
  return (await runOwn(job, 'convert:measure', source, '-')).textLength
}

async function docxWays(job: Job): Promise<Attempt[]> {
  const sourceTextLength = await measured(job, job.source)
  return [officeWay(job, sourceTextLength), ownWay(job, 'convert:docx', job.source, [PLAIN_LAYOUT])]
}

async function docWays(job: Job): Promise<Attempt[]> {
  if (await isEncryptedDoc(job.source)) {
    throw new AppError('invalid', because('document_encrypted'))
  }
  const text = job.tools.find('catdoc') === null ? null : await docText(job, job.source)
  const plain: Attempt = {
    tool: 'catdoc',
    needs: 'catdoc',
    run: async () => {
      const { path } = text ?? (await docText(job, job.source))
      return own(job, 'convert:text', path, [TEXT_ALONE])
    }
  }
  return [officeWay(job, text?.textLength ?? null), plain]
}

async function epubWays(job: Job, source: string, tool = 'built in'): Promise<Attempt[]> {
  const plain = { ...ownWay(job, 'convert:epub', source, []), tool }
  if (job.tools.find('ebook-convert') === null) return [plain]
  return [calibreWay(job, source, await measured(job, source)), plain]
}

/** Unpacked, a Kindle book is an EPUB; what mobitool cannot unpack, calibre may be able to read. */
async function mobiWays(job: Job): Promise<Attempt[]> {
  const whole = calibreWay(job, job.source, null)
  const needsMobitool: Attempt = { ...ownWay(job, 'convert:epub', job.source, []), tool: 'mobitool', needs: 'mobitool' }
  if (job.tools.find('mobitool') === null) return [whole, needsMobitool]
  job.progress(because('unpacking'))
  try {
    const { kind, path } = await unpackMobi(job, job.source)
    if (kind === 'epub') return await epubWays(job, path, 'mobitool')
    return [{ ...ownWay(job, 'convert:html', path, []), tool: 'mobitool' }]
  } catch (error) {
    const calibre = job.tools.find('ebook-convert') !== null
    if (calibre && error instanceof AppError && error.code === 'bad-input') return [whole]
    throw error
  }
}

function officeWay(job: Job, sourceTextLength: number | null): Attempt {
  return {
    tool: 'LibreOffice',
    needs: 'soffice',
    run: async () => {
      job.progress(because('converting_libreoffice'))
      return { pdf: await byLibreOffice(job, job.source), sourceTextLength, warnings: [] }
    }
  }
}

function calibreWay(job: Job, source: string, sourceTextLength: number | null): Attempt {
  return {
    tool: 'calibre',
    needs: 'ebook-convert',
    optional: true,
    run: async () => {
      job.progress(because('converting_calibre'))
      return { pdf: await byCalibre(job, source), sourceTextLength, warnings: [] }
    }
  }
}

function ownWay(job: Job, role: string, source: string, warnings: readonly Reason[]): Attempt {
  return { tool: 'built in', needs: null, run: () => own(job, role, source, warnings) }
}

async function own(job: Job, role: string, source: string, warnings: readonly Reason[]): Promise<Made> {
  job.progress(because('laying_out'))
  const pdf = join(job.folder, 'own.pdf')
  const result = await runOwn(job, role, source, pdf)
  return { pdf, sourceTextLength: result.textLength, warnings: [...warnings, ...result.warnings] }
}

/** The text of a .doc file as `catdoc` reads it, every paragraph on one line. */
async function docText(run: Run, source: string): Promise<{ path: string; textLength: number }> {
  const { stdout } = await run.tools.run({
    command: 'catdoc',
    args: ['-d', 'utf-8', '-w', source],
    cwd: run.folder,
    reads: [source],
    limits: {
      timeMs: CHILD_LIMITS.toolMs,
      memoryBytes: CHILD_LIMITS.toolMemoryBytes,
      outputBytes: CHILD_LIMITS.textBytes
    },
    ...(run.signal === undefined ? {} : { signal: run.signal })
  })
  const path = join(run.folder, 'doc.txt')
  await writeFile(path, stdout)
  return { path, textLength: textLength(visibleText(stdout.toString('utf8'))) }
}
