import type { Test } from 'tap'
import type { NewItem } from '../../../src/knowledge/catalogue/document.ts'
import type { NewDocument } from '../../../src/knowledge/catalogue/rows.ts'
import type { Embedder } from '../../../src/knowledge/enrich/embed/embedder.ts'
import { hashEmbedder } from '../../../src/knowledge/enrich/embed/hash.ts'
import { openSearchIndex, type SearchIndex } from '../../../src/knowledge/search/index-store.ts'
import { rebuildIndex } from '../../../src/knowledge/search/rebuild.ts'
import { Searcher, type SearcherParts } from '../../../src/knowledge/search/searcher.ts'
import { sha256Hex } from '../../../src/platform/bytes/hash.ts'
import { type KnowledgeSetup, knowledgeSetup, newDocument } from '../../helpers/knowledge.ts'
import { PASSAGES } from './labelled.ts'

/** A library with its search, in memory. */
export interface Shelf {
  setup: KnowledgeSetup
  index: SearchIndex
  searcher: Searcher
  signal: AbortSignal
  /** Files a document with one passage per text, and indexes it as the worker would. Answers its id. */
  file: (texts: readonly string[], doc?: Partial<NewDocument>, titles?: readonly string[]) => Promise<number>
  /** Titles of what is found, best first. */
  titles: (q: string, more?: Partial<Parameters<Searcher['query']>[0]>) => Promise<string[]>
  ask: (q: string, more?: Partial<Parameters<Searcher['query']>[0]>) => ReturnType<Searcher['query']>
}

export async function shelf(
  t: Test,
  { embedder = () => hashEmbedder, ...parts }: { embedder?: () => Embedder } & Partial<SearcherParts> = {}
): Promise<Shelf> {
  const setup = await knowledgeSetup(t)
  const index = await openSearchIndex({ path: ':memory:' })
  const searcher = await Searcher.open({
    knowledge: setup.db,
    lexical: index.lexical,
    vectors: index.vectors,
    embedder,
    clock: setup.clock,
    ...parts
  })
  t.teardown(() => {
    searcher.close()
    index.close()
  })
  const { signal } = new AbortController()
  let filed = 0
  const ask: Shelf['ask'] = (q, more) => searcher.query({ q, limit: 20, offset: 0, ...more })
  return {
    setup,
    index,
    searcher,
    signal,
    ask,
    file: async (texts, doc = {}, titles = []) => {
      filed++
      const id = setup.catalogue.add(
        newDocument(filed, { hash: sha256Hex(String(filed)), status: 'complete', pageCount: texts.length, ...doc })
      )
      setup.catalogue.setPages(
        id,
        texts.map((text, at) => ({ number: at + 1, text, method: 'text', startSeconds: at * 125 }))
      )
      const items = texts.map((text, at) => itemOf(text, at, titles[at] ?? ''))
      setup.catalogue.replaceItems(id, 0, 'extract', items)
      setup.catalogue.update(id, { itemCount: items.length, vectorCount: items.length })
      await rebuildIndex({
        knowledge: setup.db,
        lexical: index.lexical,
        vectors: index.vectors,
        embedder: embedder(),
        signal,
        documents: [id]
      })
      return id
    },
    titles: async (q, more) => (await ask(q, more)).results.map(({ title }) => title)
  }
}

/** The labelled passages, a document each. */
export async function labelledShelf(t: Test, options: Parameters<typeof shelf>[1] = {}): Promise<Shelf> {
  const made = await shelf(t, options)
  for (const { id, domain, title, text } of PASSAGES) await made.file([text], { title, domain, filename: id }, [title])
  return made
}

function itemOf(content: string, at: number, title: string): NewItem {
  return {
    window: 0,
    ordinal: at,
    origin: 'extract' as const,
    firstPage: at + 1,
    lastPage: at + 1,
    title,
    summary: '',
    content,
    details: {
      domain: 'Medical',
      subdomain: [],
      keywords: [],
      key_facts: [],
      knowledge_type: 'procedural' as const,
      complexity: 'basic' as const
    }
  }
}
