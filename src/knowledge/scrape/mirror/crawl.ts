import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import { makeBelow } from '../../../platform/files/make-below.ts'
import type { FetchGuard, GetAnswer } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'
import { guessEncoding } from '../../encoding/guess.ts'
import { decodePage } from '../../encoding/page.ts'
import type { Capped } from '../findings.ts'
import { fitsAny } from '../path-patterns.ts'
import { addressKey, cleanAddress, isDocument, mayBePage, scopeOf } from './address.ts'
import { rewriteCss } from './css-links.ts'
import { Documents } from './documents.ts'
import { endingOf, FileNames } from './file-names.ts'
import { type Entry, Frontier, isChained, type PageRule } from './frontier.ts'
import { copyPage } from './html-copy.ts'
import { type MirrorEnd, type MirrorOptions, MOST_ENTRIES, MOST_PAGES } from './options.ts'
import { Patterns } from './patterns.ts'
import { PoliteFetch } from './polite.ts'
import { Robots } from './robots.ts'

const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/
const DOCUMENT = /^application\/(?:pdf|x-pdf|epub\+zip)$/
const TRIES = 3
/** So many in a row say that the site, or our network, is down. */
const MOST_UNREACHABLE = 8
const TELL_MS = 500

export interface CrawlParts {
  guard: FetchGuard
  onProgress: (numbers: { done: number; total: number }) => void
  /** The folder holds pages of an earlier run. */
  onResumed?: (pages: number) => void
}

/**
 * The findings of a crawl; the files are in `folder`: `raw/<number>` as they came, `site/<file>` what is kept as it is.
 */
export interface CrawlResult extends Omit<MirrorEnd, 'kind' | 'welcome'> {
  frontier: Frontier
  capped: Capped[]
  /** The first page. */
  first: Entry
}

/**
 * Fetches a site politely, page by page: what `robots.txt` allows, at its pace, inside of the scope, with the pictures, style
 * sheets and fonts of its pages, until nothing is left or a limit is reached. What it knows is on disk: a crawl that was
 * interrupted goes on. @throws AppError when the first page cannot be had, or the site stops answering.
 */
export async function crawlSite(options: MirrorOptions, parts: CrawlParts): Promise<CrawlResult> {
  await makeBelow(options.folder, join(options.folder, 'raw'))
  const frontier = await Frontier.open(join(options.folder, 'frontier.ndjson'))
  return new Crawl(options, parts, frontier).run()
}

class Crawl {
  readonly #options: MirrorOptions
  readonly #parts: CrawlParts
  readonly #frontier: Frontier
  readonly #robots: Robots
  readonly #fetch: PoliteFetch
  readonly #names = new FileNames()
  readonly #maxPages: number
  #inScope: (url: URL) => boolean = () => false
  #started = Date.now()
  #told = 0
  #unreachable = 0
  readonly #patterns: Patterns
  readonly #documents: Documents
  readonly #rule: PageRule
  readonly #isWanted: (url: URL) => boolean
  readonly #isExcluded: (url: URL) => boolean
  /** Documents may lie anywhere on the site. */
  #mayHoldDocuments: (url: URL) => boolean = () => false

  constructor(options: MirrorOptions, parts: CrawlParts, frontier: Frontier) {
    const { userAgent, delay, maxPages } = options
    this.#options = options
    this.#parts = parts
    this.#frontier = frontier
    this.#maxPages = Math.min(maxPages, MOST_PAGES)
    this.#robots = new Robots({ userAgent, guard: parts.guard })
    this.#fetch = new PoliteFetch({ userAgent, guard: parts.guard, robots: this.#robots, delay })
    for (const { file } of frontier.kept()) this.#names.take(file)
    this.#documents = new Documents({ options, frontier, fetch: this.#fetch, robots: this.#robots })
    this.#patterns = new Patterns({ maxPages: this.#maxPages, percent: options.patternPercent })
    for (const entry of frontier.asked()) this.#patterns.fetched(entry.pattern, isChained(entry))
    const patterns = this.#patterns
    this.#rule = {
      waits: ({ pattern }) => patterns.isFull(pattern) || patterns.isExhausted(pattern),
      isLast: ({ pattern }) => patterns.isExhausted(pattern),
      leaves: (entry) => isChained(entry) && (patterns.isFull(entry.pattern) || patterns.areChainsFull)
    }
    const isIncluded = fitsAny(options.include)
    this.#isExcluded = fitsAny(options.exclude)
    this.#isWanted = (url) => (options.include.length === 0 || isIncluded(url)) && !this.#isExcluded(url)
  }

  async run(): Promise<CrawlResult> {
    if (this.#frontier.pagesDone > 0) this.#parts.onResumed?.(this.#frontier.pagesDone)
    const first = await this.#first()
    let limit: MirrorEnd['limit'] = this.#limit()
    while (limit === null) {
      const entry = this.#frontier.next(this.#rule)
      if (entry === null) break
      await this.#visit(entry)
      this.#tell()
      limit = this.#limit()
    }
    if (this.#frontier.pagesDone >= this.#maxPages && limit === 'pages') await this.#lastParts()
    const documentLimit = await this.#documents.fetchAll(() => this.#isLate())
    const reasons = [...this.#frontier.missed()]
    const forbidden = reasons.filter(({ why }) => why.code === 'page_robots_forbid').length
    const { pagesDone: pages, bytes } = this.#frontier
    const kept = [...this.#frontier.kept()].length
    this.#tell(true)
    return {
      frontier: this.#frontier,
      first,
      pages,
      parts: kept - pages,
      bytes,
      limit,
      documentLimit,
      capped: this.#capped(),
      forbidden,
      missed: reasons.length - forbidden
    }
  }

  /** The patterns whose pages were left out, those with most of them first. */
  #capped(): Capped[] {
    const left = new Map<string, number>()
    for (const { pattern } of this.#frontier.leftOut()) left.set(pattern, (left.get(pattern) ?? 0) + 1)
    return [...left]
      .map(([pattern, pages]) => ({ pattern, pages, kept: this.#patterns.count(pattern) }))
      .sort((one, other) => other.kept - one.kept)
  }

  /** The first page: without it there is no site. Its address is the one its redirects end at. */
  async #first(): Promise<Entry> {
    const url = cleanAddress(this.#options.url, new URL(this.#options.url))
    if (url === null) throw new AppError('invalid', because('address_not_archived'))
    this.#mean(url)
    const known = this.#frontier.find(url)
    if (known?.state === 'done') {
      this.#mean(new URL(known.from))
      return known
    }
    if (!(await this.#robots.allows(url))) throw await this.#refusedBy(url)
    this.#frontier.add(url, 'page')
    const entry = this.#frontier.find(url)
    const answer = await this.#firstAnswer(url)
    const from = new URL(answer.url)
    // Whoever is sent to another host means that one.
    this.#mean(from)
    if (entry?.state === 'waiting') await this.#keep(entry, answer)
    const found = this.#frontier.find(url)
    if (found?.state !== 'done' || found.kind !== 'page')
      throw new AppError(
        'invalid',
        typeOf(answer) === ''
          ? because('sends_no_web_page_untyped', { host: from.host })
          : because('sends_no_web_page', { host: from.host, type: typeOf(answer) })
      )
    return found
  }

  /** The site whose first page this is. */
  #mean(first: URL): void {
    this.#inScope = scopeOf(first, this.#options.scope)
    this.#mayHoldDocuments = scopeOf(first, 'domain')
  }

  /** A site that cannot be reached may be later; one that does not want us will not. */
  async #refusedBy(url: URL): Promise<AppError> {
    const fault = await this.#robots.fault(url)
    if (fault !== null) return new AppError('unavailable', because('robots_not_asked', { host: url.host, said: fault }))
    return new AppError('invalid', because('robots_forbid', { host: url.host }))
  }

  async #firstAnswer(url: URL): Promise<GetAnswer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#fetch.get(url, 'page').catch((error: unknown) => {
        if (error instanceof FetchError && (error.kind === 'refused' || error.kind === 'too-large'))
          throw new AppError('invalid', because('site_not_archived', { said: reasonOf(error) }))
        throw error
      })
      if (answer.status === 200) return answer
      const isTheirs = answer.status >= 500 || answer.status === 429
      if (!isTheirs || tries === TRIES)
        throw new AppError(
          isTheirs ? 'unavailable' : 'invalid',
          because('answers_not_page', { host: url.host, status: answer.status })
        )
    }
  }

  #limit(): MirrorEnd['limit'] {
    const { pagesDone, bytes } = this.#frontier
    if (pagesDone >= this.#maxPages) return 'pages'
    if (bytes >= this.#options.maxBytes) return 'bytes'
    return this.#isLate() ? 'time' : null
  }

  #isLate(): boolean {
    return this.#frontier.spentMs + Date.now() - this.#started >= this.#options.maxMinutes * 60_000
  }

  /** The last page is kept whole: its pictures do not count as pages. */
  async #lastParts(): Promise<void> {
    for (let entry = this.#frontier.nextPart(); entry !== null; entry = this.#frontier.nextPart()) {
      await this.#visit(entry)
      const limit = this.#limit()
      if (limit === 'bytes' || limit === 'time') return
    }
  }

  async #visit(entry: Entry): Promise<void> {
    const url = new URL(entry.url)
    if (!(await this.#robots.allows(url))) {
      this.#frontier.gone(entry, because('page_robots_forbid'))
      return
    }
    if (entry.kind === 'page' && entry.tries === 0) this.#patterns.fetched(entry.pattern, isChained(entry))
    try {
      const answer = await this.#fetch.get(url, entry.kind)
      this.#unreachable = 0
      if (answer.status === 200) await this.#keep(entry, answer)
      else if (answer.status >= 500 || answer.status === 429)
        this.#again(entry, because('page_answers', { status: answer.status }))
      else this.#frontier.gone(entry, because('page_answers', { status: answer.status }))
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      this.#failed(entry, error)
    }
  }

  #failed(entry: Entry, error: FetchError): void {
    const isDown = error.kind === 'unreachable' || error.kind === 'network' || error.kind === 'timeout'
    // Pictures of other hosts may be gone for good: that is not the site's fault.
    if (isDown && this.#inScope(new URL(entry.url)) && ++this.#unreachable >= MOST_UNREACHABLE)
      throw new AppError('unavailable', because('site_stopped_answering', { said: reasonOf(error) }))
    if (isDown) this.#again(entry, error.reason)
    else this.#frontier.gone(entry, error.reason)
  }

  #again(entry: Entry, why: Reason): void {
    if (entry.tries + 1 < TRIES) this.#frontier.putBack(entry)
    else this.#frontier.gone(entry, why)
  }

  /** Makes a file of an answer, or leaves it: a redirect out of the site, a type that is not kept. */
  async #keep(asked: Entry, answer: GetAnswer): Promise<void> {
    const from = cleanAddress(answer.url, new URL(answer.url))
    const isFirst = this.#frontier.pagesDone === 0
    const isOutside =
      asked.kind === 'page' && from !== null && !(this.#inScope(from) && (isFirst || this.#isWanted(from)))
    if (from === null || isOutside) {
      this.#frontier.gone(asked)
      return
    }
    const entry = this.#target(asked, from)
    if (entry === null) return
    const mime = typeOf(answer)
    if (PAGE.test(mime)) await this.#keepPage(entry, answer, from)
    else await this.#keepPart(entry, answer, { from, mime })
  }

  /** The entry a redirect leads to; null when that one is there already. */
  #target(asked: Entry, from: URL): Entry | null {
    if (addressKey(from) === asked.key) return asked
    this.#frontier.add(from, asked.kind, asked.by)
    const target = this.#frontier.find(from)
    if (target === null || target === asked) return asked
    this.#frontier.same(asked, target)
    return target.state === 'waiting' ? target : null
  }

  async #keepPage(entry: Entry, answer: GetAnswer, from: URL): Promise<void> {
    // A page where a picture should be is a message for people.
    if (entry.kind !== 'page') {
      this.#frontier.gone(entry)
      return
    }
    const html = await decodePage(answer.body, answer.contentType, guessEncoding)
    this.#follow(html, from, entry)
    this.#keepRaw(entry, html, { from, mime: 'text/html', ending: 'html' })
  }

  async #keepPart(entry: Entry, answer: GetAnswer, { from, mime }: { from: URL; mime: string }): Promise<void> {
    if (entry.kind === 'page' && this.#options.documents && DOCUMENT.test(mime)) {
      // The link said nothing of what it leads to: `/download?id=5`.
      this.#frontier.turnsOutDocument(entry)
      this.#documents.keep(entry, answer)
      return
    }
    const ending = endingOf(mime, from)
    if (ending === null || answer.body.length === 0) {
      this.#frontier.gone(entry)
      return
    }
    if (ending === 'css') {
      const css = await decodePage(answer.body, answer.contentType, guessEncoding)
      rewriteCss(css, (address) => this.#wantPart(address, from))
      this.#keepRaw(entry, css, { from, mime: 'text/css', ending })
      return
    }
    const file = this.#names.give(from, ending)
    write(join(this.#options.folder, 'site', file), answer.body)
    this.#frontier.done(entry, { file, mime, raw: null, from: from.href, bytes: answer.body.length })
  }

  #keepRaw(entry: Entry, text: string, { from, mime, ending }: { from: URL; mime: string; ending: string }): void {
    const raw = this.#frontier.nextRaw()
    const file = this.#names.give(from, ending)
    write(join(this.#options.folder, 'raw', String(raw)), text)
    this.#frontier.done(entry, { file, mime, raw, from: from.href, bytes: Buffer.byteLength(text) })
  }

  /** Links to pages wait until the page is known not to forbid them. */
  #follow(html: string, from: URL, entry: Entry): void {
    let base = from
    const pages: string[] = []
    const page = (address: string): null => {
      pages.push(address)
      return null
    }
    const { nofollow, html: copy } = copyPage(
      html,
      { page, frame: page, part: (address) => this.#wantPart(address, base) },
      (address) => {
        base = cleanAddress(address, from) ?? from
      }
    )
    this.#patterns.read(entry.pattern, copy)
    if (!nofollow) for (const address of pages) this.#want(address, base, entry)
  }

  #want(address: string, base: URL, by: Entry): void {
    const url = cleanAddress(address, base)
    if (url === null || this.#frontier.size >= MOST_ENTRIES) return
    if (isDocument(url)) {
      const isWanted = this.#options.documents && this.#mayHoldDocuments(url) && !this.#isExcluded(url)
      if (isWanted) this.#frontier.add(url, 'document')
    } else if (this.#inScope(url) && this.#isWanted(url) && mayBePage(url)) this.#frontier.add(url, 'page', by)
  }

  #wantPart(address: string, base: URL): null {
    const url = cleanAddress(address, base)
    if (url !== null && this.#frontier.size < MOST_ENTRIES) this.#frontier.add(url, 'part')
    return null
  }

  #tell(now = false): void {
    if (!now && Date.now() - this.#told < TELL_MS) return
    const spent = Date.now() - this.#started
    this.#told = Date.now()
    this.#started = this.#told
    this.#frontier.spent(spent)
    const { pagesDone: done, pagesKnown } = this.#frontier
    this.#parts.onProgress({ done, total: Math.max(done, Math.min(this.#maxPages, pagesKnown)) })
  }
}

function typeOf({ contentType, body }: GetAnswer): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== '') return type
  const head = Buffer.from(body.subarray(0, 512)).toString('latin1')
  return /^\s*(?:\ufeff|ï»¿)?<(?:!doctype html|html)/i.test(head) ? 'text/html' : ''
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
