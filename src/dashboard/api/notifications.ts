import * as v from 'valibot'
import { listFamilies } from '../../model/families.ts'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import type { Config } from '../../settings/schema.ts'
import { regionRoutesBodySchema } from '../../warning/routing/settings.ts'
import { knownFamilies, readMatrix, regionNames, servedMatrix, storeMatrix } from '../editing/matrix-document.ts'
import { matrixWarnings, unknownKeys } from '../editing/matrix-warnings.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { nameOf } from './acks.ts'
import { familiesAnswer, matrixAnswer, namesAnswer, savedMatrixAnswer } from './answers/station.ts'
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
    const posted = readMatrix(body)
    const ifMatch = headers['if-match']
    const config = await context.config.update(
      (raw) => storeMatrix(raw, posted, knownFamilies(context.config.current())),
      { ...(ifMatch === undefined ? {} : { ifMatch }), revisionOf: servedMatrix, by: nameOf(identity) }
    )
    const matrix = servedMatrix(config)
    const revision = revisionOf(matrix)
    const warnings = [...matrixWarnings(matrix, config), ...unknownKeys(posted)]
    return json(
      { ok: true, saved: { enabled: matrix.enabled, cells: matrix.cells }, warnings, revision },
      { headers: { ETag: `"${revision}"` } }
    )
  }
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
    about: '`{enabled, cells}`. Its revision is the `ETag`.',
    answer: matrixAnswer,
    handle: readRouting(services)
  }),
  post('/api/notifications/region-routing', {
    summary: 'Replaces the region matrix.',
    about:
      'Body: `{enabled, cells}`, both required. `If-Match` is optional. Answers `{ok, saved: {enabled, cells}, warnings: [{code, message, paths, …}], revision}`. Cells without a channel are not stored; nothing else in the configuration changes.',
    body: v.unknown(),
    documented: regionRoutesBodySchema,
    refuses: { 409: 'The configuration file is not valid', 412: 'Changed in between' },
    answer: savedMatrixAnswer,
    handle: writeRouting(services)
  })
]
