import { setImmediate as nextTurn } from 'node:timers/promises'
import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Item, NewItem } from '../catalogue/document.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import type { KnowledgeConfig } from '../settings.ts'
import type { Detector } from './detector.ts'
import { extractiveItems } from './items.ts'
import { judgeLanguage, sampleOf } from './language.ts'
import type { LanguageModel } from './llm/model.ts'
import { areWindowsStale, writeLlmItems } from './llm-items.ts'
import { type Passage, passagesOf } from './passages.ts'
import { windowsOf } from './windows.ts'

/** Pages whose passages are made in one go: between two of them others get their turn, and a stop is heard. */
const PAGES_AT_ONCE = 40
/** Items whose words are put into the index in one go. */
const ITEMS_AT_ONCE = 500
/** Windows named in a warning. */
const NAMED = 10

/** The index of the words of items; search/lexical.ts. */
export interface ItemIndex {
  put(documentId: number, items: readonly Item[], facts: Pick<Document, 'title' | 'author'>): void
  putSlices(
    documentId: number,
    slices: Iterable<readonly Item[]>,
    facts: Pick<Document, 'title' | 'author'>,
    signal?: AbortSignal
  ): Promise<void>
}

/** The vectors left of items that are gone; search/ports.ts. */
export interface VectorRemains {
  keepOnly(documentId: number, itemIds: readonly number[]): Promise<number>
}

export interface EnrichParts {
  catalogue: Catalogue
  index: ItemIndex
  vectors: VectorRemains
  detector: Detector
  settings: () => Pick<KnowledgeConfig, 'language_filter' | 'allowed_languages' | 'llm'>
  /** Null: no model is configured; the passages are all there is. */
  model: () => LanguageModel | null
  /** intake/classify.ts `classifyItem`. */
  classifyItem: (passage: { title: string; text: string }, documentDomain: string) => string
  clock: Clock
  random?: () => number
}

/**
 * Job `enrich`: the language gate, then items: passages that hold the whole text, and those a language model writes when
 * there is one. Found by its words as soon as the passages are made. A text in another language is skipped, which is no
 * failure (R6). Windows the model failed at leave a warning; `redoWindows` tries only those again.
 */
export function enrichJob(parts: EnrichParts): JobKind {
  return {
    kind: 'enrich',
    pool: 'enrich',
    maxAttempts: 5,
    run: (job, tools) => run(parts, job, tools),
    onDead: (job, reason) => parts.catalogue.fail(Number(job.subject), 'enrich', reason)
  }
}

async function run(parts: EnrichParts, job: Job, tools: JobTools): Promise<JobResult> {
  const { catalogue, index } = parts
  const doc = catalogue.begin(Number(job.subject), 'enrich')
  const { language_filter: filter, allowed_languages: allowed, llm } = parts.settings()
  const sample = sampleOf(catalogue.eachPage(doc.id))
  const { language, skip } = await judgeLanguage(sample, { filter, allowed }, parts.detector)
  tools.signal.throwIfAborted()
  if (skip !== null) return leaveOut(parts, doc, { language, skip })
  const pages = catalogue.pageNumbers(doc.id)
  const known = catalogue.windows(doc.id)
  if (areWindowsStale(known, pages, llm.window_pages)) catalogue.clearEnrichment(doc.id)
  await writePassages(parts, doc, pages, tools)
  let modelWarning: Reason | null = null
  const model = parts.model()
  if (model !== null) {
    // Found by its words at once: a long book keeps a model busy for hours.
    await index.putSlices(doc.id, catalogue.itemSlices(doc.id, ITEMS_AT_ONCE), doc, tools.signal)
    modelWarning = await askModel(parts, model, { doc, pages, tools })
  }
  tools.signal.throwIfAborted()
  await index.putSlices(doc.id, told(catalogue, doc.id, tools), doc, tools.signal)
  tools.signal.throwIfAborted()
  const changes = { language, itemCount: catalogue.countItems(doc.id), modelWarning }
  return { end: 'done', commit: () => catalogue.finishStage(doc.id, 'enrich', changes) }
}

/** Every item of it, a slice at a time, which is told. */
function* told(catalogue: Catalogue, id: number, { progress }: JobTools): Generator<Item[]> {
  let number = 0
  const count = catalogue.countItems(id)
  for (const slice of catalogue.itemSlices(id, ITEMS_AT_ONCE)) {
    number += slice.length
    progress(because('indexing_item', { number, count }))
    yield slice
  }
}

/** Whatever was found of it under other settings goes. */
async function leaveOut(
  { catalogue, index, vectors }: EnrichParts,
  doc: Document,
  { language, skip }: { language: string; skip: Reason }
): Promise<JobResult> {
  if (catalogue.countItems(doc.id) > 0) {
    index.put(doc.id, [], doc)
    await vectors.keepOnly(doc.id, [])
  }
  const commit = (): void => {
    catalogue.clearEnrichment(doc.id)
    catalogue.skip(doc.id, skip, { language, itemCount: 0, vectorCount: 0 })
  }
  return { end: 'done', commit }
}

/**
 * Items that come out as they were keep their ids, and with them their vectors and the links to them. The text of a few pages is in
 * memory at a time.
 */
async function writePassages(
  { catalogue, settings, classifyItem }: EnrichParts,
  doc: Document,
  pages: readonly Numbered[],
  { signal, progress }: JobTools
): Promise<void> {
  const size = settings().llm.window_pages
  const written = new Set<number>()
  let heading = ''
  for (const part of windowsOf(pages, size * Math.ceil(PAGES_AT_ONCE / size))) {
    progress(because('page_of', { page: part.firstPage, count: pages.length }))
    const read = catalogue.pages(doc.id, { from: part.firstPage, to: part.lastPage })
    const passages: Passage[] = []
    // A citation of a recording leads to the beginning of its page: no passage may reach from one to the next.
    for (const group of doc.kind === 'transcript' ? read.map((page) => [page]) : [read]) {
      passages.push(...passagesOf(group, heading))
      heading = passages.at(-1)?.heading ?? heading
    }
    const windowOfPage = windowsOfPages(part, size)
    const items = byWindow(
      extractiveItems(passages, {
        domainOf: (passage) => classifyItem(passage, doc.domain),
        windowOf: (page) => windowOfPage.get(page) ?? 0
      })
    )
    catalogue.transaction(() => {
      for (const [window, made] of items) {
        const stored = catalogue.itemsOfWindow(doc.id, window, 'extract')
        if (!areSame(stored, made)) catalogue.replaceItems(doc.id, window, 'extract', made)
        written.add(window)
      }
    })
    await nextTurn()
    signal.throwIfAborted()
  }
  // Windows that have no passage any more.
  catalogue.transaction(() => {
    for (const window of catalogue.windowsWritten(doc.id, 'extract'))
      if (!written.has(window)) catalogue.replaceItems(doc.id, window, 'extract', [])
  })
}

interface Numbered {
  number: number
}

/** The window of each page of a group, which begins with a window of its own. */
function windowsOfPages(
  { number, pages }: { number: number; pages: readonly Numbered[] },
  size: number
): Map<number, number> {
  const first = number * Math.ceil(PAGES_AT_ONCE / size)
  return new Map(pages.map((page, at) => [page.number, first + Math.floor(at / size)]))
}

function byWindow<Made extends NewItem>(items: readonly Made[]): Map<number, Made[]> {
  const groups = new Map<number, Made[]>()
  for (const item of items) {
    const group = groups.get(item.window)
    if (group === undefined) groups.set(item.window, [item])
    else group.push(item)
  }
  return groups
}

function areSame(stored: readonly NewItem[], made: readonly NewItem[]): boolean {
  const text = ({ ordinal, firstPage, lastPage, title, summary, content, details }: NewItem): string =>
    JSON.stringify([ordinal, firstPage, lastPage, title, summary, content, details])
  return stored.length === made.length && made.every((item, at) => text(stored[at] ?? item) === text(item))
}

async function askModel(
  { catalogue, settings, classifyItem, clock, random = Math.random }: EnrichParts,
  model: LanguageModel,
  { doc, pages, tools }: { doc: Document; pages: readonly Numbered[]; tools: JobTools }
): Promise<Reason | null> {
  const failed = await writeLlmItems(doc, pages, {
    catalogue,
    model,
    windowPages: settings().llm.window_pages,
    domainOf: (passage) => classifyItem(passage, doc.domain),
    clock,
    random,
    ...tools
  })
  const [first] = failed
  if (first === undefined) return null
  const named = failed.slice(0, NAMED).map(({ firstPage, lastPage }) => `${firstPage}–${lastPage}`)
  const missed = { pages: named.join(', '), why: first.reason ?? because('it_failed') }
  const more = failed.length - NAMED
  return more > 0 ? because('model_missed_more_pages', { ...missed, more }) : because('model_missed_pages', missed)
}
