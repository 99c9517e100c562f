import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { polledEntries } from '../common-settings.ts'
import { fireThresholds } from '../reading/fire-thresholds.ts'

/** Settings of the wildfire source of British Columbia. */
export const bcWildfireSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('bc_wildfire'),
    url: v.pipe(
      v.optional(
        v.pipe(v.string(), v.url('url is a web address')),
        'https://wildfiresituation-api.nrs.gov.bc.ca/publicPublishedIncident'
      ),
      v.description('List of the published incidents.')
    ),
    ...fireThresholds('hectares', { floor: 4, growth: 400, priority: 40, critical: 400 }),
    gone_hours: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(1, 'at least an hour'), v.maxValue(720, 'at most 30 days')), 48),
      v.description('A fire that has not been listed for this long is over.')
    )
  }),
  v.title('Wildfires of British Columbia')
)

export type BcWildfireSettings = v.InferOutput<typeof bcWildfireSourceSchema>
