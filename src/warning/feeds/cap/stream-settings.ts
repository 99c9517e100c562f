import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { commonEntries, httpUrlSchema } from '../common-settings.ts'
import { capEntries } from './settings.ts'

/** Settings of a stream of CAP alerts over TCP. */
export const capStreamSourceSchema = v.pipe(
  looseObject({
    ...commonEntries('cap_stream'),
    host: v.pipe(v.optional(v.pipe(v.string(), v.trim()), ''), v.description('Name or address of the server.')),
    port: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535)), 8080),
      v.description('Its port.')
    ),
    silence_seconds: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(30), v.maxValue(3600)), 180),
      v.description('After this long without a byte the connection is made anew. NAADS sends a heartbeat every minute.')
    ),
    archive_url: v.pipe(
      v.optional(v.union([v.literal(''), httpUrlSchema]), ''),
      v.description(
        'Where alerts that heartbeats name, and that did not arrive, are fetched: the archive of NAADS, which files them by day, time and identifier. Empty: they are not fetched.'
      )
    ),
    ...capEntries
  }),
  v.title('CAP alerts over TCP'),
  v.description('A server that sends CAP alerts one after the other, such as the Canadian NAADS.')
)

export type CapStreamSettings = v.InferOutput<typeof capStreamSourceSchema>
