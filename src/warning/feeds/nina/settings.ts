import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { capEntries } from '../cap/settings.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

/** The systems behind the German warning service whose lists it publishes; the weather comes by MeteoAlarm. */
export const NINA_SYSTEMS = ['mowas', 'katwarn', 'biwapp', 'lhp', 'police'] as const

/** Settings of the civil protection warnings of Germany. */
export const ninaSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('nina'),
    systems: v.pipe(
      v.optional(
        v.pipe(v.array(v.picklist(NINA_SYSTEMS, `a system is one of ${NINA_SYSTEMS.join(', ')}`)), v.minLength(1)),
        ['mowas', 'katwarn', 'biwapp']
      ),
      v.description(
        'mowas: federal, states and districts. katwarn, biwapp: those of some districts. lhp: high water. police: police.'
      )
    ),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://warnung.bund.de/api31'),
      v.description('Where the lists are: /SYSTEM/mapData.json, and the warnings /warnings/ID.json and ID.geojson.')
    ),
    max_details: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 20),
      v.description('Most warnings fetched in one poll, each by two requests; the rest waits for the next.')
    ),
    ...capEntries,
    language: v.pipe(v.optional(capEntries.language, 'de'), v.description('The language read, of warnings in several.'))
  }),
  v.title('Civil protection, Germany (NINA)'),
  v.description('Warnings of the German civil protection (MoWaS and others), as the app NINA has them.')
)

export type NinaSettings = v.InferOutput<typeof ninaSourceSchema>
