import type { Config } from '../../../settings/schema.ts'
import type { SourceStatus } from '../../../warning/feeds/status.ts'
import type { Problem } from '../../../warning/readiness/problem.ts'
import { servedMatrix } from '../../editing/matrix-document.ts'
import { type MatrixWarning, matrixWarnings } from '../../editing/matrix-warnings.ts'
import { type Html, html } from '../frame/html.ts'
import { problemSentence } from '../frame/problem-words.ts'
import { type Reader, shorten } from '../frame/reader.ts'
import { notesOnOverview, notesSection, settingNotes } from '../frame/setting-notes.ts'
import { matrixWords } from '../routing/matrix-words.ts'

/** The configuration is frozen and replaced as a whole: what was found in one object stays true of it. */
const warningsOf = new WeakMap<Config, MatrixWarning[]>()

/** As much of the gravest as stands on a line or two of a phone. Characters. */
const LONGEST_LINE = 90
/** As many are read at a glance; the others open at a touch. */
const MOST_OPEN = 3

/**
 * The same list as the sign in the head counts (`frame/trouble.ts`), gravest first; a line in green when there is nothing to tell.
 * While something grave is in force (`isGrave`) it is one line that opens: what people have to do now comes first on a phone.
 */
export function problems(reader: Reader, isGrave: boolean): Html {
  const { t } = reader
  const found = reader.readiness().problems
  const notes = [matrixNotes(reader, isGrave), isGrave ? null : settingsNotes(reader)].filter((part) => part !== null)
  if (found.length === 0)
    return notes.length > 0 ? html`${notes}` : html`<p class="state good">${t('No problems are known.')}</p>`
  const items = found.map((one) => item(problemSentence(one, reader), one.link, t))
  return html`<section class="problems" aria-labelledby="problems-head">${isGrave ? folded(reader, found, items) : opened(reader, items)}</section>${notes}`
}

function opened({ t }: Reader, items: readonly Html[]): Html {
  const rest = items.slice(MOST_OPEN)
  const more =
    rest.length === 0
      ? null
      : html`<details class="more"><summary class="line">${t('{count} more', { count: rest.length })}</summary><ul>${rest}</ul></details>`
  return html`<h2 id="problems-head">${t('Problems')}</h2><ul id="problems">${items.slice(0, MOST_OPEN)}</ul>${more}`
}

/** A link to the list opens it: it lies inside of what is folded. */
function folded(reader: Reader, found: readonly Problem[], items: readonly Html[]): Html {
  const [first] = found
  const gravest = first === undefined ? '' : shorten(problemSentence(first, reader), LONGEST_LINE)
  return html`<details class="folded"><summary class="line"><h2 id="problems-head">${reader.t('Problems')} (${found.length})</h2> <span>${gravest}</span></summary><ul id="problems">${items}</ul></details>`
}

/** Oddities of the matrix keep no warning from going: they are no problems, and nobody counts them as such. */
function matrixNotes(reader: Reader, isFolded: boolean): Html | null {
  const config = reader.context.shownConfig()
  const warnings = warningsOf.get(config) ?? matrixWarnings(servedMatrix(config), config)
  warningsOf.set(config, warnings)
  if (warnings.length === 0) return null
  const said = [...new Set(warnings.map(matrixWords(reader)))]
  const { t } = reader
  const items = said.map((text) => item(text, '/mesh-a/routing', t))
  const head = html`<h2 id="matrix-notes">${t('Notes on the matrix')}</h2>`
  const list = html`<ul>${items}</ul>`
  return html`<section class="problems mild" aria-labelledby="matrix-notes">${isFolded ? html`<details class="folded"><summary class="line">${head}</summary>${list}</details>` : html`${head}${list}`}</section>`
}

/** Names and values of the configuration are the operator's. While something grave is in force they can wait. */
function settingsNotes(reader: Reader): Html | null {
  const notes = reader.isGuest ? [] : notesOnOverview(settingNotes(reader.context, reader))
  return notes.length === 0 ? null : notesSection(notes, reader.t)
}

function item(text: string, where: string, t: Reader['t']): Html {
  return html`<li>${text} <a href="${where}">${t('Look')}</a></li>`
}

/** States in which a source does not tell what it should. */
export function isInTrouble({ state }: SourceStatus): boolean {
  return state === 'failing' || state === 'stale' || state === 'blocked' || state === 'down'
}
