import type { HttpContext } from '../../server/context.ts'
import type { Language } from '../../words/language.ts'
import { type Html, html } from './html.ts'

type Shown = Pick<HttpContext, 'shownConfig'>

/** English as in the messages on the air; the order of day and month is that of the language. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' }
const WITH_DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const
/** Making a formatter costs more than a whole page; there are as many as languages, zones and shapes in use. */
const MOST_FORMATTERS = 50
const formatters = new Map<string, Intl.DateTimeFormat>()
const relatives = new Map<Language, Intl.RelativeTimeFormat>()

/** A moment in the station's own time zone, machine-readable beside it. Epoch milliseconds. */
export function pageTime(context: Shown, ms: number, language: Language = 'en'): Html {
  const words = formatter(context, language, 'full').format(ms)
  return html`<time datetime="${new Date(ms).toISOString()}">${words}</time>`
}

/**
 * A moment both ways: by the clock of the station (with the day unless it is today) and how long ago. Scripts keep the
 * second half true (`keepAgo` in web/lib/time.js).
 */
export function agoTime(context: Shown & Pick<HttpContext, 'now'>, ms: number, language: Language = 'en'): Html {
  const now = context.now()
  const day = formatter(context, language, 'day')
  const clock = formatter(context, language, day.format(ms) === day.format(now) ? 'clock' : 'short').format(ms)
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${clock}</time> <small>(<time datetime="${iso}" data-ago>${ago(ms, now, language)}</time>)</small>`
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1]
] as const

/** `3 min. ago`, `in 2 hr.`: as web/lib/time.js says it. */
export function ago(ms: number, now: number, language: Language): string {
  const seconds = Math.round((ms - now) / 1000)
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  let words = relatives.get(language)
  if (words === undefined) {
    words = new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto', style: 'short' })
    relatives.set(language, words)
  }
  return words.format(Math.trunc(seconds / size), unit)
}

/** `2 days, 3 hr`: the two largest units. Milliseconds. */
export function duration(ms: number, language: Language): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const at = STEPS.findIndex(([, size]) => seconds >= size)
  const parts = STEPS.slice(at < 0 ? 3 : at, (at < 0 ? 3 : at) + 2).flatMap(([unit, size], index) => {
    const above = STEPS[STEPS.findIndex(([name]) => name === unit) - 1]?.[1] ?? Number.POSITIVE_INFINITY
    const count = Math.floor((index === 0 ? seconds : seconds % above) / size)
    if (count === 0 && index > 0) return []
    return new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit, unitDisplay: 'short' }).format(count)
  })
  return parts.join(' ')
}

/** A number as the language writes it. */
export function number(value: number, language: Language, digits = 0): string {
  return value.toLocaleString(LOCALES[language], { maximumFractionDigits: digits })
}

function formatter({ shownConfig }: Shown, language: Language, shape: 'full' | 'short' | 'clock' | 'day') {
  const { timezone, time_format } = shownConfig().station
  const key = `${language} ${timezone} ${time_format} ${shape}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  if (formatters.size >= MOST_FORMATTERS) formatters.clear()
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: time_format === '12h' ? 'h12' : 'h23' } as const
  const made = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: timezone,
    ...(shape === 'day' ? { dateStyle: 'short' as const } : clock),
    ...(shape === 'full' || shape === 'short' ? WITH_DAY : {}),
    ...(shape === 'full' ? { timeZoneName: 'short' as const } : {})
  })
  formatters.set(key, made)
  return made
}
