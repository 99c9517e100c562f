import type { ChannelResult } from '../../../warning/outbox/results.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import { isBlind } from '../alerts/page.ts'
import { type Html, html } from '../frame/html.ts'
import { type Reader, shorten } from '../frame/reader.ts'
import { isPretended } from './told.ts'

/** As many as are read at a glance; a station with more has them in its matrix. */
const MOST = 40
/** More that have nothing to say are said in one word: what is going on must not be looked for among them. */
const MOST_QUIET = 8

interface Known {
  alerts: readonly StoredEvent[]
  /** False when more may be in force: of a region that none of them touches nothing is known. */
  areAll: boolean
  told: ReadonlyMap<string, readonly ChannelResult[]>
}

/**
 * Each region with what goes on there: warned where people were told of the gravest that is in force, watch where they were
 * not. Quiet is said only while nothing may hide something (contract §13).
 */
export function regionChips(reader: Reader, { alerts, areAll, told }: Known): Html | null {
  const { context, t } = reader
  const names = context.shownConfig().coverage.areas.flatMap(({ name }) => (name === null ? [] : [name]))
  if (names.length === 0) return null
  const quiet = isBlind(reader, 'region') || !areAll ? t('nothing known') : t('quiet')
  const touched = names.filter((name) => alerts.some(({ event }) => event.regions.includes(name)))
  const others = names.filter((name) => !touched.includes(name))
  const calm =
    others.length > MOST_QUIET
      ? [html`<li class="chip region">${t('{count} regions: {state}', { count: others.length, state: quiet })}</li>`]
      : others.map((name) => html`<li class="chip region">${name}: <span class="why">${quiet}</span></li>`)
  const chips = touched.slice(0, MOST).map((name) => {
    const here = alerts.filter(({ event }) => event.regions.includes(name))
    const [gravest] = here
    if (gravest === undefined) return null
    const isWarned =
      told.get(gravest.event.thread_id)?.some((one) => one.state === 'sent' && !isPretended(one)) ?? false
    const { severity, title } = gravest.event
    const more = here.length > 1 ? html` <span class="why">+${here.length - 1}</span>` : null
    return html`<li class="chip region ${severity}"><span class="severity ${severity}">${name}: ${isWarned ? t('warned') : t('watch')}</span> ${shorten(title, 40)}${more}</li>`
  })
  const rest = touched.length - MOST
  return html`<section aria-labelledby="regions" data-key="regions"><h2 id="regions" class="hidden">${t('Regions')}</h2><ul class="chips">${chips}${calm}${rest > 0 ? html`<li class="chip"><a href="/coverage">${t('{count} more', { count: rest })}</a></li>` : null}</ul></section>`
}
