import * as v from 'valibot'
import { severitySchema } from '../../model/channel-schema.ts'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { record, strictObject } from '../../platform/config/object.ts'

/** Names of sources stand in events, deliveries, the ledger and addresses of the API. */
export const sourceNameSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'the name of a source is 1-32 lower-case letters, digits, - or _'),
  forEverybody()
)

export const overrideSchema = v.pipe(
  strictObject({
    off: v.pipe(v.exactOptional(v.boolean()), v.description('True: such events are skipped.')),
    severity: v.pipe(v.exactOptional(severitySchema), v.description('Takes the place of the level the source gives.')),
    family: v.pipe(
      v.exactOptional(v.string()),
      v.description('Takes the place of the family: another row of the matrix.'),
      forEverybody()
    )
  }),
  v.title('Override')
)

export const overridesSchema = v.pipe(
  v.optional(
    record(v.pipe(v.string(), v.trim(), v.nonEmpty('an override names an event'), forEverybody()), overrideSchema),
    {}
  ),
  v.description('Event name as the source spells it (in any case), or category → level, family or off.')
)

export const enabledSchema = v.pipe(v.optional(v.boolean(), true), v.description('False: kept, but not asked.'))

export const sourceSeconds = v.pipe(
  v.number('seconds are a number'),
  v.finite('must be a finite number'),
  v.minValue(1, 'at least 1 second'),
  v.maxValue(604_800, 'at most 7 days')
)

/** An address of HTTP or HTTPS. */
export const httpUrlSchema = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => /^https?:$/.test(protocolOf(text)), 'an address begins with https:// or http://')
)

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : ''
}

/** Settings of every source, of whatever kind. `interval_seconds` is raised to the least the provider allows. */
export function commonEntries<const Kind extends string>(kind: Kind) {
  return {
    kind: v.pipe(v.literal(kind), v.description('Which reader it gets.')),
    name: v.pipe(
      v.exactOptional(sourceNameSchema),
      v.description('Your name for it: the `source` of its events. Default: the kind.')
    ),
    enabled: enabledSchema,
    overrides: overridesSchema,
    everywhere_when_unlocated: v.pipe(
      v.exactOptional(v.boolean()),
      v.description(
        'True: weather of critical and above whose place nobody can tell goes to every region. Default: to none.'
      )
    )
  }
}

/** Further settings of every polled source. */
export function polledEntries<const Kind extends string>(kind: Kind) {
  return {
    ...commonEntries(kind),
    interval_seconds: v.pipe(
      v.exactOptional(sourceSeconds),
      v.description('How often it is asked; never more often than its provider allows.')
    ),
    stale_after_seconds: v.pipe(
      v.exactOptional(sourceSeconds),
      v.description(
        'Without a good answer for this long it counts as stale. Default: three intervals, at least 15 min.'
      )
    ),
    tell_when_stale: v.pipe(
      v.optional(v.boolean(), false),
      v.description(
        'True: that it is stale, and that it is back, may be sent (family mesh_health). False: only recorded.'
      )
    )
  }
}

/** The settings of every source, as the core sees them. */
export interface SourceSettings {
  kind: string
  name?: string
  enabled: boolean
  overrides: Record<string, { off?: boolean; severity?: v.InferOutput<typeof severitySchema>; family?: string }>
  interval_seconds?: number
  stale_after_seconds?: number
  tell_when_stale?: boolean
  everywhere_when_unlocated?: boolean
}
