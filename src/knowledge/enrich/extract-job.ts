import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Page, Review } from '../catalogue/document.ts'
import type { Changes } from '../catalogue/rows.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { waitOf } from '../jobs/waits.ts'
import { copyOf, sketchOfPages } from './copies-of-text.ts'
import type { Extracted } from './extract.ts'
import { fingerprint } from './simhash.ts'
import type { TextSketch } from './text-sketch.ts'

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
  const sketch = sketchOfPages(pages)
  await parts.secondLook(id, pages)
  tools.signal.throwIfAborted()
  const found = { pageCount: pages.length, ocrPages, textHash, simhash, warnings: [...doc.warnings, ...warnings] }
  return { end: 'done', commit: () => store(parts, doc, { pages, sketch, found, wasHeld }) }
}

/** Compared in the transaction that stores it: of two copies read at the same time, one sees the other. */
function store(
  { catalogue, copyReview, copyWarning }: ExtractParts,
  doc: Document,
  {
    pages,
    sketch,
    found,
    wasHeld
  }: { pages: readonly Page[]; sketch: TextSketch; found: Fingerprinted; wasHeld: boolean }
): void {
  catalogue.setPages(doc.id, pages)
  const copied = wasHeld ? null : copyOf(catalogue, doc, { ...found, sketch, pages })
  catalogue.setSketch(doc.id, sketch)
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

function texts(pages: readonly Page[]): string[] {
  return pages.map(({ text }) => text)
}
