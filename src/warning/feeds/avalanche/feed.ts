import { defineFeed } from '../definition.ts'
import { avalancheCanadaSourceSchema } from './canada-settings.ts'
import { avalancheSourceSchema } from './settings.ts'

export const avalancheCanadaFeed = defineFeed({
  schema: avalancheCanadaSourceSchema,
  load: async () => (await import('./avalanche-canada.ts')).avalancheCanadaSource,
  firstSteps: {
    title: 'Avalanche danger, Canada',
    hint: 'Bulletins by zone, in the winter.',
    countries: ['CA'],
    ticked: { in: [] }
  },
  german: {
    'Avalanche danger, Canada': 'Lawinengefahr, Kanada',
    'Bulletins by zone, in the winter.': 'Lageberichte nach Zonen, im Winter.'
  },
  marks: { list: ['dangerRatings'], object: ['dangerRatings'] }
})

export const avalancheFeed = defineFeed({
  schema: avalancheSourceSchema,
  load: async () => (await import('./avalanche-org.ts')).avalancheSource,
  firstSteps: {
    title: 'Avalanche danger, United States',
    hint: 'Bulletins by zone, in the winter.',
    countries: ['US'],
    ticked: { in: [] }
  },
  german: {
    'Avalanche danger, United States': 'Lawinengefahr, USA',
    'Bulletins by zone, in the winter.': 'Lageberichte nach Zonen, im Winter.'
  },
  marks: { feature: ['center_id'] }
})
