import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Guess } from '../encoding/guess.ts'
import { EXTRACT_LIMITS, type ExtractTools, systemTools } from './extract-tools.ts'
import type { OcrSettings } from './ocr.ts'
import { cleanPageText, pageQuality } from './page-quality.ts'
import { type PageShelf, PageWriter } from './page-shelf.ts'
import { pdfFacts } from './pdf-facts.ts'
import { firstPdfText, pagesOfFile, writePdfText } from './pdf-text.ts'
import { pagesOfText, textFileHead } from './read-text.ts'
import { type FoundPages, readScanned } from './scanned-pages.ts'

/** The outcome of reading a document; its pages are where `shelf` put them. */
export interface Extracted {
  pageCount: number
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
  /** Takes the pages as they are read. */
  shelf: PageShelf
  ocr: OcrSettings
  signal?: AbortSignal
  onProgress?: (text: Reason) => void
  tools?: ExtractTools
  /** Of the encoding of a text. */
  guess?: Guess
}

/**
 * Reads the text of every page, page by page: what is in memory does not grow with the file. Pages of a PDF keep their numbers, blank ones are
 * empty. Pages without any text, and pages that a picture covers and whose text fails the quality gate, are read again by OCR, and the
 * better text is kept. Safe to run again: OCR goes on where it stopped.
 * @throws AppError `invalid` (needs a password; no text at all), `bad-input` (damaged), `too-large`, `timeout`, `missing`
 * (a program; the work waits for it); NotReadYet when there is no text without OCR, and OCR did not read it
 */
export async function extractPages(options: ExtractOptions): Promise<Extracted> {
  const { pageCount, ocrPages, warnings, hasText } = await (options.kind === 'pdf' ? pdfPages : textPages)(options)
  if (!hasText) throw new AppError('invalid', because('no_text_in_document'))
  return { pageCount, ocrPages, warnings }
}

/** Text of the first pages, pages separated by form feeds; of a text file by its ending `.txt`. @throws AppError as above */
export async function firstPagesText(
  path: string,
  pages: number,
  options: { tools?: ExtractTools; signal?: AbortSignal; guess?: Guess } = {}
): Promise<string> {
  const text = path.endsWith('.txt')
    ? await textFileHead(path, pages, options)
    : await firstPdfText(path, pages, options)
  return text.split('\f').map(cleanPageText).join('\f')
}

type Read = Extracted & { hasText: boolean }

async function textPages({
  source,
  shelf,
  signal,
  guess,
  onProgress = () => undefined
}: ExtractOptions): Promise<Read> {
  const writer = new PageWriter(shelf)
  const options = { ...(signal === undefined ? {} : { signal }), ...(guess === undefined ? {} : { guess }) }
  for await (const text of pagesOfText(source, options)) {
    await writer.add(text, 'text')
    if (writer.count > EXTRACT_LIMITS.textPages)
      throw new AppError('too-large', because('text_too_many_pages', { limit: EXTRACT_LIMITS.textPages }))
    onProgress(because('reading_text_page', { page: writer.count }))
    signal?.throwIfAborted()
  }
  writer.end()
  return { pageCount: writer.count, ocrPages: 0, warnings: [], hasText: writer.count > 0 }
}

async function pdfPages(options: ExtractOptions): Promise<Read> {
  const { source, workFolder, shelf, signal, onProgress = () => undefined, tools = systemTools } = options
  const given = signal === undefined ? {} : { signal }
  const facts = await pdfFacts(source, { tools, ...given })
  onProgress(because('reading_pages', { count: facts.pages }))
  const folder = join(workFolder, 'text')
  await makeBelow(workFolder, folder)
  const into = join(folder, 'pages.txt')
  try {
    const damage = await writePdfText({ path: source, into, pages: facts.pages, tools, ...given })
    const found = await storePages(into, facts.pages, shelf)
    const scanned = await readScanned(found, { ...options, tools })
    const warnings = [...(damage === null ? [] : [damage]), ...scanned.warnings]
    return { pageCount: found.count, ...scanned, warnings }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Stores the pages as `pdftotext` wrote them, and names those whose text is not good. */
async function storePages(into: string, expected: number, shelf: PageShelf): Promise<FoundPages> {
  const writer = new PageWriter(shelf)
  const poor: FoundPages['poor'] = []
  const add = async (text: string): Promise<void> => {
    const page = await writer.add(text, 'pdftotext')
    const quality = pageQuality(text)
    if (quality !== 'good') poor.push({ number: page.number, quality })
  }
  for await (const text of pagesOfFile(into)) await add(cleanPageText(text))
  while (writer.count < expected) await add('')
  writer.end()
  const empty = poor.filter(({ quality }) => quality === 'empty').length
  return { count: writer.count, poor, hasText: empty < writer.count }
}
