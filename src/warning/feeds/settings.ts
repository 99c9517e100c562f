import * as v from 'valibot'
import { avalancheCanadaSourceSchema } from './avalanche/canada-settings.ts'
import { avalancheSourceSchema } from './avalanche/settings.ts'
import { bcWildfireSourceSchema } from './bc-wildfire/settings.ts'
import { ipawsSourceSchema } from './cap/ipaws-settings.ts'
import { meteoalarmSourceSchema } from './cap/meteoalarm-settings.ts'
import { capSourceSchema } from './cap/settings.ts'
import { capStreamSourceSchema } from './cap/stream-settings.ts'
import { firmsSourceSchema } from './firms/settings.ts'
import { folderSourceSchema } from './folder/settings.ts'
import { nwisSourceSchema } from './gauges/nwis-settings.ts'
import { nwpsSourceSchema } from './gauges/nwps-settings.ts'
import { gdacsSourceSchema } from './gdacs/settings.ts'
import { georssSourceSchema } from './georss/settings.ts'
import { jmaSourceSchema } from './jma/settings.ts'
import { meshHealthSourceSchema } from './mesh-health/settings.ts'
import { metAlertsSourceSchema } from './met-alerts/settings.ts'
import { mqttSourceSchema } from './mqtt/settings.ts'
import { natsSourceSchema } from './nats/settings.ts'
import { nhcSourceSchema } from './nhc/settings.ts'
import { nwsSourceSchema } from './nws/settings.ts'
import { nwsTextSourceSchema } from './nws-text/settings.ts'
import { restSourceSchema } from './rest/settings.ts'
import {
  carsSourceSchema,
  datex2SourceSchema,
  digitrafficSourceSchema,
  open511SourceSchema,
  wzdxSourceSchema
} from './roads/settings.ts'
import { satpassSourceSchema } from './satpass/settings.ts'
import { swpcSourceSchema } from './swpc/settings.ts'
import { usgsSourceSchema } from './usgs/settings.ts'
import { volcanoSourceSchema } from './volcano/settings.ts'
import { wfigsSourceSchema } from './wfigs/settings.ts'

/** Every kind of source there is: one line each here, and one in feeds/create.ts. */
const SCHEMAS = [
  meshHealthSourceSchema,
  nwsSourceSchema,
  nwsTextSourceSchema,
  capSourceSchema,
  capStreamSourceSchema,
  ipawsSourceSchema,
  meteoalarmSourceSchema,
  metAlertsSourceSchema,
  usgsSourceSchema,
  wfigsSourceSchema,
  bcWildfireSourceSchema,
  firmsSourceSchema,
  swpcSourceSchema,
  nwpsSourceSchema,
  nwisSourceSchema,
  avalancheSourceSchema,
  avalancheCanadaSourceSchema,
  open511SourceSchema,
  wzdxSourceSchema,
  datex2SourceSchema,
  digitrafficSourceSchema,
  carsSourceSchema,
  gdacsSourceSchema,
  georssSourceSchema,
  nhcSourceSchema,
  volcanoSourceSchema,
  jmaSourceSchema,
  satpassSourceSchema,
  restSourceSchema,
  mqttSourceSchema,
  natsSourceSchema,
  folderSourceSchema
] as const

/** A kind as it can be told without loading its reader. */
export interface KnownKind {
  kind: string
  mode: 'poll' | 'push'
  title: string
  /** One sentence. */
  about: string
}

export const KNOWN_KINDS: readonly KnownKind[] = SCHEMAS.map((schema) => ({
  kind: schema.entries.kind.literal,
  mode: 'interval_seconds' in schema.entries ? 'poll' : 'push',
  title: v.getTitle(schema) ?? schema.entries.kind.literal,
  about: v.getDescription(schema) ?? v.getTitle(schema) ?? ''
}))

const KINDS_TEXT = KNOWN_KINDS.map(({ kind }) => kind).join(', ')

export const sourceSchema = v.variant('kind', SCHEMAS, `a source names its kind: one of ${KINDS_TEXT}`)

export const sourcesSchema = v.pipe(
  v.optional(
    v.pipe(
      v.array(sourceSchema),
      v.check(
        (sources) => new Set(sources.map(sourceName)).size === sources.length,
        'names of sources must differ: give all but one of a kind a name'
      )
    ),
    []
  ),
  v.description('What is listened to. All off until named here.')
)

export type SourceConfig = v.InferOutput<typeof sourceSchema>

/** The `source` of its events: its name, else its kind. */
export function sourceName({ name, kind }: { name?: string; kind: string }): string {
  return name ?? kind
}
