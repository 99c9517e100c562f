import { SaxesParser } from 'saxes'
import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { type GetAnswer, type GetRequest, httpGet } from '../../platform/net/fetch.ts'

/** A book as the library server tells of it. */
export interface FeedEntry {
  /** Small letters, without `urn:uuid:`. */
  uuid: string
  /** By which its pages are addressed: the file name without `.zim`, as the server writes it. */
  name: string
  title: string
  language: string
  /** Path of the link for people, as it stands in the feed; '' without one. */
  link: string
}

export interface FeedRequest {
  /** `http://127.0.0.1:8081`, with whatever root the server has. */
  url: string
  userAgent: string
  signal?: AbortSignal
  /** Books asked for at once. */
  pageSize?: number
  get?: (request: GetRequest) => Promise<Pick<GetAnswer, 'status' | 'body'>>
}

interface Page {
  total: number | null
  entries: FeedEntry[]
}

const PAGE_SIZE = 100
const MOST_BOOKS = 20_000
const ASK_MS = 15_000
/** A library that is reloaded while it is read is read again. */
const MOST_TRIES = 3
/** `feed/entry/link`. */
const DEEPEST = 3
/** OPDS of today, and of servers before libkiwix 10. */
const CATALOGUES = ['/catalog/v2/entries', '/catalog/search'] as const

/**
 * Every book the server lists, page by page until `totalResults` are there: without being asked it tells ten. @throws
 * AppError `unavailable` when it does not answer, or tells fewer than it says; `bad-input` when what comes is no feed.
 */
export async function readFeed(request: FeedRequest): Promise<FeedEntry[]> {
  let catalogue: string = CATALOGUES[0]
  let first = await readPage(request, catalogue, 0)
  if (first === null) {
    catalogue = CATALOGUES[1]
    first = await readPage(request, catalogue, 0)
  }
  if (first === null) throw new AppError('unavailable', because('no_catalogue', { url: request.url }))
  for (let tries = 1; ; tries++) {
    const all = await readAll(request, catalogue, first)
    if (all !== null) return all
    if (tries === MOST_TRIES) throw new AppError('unavailable', because('catalogue_fewer_books', { url: request.url }))
    first = (await readPage(request, catalogue, 0)) ?? first
  }
}

/** Null: the library changed under way, or the server does not tell all of it. */
async function readAll(request: FeedRequest, catalogue: string, first: Page): Promise<FeedEntry[] | null> {
  const found = new Map(first.entries.map((entry) => [entry.uuid, entry]))
  const { total } = first
  if (total === null) return [...found.values()]
  if (total > MOST_BOOKS)
    throw new AppError('unavailable', because('catalogue_more_books', { url: request.url, limit: MOST_BOOKS }))
  let start = first.entries.length
  while (found.size < total) {
    const page = await readPage(request, catalogue, start)
    if (page === null || page.total !== total || page.entries.length === 0) return null
    const before = found.size
    for (const entry of page.entries) found.set(entry.uuid, entry)
    if (found.size === before) return null
    start += page.entries.length
  }
  return [...found.values()]
}

/** Null: this server has no such catalogue. */
async function readPage(request: FeedRequest, catalogue: string, start: number): Promise<Page | null> {
  const { userAgent, signal, pageSize = PAGE_SIZE, get = httpGet } = request
  const address = `${request.url.replace(/\/+$/, '')}${catalogue}?start=${start}&count=${pageSize}`
  const { status, body } = await get({
    url: address,
    userAgent,
    totalMs: ASK_MS,
    ...(signal === undefined ? {} : { signal })
  })
  if (status === 404) return null
  if (status !== 200) throw new AppError('unavailable', because('catalogue_answered', { url: request.url, status }))
  return parseFeed(new TextDecoder().decode(body))
}

/** One page of an OPDS catalogue (Atom, RFC 4287, with OpenSearch numbers). @throws AppError `bad-input`. */
export function parseFeed(text: string): Page {
  const page: Page = { total: null, entries: [] }
  const reader = new PageReader(page)
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new AppError('bad-input', because('catalogue_doctype'))
  })
  parser.on('opentag', ({ name, attributes }) => reader.open(localName(name), attributes))
  parser.on('closetag', ({ name }) => reader.close(localName(name)))
  parser.on('text', (more) => reader.text(more))
  parser.on('cdata', (more) => reader.text(more))
  try {
    // kiwix-serve 3.3.0 writes the & of its own addresses as it is.
    parser.write(text.replace(/^\uFEFF/, '').replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z]+);)/gi, '&amp;')).close()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('bad-input', because('catalogue_not_well_formed', { said: reasonOf(cause) }), { cause })
  }
  if (!reader.isFeed) throw new AppError('bad-input', because('not_a_catalogue'))
  return page
}

class PageReader {
  readonly #page: Page
  readonly #path: string[] = []
  #entry: FeedEntry | null = null
  #text = ''
  isFeed = false

  constructor(page: Page) {
    this.#page = page
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#path.length === 0) this.isFeed = name === 'feed'
    this.#path.push(name)
    this.#text = ''
    if (this.#at('entry')) this.#entry = { uuid: '', name: '', title: '', language: '', link: '' }
    if (this.#entry !== null && this.#at('entry/link') && isPageLink(attributes)) {
      this.#entry.link = attributes['href'] ?? ''
      this.#entry.name = bookOf(this.#entry.link)
    }
  }

  text(more: string): void {
    this.#text += more
  }

  close(name: string): void {
    const text = this.#text.trim()
    if (this.#at('totalResults') && /^\d{1,9}$/.test(text)) this.#page.total = Number(text)
    if (this.#entry !== null) this.#closeInEntry(this.#entry, name, text)
    this.#path.pop()
    this.#text = ''
  }

  #closeInEntry(entry: FeedEntry, name: string, text: string): void {
    if (this.#at('entry/id')) entry.uuid = text.toLowerCase().replace(/^urn:uuid:/, '')
    else if (this.#at('entry/title')) entry.title = text
    else if (this.#at('entry/language')) entry.language = text
    else if (name === 'entry' && this.#at('entry')) {
      if (entry.uuid !== '') this.#page.entries.push(entry)
      this.#entry = null
    }
  }

  /** True when the innermost element is this one, from the root of the feed. */
  #at(path: string): boolean {
    // Nothing that is asked for lies deeper: a feed of nothing but opening tags must not cost the square of its length.
    return this.#path.length <= DEEPEST && this.#path.slice(1).join('/') === path
  }
}

/** The link for people; older servers name no type for others but have a relation. */
function isPageLink({ type = '', rel = '' }: Readonly<Record<string, string>>): boolean {
  return type.split(';')[0]?.trim() === 'text/html' && (rel === '' || rel === 'alternate')
}

/** `/content/book` and `/viewer#book` → `book`. */
function bookOf(link: string): string {
  const last =
    link
      .split(/[/#]/)
      .filter((part) => part !== '')
      .at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
