// Times are shown both ways: how long ago, and when, local to the station.
import { language } from './i18n.js'

const STEPS = /** @type {const} */ ([
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1]
])
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/**
 * `3 min. ago`, `in 2 hr.`.
 * @param {number} ms
 * @param {number} [now]
 */
export function ago(ms, now = Date.now()) {
  const seconds = Math.round((ms - now) / 1000)
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / size), unit)
}

/**
 * Date and time in the time zone of the station, by the clock it uses, as the server writes them.
 * @param {number} ms
 */
export function when(ms) {
  const { zone = 'UTC', clock } = document.documentElement.dataset
  const hourCycle = clock === '12h' ? 'h12' : 'h23'
  const style = /** @type {const} */ ({ dateStyle: 'medium', timeStyle: 'short', hourCycle })
  return new Intl.DateTimeFormat(language, { ...style, timeZone: zone }).format(ms)
}

/** Keeps every `<time data-ago>` of the page true. */
export function keepAgo() {
  const refresh = () => {
    for (const element of document.querySelectorAll('time[data-ago]')) {
      const text = ago(Date.parse(element.getAttribute('datetime') ?? ''))
      if (element.textContent !== text) element.textContent = text
    }
  }
  refresh()
  setInterval(refresh, 10_000)
}
