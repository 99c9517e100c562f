import type { SourceStatus } from '../../feeds/status.ts'
import type { RadioStatus } from '../context.ts'
import { servedMatrix } from '../matrix-document.ts'
import { matrixWarnings } from '../matrix-warnings.ts'
import { type Html, html } from './html.ts'
import { matrixWords } from './matrix-words.ts'
import type { Reader } from './reader.ts'
import { agoTime } from './times.ts'

/** No machine that runs this was set up before it was written: an earlier time is that of a clock without a battery. */
const BEFORE_US = Date.UTC(2025, 0, 1)

/** A problem and the page where it is mended. */
interface Problem {
  said: Html
  where: string
}

/** What keeps warnings from coming or going, gravest first; a line in green when nothing does. */
export function problems(reader: Reader): Html {
  const found = listProblems(reader)
  const { t } = reader
  if (found.length === 0) return html`<p class="state good">${t('No problems are known.')}</p>`
  const items = found.map(({ said, where }) => html`<li>${said} <a href="${where}">${t('Look')}</a></li>`)
  return html`<section class="problems" aria-labelledby="problems"><h2 id="problems">${t('Problems')}</h2><ul>${items}</ul></section>`
}

function listProblems(reader: Reader): Problem[] {
  const { context, t } = reader
  const config = context.shownConfig()
  const radios = context.radios()
  // Told below, in the language of the reader.
  const known = new Set(radios.map(({ id, state, reason }) => `radio ${id} is ${state}: ${reason ?? ''}`))
  const others = context.readiness().problems.filter((problem) => !known.has(problem))
  const { stale } = context.config.status()
  return [
    ...clockProblem(reader),
    ...(stale ? [problem(t('The configuration is not valid: the last good one is in force.'), '/settings')] : []),
    ...radios.filter(isDown).map(radioProblem(reader)),
    ...others.map((one) => problem(t.reason(one), '/settings')),
    ...radios.flatMap(missingChannels(reader)),
    ...context.sources.list().filter(isInTrouble).map(sourceProblem(reader)),
    ...unique(matrixWarnings(servedMatrix(config), config).map(matrixWords(reader))).map((message) =>
      problem(message, '/mesh-a/routing')
    )
  ]
}

const problem = (text: string, where: string): Problem => ({ said: html`${text}`, where })
const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

function clockProblem({ context, language, t }: Reader): Problem[] {
  if (context.now() >= BEFORE_US) return []
  const said = t('The clock of this machine is not set ({year}): what is new and what is over cannot be told.', {
    year: new Date(context.now()).toLocaleDateString(language, { year: 'numeric', timeZone: 'UTC' })
  })
  return [problem(said, '/settings')]
}

function isDown({ state }: RadioStatus): boolean {
  return state !== 'ready'
}

function radioProblem({ t }: Reader): (radio: RadioStatus) => Problem {
  return ({ id, state, reason }) => {
    const values = { id, reason: reason ?? '' }
    const said =
      state === 'connecting'
        ? t('Radio {id} is connecting. {reason}', values)
        : t('Radio {id} is down: {reason}', values)
    return problem(said, '/radios')
  }
}

function missingChannels({ t }: Reader): (radio: RadioStatus) => Problem[] {
  return ({ id, missing_channels }) =>
    missing_channels.map(({ channel, problem: why }) => {
      const values = { id, channel }
      const said =
        why === 'no_channel'
          ? t('Radio {id} does not have the channel {channel}, which the configuration uses.', values)
          : t('Channel {channel}, which the configuration uses, is disabled on radio {id}.', values)
      return problem(said, '/radios')
    })
}

/** States in which a source does not tell what it should. */
export function isInTrouble({ state }: SourceStatus): boolean {
  return state === 'failing' || state === 'stale' || state === 'blocked' || state === 'down'
}

function sourceProblem(reader: Reader): (source: SourceStatus) => Problem {
  const { context, language, t } = reader
  return ({ name, state, reason, error, last_ok }) => {
    const words = {
      failing: t('Source {name} fails.', { name }),
      stale: t('Source {name} has not answered for too long.', { name }),
      blocked: t('Source {name} may not be asked.', { name }),
      down: t('Source {name} is not connected.', { name })
    }
    const said = words[state === 'stale' || state === 'blocked' || state === 'down' ? state : 'failing']
    const last =
      last_ok === null
        ? t('It has never answered since the start.')
        : html`${t('Last answer:')} ${agoTime(context, Date.parse(last_ok), language)}.`
    return { said: html`${said} ${reason ?? error ?? ''} ${state === 'blocked' ? null : last}`, where: '/sources' }
  }
}
