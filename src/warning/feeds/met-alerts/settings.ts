import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

/** Weather alerts as GeoJSON with the terms of CAP in their properties: MET Norway, Environment and Climate Change Canada. */
export const metAlertsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('met_alerts'),
    provider: v.pipe(
      v.optional(v.picklist(['met_norway', 'eccc'], 'a provider is met_norway or eccc'), 'met_norway'),
      v.description('Whose alerts: MET Norway, or Environment and Climate Change Canada.')
    ),
    url: v.pipe(
      v.exactOptional(httpUrlSchema),
      v.description('Another address with alerts in this form, or the same one narrowed down, such as by bbox.')
    ),
    language: v.pipe(
      v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{2}$/, 'a language has two letters')), 'en'),
      v.description('Language of the texts, where there is a choice.')
    )
  }),
  v.title('Weather alerts (MET Norway, Canada)'),
  v.description('Weather alerts of Norway or Canada, as GeoJSON.')
)

export type MetAlertsSettings = v.InferOutput<typeof metAlertsSourceSchema>
