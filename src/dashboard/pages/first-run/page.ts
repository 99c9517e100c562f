import { firstStepsHead, stepList } from '../../../../web/shared/first-steps.js'
import { hasNoRegion } from '../../../model/vocabulary.ts'
import { OFFERED_KINDS, type OfferedKind } from '../../../warning/feeds/settings.ts'
import { servedFirstRun } from '../../api/first-run.ts'
import type { Services } from '../../api/services.ts'
import { isEmpty } from '../../editing/first-run-document.ts'
import { askerOf } from '../../server/asker.ts'
import type { HttpContext } from '../../server/context.ts'
import { canWrite } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type SaidRadio, said } from '../../server/said-status.ts'
import { type Translate, translator } from '../../words/language.ts'
import { familyNames } from '../frame/family-names.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { penOf } from '../frame/pen.ts'
import { type SaidProblem, servedReadiness } from '../frame/problem-words.ts'

/** The data that the script of the page begins with. */
export interface FirstRunData {
  document: ReturnType<typeof servedFirstRun>
  /** `everywhere`: its events have no region by nature. */
  families: { key: string; label: string; everywhere: boolean }[]
  radios: Pick<SaidRadio, 'id' | 'network' | 'link' | 'simulated' | 'state' | 'reason' | 'channels'>[]
  /** Kinds of sources to choose from, their words in the language of the page. */
  offered: readonly OfferedKind[]
  mode: HttpContext['mode']
  /** Problems that keep everything from being sent (contract §13). */
  /** Of the station (contract §13): those that keep everything from being sent, and others. */
  problems: SaidProblem[]
  canWrite: boolean
  /** Without a radio in the configuration the profile simulates one per network. */
  simulatedByProfile: boolean
}

/** True for a station that nobody has set up yet: its overview leads to the first steps. */
export function isEmptyStation(context: Pick<HttpContext, 'config'>): boolean {
  return isEmpty(context.config.current())
}

/** The note of the overview while the station is empty; nothing after. */
export function firstRunNote(context: Pick<HttpContext, 'config'>, t: Translate): Html | null {
  if (!isEmptyStation(context)) return null
  return html`<p class="banner note">${t('This station is not set up yet.')} <a href="/first-run">${t('Set it up in five steps')}</a></p>`
}

/** `GET /first-run`: five steps from an empty station to a test message; a script makes them editable. */
function readFirstRunPage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const asker = askerOf(context, { headers, identity })
    const { language } = asker
    const t = translator(language)
    const config = context.config.current()
    const document = servedFirstRun(context.config, identity)
    const data: FirstRunData = {
      document,
      families: [...familyNames(config.families, t)].map(([key, label]) => ({
        key,
        label,
        everywhere: hasNoRegion(key)
      })),
      radios: context.radios().map(({ id, network, link, simulated, state, reason, channels }) => ({
        ...said({ id, network, link, simulated, state, reason, channels }, asker)
      })),
      offered: OFFERED_KINDS.map((one) => ({ ...one, title: t.term(one.title), hint: t.term(one.hint) })),
      mode: context.mode,
      problems: servedReadiness(context.readiness(), asker).problems,
      canWrite: canWrite(identity, config.http),
      simulatedByProfile: context.profile.simulated_radios
    }
    const pen = penOf(context, language)
    const body = html`<div id="first-run"><div>
${firstStepsHead(pen, data)}
${stepList(pen, { document, blocking: data.problems.filter(({ blocking }) => blocking), proven: false })}
<p class="quiet">${t('Filling them in needs a browser with scripts. Without one, edit config.json; it is read again when it is saved.')}</p></div></div>
${context.mode === 'preview' ? html`<p>${t('This is a preview: what you save is used at once, but no radio is connected, no source is asked and nothing is sent.')}</p>` : null}
${context.backups !== null && data.canWrite && isEmpty(context.config.current()) ? html`<p>${t('The board was set up before, and there is a backup on a stick or on your phone?')} <a href="/backup#back">${t('Put it back')}</a></p>` : null}`
    const files = { script: 'pages/first-run/script.js', style: 'pages/first-run/style.css' }
    return page(context, { title: t('First steps'), path: '/first-run', body, headers, identity, data, ...files })
  }
}

export const firstRunPage = (services: Services): Route =>
  get('/first-run', {
    about: 'Five steps from an empty station to a test message.',
    handle: readFirstRunPage(services)
  })
