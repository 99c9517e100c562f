import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { polledEntries } from '../common-settings.ts'

const scaleLevel = v.pipe(
  v.number('a level is a number'),
  v.integer('a level is 1 to 5'),
  v.minValue(1, 'a level is 1 to 5'),
  v.maxValue(5, 'a level is 1 to 5')
)

/** Settings of the NOAA space weather source. */
export const swpcSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('swpc'),
    base_url: v.pipe(
      v.optional(v.pipe(v.string(), v.url('base_url is a web address')), 'https://services.swpc.noaa.gov'),
      v.description('Server of the products; change it for a mirror.')
    ),
    min_scale: v.pipe(
      v.optional(scaleLevel, 1),
      v.description('Observed storms and warnings below this level of the NOAA scales (R, S, G 1-5) are skipped.')
    ),
    hold_minutes: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(0, 'minutes are not negative'), v.maxValue(1440, 'at most a day')), 180),
      v.description(
        'A storm counts as weaker, or as over, only when it has been so for this long; a radio blackout, which comes with each flare, after a sixth of it.'
      )
    ),
    extreme_is_immediate: v.pipe(
      v.optional(v.boolean(), false),
      v.description('Level 5 (G5, S5, R5) is immediate, not critical: it wakes people up.')
    ),
    forecasts: v.pipe(
      v.optional(v.boolean(), true),
      v.description('Warnings and watches (what is expected), besides what is observed.')
    ),
    minor_products: v.pipe(
      v.optional(v.boolean(), false),
      v.description(
        'Radio bursts, sudden impulses and electron flux too: they have no NOAA scale and count as routine.'
      )
    )
  }),
  v.title('NOAA space weather (SWPC)')
)

export type SwpcSettings = v.InferOutput<typeof swpcSourceSchema>
