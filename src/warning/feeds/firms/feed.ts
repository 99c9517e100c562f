import { defineFeed } from '../definition.ts'
import { firmsSourceSchema } from './settings.ts'

export const firmsFeed = defineFeed({
  schema: firmsSourceSchema,
  load: async () => (await import('./firms.ts')).firmsSource,
  marks: { text: (head) => head.startsWith('latitude,longitude,') }
})
