import { setImmediate as nextTurn } from 'node:timers/promises'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, type ErrorCode, reasonOf } from '../../platform/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Page, Review } from '../catalogue/document.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { waitOf } from '../jobs/waits.ts'
import { CopyCheck, type TextFacts } from './copy-check.ts'
import type { Extracted } from './extract.ts'
import type { PageShelf } from './page-shelf.ts'
import { NotReadYet } from './scanned-pages.ts'
import { Fingerprinter } from './simhash.ts'
import { Furniture, Sketcher, type TextSketch } from './text-sketch.ts'

/** Pages that are looked at in one go: between two of them others get their turn, and a stop is heard. */
const PAGES_AT_ONCE = 20
/** Pages a domain is told by. */
const FIRST_PAGES = 20
/** Such a failure says something of the file, and says it for good. */
const FILE_TO_BLAME: ReadonlySet<ErrorCode> = new Set(['bad-input', 'invalid', 'unsupported', 'too-large'])

export interface ExtractParts {
  catalogue: Catalogue
  /** Reads the pages of the file of a document onto the shelf; enrich/read-pages.ts. @throws AppError as `extractPages` */
  readPages: (document: Document, shelf: PageShelf, tools: JobTools) => Promise<Extracted>
  /** Finishes moves that are left and files what was kept back: its path is final afterwards. intake/shelve.ts `place`. */
  place: (documentId: number) => Promise<void>
  /** Puts a file that can never be taken in aside; the answer, in the transaction that ends the job, makes its record a refusal. Null: it has no record. intake/refuse.ts */
  refuse: (document: Document, reason: Reason) => Promise<(() => void) | null>
  /** Tells the domain of what could not be classified without its text. intake/second-look.ts */
  secondLook: (documentId: number, pages: readonly Page[]) => Promise<void>
  /** The question to a reviewer, and the warning that stays. intake/dispatcher.ts */
  copyReview: (why: Reason, other: Document) => Review
  copyWarning: (other: Document) => Reason
  now: () => number
}

/**
 * Job `extract`: the pages of a document, how its text compares with all others, and its domain if that was not clear before.
 * A text that is here already, or nearly, waits for a decision (`needs_review`); once kept, it is not asked about again. A file that
 * holds no text, and never will, is refused like one that was at the door. Pages are stored as they are read: a text of any length
 * needs the memory of a few of them.
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
    tools.signal.throwIfAborted()
    const wait = waitOf(error)
    if (wait === null) throw error
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
    await parts.secondLook(id, firstPages(catalogue, id))
    return { end: 'done', commit: () => catalogue.finishStage(id, 'extract') }
  }
  const read = await readOrRefuse(parts, doc, tools)
  if ('end' in read) return read
  const { pageCount, ocrPages, warnings } = read
  tools.signal.throwIfAborted()
  const facts = await factsOf(catalogue, id, tools)
  await parts.secondLook(id, firstPages(catalogue, id))
  const copies = new CopyCheck(catalogue, doc, facts)
  // Compared before the transaction, which is short then.
  if (!wasHeld) await copies.prepare(tools.signal)
  tools.signal.throwIfAborted()
  const { sketch, textHash, simhash } = facts
  const found = { pageCount, ocrPages, textHash, simhash, warnings: [...doc.warnings, ...warnings] }
  return { end: 'done', commit: () => finish(parts, doc, { found, sketch, copied: wasHeld ? null : copies.find() }) }
}

async function readOrRefuse(parts: ExtractParts, doc: Document, tools: JobTools): Promise<Extracted | JobResult> {
  const { catalogue } = parts
  const shelf: PageShelf = {
    put: (pages) => catalogue.putPages(doc.id, pages),
    page: (number) => catalogue.page(doc.id, number)
  }
  catalogue.setPages(doc.id, [])
  try {
    return await parts.readPages(doc, shelf, tools)
  } catch (error) {
    // Half a text is no text; the next run begins anew.
    catalogue.setPages(doc.id, [])
    tools.signal.throwIfAborted()
    const commit = isFinal(error) ? await parts.refuse(doc, reasonOf(error)) : null
    if (commit === null) throw error
    return { end: 'done', commit }
  }
}

/** The file is to blame, and not what is missing or too small around it. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof AppError) || error instanceof NotReadYet) return false
  return FILE_TO_BLAME.has(error.code) && !error.reason.code.startsWith('program_')
}

/** The text is gone through twice: what stands on many pages is known only at its end. */
async function factsOf(catalogue: Catalogue, id: number, { signal, progress }: JobTools): Promise<TextFacts> {
  const [printer, furniture] = [new Fingerprinter(), new Furniture()]
  for (const { number, text } of catalogue.eachPage(id)) {
    printer.add(text)
    furniture.see(text)
    if (number % PAGES_AT_ONCE !== 0) continue
    progress(because('comparing_page', { page: number }))
    await nextTurn()
    signal.throwIfAborted()
  }
  const sketcher = new Sketcher(furniture)
  for (const { number, text } of catalogue.eachPage(id)) {
    sketcher.add(text)
    if (number % PAGES_AT_ONCE !== 0) continue
    await nextTurn()
    signal.throwIfAborted()
  }
  const { textHash, simhash } = printer.end()
  return { textHash, simhash, sketch: sketcher.end() }
}

function firstPages(catalogue: Catalogue, id: number): Page[] {
  const pages: Page[] = []
  for (const page of catalogue.eachPage(id)) if (pages.push(page) >= FIRST_PAGES) break
  return pages
}

interface Found extends Pick<Extracted, 'pageCount' | 'ocrPages' | 'warnings'> {
  textHash: string | null
  simhash: string | null
}

/** Compared in the transaction that stores it: of two copies read at the same time, one sees the other. */
function finish(
  { catalogue, copyReview, copyWarning }: ExtractParts,
  doc: Document,
  { found, sketch, copied }: { found: Found; sketch: TextSketch; copied: Document | null }
): void {
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
