import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { polledEntries } from '../common-settings.ts'

/** Settings of the GDACS source. */
export const gdacsSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('gdacs'),
    url: v.pipe(
      v.optional(v.pipe(v.string(), v.url('url is a web address')), 'https://www.gdacs.org/xml/rss.xml'),
      v.description('The RSS feed: rss.xml (current events), rss_24h.xml or rss_7d.xml.')
    ),
    green: v.pipe(
      v.optional(v.boolean(), false),
      v.description('Green alerts too: minor events, most of them earthquakes nobody was hurt in. Routine.')
    ),
    droughts: v.pipe(
      v.optional(v.boolean(), false),
      v.description('Droughts too: they go on for months and nobody acts on a message about one.')
    )
  }),
  v.title('GDACS disaster alerts')
)

export type GdacsSettings = v.InferOutput<typeof gdacsSourceSchema>
