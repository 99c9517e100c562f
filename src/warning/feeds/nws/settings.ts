import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

const codeList = (pattern: RegExp, message: string) =>
  v.optional(v.array(v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(pattern, message))), [])

/** Alerts of the US National Weather Service, api.weather.gov. The provider asks for a contact in the User-Agent. */
export const nwsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('nws'),
    area: v.pipe(
      codeList(/^[A-Z]{2}$/, 'an area is a state or marine area of two letters, such as ID or PZ'),
      v.description('States, and marine areas (AM, GM, PZ …), of two letters.')
    ),
    zones: v.pipe(
      codeList(/^[A-Z]{2}[CZ]\d{3}$/, 'a zone is a UGC code, such as IDZ014 or IDC013'),
      v.description('UGC codes of forecast zones and counties; asked beside `area`.')
    ),
    point: v.pipe(
      v.exactOptional(
        looseObject({
          lat: v.pipe(v.number(), v.minValue(-90), v.maxValue(90), v.description('Degrees north.')),
          lon: v.pipe(v.number(), v.minValue(-180), v.maxValue(180), v.description('Degrees east.'))
        })
      ),
      v.description('A place; asked beside `area` and `zones`.')
    ),
    url: v.pipe(v.optional(httpUrlSchema, 'https://api.weather.gov'), v.description('Where the service is.'))
  }),
  v.title('NWS alerts'),
  v.description('Warnings, watches and advisories of the US National Weather Service.')
)

export type NwsSettings = v.InferOutput<typeof nwsSourceSchema>
