import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { bboxSchema } from '../../coverage/settings.ts'
import { polledEntries } from '../common-settings.ts'

const number = (least: number, most: number) =>
  v.pipe(
    v.number('must be a number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`)
  )

/** Settings of the satellite hotspot source. */
export const firmsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('firms'),
    map_key: v.pipe(
      v.optional(v.pipe(v.string(), v.trim()), ''),
      v.description('Key of the area API, free at firms.modaps.eosdis.nasa.gov/api/map_key. Not needed with url.')
    ),
    products: v.pipe(
      v.optional(
        v.pipe(
          v.array(v.pipe(v.string(), v.regex(/^[A-Z0-9_]{3,40}$/, 'a product is a name such as VIIRS_NOAA20_NRT'))),
          v.minLength(1, 'name at least one product')
        ),
        ['VIIRS_NOAA20_NRT', 'VIIRS_NOAA21_NRT', 'VIIRS_SNPP_NRT']
      ),
      v.description('Products of the area API, one request each.')
    ),
    bbox: v.pipe(
      v.exactOptional(bboxSchema),
      v.description('Where to look, [west, south, east, north]. Default: a box around the coverage areas.')
    ),
    days: v.pipe(
      v.optional(v.pipe(number(1, 5), v.integer()), 2),
      v.description('Days asked for. The service counts days of UTC, so that 2 are needed for the last 24 hours.')
    ),
    base_url: v.pipe(
      v.optional(v.pipe(v.string(), v.url('base_url is a web address')), 'https://firms.modaps.eosdis.nasa.gov'),
      v.description('Server of the area API; change it for a mirror.')
    ),
    url: v.pipe(
      v.exactOptional(v.pipe(v.string(), v.url('url is a web address'))),
      v.description('One of the CSV files for a whole region that need no key, in place of the area API.')
    ),
    min_confidence: v.pipe(
      v.optional(number(0, 100), 60),
      v.description('MODIS pixels below this confidence are left out, per cent. VIIRS: nominal and high count.')
    ),
    cluster_km: v.pipe(
      v.optional(number(0.1, 20), 1.5),
      v.description('Pixels no farther apart than this belong together.')
    ),
    cluster_hours: v.pipe(v.optional(number(1, 120), 24), v.description('… and no farther apart in time.')),
    min_pixels: v.pipe(
      v.optional(v.pipe(number(1, 1000), v.integer()), 3),
      v.description('A cluster is told from this many pixels on, or from min_frp_mw.')
    ),
    min_frp_mw: v.pipe(
      v.optional(number(0, 100_000), 50),
      v.description('Fire radiative power of the whole cluster, megawatts, from which on it is told.')
    ),
    priority_frp_mw: v.pipe(
      v.optional(number(0, 100_000), 200),
      v.description('Inside a named region a cluster is priority from this power on; elsewhere it is routine.')
    ),
    known_fire_km: v.pipe(
      v.optional(number(0, 50), 1),
      v.description('Pixels inside a known fire, or this near to it, are no news.')
    )
  }),
  v.title('Satellite hotspots (NASA FIRMS)')
)

export type FirmsSettings = v.InferOutput<typeof firmsSourceSchema>
