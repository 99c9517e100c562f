import type { Document, Item } from '../catalogue/document.ts'
import type { EmbeddingModel } from '../enrich/embed/embedder.ts'

/** The document's facts that its items are indexed with: finding a book by its title finds its passages. */
export type IndexFacts = Pick<Document, 'title' | 'author'>

/** Words of items. Synchronous: rows of `search.db`. */
export interface LexicalIndex {
  /** Makes `items` the whole of what is found of this document, in one transaction; repeatable. */
  put(documentId: number, items: readonly Item[], facts: IndexFacts): void
  /**
   * The same for a document of any length: a slice is one transaction, and others have their turn between two. Broken off, or ended by a
   * crash, it leaves a part, which whoever repeats it replaces. @throws what `signal` was aborted with
   */
  putSlices(
    documentId: number,
    slices: Iterable<readonly Item[]>,
    facts: IndexFacts,
    signal?: AbortSignal
  ): Promise<void>
  /** Forgets the document; answers how many items it had. */
  remove(documentId: number): number
  /** Items indexed of it. */
  count(documentId: number): number
}

export interface ItemVector {
  itemId: number
  /** Length 1. */
  vector: Float32Array
}

export interface VectorHit {
  itemId: number
  documentId: number
  /** Cosine, -1…1. */
  score: number
}

export interface VectorQuery {
  /** Only vectors of this model are comparable with the question's. */
  model: EmbeddingModel
  /** At most this many hits, best first. */
  k: number
  /** Only these documents; absent = all. */
  filter?: ReadonlySet<number>
}

/** The number of vectors there are of one model. */
export interface ModelCount extends EmbeddingModel {
  vectors: number
}

/** Vectors of items, wherever they are kept. An item has one vector: that of another model is replaced. */
export interface VectorStore {
  /** Adds or replaces the vectors of these items, all or none; other items of the document keep theirs. Repeatable. */
  put(documentId: number, model: EmbeddingModel, vectors: readonly ItemVector[]): Promise<void>
  /** Forgets every vector of the document, of every model; answers how many there were. */
  remove(documentId: number): Promise<number>
  /** Forgets the vectors of items the document no longer has; answers how many there were. */
  keepOnly(documentId: number, itemIds: readonly number[]): Promise<number>
  search(vector: Float32Array, query: VectorQuery): Promise<VectorHit[]>
  /** Vectors of this document made by this model. */
  count(documentId: number, model: EmbeddingModel): Promise<number>
  /** Every model there are vectors of. */
  models(): Promise<ModelCount[]>
  /** Documents and how many vectors of this model each has: what start-up compares with the catalogue. */
  documents(model: EmbeddingModel): Promise<Map<number, number>>
}
