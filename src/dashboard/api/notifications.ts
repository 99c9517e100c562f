import * as v from 'valibot'
import { listFamilies } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import { readersTurn } from '../../platform/clock/slices.ts'
import { AppError } from '../../platform/errors.ts'
import type { Config } from '../../settings/schema.ts'
import type { CellMessage } from '../../warning/outbox/cell-week.ts'
import { regionRoutesBodySchema } from '../../warning/routing/settings.ts'
import { knownFamilies, readMatrix, regionNames, servedMatrix, storeMatrix } from '../editing/matrix-document.ts'
import { matrixWarnings, unknownKeys } from '../editing/matrix-warnings.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { nameOf } from './acks.ts'
import { cellWeekAnswer, familiesAnswer, matrixAnswer, namesAnswer, savedMatrixAnswer } from './answers/station.ts'
import type { Services } from './services.ts'

/** The configuration as it stands on disk now, so that an edit by hand is seen without a restart (contract §3). */
async function saved({ context }: Services): Promise<Config> {
  await context.config.refresh()
  return context.config.current()
}

/** `GET /api/notifications/regions`: names of the coverage areas. */
export function regions(services: Services): Handler<unknown, undefined, Told<typeof namesAnswer>> {
  return async () => json(regionNames(await saved(services)))
}

/** `GET /api/notifications/families`: rows of the matrix with their categories. */
export function families(services: Services): Handler<unknown, undefined, Told<typeof familiesAnswer>> {
  return async () => json({ families: listFamilies((await saved(services)).families) })
}

/** `GET /api/notifications/region-routing`: the matrix; its revision is the ETag. */
function readRouting(services: Services): Handler<unknown, undefined, Told<typeof matrixAnswer>> {
  return async () => {
    const matrix = servedMatrix(await saved(services))
    return json(matrix, { headers: { ETag: `"${revisionOf(matrix)}"` } })
  }
}

/** `POST /api/notifications/region-routing`: replaces `region_routes` and nothing else (contract §4). */
function writeRouting({ context }: Services): Handler<unknown, unknown, Told<typeof savedMatrixAnswer>> {
  return async ({ body, headers, identity }) => {
    const posted = readMatrix(body, context.config.current().notifications.region_routes)
    const ifMatch = headers['if-match']
    const config = await context.config.update(
      (raw) => storeMatrix(raw, posted, knownFamilies(context.config.current())),
      { ...(ifMatch === undefined ? {} : { ifMatch }), revisionOf: servedMatrix, by: nameOf(identity) }
    )
    const matrix = servedMatrix(config)
    const { enabled, mt_enabled, mc_enabled, cells } = matrix
    const revision = revisionOf(matrix)
    const warnings = [...matrixWarnings(matrix, config), ...unknownKeys(posted)]
    return json(
      { ok: true, saved: { enabled, mt_enabled, mc_enabled, cells }, warnings, revision },
      { headers: { ETag: `"${revision}"` } }
    )
  }
}

const WEEK_MS = 7 * 86_400_000

interface CellSum {
  family: string
  region: string
  messages: number
  simulated: number
  airtimeMs: number
}

/** `GET /api/notifications/region-routing/week`: the messages that left by each cell. */
function readWeek({ context }: Services): Handler<unknown, undefined, Told<typeof cellWeekAnswer>> {
  return async ({ left }) => {
    const since = context.now() - WEEK_MS
    const sums = new Map<string, CellSum>()
    const portions = context.ledger.cells.portions(since)
    for (let next = portions.next(); ; next = portions.next()) {
      if (next.done === true) return json(weekOf(since, next.value.complete, [...sums.values()]))
      for (const message of next.value) count(sums, message, context)
      await readersTurn()
      if (left()) throw new AppError('unavailable', because('client_has_left'))
    }
  }
}

/** One message that speaks of several regions counts in each of their cells, as each of them would have sent it. */
function count(sums: Map<string, CellSum>, message: CellMessage, { deliveries }: Services['context']): void {
  const { family, network, parts, simulated } = message
  const airtimeMs = simulated ? 0 : parts.reduce((sum, bytes) => sum + deliveries.airtimeMs(network, bytes), 0)
  for (const region of message.regions) {
    const key = JSON.stringify([family, region])
    const sum = sums.get(key) ?? { family, region, messages: 0, simulated: 0, airtimeMs: 0 }
    if (simulated) sum.simulated++
    else sum.messages++
    sum.airtimeMs += airtimeMs
    sums.set(key, sum)
  }
}

function weekOf(since: number, complete: boolean, sums: readonly CellSum[]): Told<typeof cellWeekAnswer> {
  const cells = sums.map(({ airtimeMs, ...cell }) => ({ ...cell, airtime_seconds: Math.round(airtimeMs / 100) / 10 }))
  return { since: new Date(since).toISOString(), complete, cells }
}

export const notificationsRoutes = (services: Services): Route[] => [
  get('/api/notifications/regions', {
    summary: 'Names of the coverage areas.',
    about:
      'A JSON array of strings: names of the coverage areas, configuration order, no duplicates, as they stand on disk now.',
    answer: namesAnswer,
    handle: regions(services)
  }),
  get('/api/notifications/families', {
    summary: 'Families of events, with categories.',
    about: '`{families: [{key, label, dynamic, categories: [{id, description, default_severity, example_message}]}]}`.',
    answer: familiesAnswer,
    handle: families(services)
  }),
  get('/api/notifications/region-routing', {
    summary: 'The region matrix.',
    about: '`{enabled, mt_enabled, mc_enabled, cells}`. Its revision is the `ETag`.',
    answer: matrixAnswer,
    handle: readRouting(services)
  }),
  get('/api/notifications/region-routing/week', {
    summary: 'Messages and airtime of each cell in the last 7 days.',
    about:
      '`{since, complete, cells: [{family, region, messages, simulated, airtime_seconds}]}`: the messages to channels that left by the matrix, each counted in every cell it spoke for, with the airtime of saying them once. What only simulated radios took is counted apart and has none. `complete` is false when only the newest 10,000 rows were counted.',
    shared: true,
    answer: cellWeekAnswer,
    handle: readWeek(services)
  }),
  post('/api/notifications/region-routing', {
    summary: 'Replaces the region matrix.',
    about:
      'Body: `{enabled, mt_enabled?, mc_enabled?, cells}`; a switch of a network that is left out stays. `If-Match` is optional. Answers `{ok, saved: {enabled, mt_enabled, mc_enabled, cells}, warnings: [{code, message, paths, …}], revision}`. Cells without a channel are not stored; nothing else in the configuration changes.',
    body: v.unknown(),
    documented: regionRoutesBodySchema,
    refuses: { 409: 'The configuration file is not valid', 412: 'Changed in between' },
    answer: savedMatrixAnswer,
    handle: writeRouting(services)
  })
]
