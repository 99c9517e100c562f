import type { Reason } from '../../model/reason.ts'
import type { DocumentStatus, Stage, UploadState } from './states.ts'

/** The origin of a document: its badge is made from it. */
export type DocumentKind = 'pdf' | 'text' | 'web' | 'wiki' | 'transcript'

/** Badges of the catalogue and of search (contract §7). */
export const BADGES = ['PDF', 'WEB', 'WIKI', 'transcript'] as const
export type Badge = (typeof BADGES)[number]
/** A text is a document among the PDFs: what it was before nobody asks (contract §7). */
export const KINDS_OF_BADGE: Readonly<Record<Badge, readonly DocumentKind[]>> = {
  PDF: ['pdf', 'text'],
  WEB: ['web'],
  WIKI: ['wiki'],
  transcript: ['transcript']
}

/** The 18 domains of knowledge. A change of this list raises `TAXONOMY` and brings a migration of stored domains. */
export const DOMAINS = [
  'Agriculture & Livestock',
  'Civil Organization',
  'Communications',
  'Food Systems',
  'Foundational Skills',
  'Logistics',
  'Medical',
  'Navigation',
  'Operations',
  'Power Systems',
  'Preservation & Storage',
  'Security',
  'Shelter & Construction',
  'Technology',
  'Tools & Equipment',
  'Vehicles',
  'Water Systems',
  'Wilderness Skills'
] as const
export type Domain = (typeof DOMAINS)[number]
/** The domain of a document for which nobody has decided one. */
export const UNSORTED = 'Unsorted'
export const TAXONOMY = 1

/** Facts the voters agree on; empty = unknown. */
export interface Metadata {
  title: string
  author: string
  edition: string
  year: string
}

/** The voters and their words for each field, and why this one was taken: `agreed (filename, document)`, `document`. */
export interface Provenance {
  chosen: Partial<Record<keyof Metadata, string>>
  /** voter → what it said. */
  said: Record<string, Partial<Metadata>>
}

/** Somebody must decide; the document is searchable meanwhile unless its status is `needs_review`. */
export interface Review {
  reason: Reason
  /** Domains, best first; empty for a probable copy. */
  candidates: string[]
  /** The document this one is probably a copy of. */
  duplicate_of: string | null
}

export interface Upload {
  /** SHA-256 of the uploaded bytes, 64 hex digits. */
  hash: string
  /** As the sender named it. */
  filename: string
  /** `.pdf`, lower case, as found by looking at the bytes. */
  extension: string
  size: number
  category: string
  title: string
  /** `dashboard_upload`, `folder`, `web`, `transcript`. */
  source: string
  source_type: string
  /** The sidecar as it came, unknown keys kept. */
  sidecar: Record<string, unknown>
  state: UploadState
  reason: Reason | null
  /** Hash of the document it is a copy of. */
  duplicateOf: string | null
  receivedAt: number
  changedAt: number
}

export interface Document extends Metadata {
  id: number
  /** The identity everybody uses: of an upload, SHA-256 of the uploaded bytes; of an article, of archive and path. */
  hash: string
  kind: DocumentKind
  filename: string
  provenance: Provenance
  /** `dashboard_upload`, `folder`, `web`, `transcript`, `library`. */
  source: string
  /** The library source it belongs to. */
  sourceId: number | null
  category: string
  /** Of a web page or a transcript: where it came from. Of an article: its path in the archive. */
  url: string | null
  /** The stored original, relative to the data folder; null when there is none. */
  path: string | null
  sizeBytes: number
  /** ISO 639-1 where there is one, `und` when nobody can say; null before it was looked at. */
  language: string | null
  domain: string
  taxonomy: number
  review: Review | null
  status: DocumentStatus
  reason: Reason | null
  failedStage: Stage | null
  warnings: Reason[]
  /** Somebody was asked whether it is a copy: nobody is asked twice. */
  copyAsked: boolean
  /** Names the pages at which the language model failed; it goes when they are tried again. */
  modelWarning: Reason | null
  pageCount: number
  ocrPages: number
  itemCount: number
  vectorCount: number
  /** SHA-256 of the normalised text. */
  textHash: string | null
  /** 64-bit simhash of three-word shingles, 16 hex digits. */
  simhash: string | null
  createdAt: number
  changedAt: number
  extractedAt: number | null
  enrichedAt: number | null
  completedAt: number | null
}

/** One page of text; of a transcript, about two minutes of it. */
export interface Page {
  /** From 1. */
  number: number
  text: string
  /** The way the text was got: `pdftotext`, `tesseract`, `text`, `html`, `none`. */
  method: string
  /** Of a transcript: where the page begins. */
  startSeconds: number | null
}

export const KNOWLEDGE_TYPES = ['foundational', 'procedural', 'operational'] as const
export const COMPLEXITIES = ['basic', 'intermediate', 'advanced'] as const

export interface ItemDetails {
  domain: string
  subdomain: string[]
  keywords: string[]
  knowledge_type: (typeof KNOWLEDGE_TYPES)[number]
  complexity: (typeof COMPLEXITIES)[number]
  key_facts: string[]
}

/** A piece of knowledge that stands alone: what is searched and cited. */
export interface NewItem {
  window: number
  ordinal: number
  /** `extract`: a passage of the text itself; `llm`: written by a language model. */
  origin: 'extract' | 'llm'
  firstPage: number
  lastPage: number
  title: string
  summary: string
  content: string
  details: ItemDetails
}

export interface Item extends NewItem {
  id: number
  documentId: number
}
