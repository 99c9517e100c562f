import { defineFeed } from '../definition.ts'
import { usgsSourceSchema } from './settings.ts'

export const usgsFeed = defineFeed({
  schema: usgsSourceSchema,
  load: async () => (await import('./source.ts')).usgsSource
})
