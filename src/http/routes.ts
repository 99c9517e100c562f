import * as v from 'valibot'
import { regionRoutesBodySchema } from '../config/notifications-schema.ts'
import { readAlerts } from './pages/alerts.ts'
import { readApiPage, readOpenApi } from './pages/api.ts'
import { readOverview } from './pages/overview.ts'
import { readRoutingPage } from './pages/routing.ts'
import { redirect } from './reply.ts'
import { del, get, noQuery, order, post, type Route } from './route.ts'
import { ackBody, acknowledge } from './routes/acks.ts'
import { listDeliveries } from './routes/deliveries.ts'
import { acceptEvents, eventsDocumented, listEvents, readEvent, readTrace } from './routes/events.ts'
import { readMetrics } from './routes/metrics.ts'
import { families, readRouting, regions, writeRouting } from './routes/notifications.ts'
import { deliveriesQuery, eventQuery, eventsQuery } from './routes/query.ts'
import type { Services } from './routes/services.ts'
import { addSilence, endSilence, listSilences, silenceBody } from './routes/silences.ts'
import { listSources, pollSource } from './routes/sources.ts'
import { listRadios, live, openStream, readProfile, readStatus, ready } from './routes/status.ts'
import { backtest, backtestBody, backtestDocumented, explain, explainBody, explainDocumented } from './routes/trial.ts'

const ROUTING = '/api/notifications/region-routing'
const operator = { access: 'operator', body: v.unknown(), documented: regionRoutesBodySchema } as const
const explaining = { access: 'trial', body: explainBody, documented: explainDocumented } as const
/** A week of events costs a board seconds: ten at once, then three in two seconds. */
const backtesting = { access: 'trial', cost: 6, body: backtestBody, documented: backtestDocumented } as const
const silencing = { access: 'operator', body: silenceBody } as const
const acknowledging = { access: 'operator', body: ackBody } as const
const sending = { access: 'events', body: v.unknown(), documented: eventsDocumented } as const

/** Every method and path there is. Whatever is not here has no handler (contract §11). */
export function routes(services: Services): Route[] {
  const table: Route[] = [
    get('/api/notifications/regions', 'Names of the coverage areas.', noQuery, regions(services)),
    get('/api/notifications/families', 'Families of events, with categories.', noQuery, families(services)),
    get(ROUTING, 'The region matrix.', noQuery, readRouting(services)),
    post(ROUTING, 'Replaces the region matrix.', operator, writeRouting(services)),
    post(`${ROUTING}/explain`, 'What would become of an event; nothing is sent.', explaining, explain(services)),
    post(`${ROUTING}/backtest`, 'What a matrix would have sent.', backtesting, backtest(services)),
    get('/api/events', 'Stored events, newest first.', eventsQuery, listEvents(services)),
    post('/api/events', 'Takes one event, or up to 500.', sending, acceptEvents(services)),
    get('/api/events/:id', 'One event.', eventQuery, readEvent(services)),
    get('/api/events/:id/trace', 'Why an event was sent, or not.', eventQuery, readTrace(services)),
    get('/api/deliveries', 'Messages and what became of them.', deliveriesQuery, listDeliveries(services)),
    post('/api/threads/:id/ack', 'Acknowledges an alert: nothing more follows.', acknowledging, acknowledge(services)),
    get('/api/silences', 'What is silenced at present.', noQuery, listSilences(services)),
    post('/api/silences', 'Silences a family, a region or one alert for a while.', silencing, addSilence(services)),
    del('/api/silences/:id', 'Ends a silence.', endSilence(services)),
    get('/api/radios', 'The radios.', noQuery, listRadios(services)),
    get('/api/sources', 'What is listened to, and how it is.', noQuery, listSources(services)),
    order('/api/sources/:name/poll', 'Asks a source now.', pollSource(services)),
    get('/api/status', 'How the program is.', noQuery, readStatus(services)),
    get('/api/profile', 'The deployment profile.', noQuery, readProfile(services)),
    get('/api/health', 'Whether the process answers.', noQuery, live()),
    get('/api/health/live', 'Whether the process answers.', noQuery, live()),
    get('/api/health/ready', 'Whether everything needed to warn is up.', noQuery, ready(services)),
    get('/api/stream', 'Live updates, as server-sent events.', noQuery, openStream(services)),
    get('/metrics', 'Metrics for Prometheus.', noQuery, readMetrics(services)),
    get(
      '/api/openapi.json',
      'This document.',
      noQuery,
      readOpenApi(services, () => table)
    ),
    get(
      '/docs/api',
      '',
      noQuery,
      readApiPage(services, () => table)
    ),
    get('/', '', noQuery, readOverview(services)),
    get('/alerts', '', noQuery, readAlerts(services)),
    get('/mesh-a/routing', '', noQuery, readRoutingPage(services, 'mt')),
    get('/mesh-b/routing', '', noQuery, readRoutingPage(services, 'mc')),
    get('/notifications', '', noQuery, () => redirect('/mesh-a/routing')),
    get('/notifications/routing', '', noQuery, () => redirect('/mesh-a/routing'))
  ]
  return table
}
