import type { Readiness } from '../../../warning/readiness/problem.ts'
import type { Asker } from '../../server/guest.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'
import { servedReadiness } from './problem-words.ts'
import { shorten } from './reader.ts'

/** As much of one problem as stands beside the name of the station. Characters. */
const LONGEST = 90

/**
 * The sign of what is wrong (contract §13), in sight on every page: one problem by its sentence, several by their number. Without any
 * there is none: a page cannot prove that nothing is wrong.
 */
export function trouble(readiness: Readiness, t: Translate, asker: Asker): Html {
  const { problems } = servedReadiness(readiness, asker)
  const [first] = problems
  const said =
    problems.length === 1 && first !== undefined ? first.message : t('{count} problems', { count: problems.length })
  return html`<p id="trouble" class="trouble" data-many="${t('{count} problems')}">${
    problems.length === 0 ? null : html`<a href="/#problems">${shorten(said, LONGEST)}</a>`
  }</p>`
}
