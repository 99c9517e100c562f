import * as v from 'valibot'
import { severitySchema } from '../../../model/channel-schema.ts'
import { looseObject, strictObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

const MOST_RULES = 100

const ruleSchema = v.pipe(
  strictObject({
    words: v.pipe(
      v.string('words are a text'),
      v.trim(),
      v.nonEmpty('words must not be empty: a rule without them would fit everything'),
      v.maxLength(200),
      v.description('Stand in the title, a category or the text of the item, in any case.')
    ),
    category: v.pipe(v.exactOptional(v.string()), v.description('Category of such items; it brings family and level.')),
    severity: v.pipe(v.exactOptional(severitySchema), v.description('Level of such items.')),
    off: v.pipe(v.exactOptional(v.boolean()), v.description('True: such items are left out.')),
    ends: v.pipe(v.exactOptional(v.boolean()), v.description('True: the item says that it is over.'))
  }),
  v.title('Rule for items')
)

/** Settings of an RSS or Atom feed with places. */
export const georssSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('georss'),
    url: v.pipe(
      v.optional(v.union([v.literal(''), httpUrlSchema]), ''),
      v.description('Address of the feed: RSS 2.0, RSS 1.0 or Atom.')
    ),
    category: v.pipe(
      v.optional(v.string(), ''),
      v.description(
        'Category of its items, such as wildfire_incident. Empty: found in the title, and never above priority then.'
      )
    ),
    severity: v.pipe(
      v.exactOptional(severitySchema),
      v.description('Level of its items. Default: that of CAP elements or of the magnitude, else of the category.')
    ),
    rules: v.pipe(
      v.optional(v.pipe(v.array(ruleSchema), v.maxLength(MOST_RULES, `at most ${MOST_RULES} rules`)), []),
      v.description('What words of an item mean. Category and level each come from the first rule that names one.')
    ),
    language: v.pipe(
      v.optional(v.string(), ''),
      v.description('Only items in this language, such as en, where an item or the feed says which. Empty: all.')
    ),
    radius_km: v.pipe(
      v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2000)), 0),
      v.description('An item that gives only a point concerns every region this far around it. 0: the one it lies in.')
    ),
    ends_when_gone: v.pipe(
      v.optional(v.boolean(), false),
      v.description(
        'True: the feed lists what goes on; missing from two listings in a row it is over. False: it lists news, and what is gone is only old.'
      )
    ),
    attribution: v.pipe(
      v.optional(v.pipe(v.string(), v.trim(), v.maxLength(60)), ''),
      v.description('Who says so, short, at the end of a message. Default: the title of the feed.')
    )
  }),
  v.title('RSS and Atom with places (GeoRSS)'),
  v.description('Items of any RSS or Atom feed that say where they are: fire services, seismologists, observatories.')
)

export type GeorssSettings = v.InferOutput<typeof georssSourceSchema>
export type GeorssRule = v.InferOutput<typeof ruleSchema>
