import type { Reason } from '../../model/reason.ts'
import type { Language } from '../../model/words/languages.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { SourceStatus } from '../../warning/feeds/status.ts'
import type { RadioStatus, SatellitePasses } from './context.ts'

/** The shown parts of a state, with the sentence of its reason in the language of the reader. */
export type Said<Status> = Omit<Status, 'reason'> & { reason: string | null }
export type SaidRadio = Said<RadioStatus>
export type SaidSource = Omit<SourceStatus, 'reason' | 'error' | 'skipped_reasons'> & {
  reason: string | null
  error: string | null
  skipped_reasons: Record<string, number>
}

export function said<Status extends { reason: Reason | null }>(status: Status, language: Language): Said<Status> {
  const { reason } = status
  return { ...status, reason: reason === null ? null : sentenceOf(reason, language) }
}

export function saidSource(status: SourceStatus, language: Language): SaidSource {
  const { error } = status
  // Two reasons may have one sentence.
  const counts = new Map<string, number>()
  for (const { reason, count } of status.skipped_reasons) {
    const sentence = sentenceOf(reason, language)
    counts.set(sentence, (counts.get(sentence) ?? 0) + count)
  }
  return {
    ...said(status, language),
    error: error === null ? null : sentenceOf(error, language),
    skipped_reasons: Object.fromEntries(counts)
  }
}

/** Passes, with the reason why a satellite is left out in the language of the reader. */
export type SaidPasses = Omit<SatellitePasses, 'unusable'> & { unusable: { id: string; reason: string }[] }

export function saidPasses(passes: SatellitePasses, language: Language): SaidPasses {
  return {
    ...passes,
    unusable: passes.unusable.map(({ id, reason }) => ({ id, reason: sentenceOf(reason, language) }))
  }
}
