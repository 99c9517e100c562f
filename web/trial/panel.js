// Trying the matrix out before it is saved: what becomes of one event, and what the last days would have been.
import { t } from '../lib/i18n.js'
import { html, useEffect, useSignal } from '../vendor/ui.js'
import { Backtest } from './backtest.js'
import { Explain } from './explain.js'

/** @typedef {import('../../src/warning/routing/settings.ts').RegionRoutes} RegionRoutes */

/** The event another page asks about: `?event=ID&source=NAME`. */
function askedEvent() {
  const query = new URLSearchParams(location.search)
  const [id, source] = [query.get('event'), query.get('source')]
  return id === null || source === null ? null : { id, source }
}

/**
 * Mounted by the routing pages. `matrix` and `saved` answer the document as it is edited and as it is saved; when
 * `matrix` reads signals, an explanation that is shown follows every edit. `onVerdicts` hears what becomes of each cell
 * (key: family, NUL, region), and null when nothing is shown any more.
 * @param {{ matrix: () => RegionRoutes, saved: () => RegionRoutes, onVerdicts: import('./explain.js').OnVerdicts, wanted?: boolean }} props `wanted`: somebody asks for it elsewhere on the page
 */
export function TrialPanel({ matrix, saved, onVerdicts, wanted = false }) {
  const asked = askedEvent()
  const explains = useSignal(asked !== null)
  const counts = useSignal(false)
  useEffect(() => {
    if (wanted) explains.value = true
  }, [wanted])
  return html`<section class="trial" aria-labelledby="trial">
    <h2 id="trial">${t('Try it before saving')}</h2>
    <details open=${explains.value} onToggle=${(/** @type {any} */ event) => {
      explains.value = event.currentTarget.open
    }}><summary>${t('What would become of an event?')}</summary>
      ${explains.value ? html`<${Explain} matrix=${matrix} onVerdicts=${onVerdicts} asked=${asked} />` : null}</details>
    <details open=${counts.value} onToggle=${(/** @type {any} */ event) => {
      counts.value = event.currentTarget.open
    }}><summary>${t('What would the last days have been?')}</summary>
      ${counts.value ? html`<${Backtest} matrix=${matrix} saved=${saved} />` : null}</details>
  </section>`
}
