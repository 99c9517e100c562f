import { defineFeed } from '../definition.ts'
import { avalancheCanadaSourceSchema } from './canada-settings.ts'
import { avalancheSourceSchema } from './settings.ts'

export const avalancheCanadaFeed = defineFeed({
  schema: avalancheCanadaSourceSchema,
  load: async () => (await import('./avalanche-canada.ts')).avalancheCanadaSource,
  marks: { list: ['dangerRatings'], object: ['dangerRatings'] }
})

export const avalancheFeed = defineFeed({
  schema: avalancheSourceSchema,
  load: async () => (await import('./avalanche-org.ts')).avalancheSource,
  marks: { feature: ['center_id'] }
})
