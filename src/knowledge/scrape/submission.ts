import { because, type Reason } from '../../model/reason.ts'
import { AppError, issueOf } from '../../platform/errors.ts'
import { threeLetterCode } from '../enrich/language-codes.ts'
import type { ScraperConfig } from '../library/settings.ts'
import type { ScrapeLimits } from './job.ts'
import type { NewScrapeJob } from './jobs.ts'
import { readPatterns } from './path-patterns.ts'

const MAX_URL = 2000
const MAX_TITLE = 120
const MAX_LANGUAGES = 5
const DEFAULT_LANGUAGE = 'eng'

/** The order in `POST /api/scraper/submit`. */
export interface Submission {
  url: string
  title?: string | undefined
  language?: string | undefined
  /** Patterns of paths, one each. */
  include?: readonly string[] | undefined
  exclude?: readonly string[] | undefined
  /** Linked PDFs and EPUBs go into the document library. */
  documents?: boolean | undefined
}

/** A submission that can be worked on; where its address leads to is `checkTarget`'s business. @throws AppError `invalid`. */
export function readSubmission(asked: Submission, settings: ScraperConfig): NewScrapeJob {
  const { url, title = '', language = '', include = [], exclude = [], documents = false } = asked
  const address = readAddress(url)
  const told = oneLine(title)
  if (told.length > MAX_TITLE) throw refused('/title', because('title_too_long', { limit: MAX_TITLE }))
  return {
    url: address.href,
    title: told === '' ? siteName(address) : told,
    language: readLanguages(language),
    limits: {
      ...limitsOf(settings),
      include: readPatterns(include, '/include'),
      exclude: readPatterns(exclude, '/exclude'),
      documents
    }
  }
}

/** The name of a site: its host without `www.`, in the letters people write. */
export function siteName({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '')}${port === '' ? '' : `:${port}`}`
}

function readAddress(text: string): URL {
  const typed = text.trim()
  if (typed === '' || typed.length > MAX_URL || !URL.canParse(typed))
    throw refused('/url', because('site_address_form'))
  const url = new URL(typed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('/url', because('only_http'))
  if (url.username !== '' || url.password !== '') throw refused('/url', because('address_holds_secret'))
  url.hash = ''
  return url
}

/** ISO 639-3, several separated by commas; ISO 639-1 is taken too (contract §8). */
function readLanguages(text: string): string {
  const codes = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [threeLetterCode(part)]))
  if (codes.some((code) => !/^[a-z]{3}$/.test(code))) throw refused('/language', because('language_is_iso639_3'))
  const known = [...new Set(codes)]
  if (known.length > MAX_LANGUAGES) throw refused('/language', because('too_many_languages', { limit: MAX_LANGUAGES }))
  return known.length === 0 ? DEFAULT_LANGUAGE : known.join(',')
}

function limitsOf(settings: ScraperConfig): Omit<ScrapeLimits, 'include' | 'exclude' | 'documents'> {
  return {
    maxPages: settings.max_pages,
    maxBytes: settings.max_bytes,
    maxMinutes: settings.max_minutes,
    scope: settings.scope,
    delay: settings.rate_limit_delay,
    patternPercent: settings.pattern_percent,
    maxDocuments: settings.max_documents,
    maxDocumentBytes: settings.max_document_bytes
  }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function refused(path: string, reason: Reason): AppError {
  return new AppError('invalid', reason, { issues: [issueOf(path, 'invalid', reason)] })
}
