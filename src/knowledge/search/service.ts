import type { Reason } from '../../model/reason.ts'
import type { Badge } from '../catalogue/document.ts'
import type { Confidence, Excerpt } from './excerpt.ts'
import type { Nearest } from './nearest.ts'
import type { ModelCount } from './ports.ts'

/** A question to the search, already checked. */
export interface SearchQuery {
  q: string
  badge?: Badge
  domain?: string
  /** Id of a library source, or a document's source (`dashboard_upload`, `folder`, `web`, `transcript`, `library`). */
  source?: string
  /** The hash of a document: its passages alone, each a result. */
  document?: string
  /** 1…100 */
  limit: number
  offset: number
  /** Base of the wiki links, as `{wiki_url}` of contract §9; absent: articles are cited by this dashboard's own page. */
  wikiUrl?: string
}

export interface Citation {
  /** Names the work and the place in it: `Field Sanitation, p. 12`. */
  text: string
  /** Opens it: a path of this dashboard, or an absolute address. */
  url: string
}

/** A passage that was found, by the part of it that the question is about. */
export interface FoundPassage {
  /** Plain text, at most some 300 characters. */
  snippet: string
  /** The places of the question's words in `snippet`: [from, to) in UTF-16 units, ascending, never overlapping. */
  matches: [number, number][]
  /**
   * 0…1: the share of the question's weight that stands in the passage, its heading or its title; rare words weigh more, another
   * word for the thing counts four fifths. 0: found by likeness alone.
   */
  score: number
  page: number
  item_id: number
  citation: Citation
}

/** One document, by its best passage. */
export interface SearchResult extends FoundPassage {
  hash: string
  title: string
  /** Its best three, the best first; that one alone where one document was asked for. */
  passages: FoundPassage[]
  /** There are further ones: ask for `document`. */
  more: boolean
  badge: Badge
  domain: string
  language: string | null
}

/** The answer of `GET /api/search` (contract §8). */
export interface SearchAnswer {
  query: string
  mode: 'hybrid' | 'lexical'
  /** The reason why it is not hybrid. */
  reason?: Reason
  /** The question as it was understood, when a word was not known: a nearby one is searched instead. */
  corrected?: string
  /** Documents found in all, or passages of the one asked for, of which `results` is the asked part. */
  count: number
  results: SearchResult[]
}

/** The state of the search on the status page. */
export interface SearchStatus {
  documents: number
  items: number
  models: ModelCount[]
  /** The model whose vectors questions are compared with; `semantic` is false for `hash`. */
  embedding: { provider: string; model: string; dims: number | null; semantic: boolean }
  mode: 'hybrid' | 'lexical'
  reason?: Reason
}

/** A question in whole sentences, already checked. */
export interface AskQuery {
  question: string
  /** Passages at most, 1…10. */
  limit: number
  /** As of a search. */
  wikiUrl?: string
}

/** A passage that an answer may cite; neighbours are joined. Several may be of one document. */
export interface AskPassage
  extends Pick<SearchResult, 'hash' | 'title' | 'snippet' | 'score' | 'badge' | 'page' | 'item_id' | 'citation'> {
  /** Its number in the answer. */
  n: number
  /** The heading it begins under; empty where it has none. */
  heading: string
  /** The whole passage. */
  text: string
}

/** The answer of `POST /api/ask` (contract §8). */
export interface AskAnswer {
  question: string
  /** With marks like [2], each of them one of `citations`; null when there is none. */
  answer: string | null
  /** The reason why there is none. */
  reason?: Reason
  /** `found`: what is said holds the rarest word of the question and most of its weight. `perhaps`: most of it, and no number. */
  confidence: Confidence
  /** The words of a passage that answer it; absent when none may be said. */
  excerpt?: Excerpt
  /** No answer: what stands in the first passage around most of the question. Only where nothing else is said. */
  nearest?: Nearest
  /** The model that has written it. */
  model?: string
  citations: (Citation & { n: number })[]
  passages: AskPassage[]
}

/** The search as the rest of the program sees it, wherever it runs. */
export interface SearchService {
  query(query: SearchQuery): Promise<SearchAnswer>
  ask(query: AskQuery): Promise<AskAnswer>
  status(): Promise<SearchStatus>
}
