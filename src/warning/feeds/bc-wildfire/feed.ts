import { defineFeed } from '../definition.ts'
import { bcWildfireSourceSchema } from './settings.ts'

export const bcWildfireFeed = defineFeed({
  schema: bcWildfireSourceSchema,
  load: async () => (await import('./bc-wildfire.ts')).bcWildfireSource,
  firstSteps: {
    title: 'Wildfires, British Columbia',
    hint: 'Published fires of the province, none of the others.',
    countries: ['CA'],
    ticked: { in: [] }
  },
  german: {
    'Wildfires, British Columbia': 'Waldbrände, British Columbia',
    'Published fires of the province, none of the others.': 'Veröffentlichte Brände der Provinz, keine der anderen.'
  },
  marks: { list: ['fireNumber', 'incidentNumberLabel'] }
})
