import type { ServerStatus } from '../../../knowledge/library/server.ts'
import type { LibrarySource, SourceStatusName } from '../../../knowledge/library/source.ts'
import { articlesToRead, type SourceView } from '../../../knowledge/library/status.ts'
import type { ScrapeAction, ScrapeJob, ScrapeState } from '../../../knowledge/scrape/job.ts'
import type { Language } from '../../../model/words/languages.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { languageName } from '../knowledge/knowledge-words.ts'

/** The words of archives and archiving jobs as pages say them. Every state has its row: a new one does not compile without. */

type Tone = 'good' | 'waiting' | 'bad' | 'off'

const STATUS_TONES: Readonly<Record<SourceStatusName, Tone>> = {
  DETECTED: 'off',
  EXTRACTING: 'waiting',
  PROCESSING: 'waiting',
  EMPTY: 'off',
  COMPLETE: 'good'
}

/** The derived status; one whose file cannot be used, or that is being removed, says that instead (Z5). */
export function sourceMark({ status, state, uuid, counts }: SourceView, t: Translate): Html {
  const names: Readonly<Record<SourceStatusName, string>> = {
    DETECTED: t('DETECTED'),
    EXTRACTING: t('EXTRACTING'),
    PROCESSING: t('PROCESSING'),
    EMPTY: t('NOTHING TO SEARCH'),
    COMPLETE: t('COMPLETE')
  }
  const others: Readonly<Record<LibrarySource['state'], string | null>> = {
    present: null,
    // One without a UUID was never read: its file is no archive, or a broken one.
    missing: uuid === '' ? t('CANNOT BE READ') : t('NOT USABLE'),
    damaged: t('DAMAGED'),
    removing: t('BEING REMOVED')
  }
  const other = others[state]
  if (other !== null) return mark(state === 'removing' ? 'waiting' : 'bad', other)
  const isFault = status === 'EMPTY' && counts.failed > 0
  return mark(isFault ? 'bad' : STATUS_TONES[status], names[status])
}

function mark(tone: Tone, words: string): Html {
  return html`<strong class="state ${tone}">${words}</strong>`
}

/** `12 / 40 extracted`, `3 / 12 in vector store`: the numbers as they are, so that both halves can be compared at a glance. */
export function progressText({ status, counts }: SourceView, t: Translate): string {
  return status === 'PROCESSING'
    ? t('{done} / {total} in vector store', { done: counts.in_vector_store, total: counts.total })
    : t('{done} / {total} extracted', { done: counts.extracted, total: articlesToRead(status, counts) })
}

/** The activity on an archive that is not read to its end; null for nothing. */
export function activityText(activity: string | null, t: Translate): string | null {
  if (activity === null) return null
  const names: Readonly<Record<string, string>> = {
    running: t('is being read'),
    queued: t('waits for its turn'),
    interrupted: t('interrupted'),
    paused: t('paused')
  }
  return names[activity] ?? activity
}

const SERVER_TONES: Readonly<Record<ServerStatus, Tone>> = {
  running: 'good',
  starting: 'waiting',
  failed: 'bad',
  missing: 'bad',
  external: 'good',
  off: 'off'
}

/** The state of the library server, in words. */
export function serverMark(status: ServerStatus, answers: boolean, t: Translate): Html {
  const names: Readonly<Record<ServerStatus, string>> = {
    running: t('The library server runs.'),
    starting: t('The library server is starting.'),
    failed: t('The library server does not run.'),
    missing: t('There is no library server on this machine.'),
    external: answers ? t('An external library server is used.') : t('The external library server does not answer.'),
    off: t('The library server is off.')
  }
  return mark(answers ? SERVER_TONES[status] : status === 'external' ? 'bad' : SERVER_TONES[status], names[status])
}

const JOB_TONES: Readonly<Record<ScrapeState, Tone>> = {
  pending: 'waiting',
  scraping: 'waiting',
  registering: 'waiting',
  completed: 'good',
  failed: 'bad',
  cancelled: 'off'
}

export const jobNames = (t: Translate): Readonly<Record<ScrapeState, string>> => ({
  pending: t('Pending'),
  scraping: t('Scraping'),
  registering: t('Registering'),
  completed: t('Completed'),
  failed: t('Failed'),
  cancelled: t('Cancelled')
})

export function jobMark(state: ScrapeState, t: Translate): Html {
  return mark(JOB_TONES[state], jobNames(t)[state])
}

export const actionNames = (t: Translate): Readonly<Record<ScrapeAction, string>> => ({
  cancel: t('Cancel'),
  retry: t('Try again'),
  delete: t('Delete')
})

export const engineNames = (t: Translate): Readonly<Record<NonNullable<ScrapeJob['engine']>, string>> => ({
  container: t('container'),
  'built-in': t('built in')
})

/** `English, French` of `eng,fra`. */
export function languagesText(codes: string, language: Language, t: Translate): string {
  return codes
    .split(/[,;\s]+/)
    .filter((code) => code !== '')
    .map((code) => languageName(code, language, t))
    .join(', ')
}
