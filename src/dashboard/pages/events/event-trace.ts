import { OUTCOME_TONES, outcomeNames, stageNames } from '../../../../web/shared/words.js'
import type { TraceStep } from '../../../warning/routing/decision.ts'
import { type Html, html } from '../frame/html.ts'
import type { Reader } from '../knowledge/reader.ts'

type Step = Pick<TraceStep, 'stage' | 'outcome' | 'detail'>

/** The steps of a decision grouped by stage, in the order they were taken. */
export function traceList(trace: readonly unknown[], { t }: Reader): Html {
  const steps = trace.filter(isStep)
  if (steps.length === 0) return html`<p>${t('The steps are not kept any more.')}</p>`
  const stages = [...new Set(steps.map(({ stage }) => stage))]
  const names: Readonly<Record<string, string>> = stageNames(t)
  const items = stages.map(
    (stage) => html`<li><h3>${names[stage] ?? stage}</h3>
<ul>${steps.filter((step) => step.stage === stage).map((step) => stepItem(step, outcomeNames(t)))}</ul></li>
`
  )
  return html`<ol class="trace">${items}</ol>`
}

function stepItem({ outcome, detail }: Step, names: Readonly<Record<TraceStep['outcome'], string>>): Html {
  return html`<li><span class="state ${OUTCOME_TONES[outcome] || 'off'}">${names[outcome]}</span> ${detail}</li>`
}

/** Traces are stored as JSON: an older version may have written other words. */
function isStep(value: unknown): value is Step {
  if (typeof value !== 'object' || value === null) return false
  const { stage, outcome, detail } = value as Partial<Record<string, unknown>>
  return (
    typeof stage === 'string' && typeof detail === 'string' && typeof outcome === 'string' && outcome in OUTCOME_TONES
  )
}
