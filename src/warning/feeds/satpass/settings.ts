import * as v from 'valibot'
import { forEverybody } from '../../../platform/config/for-everybody.ts'
import { looseObject } from '../../../platform/config/object.ts'
import { commonEntries, httpUrlSchema } from '../common-settings.ts'

const finite = v.pipe(v.number('must be a number'), v.finite('must be a finite number'))
const elevation = v.pipe(
  finite,
  v.minValue(0, 'an elevation is between 0 and 89 degrees'),
  v.maxValue(89, 'an elevation is between 0 and 89 degrees')
)
const minutes = v.pipe(finite, v.minValue(0, 'minutes are 0 to 120'), v.maxValue(120, 'minutes are 0 to 120'))

export const observerSchema = v.pipe(
  looseObject({
    name: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('an observer has a name'),
      v.maxLength(80),
      v.description('The region its passes belong to: the name of a coverage area, as spelled there.'),
      forEverybody()
    ),
    lat: v.pipe(
      finite,
      v.minValue(-90, 'latitude must be between -90 and 90'),
      v.maxValue(90, 'latitude must be between -90 and 90'),
      v.description('Degrees north.')
    ),
    lon: v.pipe(finite, v.description('Degrees east.')),
    elevation_m: v.pipe(
      v.optional(v.pipe(finite, v.minValue(-500), v.maxValue(9000)), 0),
      v.description('Metres above sea level.')
    ),
    min_elevation: v.pipe(
      v.exactOptional(elevation),
      v.description('Degrees; takes the place of the one of the source.')
    )
  }),
  v.title('Observer')
)

/** Settings of the satellite passes: worked out here, from orbital elements fetched once or twice a day. */
export const satpassSourceSchema = v.pipe(
  looseObject({
    ...commonEntries('satpass'),
    observers: v.pipe(
      v.optional(v.pipe(v.array(observerSchema), v.maxLength(20, 'at most 20 observers')), []),
      v.check((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names of observers must differ'),
      v.description('Whom passes are worked out for. Without one there are none.')
    ),
    satellites: v.pipe(
      v.optional(
        v.array(
          v.union(
            [v.pipe(v.string(), v.trim(), v.nonEmpty()), v.pipe(v.number(), v.integer(), v.minValue(1))],
            'a satellite is a name or a catalogue number'
          )
        ),
        []
      ),
      v.description('Names or catalogue numbers, at most 50. Empty: the first 50 of the listing.')
    ),
    group: v.pipe(
      v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,40}$/, 'a group is a name such as amateur')), 'amateur'),
      v.description('Group of CelesTrak: amateur, stations, weather, noaa …')
    ),
    url: v.pipe(
      v.exactOptional(httpUrlSchema),
      v.description('Elements from elsewhere: TLE, or OMM as JSON or CSV. Takes the place of the group.')
    ),
    file: v.pipe(
      v.exactOptional(v.pipe(v.string(), v.trim(), v.nonEmpty('a file has a path'))),
      v.description(
        'A file of elements, for stations without the internet; a relative path begins in the data folder. Takes the place of group and url.'
      )
    ),
    refresh_hours: v.pipe(
      v.optional(v.pipe(finite, v.minValue(2, 'at least 2 hours'), v.maxValue(168, 'at most 168 hours')), 12),
      v.description(
        'How often elements are downloaded. CelesTrak has new ones every 2 h at most and blocks who asks more.'
      )
    ),
    min_elevation: v.pipe(
      v.optional(elevation, 20),
      v.description('Degrees: lower passes are left out, and a pass begins and ends here.')
    ),
    announce_minutes_before: v.pipe(v.optional(minutes, 10), v.description('How long before the rise it is told.')),
    spacing_minutes: v.pipe(
      v.optional(minutes, 10),
      v.description('Of passes that rise closer together than this, an observer is told the highest.')
    ),
    max_age_days: v.pipe(
      v.optional(v.pipe(finite, v.minValue(1), v.maxValue(60)), 14),
      v.description('Older elements of a low orbit are not used; of a high one, four times as old.')
    )
  }),
  v.title('Satellite passes'),
  v.description('Rise, culmination and set of satellites over your observers, worked out here from orbital elements.')
)

export type SatpassSettings = v.InferOutput<typeof satpassSourceSchema>
export type Observer = v.InferOutput<typeof observerSchema>
