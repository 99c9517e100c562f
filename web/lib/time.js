// Times are shown both ways: how long ago, and when, local to the station.
import { ago as relative, timeText } from '../shared/times.js'
import { language } from './i18n.js'

/**
 * `3 min. ago`, `in 2 hr.`.
 * @param {number} ms
 */
export function ago(ms) {
  return relative(ms, Date.now(), language)
}

/**
 * Day, year and time in the time zone of the station, by the clock it uses.
 * @param {number} ms
 */
export function when(ms) {
  const { zone = 'UTC', clock = '24h' } = document.documentElement.dataset
  return timeText(ms, { zone, clock }, language, 'dated')
}

/**
 * The time of day alone, as `when`.
 * @param {number} ms
 */
export function dayTime(ms) {
  const { zone = 'UTC', clock = '24h' } = document.documentElement.dataset
  return timeText(ms, { zone, clock }, language, 'clock')
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
