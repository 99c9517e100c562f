import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { AppError, type ErrorCode, reasonOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, DocumentKind, Review, Upload } from '../catalogue/document.ts'
import type { NewDocument } from '../catalogue/rows.ts'
import type { UploadStore } from '../catalogue/uploads.ts'
import type { LanguageModel } from '../enrich/llm/model.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { waitOf } from '../jobs/waits.ts'
import { type Classification, classify } from './classify.ts'
import type { FileMoves } from './file-moves.ts'
import { explained } from './parts.ts'
import { isConverted, kindOf, type Reading, readSource, type SourceReaders } from './read-source.ts'
import type { Shelver } from './shelve.ts'
import { CONVERTED, type Workbench, workFolder } from './workbench.ts'

const MAX_ATTEMPTS = 5
/** The file is to blame: it is rejected, with the reason. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['bad-input', 'invalid', 'unsupported', 'too-large', 'not-found'])

export interface DispatchParts {
  catalogue: Catalogue
  uploads: UploadStore
  moves: FileMoves
  shelver: Shelver
  bench: Workbench
  readers: SourceReaders
  /** Null: no language model is configured. */
  model: () => LanguageModel | null
  /** `knowledge.video_platform`. */
  videoPlatform: () => string
  now: () => number
  log: Pick<Log, 'warn'>
}

/**
 * Job `dispatch`, subject = hash of the uploaded bytes: a file that arrived is converted, named, classified and filed, and
 * its document waits for `extract`. A run that died anywhere is repeated from the start and ends the same: moves are taken
 * back, nothing of a catalogued document is touched (U1). What cannot be taken in is kept in `rejected/` with the reason (U4).
 */
export function dispatchJob(parts: DispatchParts): JobKind {
  return {
    kind: 'dispatch',
    pool: 'dispatch',
    maxAttempts: MAX_ATTEMPTS,
    run: (job, tools) => run(parts, job, tools),
    // Its files follow at the next look at the folders (reconcile.ts).
    onDead: ({ subject }, reason) => {
      if (isOpen(parts.uploads.get(subject))) parts.uploads.setState(subject, 'rejected', { reason })
    }
  }
}

function isOpen(upload: Upload | null): upload is Upload {
  return upload?.state === 'pending' || upload?.state === 'processing'
}

const NOTHING: JobResult = { end: 'done', commit: () => undefined }

async function run(parts: DispatchParts, job: Job, tools: JobTools): Promise<JobResult> {
  const { uploads, catalogue, moves } = parts
  const upload = uploads.get(job.subject)
  if (!isOpen(upload)) return NOTHING
  const owner = catalogue.byHash(upload.hash)
  if (owner?.hash === upload.hash) return knownFile(parts, upload, owner)
  await moves.undo(upload.hash)
  uploads.setState(upload.hash, 'processing')
  try {
    return await (owner === null ? file(parts, upload, tools) : sameContent(parts, upload, owner))
  } catch (error) {
    tools.signal.throwIfAborted()
    return afterFailure(parts, upload, { error, isLast: job.attempts >= MAX_ATTEMPTS })
  }
}

async function file(parts: DispatchParts, upload: Upload, tools: JobTools): Promise<JobResult> {
  const { bench, catalogue, readers, model, now } = parts
  const { signal, progress } = tools
  progress(because('looking_at_file'))
  const source = await bench.bringIn(upload)
  if ((await bench.sizeOf(source)) === 0) throw new AppError('invalid', because('file_is_empty'))
  const prepared = await prepare(parts, upload, { source, ...tools })
  const twin = prepared.hash === null ? null : catalogue.byHash(prepared.hash)
  if (twin !== null) return duplicate(parts, upload, twin)
  progress(because('reading_first_pages'))
  const path = bench.absolute(prepared.path)
  const platform = parts.videoPlatform()
  const asked = { readers, model: model(), videoPlatform: platform, signal, now: now() }
  const reading = await readSource({ upload, path }, asked)
  signal.throwIfAborted()
  const { title, author, edition, year } = reading.metadata
  const filing = classify({ title, text: reading.text, category: upload.category })
  const isKnownWell = [title, author, edition, year].every((fact) => fact !== '')
  const copied = isKnownWell ? catalogue.sameWork(reading.metadata, upload.hash) : null
  const found: Found = { upload, prepared, reading, filing, kind: kindOf(upload, platform) }
  const isCopy = copied !== null && !catalogue.isBeingRemoved(copied.id)
  return !isCopy ? shelved(parts, found, signal) : heldAsCopy(parts, found, copied)
}

/** The file that citations will open, and the one that was uploaded. */
interface Prepared {
  path: string
  files: { from: string; extension: string }[]
  /** Hash of the PDF that was made; null when nothing was converted. */
  hash: string | null
  warnings: readonly Reason[]
}

interface Found {
  upload: Upload
  prepared: Prepared
  reading: Reading
  filing: Classification
  kind: DocumentKind
}

async function prepare(
  { bench, readers }: DispatchParts,
  { hash, extension }: Upload,
  { source, signal, progress }: JobTools & { source: string }
): Promise<Prepared> {
  const original = { from: source, extension }
  if (!isConverted(extension)) return { path: source, files: [original], hash: null, warnings: [] }
  const work = await bench.freshFolder(hash)
  const path = `${workFolder(hash)}/${CONVERTED}`
  progress(because('converting_to_pdf'))
  const { pdf, warnings } = await readers.convert({
    source: bench.absolute(source),
    extension,
    workFolder: bench.absolute(work),
    signal,
    onProgress: progress
  })
  signal.throwIfAborted()
  await bench.takePdf(pdf, path)
  const files = [{ from: path, extension: '.pdf' }, original]
  return { path, files, hash: await bench.hashOf(path), warnings }
}

async function shelved(parts: DispatchParts, found: Found, signal: AbortSignal): Promise<JobResult> {
  const { bench, shelver, moves, uploads, catalogue } = parts
  const { upload, prepared, filing, reading } = found
  const { domain, reason, candidates } = filing
  const { hash } = upload
  const path = await shelver.shelve({ hash, domain, metadata: reading.metadata, files: prepared.files })
  signal.throwIfAborted()
  await bench.clear(hash)
  const review: Review | null = reason === null ? null : { reason, candidates, duplicate_of: null }
  const doc: NewDocument = { ...documentOf(found), path, review, status: 'queued' }
  const commit = (): void => {
    catalogue.add(doc, hashesOf(found))
    moves.done(hash)
    uploads.setState(hash, 'filed')
  }
  return { end: 'done', commit }
}

/** Not indexed until somebody has decided; its files stay in the work folder. */
async function heldAsCopy(
  { bench, catalogue, uploads }: DispatchParts,
  found: Found,
  copied: Document
): Promise<JobResult> {
  const { upload, prepared } = found
  await bench.clearWork(upload.hash)
  const held = documentOf(found)
  const doc: NewDocument = {
    ...held,
    path: prepared.path,
    warnings: [...(held.warnings ?? []), copyWarning(copied)],
    copyAsked: true,
    review: copyReview(because('same_work'), copied),
    status: 'needs_review'
  }
  const commit = (): void => {
    catalogue.add(doc, hashesOf(found))
    uploads.setState(upload.hash, 'filed')
  }
  return { end: 'done', commit }
}

/** The question to a reviewer about a probable copy. */
export function copyReview(why: Reason, { title, filename, hash }: Document): Review {
  return { reason: because('probable_copy', { title: title || filename, why }), candidates: [], duplicate_of: hash }
}

export function copyWarning({ title, filename }: Document): Reason {
  return because('was_held_as_copy', { title: title || filename })
}

function documentOf({ upload, prepared, reading, filing, kind }: Found): NewDocument {
  const url = upload.sidecar['source_url'] ?? upload.sidecar['url']
  return {
    ...reading.metadata,
    hash: upload.hash,
    kind,
    filename: upload.filename,
    provenance: reading.provenance,
    source: upload.source,
    category: upload.category,
    url: typeof url === 'string' && /^https?:\/\//i.test(url) ? url : null,
    sizeBytes: upload.size,
    domain: filing.domain,
    warnings: [...prepared.warnings, ...reading.warnings],
    status: 'queued'
  }
}

/** U3: the document answers to the hash of what was uploaded and of what it was converted to. */
function hashesOf({ upload, prepared }: Found): string[] {
  return prepared.hash === null ? [upload.hash] : [upload.hash, prepared.hash]
}

/** U1: the same bytes came again. Nothing of the document is touched; the second copy goes, if the first is really there. */
async function knownFile(
  { bench, uploads, shelver }: DispatchParts,
  upload: Upload,
  owner: Document
): Promise<JobResult> {
  const files = await shelver.filesOf(owner)
  await bench.dropArrival(
    upload,
    files.some(({ extension }) => extension === upload.extension)
  )
  return { end: 'done', commit: () => uploads.setState(upload.hash, 'filed') }
}

/** Somebody uploads the PDF that was made of a document that is here. */
async function sameContent(parts: DispatchParts, upload: Upload, owner: Document): Promise<JobResult> {
  await parts.bench.bringIn(upload)
  return duplicate(parts, upload, owner)
}

async function duplicate(
  { bench, uploads }: DispatchParts,
  { hash }: Upload,
  { hash: duplicateOf, title, filename }: Document
): Promise<JobResult> {
  await bench.putAside(hash)
  const reason = because('content_is_that_of', { title: title || filename })
  return { end: 'done', commit: () => uploads.setState(hash, 'duplicate', { reason, duplicateOf }) }
}

/** A missing program or a full disk holds the job; a file that is to blame, or that failed too often, is rejected; else try again (U5). */
async function afterFailure(
  { bench, uploads, moves, now, log }: DispatchParts,
  { hash, filename }: Upload,
  { error, isLast }: { error: unknown; isLast: boolean }
): Promise<JobResult> {
  const told = explained(error)
  const reason = reasonOf(told)
  const code = told instanceof AppError ? told.code : null
  const wait = waitOf(told)
  if (wait !== null) {
    const commit = (): void => uploads.setState(hash, 'processing', { reason })
    return { end: 'held', reason, retryAt: now() + wait, commit }
  }
  const isRefused = code !== null && REFUSALS.has(code)
  if (!isRefused && !isLast) throw error
  await moves.undo(hash)
  await bench.putAside(hash)
  log.warn(
    { err: isRefused ? undefined : error, hash, filename, reason: sentenceOf(reason) },
    'a file cannot be taken in'
  )
  return { end: 'done', commit: () => uploads.setState(hash, 'rejected', { reason }) }
}
