import { defineFeed } from '../definition.ts'
import { restSourceSchema } from './settings.ts'

export const restFeed = defineFeed({
  schema: restSourceSchema,
  load: async () => (await import('./rest.ts')).restSource
})
