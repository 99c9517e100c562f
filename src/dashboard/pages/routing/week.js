// The overlay of the last 7 days: asked for when somebody wants to see it, and when the connection is back.
import { ApiError, get, noAnswer } from '/static/lib/api.js'
import { language, t } from '/static/lib/i18n.js'
import { keyOf } from '/static/shared/matrix-model.js'
import { signal } from '/static/vendor/ui.js'

/** @typedef {{ messages: number, simulated: number, airtime_seconds: number }} CellWeek */
/** @typedef {{ kind: 'none' } | { kind: 'loading' } | { kind: 'failed', why: string } | { kind: 'known', complete: boolean, cells: Map<string, CellWeek> }} Week */

const PATH = '/api/notifications/region-routing/week'
const NOTHING = { messages: 0, simulated: 0, airtime_seconds: 0 }

export function createWeek() {
  const week = signal(/** @type {Week} */ ({ kind: 'none' }))
  const load = async () => {
    if (week.peek().kind === 'loading') return
    week.value = { kind: 'loading' }
    try {
      const { body } = await get(PATH)
      const cells = new Map(
        body.cells.map((/** @type {CellWeek & { family: string, region: string }} */ cell) => [
          keyOf(cell.family, cell.region),
          cell
        ])
      )
      week.value = { kind: 'known', complete: body.complete, cells }
    } catch (error) {
      week.value = { kind: 'failed', why: error instanceof ApiError ? error.message : noAnswer().message }
    }
  }
  /** @param {string} key @returns {CellWeek | null} null while it is not known */
  const of = (key) => (week.value.kind === 'known' ? (week.value.cells.get(key) ?? NOTHING) : null)
  return { week, load, of }
}

/** @param {CellWeek} cell @returns {string[]} */
export function weekWords({ messages, simulated, airtime_seconds }) {
  if (messages + simulated === 0) return [t('no message')]
  const seconds = airtime_seconds.toLocaleString(language, { maximumFractionDigits: 1 })
  return [
    ...(messages === 0 ? [] : [messages === 1 ? t('1 message') : t('{count} messages', { count: messages })]),
    ...(messages === 0 ? [] : [t('{seconds} s on the air', { seconds })]),
    ...(simulated === 0 ? [] : [t('{count} simulated', { count: simulated })])
  ]
}

/** @param {Week} week */
export function weekState(week) {
  if (week.kind === 'loading') return t('Loading …')
  if (week.kind === 'failed') return week.why
  if (week.kind === 'known' && !week.complete) return t('Only the newest messages of these days are counted.')
  return ''
}
