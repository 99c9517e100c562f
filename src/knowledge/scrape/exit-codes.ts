import { AppError, type ErrorCode } from '../../platform/errors.ts'

/** How a container of the crawler ended. */
export interface ContainerEnd {
  exitCode: number
  /** The kernel ended it because it needed more memory than it may have. */
  outOfMemory: boolean
}

interface Meaning {
  /** `invalid`, `too-large`, `unsupported`: trying again changes nothing. */
  code: ErrorCode
  text: string
}

/**
 * Exit codes of zimit (its own, warc2zim's 1, 2 and 4, browsertrix-crawler's from 9 on) and of the container engines. 3 is
 * both a signal and the crawler's full disk: it gets here only when we sent no signal.
 */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  1: { code: 'invalid', text: 'the crawler could not make an archive of what it had fetched' },
  2: { code: 'invalid', text: 'the crawler did not take what it was told: another version of its image may be loaded' },
  3: { code: 'no-space', text: 'the crawler was stopped, or its disk was full' },
  4: { code: 'invalid', text: 'the crawler could not make an archive of what it had fetched' },
  9: { code: 'unavailable', text: 'the crawler failed: the site may be down or refuse it' },
  10: { code: 'unavailable', text: 'the browser of the crawler crashed' },
  11: { code: 'unavailable', text: 'the crawl was interrupted' },
  12: { code: 'unavailable', text: 'too many pages could not be fetched' },
  13: { code: 'unavailable', text: 'the crawl was interrupted' },
  14: { code: 'too-large', text: 'the site is larger than an archive may be (scraper.max_bytes)' },
  15: { code: 'too-large', text: 'the site takes longer than a crawl may (scraper.max_minutes)' },
  16: { code: 'no-space', text: 'the disk was too full for the crawler' },
  17: { code: 'unavailable', text: 'the crawler gave up because of an error of its own' },
  18: { code: 'unavailable', text: 'the site wants to be asked less often: raise scraper.rate_limit_delay' },
  21: { code: 'invalid', text: 'the proxy of the crawler cannot be reached' },
  125: { code: 'missing', text: 'the container could not be started' },
  126: { code: 'unsupported', text: 'the image does not hold the archiver' },
  127: { code: 'unsupported', text: 'the image does not hold the archiver' },
  137: { code: 'unavailable', text: 'the container was ended from outside, or needed more memory than it may have' },
  143: { code: 'unavailable', text: 'the container was ended from outside' }
}

/** Limits that leave a usable part of the site behind. */
export const PARTIAL_CODES: ReadonlySet<number> = new Set([11, 12, 14, 15])

/** Why there is no archive, with the last of what the crawler said. */
export function endFailure({ exitCode, outOfMemory }: ContainerEnd, lastWords: string): AppError {
  const said = lastWords === '' ? '' : ` Its last words: ${lastWords}`
  if (outOfMemory)
    return new AppError('too-large', `The crawler needed more memory than this machine can give it.${said}`)
  const { code, text } = MEANINGS[exitCode] ?? { code: 'unavailable', text: 'the crawler failed' }
  return new AppError(code, `${text.charAt(0).toUpperCase()}${text.slice(1)} (exit code ${exitCode}).${said}`)
}
