import * as v from 'valibot'
import { avalancheSourceSchema } from './sources/avalanche.ts'
import { avalancheCanadaSourceSchema } from './sources/avalanche-canada.ts'
import { bcWildfireSourceSchema } from './sources/bc-wildfire.ts'
import { capSourceSchema } from './sources/cap.ts'
import { capStreamSourceSchema } from './sources/cap-stream.ts'
import { firmsSourceSchema } from './sources/firms.ts'
import { folderSourceSchema } from './sources/folder.ts'
import { gdacsSourceSchema } from './sources/gdacs.ts'
import { georssSourceSchema } from './sources/georss.ts'
import { ipawsSourceSchema } from './sources/ipaws.ts'
import { jmaSourceSchema } from './sources/jma.ts'
import { meshHealthSourceSchema } from './sources/mesh-health.ts'
import { metAlertsSourceSchema } from './sources/met-alerts.ts'
import { meteoalarmSourceSchema } from './sources/meteoalarm.ts'
import { mqttSourceSchema } from './sources/mqtt.ts'
import { natsSourceSchema } from './sources/nats.ts'
import { nhcSourceSchema } from './sources/nhc.ts'
import { nwisSourceSchema } from './sources/nwis.ts'
import { nwpsSourceSchema } from './sources/nwps.ts'
import { nwsSourceSchema } from './sources/nws.ts'
import { nwsTextSourceSchema } from './sources/nws-text.ts'
import { restSourceSchema } from './sources/rest.ts'
import {
  carsSourceSchema,
  datex2SourceSchema,
  digitrafficSourceSchema,
  open511SourceSchema,
  wzdxSourceSchema
} from './sources/roads.ts'
import { satpassSourceSchema } from './sources/satpass.ts'
import { swpcSourceSchema } from './sources/swpc.ts'
import { usgsSourceSchema } from './sources/usgs.ts'
import { volcanoSourceSchema } from './sources/volcano.ts'
import { wfigsSourceSchema } from './sources/wfigs.ts'

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
