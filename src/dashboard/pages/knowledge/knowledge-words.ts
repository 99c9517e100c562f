import { number } from '../../../../web/shared/times.js'
import type { Tone } from '../../../../web/shared/words.js'
import type { Badge, Document } from '../../../knowledge/catalogue/document.ts'
import { STAGES, type Stage, type UploadStatus } from '../../../knowledge/catalogue/states.ts'
import type { Reason } from '../../../model/reason.ts'
import { sentenceOf, shownValues, templateOf } from '../../../model/words/sentences.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'
import { dayTime } from '../frame/times.ts'

/** The words of documents, stages and jobs as pages say them. Every state has its row: a new one does not compile without. */

export const statusNames = (t: Translate): Readonly<Record<UploadStatus, string>> => ({
  pending: t('Waiting to be sorted'),
  processing: t('Being sorted'),
  rejected: t('Rejected'),
  duplicate: t('Duplicate'),
  needs_review: t('Waits for a decision'),
  queued: t('Waiting for its text'),
  extracting: t('Reading its text'),
  extracted: t('Text read'),
  enriching: t('Making items'),
  enriched: t('Items made, waiting for vectors'),
  embedding: t('Making vectors'),
  complete: t('Complete'),
  skipped: t('Skipped'),
  failed: t('Failed')
})

const TONES: Readonly<Record<UploadStatus, Tone | 'off'>> = {
  pending: 'waiting',
  processing: 'waiting',
  rejected: 'bad',
  duplicate: 'off',
  needs_review: 'waiting',
  queued: 'waiting',
  extracting: 'waiting',
  extracted: 'waiting',
  enriching: 'waiting',
  enriched: 'waiting',
  embedding: 'waiting',
  complete: 'good',
  skipped: 'off',
  failed: 'bad'
}

/** A status: a word, a shape and a colour; never the colour alone. */
export function statusMark(status: UploadStatus, t: Translate): Html {
  return html`<strong class="state ${TONES[status]}">${statusNames(t)[status]}</strong>`
}

const BADGE_NAMES = (t: Translate): Readonly<Record<Badge, string>> => ({
  PDF: t('PDF'),
  WEB: t('WEB'),
  WIKI: t('WIKI'),
  transcript: t('transcript')
})

/** The mark of a document's kind. */
export function badgeMark(badge: Badge, t: Translate): Html {
  return html`<span class="badge ${badge.toLowerCase()}">${BADGE_NAMES(t)[badge]}</span>`
}

/** Work as a person names it; unknown kinds keep their own name. */
/** The sentence of a wait; a time of day as the station's clock shows it. */
export function waitWords(waits: Reason, { context, language }: Pick<Reader, 'context' | 'language'>): string {
  const { until } = waits.params
  if (typeof until !== 'number') return sentenceOf(waits, language)
  const values = new Map(shownValues(waits, language)).set('until', dayTime(context, until, language))
  return templateOf(waits, language).replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '…')
}

export function jobName(kind: string, t: Translate): string {
  const names: Readonly<Record<string, string>> = {
    dispatch: t('Sorting'),
    extract: t('Reading text'),
    enrich: t('Making items'),
    embed: t('Making vectors'),
    remove: t('Removing'),
    bulk: t('Many at once')
  }
  return names[kind] ?? kind
}

export const stageNames = (t: Translate): Readonly<Record<Stage, string>> => ({
  extract: t('Text'),
  enrich: t('Items'),
  embed: t('Vectors')
})

/**
 * The way of a document as people read it: of every step whether it is done, under way or still to come. `left`: it
 * left the way here on purpose; `stopped`: something went wrong here.
 */
export interface Step {
  name: string
  state: 'done' | 'now' | 'next' | 'left' | 'stopped'
}

type Place = readonly [step: number, state: 'now' | 'left' | 'stopped']

const PLACES: Readonly<Record<UploadStatus, Place>> = {
  pending: [1, 'now'],
  processing: [1, 'now'],
  needs_review: [1, 'now'],
  rejected: [1, 'stopped'],
  duplicate: [1, 'left'],
  queued: [2, 'now'],
  extracting: [2, 'now'],
  extracted: [3, 'now'],
  enriching: [3, 'now'],
  skipped: [3, 'left'],
  enriched: [4, 'now'],
  embedding: [4, 'now'],
  complete: [6, 'now'],
  failed: [2, 'stopped']
}

/** The steps of one file; `failedStage` says where a failure was. */
export function stepsOf(status: UploadStatus, failedStage: Stage | null, t: Translate): Step[] {
  const names = [t('Received'), t('Sorted'), ...STAGES.map((stage) => stageNames(t)[stage]), t('Complete')]
  const [step, state] = PLACES[status]
  const reached = status === 'failed' && failedStage !== null ? 2 + STAGES.indexOf(failedStage) : step
  return names.map((name, index) => ({ name, state: index < reached ? 'done' : index > reached ? 'next' : state }))
}

/** Nothing more happens by itself. */
export function isOver(status: UploadStatus): boolean {
  const over: readonly UploadStatus[] = ['complete', 'skipped', 'failed', 'needs_review', 'rejected', 'duplicate']
  return over.includes(status)
}

/** A language by its name, in the language of the page; `und` and what has no name as it is. */
export function languageName(code: string | null, language: string, t: Translate): string {
  if (code === null || code === '') return ''
  if (code === 'und') return t('not determined')
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code
  } catch (error) {
    if (error instanceof RangeError) return code
    throw error
  }
}

/** The name of a document: its title, else its file. */
export function nameOf({ title, filename }: Pick<Document, 'title' | 'filename'>): string {
  return title === '' ? filename : title
}

/** `1 page`, `1,200 pages`. */
export function pagesText(count: number, { language, t }: Pick<Reader, 'language' | 't'>): string {
  return count === 1 ? t('1 page') : t('{count} pages', { count: number(count, language) })
}

/** `1 item`, `340 items`. */
export function itemsText(count: number, { language, t }: Pick<Reader, 'language' | 't'>): string {
  return count === 1 ? t('1 item') : t('{count} items', { count: number(count, language) })
}
