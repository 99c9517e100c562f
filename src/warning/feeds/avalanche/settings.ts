import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

export const leastDanger = v.pipe(
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), 3),
  v.description('Least danger that is told: 1 low, 2 moderate, 3 considerable, 4 high, 5 extreme. Warnings always are.')
)

/** The map of avalanche.org: every zone of the U.S. avalanche centres with its danger of today. */
export const avalancheSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('avalanche'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://api.avalanche.org/v2/public/products/map-layer'),
      v.description('Address of the map layer.')
    ),
    centers: v.pipe(
      v.optional(
        v.pipe(
          v.array(v.pipe(v.string(), v.trim(), v.regex(/^[A-Za-z0-9_-]{2,12}$/, 'a centre is named like SNFAC'))),
          v.maxLength(30)
        ),
        []
      ),
      v.description('Avalanche centres to ask, such as SNFAC; none = all of them.')
    ),
    min_danger: leastDanger
  }),
  v.title('Avalanche danger (avalanche.org)'),
  v.description('Avalanche danger of the US avalanche centres, zone by zone.')
)

export type AvalancheSettings = v.InferOutput<typeof avalancheSourceSchema>
