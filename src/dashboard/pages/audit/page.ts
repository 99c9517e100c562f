import type { Reason } from '../../../model/reason.ts'
import type { AuditRecord } from '../../../platform/audit/chain.ts'
import type { JsonValue } from '../../../platform/config/json.ts'
import { changesOf } from '../../api/audit.ts'
import { auditQuery } from '../../api/query.ts'
import type { Services } from '../../api/services.ts'
import { canWrite } from '../../server/identity.ts'
import { get, type Route } from '../../server/route.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { type Reader, readerOf, shorten } from '../frame/reader.ts'
import { pageTime } from '../frame/times.ts'
import { MOST_LINES, saidPlaces } from './places.ts'

const PATH = '/audit'
/** A value of the settings may be a whole list; the API tells all of it. Characters. */
const LONGEST_VALUE = 120

/** `GET /audit`: who changed, sent, silenced and signed in; a change of settings is taken back with one press. */
export const auditPage = (services: Services): Route =>
  get(PATH, {
    about:
      'Who changed, sent, silenced and signed in, the newest first, with a button that takes a change of settings back.',
    query: auditQuery,
    handle: async ({ query: { limit, cursor }, headers, identity }) => {
      const { context } = services
      const reader = readerOf(context, { headers, identity })
      const { t } = reader
      const mayRead = canWrite(identity, context.config.current().http)
      const records = mayRead ? await context.audit?.newest(limit, cursor ?? Number.POSITIVE_INFINITY) : []
      const older = records?.length === limit ? records.at(-1)?.seq : undefined
      const body = [
        html`<p>${t('Each line is sealed with the one before: lookout verify-log finds a line that was changed, taken out or put in.')}</p>`,
        mayRead ? listed(records, reader) : signInFirst(reader),
        older === undefined || older === 1
          ? null
          : html`<p><a class="button" rel="next" href="${PATH}?cursor=${older}">${t('Older')}</a></p>`
      ]
      return page(context, {
        title: t('Who did what'),
        path: PATH,
        section: '/settings',
        body,
        headers,
        identity,
        style: 'pages/audit/style.css'
      })
    }
  })

function signInFirst({ t }: Reader): Html {
  return html`<p>${t('Only the operator sees who did what.')} <a class="button primary" href="/sign-in?back=%2Faudit">${t('Sign in')}</a></p>`
}

function listed(records: readonly AuditRecord[] | undefined, reader: Reader): Html {
  const { t } = reader
  if (records === undefined) return html`<p>${t('A preview keeps no log of this.')}</p>`
  if (records.length === 0) return html`<p>${t('Nothing yet.')}</p>`
  return html`<ol class="audit" reversed>${records.map((record) => entry(record, reader))}</ol>`
}

function entry(record: AuditRecord, { context, language, t }: Reader): Html {
  const { seq, at, by, what } = record
  const changes = changesOf(record)
  const places = changes
    .slice(0, MOST_LINES)
    .map(
      ({ pointer, before, after }) =>
        html`<li><code>${pointer}</code>: <del>${shown(before, t('not set'))}</del> → <ins>${shown(after, t('not set'))}</ins></li>`
    )
  const left = changes.length - places.length
  const rest =
    left === 0
      ? null
      : html`<li><a href="/api/audit?limit=1&cursor=${seq + 1}">${t('and {count} more', { count: left })}</a></li>`
  return html`<li id="entry-${seq}" value="${seq}"><p class="when">${pageTime(context, Date.parse(at), language)} · <strong>${by}</strong></p>
<p>${t.reason(shortened(what, t))}</p>${
    changes.length === 0
      ? null
      : html`<details><summary>${t('What was, and what is')}</summary><ul>${places}${rest}</ul></details>
<form method="post" action="${PATH}"><input type="hidden" name="seq" value="${seq}"><button type="submit">${t('Take this back')}</button></form>`
  }</li>`
}

/** Places of the settings are many where the matrix was saved: told by what they belong to. */
function shortened(what: Reason, t: Reader['t']): Reason {
  const { places } = what.params
  if (!Array.isArray(places)) return what
  const pointers = places.filter((place): place is string => typeof place === 'string' && place.startsWith('/'))
  return pointers.length === places.length
    ? { ...what, params: { ...what.params, places: saidPlaces(pointers, t) } }
    : what
}

function shown(value: JsonValue | undefined, nothing: string): string {
  if (value === undefined) return nothing
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_VALUE)
}
