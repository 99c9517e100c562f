import type { Reason } from '../../model/reason.ts'
import type { SourceStatus } from '../../warning/feeds/status.ts'
import type { RadioStatus, SatellitePasses } from './context.ts'
import { type Asker, toldTo } from './guest.ts'

/** The shown parts of a state, with the sentence of its reason for whoever asks. */
export type Said<Status> = Omit<Status, 'reason'> & { reason: string | null }
export type SaidRadio = Said<RadioStatus>
export type SaidSource = Omit<SourceStatus, 'reason' | 'error' | 'skipped_reasons'> & {
  reason: string | null
  error: string | null
  skipped_reasons: Record<string, number>
}

export function said<Status extends { reason: Reason | null }>(status: Status, asker: Asker): Said<Status> {
  const { reason } = status
  return { ...status, reason: reason === null ? null : toldTo(reason, asker) }
}

export function saidSource(status: SourceStatus, asker: Asker): SaidSource {
  const { error } = status
  // Two reasons may have one sentence.
  const counts = new Map<string, number>()
  for (const { reason, count } of status.skipped_reasons) {
    const sentence = toldTo(reason, asker)
    counts.set(sentence, (counts.get(sentence) ?? 0) + count)
  }
  return {
    ...said(status, asker),
    error: error === null ? null : toldTo(error, asker),
    skipped_reasons: Object.fromEntries(counts)
  }
}

/** Passes, with the reason why a satellite is left out in the language of the reader. */
export type SaidPasses = Omit<SatellitePasses, 'unusable'> & { unusable: { id: string; reason: string }[] }

export function saidPasses(passes: SatellitePasses, asker: Asker): SaidPasses {
  return {
    ...passes,
    unusable: passes.unusable.map(({ id, reason }) => ({ id, reason: toldTo(reason, asker) }))
  }
}
