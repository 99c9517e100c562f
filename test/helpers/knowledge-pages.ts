import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import type { KnowledgeContext } from '../../src/dashboard/server/knowledge.ts'
import type { ItemDetails, NewItem } from '../../src/knowledge/catalogue/document.ts'
import { inspectModel } from '../../src/knowledge/enrich/embed/inspect-model.ts'
import { BulkStore } from '../../src/knowledge/intake/bulk/store.ts'
import { PartialUploads } from '../../src/knowledge/intake/partial-uploads.ts'
import { Receiver, type ReceiverSettings } from '../../src/knowledge/intake/receive.ts'
import { toolReport } from '../../src/knowledge/intake/tools.ts'
import { PassageCodes } from '../../src/knowledge/search/codes.ts'
import type { SearchAnswer, SearchQuery, SearchResult } from '../../src/knowledge/search/service.ts'
import { because } from '../../src/model/reason.ts'
import { AppError } from '../../src/platform/errors.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { StationModels } from '../../src/station/models.ts'
import { note } from './in-words.ts'
import { type KnowledgeSetup, newDocument } from './knowledge.ts'

const details: ItemDetails = {
  domain: 'Water Systems',
  subdomain: [],
  keywords: ['water', 'boiling', 'filter'],
  knowledge_type: 'procedural',
  complexity: 'basic',
  key_facts: []
}

export const item = (n: number, patch: Partial<NewItem> = {}): NewItem => ({
  window: 0,
  ordinal: n,
  origin: 'extract',
  firstPage: n,
  lastPage: n,
  title: `Boiling water, part ${n}`,
  summary: '',
  content: `Bring the water to a rolling boil for one minute; at more than 2000 m for three minutes. Part ${n}.`,
  details,
  ...patch
})

/** The knowledge of a station whose stores are real and whose worker sleeps; the search answers what it is told to. */
export function knowledgeContext(
  t: Pick<Test, 'teardown'>,
  setup: KnowledgeSetup,
  patch: Partial<KnowledgeContext> = {}
): KnowledgeContext & { woken: () => number; asked: SearchQuery[] } {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-documents-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['acquired/pdf', 'acquired/text', 'processing', 'library'])
    mkdirSync(join(folder, name), { recursive: true })
  let woken = 0
  const asked: SearchQuery[] = []
  const { catalogue, uploads, jobs, clock } = setup
  const now = (): number => clock.now()
  const wake = (): void => {
    woken++
  }
  const settings = (): ReceiverSettings => ({ maxBytes: 50_000_000, minFreeBytes: 0 })
  const receiver = new Receiver({ folder, catalogue, uploads, settings, now, onArrival: wake })
  return {
    folder,
    catalogue,
    uploads,
    jobs,
    asked,
    woken: () => woken,
    wake,
    receiver,
    decideDomain: async (id, domain) => catalogue.decideDomain(id, domain),
    takeAddress: async ({ url }) => {
      throw new AppError('invalid', note(`${url} is not fetched here`))
    },
    bulk: {
      store: new BulkStore({ db: setup.db, jobs, now }),
      places: async () => [],
      check: async (path) => ({ path, disk: null })
    },
    partials: new PartialUploads({ receiver, now }),
    search: {
      query: async (query) => {
        asked.push(query)
        return answer(query)
      },
      ask: async () => {
        throw new Error('nobody asks for it')
      },
      status: async () => {
        throw new Error('nobody asks for it')
      }
    },
    codes: new PassageCodes({ db: setup.db, now: () => setup.clock.now() }),
    tools: () => toolReport((name) => (name === 'soffice' || name === 'tesseract' ? null : `/usr/bin/${name}`)),
    models: new StationModels({
      dataFolder: folder,
      current: () => v.parse(configSchema, {}),
      clock,
      log: createLog({ level: 'fatal', destination: { write: () => undefined } }),
      inspect: inspectModel,
      onChange: wake
    }),
    worker: () => ({ state: 'asleep', reason: null }),
    detector: () => ({ detector: 'fasttext', state: 'not loaded', reason: null }),
    ...patch
  } as KnowledgeContext & { woken: () => number; asked: SearchQuery[] }
}

/** The search's answer in these tests: three results, or none of `nothing`. */
function answer({ q, offset }: SearchQuery): SearchAnswer {
  const results: SearchResult[] = [
    found(HASHES.complete, 'Field Sanitation <Handbook>', 'Water is boiled & filtered.', [
      [0, 5],
      [9, 15]
    ]),
    found(HASHES.article, 'Water purification', 'Purification of water', [[16, 21]])
  ]
  if (q === 'nothing') return { query: q, mode: 'hybrid', count: 0, results: [] }
  return {
    query: q,
    mode: 'lexical',
    reason: note('no semantic model'),
    count: 42,
    results: offset === 0 ? results : []
  }
}

function found(hash: string, title: string, snippet: string, matches: [number, number][]): SearchResult {
  const url = hash === HASHES.article ? 'http://127.0.0.1:8081/content/w/A/Water' : `/documents/${hash}?page=2`
  const best = { snippet, matches, score: 0.9, page: 2, item_id: 2, citation: { text: `${title}, p. 2`, url } }
  const next = { ...best, snippet: `Further in ${title}`, matches: [], score: 0.5, page: 7, item_id: 7 }
  const isBook = hash !== HASHES.article
  return {
    ...best,
    hash,
    title,
    badge: isBook ? 'PDF' : 'WIKI',
    domain: 'Water Systems',
    language: 'en',
    passages: isBook ? [best, next] : [best],
    more: isBook
  }
}

const hash = (letter: string): string => letter.repeat(64)
export const HASHES = {
  complete: hash('a'),
  article: hash('b'),
  failed: hash('c'),
  skipped: hash('d'),
  copy: hash('e'),
  unsorted: hash('f'),
  running: hash('0'),
  held: hash('1'),
  transcript: hash('2'),
  pending: hash('3'),
  rejected: hash('4')
}

const PAGE = `Chapter ${'1'}. Safe water

All water from streams, lakes and shallow wells has to be taken as unsafe until
it has been made safe. Boiling is the surest way: bring the water to a rolling boil for one min-
ute; above 2000 m for three minutes.

- Filter cloudy water through a cloth first.
- Let it settle.

Dose             Clear water      Cloudy water
1 litre          2 drops          4 drops`

/** A small library with one document in every state that pages show. */
export function seedLibrary({ catalogue, uploads, jobs, clock }: KnowledgeSetup): Record<keyof typeof HASHES, number> {
  const complete = catalogue.add(
    newDocument('a', {
      title: 'Field Sanitation <Handbook>',
      author: 'U.S. Army & others',
      edition: '2nd',
      year: '1987',
      filename: 'fm21-10 sanitation.pdf',
      domain: 'Water Systems',
      language: 'en',
      status: 'complete',
      path: 'library/Water Systems/Field Sanitation.pdf',
      sizeBytes: 3_400_000,
      pageCount: 3,
      ocrPages: 1,
      itemCount: 3,
      vectorCount: 3,
      completedAt: clock.now() - 60_000,
      warnings: [note('page 3 was read by OCR')],
      provenance: {
        chosen: { title: 'agreed (filename, document)', author: 'document', year: 'first page' },
        said: {
          filename: { title: 'fm21-10 sanitation' },
          document: { title: 'Field Sanitation <Handbook>', author: 'U.S. Army & others' },
          'first page': { year: '1987' }
        }
      }
    })
  )
  const methods = ['pdftotext', 'pdftotext', 'tesseract']
  catalogue.setPages(
    complete,
    methods.map((method, index) => ({ number: index + 1, text: PAGE, method, startSeconds: null }))
  )
  catalogue.replaceItems(complete, 0, 'extract', [item(1), item(2), item(3)])
  const article = catalogue.add(
    newDocument('b', {
      kind: 'wiki',
      title: 'Water purification',
      author: '',
      source: 'library',
      category: '',
      status: 'complete',
      language: 'de',
      domain: 'Water Systems',
      pageCount: 1,
      itemCount: 2,
      url: 'A/Water'
    })
  )
  const failed = catalogue.add(
    newDocument('c', {
      title: '',
      author: '',
      filename: 'a_very_long_file_name_without_any_blank_in_it_that_must_break_somewhere_or_else_stick_out.pdf',
      status: 'failed',
      failedStage: 'extract',
      reason: note('pdftotext says: Couldn’t find trailer dictionary')
    })
  )
  const skipped = catalogue.add(
    newDocument('d', {
      title: 'Manuel de l’eau',
      status: 'skipped',
      reason: note('The language is French (fr), which is not one of those that are read (en).'),
      language: 'fr',
      pageCount: 12
    })
  )
  const copy = catalogue.add(
    newDocument('e', {
      title: 'Field Sanitation <Handbook>',
      author: 'U.S. Army & others',
      edition: '',
      year: '1987',
      status: 'needs_review',
      review: { reason: note('Title, author and year are the same.'), candidates: [], duplicate_of: HASHES.complete }
    })
  )
  const unsorted = catalogue.add(
    newDocument('f', {
      kind: 'text',
      title: 'Notes of a winter',
      status: 'enriched',
      pageCount: 2,
      itemCount: 4,
      review: {
        reason: note('Two domains fit nearly alike.'),
        candidates: ['Wilderness Skills', 'Shelter & Construction'],
        duplicate_of: null
      }
    })
  )
  catalogue.setPages(unsorted, [{ number: 1, text: 'Snow fell for nine days.', method: 'text', startSeconds: null }])
  const running = catalogue.add(newDocument('0', { kind: 'web', title: 'Radio checks', url: 'https://example.org/r' }))
  jobs.claim(['extract'], { owner: 'test', leaseMs: 60_000 })
  catalogue.begin(running, 'extract')
  const job = jobs.get('extract', String(running))
  if (job !== null) jobs.renew(job.id, 'test', 60_000, note('page 3 of 90'))
  const held = catalogue.add(newDocument('1', { title: 'Scanned plans' }))
  const reason = 'tesseract is not installed; it reads scanned pages. Install it: sudo apt install tesseract-ocr'
  const second = jobs.claim(['extract'], { owner: 'test', leaseMs: 60_000 })
  if (second !== null) jobs.hold(second.id, 'test', { reason: note(reason), retryAt: clock.now() + 3_600_000 })
  const transcript = catalogue.add(
    newDocument('2', {
      kind: 'transcript',
      title: 'How to purify water',
      source: 'transcript',
      status: 'complete',
      url: 'https://video.example.org/w/1',
      pageCount: 2,
      itemCount: 1
    })
  )
  catalogue.setPages(transcript, [
    { number: 1, text: 'Hello and welcome.', method: 'text', startSeconds: 0 },
    { number: 2, text: 'Now we boil the water.', method: 'text', startSeconds: 125 }
  ])
  const upload = { extension: '.pdf', size: 2048, category: 'Manuals', title: '', sidecar: {} }
  const from = { source: 'dashboard_upload', source_type: 'pdf' }
  uploads.add({ ...upload, ...from, hash: HASHES.pending, filename: 'just arrived.pdf' })
  uploads.add({ ...upload, ...from, hash: HASHES.rejected, filename: 'broken.pdf' })
  uploads.setState(HASHES.rejected, 'rejected', { reason: note('The file is encrypted: remove its password first.') })
  return { complete, article, failed, skipped, copy, unsorted, running, held, transcript, pending: 0, rejected: 0 }
}

/** Work that waits for different things: for its turn, to be alone, for a time. Answers the hashes of the documents. */
export function seedWaiting({ catalogue, jobs, db, clock }: KnowledgeSetup): {
  small: string
  deadly: string
  later: string
} {
  const hash = { small: 'a1'.repeat(32), deadly: 'a2'.repeat(32), later: 'a3'.repeat(32) }
  for (const [name, title] of [
    ['small', 'Leaflet on wells'],
    ['deadly', 'Atlas of everything'],
    ['later', 'Notes from the ridge']
  ] as const) {
    const id = catalogue.add(
      newDocument(title, { hash: hash[name], title, filename: `${title}.txt`, status: 'queued' })
    )
    if (jobs.get('extract', String(id)) === null) jobs.add('extract', String(id), { weight: 3000 })
    if (name === 'deadly') db.sql("UPDATE jobs SET deaths = 2 WHERE kind = 'extract' AND subject = ?").run(String(id))
    if (name === 'later')
      db.sql("UPDATE jobs SET due_at = ?, reason = ? WHERE kind = 'extract' AND subject = ?").run(
        clock.now() + 540_000,
        JSON.stringify(because('program_too_long', { program: 'pdftotext', seconds: 60 })),
        String(id)
      )
  }
  return hash
}
