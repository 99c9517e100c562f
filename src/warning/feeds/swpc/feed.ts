import { defineFeed } from '../definition.ts'
import { asBag } from '../reading/json.ts'
import { swpcSourceSchema } from './settings.ts'

export const swpcFeed = defineFeed({
  schema: swpcSourceSchema,
  load: async () => (await import('./swpc.ts')).swpcSource,
  marks: {
    list: ['product_id', 'time_tag'],
    value: (value) =>
      Array.isArray(value)
        ? Array.isArray(value[0]) && value[0].includes('time_tag')
        : asBag(asBag(value)?.['0'])?.['G'] !== undefined
  },
  firstSteps: {
    title: 'Space weather (NOAA SWPC)',
    hint: 'What disturbs radio: storms, flares, blackouts.',
    ticked: { in: ['US'] }
  },
  german: {
    'Space weather (NOAA SWPC)': 'Weltraumwetter (NOAA SWPC)',
    'What disturbs radio: storms, flares, blackouts.': 'Was den Funk stört: Stürme, Sonneneruptionen, Ausfälle.'
  }
})
