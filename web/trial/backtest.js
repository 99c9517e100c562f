// The last days with the edited matrix, beside the saved one.
import { get, send } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { Problem, refusalOf } from '../log/problem.js'
import { html, useEffect, useId, useRef, useSignal } from '../vendor/ui.js'
import { Comparison } from './comparison.js'

const PATH = '/api/notifications/region-routing/backtest'
const DAY_MS = 86_400_000

/** @typedef {import('../../src/warning/routing/settings.ts').RegionRoutes} RegionRoutes */
/** @typedef {import('../../src/warning/routing/backtest.ts').BacktestReport} BacktestReport */
/** @typedef {{ edited: BacktestReport, saved: BacktestReport, radios: import('../../src/dashboard/server/said-status.ts').SaidRadio[] }} Found */

/** @param {{ matrix: () => RegionRoutes, saved: () => RegionRoutes }} props */
export function Backtest({ matrix, saved }) {
  const days = useSignal('7')
  const step = useSignal('')
  const found = useSignal(/** @type {Found | null} */ (null))
  const refusal = useSignal(/** @type {import('../log/problem.js').Refusal | null} */ (null))
  const running = useRef(/** @type {AbortController | null} */ (null))
  const id = useId()
  useEffect(() => () => running.current?.abort(), [])

  const run = async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    refusal.value = null
    found.value = null
    try {
      found.value = await compare({ edited: matrix(), saved: saved() }, Number(days.peek()), {
        signal: controller.signal,
        tell: (text) => {
          step.value = text
        }
      })
    } catch (error) {
      if (!controller.signal.aborted) refusal.value = refusalOf(error)
    } finally {
      if (running.current === controller) {
        running.current = null
        step.value = ''
      }
    }
  }
  const cancel = () => {
    running.current?.abort()
    running.current = null
    step.value = ''
  }
  return html`<div class="trial-backtest">
    <form class="trial-form" onSubmit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault()
      void run()
    }}>
      <p><label for=${id}>${t('How far back')}</label><select id=${id} value=${days.value} onChange=${(
        /** @type {any} */ event
      ) => {
        days.value = event.currentTarget.value
      }}><option value="1">${t('the last day')}</option><option value="3">${t('the last 3 days')}</option><option value="7">${t('the last 7 days')}</option></select></p>
      <p class="go">${
        step.value === ''
          ? html`<button key="count" class="primary">${t('Count')}</button>`
          : html`<button key="cancel" type="button" onClick=${cancel}>${t('Cancel')}</button>`
      }</p></form>
    <p class="quiet">${t('Every event of these days is run through the matrix as it is edited, and through the saved one. Nothing is sent.')}</p>
    <div role="status">${step.value === '' ? null : html`<p>${step.value}</p><progress aria-label=${t('Counting')}></progress>`}</div>
    <${Problem} refusal=${refusal.value} />
    ${found.value === null ? null : html`<${Comparison} ...${found.value} />`}</div>`
}

/**
 * Asks for both, one after the other: the board has other things to do as well.
 * @param {{ edited: RegionRoutes, saved: RegionRoutes }} matrices
 * @param {number} days
 * @param {{ signal: AbortSignal, tell: (text: string) => void }} options
 * @returns {Promise<Found>}
 */
async function compare({ edited, saved }, days, { signal, tell }) {
  const now = Date.now()
  const span = { since: new Date(now - days * DAY_MS).toISOString(), until: new Date(now).toISOString() }
  /** @param {RegionRoutes} matrix @returns {Promise<BacktestReport>} */
  const count = async (matrix) => (await send(PATH, { matrix, ...span }, { signal })).body
  tell(t('Counting with the edited matrix (1 of 2) …'))
  const first = await count(edited)
  tell(t('Counting with the saved matrix (2 of 2) …'))
  const second = JSON.stringify(edited) === JSON.stringify(saved) ? first : await count(saved)
  const { body } = await get('/api/radios')
  return { edited: first, saved: second, radios: body.radios }
}
