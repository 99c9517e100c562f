import { defineFeed } from '../definition.ts'
import { mqttSourceSchema } from './settings.ts'

export const mqttFeed = defineFeed({
  schema: mqttSourceSchema,
  load: async () => (await import('./source.ts')).mqttSource
})
