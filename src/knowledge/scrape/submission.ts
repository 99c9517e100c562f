import { AppError } from '../../platform/errors.ts'
import { threeLetterCode } from '../enrich/language-codes.ts'
import type { ScraperConfig } from '../library/settings.ts'
import type { ScrapeLimits } from './job.ts'
import type { NewScrapeJob } from './jobs.ts'

const MAX_URL = 2000
const MAX_TITLE = 120
const MAX_LANGUAGES = 5
const DEFAULT_LANGUAGE = 'eng'

/** What somebody asks for: `POST /api/scraper/submit`. */
export interface Submission {
  url: string
  title?: string | undefined
  language?: string | undefined
}

/** A submission that can be worked on; where its address leads to is `checkTarget`'s business. @throws AppError `invalid`. */
export function readSubmission({ url, title = '', language = '' }: Submission, settings: ScraperConfig): NewScrapeJob {
  const address = readAddress(url)
  const told = oneLine(title)
  if (told.length > MAX_TITLE) throw refused('/title', `A title has at most ${MAX_TITLE} characters.`)
  return {
    url: address.href,
    title: told === '' ? siteName(address) : told,
    language: readLanguages(language),
    limits: limitsOf(settings)
  }
}

/** The name of a site: its host without `www.`, in the letters people write. */
export function siteName({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '')}${port === '' ? '' : `:${port}`}`
}

function readAddress(text: string): URL {
  const typed = text.trim()
  if (typed === '' || typed.length > MAX_URL || !URL.canParse(typed))
    throw refused('/url', 'Give the address of a web page that begins with http:// or https://.')
  const url = new URL(typed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('/url', 'Only addresses that begin with http:// or https:// are archived.')
  if (url.username !== '' || url.password !== '')
    throw refused('/url', 'The address holds a name or a password: archive public pages only.')
  url.hash = ''
  return url
}

/** ISO 639-3, several separated by commas; ISO 639-1 is taken too (contract §8). */
function readLanguages(text: string): string {
  const codes = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [threeLetterCode(part)]))
  if (codes.some((code) => !/^[a-z]{3}$/.test(code)))
    throw refused('/language', 'A language is a code of ISO 639-3, such as eng or deu.')
  const known = [...new Set(codes)]
  if (known.length > MAX_LANGUAGES) throw refused('/language', `At most ${MAX_LANGUAGES} languages.`)
  return known.length === 0 ? DEFAULT_LANGUAGE : known.join(',')
}

function limitsOf({ max_pages, max_bytes, max_minutes, scope, rate_limit_delay }: ScraperConfig): ScrapeLimits {
  return { maxPages: max_pages, maxBytes: max_bytes, maxMinutes: max_minutes, scope, delay: rate_limit_delay }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function refused(path: string, message: string): AppError {
  return new AppError('invalid', message, { issues: [{ path, code: 'invalid', message }] })
}
