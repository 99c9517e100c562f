import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { EMPTY } from '../../platform/process/run.ts'
import { EXTRACT_LIMITS, type ExtractTools } from './extract-tools.ts'
import { NEEDED_PROGRAMS } from './needed-programs.ts'

const DOTS_PER_INCH = 200
/** tesseract's own notion of a page without words. */
const NOTHING = /^[\s\f]*$/

export interface OcrSettings {
  /** False: pages without text stay without. */
  enabled: boolean
  /** Names of tesseract's language data, such as `eng`. */
  languages: readonly string[]
}

export interface OcrReader {
  /** The text of a page, or null when there is nothing to be read on it. @throws AppError of the programs' limits */
  read: (page: number) => Promise<string | null>
  /** The languages that cannot be read here, and what to do about it. */
  lacks: Reason | null
}

/** The reason why no page can be read, and what to do about it. */
export interface NoOcr {
  reason: Reason
  /** Something is to be installed; else it is switched off. */
  missing: boolean
}

/**
 * A reader of scanned pages, or why there is none. What was read is kept in `folder`, so that a run that was interrupted goes
 * on where it stopped.
 */
export async function openOcr(options: {
  pdf: string
  folder: string
  ocr: OcrSettings
  tools: ExtractTools
  signal?: AbortSignal
}): Promise<OcrReader | NoOcr> {
  const { pdf, ocr, tools, signal } = options
  if (!ocr.enabled) return { reason: because('ocr_off'), missing: false }
  for (const name of ['tesseract', 'pdftoppm'] as const) {
    if (tools.find(name) === null) return notInstalled(because('note', { text: name }), NEEDED_PROGRAMS[name].package)
  }
  const installed = await languagesOf(tools, signal)
  const languages = ocr.languages.filter((language) => installed.has(language))
  if (languages.length === 0) return withoutData(ocr.languages)
  const folder = join(options.folder, `ocr-${languages.join('+')}`)
  await makeBelow(options.folder, folder)
  // A page that lies on its side or stands on its head is turned first, where the data for that is there.
  const turning = installed.has('osd') ? ['--psm', '1'] : []
  const reader = new PageReader({ pdf: resolve(pdf), folder, languages: languages.join('+'), turning, tools, signal })
  const lacking = ocr.languages.filter((language) => !installed.has(language))
  return { read: (page) => reader.read(page), lacks: lacking.length === 0 ? null : withoutData(lacking).reason }
}

function withoutData(languages: readonly string[]): NoOcr {
  return notInstalled(
    because('tesseract_data', { languages: languages.join(', ') }),
    languages.map(languagePackage).join(' ')
  )
}

/** Debian's name of a language's data: `tesseract-ocr-chi-sim`. */
function languagePackage(language: string): string {
  return `tesseract-ocr-${language.toLowerCase().replaceAll('_', '-')}`
}

function notInstalled(what: Reason, packages: string): NoOcr {
  return { reason: because('not_installed_apt', { what, packages }), missing: true }
}

async function languagesOf(tools: ExtractTools, signal: AbortSignal | undefined): Promise<Set<string>> {
  const { stdout, stderr } = await tools.run({
    command: 'tesseract',
    args: ['--list-langs'],
    cwd: EMPTY,
    limits: { timeMs: EXTRACT_LIMITS.infoMs, memoryBytes: EXTRACT_LIMITS.ocrMemoryBytes, outputBytes: 64 * 1024 },
    ...(signal === undefined ? {} : { signal })
  })
  // Older versions list on standard error.
  return new Set(`${stdout.toString('utf8')}\n${stderr}`.split('\n').map((line) => line.trim()))
}

interface ReaderParts {
  pdf: string
  folder: string
  languages: string
  /** Options of tesseract. */
  turning: readonly string[]
  tools: ExtractTools
  signal: AbortSignal | undefined
}

class PageReader {
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  async read(page: number): Promise<string | null> {
    const { folder } = this.#parts
    const kept = join(folder, `${page}.txt`)
    const text = await readFile(kept, 'utf8').catch(() => null)
    if (text !== null) return NOTHING.test(text) ? null : text
    const picture = join(folder, 'page.png')
    try {
      await this.#run('pdftoppm', ['-r', String(DOTS_PER_INCH), '-gray', '-png', '-singlefile', ...this.#only(page)])
      const { size } = await stat(picture).catch(() => ({ size: 0 }))
      if (size === 0) throw new AppError('bad-input', because('page_not_drawn', { page }))
      await this.#run('tesseract', ['page.png', 'page', '-l', this.#parts.languages, ...this.#parts.turning])
      await rename(join(folder, 'page.txt'), kept)
      const read = await readFile(kept, 'utf8')
      return NOTHING.test(read) ? null : read
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('bad-input', because('page_not_read', { page, said: reasonOf(error) }), { cause: error })
    } finally {
      await rm(picture, { force: true })
    }
  }

  #only(page: number): string[] {
    return ['-f', String(page), '-l', String(page), this.#parts.pdf, 'page']
  }

  async #run(command: 'pdftoppm' | 'tesseract', args: readonly string[]): Promise<void> {
    const { folder, tools, signal } = this.#parts
    await tools.run({
      command,
      args,
      cwd: folder,
      reads: [this.#parts.pdf],
      // One thread: the other core has radios to serve, and two are hardly faster.
      env: { OMP_THREAD_LIMIT: '1' },
      limits: {
        timeMs: EXTRACT_LIMITS.ocrPageMs,
        memoryBytes: EXTRACT_LIMITS.ocrMemoryBytes,
        outputBytes: 64 * 1024,
        folderBytes: { folder, bytes: EXTRACT_LIMITS.ocrFolderBytes }
      },
      ...(signal === undefined ? {} : { signal })
    })
  }
}
