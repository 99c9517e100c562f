import { defineFeed } from '../definition.ts'
import { nhcSourceSchema } from './settings.ts'

export const nhcFeed = defineFeed({
  schema: nhcSourceSchema,
  load: async () => (await import('./nhc.ts')).nhcSource,
  marks: { object: ['activeStorms'], syndication: (text) => /<nhc:Cyclone|xmlns:nhc=/.test(text) }
})
