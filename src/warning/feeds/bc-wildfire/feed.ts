import { defineFeed } from '../definition.ts'
import { bcWildfireSourceSchema } from './settings.ts'

export const bcWildfireFeed = defineFeed({
  schema: bcWildfireSourceSchema,
  load: async () => (await import('./bc-wildfire.ts')).bcWildfireSource,
  marks: { list: ['fireNumber', 'incidentNumberLabel'] }
})
