import { readdirSync, readFileSync } from 'node:fs'
import { knowledgeMigrations } from '../../../../src/knowledge/catalogue/schema.ts'
import { hashEmbedder } from '../../../../src/knowledge/enrich/embed/hash.ts'
import { extractiveItems } from '../../../../src/knowledge/enrich/items.ts'
import { passagesOf } from '../../../../src/knowledge/enrich/passages.ts'
import { openSearchIndex, type SearchIndex } from '../../../../src/knowledge/search/index-store.ts'
import { rebuildIndex } from '../../../../src/knowledge/search/rebuild.ts'
import { type Database, openDatabase } from '../../../../src/platform/database/database.ts'

/** A text with its title: an article of its own, or a chapter of the book. */
export interface Chapter {
  title: string
  text: string
}

/** One document of a library. `chapterOf`: the chapter that a page belongs to. */
export interface FiledBook {
  title: string
  pages: string[]
  chapterOf: (page: number) => string
}

export interface FiledLibrary {
  knowledge: Database
  index: SearchIndex
  /** By the hash of the document. */
  books: ReadonlyMap<string, FiledBook>
  close: () => void
}

const WORDS_A_PAGE = 300
const articles = new URL('articles/', import.meta.url)
const cards = new URL('cards/', import.meta.url)
const manuals = new URL('manuals/', import.meta.url)
const handbooks = new URL('handbooks/', import.meta.url)
const modules = new URL('../../../../node_modules/', import.meta.url)

/** Texts about other things, of the versions that package-lock.json names: they give words the rarity they have in a real library. */
const OTHERS =
  `tar yauzl glob ink mqtt type-fest ip-address @nats-io/nats-core mammoth diff minipass @nats-io/jetstream smol-toml fflate
  picomatch semver @turf/meta path-scurry react-reconciler socks @noble/ciphers cacache @noble/hashes polka fast-check
  @valibot/to-json-schema debug`.split(/\s+/)

/** The articles written for this measurement, or the leaflets. */
export function articlesOf(folder = articles): Chapter[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split(/^# /m))
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const end = part.indexOf('\n')
      return { title: part.slice(0, end).trim(), text: part.slice(end).trim() }
    })
}

/** Manuals of libraries, without their code. */
export function otherTexts(): Chapter[] {
  return OTHERS.flatMap((name) => {
    const folder = new URL(`${name}/`, modules)
    const file = readdirSync(folder).find((each) => /^readme\.md$/i.test(each))
    if (file === undefined) throw new Error(`${name} has no manual`)
    const text = readFileSync(new URL(file, folder), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    return [{ title: `Manual of ${name}`, text }]
  })
}

/** Every article and every manual a document. */
export function libraryOfArticles(): FiledBook[] {
  return [...articlesOf(), ...otherTexts()].map(bookOf)
}

/** Leaflets with tables, lists and sections, English and German, each a document, among the manuals. */
export function libraryOfCards(): FiledBook[] {
  return [...articlesOf(cards), ...otherTexts()].map(bookOf)
}

/** Field manuals of several pages, each a document, among the manuals of libraries. */
export function libraryOfManuals(): FiledBook[] {
  return [...articlesOf(manuals), ...otherTexts()].map(bookOf)
}

/** Handbooks by many hands, each a document, among the manuals of libraries. */
export function libraryOfHandbooks(): FiledBook[] {
  return [...articlesOf(handbooks), ...otherTexts()].map(bookOf)
}

/** Documents that others wrote for this measurement, of fourteen authors each, among the manuals of libraries. */
export function libraryOfOthers(folder: 'field' | 'agencies' | 'crews' | 'coast' | 'county'): FiledBook[] {
  return [...articlesOf(new URL(`${folder}/`, import.meta.url)), ...otherTexts()].map(bookOf)
}

const bookOf = ({ title, text }: Chapter): FiledBook => ({ title, pages: pagesOf(text), chapterOf: () => title })

/** One book of them all, of more than 250 pages, with the manuals between the articles. */
export function libraryOfOneBook(): FiledBook[] {
  const own = articlesOf()
  const others = otherTexts()
  const step = Math.ceil(own.length / others.length)
  const chapters = own.flatMap((chapter, at) => {
    const other = at % step === 0 ? others[at / step] : undefined
    return other === undefined ? [chapter] : [chapter, other]
  })
  const titles: string[] = []
  const pages = chapters.flatMap(({ title, text }) => {
    const made = pagesOf(`# ${title}\n\n${text}`)
    titles.push(...made.map(() => title))
    return made
  })
  return [{ title: 'The Station Handbook', pages, chapterOf: (page) => titles[page - 1] ?? '' }]
}

function pagesOf(text: string): string[] {
  const pages: string[] = []
  let page: string[] = []
  let words = 0
  for (const paragraph of text.split(/\n\s*\n/)) {
    const count = paragraph.split(/\s+/).length
    if (words > 0 && words + count > WORDS_A_PAGE) {
      pages.push(page.join('\n\n'))
      page = []
      words = 0
    }
    page.push(paragraph)
    words += count
  }
  return [...pages, page.join('\n\n')]
}

/** Filed and cut as the station does it, in memory. */
export async function fileLibrary(books: readonly FiledBook[]): Promise<FiledLibrary> {
  const knowledge = await openDatabase({ path: ':memory:', migrations: knowledgeMigrations, synchronous: 'NORMAL' })
  const index = await openSearchIndex({ path: ':memory:' })
  const filed = new Map<string, FiledBook>()
  const addDocument = knowledge.sql(
    `INSERT INTO documents (id, hash, kind, filename, title, author, edition, year, provenance, source, category, size_bytes,
       domain, taxonomy, status, page_count, language, created_at, changed_at)
     VALUES (?, ?, 'pdf', 'f', ?, '', '', '', '{}', 'folder', '', 0, 'Medical', 1, 'complete', ?, 'en', 0, 0)`
  )
  const addItem = knowledge.sql(
    `INSERT INTO items (document_id, window, ordinal, origin, first_page, last_page, title, summary, content, details)
     VALUES (?, ?, ?, 'extract', ?, ?, ?, ?, ?, ?)`
  )
  for (const [at, book] of books.entries()) {
    const hash = (at + 1).toString(16).padStart(64, '0')
    filed.set(hash, book)
    addDocument.run(at + 1, hash, book.title, book.pages.length)
    const passages = passagesOf(book.pages.map((text, number) => ({ number: number + 1, text })))
    const tools = { domainOf: () => 'Medical', windowOf: (page: number) => Math.floor(page / 10) }
    for (const item of extractiveItems(passages, tools)) {
      const { window, ordinal, firstPage, lastPage, title, summary, content, details } = item
      const place = [at + 1, window, ordinal, firstPage, lastPage] as const
      addItem.run(...place, title, summary, content, JSON.stringify(details))
    }
  }
  const { lexical, vectors } = index
  const { signal } = new AbortController()
  await rebuildIndex({ knowledge, lexical, vectors, embedder: hashEmbedder, signal })
  const close = (): void => {
    index.close()
    knowledge.close()
  }
  return { knowledge, index, books: filed, close }
}
