import * as v from 'valibot'
import { SEVERITIES } from '../../model/vocabulary.ts'
import { forEverybody } from '../../platform/config/for-everybody.ts'
import { looseObject } from '../../platform/config/object.ts'

const names = v.pipe(v.optional(v.array(v.string()), []), forEverybody())
const severity = v.picklist(SEVERITIES, `a severity is one of ${SEVERITIES.join(', ')}`)

/** The events that a side of a rule speaks of; an empty list means any. */
const matcherSchema = looseObject({
  families: v.pipe(names, v.description('Families; empty = any.')),
  categories: v.pipe(names, v.description('Categories; empty = any.')),
  events: v.pipe(names, v.description('Event names as the source spells them, in any case; empty = any.')),
  min_severity: v.pipe(v.optional(severity, 'routine'), v.description('Not below this.'))
})

const ruleSchema = v.pipe(
  looseObject({
    name: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('a rule has a name'),
      v.description('Shown in traces.'),
      forEverybody()
    ),
    enabled: v.pipe(v.optional(v.boolean(), true), v.description('False: the rule is skipped.')),
    source: v.pipe(v.optional(matcherSchema, {}), v.description('What mutes: sent before and in force.')),
    target: v.pipe(v.optional(matcherSchema, {}), v.description('What is held in the same place.'))
  }),
  v.title('Inhibition rule')
)

/** A graver message mutes a lesser one about the same thing in the same region. */
export const inhibitionSchema = v.pipe(
  looseObject({
    warning_mutes_watch: v.pipe(
      v.optional(v.boolean(), true),
      v.title('A warning mutes its watch'),
      v.description(
        'Where a warning was sent, and as long as it holds, the watch and the advisory of the same name wait; they are told when it ends before them.'
      )
    ),
    rules: v.pipe(v.optional(v.array(ruleSchema), []), v.description('Rules of your own, asked in order.'))
  }),
  v.title('Inhibition')
)

export type InhibitionConfig = v.InferOutput<typeof inhibitionSchema>
export type InhibitionMatcher = v.InferOutput<typeof matcherSchema>
