import { because } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { EmbeddingModel } from '../enrich/embed/embedder.ts'
import { CodeTable } from './code-table.ts'
import type { ItemVector, ModelCount, VectorHit, VectorQuery, VectorStore } from './ports.ts'
import { byteTable, codeLength, cosine, toBytes, toCode } from './quantise.ts'

/** Candidates whose stored vectors are read for the score, at least; more when more hits are wanted. */
const RESCORED = 500

interface Loaded {
  modelId: number
  table: CodeTable
  /** The newest change the table has seen. */
  seen: number
}

/**
 * Vectors in `search.db`: one row of bytes for the score, and, packed by document, one bit a dimension for finding candidates.
 * The codes of the model that is asked for are read at the first search and kept up to date by the table of changes,
 * whichever process wrote them.
 */
export class StoredVectors implements VectorStore {
  readonly #db: Database
  #loaded: Loaded | null = null

  constructor(db: Database) {
    this.#db = db
  }

  async put(documentId: number, model: EmbeddingModel, vectors: readonly ItemVector[]): Promise<void> {
    const wrong = vectors.find(({ vector }) => vector.length !== model.dims)
    if (wrong !== undefined)
      throw new AppError('invalid', because('vector_wrong_length', { length: wrong.vector.length, dims: model.dims }))
    if (vectors.length === 0) return
    this.#db.transaction(() => {
      const modelId = this.#modelId(model)
      this.#forget(documentId, new Set(vectors.map(({ itemId }) => itemId)))
      const insert = this.#db.sql('INSERT INTO vectors (item_id, document_id, model_id, vector) VALUES (?, ?, ?, ?)')
      const codes = new Uint8Array(vectors.length * codeLength(model.dims))
      for (const [at, { itemId, vector }] of vectors.entries()) {
        insert.run(itemId, documentId, modelId, toBytes(vector))
        codes.set(toCode(vector), at * codeLength(model.dims))
      }
      this.#insertCodes(
        documentId,
        modelId,
        Uint32Array.from(vectors, ({ itemId }) => itemId),
        codes
      )
      this.#recount(modelId, vectors.length)
      this.#changed(documentId)
    })
  }

  async remove(documentId: number): Promise<number> {
    return this.#db.transaction(() => {
      const removed = this.#forget(documentId, null)
      if (removed > 0) this.#changed(documentId)
      return removed
    })
  }

  async keepOnly(documentId: number, itemIds: readonly number[]): Promise<number> {
    return this.#db.transaction(() => {
      const kept = new Set(itemIds)
      const gone = new Set([...this.#storedOf(documentId).keys()].filter((id) => !kept.has(id)))
      if (gone.size === 0) return 0
      this.#changed(documentId)
      return this.#forget(documentId, gone)
    })
  }

  async count(documentId: number, model: EmbeddingModel): Promise<number> {
    const row = this.#db
      .sql('SELECT count(*) AS n FROM vectors WHERE document_id = ? AND model_id = ?')
      .get(documentId, this.#findModel(model))
    return Number(row?.['n'] ?? 0)
  }

  async models(): Promise<ModelCount[]> {
    const rows = this.#db.sql('SELECT provider, model, dims, vectors FROM models WHERE vectors > 0 ORDER BY id').all()
    return rows.map((row) => ({
      provider: String(row['provider']),
      model: String(row['model']),
      dims: Number(row['dims']),
      vectors: Number(row['vectors'])
    }))
  }

  async documents(model: EmbeddingModel): Promise<Map<number, number>> {
    const rows = this.#db
      .sql('SELECT document_id, count(*) AS n FROM vectors WHERE model_id = ? GROUP BY document_id')
      .all(this.#findModel(model))
    return new Map(rows.map((row) => [Number(row['document_id']), Number(row['n'])]))
  }

  async search(vector: Float32Array, { model, k, filter }: VectorQuery): Promise<VectorHit[]> {
    const table = this.#tableOf(model)
    if (table === null || table.count === 0 || vector.every((value) => value === 0)) return []
    const candidates = table.nearest(byteTable(vector), Math.max(RESCORED, 2 * k), filter ?? null)
    return this.#scored(vector, candidates).slice(0, k)
  }

  /** The same by reading every stored vector: what `search` is compared with. Slow. */
  searchExactly(vector: Float32Array, { model, k, filter }: VectorQuery): VectorHit[] {
    const rows = this.#db.sql('SELECT item_id, document_id FROM vectors WHERE model_id = ?').all(this.#findModel(model))
    const wanted = rows.filter((row) => filter === undefined || filter.has(Number(row['document_id'])))
    return this.#scored(
      vector,
      wanted.map((row) => Number(row['item_id']))
    ).slice(0, k)
  }

  /** Up to `count` stored vectors, spread evenly over all of the model. */
  sample(model: EmbeddingModel, count: number): Float32Array[] {
    const modelId = this.#findModel(model)
    const ids = this.#db.sql('SELECT item_id FROM vectors WHERE model_id = ? ORDER BY item_id').all(modelId)
    const step = Math.max(1, Math.floor(ids.length / count))
    const chosen = ids.filter((_, at) => at % step === 0).slice(0, count)
    return chosen.flatMap((row) => {
      const bytes = this.#db.sql('SELECT vector FROM vectors WHERE item_id = ?').get(row['item_id'] ?? 0)?.['vector']
      return bytes instanceof Uint8Array ? [unit(bytes)] : []
    })
  }

  #scored(vector: Float32Array, itemIds: readonly number[]): VectorHit[] {
    const read = this.#db.sql('SELECT document_id, vector FROM vectors WHERE item_id = ?')
    const hits: VectorHit[] = []
    for (const itemId of itemIds) {
      const row = read.get(itemId)
      const bytes = row?.['vector']
      if (bytes instanceof Uint8Array && bytes.length === vector.length)
        hits.push({ itemId, documentId: Number(row?.['document_id']), score: cosine(vector, bytes) })
    }
    return hits.sort((a, b) => b.score - a.score || a.itemId - b.itemId)
  }

  #tableOf(model: EmbeddingModel): CodeTable | null {
    const modelId = this.#findModel(model)
    if (modelId === 0) return null
    const newest = Number(this.#db.sql('SELECT max(id) AS id FROM changes').get()?.['id'] ?? 0)
    const loaded = this.#loaded
    // A number smaller than the one seen: the file was made anew.
    if (loaded === null || loaded.modelId !== modelId || loaded.seen > newest) return this.#load(modelId, model, newest)
    if (loaded.seen < newest) this.#catchUp(loaded, newest)
    return loaded.table
  }

  #load(modelId: number, { dims }: EmbeddingModel, newest: number): CodeTable {
    this.#loaded = null
    const expected = Number(this.#db.sql('SELECT vectors FROM models WHERE id = ?').get(modelId)?.['vectors'] ?? 0)
    const table = new CodeTable(codeLength(dims), expected)
    const rows = this.#db.sql('SELECT document_id, items, codes FROM codes WHERE model_id = ?').iterate(modelId)
    for (const row of rows) addRow(table, row)
    this.#loaded = { modelId, table, seen: newest }
    return table
  }

  #catchUp(loaded: Loaded, newest: number): void {
    const rows = this.#db.sql('SELECT document_id FROM changes WHERE id > ? AND id <= ?').all(loaded.seen, newest)
    const changed = new Set(rows.map((row) => Number(row['document_id'])))
    loaded.table.remove(changed)
    const read = this.#db.sql('SELECT document_id, items, codes FROM codes WHERE document_id = ? AND model_id = ?')
    for (const documentId of changed) for (const row of read.all(documentId, loaded.modelId)) addRow(loaded.table, row)
    loaded.seen = newest
  }

  /** 0 when there are no vectors of it. */
  #findModel({ provider, model, dims }: EmbeddingModel): number {
    const find = this.#db.sql('SELECT id FROM models WHERE provider = ? AND model = ? AND dims = ?')
    return Number(find.get(provider, model, dims)?.['id'] ?? 0)
  }

  #modelId(model: EmbeddingModel): number {
    const insert = this.#db.sql('INSERT INTO models (provider, model, dims) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    insert.run(model.provider, model.model, model.dims)
    return this.#findModel(model)
  }

  #recount(modelId: number, by: number): void {
    this.#db.sql('UPDATE models SET vectors = vectors + ? WHERE id = ?').run(by, modelId)
  }

  #changed(documentId: number): void {
    this.#db.sql('INSERT OR REPLACE INTO changes (document_id) VALUES (?)').run(documentId)
  }

  #insertCodes(documentId: number, modelId: number, items: Uint32Array, codes: Uint8Array): void {
    const insert = this.#db.sql('INSERT INTO codes (document_id, model_id, items, codes) VALUES (?, ?, ?, ?)')
    insert.run(documentId, modelId, new Uint8Array(items.buffer, items.byteOffset, items.byteLength), codes)
  }

  /** Removes vectors of these items of the document, or of all of them. Answers how many there were. */
  #forget(documentId: number, items: ReadonlySet<number> | null): number {
    const stored = items === null ? this.#storedOf(documentId) : this.#stored(documentId, items)
    // Where nothing stands there is nothing to be unpacked: a long document is stored in many turns.
    if (stored.size === 0) return 0
    this.#forgetCodes(documentId, items)
    for (const [itemId, modelId] of stored) {
      this.#db.sql('DELETE FROM vectors WHERE item_id = ?').run(itemId)
      this.#recount(modelId, -1)
    }
    return stored.size
  }

  /** The models of the stored vectors, by their items. */
  #storedOf(documentId: number): Map<number, number> {
    const rows = this.#db.sql('SELECT item_id, model_id FROM vectors WHERE document_id = ?').iterate(documentId)
    const found = new Map<number, number>()
    for (const row of rows) found.set(Number(row['item_id']), Number(row['model_id']))
    return found
  }

  #stored(documentId: number, items: ReadonlySet<number>): Map<number, number> {
    const find = this.#db.sql('SELECT model_id FROM vectors WHERE item_id = ? AND document_id = ?')
    const found = new Map<number, number>()
    for (const itemId of items) {
      const row = find.get(itemId, documentId)
      if (row !== undefined) found.set(itemId, Number(row['model_id']))
    }
    return found
  }

  #forgetCodes(documentId: number, gone: ReadonlySet<number> | null): void {
    const rows = this.#db.sql('SELECT id, model_id, items, codes FROM codes WHERE document_id = ?').all(documentId)
    for (const row of rows) {
      const items = idsOf(row['items'])
      const kept = gone === null ? [] : [...items.keys()].filter((at) => !gone.has(items[at] ?? 0))
      if (kept.length === items.length) continue
      this.#db.sql('DELETE FROM codes WHERE id = ?').run(Number(row['id']))
      const codes = bytesOf(row['codes'])
      const length = codes.length / items.length
      if (kept.length === 0) continue
      const left = new Uint8Array(kept.length * length)
      for (const [to, at] of kept.entries()) left.set(codes.subarray(at * length, (at + 1) * length), to * length)
      this.#insertCodes(
        documentId,
        Number(row['model_id']),
        Uint32Array.from(kept, (at) => items[at] ?? 0),
        left
      )
    }
  }
}

function addRow(table: CodeTable, row: Record<string, unknown>): void {
  table.add(Number(row['document_id']), idsOf(row['items']), bytesOf(row['codes']))
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0)
}

/** A copy: the bytes of a row need not begin where a number may. */
function idsOf(value: unknown): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytesOf(value)).buffer)
}

function unit(bytes: Uint8Array): Float32Array {
  const vector = Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
