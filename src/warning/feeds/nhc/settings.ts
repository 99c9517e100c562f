import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

const reach = (usual: number) => v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2000)), usual)

/** Tropical cyclones of the US National Hurricane Center. */
export const nhcSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('nhc'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://www.nhc.noaa.gov/CurrentStorms.json'),
      v.description(
        'CurrentStorms.json (all storms), or the RSS feed of a basin, which brings headlines: index-at.xml, index-ep.xml, index-cp.xml.'
      )
    ),
    hurricane_km: v.pipe(reach(500), v.description('A hurricane concerns the regions this near to its centre.')),
    storm_km: v.pipe(reach(350), v.description('A tropical storm concerns the regions this near to its centre.')),
    depression_km: v.pipe(
      reach(200),
      v.description('A depression, or what is left of a storm, concerns the regions this near to its centre.')
    )
  }),
  v.title('Tropical cyclones (NHC)'),
  v.description('Hurricanes and tropical storms of the Atlantic and the eastern and central Pacific.')
)

export type NhcSettings = v.InferOutput<typeof nhcSourceSchema>
