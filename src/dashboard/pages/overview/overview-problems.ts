import type { SourceStatus } from '../../../warning/feeds/status.ts'
import { servedMatrix } from '../../editing/matrix-document.ts'
import { matrixWarnings } from '../../editing/matrix-warnings.ts'
import { type Html, html } from '../frame/html.ts'
import { problemSentence } from '../frame/problem-words.ts'
import type { Reader } from '../frame/reader.ts'
import { matrixWords } from '../routing/matrix-words.ts'

/** A problem and the page where it is mended. */
interface Problem {
  said: Html
  where: string
}

/** Problems that keep warnings from coming or going, gravest first; a line in green when there are none. */
export function problems(reader: Reader): Html {
  const found = listProblems(reader)
  const { t } = reader
  if (found.length === 0) return html`<p class="state good">${t('No problems are known.')}</p>`
  const items = found.map(({ said, where }) => html`<li>${said} <a href="${where}">${t('Look')}</a></li>`)
  return html`<section class="problems" aria-labelledby="problems"><h2 id="problems">${t('Problems')}</h2><ul>${items}</ul></section>`
}

function listProblems(reader: Reader): Problem[] {
  const { context } = reader
  const config = context.shownConfig()
  return [
    ...reader.readiness().problems.map((one) => problem(problemSentence(one, reader), one.link)),
    ...unique(matrixWarnings(servedMatrix(config), config).map(matrixWords(reader))).map((message) =>
      problem(message, '/mesh-a/routing')
    )
  ]
}

const problem = (text: string, where: string): Problem => ({ said: html`${text}`, where })
const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** States in which a source does not tell what it should. */
export function isInTrouble({ state }: SourceStatus): boolean {
  return state === 'failing' || state === 'stale' || state === 'blocked' || state === 'down'
}
