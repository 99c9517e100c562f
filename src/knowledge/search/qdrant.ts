import { AppError } from '../../platform/errors.ts'
import { httpSend } from '../../platform/net/post.ts'
import type { EmbeddingModel } from '../enrich/embed/embedder.ts'
import type { ItemVector, ModelCount, VectorHit, VectorQuery, VectorStore } from './ports.ts'

export interface QdrantOptions {
  /** Base address of the REST API, without a slash at its end. */
  url: string
  userAgent: () => string
}

const PREFIX = 'lookout-'
const UPSERT = 256
/** More document ids than this are not worth sending: more is asked for, and what is not wanted left out here. */
const MAX_FILTER = 20_000
const TOTAL_MS = 20_000
const PAGE = 10_000
const MAX_BYTES = 64 * 1024 * 1024
/** Qdrant takes 255 characters. */
const MAX_NAME = 250

/**
 * Vectors in a Qdrant server, over its REST API (1.10 or later): a collection for each model, a point for each item, its id
 * the item's. Every write waits until it is applied, so that what is counted afterwards is what is there.
 * @throws AppError `unavailable` from every method when the server cannot be reached or refuses.
 */
export class QdrantVectors implements VectorStore {
  readonly #o: QdrantOptions

  constructor(options: QdrantOptions) {
    this.#o = options
  }

  async put(documentId: number, model: EmbeddingModel, vectors: readonly ItemVector[]): Promise<void> {
    const wrong = vectors.find(({ vector }) => vector.length !== model.dims)
    if (wrong !== undefined)
      throw new AppError('invalid', `a vector of ${wrong.vector.length} numbers is none of a model of ${model.dims}`)
    if (vectors.length === 0) return
    const name = await this.#collection(model)
    const points = vectors.map(({ itemId, vector }) => ({
      id: itemId,
      vector: [...vector],
      payload: { document_id: documentId }
    }))
    for (let from = 0; from < points.length; from += UPSERT) {
      const body = { points: points.slice(from, from + UPSERT) }
      await this.#ask('PUT', `/collections/${name}/points?wait=true`, body)
    }
    const ids = vectors.map(({ itemId }) => itemId)
    for (const other of await this.#collections())
      if (other.name !== name) await this.#deleteWhere(other.name, { must: [{ has_id: ids }] })
  }

  async remove(documentId: number): Promise<number> {
    let removed = 0
    for (const { name } of await this.#collections()) removed += await this.#deleteWhere(name, ofDocument(documentId))
    return removed
  }

  async keepOnly(documentId: number, itemIds: readonly number[]): Promise<number> {
    const filter = { ...ofDocument(documentId), ...(itemIds.length === 0 ? {} : { must_not: [{ has_id: itemIds }] }) }
    let removed = 0
    for (const { name } of await this.#collections()) removed += await this.#deleteWhere(name, filter)
    return removed
  }

  async search(vector: Float32Array, { model, k, filter }: VectorQuery): Promise<VectorHit[]> {
    const found = await this.#find(model)
    if (found === null || k === 0 || filter?.size === 0 || vector.every((value) => value === 0)) return []
    const narrow = filter !== undefined && filter.size <= MAX_FILTER
    const points = await this.#ask('POST', `/collections/${found.name}/points/query`, {
      query: [...vector],
      limit: filter === undefined || narrow ? k : Math.min(PAGE, k * 20),
      with_payload: ['document_id'],
      ...(narrow ? { filter: { must: [{ key: 'document_id', match: { any: [...filter] } }] } } : {})
    })
    const hits = listOf(member(points, 'points')).map(hitOf)
    return hits
      .filter((hit) => filter === undefined || filter.has(hit.documentId))
      .sort((a, b) => b.score - a.score || a.itemId - b.itemId)
      .slice(0, k)
  }

  async count(documentId: number, model: EmbeddingModel): Promise<number> {
    const found = await this.#find(model)
    return found === null ? 0 : this.#count(found.name, ofDocument(documentId))
  }

  async models(): Promise<ModelCount[]> {
    const counted: ModelCount[] = []
    for (const { name, model } of await this.#collections()) {
      const vectors = await this.#count(name)
      if (vectors > 0) counted.push({ ...model, vectors })
    }
    return counted
  }

  async documents(model: EmbeddingModel): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    const found = await this.#find(model)
    if (found === null) return counts
    let offset: unknown = null
    do {
      const page = await this.#ask('POST', `/collections/${found.name}/points/scroll`, {
        ...{ limit: PAGE, with_payload: ['document_id'], with_vector: false },
        ...(offset === null ? {} : { offset })
      })
      for (const point of listOf(member(page, 'points'))) {
        const id = Number(member(member(point, 'payload'), 'document_id'))
        counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      offset = member(page, 'next_page_offset') ?? null
    } while (offset !== null)
    return counts
  }

  async #count(name: string, filter?: object): Promise<number> {
    const body = { exact: true, ...(filter === undefined ? {} : { filter }) }
    return Number(member(await this.#ask('POST', `/collections/${name}/points/count`, body), 'count') ?? 0)
  }

  /** By filter: however many points a document has, all of them are touched (R5). */
  async #deleteWhere(name: string, filter: object): Promise<number> {
    const count = await this.#count(name, filter)
    if (count > 0) await this.#ask('POST', `/collections/${name}/points/delete?wait=true`, { filter })
    return count
  }

  /** The collection of the model, made if it is new. Its name holds all of the model's name, so that it can be read back. */
  async #collection(model: EmbeddingModel): Promise<string> {
    const name = nameOf(model)
    if ((await this.#find(model)) !== null) return name
    await this.#ask('PUT', `/collections/${name}`, { vectors: { size: model.dims, distance: 'Cosine' } })
    const index = { field_name: 'document_id', field_schema: 'integer' }
    await this.#ask('PUT', `/collections/${name}/index?wait=true`, index)
    return name
  }

  async #find(model: EmbeddingModel): Promise<{ name: string } | null> {
    const name = nameOf(model)
    return (await this.#collections()).find((one) => one.name === name) ?? null
  }

  async #collections(): Promise<{ name: string; model: EmbeddingModel }[]> {
    const answer = await this.#ask('GET', '/collections')
    return listOf(member(answer, 'collections')).flatMap((entry) => {
      const name = String(member(entry, 'name'))
      const model = modelFrom(name)
      return model === null ? [] : [{ name, model }]
    })
  }

  async #ask(method: 'GET' | 'PUT' | 'POST', path: string, json?: unknown): Promise<unknown> {
    const { url, userAgent } = this.#o
    const answer = await httpSend({
      ...{ url: `${url}${path}`, method, json, userAgent: userAgent(), totalMs: TOTAL_MS, maxBytes: MAX_BYTES }
    })
    const document = parsed(answer.body)
    if (answer.status >= 200 && answer.status < 300) return member(document, 'result')
    const said = member(member(document, 'status'), 'error')
    const detail = typeof said === 'string' ? `: ${said.replace(/\s+/g, ' ').slice(0, 200)}` : ''
    throw new AppError(
      'unavailable',
      `the vector store (Qdrant, ${new URL(url).host}) answers ${answer.status}${detail}`
    )
  }
}

const ofDocument = (documentId: number): { must: object[] } => ({
  must: [{ key: 'document_id', match: { value: documentId } }]
})

/** Provider, model and dims, so that they can be read back; letters that every file system takes. */
function nameOf({ provider, model, dims }: EmbeddingModel): string {
  const name = `${PREFIX}${dims}-${Buffer.from(JSON.stringify([provider, model])).toString('base64url')}`
  if (name.length > MAX_NAME) throw new AppError('unavailable', `the name of the embedding model is too long: ${model}`)
  return name
}

function modelFrom(name: string): EmbeddingModel | null {
  const [, dims, text] = /^lookout-(\d{1,5})-([\w-]+)$/.exec(name) ?? []
  const names = text === undefined ? undefined : parsed(Buffer.from(text, 'base64url'))
  if (!Array.isArray(names) || names.length !== 2) return null
  return { provider: String(names[0]), model: String(names[1]), dims: Number(dims) }
}

function hitOf(point: unknown): VectorHit {
  return {
    itemId: Number(member(point, 'id')),
    documentId: Number(member(member(point, 'payload'), 'document_id')),
    score: Number(member(point, 'score'))
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
