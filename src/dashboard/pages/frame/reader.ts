import type { IncomingHttpHeaders } from 'node:http'
import { severityNames } from '../../../../web/shared/words.js'
import { isDemo, isDrill, isExercise, type LookoutEvent } from '../../../model/event.ts'
import type { Severity } from '../../../model/severity.ts'
import type { Readiness } from '../../../warning/readiness/problem.ts'
import { askerOf } from '../../server/asker.ts'
import type { HttpContext, RadioStatus } from '../../server/context.ts'
import type { Asker } from '../../server/guest.ts'
import type { Identity } from '../../server/identity.ts'
import { type Translate, translator } from '../../words/language.ts'
import { type Html, html } from './html.ts'

/** The program, and who reads of it. */
export interface Reader extends Asker {
  context: HttpContext
  t: Translate
  /** As they are at this request; asked once. */
  radios: () => RadioStatus[]
  /** As it is at this request; asked once. */
  readiness: () => Readiness
}

export function readerOf(context: HttpContext, call: { headers: IncomingHttpHeaders; identity: Identity }): Reader {
  const asker = askerOf(context, call)
  const [radios, readiness] = [once(() => context.radios()), once(() => context.readiness())]
  return { context, ...asker, t: translator(asker.language), radios, readiness }
}

function once<T>(ask: () => T): () => T {
  let known: { answer: T } | null = null
  return () => {
    known ??= { answer: ask() }
    return known.answer
  }
}

/** A severity as a word with its shape; the style sheet adds the colour. */
export function severityMark(severity: Severity, t: Translate): Html {
  return html`<span class="severity ${severity}">${severityNames(t)[severity]}</span>`
}

/** Contract §13: what the demo invented says so wherever it stands. */
export function demoMark(demo: boolean): Html | null {
  return demo ? html`<span class="demo">DEMO</span> ` : null
}

/** DEMO of the demo, EXERCISE of a scripted exercise, DRILL of any other drill; nothing of what is real. */
export function inventedMark(event: Pick<LookoutEvent, 'data'>): Html | null {
  return drillMark({ drill: isDrill(event), exercise: isExercise(event) }) ?? demoMark(isDemo(event))
}

/** The mark of a drill, which no exercise is taken for the real thing by. */
export function drillMark({ drill, exercise }: { drill: boolean; exercise: boolean }): Html | null {
  return drill ? html`<span class="demo">${exercise ? 'EXERCISE' : 'DRILL'}</span> ` : null
}

/** At most so many characters, the last one then an ellipsis. */
export function shorten(text: string, length: number): string {
  // It has no more characters than it has units: most need not be taken apart.
  if (text.length <= length) return text
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
