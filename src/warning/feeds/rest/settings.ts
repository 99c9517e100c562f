import * as v from 'valibot'
import { looseObject, record } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { mappingEntry } from '../reading/mapping-settings.ts'

const headerName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,60}$/, 'a header is letters, digits and -'))
const headerValue = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.regex(/^[\t\x20-\x7e]*$/, 'a header is plain text on one line')
)

/** Settings of any web service that answers with JSON. */
export const restSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('rest'),
    url: v.pipe(httpUrlSchema, v.description('Asked with GET; answers JSON or GeoJSON.')),
    headers: v.pipe(
      v.optional(record(headerName, headerValue), {}),
      v.description('Sent along; put secrets into token instead.')
    ),
    token: v.pipe(v.optional(headerValue, ''), v.description('Secret of the service, sent as token_header says.')),
    token_header: v.pipe(
      v.optional(headerName, 'Authorization'),
      v.description('Header of the token. In Authorization it becomes a bearer token, elsewhere it is sent as it is.')
    ),
    mapping: mappingEntry
  }),
  v.title('JSON of a web service'),
  v.description('Events from any JSON or GeoJSON address, mapped by your configuration.')
)

export type RestSettings = v.InferOutput<typeof restSourceSchema>
