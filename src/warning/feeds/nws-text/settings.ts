import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { commonEntries } from '../common-settings.ts'

/** Settings of NWS text products. */
export const nwsTextSourceSchema = v.pipe(
  looseObject({
    ...commonEntries('nws_text'),
    input: v.pipe(
      v.optional(v.picklist(['folder', 'tcp']), 'folder'),
      v.description('folder: files that a receiver writes. tcp: a receiver that sends to whoever connects.')
    ),
    folder: v.pipe(
      v.optional(v.string(), ''),
      v.description(
        'Where the files come; relative to the data folder. They are read once, and never moved or deleted.'
      )
    ),
    scan_seconds: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(600)), 3),
      v.description('How often the folder is looked at. A file is read once it has not changed for two seconds.')
    ),
    host: v.pipe(v.optional(v.pipe(v.string(), v.trim()), ''), v.description('Name or address of the receiver.')),
    port: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535)), 1000),
      v.description('Its port.')
    ),
    silence_seconds: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(30), v.maxValue(86_400)), 900),
      v.description('After this long without a byte the connection is made anew.')
    ),
    state_watches: v.pipe(
      v.optional(v.boolean(), true),
      v.description(
        'Watches of the Storm Prediction Center (SEL), which name whole states. False: only those of the offices, which name counties.'
      )
    )
  }),
  v.title('NWS text products'),
  v.description('Warnings without the internet: files or TCP from an EMWIN, NOAAPort or weather-radio receiver.')
)

export type NwsTextSettings = v.InferOutput<typeof nwsTextSourceSchema>
