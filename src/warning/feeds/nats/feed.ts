import { defineFeed } from '../definition.ts'
import { natsSourceSchema } from './settings.ts'

export const natsFeed = defineFeed({
  schema: natsSourceSchema,
  load: async () => (await import('./source.ts')).natsSource
})
