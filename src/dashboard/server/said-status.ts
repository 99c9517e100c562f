import type { Reason } from '../../model/reason.ts'
import type { Language } from '../../model/words/languages.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { SourceStatus } from '../../warning/feeds/status.ts'
import type { RadioStatus } from './context.ts'

/** The shown parts of a state, with the sentence of its reason in the language of the reader. */
export type Said<Status> = Omit<Status, 'reason'> & { reason: string | null }
export type SaidRadio = Said<RadioStatus>
export type SaidSource = Omit<SourceStatus, 'reason' | 'error'> & { reason: string | null; error: string | null }

export function said<Status extends { reason: Reason | null }>(status: Status, language: Language): Said<Status> {
  const { reason } = status
  return { ...status, reason: reason === null ? null : sentenceOf(reason, language) }
}

export function saidSource(status: SourceStatus, language: Language): SaidSource {
  const { error } = status
  return { ...said(status, language), error: error === null ? null : sentenceOf(error, language) }
}
