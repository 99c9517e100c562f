import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

const magnitude = v.pipe(v.number('a magnitude is a number'), v.minValue(-2), v.maxValue(10))

/** Earthquakes of the US Geological Survey, worldwide: the summary listings of earthquake.usgs.gov. */
export const usgsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('usgs'),
    feed: v.pipe(
      v.optional(
        v.pipe(
          v.string(),
          v.regex(
            /^(?:all|1\.0|2\.5|4\.5|significant)_(?:hour|day|week|month)$/,
            'a feed is all, 1.0, 2.5, 4.5 or significant, then _hour, _day, _week or _month'
          )
        ),
        '2.5_day'
      ),
      v.description('Which listing: least magnitude and window, such as `2.5_day` or `all_hour`.')
    ),
    floor: v.pipe(v.optional(magnitude, 2.5), v.description('Weaker earthquakes are skipped. Magnitude.')),
    circle_from: v.pipe(
      v.optional(v.nullable(magnitude), 4.5),
      v.description(
        'From this magnitude on an earthquake touches every region within strong shaking, not only the one it lies in. null = never.'
      )
    ),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary'),
      v.description('Folder of the listings.')
    )
  }),
  v.title('USGS earthquakes'),
  v.description('Earthquakes worldwide, by the US Geological Survey.')
)

export type UsgsSettings = v.InferOutput<typeof usgsSourceSchema>
