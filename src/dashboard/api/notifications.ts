import { listFamilies } from '../../model/families.ts'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import type { Config } from '../../settings/schema.ts'
import { knownFamilies, readMatrix, regionNames, servedMatrix, storeMatrix } from '../editing/matrix-document.ts'
import { matrixWarnings, unknownKeys } from '../editing/matrix-warnings.ts'
import { json } from '../server/reply.ts'
import type { Handler } from '../server/route.ts'
import type { Services } from './services.ts'

/** The configuration as it stands on disk now, so that an edit by hand is seen without a restart (contract §3). */
async function saved({ context }: Services): Promise<Config> {
  await context.config.refresh()
  return context.config.current()
}

/** `GET /api/notifications/regions`: names of the coverage areas. */
export function regions(services: Services): Handler<unknown, undefined> {
  return async () => json(regionNames(await saved(services)))
}

/** `GET /api/notifications/families`: rows of the matrix with their categories. */
export function families(services: Services): Handler<unknown, undefined> {
  return async () => json({ families: listFamilies((await saved(services)).families) })
}

/** `GET /api/notifications/region-routing`: the matrix; its revision is the ETag. */
export function readRouting(services: Services): Handler<unknown, undefined> {
  return async () => {
    const matrix = servedMatrix(await saved(services))
    return json(matrix, { headers: { ETag: `"${revisionOf(matrix)}"` } })
  }
}

/** `POST /api/notifications/region-routing`: replaces `region_routes` and nothing else (contract §4). */
export function writeRouting({ context }: Services): Handler<unknown, unknown> {
  return async ({ body, headers }) => {
    const posted = readMatrix(body)
    const ifMatch = headers['if-match']
    const config = await context.config.update(
      (raw) => storeMatrix(raw, posted, knownFamilies(context.config.current())),
      { ...(ifMatch === undefined ? {} : { ifMatch }), revisionOf: servedMatrix }
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
