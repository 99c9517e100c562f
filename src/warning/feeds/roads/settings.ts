import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

const work = v.pipe(
  v.optional(v.picklist(['off', 'closures', 'all'], 'work is off, closures or all'), 'closures'),
  v.description(
    'Planned work. off: not told. closures: only while it closes the road altogether. all: every work site, ahead of time too.'
  )
)

const address = v.pipe(v.exactOptional(httpUrlSchema), v.description('Address of the listing.'))
const attribution = (name: string) =>
  v.pipe(v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), name), v.description('Who says so, in messages.'))
const toldAttribution = v.pipe(
  v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), ''),
  v.description('Who says so, in messages. Empty: whom the events name.')
)

/** Road events in the Open511 form (DriveBC and others), and the event lists of state 511 services. */
export const open511SourceSchema = v.pipe(
  looseObject({
    ...polledEntries('open511'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://api.open511.gov.bc.ca/events?status=ACTIVE&limit=500'),
      v.description('Address of the events, with what narrows them down, such as bbox.')
    ),
    api_key: v.pipe(v.exactOptional(v.string()), v.description('Key, where the service wants one.')),
    key_parameter: v.pipe(
      v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,32}$/)), 'api_key'),
      v.description('Name of the query parameter that carries it.')
    ),
    attribution: toldAttribution,
    work
  }),
  v.title('Road events (Open511)'),
  v.description('Road closures and incidents in the Open511 form, such as DriveBC.')
)
export type Open511Settings = v.InferOutput<typeof open511SourceSchema>

/** Work zones in the Work Zone Data Exchange form, version 4 and before. */
export const wzdxSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('wzdx'),
    url: address,
    api_key: v.pipe(v.exactOptional(v.string()), v.description('Key, where the service wants one.')),
    key_parameter: v.pipe(
      v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,32}$/)), 'api_key'),
      v.description('Name of the query parameter that carries it.')
    ),
    attribution: attribution(''),
    work
  }),
  v.title('Work zones (WZDx)'),
  v.description('Work zones and road restrictions of US states, in the WZDx form.')
)
export type WzdxSettings = v.InferOutput<typeof wzdxSourceSchema>

/** A DATEX II situation publication, version 2 or 3. */
export const datex2SourceSchema = v.pipe(
  looseObject({
    ...polledEntries('datex2'),
    url: address,
    language: v.pipe(
      v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{2}$/, 'a language has two letters')), 'en'),
      v.description('Language of the texts, where there are several; else the first.')
    ),
    lon_lat: v.pipe(
      v.optional(v.boolean(), false),
      v.description('True: position lists give the longitude first, as Sweden does.')
    ),
    attribution: attribution(''),
    work
  }),
  v.title('Road situations (DATEX II)'),
  v.description('Road situations of European road authorities.')
)
export type Datex2Settings = v.InferOutput<typeof datex2SourceSchema>

/** Traffic messages of Fintraffic. */
export const digitrafficSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('digitraffic'),
    url: v.pipe(
      v.optional(
        httpUrlSchema,
        'https://tie.digitraffic.fi/api/traffic-message/v1/messages?inactiveHours=0&includeAreaGeometry=true&situationType=TRAFFIC_ANNOUNCEMENT'
      ),
      v.description('Address of the messages.')
    ),
    attribution: attribution('Fintraffic'),
    work
  }),
  v.title('Road events (Digitraffic)'),
  v.description('Traffic messages of Finland, by Fintraffic.')
)
export type DigitrafficSettings = v.InferOutput<typeof digitrafficSourceSchema>

/** Events of a CARS system (TMDD as JSON). */
export const carsSourceSchema = v.pipe(
  looseObject({ ...polledEntries('cars'), url: address, attribution: attribution('DriveBC'), work }),
  v.title('Road events (CARS)'),
  v.description('Road events and chain-up orders of a CARS system, as JSON.')
)
export type CarsSettings = v.InferOutput<typeof carsSourceSchema>
