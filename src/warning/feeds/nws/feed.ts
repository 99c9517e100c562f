import { defineFeed } from '../definition.ts'
import { nwsSourceSchema } from './settings.ts'

export const nwsFeed = defineFeed({
  schema: nwsSourceSchema,
  load: async () => (await import('./source.ts')).nwsSource,
  coded: true
})
