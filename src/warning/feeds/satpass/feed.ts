import { defineFeed } from '../definition.ts'
import { satpassSourceSchema } from './settings.ts'

export const satpassFeed = defineFeed({
  schema: satpassSourceSchema,
  load: async () => (await import('./source.ts')).satpassSource
})
