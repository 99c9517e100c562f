import * as v from 'valibot'
import { stateNames } from '../../../../web/shared/words.js'
import { KIND_OF_PATH } from '../../../model/content.ts'
import { DELIVERY_STATES } from '../../../model/delivery.ts'
import type { DeliveryView } from '../../../warning/outbox/delivery.ts'
import type { Services } from '../../api/services.ts'
import { deliveryFilter } from '../../server/filters.ts'
import { shownDelivery } from '../../server/guest-view.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
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
import { type Reader, readerOf, severityMark } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { channelName, messageSteps, messageText, simulated, stateMark } from './delivery-parts.ts'

const TRANSPORTS = ['mt', 'mc', 'email', 'webhook', 'ntfy'] as const
const TRANSPORT_NAMES = { mt: 'Meshtastic', mc: 'MeshCore', email: 'email', webhook: 'webhook', ntfy: 'ntfy' } as const
const PER_PAGE = 50
/** As many as one download may hold. */
const PER_FILE = 500

export const deliveriesPageQuery = v.object({
  state: loose,
  transport: loose,
  since: loose,
  channel: loose,
  thread: loose,
  cursor: loose
})

type Asked = v.InferOutput<typeof deliveriesPageQuery>

/** `GET /deliveries`: every message and what became of it, newest first. Complete without a script. */
function readDeliveriesPage({ context }: Services): Handler<Asked, undefined> {
  return async ({ query, headers, identity }) => {
    await context.config.refresh()
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const asked = {
      ...query,
      state: oneOf(DELIVERY_STATES, query.state),
      transport: oneOf(TRANSPORTS, query.transport)
    }
    const since = sinceOf(asked.since, context.now())
    const filter = {
      state: asked.state,
      transport: asked.transport,
      channel: said(asked.channel),
      thread: said(asked.thread)
    }
    const cursor = cursorOf(asked.cursor)
    const found = context.deliveries.list(deliveryFilter({ ...filter, since, cursor }, PER_PAGE, reader))
    const deliveries = found.deliveries.map((view) => shownDelivery(view, reader))
    const { next } = found
    const kept = { ...filter, since: since === undefined ? undefined : asked.since }
    const isSet = Object.values(kept).some((value) => value !== undefined)
    const newest = address('/deliveries', kept)
    const body = [
      filterForm('/deliveries', fields(asked, reader), { t, isSet }),
      asked.thread === '' ? null : html`<p>${t('Only messages of one alert:')} <code>${asked.thread}</code></p>`,
      html`<p id="news" class="news" role="status" data-all="${newest}"></p>`,
      deliveries.length === 0 ? html`<p>${nothing(reader, isSet)}</p>` : table(deliveries, reader),
      pager(
        {
          newest: cursor === undefined ? null : newest,
          older: next === null ? null : address('/deliveries', { ...kept, cursor: next })
        },
        t
      ),
      deliveries.length === 0 && cursor === undefined ? null : files({ ...filter, since }, reader)
    ]
    const data = { filter, newest: cursor === undefined, ids: deliveries.map(({ id }) => id) }
    const look = { script: 'pages/deliveries/script.js', style: 'pages/events/style.css' }
    return page(context, { title: t('Messages'), path: '/deliveries', body, headers, identity, data, ...look })
  }
}

function said(text: string): string | undefined {
  return text === '' ? undefined : text
}

function nothing({ t }: Reader, isSet: boolean): Content {
  return isSet
    ? t('No message matches.')
    : html`${t('No messages yet. One arises when an event meets a cell of the matrix, a policy or a rule.')} <a href="/mesh-a/routing">${t('Meshtastic routing')}</a> · <a href="/mesh-b/routing">${t('MeshCore routing')}</a>`
}

function fields(asked: Asked | Record<keyof Asked, string | undefined>, { t }: Reader): Content {
  const states = stateNames(t)
  return [
    choice({
      name: 'state',
      label: t('State'),
      chosen: asked.state ?? '',
      any: t('all'),
      options: DELIVERY_STATES.map((state) => [state, states[state]])
    }),
    choice({
      name: 'transport',
      label: t('Network'),
      chosen: asked.transport ?? '',
      any: t('all'),
      options: TRANSPORTS.map((transport) => [transport, TRANSPORT_NAMES[transport]])
    }),
    words({ name: 'channel', label: t('Channel'), value: asked.channel ?? '' }),
    sinceChoice(asked.since, t),
    asked.thread === '' ? null : html`<input type="hidden" name="thread" value="${asked.thread ?? ''}">`
  ]
}

function table(deliveries: readonly DeliveryView[], reader: Reader): Html {
  const { t } = reader
  const heads = [t('Time'), t('Alert'), t('Channel'), t('State'), t('Text')]
  const rows = deliveries.map((delivery) => row(delivery, reader))
  return logTable({ caption: t('Messages, newest first'), heads, rows })
}

function row(delivery: DeliveryView, reader: Reader): Html {
  const { context, language } = reader
  return html`<tr role="row" id="d${delivery.id}">
<td role="cell" class="at short">${agoTime(context, Date.parse(delivery.sent_at ?? delivery.created_at), language)}</td>
<td role="cell">${about(delivery, reader)}</td>
<th role="rowheader" scope="row" class="short">${channelName(reader, delivery)} ${simulated(delivery, reader)}</th>
<td role="cell" class="short">${stateMark(delivery, reader)}</td>
<td role="cell" class="text">${messageText(delivery, reader)}${messageSteps(delivery, reader)}</td></tr>
`
}

/** The subject: the alert with its code, or what kind of text it is when it is none. */
function about(delivery: DeliveryView, reader: Reader): Html {
  const { t } = reader
  const kind = KIND_OF_PATH[delivery.path]
  switch (kind) {
    case 'alert':
    case 'end':
    case 'digest':
      return alertOf(delivery, reader)
    case 'reply':
      return html`<span class="quiet">${t('answer to a person')}</span>`
    case 'broadcast':
      return html`<span class="quiet">${t('scheduled broadcast')}</span>`
    case 'test':
      return html`<span class="quiet">${t('test text')}</span>`
    case 'notice':
      return html`<span class="quiet">${t('the station about itself')}</span>`
    case 'alert_packet':
      return html`<span class="quiet">${t('alert packet beside a text')}</span>`
    case 'waypoint':
      return html`<span class="quiet">${t('mark on the map')}</span>`
  }
}

function alertOf({ severity, code, event_ids: ids, regions }: DeliveryView, { t }: Reader): Html {
  const id = ids.at(-1)
  const name = code === null ? t('alert') : `#${code}`
  return html`${severityMark(severity, t)} ${id === undefined ? name : html`<a class="code" href="${eventPath({ id })}">${name}</a>`}${regions.length === 0 ? null : html` <small>${regions.join(', ')}</small>`}`
}

function files({ since, ...filter }: Record<string, string | number | undefined>, { t }: Reader): Html {
  const given = {
    ...filter,
    since: since === undefined ? undefined : new Date(Number(since)).toISOString(),
    limit: PER_FILE
  }
  const link = (format: string, name: string): Html =>
    html`<a class="button" download href="${address('/api/deliveries', { ...given, format })}">${name}</a>`
  return html`<p class="files noprint">${t('Download the newest {count} of these:', { count: PER_FILE })} ${link('csv', 'CSV')} ${link('jsonl', 'JSON Lines')} <a class="button" href="/comms-log">${t('Communications log')}</a></p>`
}

export const deliveriesPage = (services: Services): Route =>
  get('/deliveries', {
    about: 'Every message and what became of it, with filters, receipts, steps, and links to CSV and JSON Lines.',
    query: deliveriesPageQuery,
    shared: true,
    handle: readDeliveriesPage(services)
  })
