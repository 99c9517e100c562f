import type { LookoutEvent } from '../../../model/event.ts'
import { KM_PER_MILE, type Units } from '../../../model/units.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { type Reader, shorten } from '../frame/reader.ts'
import { agoTime, pageTime } from '../frame/times.ts'

const MANY_CODES = 40

/** The source's own words. */
export function prose({ summary, body, data }: LookoutEvent, { t }: Reader): Content {
  const { detail, instruction } = data
  const paragraphs = [summary, ...(detail === undefined || detail === summary ? [] : [detail])].filter(
    (text) => text !== ''
  )
  return [
    paragraphs.map((text) => html`<p class="prose">${text}</p>`),
    instruction ? html`<p class="prose advice"><strong>${t('What to do')}:</strong> ${instruction}</p>` : null,
    body === '' || body === summary
      ? null
      : html`<details class="whole"><summary>${t('The whole text')}</summary><p class="prose">${body}</p></details>`
  ]
}

/** Names and times. */
export function factList(event: LookoutEvent, reader: Reader): Html {
  const { context, language, t } = reader
  const time = (at: string | null): Content => (at === null ? null : agoTime(context, Date.parse(at), language))
  const { data } = event
  const facts: [string, Content][] = [
    [t('Sent by its source'), time(event.sent_at)],
    [t('Begins'), event.onset === null ? null : pageTime(context, Date.parse(event.onset), language)],
    [t('Ends'), ends(event, reader)],
    [t('Event'), data.event_name ?? null],
    [t('Category'), event.category === '' ? null : event.category],
    [t('Source'), data.attribution ? html`${event.source} (${data.attribution})` : event.source],
    [t('Id'), html`<code>${event.id}</code>`],
    [t('Revision'), event.revision === '' ? null : html`<code>${event.revision}</code>`],
    [t('Thread'), html`<code>${event.thread_id}</code>`]
  ]
  return list(facts)
}

function ends({ expires, data }: LookoutEvent, { context, language, t }: Reader): Content {
  if (expires === null) return data.until_further_notice === true ? t('until further notice') : t('not told')
  const over = Date.parse(expires) <= context.now()
  return html`${agoTime(context, Date.parse(expires), language)}${over ? html` <strong>${t('over')}</strong>` : null}`
}

/** The place in words and numbers: what a map shows, for those who see none. */
export function placeList(event: LookoutEvent, { t, context }: Reader): Html {
  const { regions, lat, lon, circle, bbox, geometry, zones, same, data } = event
  const places = Array.isArray(data.places) ? data.places : []
  const facts: [string, Content][] = [
    [t('Regions'), regions.length === 0 ? html`<span class="quiet">${t('none')}</span>` : regions.join(', ')],
    [t('Places'), places.length === 0 ? null : shorten(places.join('; '), 600)],
    [t('Position'), lat === null || lon === null ? null : `${degrees(lat, 'N', 'S')} ${degrees(lon, 'E', 'W')}`],
    [
      t('Circle'),
      circle === null
        ? null
        : t('{distance} around {place}', {
            distance: radiusIn(circle.radius_km, context.shownConfig().station.units),
            place: `${degrees(circle.lat, 'N', 'S')} ${degrees(circle.lon, 'E', 'W')}`
          })
    ],
    [t('Outline'), geometry === null ? null : geometry.type],
    [t('Box'), bbox === null ? null : bbox.join(', ')],
    [t('Codes'), codes([...zones, ...same])]
  ]
  return list(facts)
}

function codes(all: readonly string[]): string | null {
  if (all.length === 0) return null
  return all.length <= MANY_CODES
    ? all.join(' ')
    : `${all.slice(0, MANY_CODES).join(' ')} … +${all.length - MANY_CODES}`
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`
}

function list(facts: readonly [string, Content][]): Html {
  const rows = facts.map(([name, value]) => (value === null ? null : html`<dt>${name}</dt><dd>${value}</dd>\n`))
  return html`<dl class="facts">${rows}</dl>`
}

/** A radius is drawn in kilometres: in miles it has a decimal where that says something. */
function radiusIn(km: number, units: Units): string {
  if (units === 'metric') return `${km} km`
  const miles = km / KM_PER_MILE
  return `${miles < 10 ? Math.round(miles * 10) / 10 : Math.round(miles)} mi`
}
