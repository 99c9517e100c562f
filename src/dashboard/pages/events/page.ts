import * as v from 'valibot'
import { decisionNames, lifecycleNames, severityNames } from '../../../../web/shared/words.js'
import { SEVERITIES } from '../../../model/severity.ts'
import type { Result } from '../../../warning/outbox/results.ts'
import type { ListedEvent } from '../../../warning/outbox/stored-event.ts'
import { DECISIONS } from '../../../warning/routing/decision.ts'
import type { Services } from '../../api/services.ts'
import { eventFilter } from '../../server/filters.ts'
import { listEventsInSlices } from '../../server/long-lists.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { familyNames } from '../frame/family-names.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { eventPath } from '../frame/links.ts'
import {
  address,
  choice,
  cursorOf,
  filterForm,
  logTable,
  loose,
  oneOf,
  pager,
  sinceChoice,
  sinceOf,
  words
} from '../frame/log-filters.ts'
import { inventedMark, type Reader, readerOf, severityMark, shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { resultMark, resultOf } from './result-words.ts'

const PER_PAGE = 50

export const eventsPageQuery = v.object({
  family: loose,
  severity: loose,
  decision: loose,
  q: loose,
  since: loose,
  cursor: loose
})

interface Asked {
  family?: string | undefined
  severity?: string | undefined
  decision?: string | undefined
  q?: string | undefined
  since?: string | undefined
}

/** `GET /events`: everything that was heard, newest first, with what became of it. Complete without a script. */
function readEventsPage({ context }: Services): Handler<v.InferOutput<typeof eventsPageQuery>, undefined> {
  return async ({ query, headers, identity, left }) => {
    await context.config.refresh()
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const labels = labelsOf(reader)
    const since = sinceOf(query.since, context.now())
    const asked: Asked = {
      family: oneOf([...labels.keys()], query.family),
      severity: oneOf(SEVERITIES, query.severity),
      decision: oneOf(DECISIONS, query.decision),
      q: query.q === '' ? undefined : query.q,
      since: since === undefined ? undefined : query.since
    }
    const cursor = cursorOf(query.cursor)
    const search = eventFilter({ ...asked, since, cursor }, PER_PAGE)
    const { rows: events, next } = await listEventsInSlices(context.ledger, search, (rows) => [...rows], left)
    const isSet = Object.values(asked).some((value) => value !== undefined)
    const newest = address('/events', { ...asked })
    const older = next === null ? null : address('/events', { ...asked, cursor: next })
    const body = [
      filterForm('/events', fields(asked, labels, reader), { t, isSet }),
      html`<p id="news" class="news" role="status" data-all="${newest}"></p>`,
      events.length === 0
        ? html`<p>${nothing(reader, { isSet, more: next !== null })}</p>`
        : table(events, labels, reader),
      pager({ newest: cursor === undefined ? null : newest, older }, t)
    ]
    const { since: _, ...filter } = asked
    const data = { filter, newest: cursor === undefined }
    const look = { script: 'pages/events/script.js', style: 'pages/events/style.css' }
    return page(context, { title: t('Events'), path: '/events', body, headers, identity, data, ...look })
  }
}

/** Names of the families, in the language of the reader. */
export function labelsOf({ context, t }: Reader): Map<string, string> {
  return familyNames(context.shownConfig().families, t)
}

function nothing({ t }: Reader, { isSet, more }: { isSet: boolean; more: boolean }): Content {
  if (more) return t('No event matches as far as was searched: go on with the older ones.')
  return isSet
    ? t('No event matches.')
    : html`${t('No events yet. They come from the sources, or from programs that post them.')} <a href="/sources">${t('Sources')}</a>`
}

function fields(asked: Asked, labels: ReadonlyMap<string, string>, { t }: Reader): Content {
  const severities = severityNames(t)
  const decisions = decisionNames(t)
  return [
    words({ name: 'q', label: t('Words'), value: asked.q ?? '' }),
    choice({
      name: 'family',
      label: t('Family'),
      chosen: asked.family ?? '',
      any: t('all'),
      options: [...labels]
    }),
    choice({
      name: 'severity',
      label: t('Severity'),
      chosen: asked.severity ?? '',
      any: t('all'),
      options: SEVERITIES.toReversed().map((severity) => [severity, severities[severity]])
    }),
    choice({
      name: 'decision',
      label: t('What became of it'),
      chosen: asked.decision ?? '',
      any: t('all'),
      options: DECISIONS.map((decision) => [decision, decisions[decision]])
    }),
    sinceChoice(asked.since, t)
  ]
}

function table(events: readonly ListedEvent[], labels: ReadonlyMap<string, string>, reader: Reader): Html {
  const { t } = reader
  const results = reader.context.ledger.results.ofEvents(events)
  const heads = [t('Time'), t('Event'), t('Regions'), t('What became of it')]
  const rows = events.map((stored) => row(stored, { labels, reader, result: resultOf(results, stored) }))
  return logTable({ caption: t('Events, newest first'), heads, rows })
}

interface Drawn {
  labels: ReadonlyMap<string, string>
  reader: Reader
  result: Result
}

function row(stored: ListedEvent, { labels, reader, result }: Drawn): Html {
  const { seq, event } = stored
  const { context, language, t } = reader
  const life = event.lifecycle === 'new' ? null : html` · ${lifecycleNames(t)[event.lifecycle]}`
  return html`<tr role="row" id="e${seq}">
<td role="cell" class="at short">${agoTime(context, Date.parse(event.received_at), language)}</td>
<th role="rowheader" scope="row" class="title">${severityMark(event.severity, t)} ${inventedMark(event)}<a href="${eventPath({ id: event.id, source: event.source, seq })}">${shorten(event.title, 160)}</a>
<small>${labels.get(event.family) ?? event.family}${life} · ${event.source}</small></th>
<td role="cell" class="short">${event.regions.length === 0 ? html`<span class="quiet">${t('no region')}</span>` : shorten(event.regions.join(', '), 160)}</td>
<td role="cell" class="short">${resultMark(stored, result, reader)}</td></tr>
`
}

export const eventsPage = (services: Services): Route =>
  get('/events', {
    about: 'Everything that was heard, newest first, with filters (a GET form) and pages.',
    query: eventsPageQuery,
    shared: true,
    handle: readEventsPage(services)
  })
