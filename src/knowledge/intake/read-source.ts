import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { DocumentKind, Metadata, Upload } from '../catalogue/document.ts'
import type { LanguageModel } from '../enrich/llm/model.ts'
import type { PdfFacts } from '../enrich/pdf-facts.ts'
import { TEXT_HEAD_BYTES } from '../enrich/read-text.ts'
import { parseFilename } from './filename.ts'
import { readFirstPages } from './first-page.ts'
import { askLanguageModel } from './language-model-vote.ts'
import { words } from './stem.ts'
import { comparable, editionIn, oneFact, usableAuthor, usableTitle, yearIn } from './title-text.ts'
import { type Votes, vote } from './vote.ts'
import { refuseWaitingForm } from './waiting-form.ts'

/** Pages that are looked at before a document is filed: the first of them name it, all of them tell its domain. */
export const FIRST_PAGES = 10
/** The subject that our converter gives the PDF of a book with a year: convert/block.ts. */
const PUBLISHED = /^Published (\d{4})$/
/** Formats that become a PDF first. */
const CONVERTED_TYPES = new Set(['.epub', '.mobi', '.doc', '.docx'])

/** The readers of files; intake/convert and enrich bring the real ones. Paths are absolute. */
export interface SourceReaders {
  /**
   * Makes a PDF in the work folder and says where. @throws AppError `missing` (a program), `bad-input`, `invalid`,
   * `unsupported`, `too-large` (the file), `timeout`.
   */
  convert: (request: {
    source: string
    extension: string
    workFolder: string
    signal: AbortSignal
    onProgress: (text: Reason) => void
  }) => Promise<{ pdf: string; warnings: readonly Reason[] }>
  /** @throws AppError `invalid` when it needs a password, `bad-input` when it is damaged, `missing`. */
  facts: (path: string, signal: AbortSignal) => Promise<PdfFacts>
  /** Text of the first pages of a PDF, a text or a transcript, pages apart by form feeds. */
  firstText: (path: string, pages: number, signal: AbortSignal) => Promise<string>
}

export function isConverted(extension: string): boolean {
  return CONVERTED_TYPES.has(extension)
}

/**
 * The kind of document that a file becomes. A text may say in its sidecar that it is the text of a web page, or
 * captions without a known form; whatever text comes from the video platform is a transcript (contract §7).
 */
export function kindOf(
  { extension, source_type, source }: Pick<Upload, 'extension' | 'source_type' | 'source'>,
  videoPlatform: string
): DocumentKind {
  if (extension === '.vtt' || extension === '.srt') return 'transcript'
  if (extension !== '.txt') return 'pdf'
  if (source === videoPlatform) return 'transcript'
  return source_type === 'web' || source_type === 'transcript' ? source_type : 'text'
}

/** The votes on a document, and what was decided. */
export interface Reading {
  metadata: Metadata
  provenance: ReturnType<typeof vote>['provenance']
  text: string
  warnings: Reason[]
}

/**
 * Reads the first pages and lets the voters speak. `path` is what citations will open: the PDF, the text, the transcript.
 * @throws AppError what `facts` and `firstText` throw, `invalid` when a text holds no text, `unsupported` for a form only Adobe can show.
 */
export async function readSource(
  { upload, path }: { upload: Upload; path: string },
  {
    readers,
    model,
    videoPlatform,
    signal,
    now
  }: { readers: SourceReaders; model: LanguageModel | null; videoPlatform: string; signal: AbortSignal; now: number }
): Promise<Reading> {
  const kind = kindOf(upload, videoPlatform)
  const isPdf = kind === 'pdf'
  const facts = isPdf ? await readers.facts(path, signal) : null
  const text = await readers.firstText(path, FIRST_PAGES, signal)
  if (facts !== null) refuseWaitingForm(facts, text)
  // A PDF without text may be a scan, which OCR will read; a text file without text is empty. Of a long one only the beginning was read.
  if (!isPdf && upload.size <= TEXT_HEAD_BYTES && !/\S/u.test(text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')))
    throw new AppError('invalid', because('no_text_in_it'))
  const asked = model === null ? null : await askLanguageModel(model, { text, filename: upload.filename, signal })
  // A web page has told what it is called; a transcript begins anywhere.
  const shown = kind === 'transcript' || kind === 'web' ? {} : readFirstPages(text)
  const told = facts === null ? {} : documentVotes(facts, { isConverted: isConverted(upload.extension), now })
  const votes: Votes = {
    ...(asked?.vote == null ? {} : { 'language model': asked.vote }),
    ...told,
    ...(told.document === undefined ? {} : { document: believed(told.document, { shown, text }) }),
    sidecar: sidecarVote(upload),
    'first page': shown,
    filename: parseFilename(upload.filename)
  }
  const { metadata, provenance } = vote(votes)
  const warnings = asked?.warning == null ? [] : [asked.warning]
  return { metadata: { ...metadata, title: metadata.title || plainTitle(upload.filename) }, provenance, text, warnings }
}

/** Of what a file says of itself, so much must stand on its first pages where they say something else: templates and copied heads do not. */
const [MIN_SEEN, FEW_WORDS] = [0.5, 100]

function believed(
  told: Partial<Metadata>,
  { shown, text }: { shown: Partial<Metadata>; text: string }
): Partial<Metadata> {
  // A number of a footnote may hang on a name.
  const seen = words(text)
  const page = seen.join(' ')
  // A title page that is a picture has little text.
  const isShort = seen.length < FEW_WORDS
  const isSeen = (said: string): boolean => {
    const all = words(said)
    return all.filter((word) => page.includes(word)).length >= all.length * MIN_SEEN
  }
  const keep = (field: 'title' | 'author'): string => {
    const said = told[field] ?? ''
    return isShort || (shown[field] ?? '') === '' || isSeen(said) ? said : ''
  }
  return { ...told, title: keep('title'), author: keep('author') }
}

function documentVotes(facts: PdfFacts, { isConverted, now }: { isConverted: boolean; now: number }): Votes {
  const title = usableTitle(facts.title)
  // A converter names the PDF after the file it was given.
  const isOurs = /^(?:source|converted)$/i.test(title)
  const made = Number(yearIn(facts.created || facts.modified))
  const isPlausible = !isConverted && made > 0 && made <= new Date(now).getUTCFullYear()
  return {
    document: {
      title: isOurs ? '' : title,
      author: usableAuthor(facts.author),
      edition: (editionIn(facts.subject) ?? editionIn(facts.title))?.edition ?? '',
      // The EPUB said it; the dates of the PDF are those of its making.
      ...(isConverted ? { year: PUBLISHED.exec(facts.subject)?.[1] ?? '' } : {})
    },
    ...(isPlausible ? { 'file date': { year: String(made) } } : {})
  }
}

/** The vote of the sender. A title that only repeats the file name is the file name's vote. */
function sidecarVote({ title, filename, sidecar, source_type }: Upload): Partial<Metadata> {
  const field = (name: string): string => {
    const value = sidecar[name]
    return typeof value === 'string' || typeof value === 'number' ? oneFact(String(value)) : ''
  }
  // The file of a web page is called after the page.
  const repeats = source_type !== 'web' && comparable('title', title) === comparable('title', plainTitle(filename))
  return {
    title: repeats ? '' : usableTitle(title),
    author: usableAuthor(field('author')),
    edition: editionIn(field('edition'))?.edition ?? field('edition'),
    year: yearIn(field('year'))
  }
}

/** The name without its ending, for a document nobody can name; '' when it is a hash. */
function plainTitle(filename: string): string {
  const stem = oneFact(filename.replace(/\.[a-z0-9]{1,5}$/i, '').replace(/_+/g, ' '))
  return /^[0-9a-f]{32,64}$/i.test(stem) ? '' : stem
}
