import { setImmediate as nextTurn } from 'node:timers/promises'
import { because } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError, type ErrorCode, reasonOf } from '../../platform/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Item } from '../catalogue/document.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { weightOf } from '../jobs/order.ts'
import type { JobStore } from '../jobs/store.ts'
import { ProviderError } from '../keys/provider-error.ts'
import { type Embedder, type EmbeddingModel, knownModel, modelOf } from './embed/embedder.ts'

/** Texts asked for at once; an embedder cuts them smaller where its server wants that. */
const BATCH = 64
/** Vectors stored at once: 8 MB of 1024 numbers each. */
const STORED_AT_ONCE = 2048
const MAX_TEXT = 8192
const RETRY_MS = 5 * 60_000
/** The provider is away, not the work wrong. */
const AWAY: ReadonlySet<ErrorCode> = new Set(['unavailable', 'timeout', 'rate-limited', 'unauthenticated', 'forbidden'])

/** The store of the vectors of items; search/ports.ts. */
export interface VectorSink {
  put(
    documentId: number,
    model: EmbeddingModel,
    vectors: readonly { itemId: number; vector: Float32Array }[]
  ): Promise<void>
  keepOnly(documentId: number, itemIds: readonly number[]): Promise<number>
  count(documentId: number, model: EmbeddingModel): Promise<number>
  documents(model: EmbeddingModel): Promise<Map<number, number>>
}

export interface EmbedParts {
  catalogue: Catalogue
  vectors: VectorSink
  /** As configured now. */
  embedder: () => Embedder
  clock: Clock
}

/**
 * Job `embed`: a vector for every item, or none of it counts: what was stored is counted before the document is complete
 * (L4). While the provider is away the job is held and the document stays `enriched`, found by its words. Run on a complete
 * document it replaces vectors of another model and leaves its state alone.
 */
export function embedJob(parts: EmbedParts): JobKind {
  return {
    kind: 'embed',
    pool: 'embed',
    maxAttempts: 5,
    run: (job, tools) => run(parts, job, tools),
    onDead: (job, reason) => parts.catalogue.fail(Number(job.subject), 'embed', reason)
  }
}

async function run(parts: EmbedParts, job: Job, tools: JobTools): Promise<JobResult> {
  const { catalogue, clock } = parts
  const id = Number(job.subject)
  const isAgain = catalogue.byId(id)?.status === 'complete'
  if (!isAgain) catalogue.begin(id, 'embed')
  const current = parts.embedder()
  try {
    const count = await embedAll({ ...parts, embedder: () => current }, id, tools)
    const commit = (): void => {
      if (isAgain) catalogue.update(id, { vectorCount: count })
      else catalogue.finishStage(id, 'embed', { vectorCount: count })
    }
    return { end: 'done', commit }
  } catch (error) {
    tools.signal.throwIfAborted()
    if (!(error instanceof AppError) || !AWAY.has(error.code)) throw error
    const asked = error instanceof ProviderError ? error.retryAt : null
    const reason = reasonOf(error)
    const release = (): void => catalogue.release(id, 'embed', reason)
    // Whoever was chosen meanwhile is not made to wait for the one that is away.
    const retryAt = parts.embedder() === current ? (asked ?? clock.now() + RETRY_MS) : clock.now()
    return { end: 'held', reason, retryAt, commit: release }
  }
}

/** Answers how many vectors of the current model the document has now: one for each item. */
async function embedAll(
  { catalogue, vectors, embedder }: EmbedParts,
  id: number,
  { signal, progress }: JobTools
): Promise<number> {
  const current = embedder()
  const count = catalogue.countItems(id)
  const ids: number[] = []
  let made: { itemId: number; vector: Float32Array }[] = []
  let model: EmbeddingModel | null = null
  for (const batch of catalogue.itemSlices(id, BATCH)) {
    progress(because('vector_of', { number: ids.length + 1, count }))
    const found = await current.embed(batch.map(embeddedText), signal)
    // An embedder of this process may never have waited for anything.
    await nextTurn()
    signal.throwIfAborted()
    model = sameModel(model, modelOf(current))
    checkVectors(found, batch.length, model)
    made.push(...batch.map((item, index) => ({ itemId: item.id, vector: found[index] ?? new Float32Array() })))
    for (const item of batch) ids.push(item.id)
    if (made.length < STORED_AT_ONCE) continue
    await vectors.put(id, model, made)
    made = []
  }
  if (model !== null) await vectors.put(id, model, made)
  await vectors.keepOnly(id, ids)
  const stored = model === null ? 0 : await vectors.count(id, model)
  if (stored !== ids.length)
    throw new AppError('conflict', because('vectors_incomplete', { stored, count: ids.length }))
  return stored
}

/**
 * The text that stands for an item in the vector space: its title gives a passage from the middle of a chapter its
 * subject.
 */
export function embeddedText({ title, content }: Pick<Item, 'title' | 'content'>): string {
  const text = content.trim()
  return (text.startsWith(title) ? text : `${title}\n${text}`).slice(0, MAX_TEXT)
}

function sameModel(before: EmbeddingModel | null, now: EmbeddingModel): EmbeddingModel {
  const isSame =
    before === null || (before.model === now.model && before.dims === now.dims && before.provider === now.provider)
  if (!isSame) throw new AppError('conflict', because('embedding_model_changed'))
  return now
}

/** A server that leaves one out would shift all that follow to the wrong text. */
function checkVectors(found: readonly Float32Array[], expected: number, { dims, provider }: EmbeddingModel): void {
  const from = because('embedding_server', { provider })
  if (found.length !== expected)
    throw new AppError('unavailable', because('embedding_wrong_count', { from, found: found.length, expected }))
  const wrong = found.find((vector) => vector.length !== dims)
  if (wrong !== undefined)
    throw new AppError('unavailable', because('embedding_wrong_length', { from, found: wrong.length, expected: dims }))
  if (found.some((vector) => !vector.every(Number.isFinite)))
    throw new AppError('unavailable', because('embedding_no_numbers', { from }))
}

/**
 * Complete documents whose vectors are not those of the current model get the job `embed`, in the background; vectors of the
 * old one stay searchable until theirs replace them. For the start of the worker and for a change of the settings. Answers
 * how many. @throws AppError `unavailable` when a remote provider cannot say which model it is.
 */
export async function reembedPending(
  { catalogue, vectors, embedder, jobs }: EmbedParts & { jobs: JobStore },
  signal: AbortSignal
): Promise<number> {
  const counts = await vectors.documents(await knownModel(embedder(), signal))
  let pending = 0
  let cursor: number | undefined
  do {
    const page = catalogue.list({ status: 'complete', limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    const behind = page.documents.filter((doc) => isBehind(doc, counts))
    catalogue.transaction(() => {
      for (const doc of behind) jobs.add('embed', String(doc.id), { weight: weightOf(doc) })
    })
    pending += behind.length
    cursor = page.next ?? undefined
    signal.throwIfAborted()
  } while (cursor !== undefined)
  return pending
}

function isBehind({ id, itemCount }: Document, counts: ReadonlyMap<number, number>): boolean {
  return (counts.get(id) ?? 0) !== itemCount
}
