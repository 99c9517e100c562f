import type { Config } from '../../../settings/schema.ts'
import type { SourceStatus } from '../../../warning/feeds/status.ts'
import { servedMatrix } from '../../editing/matrix-document.ts'
import { type MatrixWarning, matrixWarnings } from '../../editing/matrix-warnings.ts'
import { type Html, html } from '../frame/html.ts'
import { problemSentence } from '../frame/problem-words.ts'
import type { Reader } from '../frame/reader.ts'
import { matrixWords } from '../routing/matrix-words.ts'

/** The configuration is frozen and replaced as a whole: what was found in one object stays true of it. */
const warningsOf = new WeakMap<Config, MatrixWarning[]>()

/** The same list as the sign in the head counts (`frame/trouble.ts`), gravest first; a line in green when there is nothing to tell. */
export function problems(reader: Reader): Html {
  const { t } = reader
  const found = reader.readiness().problems
  const notes = matrixNotes(reader)
  if (found.length === 0) return notes ?? html`<p class="state good">${t('No problems are known.')}</p>`
  const items = found.map((one) => item(problemSentence(one, reader), one.link, t))
  return html`<section class="problems" aria-labelledby="problems"><h2 id="problems">${t('Problems')}</h2><ul>${items}</ul></section>${notes}`
}

/** Oddities of the matrix keep no warning from going: they are no problems, and nobody counts them as such. */
function matrixNotes(reader: Reader): Html | null {
  const config = reader.context.shownConfig()
  const warnings = warningsOf.get(config) ?? matrixWarnings(servedMatrix(config), config)
  warningsOf.set(config, warnings)
  if (warnings.length === 0) return null
  const said = [...new Set(warnings.map(matrixWords(reader)))]
  const { t } = reader
  const items = said.map((text) => item(text, '/mesh-a/routing', t))
  return html`<section class="problems mild" aria-labelledby="matrix-notes"><h2 id="matrix-notes">${t('Notes on the matrix')}</h2><ul>${items}</ul></section>`
}

function item(text: string, where: string, t: Reader['t']): Html {
  return html`<li>${text} <a href="${where}">${t('Look')}</a></li>`
}

/** States in which a source does not tell what it should. */
export function isInTrouble({ state }: SourceStatus): boolean {
  return state === 'failing' || state === 'stale' || state === 'blocked' || state === 'down'
}
