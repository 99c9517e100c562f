import { because, reasonFrom } from '../../model/reason.ts'
import type { Language } from '../../model/words/languages.ts'
import { sentenceOf, shownValues, templateOf } from '../../model/words/sentences.ts'
import type { CellVerdict } from './cell-verdicts.ts'
import type { ChannelVerdict } from './channel-verdict.ts'
import type { TraceStep } from './decision.ts'
import type { Explanation } from './explain.ts'
import type { Obstacle } from './obstacles.ts'

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

/** The changes it would take, for a page that writes values in its own way: `text` is a template, times are RFC 3339. */
export interface SaidObstacle {
  reason: string
  code: string
  text: string
  values: Record<string, string>
}

/** The same as sentences; empty when nothing has to change. */
interface Change {
  change: string
  wanted: SaidObstacle[]
}

type Said<Verdict> = Omit<Verdict, 'wanted' | 'channels'> & Change
export type SaidChannel = Said<ChannelVerdict>
export type SaidCell = Said<CellVerdict> & { channels: SaidChannel[] }
export type SaidExplanation = Omit<Explanation, 'trace' | 'cells'> & { trace: SaidStep[]; cells: SaidCell[] }

/** An explanation with its sentences, for whoever reads it. */
export function saidExplanation({ trace, cells, ...known }: Explanation, language?: Language): SaidExplanation {
  const saidCell = ({ channels, wanted, ...cell }: CellVerdict): SaidCell => ({
    ...cell,
    ...changeOf(wanted, language),
    channels: channels.map(({ wanted: own, ...channel }) => ({ ...channel, ...changeOf(own, language) }))
  })
  return { ...known, cells: cells.map(saidCell), trace: saidSteps(trace, language) }
}

function changeOf(wanted: readonly Obstacle[], language?: Language): Change {
  return {
    change: wanted.map((one) => sentenceOf(one, language)).join(' '),
    wanted: wanted.map((one) => ({
      reason: one.reason,
      code: one.code,
      text: templateOf(one, language),
      values: Object.fromEntries(shownValues(one))
    }))
  }
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
