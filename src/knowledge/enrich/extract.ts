import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Page } from '../catalogue/document.ts'
import { type ExtractTools, systemTools } from './extract-tools.ts'
import { type NoOcr, type OcrReader, type OcrSettings, openOcr } from './ocr.ts'
import { isCovered, type PagePictures, picturesOf } from './page-pictures.ts'
import { cleanPageText, isBetterText, pageQuality } from './page-quality.ts'
import { pdfFacts } from './pdf-facts.ts'
import { firstPdfText, pagesOfFile, writePdfText } from './pdf-text.ts'
import { cutPages, readTextFile, textFileHead } from './text-pages.ts'

export interface Extracted {
  pages: Page[]
  /** Pages whose text came from OCR. */
  ocrPages: number
  /** Sentences for people: what may be missing, and what to do. */
  warnings: Reason[]
}

export interface ExtractOptions {
  /** The file. */
  source: string
  kind: 'pdf' | 'text'
  /** A folder of this document alone, for what is made on the way; the caller removes it when all is done. */
  workFolder: string
  ocr: OcrSettings
  signal?: AbortSignal
  onProgress?: (text: Reason) => void
  tools?: ExtractTools
}

/**
 * The text of every page. Pages of a PDF keep their numbers, blank ones are empty. Pages without any text, and pages that a picture
 * covers and whose text fails the quality gate, are read again by OCR, and the better text is kept. Safe to run again: OCR goes on where it stopped.
 * @throws AppError `invalid` (needs a password; no text at all), `bad-input` (damaged), `too-large`, `timeout`, `missing`
 * (a program; the work waits for it)
 */
export async function extractPages(options: ExtractOptions): Promise<Extracted> {
  const extracted = options.kind === 'pdf' ? await pdfPages(options) : await textPages(options.source)
  if (extracted.pages.every(({ text }) => text === '')) {
    throw new AppError('invalid', because('no_text_in_document'))
  }
  return extracted
}

/** Text of the first pages, pages separated by form feeds; of a text file by its ending `.txt`. @throws AppError as above */
export async function firstPagesText(
  path: string,
  pages: number,
  options: { tools?: ExtractTools; signal?: AbortSignal } = {}
): Promise<string> {
  const text = path.endsWith('.txt') ? await textFileHead(path, pages) : await firstPdfText(path, pages, options)
  return text.split('\f').map(cleanPageText).join('\f')
}

async function textPages(source: string): Promise<Extracted> {
  const pages = cutPages(await readTextFile(source)).map((text, index) => page(index + 1, cleanPageText(text), 'text'))
  return { pages, ocrPages: 0, warnings: [] }
}

function page(number: number, text: string, method: string): Page {
  return { number, text, method: text === '' ? 'none' : method, startSeconds: null }
}

async function pdfPages(options: ExtractOptions): Promise<Extracted> {
  const { source, workFolder, signal, onProgress = () => undefined, tools = systemTools } = options
  const given = signal === undefined ? {} : { signal }
  const facts = await pdfFacts(source, { tools, ...given })
  onProgress(because('reading_pages', { count: facts.pages }))
  const folder = join(workFolder, 'text')
  await makeBelow(workFolder, folder)
  const into = join(folder, 'pages.txt')
  try {
    const damage = await writePdfText({ path: source, into, pages: facts.pages, tools, ...given })
    const pages: Page[] = []
    for await (const text of pagesOfFile(into)) pages.push(page(pages.length + 1, cleanPageText(text), 'pdftotext'))
    while (pages.length < facts.pages) pages.push(page(pages.length + 1, '', 'none'))
    const scanned = await readScanned(pages, { ...options, tools })
    return { ...scanned, warnings: [...(damage === null ? [] : [damage]), ...scanned.warnings] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Scanned = ExtractOptions & { tools: ExtractTools }

/** Replaces the text of pages that fail the gate by what OCR reads, where that is better. */
async function readScanned(pages: Page[], options: Scanned): Promise<Extracted> {
  const { source, workFolder, ocr, tools, signal } = options
  const given = signal === undefined ? {} : { signal }
  // Asked only when some page needs it.
  const isAsked = pages.some(({ text }) => pageQuality(text) !== 'good')
  const pictured = isAsked ? await picturesOf({ source, workFolder, pages: pages.length, ...given }, tools) : null
  const wanted = pages.filter((one) => needsOcr(one, pictured))
  if (wanted.length === 0) return { pages, ocrPages: 0, warnings: [] }
  const reader = await openOcr({ pdf: source, folder: workFolder, ocr, tools, ...given })
  if (!('read' in reader)) return withoutOcr(pages, wanted, pictured, reader)
  return readPages(pages, wanted, reader, options)
}

/** Text on a page that no picture covers is its text: a title, an index, a program, however little it looks like prose. */
function needsOcr({ number, text }: Page, pictured: PagePictures | null): boolean {
  const quality = pageQuality(text)
  if (quality === 'good') return false
  return quality === 'empty' || (pictured !== null && isCovered(pictured, number))
}

async function readPages(pages: Page[], wanted: Page[], reader: OcrReader, options: Scanned): Promise<Extracted> {
  const failed: number[] = []
  for (const [at, { number, text }] of wanted.entries()) {
    options.signal?.throwIfAborted()
    options.onProgress?.(because('reading_scanned_page', { page: number, at: at + 1, count: wanted.length }))
    const read = await readOrNull(reader, number, failed)
    const better = cleanPageText(read ?? '')
    if (isBetterText(better, text)) pages[number - 1] = page(number, better, 'tesseract')
  }
  const ocrPages = pages.filter(({ method }) => method === 'tesseract').length
  const warnings =
    failed.length === 0 ? [] : [because('scanned_unreadable', { count: failed.length, pages: listOf(failed) })]
  if (ocrPages > 0 && reader.lacks !== null) warnings.push(reader.lacks)
  return { pages, ocrPages, warnings }
}

/** One page that is too much for the programs does not cost the others. */
async function readOrNull(reader: OcrReader, number: number, failed: number[]): Promise<string | null> {
  try {
    return await reader.read(number)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'missing' || error.code === 'unavailable') throw error
    failed.push(number)
    return null
  }
}

function withoutOcr(
  pages: Page[],
  wanted: readonly Page[],
  pictured: PagePictures | null,
  { reason, missing }: NoOcr
): Extracted {
  const scans = wanted.filter(({ number }) => pictured === null || pictured.has(number))
  if (scans.length > 0 && pages.every(({ text }) => text === '')) {
    throw new AppError(
      missing ? 'missing' : 'invalid',
      because('all_pages_pictures', { count: pages.length, why: reason })
    )
  }
  const empty = scans.filter(({ text }) => pageQuality(text) !== 'good').length
  const warnings = empty === 0 ? [] : [because('some_pages_pictures', { empty, count: pages.length, why: reason })]
  return { pages, ocrPages: 0, warnings }
}

function listOf(numbers: readonly number[]): string {
  return numbers.length > 10 ? `${numbers.slice(0, 10).join(', ')} …` : numbers.join(', ')
}
