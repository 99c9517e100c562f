import * as v from 'valibot'
import { severitySchema } from '../../../model/channel-schema.ts'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

/** Settings of every source of CAP alerts, whatever its network. */
export const capEntries = {
  language: v.pipe(
    v.optional(
      v.pipe(v.string(), v.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'a language is like en or fr-CA')),
      'en'
    ),
    v.description('The language read, of alerts in several: this one, else English, else the first.')
  ),
  min_severity: v.pipe(
    v.optional(severitySchema, 'routine'),
    v.description('Alerts below are left out; ends, and changes of alerts that were told, are not.')
  ),
  geocodes: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty('a code is a text'))), []),
    v.description(
      'Only alerts for one of these codes, as the network writes them: DE356, EMMA_ID:DE356, DE*. Empty: all. Alerts without codes are kept.'
    )
  ),
  senders: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty('a sender is a text'))), []),
    v.description('Only alerts of these senders: a whole name, or its end such as @met.example. Empty: all.')
  ),
  default_expires_hours: v.pipe(
    v.optional(v.pipe(v.number(), v.minValue(0.25), v.maxValue(24 * 14)), 24),
    v.description('How long an alert holds that does not say.')
  )
} as const

/** Settings for an index that only points to alerts. */
export const capDetailEntries = {
  details: v.pipe(
    v.optional(v.picklist(['never', 'when_needed', 'always']), 'when_needed'),
    v.description(
      'When the alert behind an entry is fetched: never, for what the entry alone cannot tell or place, or always. At most max_details a poll; the rest waits for the next.'
    )
  ),
  max_details: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)), 40),
    v.description('Most details fetched in one poll, gravest and newest first.')
  )
} as const

/** Settings of a source of CAP alerts. */
export const capSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('cap'),
    url: v.pipe(
      v.optional(v.union([v.literal(''), httpUrlSchema]), ''),
      v.description(
        'Address of an Atom or RSS index, of a JSON list, or of CAP alerts themselves. Ask the provider for it.'
      )
    ),
    index: v.pipe(
      v.optional(v.picklist(['auto', 'atom', 'rss', 'json', 'alerts', 'alert']), 'auto'),
      v.description('What stands there. auto: found out; anything else is refused then.')
    ),
    ...capEntries,
    ...capDetailEntries
  }),
  v.title('CAP alerts'),
  v.description(
    'Alerts of any authority that publishes the Common Alerting Protocol: Alertswiss, BOM, NAADS, MoWaS and others.'
  )
)

export type CapSettings = v.InferOutput<typeof capSourceSchema>
