import { defineFeed } from '../definition.ts'
import { usgsSourceSchema } from './settings.ts'

export const usgsFeed = defineFeed({
  schema: usgsSourceSchema,
  load: async () => (await import('./source.ts')).usgsSource,
  firstSteps: {
    title: 'Earthquakes, worldwide (USGS)',
    hint: 'From magnitude 2.5 on, where they touch your areas.'
  },
  german: {
    'Earthquakes, worldwide (USGS)': 'Erdbeben, weltweit (USGS)',
    'From magnitude 2.5 on, where they touch your areas.': 'Ab Magnitude 2,5, wo sie die eigenen Gebiete berühren.'
  }
})
