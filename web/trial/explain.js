// The fate that one event would have with the matrix as it is edited. Follows every edit while it is shown.
import { get, send } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { Problem, refusalOf } from '../log/problem.js'
import { html, useEffect, useId, useRef, useSignal, useSignalEffect } from '../vendor/ui.js'
import { Describe } from './describe.js'
import { asNew, asStored, describedEvent } from './events.js'
import { Pick } from './pick.js'
import { Result } from './result.js'
import { verdictsOf } from './words.js'

const PATH = '/api/notifications/region-routing/explain'
/** Typing is not a question. */
const PAUSE_MS = 300

/** @typedef {import('../../src/warning/routing/settings.ts').RegionRoutes} RegionRoutes */
/** @typedef {import('../../src/warning/routing/said-trace.ts').SaidExplanation} Explanation */
/** @typedef {(verdicts: Map<string, import('./words.js').Verdict> | null) => void} OnVerdicts */

/** @param {{ matrix: () => RegionRoutes, onVerdicts: OnVerdicts, asked: { id: string, source: string } | null }} props */
export function Explain({ matrix, onVerdicts, asked }) {
  const isDescribed = useSignal(false)
  const stored = useSignal(/** @type {Record<string, any> | null} */ (null))
  const described = useSignal(/** @type {import('./events.js').Description | null} */ (null))
  const anew = useSignal(true)
  const answer = useSignal(/** @type {Explanation | null} */ (null))
  const isBusy = useSignal(false)
  const refusal = useSignal(/** @type {import('../log/problem.js').Refusal | null} */ (null))
  const turn = useRef(0)
  const id = useId()

  /** @returns {Record<string, any> | null} */
  const event = () => {
    const now = Date.now()
    if (isDescribed.value) return described.value === null ? null : describedEvent(described.value, now)
    if (stored.value === null) return null
    return anew.value ? asNew(stored.value, now) : asStored(stored.value)
  }
  const forget = () => {
    turn.current++
    answer.value = null
    isBusy.value = false
    onVerdicts(null)
  }
  /** A later question wins. @param {Record<string, any>} tried @param {RegionRoutes} tried_matrix */
  const ask = async (tried, tried_matrix) => {
    const mine = ++turn.current
    isBusy.value = true
    try {
      const { body } = await send(PATH, { event: tried, matrix: tried_matrix })
      if (mine !== turn.current) return
      refusal.value = null
      answer.value = body
      onVerdicts(verdictsOf(body))
    } catch (error) {
      if (mine !== turn.current) return
      forget()
      refusal.value = refusalOf(error)
    } finally {
      if (mine === turn.current) isBusy.value = false
    }
  }
  useSignalEffect(() => {
    const [tried, now] = [event(), matrix()]
    if (tried === null) {
      forget()
      return
    }
    const timer = setTimeout(() => void ask(tried, now), PAUSE_MS)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    if (asked !== null) void load(asked, stored, refusal)
    return forget
  }, [])

  return html`<div class="trial-explain">
    <p class="choices" role="group" aria-label=${t('Which event')}>
      <button type="button" aria-pressed=${String(!isDescribed.value)} onClick=${() => {
        isDescribed.value = false
      }}>${t('A stored event')}</button>
      <button type="button" aria-pressed=${String(isDescribed.value)} onClick=${() => {
        isDescribed.value = true
      }}>${t('Describe one')}</button></p>
    ${
      isDescribed.value
        ? html`<${Describe} onDescribed=${(/** @type {import('./events.js').Description} */ given) => {
            described.value = given
          }} />`
        : html`<${Pick} chosen=${stored} />
          <p><label for=${id}><input id=${id} type="checkbox" checked=${anew.value} onChange=${(
            /** @type {any} */ change
          ) => {
            anew.value = change.currentTarget.checked
          }} /> ${t('As if it came now for the first time')}</label>
          <span class="quiet">${t('Otherwise by its age, and by what was really sent.')}</span></p>`
    }
    <p role="status" class="quiet">${isBusy.value ? t('Working it out …') : ''}</p>
    <${Problem} refusal=${refusal.value} />
    ${
      answer.value === null
        ? null
        : html`<${Result} answer=${answer.value} />
      <p><button type="button" onClick=${() => {
        stored.value = null
        described.value = null
      }}>${t('Clear')}</button></p>`
    }
  </div>`
}

/**
 * The event another page has linked to.
 * @param {{ id: string, source: string }} asked
 * @param {import('../vendor/ui.js').Signal<Record<string, any> | null>} stored
 * @param {import('../vendor/ui.js').Signal<import('../log/problem.js').Refusal | null>} refusal
 */
async function load({ id, source }, stored, refusal) {
  try {
    const { body } = await get(`/api/events/${encodeURIComponent(id)}?${new URLSearchParams({ source })}`)
    stored.value = body
  } catch (error) {
    refusal.value = refusalOf(error)
  }
}
