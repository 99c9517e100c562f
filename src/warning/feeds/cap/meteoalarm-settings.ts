import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { capDetailEntries, capEntries } from './settings.ts'

/** Settings of the MeteoAlarm source. */
export const meteoalarmSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('meteoalarm'),
    country: v.pipe(
      v.optional(
        v.pipe(v.string(), v.regex(/^(?:[a-z]+(?:-[a-z]+)*)?$/, 'a country is written like germany or united-kingdom')),
        ''
      ),
      v.description('The country as in the addresses of MeteoAlarm: germany, united-kingdom.')
    ),
    format: v.pipe(
      v.optional(v.picklist(['atom', 'json']), 'atom'),
      v.description(
        'atom: a small index, and the alerts behind it one by one. json: all alerts at once, up to several MB.'
      )
    ),
    url: v.pipe(
      v.optional(v.union([v.literal(''), httpUrlSchema]), ''),
      v.description('Another address than that of the country.')
    ),
    ...capEntries,
    ...capDetailEntries
  }),
  v.title('MeteoAlarm warnings'),
  v.description(
    'Weather warnings of the European weather services, by country. Yellow is routine, orange priority, red critical.'
  )
)

export type MeteoalarmSettings = v.InferOutput<typeof meteoalarmSourceSchema>
