import { defineFeed } from '../definition.ts'
import { folderSourceSchema } from './settings.ts'

export const folderFeed = defineFeed({
  schema: folderSourceSchema,
  load: async () => (await import('./source.ts')).folderSource
})
