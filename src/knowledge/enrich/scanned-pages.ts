import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { ExtractTools } from './extract-tools.ts'
import { type NoOcr, type OcrReader, type OcrSettings, openOcr } from './ocr.ts'
import { isCovered, type PagePictures, picturesOf } from './page-pictures.ts'
import { cleanPageText, isBetterText, type PageQuality } from './page-quality.ts'
import { type PageShelf, pageOf } from './page-shelf.ts'

/** Pages as they were found, before OCR. */
export interface FoundPages {
  count: number
  /** Those whose text is not good. */
  poor: PoorPage[]
  /** At least one page has text. */
  hasText: boolean
}

interface PoorPage {
  number: number
  quality: Exclude<PageQuality, 'good'>
}

export interface ScanOptions {
  source: string
  workFolder: string
  shelf: PageShelf
  ocr: OcrSettings
  tools: ExtractTools
  signal?: AbortSignal
  onProgress?: (text: Reason) => void
}

export interface Scanned {
  ocrPages: number
  warnings: Reason[]
  hasText: boolean
}

/** There is no text, but not for good: once something outside of the file has changed, OCR may find some. */
export class NotReadYet extends AppError {}

/** Replaces the text of pages that fail the gate by what OCR reads, where that is better. @throws NotReadYet when nothing has text, and OCR has not had its chance */
export async function readScanned(found: FoundPages, options: ScanOptions): Promise<Scanned> {
  const { source, workFolder, ocr, tools, signal } = options
  const given = signal === undefined ? {} : { signal }
  // Asked only when some page needs it.
  const isAsked = found.poor.length > 0
  const pictured = isAsked ? await picturesOf({ source, workFolder, pages: found.count, ...given }, tools) : null
  const wanted = found.poor.filter((one) => needsOcr(one, pictured))
  if (wanted.length === 0) return { ocrPages: 0, warnings: [], hasText: found.hasText }
  const reader = await openOcr({ pdf: source, folder: workFolder, ocr, tools, ...given })
  if (!('read' in reader)) return withoutOcr(found, { wanted, pictured, none: reader })
  return readPages(found, { wanted, reader }, options)
}

/** Text on a page that no picture covers is its text: a title, an index, a program, however little it looks like prose. */
function needsOcr({ number, quality }: PoorPage, pictured: PagePictures | null): boolean {
  return quality === 'empty' || (pictured !== null && isCovered(pictured, number))
}

async function readPages(
  found: FoundPages,
  { wanted, reader }: { wanted: readonly PoorPage[]; reader: OcrReader },
  { shelf, signal, onProgress }: ScanOptions
): Promise<Scanned> {
  const failed: number[] = []
  let ocrPages = 0
  for (const [at, { number }] of wanted.entries()) {
    signal?.throwIfAborted()
    onProgress?.(because('reading_scanned_page', { page: number, at: at + 1, count: wanted.length }))
    const better = cleanPageText((await readOrNull(reader, number, failed)) ?? '')
    if (!isBetterText(better, shelf.page(number)?.text ?? '')) continue
    shelf.put([pageOf(number, better, 'tesseract')])
    ocrPages++
  }
  const unread =
    failed.length === 0 ? null : because('scanned_unreadable', { count: failed.length, pages: listOf(failed) })
  const hasText = found.hasText || ocrPages > 0
  // Blank in the languages that can be read here, or as far as the programs came: that is not the end of it.
  const why = unread ?? reader.lacks
  if (!hasText && why !== null) throw new NotReadYet('invalid', because('no_text_yet', { why }))
  const lacks = ocrPages > 0 ? reader.lacks : null
  return { ocrPages, warnings: [unread, lacks].filter((one) => one !== null), hasText }
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

/** Letters may also be drawn as lines, without any picture: only OCR can tell that a page is blank. */
function withoutOcr(
  { count, hasText }: FoundPages,
  { wanted, pictured, none }: { wanted: readonly PoorPage[]; pictured: PagePictures | null; none: NoOcr }
): Scanned {
  const scans = wanted.filter(({ number }) => pictured === null || pictured.has(number))
  const why = none.reason
  if (!hasText) {
    const reason = scans.length > 0 ? because('all_pages_pictures', { count, why }) : because('no_text_yet', { why })
    throw new NotReadYet(none.missing ? 'missing' : 'invalid', reason)
  }
  const warnings = scans.length === 0 ? [] : [because('some_pages_pictures', { empty: scans.length, count, why })]
  return { ocrPages: 0, warnings, hasText }
}

function listOf(numbers: readonly number[]): string {
  return numbers.length > 10 ? `${numbers.slice(0, 10).join(', ')} …` : numbers.join(', ')
}
