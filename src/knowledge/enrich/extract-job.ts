import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Page, Review } from '../catalogue/document.ts'
import type { Changes } from '../catalogue/rows.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { waitOf } from '../jobs/waits.ts'
import type { Extracted } from './extract.ts'
import { comparedWords, fingerprint, sharedShingles } from './simhash.ts'

/** Texts whose lengths differ by more than this are no copies of each other, however alike. */
const SIMILAR_LENGTH = 0.2
/** Shorter texts have too few shingles to be told apart; only the same text counts. */
const MIN_WORDS = 50

export interface ExtractParts {
  catalogue: Catalogue
  /** Pages of the file of a document; intake and enrich/extract.ts know how. @throws AppError as `extractPages` */
  readPages: (document: Document, tools: JobTools) => Promise<Extracted>
  /** Finishes moves that are left and files what was kept back: its path is final afterwards. intake/shelve.ts `place`. */
  place: (documentId: number) => Promise<void>
  /** Tells the domain of what could not be classified without its text. intake/second-look.ts */
  secondLook: (documentId: number, pages: readonly Page[]) => Promise<void>
  /** The question to a reviewer, and the warning that stays. intake/dispatcher.ts */
  copyReview: (why: Reason, other: Document) => Review
  copyWarning: (other: Document) => Reason
  now: () => number
}

/**
 * Job `extract`: the pages of a document, how its text compares with all others, and its domain if that was not clear before.
 * A text that is here already, or nearly, waits for a decision (`needs_review`); once kept, it is not asked about again.
 */
export function extractJob(parts: ExtractParts): JobKind {
  return {
    kind: 'extract',
    pool: 'extract',
    maxAttempts: 4,
    run: (job, tools) => run(parts, job, tools),
    onDead: ({ subject }, reason) => parts.catalogue.fail(Number(subject), 'extract', reason)
  }
}

async function run(parts: ExtractParts, job: Job, tools: JobTools): Promise<JobResult> {
  const { catalogue, now } = parts
  const id = Number(job.subject)
  catalogue.begin(id, 'extract')
  try {
    return await extract(parts, id, tools)
  } catch (error) {
    const wait = waitOf(error)
    if (wait === null) throw error
    tools.signal.throwIfAborted()
    const reason = reasonOf(error)
    const commit = (): void => catalogue.release(id, 'extract', reason)
    return { end: 'held', reason, retryAt: now() + wait, commit }
  }
}

async function extract(parts: ExtractParts, id: number, tools: JobTools): Promise<JobResult> {
  const { catalogue } = parts
  await parts.place(id)
  const doc = catalogue.byId(id)
  if (doc === null) throw new AppError('invalid', because('document_gone', { id }))
  const wasHeld = doc.copyAsked
  if (wasHeld && doc.textHash !== null && doc.pageCount > 0) {
    // Kept after its text was compared: the pages are here.
    await parts.secondLook(id, catalogue.pages(id))
    return { end: 'done', commit: () => catalogue.finishStage(id, 'extract') }
  }
  const { pages, ocrPages, warnings } = await parts.readPages(doc, tools)
  tools.signal.throwIfAborted()
  const { textHash, simhash } = fingerprint(texts(pages))
  await parts.secondLook(id, pages)
  tools.signal.throwIfAborted()
  const found = { pageCount: pages.length, ocrPages, textHash, simhash, warnings: [...doc.warnings, ...warnings] }
  return { end: 'done', commit: () => store(parts, doc, { pages, found, wasHeld }) }
}

/** Compared in the transaction that stores it: of two copies read at the same time, one sees the other. */
function store(
  { catalogue, copyReview, copyWarning }: ExtractParts,
  doc: Document,
  { pages, found, wasHeld }: { pages: readonly Page[]; found: Fingerprinted; wasHeld: boolean }
): void {
  catalogue.setPages(doc.id, pages)
  const copied = wasHeld ? null : copyOf(catalogue, doc, { ...found, pages })
  if (copied === null) {
    catalogue.finishStage(doc.id, 'extract', found)
    return
  }
  const why = found.textHash === copied.textHash ? because('same_text') : because('nearly_same_text')
  const warnings = [...found.warnings, copyWarning(copied)]
  const review = copyReview(why, copied)
  catalogue.update(doc.id, { ...found, warnings, copyAsked: true, status: 'needs_review', review })
}

interface Fingerprinted extends Changes {
  textHash: string | null
  simhash: string | null
  warnings: Reason[]
}

/** The document with the same text, or with nearly the same one of about the same length. */
function copyOf(
  catalogue: Catalogue,
  { hash }: Document,
  { pages, textHash, simhash }: Pick<Fingerprinted, 'textHash' | 'simhash'> & { pages: readonly Page[] }
): Document | null {
  if (textHash === null || simhash === null) return null
  const found = catalogue.similar(simhash, textHash, hash)
  if (found === null || catalogue.isBeingRemoved(found.id)) return null
  if (found.textHash === textHash) return found
  const theirs = catalogue.pages(found.id)
  const [mine, other] = [wordsOf(pages), wordsOf(theirs)]
  const isLong = Math.min(mine, other) >= MIN_WORDS
  if (!isLong || Math.abs(mine - other) > SIMILAR_LENGTH * Math.max(mine, other)) return null
  return sharedShingles(texts(pages), texts(theirs)) >= SHARED ? found : null
}

/** Less in common are two documents with the same phrases, not one document twice. */
const SHARED = 0.8

function wordsOf(pages: readonly Page[]): number {
  return texts(pages).reduce((sum, text) => sum + comparedWords(text).length, 0)
}

function texts(pages: readonly Page[]): string[] {
  return pages.map(({ text }) => text)
}
