import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { bboxSchema } from '../../coverage/settings.ts'
import { polledEntries } from '../common-settings.ts'
import { fireThresholds } from '../reading/fire-thresholds.ts'

const services = 'https://services3.arcgis.com/T4QMspbfLg3qTGWY/arcgis/rest/services'
const layer = (name: string) =>
  v.optional(v.pipe(v.string(), v.url('the address of a layer')), `${services}/${name}/FeatureServer/0`)

/** Settings of the wildfire source of the United States. */
export const wfigsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('wfigs'),
    states: v.pipe(
      v.optional(
        v.array(v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^(?:US-)?[A-Z]{2}$/, 'a state is two letters'))),
        []
      ),
      v.description('States to ask for, such as ID. Default: those of the coverage codes.')
    ),
    bbox: v.pipe(
      v.exactOptional(bboxSchema),
      v.description('Where to look, [west, south, east, north]. Default: a box around the coverage areas.')
    ),
    incidents_url: v.pipe(layer('WFIGS_Incident_Locations_Current'), v.description('Layer of the incident locations.')),
    perimeters_url: v.pipe(
      layer('WFIGS_Interagency_Perimeters_Current'),
      v.description('Layer of the perimeters, joined with the locations.')
    ),
    prescribed: v.pipe(v.optional(v.boolean(), true), v.description('Prescribed burns too, as routine.')),
    ...fireThresholds('acres', { floor: 10, growth: 1000, priority: 100, critical: 1000 }),
    critical_below_contained: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 50),
      v.description('… and only while less than this per cent of its edge is contained.')
    ),
    gone_hours: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(1, 'at least an hour'), v.maxValue(720, 'at most 30 days')), 48),
      v.description('A fire that has not been listed for this long is over.')
    )
  }),
  v.title('Wildfires of the United States (WFIGS)')
)

export type WfigsSettings = v.InferOutput<typeof wfigsSourceSchema>
