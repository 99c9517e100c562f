import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { type FetchGuard, httpGet, httpStream, type StreamHead } from '../../platform/net/fetch.ts'
import { FetchError, type FetchFailure } from '../../platform/net/fetch-error.ts'
import { publicOnly } from '../../platform/net/public-address.ts'
import type { Guess } from '../encoding/guess.ts'
import { guessInChild } from '../encoding/guess-child.ts'
import { decodePage } from '../encoding/page.ts'
import { looksLikeTtml } from '../enrich/ttml.ts'
import { HEAD_BYTES } from './sniff.ts'

const MAX_BYTES = 10 * 1024 * 1024
const MAX_URL = 2000
const TOTAL_MS = 45_000
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
/** WebVTT, SubRip and TTML, as servers call them. */
const CAPTIONS =
  /^\s*(?:text\/vtt|(?:text|application)\/(?:srt|x-subrip)|application\/(?:x-subrip|ttml\+xml|ttaf\+xml))\s*(?:;|$)/i
const CAPTION_NAME = /\.(?:vtt|srt|ttml|dfxp)$/i
const TEXT = /^\s*text\/(?:plain|markdown|x-markdown)\s*(?:;|$)/i

export interface FetchedPage {
  /** The address it came from in the end, without a fragment. */
  url: string
  kind: 'html' | 'text' | 'captions'
  /** Decoded. */
  body: string
}

/** The document that an address holds instead of a page: it is kept as it is. */
export interface FetchedFile<Kept> {
  url: string
  kind: 'file'
  kept: Kept
}

/** A document on its way. */
export interface ComingFile {
  /** As the server calls it, else by its address. */
  filename: string
  /** Bytes, as the server says; 0: it does not. */
  announced: number
  content: AsyncIterable<Buffer>
}

export interface PageFetch {
  userAgent: string
  /** Tests let theirs reach a server of their own. */
  guard?: FetchGuard
  signal?: AbortSignal
  totalMs?: number
  /** Of the encoding of a page that does not tell it. */
  guess?: Guess
}

/**
 * One web page that somebody has asked for, from the public Internet and from nowhere else: http and https, no credentials,
 * every address of every hop checked and the connection made to the address that was checked, at most 10 MB of HTML or plain
 * text, 45 s. @throws AppError: `invalid` for an address that is not fetched or a page that is not there, `unsupported` for
 * another type, `too-large`, `timeout`, `unavailable` when the site or the network is down.
 */
export async function fetchPage(address: string, options: PageFetch): Promise<FetchedPage> {
  const found = await fetchAddress(address, { ...options, maxBytes: MAX_BYTES }, (_file, head) => {
    throw otherType(head)
  })
  if (found.kind === 'file') throw new AppError('unsupported', because('page_sends_untyped', { host: found.url }))
  return found
}

/**
 * Whatever stands at an address, by the same rules as `fetchPage`: a page or captions are read, a document is given to `keep` as it comes, at
 * most `maxBytes` of it. @throws AppError as `fetchPage`; what `keep` throws.
 */
export async function fetchAddress<Kept>(
  address: string,
  { maxBytes, ...options }: PageFetch & { maxBytes: number },
  keep: (file: ComingFile, head: StreamHead) => Promise<Kept>
): Promise<FetchedPage | FetchedFile<Kept>> {
  const url = pageAddress(address)
  const { userAgent, guard = publicOnly(), signal, totalMs = TOTAL_MS, guess = guessInChild } = options
  const request = {
    url: url.href,
    userAgent,
    guard,
    maxBytes: Math.max(maxBytes, MAX_BYTES),
    totalMs,
    headers: { Accept: ACCEPTED },
    ...(signal === undefined ? {} : { signal })
  }
  return explained(
    httpStream(request, async (head, content): Promise<FetchedPage | FetchedFile<Kept>> => {
      checkStatus(head)
      const from = new URL(head.url)
      from.hash = ''
      const pieces = content[Symbol.asyncIterator]()
      const first = await headOf(pieces)
      const kind = kindOf(head, first)
      if (kind === 'file') {
        const file = { filename: filenameOf(head), announced: head.length, content: joined(first, pieces) }
        return { url: from.href, kind, kept: await keep(file, head) }
      }
      const body = await wholeOf(joined(first, pieces), from.host)
      return { url: from.href, kind, body: await decodePage(body, head.contentType, guess) }
    })
  )
}

/** A short text that a page leads to: captions, or what a platform answers about them. @throws AppError as `fetchPage`. */
export async function fetchText(
  address: string,
  { userAgent, guard = publicOnly(), signal, totalMs = TOTAL_MS, guess = guessInChild }: PageFetch
): Promise<string> {
  const request = { url: pageAddress(address).href, userAgent, guard, maxBytes: MAX_BYTES, totalMs }
  const answer = await explained(httpGet(signal === undefined ? request : { ...request, signal }))
  checkStatus(answer)
  return decodePage(answer.body, answer.contentType, guess)
}

const ACCEPTED =
  'text/html, application/xhtml+xml, application/pdf, application/epub+zip, text/vtt, text/plain;q=0.9, text/markdown;q=0.9, */*;q=0.5'

/** Enough to tell by. */
async function headOf(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let size = 0; size < HEAD_BYTES; ) {
    const { done, value } = await pieces.next()
    if (done === true) break
    parts.push(value)
    size += value.length
  }
  return Buffer.concat(parts)
}

async function* joined(first: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  for (;;) {
    const { done, value } = await pieces.next()
    if (done === true) return
    yield value
  }
}

async function wholeOf(content: AsyncIterable<Buffer>, host: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of content) {
    size += part.length
    if (size > MAX_BYTES) throw new FetchError('too-large', because('body_too_large', { host, limit: MAX_BYTES }))
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

/** An address as somebody types it; `example.org/page` is taken as https. @throws AppError `invalid`. */
export function pageAddress(text: string): URL {
  const typed = text.trim()
  const whole = /^[a-z][a-z\d+.-]*:/i.test(typed) && !/^[\w.-]+:\d/.test(typed) ? typed : `https://${typed}`
  if (typed === '' || whole.length > MAX_URL || !URL.canParse(whole)) throw notAnAddress()
  const url = new URL(whole)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notAnAddress()
  url.hash = ''
  return url
}

function notAnAddress(): AppError {
  return new AppError('invalid', because('not_a_web_page_address'))
}

const CODES: Partial<Record<FetchFailure, 'invalid' | 'timeout' | 'too-large'>> = {
  refused: 'invalid',
  answer: 'invalid',
  timeout: 'timeout',
  'too-large': 'too-large'
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    throw new AppError(CODES[error.kind] ?? 'unavailable', because('page_not_fetched', { said: reasonOf(error) }), {
      cause: error
    })
  }
}

function checkStatus({ status, url }: { status: number; url: string }): void {
  if (status === 200) return
  const { host } = new URL(url)
  const isTheirs = status >= 500 || status === 429
  throw new AppError(
    isTheirs ? 'unavailable' : 'invalid',
    because(isTheirs ? 'page_answers_try_later' : 'page_answers_other', { host, status })
  )
}

function kindOf({ contentType, url }: StreamHead, first: Buffer): FetchedPage['kind'] | 'file' {
  const head = first.subarray(0, 4096).toString('latin1')
  // A server that calls a PDF a page is believed less than the PDF.
  if (/^\s*%PDF-/.test(head)) return 'file'
  const start = head.replace(/^\ufeff|^ï»¿/, '')
  const isNamed = CAPTION_NAME.test(new URL(url).pathname)
  if (/^WEBVTT(?:\s|$)/.test(start) || looksLikeTtml(start)) return 'captions'
  if (HTML.test(contentType)) return 'html'
  if (CAPTIONS.test(contentType) || (isNamed && !/^\s*</.test(start))) return 'captions'
  if (TEXT.test(contentType)) return 'text'
  return contentType.trim() === '' && /^\s*<(?:!doctype html|html)/i.test(start) ? 'html' : 'file'
}

/** The refusal of what is no page. */
function otherType({ contentType, url }: StreamHead): AppError {
  const type = contentType.split(';')[0]?.trim()
  const { host } = new URL(url)
  const typed = type !== undefined && type !== ''
  return new AppError(
    'unsupported',
    typed ? because('page_sends_other', { host, type }) : because('page_sends_untyped', { host })
  )
}

/** `filename*` and `filename` of RFC 6266, else the end of the address, else the host. */
function filenameOf({ disposition, url }: StreamHead): string {
  const coded = /filename\*\s*=\s*utf-8''([^;\s]{1,1000})/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.){1,1000})"|([^;\s]{1,1000}))/i.exec(disposition)
  const told = coded === undefined ? (plain?.[1] ?? plain?.[2] ?? '').replace(/\\(.)/g, '$1') : decodedPart(coded)
  const { pathname, host } = new URL(url)
  return told || decodedPart(pathname.split('/').findLast((part) => part !== '') ?? '') || host
}

/** A part of an address in the letters people read; as it is where it is no UTF-8. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
