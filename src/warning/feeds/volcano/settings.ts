import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

/** Notices of volcano observatories. */
export const volcanoSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('volcano'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://volcanoes.usgs.gov/hans-public/api/volcano/getCapElevated'),
      v.description(
        'JSON of the USGS (HANS), GeoNet’s alert levels (https://api.geonet.org.nz/volcano/val), or a page of VONA notices as text.'
      )
    ),
    radius_km: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), 50),
      v.description('A volcano concerns the regions this near to it; ash goes further with the wind.')
    )
  }),
  v.title('Volcanoes (USGS, GeoNet, VONA)'),
  v.description('Alert levels and aviation colour codes of volcano observatories.')
)

export type VolcanoSettings = v.InferOutput<typeof volcanoSourceSchema>
