import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { bboxSchema } from '../../coverage/settings.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { gaugeHysteresis, gaugeMaxAge } from './nwis-settings.ts'

/** River gauges of the National Water Prediction Service, which brings the flood stages along. */
export const nwpsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('nwps'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://api.water.noaa.gov/nwps/v1/gauges'),
      v.description('Address of the list of gauges.')
    ),
    gauges: v.pipe(
      v.optional(
        v.pipe(
          v.array(v.pipe(v.string(), v.trim(), v.regex(/^[A-Za-z0-9]{3,10}$/, 'a gauge is named like HSBI1'))),
          v.maxLength(60)
        ),
        []
      ),
      v.description('Gauges by their five-character NWS name. One request each, with flood stages.')
    ),
    bbox: v.pipe(
      v.exactOptional(bboxSchema),
      v.description('West, south, east, north: all gauges in it, in one request.')
    ),
    hysteresis_ft: gaugeHysteresis,
    max_age_hours: gaugeMaxAge
  }),
  v.title('River gauges (NWPS)'),
  v.description('River gauges of the US National Water Prediction Service, with its flood stages.')
)

export type NwpsSettings = v.InferOutput<typeof nwpsSourceSchema>
