import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { type FetchGuard, type GetAnswer, httpGet } from '../../platform/net/fetch.ts'
import { FetchError, type FetchFailure } from '../../platform/net/fetch-error.ts'
import { publicOnly } from '../../platform/net/public-address.ts'
import type { Guess } from '../encoding/guess.ts'
import { guessInChild } from '../encoding/guess-child.ts'
import { decodePage } from '../encoding/page.ts'

const MAX_BYTES = 10 * 1024 * 1024
const MAX_URL = 2000
const TOTAL_MS = 45_000
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const TEXT = /^\s*text\/(?:plain|markdown|x-markdown)\s*(?:;|$)/i

export interface FetchedPage {
  /** The address it came from in the end, without a fragment. */
  url: string
  kind: 'html' | 'text'
  /** Decoded. */
  body: string
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
  const url = pageAddress(address)
  const { userAgent, guard = publicOnly(), signal, totalMs = TOTAL_MS, guess = guessInChild } = options
  const answer = await explained(
    httpGet({
      url: url.href,
      userAgent,
      guard,
      maxBytes: MAX_BYTES,
      totalMs,
      headers: { Accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, text/markdown;q=0.9' },
      ...(signal === undefined ? {} : { signal })
    })
  )
  checkStatus(answer)
  const kind = kindOf(answer)
  const from = new URL(answer.url)
  from.hash = ''
  return { url: from.href, kind, body: await decodePage(answer.body, answer.contentType, guess) }
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

async function explained(work: Promise<GetAnswer>): Promise<GetAnswer> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    throw new AppError(CODES[error.kind] ?? 'unavailable', because('page_not_fetched', { said: reasonOf(error) }), {
      cause: error
    })
  }
}

function checkStatus({ status, url }: GetAnswer): void {
  if (status === 200) return
  const { host } = new URL(url)
  const isTheirs = status >= 500 || status === 429
  throw new AppError(
    isTheirs ? 'unavailable' : 'invalid',
    because(isTheirs ? 'page_answers_try_later' : 'page_answers_other', { host, status })
  )
}

function kindOf({ contentType, body, url }: GetAnswer): FetchedPage['kind'] {
  if (HTML.test(contentType)) return 'html'
  if (TEXT.test(contentType)) return 'text'
  const head = Buffer.from(body.subarray(0, 512)).toString('latin1')
  if (contentType.trim() === '' && /^\s*(?:\ufeff|ï»¿)?<(?:!doctype html|html)/i.test(head)) return 'html'
  const type = contentType.split(';')[0]?.trim()
  const { host } = new URL(url)
  const typed = type !== undefined && type !== ''
  throw new AppError(
    'unsupported',
    typed ? because('page_sends_other', { host, type }) : because('page_sends_untyped', { host })
  )
}
