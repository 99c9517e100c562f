// Times, sizes and numbers as a language writes them, for server and browser.

/** English as in the messages on the air; the order of day and month is that of the language. @type {Readonly<Record<string, string>>} */
const LOCALES = { en: 'en-US', de: 'de-DE' }
/** Clocks that nobody set begin in 1970, or in 1980 those of GPS: what they show is no time. Epoch milliseconds. */
const FIRST_TIME_MS = Date.UTC(1981, 0, 1)
/** @type {Readonly<Record<string, string>>} */
const UNKNOWN = { en: 'time unknown', de: 'Zeit unbekannt' }
const WITH_DAY = /** @type {const} */ ({ weekday: 'short', day: 'numeric', month: 'short' })
/** Making a formatter costs more than a whole page; there are as many as languages, zones and shapes in use. */
const MOST_FORMATTERS = 50
/** None of the shapes tells seconds: a page that names the same minute twenty times has it written once. */
const MINUTE_MS = 60_000
const MOST_MINUTES = 200
/** @typedef {{ format: (ms: number) => string }} Clock */
/** @type {Map<string, Clock>} */
const formatters = new Map()
/** @type {Map<string, Intl.NumberFormat>} */
const numbers = new Map()
/** @type {Map<string, Intl.RelativeTimeFormat>} */
const relatives = new Map()

const STEPS = /** @type {const} */ ([
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1]
])

/** @param {string} language */
const localeOf = (language) => LOCALES[language] ?? language

/**
 * False for the moment that a clock showed before anybody set it: no hour of it may be told as one. Epoch milliseconds.
 * @param {number} ms
 */
export const isTime = (ms) => !(ms < FIRST_TIME_MS)

/** @param {string} language */
const unknownTime = (language) => UNKNOWN[language] ?? 'time unknown'

/**
 * `3 min. ago`, `in 2 hr.`, `time unknown`. Epoch milliseconds.
 * @param {number} ms
 * @param {number} now
 * @param {string} language
 */
export function ago(ms, now, language) {
  if (!isTime(ms) || !isTime(now)) return unknownTime(language)
  const seconds = Math.round((ms - now) / 1000)
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? /** @type {const} */ (['second', 1])
  let words = relatives.get(language)
  if (words === undefined) {
    words = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto', style: 'short' })
    relatives.set(language, words)
  }
  return words.format(Math.trunc(seconds / size), unit)
}

/**
 * `2 days, 3 hr`: the two largest units.
 * @param {number} ms
 * @param {string} language
 */
export function duration(ms, language) {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const at = STEPS.findIndex(([, size]) => seconds >= size)
  const parts = STEPS.slice(at < 0 ? 3 : at, (at < 0 ? 3 : at) + 2).flatMap(([unit, size], index) => {
    const above = STEPS[STEPS.findIndex(([name]) => name === unit) - 1]?.[1] ?? Number.POSITIVE_INFINITY
    const count = Math.floor((index === 0 ? seconds : seconds % above) / size)
    if (count === 0 && index > 0) return []
    return numberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count)
  })
  return parts.join(' ')
}

/**
 * A number as the language writes it.
 * @param {number} value
 * @param {string} language
 */
export function number(value, language, digits = 0) {
  return numberFormat(language, { maximumFractionDigits: digits }).format(value)
}

/**
 * @param {string} language
 * @param {Intl.NumberFormatOptions} options
 */
function numberFormat(language, options) {
  const key = `${language} ${options.unit ?? ''} ${options.maximumFractionDigits ?? ''}`
  const known = numbers.get(key)
  if (known !== undefined) return known
  if (numbers.size >= MOST_FORMATTERS) numbers.clear()
  const made = new Intl.NumberFormat(localeOf(language), options)
  numbers.set(key, made)
  return made
}

/**
 * A moment by the clock of the station, or `time unknown`: its time zone, `12h` or `24h`; with the day (`short`), the zone too (`full`), with the
 * year (`dated`), with the weekday alone, or the day alone. Epoch milliseconds.
 * @param {number} ms
 * @param {{ zone: string, clock: string }} station
 * @param {string} language
 * @param {Shape} shape
 */
export function timeText(ms, station, language, shape) {
  return isTime(ms) ? clockOf(station, language, shape).format(ms) : unknownTime(language)
}

/** @typedef {'full' | 'short' | 'dated' | 'weekday' | 'clock' | 'day'} Shape */

/**
 * @param {{ zone: string, clock: string }} station
 * @param {string} language
 * @param {Shape} shape
 * @returns {Clock}
 */
function clockOf({ zone, clock }, language, shape) {
  const key = `${language} ${zone} ${clock} ${shape}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  if (formatters.size >= MOST_FORMATTERS) formatters.clear()
  const hourCycle = clock === '12h' ? 'h12' : 'h23'
  // As the texts on the air: the clock is that of the station in every language, and a twelve-hour one has no leading zero.
  const hours = /** @type {const} */ ({ hour: clock === '12h' ? 'numeric' : '2-digit', minute: '2-digit', hourCycle })
  const shapes = /** @type {const} */ ({
    full: { ...hours, ...WITH_DAY, timeZoneName: 'short' },
    short: { ...hours, ...WITH_DAY },
    dated: { ...hours, day: 'numeric', month: 'short', year: 'numeric' },
    weekday: { ...hours, weekday: 'short' },
    clock: hours,
    day: { dateStyle: 'short' }
  })
  const made = byMinute(new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, ...shapes[shape] }))
  formatters.set(key, made)
  return made
}

/**
 * @param {Intl.DateTimeFormat} formatter
 * @returns {Clock}
 */
function byMinute(formatter) {
  /** @type {Map<number, string>} */
  const written = new Map()
  return {
    format(ms) {
      const minute = Math.floor(ms / MINUTE_MS)
      const known = written.get(minute)
      if (known !== undefined) return known
      if (written.size >= MOST_MINUTES) written.clear()
      const text = formatter.format(ms)
      written.set(minute, text)
      return text
    }
  }
}

/**
 * Bytes as people say them: `3.4 MB`, `340 MB`.
 * @param {number} bytes
 * @param {string} language
 */
export function bytesText(bytes, language) {
  const units = /** @type {const} */ (['byte', 'kilobyte', 'megabyte', 'gigabyte'])
  const power = Math.min(3, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(localeOf(language), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    // `512 bytes`: the short one of English has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 || bytes / 1000 ** power >= 100 ? 0 : 1
  }).format(bytes / 1000 ** power)
}
