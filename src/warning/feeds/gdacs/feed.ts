import { defineFeed } from '../definition.ts'
import { gdacsSourceSchema } from './settings.ts'

export const gdacsFeed = defineFeed({
  schema: gdacsSourceSchema,
  load: async () => (await import('./gdacs.ts')).gdacsSource,
  marks: { syndication: (text) => text.includes('gdacs') },
  firstSteps: {
    title: 'Disasters, worldwide (GDACS)',
    hint: 'Floods, storms, volcanoes, from orange on.',
    proposed: 'outside'
  },
  german: {
    'Disasters, worldwide (GDACS)': 'Katastrophen, weltweit (GDACS)',
    'Floods, storms, volcanoes, from orange on.': 'Hochwasser, Stürme, Vulkane, ab Orange.'
  }
})
