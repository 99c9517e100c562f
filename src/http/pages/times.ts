import type { HttpContext } from '../context.ts'
import { type Html, html } from './html.ts'

/** A moment in the station's own time zone, machine-readable beside it. Epoch milliseconds. */
export function pageTime({ shownConfig }: Pick<HttpContext, 'shownConfig'>, ms: number): Html {
  const { timezone, time_format } = shownConfig().station
  const words = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: time_format === '12h' ? 'h12' : 'h23',
    timeZoneName: 'short'
  })
  return html`<time datetime="${new Date(ms).toISOString()}">${words.format(ms)}</time>`
}
