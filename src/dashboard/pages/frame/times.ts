import { ago, isTime, timeText } from '../../../../web/shared/times.js'
import type { Language } from '../../../model/words/languages.ts'
import type { HttpContext } from '../../server/context.ts'
import { type Html, html } from './html.ts'

type Shown = Pick<HttpContext, 'shownConfig'>

/** A moment in the station's own time zone, machine-readable beside it. Epoch milliseconds. */
export function pageTime(context: Shown, ms: number, language: Language = 'en'): Html {
  const words = timeText(ms, clockSettings(context), language, 'full')
  return html`<time datetime="${new Date(ms).toISOString()}">${words}</time>`
}

/** The time of day alone. */
export function dayTime(context: Shown, ms: number, language: Language): string {
  return timeText(ms, clockSettings(context), language, 'clock')
}

/**
 * A moment both ways: by the clock of the station (with the day unless it is today) and how long ago. Scripts keep the
 * second half true (`keepAgo` in web/lib/time.js). Without a clock that was set nobody knows how long ago it was.
 */
export function agoTime(context: Shown & Pick<HttpContext, 'now'>, ms: number, language: Language = 'en'): Html {
  const now = context.now()
  const station = clockSettings(context)
  const day = (of: number): string => timeText(of, station, language, 'day')
  const clock = timeText(ms, station, language, day(ms) === day(now) ? 'clock' : 'short')
  const iso = new Date(ms).toISOString()
  if (!isTime(ms) || !isTime(now)) return html`<time datetime="${iso}">${clock}</time>`
  return html`<time datetime="${iso}">${clock}</time> <small>(<time datetime="${iso}" data-ago>${ago(ms, now, language)}</time>)</small>`
}

function clockSettings({ shownConfig }: Shown): { zone: string; clock: string } {
  const { timezone, time_format } = shownConfig().station
  return { zone: timezone, clock: time_format }
}
