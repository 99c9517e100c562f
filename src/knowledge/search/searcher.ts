import type { Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Document, Item } from '../catalogue/document.ts'
import { badgeOf } from '../catalogue/listing.ts'
import { citationOf, type WikiLink } from './citation.ts'
import { type Concept, ConceptReader } from './concepts.ts'
import { byDocument, type Fused, fuse, headOf } from './fusion.ts'
import { type Filter, KnowledgeRows } from './knowledge-rows.ts'
import type { LexicalRows } from './lexical.ts'
import { correctedText } from './nearby.ts'
import { chosenPassages, type PlacedCandidate } from './passages.ts'
import { fullMatch, parseQuestion, phraseMatch, type Question } from './question.ts'
import { rankPassages } from './rank.ts'
import type {
  AskPassage,
  AskQuery,
  Citation,
  FoundPassage,
  SearchAnswer,
  SearchQuery,
  SearchResult,
  SearchStatus
} from './service.ts'
import { SnippetMaker } from './snippet.ts'
import { TextTable } from './text-table.ts'
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
const OF_ONE_DOCUMENT = 200
/** Passages whose text is read to put them in order. */
const RANKED = 60

/** The same for every result of an answer. */
interface Shown {
  match: string | null
  scores: ReadonlyMap<number, number>
  wikiUrl: string | undefined
}

interface Found {
  fused: Fused[]
  match: string | null
  corrected: string
  reason: Reason | null
  concepts: readonly Concept[]
}

/**
 * The search: words and vectors, fused by rank, grouped by document. Reads `knowledge.db` and `search.db`, writes
 * neither; runs where it is composed, in a process of its own.
 */
export class Searcher {
  readonly #o: SearcherParts
  readonly #rows: KnowledgeRows
  readonly #vectors: VectorSide
  readonly #snippets: SnippetMaker
  readonly #table: TextTable
  readonly #reader: ConceptReader

  private constructor(parts: SearcherParts, { snippets, table }: { snippets: SnippetMaker; table: TextTable }) {
    this.#o = parts
    this.#rows = new KnowledgeRows(parts.knowledge)
    this.#vectors = new VectorSide(parts)
    this.#snippets = snippets
    this.#table = table
    this.#reader = new ConceptReader(table, parts.lexical)
  }

  static async open(parts: SearcherParts): Promise<Searcher> {
    return new Searcher(parts, { snippets: await SnippetMaker.open(), table: await TextTable.open() })
  }

  /** Never fails because of what `q` is. The same question gives the same order, page by page, until the index changes. */
  async query(query: SearchQuery): Promise<SearchAnswer> {
    const isOfOne = query.document !== undefined
    const most = isOfOne ? OF_ONE_DOCUMENT : PER_DOCUMENT + 1
    const { fused, match, corrected, reason, concepts } = await this.#find(query.q, query, most)
    const groups = isOfOne ? fused.map((hit) => [hit]) : byDocument(fused)
    const page = groups.slice(query.offset, query.offset + query.limit)
    const scores = this.#scores(page.flat(), concepts)
    return {
      query: query.q,
      mode: reason === null ? 'hybrid' : 'lexical',
      ...(reason === null ? {} : { reason }),
      ...(corrected === query.q ? {} : { corrected }),
      count: groups.length,
      results: page.flatMap((group) => this.#result(group, { match, scores, wikiUrl: query.wikiUrl }))
    }
  }

  /** The best passages for an answer, whole: up to three of one document, more only where no other document has anything. */
  async passages({ question, limit, wikiUrl }: AskQuery): Promise<AskPassage[]> {
    const { fused, match, concepts } = await this.#find(question, {}, RANKED)
    const knowsMeaning = isSemantic(this.#o.embedder().provider)
    const candidates = fused
      .slice(0, RANKED)
      .flatMap(({ itemId }, at) =>
        this.#candidate(itemId).map((one) => ({ ...one, prior: knowsMeaning ? 1 - at / RANKED : 0 }))
      )
    const ranked = rankPassages(this.#table, concepts, candidates)
    return chosenPassages(ranked, limit).flatMap(({ best, first, text }, at) => {
      const document = this.#rows.document(best.documentId)
      if (document === null) return []
      return [
        {
          n: at + 1,
          hash: document.hash,
          title: titleOf(document),
          heading: first.heading,
          text,
          snippet: this.#snippets.make(best.text, match).text,
          score: best.score,
          badge: badgeOf(document.kind),
          page: best.page,
          item_id: best.itemId,
          citation: this.#citation(document, best.page, wikiUrl)
        }
      ]
    })
  }

  #candidate(itemId: number): PlacedCandidate[] {
    const item = this.#rows.item(itemId)
    const document = item === null ? null : this.#rows.document(item.documentId)
    if (item === null || document === null) return []
    const { documentId, window, ordinal, firstPage: page, content: text } = item
    const heading = headingOf(item, document)
    const head = heading === '' ? document.title : `${document.title}\n${heading}`
    return [{ itemId, documentId, window, ordinal, page, text, head, heading, prior: 0, score: 0, rank: 0 }]
  }

  /** The score of each item. */
  #scores(hits: readonly Fused[], concepts: readonly Concept[]): Map<number, number> {
    const candidates = hits.flatMap(({ itemId }) => this.#candidate(itemId))
    return new Map(rankPassages(this.#table, concepts, candidates).map(({ itemId, score }) => [itemId, score]))
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
    this.#table.close()
  }

  async #find(q: string, filter: Filter, perDocument: number): Promise<Found> {
    const question = parseQuestion(q)
    const nearby = this.#reader.nearby(question)
    const concepts = this.#reader.read(q)
    const match = withOtherWords(fullMatch(question, nearby), question, concepts)
    const corrected = correctedText(q, nearby)
    if (match === null) {
      const unready = await this.#vectors.unready()
      return { fused: [], match, corrected, reason: unready?.reason ?? null, concepts }
    }
    const allowed = this.#rows.allowed(filter)
    const words = this.#byWords(match, { allowed, perDocument, concepts })
    const near = await this.#vectors.nearest(corrected, {
      filter: allowed,
      found: new Set(words.map(({ itemId }) => itemId))
    })
    if ('reason' in near)
      return { fused: this.#fused([{ hits: words, weight: 1 }]), match, corrected, reason: near.reason, concepts }
    const lists = [
      { hits: words, weight: 1 },
      { hits: this.#withPhrases(near.hits, question), weight: near.weight }
    ]
    return { fused: this.#fused(lists), match, corrected, reason: null, concepts }
  }

  /** The first of them in the order of what their texts say, the others as the index has them. */
  #byWords(
    match: string,
    {
      allowed,
      perDocument,
      concepts
    }: { allowed: ReadonlySet<number> | null; perDocument: number; concepts: readonly Concept[] }
  ): { itemId: number; documentId: number }[] {
    const head = headOf(this.#o.lexical.ranked(match, allowed), { documents: LEXICAL_DOCUMENTS, perDocument })
    const candidates = head.slice(0, RANKED).flatMap(({ itemId }) => this.#candidate(itemId))
    return [...rankPassages(this.#table, concepts, candidates), ...head.slice(RANKED)]
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

  #result(group: readonly Fused[], shown: Shown): SearchResult[] {
    const [first] = group
    const document = first === undefined ? null : this.#rows.document(first.documentId)
    if (document === null) return []
    const passages = group.slice(0, PER_DOCUMENT).flatMap(({ itemId }) => this.#found(itemId, document, shown))
    const [best] = passages
    if (best === undefined) return []
    const { hash, kind, domain, language } = document
    const more = group.length > PER_DOCUMENT
    return [{ hash, title: titleOf(document), ...best, badge: badgeOf(kind), domain, language, passages, more }]
  }

  #found(itemId: number, document: Document, { match, scores, wikiUrl }: Shown): FoundPassage[] {
    const item = this.#rows.item(itemId)
    if (item === null) return []
    const { text, matches } = this.#snippets.make(item.content, match)
    const citation = this.#citation(document, item.firstPage, wikiUrl)
    const score = scores.get(itemId) ?? 0
    return [{ snippet: text, matches, score, page: item.firstPage, item_id: itemId, citation }]
  }

  #citation(document: Document, page: number, wikiUrl: string | undefined): Citation {
    const startSeconds = document.kind === 'transcript' ? this.#rows.startSeconds(document.id, page) : null
    const link: WikiLink = (cited) => (wikiUrl === undefined ? null : (this.#o.wikiLink?.(cited, wikiUrl) ?? null))
    return citationOf(document, { page, startSeconds }, link)
  }
}

function titleOf({ title, filename }: Document): string {
  return title.trim() || filename
}

/** The heading an item begins under; none where its title is its own first line, or the document's. */
function headingOf({ title, content }: Item, document: Document): string {
  const own = content.replace(/^#{1,6} /, '')
  return title === document.title || own.startsWith(title.replace(/…$/, '')) ? '' : title
}

/** Phrases are demanded as they stand: other words count only where there are none. */
function withOtherWords(match: string | null, { phrases }: Question, concepts: readonly Concept[]): string | null {
  if (match === null || phrases.length > 0) return match
  return [match, ...concepts.map((concept) => concept.match)].join(' OR ')
}
