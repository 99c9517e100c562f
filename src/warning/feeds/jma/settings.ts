import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

/** Steps of a warning of the weather, least first. */
export const JMA_WEATHER_LEVELS = ['advisory', 'warning', 'danger', 'emergency'] as const

/** Steps of the Japanese scale of intensity (shindo), weakest first. */
export const SHINDO = ['1', '2', '3', '4', '5-', '5+', '6-', '6+', '7'] as const

/** Earthquakes, tsunamis and volcanoes by the Japan Meteorological Agency. */
export const jmaSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('jma'),
    products: v.pipe(
      v.optional(
        v.pipe(
          v.array(v.picklist(['quake', 'tsunami', 'volcano', 'weather'])),
          v.minLength(1, 'name at least one product')
        ),
        ['quake', 'tsunami', 'volcano']
      ),
      v.description('What is asked for: quake, tsunami, volcano, and weather (warnings by municipality).')
    ),
    min_intensity: v.pipe(
      v.optional(v.picklist(SHINDO), '3'),
      v.description('Earthquakes felt less anywhere are left out: 1, 2, 3, 4, 5-, 5+, 6-, 6+ or 7 (shindo).')
    ),
    weather_level: v.pipe(
      v.optional(v.picklist(JMA_WEATHER_LEVELS), 'warning'),
      v.description(
        'Warnings of the weather below this are left out: advisory, warning, danger (level 4) or emergency (level 5).'
      )
    ),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://www.jma.go.jp/bosai'),
      v.description('Folder of the disaster pages of the agency.')
    )
  }),
  v.title('Japan Meteorological Agency (JMA)'),
  v.description('Earthquakes with intensities, warnings of tsunamis, volcanoes and the weather of Japan.')
)

export type JmaSettings = v.InferOutput<typeof jmaSourceSchema>
export type Shindo = (typeof SHINDO)[number]
