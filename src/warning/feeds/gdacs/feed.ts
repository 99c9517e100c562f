import { defineFeed } from '../definition.ts'
import { gdacsSourceSchema } from './settings.ts'

export const gdacsFeed = defineFeed({
  schema: gdacsSourceSchema,
  load: async () => (await import('./gdacs.ts')).gdacsSource,
  marks: { syndication: (text) => text.includes('gdacs') }
})
