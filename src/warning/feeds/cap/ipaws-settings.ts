import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { capEntries } from './settings.ts'

/** Settings of the IPAWS source. */
export const ipawsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('ipaws'),
    feed: v.pipe(
      v.optional(v.picklist(['public', 'public_non_eas', 'eas', 'nwem', 'PublicWEA']), 'public'),
      v.description(
        'Which alerts: all public ones, those not for EAS, those for EAS, civil ones, those that went to phones.'
      )
    ),
    base_url: v.pipe(
      v.optional(httpUrlSchema, 'https://apps.fema.gov/IPAWSOPEN_EAS_SERVICE/rest'),
      v.description('Where the feeds are; feed, "recent" and a time are added.')
    ),
    lookback_hours: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(0.25), v.maxValue(72)), 12),
      v.description('How far the first request, or one after a long silence, goes back.')
    ),
    ...capEntries
  }),
  v.title('IPAWS alerts'),
  v.description(
    'Alerts of the authorities of the United States, from the feed of FEMA: civil emergencies besides weather.'
  )
)

export type IpawsSettings = v.InferOutput<typeof ipawsSourceSchema>
