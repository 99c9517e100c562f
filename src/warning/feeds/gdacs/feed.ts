import { defineFeed } from '../definition.ts'
import { gdacsSourceSchema } from './settings.ts'

export const gdacsFeed = defineFeed({
  schema: gdacsSourceSchema,
  load: async () => (await import('./gdacs.ts')).gdacsSource,
  marks: { syndication: (text) => text.includes('gdacs') },
  firstSteps: {
    title: 'Disasters, worldwide (GDACS)',
    hint: 'Floods, cyclones, volcanoes and earthquakes that call for help from abroad, from orange on. No weather warnings.',
    ticked: { notIn: ['US'] }
  },
  german: {
    'Disasters, worldwide (GDACS)': 'Katastrophen, weltweit (GDACS)',
    'Floods, cyclones, volcanoes and earthquakes that call for help from abroad, from orange on. No weather warnings.':
      'Hochwasser, Wirbelstürme, Vulkane und Erdbeben, die Hilfe von außen brauchen, ab Orange. Keine Wetterwarnungen.'
  }
})
