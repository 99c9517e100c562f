import * as v from 'valibot'
import { parseDuration } from '../../../platform/clock/duration.ts'
import type { Translate } from '../../words/language.ts'
import { type Content, type Html, html } from './html.ts'

/** Filters of the pages of events and messages: plain GET forms. What cannot be meant filters nothing. */

/** The spans of time that the forms offer; any other duration of the same shape is taken too. */
const SPANS = ['1h', '6h', '1d', '7d'] as const

const spanNames = (t: Translate): Readonly<Record<(typeof SPANS)[number], string>> => ({
  '1h': t('the last hour'),
  '6h': t('the last 6 hours'),
  '1d': t('the last day'),
  '7d': t('the last 7 days')
})

/** A parameter of a page: clipped, never refused. */
export const loose = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text.trim().slice(0, 256))
  ),
  ''
)

/** `since` of a page as a moment, epoch milliseconds; undefined when it says nothing. */
export function sinceOf(text: string, now: number): number | undefined {
  const span = parseDuration(text)
  return span === null ? undefined : now - span
}

/** The cursor of a page; undefined when it says nothing. */
export function cursorOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** The value when it is one of those offered, else undefined. */
export function oneOf<Value extends string>(values: readonly Value[], text: string): Value | undefined {
  return values.find((value) => value === text)
}

/** An address with the parameters that say something. */
export function address(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}

export interface Choice {
  name: string
  label: string
  chosen: string
  /** The name of the choice of everything. */
  any: string
  options: readonly (readonly [string, string])[]
}

/** One labelled choice. */
export function choice({ name, label, chosen, any, options }: Choice): Html {
  const items = [['', any] as const, ...options].map(
    ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`
  )
  return html`<p><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${items}</select></p>
`
}

/** The span of time that a log is shown of. */
export function sinceChoice(chosen: string | undefined, t: Translate): Html {
  const spans = spanNames(t)
  return choice({
    name: 'since',
    label: t('Since'),
    chosen: chosen ?? '',
    any: t('the beginning'),
    options: SPANS.map((span) => [span, spans[span]])
  })
}

/** One labelled line of text. */
export function words({ name, label, value }: { name: string; label: string; value: string }): Html {
  return html`<p><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" type="search" value="${value}" maxlength="200" autocomplete="off"></p>
`
}

/** The form; on a phone it is folded away unless a filter is set. */
export function filterForm(path: string, fields: Content, { t, isSet }: { t: Translate; isSet: boolean }): Html {
  return html`<details class="filters"${isSet ? html` open` : null}><summary>${t('Filter')}</summary>
<form action="${path}" method="get" role="search" aria-label="${t('Filter')}">
${fields}<p class="go"><button class="primary">${t('Show')}</button>${isSet ? html` <a class="button" href="${path}">${t('Show all')}</a>` : null}</p>
</form></details>`
}

/** The log itself; on a phone its rows are drawn as blocks, which the roles keep a table. */
export function logTable({ caption, heads, rows }: { caption: string; heads: readonly string[]; rows: Content }): Html {
  return html`<div id="rows" class="log"><table role="table"><caption class="hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table></div>`
}

/** Newer and older pages. */
export function pager(links: { newest: string | null; older: string | null }, t: Translate): Html | null {
  const { newest, older } = links
  if (newest === null && older === null) return null
  return html`<nav class="pager" aria-label="${t('More')}">${newest === null ? null : html`<a class="button" href="${newest}">${t('To the newest')}</a>`}${older === null ? null : html`<a class="button" rel="next" href="${older}">${t('Older')}</a>`}</nav>`
}
