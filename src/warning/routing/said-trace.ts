import { because, reasonFrom } from '../../model/reason.ts'
import type { Language } from '../../model/words/languages.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { TraceStep } from './decision.ts'
import type { Explanation } from './explain.ts'

/** A step with its sentence, for whoever reads it: contract §4 rule 7. */
export interface SaidStep extends TraceStep {
  detail: string
}

export function saidSteps(trace: readonly TraceStep[], language?: Language): SaidStep[] {
  return trace.map(({ stage, outcome, reason, ...rest }) => ({
    stage,
    outcome,
    reason,
    detail: sentenceOf(rest, language),
    ...rest
  }))
}

export type SaidExplanation = Omit<Explanation, 'trace'> & { trace: SaidStep[] }

export function saidExplanation({ trace, ...known }: Explanation, language?: Language): SaidExplanation {
  return { ...known, trace: saidSteps(trace, language) }
}

/** The steps of a stored trace. Those of an older version held a sentence, which is a note here; what is no step is left out. */
export function storedSteps(trace: readonly unknown[]): TraceStep[] {
  return trace.flatMap((step) => (typeof step === 'object' && step !== null ? (readStep(step) ?? []) : []))
}

function readStep(step: Partial<Record<string, unknown>>): TraceStep | null {
  const { stage, outcome, reason, detail, code, params, region, channel } = step
  if (typeof stage !== 'string' || typeof outcome !== 'string') return null
  const why = typeof detail === 'string' ? because('note', { text: detail }) : reasonFrom(code, params)
  return {
    stage: stage as TraceStep['stage'],
    outcome: outcome as TraceStep['outcome'],
    reason: String(reason),
    ...why,
    ...(typeof region === 'string' ? { region } : {}),
    ...(typeof channel === 'string' ? { channel } : {})
  }
}
