import { OUTCOME_TONES, outcomeNames, stageNames } from '../../../../web/shared/words.js'
import type { Language } from '../../../model/words/languages.ts'
import { sentenceOf } from '../../../model/words/sentences.ts'
import type { TraceStep } from '../../../warning/routing/decision.ts'
import { storedSteps } from '../../../warning/routing/said-trace.ts'
import { type Html, html } from '../frame/html.ts'
import type { Reader } from '../knowledge/reader.ts'

/** The steps of a decision grouped by stage, in the order they were taken. */
export function traceList(trace: readonly unknown[], { language, t }: Reader): Html {
  const steps = storedSteps(trace).filter(({ outcome }) => outcome in OUTCOME_TONES)
  if (steps.length === 0) return html`<p>${t('The steps are not kept any more.')}</p>`
  const stages = [...new Set(steps.map(({ stage }) => stage))]
  const names: Readonly<Record<string, string>> = stageNames(t)
  const items = stages.map(
    (stage) => html`<li><h3>${names[stage] ?? stage}</h3>
<ul>${steps.filter((step) => step.stage === stage).map((step) => stepItem(step, outcomeNames(t), language))}</ul></li>
`
  )
  return html`<ol class="trace">${items}</ol>`
}

function stepItem(step: TraceStep, names: Readonly<Record<TraceStep['outcome'], string>>, language: Language): Html {
  const { outcome } = step
  return html`<li><span class="state ${OUTCOME_TONES[outcome] || 'off'}">${names[outcome]}</span> ${sentenceOf(step, language)}</li>`
}
