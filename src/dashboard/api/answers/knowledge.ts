import * as v from 'valibot'
import { DIFFERENCES, MATCHES, OUTCOMES } from '../../../knowledge/addresses/address.ts'
import { counts, next, number, numberOrNull, text, textOrNull, texts, time, timeOrNull } from './common.ts'

/** Answers of the routes about documents, archives, the search and addresses. */

const document = {
  hash: text,
  kind: text,
  badge: text,
  filename: text,
  title: text,
  author: text,
  edition: text,
  year: text,
  domain: text,
  category: text,
  language: textOrNull,
  source: text,
  source_id: numberOrNull,
  url: textOrNull,
  size_bytes: number,
  status: text,
  message: text,
  reason: textOrNull,
  failed_stage: textOrNull,
  warnings: texts,
  review: v.nullable(v.object({ reason: text, candidates: texts, duplicate_of: textOrNull })),
  page_count: number,
  ocr_pages: number,
  item_count: number,
  vector_count: number,
  created_at: timeOrNull,
  changed_at: timeOrNull,
  extracted_at: timeOrNull,
  enriched_at: timeOrNull,
  completed_at: timeOrNull,
  page_url: text,
  original_url: textOrNull,
  retry_url: v.exactOptional(text)
}
export const documentView = v.object(document)
export const documentsAnswer = v.object({ documents: v.array(documentView), next })
const said = v.record(v.string(), text)
export const documentAnswer = v.object({
  ...document,
  provenance: v.object({ chosen: v.record(v.string(), text), said: v.record(v.string(), said) }),
  hashes: texts,
  windows: v.array(
    v.object({
      number,
      first_page: number,
      last_page: number,
      state: text,
      reason: textOrNull,
      provider: textOrNull
    })
  ),
  removing: v.boolean()
})
export const pageView = v.object({ number, text, method: text, start_seconds: numberOrNull })
export const pageAnswer = v.object({ hash: text, page_count: number, ...pageView.entries })
export const orderedDocumentAnswer = v.object({ ok: v.literal(true), document: documentView })
export const reviewedAnswer = v.object({ ok: v.literal(true), document: documentView, removing: v.boolean() })
export const retriedAnswer = v.object({ ok: v.literal(true), retried: number })
export const removedDocumentAnswer = v.object({
  ok: v.literal(true),
  hash: text,
  filename: text,
  state: v.picklist(['removed', 'removing'])
})

const arrived = { hash: text, filename: text, status: v.literal('pending'), status_url: text }
export const uploadedAnswer = v.object(arrived)
export const webPageAnswer = v.object({ ...arrived, url: text, title: text })
export const uploadStatusAnswer = v.object({
  hash: text,
  filename: text,
  status: text,
  message: text,
  reason: textOrNull,
  waits_for: textOrNull,
  progress: textOrNull,
  duplicate_of: textOrNull,
  document: v.nullable(
    v.object({ hash: text, title: text, domain: text, pages: number, items: number, vectors: number })
  ),
  status_url: text,
  retry_url: v.exactOptional(text)
})
export const categoriesAnswer = v.object({ categories: v.array(v.object({ name: text, count: number })) })

export const jobView = v.object({
  kind: text,
  subject: text,
  hash: textOrNull,
  filename: textOrNull,
  state: text,
  attempts: number,
  reason: textOrNull,
  progress: textOrNull,
  due_at: time
})
const jobs = v.array(jobView)
export const knowledgeAnswer = v.object({
  documents: counts,
  uploads: counts,
  review: number,
  jobs: v.array(v.object({ kind: text, state: text, count: number })),
  running: jobs,
  waiting: v.array(v.object({ ...jobView.entries, waits_for: textOrNull })),
  held: jobs,
  dead: jobs,
  failures: v.array(documentView),
  rejected: v.array(v.object({ hash: text, filename: text, reason: textOrNull, at: time })),
  throughput: v.object({
    documents_last_hour: number,
    pages_last_hour: number,
    documents_per_hour: v.array(number)
  }),
  worker: v.object({ state: v.picklist(['asleep', 'working', 'failing', 'off']), reason: textOrNull }),
  detector: v.object({ detector: text, state: text, reason: textOrNull }),
  tools: v.array(
    v.object({
      format: text,
      tool: textOrNull,
      quality: v.picklist(['full', 'text', 'none']),
      note: text,
      install: textOrNull
    })
  )
})

const citation = { text, url: text }
const passage = { snippet: text, score: number, page: number, item_id: number, citation: v.object(citation) }
const found = { hash: text, title: text, badge: text, ...passage }
const matches = v.pipe(v.array(v.array(number)), v.description('Pairs [from, to) in the snippet, in UTF-16 units.'))
export const searchAnswer = v.object({
  query: text,
  mode: v.picklist(['hybrid', 'lexical']),
  reason: v.exactOptional(text),
  corrected: v.exactOptional(text),
  count: number,
  results: v.array(
    v.object({
      ...found,
      matches,
      passages: v.array(v.object({ ...passage, matches })),
      more: v.boolean(),
      domain: text,
      language: textOrNull
    })
  )
})
export const askAnswer = v.object({
  question: text,
  answer: textOrNull,
  reason: v.exactOptional(text),
  confidence: v.picklist(['found', 'perhaps', 'not_found']),
  excerpt: v.exactOptional(
    v.object({ n: number, text, heading: v.exactOptional(text), to_read: v.exactOptional(v.literal(true)) })
  ),
  nearest: v.exactOptional(v.object({ n: number, text, heading: v.exactOptional(text) })),
  model: v.exactOptional(text),
  citations: v.array(v.object({ n: number, ...citation })),
  passages: v.array(v.object({ n: number, ...found, heading: text, text }))
})

const address = v.object({
  number: text,
  street: text,
  street2: text,
  city: text,
  state: text,
  zipcode: text,
  plus4: text,
  country: text,
  lat: numberOrNull,
  lon: numberOrNull,
  source: textOrNull,
  match: v.picklist(MATCHES)
})
export const addressesAnswer = v.object({
  results: v.array(address),
  count: number,
  query: text,
  found: v.picklist(OUTCOMES),
  differs: v.array(v.picklist(DIFFERENCES))
})
export const suggestionsAnswer = v.object({
  suggestions: v.array(v.object({ text, kind: v.picklist(['address', 'street', 'city', 'zip']) })),
  count: number,
  query: text
})
export const addressHealthAnswer = v.variant('ok', [
  v.object({
    ok: v.literal(true),
    row_count: numberOrNull,
    file_size_bytes: number,
    indexed_countries: texts
  }),
  v.object({ ok: v.literal(false), reason: text })
])

const archive = v.object({
  id: number,
  filename: text,
  title: text,
  description: text,
  language: text,
  category: text,
  status: text,
  progress: text,
  activity: textOrNull,
  failed: text,
  ingest_enabled: v.boolean(),
  counts: v.object({
    articles: number,
    extracted: number,
    total: number,
    in_vector_store: number,
    skipped: number,
    failed: number
  }),
  browse_url: textOrNull,
  size_bytes: number,
  uuid: text,
  state: text,
  reason: textOrNull
})
export const libraryAnswer = v.object({
  sources: v.array(archive),
  server: v.object({
    status: text,
    url: textOrNull,
    version: textOrNull,
    reason: textOrNull,
    foreign: v.array(v.object({ title: text, language: text, browse_url: textOrNull })),
    problem: textOrNull
  })
})
export const arrivedArchiveAnswer = v.object({
  ok: v.literal(true),
  filename: text,
  uuid: text,
  source: v.nullable(archive),
  pending: v.array(v.picklist(['detection', 'registration']))
})
export const archiveAnswer = v.object({ ok: v.literal(true), source: archive })
export const retriedArchiveAnswer = v.object({ ok: v.literal(true), retried: number, source: archive })
export const removalAnswer = v.object({
  ok: v.literal(true),
  removed: v.object({
    documents: number,
    vectors: number,
    file: v.boolean(),
    registration: v.boolean(),
    jobs: number
  }),
  pending: texts
})

export const scrapeView = v.object({
  id: number,
  url: text,
  title: text,
  language: text,
  status: text,
  page_count: number,
  total: numberOrNull,
  message: textOrNull,
  archive: textOrNull,
  source_id: numberOrNull,
  engine: v.nullable(v.picklist(['container', 'built-in'])),
  /** A crawl that was interrupted went on with so many pages, the last time. */
  resumed: v.nullable(v.object({ pages: number, after: text, times: number })),
  missed: number,
  capped: number,
  documents: number,
  created_at: time,
  started_at: timeOrNull,
  completed_at: timeOrNull
})
export const scrapesAnswer = v.object({ jobs: v.array(scrapeView) })
export const scrapeDetailAnswer = v.object({
  job: scrapeView,
  include: texts,
  exclude: texts,
  takes_documents: v.boolean(),
  missed: v.array(v.object({ url: text, code: text, reason: text })),
  capped: v.array(v.object({ pattern: text, kept: number, pages: number })),
  documents: v.array(
    v.object({
      url: text,
      state: v.picklist(['taken', 'here', 'refused']),
      hash: textOrNull,
      code: textOrNull,
      reason: textOrNull
    })
  )
})
export const scrapeAnswer = v.object({ ok: v.literal(true), job: scrapeView })
export const clearedAnswer = v.object({ ok: v.literal(true), deleted: number })
