import { because, type Reason } from '../../model/reason.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'

/** The end of a container of the crawler. */
export interface ContainerEnd {
  exitCode: number
  /** The kernel ended it because it needed more memory than it may have. */
  outOfMemory: boolean
}

interface Meaning {
  /** `invalid`, `too-large`, `unsupported`: trying again changes nothing. */
  code: ErrorCode
  why: Reason
}

/**
 * Exit codes of zimit (its own, warc2zim's 1, 2 and 4, browsertrix-crawler's from 9 on) and of the container engines. 3 is
 * both a signal and the crawler's full disk: it gets here only when we sent no signal.
 */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  1: { code: 'invalid', why: because('crawler_no_archive') },
  2: { code: 'invalid', why: because('crawler_not_understood') },
  3: { code: 'no-space', why: because('crawler_stopped') },
  4: { code: 'invalid', why: because('crawler_no_archive') },
  9: { code: 'unavailable', why: because('crawler_failed_site') },
  10: { code: 'unavailable', why: because('crawler_browser_crashed') },
  11: { code: 'unavailable', why: because('crawl_interrupted') },
  12: { code: 'unavailable', why: because('too_many_pages_failed') },
  13: { code: 'unavailable', why: because('crawl_interrupted') },
  14: { code: 'too-large', why: because('site_too_large') },
  15: { code: 'too-large', why: because('site_too_long') },
  16: { code: 'no-space', why: because('disk_too_full_for_crawler') },
  17: { code: 'unavailable', why: because('crawler_own_error') },
  18: { code: 'unavailable', why: because('site_wants_pauses') },
  21: { code: 'invalid', why: because('crawler_proxy') },
  125: { code: 'missing', why: because('container_not_started') },
  126: { code: 'unsupported', why: because('image_without_archiver') },
  127: { code: 'unsupported', why: because('image_without_archiver') },
  137: { code: 'unavailable', why: because('container_ended_memory') },
  143: { code: 'unavailable', why: because('container_ended') }
}

/** Limits that leave a usable part of the site behind. */
export const PARTIAL_CODES: ReadonlySet<number> = new Set([11, 12, 14, 15])

/** The reason why there is no archive, with the last of what the crawler said. */
export function endFailure({ exitCode, outOfMemory }: ContainerEnd, lastWords: string): AppError {
  if (outOfMemory) return new AppError('too-large', withWords(because('crawler_needs_memory'), lastWords))
  const { code, why } = MEANINGS[exitCode] ?? { code: 'unavailable', why: because('crawler_failed') }
  return new AppError(code, withWords(because('crawler_exit', { why, code: exitCode }), lastWords))
}

const withWords = (why: Reason, said: string): Reason =>
  said === '' ? why : because('crawler_last_words', { why, said })
