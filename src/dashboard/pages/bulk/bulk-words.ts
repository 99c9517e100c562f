import type { Bulk, BulkAction, BulkState, EntryState } from '../../../knowledge/intake/bulk/bulk.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'

/** The words of lists and folders that are taken in. Every state has its row: a new one does not compile without. */

type Tone = 'good' | 'waiting' | 'bad' | 'off'

const BULK_TONES: Readonly<Record<BulkState, Tone>> = {
  waiting: 'waiting',
  listing: 'waiting',
  taking: 'waiting',
  paused: 'waiting',
  stopped: 'off',
  done: 'good',
  failed: 'bad'
}

export function bulkMark(state: BulkState, t: Translate): Html {
  const names: Readonly<Record<BulkState, string>> = {
    waiting: t('waits for its turn'),
    listing: t('is looked through'),
    taking: t('is being taken in'),
    paused: t('pauses'),
    stopped: t('stopped'),
    done: t('done'),
    failed: t('given up')
  }
  return html`<strong class="state ${BULK_TONES[state]}">${names[state]}</strong>`
}

const ENTRY_TONES: Readonly<Record<EntryState, Tone>> = {
  left: 'waiting',
  taken: 'good',
  duplicate: 'off',
  refused: 'bad',
  failed: 'bad'
}

export function entryNames(t: Translate): Readonly<Record<EntryState, string>> {
  return {
    left: t('still to come'),
    taken: t('taken in'),
    duplicate: t('here already'),
    refused: t('refused'),
    failed: t('not read')
  }
}

export function entryMark(state: EntryState, t: Translate): Html {
  return html`<strong class="state ${ENTRY_TONES[state]}">${entryNames(t)[state]}</strong>`
}

export function actionNames(t: Translate): Readonly<Record<BulkAction, string>> {
  return {
    stop: t('Stop'),
    resume: t('Go on'),
    retry: t('Try what was not read again'),
    delete: t('Remove from this list')
  }
}

/** The folder, or how many addresses. */
export function bulkName({ kind, place, counts, listed }: Bulk, t: Translate): string {
  if (kind === 'folder') return place
  return listed ? t('List of {count} addresses', { count: counts.found }) : t('List of addresses')
}
