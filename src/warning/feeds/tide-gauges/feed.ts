import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { defineFeed } from '../definition.ts'

const schema = v.pipe(
  looseObject({
    ...polledEntries('tide_gauges'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://tide-gauges.example/list.json'),
      v.description('Address of the listing.')
    )
  }),
  v.title('Tide gauges'),
  v.description('Warnings of Tide gauges.')
)

/** What the program knows of the kind before one is configured. */
export const tideGaugesFeed = defineFeed({
  schema,
  load: async () => (await import('./source.ts')).tideGaugesSource,
  marks: { object: ['tide_gauges'] },
  german: { 'Tide gauges': 'Tide gauges', 'Warnings of Tide gauges.': 'Warnungen von Tide gauges.' }
})
