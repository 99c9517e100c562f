import { defineFeed } from '../definition.ts'
import { meshHealthSourceSchema } from './settings.ts'

export const meshHealthFeed = defineFeed({
  schema: meshHealthSourceSchema
})
