import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { because } from '../model/reason.ts'
import { parseWith } from '../platform/config/issues.ts'
import { readJson } from '../platform/config/locate.ts'
import { strictObject } from '../platform/config/object.ts'
import { AppError } from '../platform/errors.ts'
import { errorCode } from '../platform/files/atomic-file.ts'

const MIB = 1024 * 1024

const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const days = v.pipe(v.number(), v.minValue(1), v.maxValue(3650))

/** A deployment profile: which companions are expected, and how much the board can bear. Never settings of a site. */
export const profileSchema = strictObject({
  description: v.string(),
  features: v.pipe(
    strictObject({
      has_contacts: v.boolean(),
      has_landclass: v.boolean(),
      has_hillshade: v.boolean(),
      has_traffic_overlay: v.boolean(),
      has_nominatim_details: v.boolean()
    }),
    v.description('True: the companion service is expected; the dashboard links to it when its address is configured.')
  ),
  http: strictObject({
    host: v.pipe(v.string(), v.nonEmpty()),
    local_operator: v.pipe(
      v.boolean(),
      v.description(
        'True: requests from the machine itself are the operator (contract §10), unless the configuration says otherwise.'
      )
    )
  }),
  tuning: strictObject({
    heap_mb: v.pipe(count, v.minValue(64), v.description('Limit of the JavaScript heap, MiB.')),
    job_memory_mb: v.pipe(
      count,
      v.minValue(128),
      v.description('Memory of the programs that read one document (OCR, LibreOffice, converters), MiB.')
    ),
    workers: v.pipe(
      strictObject({ convert: count, extract: count, embed: count }),
      v.description('How many documents are in each step at once.')
    ),
    commit_window_ms: v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1000),
      v.description('How long events are gathered into one fsynced commit; 0 = each by itself.')
    ),
    upload_max_bytes: v.pipe(v.number(), v.integer(), v.minValue(MIB))
  }),
  subsystems: v.pipe(
    strictObject({
      knowledge: v.boolean(),
      library: v.boolean(),
      scraper: v.boolean(),
      addresses: v.boolean(),
      metrics: v.boolean()
    }),
    v.description('False: its code is never loaded.')
  ),
  retention: strictObject({ events_days: days, deliveries_days: days, trace_days: days, metrics_days: days }),
  polling: strictObject({
    interval_factor: v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(20),
      v.description('Feeds are asked this many times less often than their own interval says.')
    )
  }),
  sources: v.pipe(
    v.array(v.string()),
    v.description('Kinds of sources that are on with their defaults unless the configuration names them.')
  ),
  simulated_radios: v.pipe(
    v.boolean(),
    v.description('True: without a configured radio one simulated radio per network is made (contract §6).')
  )
})

export type Profile = { name: string } & v.InferOutput<typeof profileSchema>

/** Reads `<folder>/<name>.json`. @throws AppError `config-refused`: an unknown name, with the known ones; a broken file. */
export async function loadProfile(name: string, folder: string): Promise<Profile> {
  const known = await knownProfiles(folder)
  if (!known.includes(name)) {
    throw new AppError('config-refused', because('no_such_profile', { name, known }))
  }
  const file = join(folder, `${name}.json`)
  const json = readJson(await readFile(file, 'utf8'))
  if (!json.ok) {
    throw new AppError(
      'config-refused',
      because('json_fault_at', {
        file,
        line: String(json.place.line),
        column: String(json.place.column),
        said: json.message
      })
    )
  }
  try {
    return { name, ...parseWith(profileSchema, json.value, `the profile ${file}`) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('config-refused', error.reason, { issues: error.issues })
  }
}

/** The names there are, sorted. @throws AppError `missing` when the folder is not there. */
export async function knownProfiles(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder)
    return files
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .sort()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new AppError('missing', because('profiles_missing', { folder }), {
      cause: error
    })
  }
}
