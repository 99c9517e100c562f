import type { Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Document } from '../catalogue/document.ts'
import { badgeOf } from '../catalogue/listing.ts'
import { citationOf, type WikiLink } from './citation.ts'
import { bestPerDocument, type Fused, fuse, headOf } from './fusion.ts'
import { type Filter, KnowledgeRows } from './knowledge-rows.ts'
import type { LexicalRows } from './lexical.ts'
import { correctedText, nearbyWords } from './nearby.ts'
import { fullMatch, parseQuestion, phraseMatch, type Question } from './question.ts'
import type { Citation, SearchAnswer, SearchQuery, SearchResult, SearchStatus } from './service.ts'
import { SnippetMaker } from './snippet.ts'
import { isSemantic, VectorSide, type VectorSideParts } from './vector-side.ts'

export interface SearcherParts extends VectorSideParts {
  /** `knowledge.db`; only read. */
  knowledge: Database
  lexical: LexicalRows
  /**
   * The address at which an article opens, given the base address of the wiki server; without it articles open in the
   * dashboard.
   */
  wikiLink?: (document: Document, wikiUrl: string) => string | null
}

/** Documents the list of words reaches down to; the answer ends there, at any `offset`. */
const LEXICAL_DOCUMENTS = 200
const PER_DOCUMENT = 3

interface Found {
  fused: Fused[]
  match: string | null
  corrected: string
  reason: Reason | null
}

/**
 * The search: words and vectors, fused by rank, one result per document. Reads `knowledge.db` and `search.db`, writes
 * neither; runs where it is composed, in a process of its own.
 */
export class Searcher {
  readonly #o: SearcherParts
  readonly #rows: KnowledgeRows
  readonly #vectors: VectorSide
  readonly #snippets: SnippetMaker

  private constructor(parts: SearcherParts, snippets: SnippetMaker) {
    this.#o = parts
    this.#rows = new KnowledgeRows(parts.knowledge)
    this.#vectors = new VectorSide(parts)
    this.#snippets = snippets
  }

  static async open(parts: SearcherParts): Promise<Searcher> {
    return new Searcher(parts, await SnippetMaker.open())
  }

  /** Never fails because of what `q` is. The same question gives the same order, page by page, until the index changes. */
  async query(query: SearchQuery): Promise<SearchAnswer> {
    const { fused, match, corrected, reason } = await this.#find(query.q, query)
    const documents = bestPerDocument(fused)
    const page = documents.slice(query.offset, query.offset + query.limit)
    return {
      query: query.q,
      mode: reason === null ? 'hybrid' : 'lexical',
      ...(reason === null ? {} : { reason }),
      ...(corrected === query.q ? {} : { corrected }),
      count: documents.length,
      results: page.flatMap((hit) => this.#result(hit, match, query.wikiUrl))
    }
  }

  async status(): Promise<SearchStatus> {
    const { provider, model, dims } = this.#o.embedder()
    const unready = await this.#vectors.unready()
    return {
      ...this.#o.lexical.totals(),
      models: unready?.code === 'store' ? [] : await this.#o.vectors.models(),
      embedding: { provider, model, dims, semantic: isSemantic(provider) },
      mode: unready === null ? 'hybrid' : 'lexical',
      ...(unready === null ? {} : { reason: unready.reason })
    }
  }

  close(): void {
    this.#snippets.close()
  }

  async #find(q: string, filter: Filter): Promise<Found> {
    const question = parseQuestion(q)
    const nearby = nearbyWords(question, this.#o.lexical)
    const match = fullMatch(question, nearby)
    const corrected = correctedText(q, nearby)
    if (match === null) {
      const unready = await this.#vectors.unready()
      return { fused: [], match, corrected, reason: unready?.reason ?? null }
    }
    const allowed = this.#rows.allowed(filter)
    const words = this.#byWords(match, allowed)
    const near = await this.#vectors.nearest(corrected, {
      filter: allowed,
      found: new Set(words.map(({ itemId }) => itemId))
    })
    if ('reason' in near)
      return { fused: this.#fused([{ hits: words, weight: 1 }]), match, corrected, reason: near.reason }
    const lists = [
      { hits: words, weight: 1 },
      { hits: this.#withPhrases(near.hits, question), weight: near.weight }
    ]
    return { fused: this.#fused(lists), match, corrected, reason: null }
  }

  #byWords(match: string, allowed: ReadonlySet<number> | null): { itemId: number; documentId: number }[] {
    return headOf(this.#o.lexical.ranked(match, allowed), {
      documents: LEXICAL_DOCUMENTS,
      perDocument: PER_DOCUMENT
    })
  }

  /** Items that went since they were indexed are left out before anything is counted. */
  #fused(lists: Parameters<typeof fuse>[0]): Fused[] {
    return this.#rows.existing(fuse(lists))
  }

  /** Keeps the hits that have what is in quotation marks, however near the rest is. */
  #withPhrases<Hit extends { itemId: number }>(hits: readonly Hit[], question: Question): Hit[] {
    const phrases = phraseMatch(question)
    return phrases === null ? [...hits] : hits.filter(({ itemId }) => this.#o.lexical.matches(phrases, itemId))
  }

  #result({ itemId, documentId, score }: Fused, match: string | null, wikiUrl: string | undefined): SearchResult[] {
    const item = this.#rows.item(itemId)
    const document = this.#rows.document(documentId)
    if (item === null || document === null) return []
    const { text, matches } = this.#snippets.make(item.content, match)
    return [
      {
        hash: document.hash,
        title: document.title.trim() || document.filename,
        snippet: text,
        matches,
        score,
        badge: badgeOf(document.kind),
        domain: document.domain,
        language: document.language,
        page: item.firstPage,
        item_id: item.id,
        citation: this.#citation(document, item.firstPage, wikiUrl)
      }
    ]
  }

  #citation(document: Document, page: number, wikiUrl: string | undefined): Citation {
    const startSeconds = document.kind === 'transcript' ? this.#rows.startSeconds(document.id, page) : null
    const link: WikiLink = (cited) => (wikiUrl === undefined ? null : (this.#o.wikiLink?.(cited, wikiUrl) ?? null))
    return citationOf(document, { page, startSeconds }, link)
  }
}
