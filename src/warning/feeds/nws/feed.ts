import { defineFeed } from '../definition.ts'
import { nwsSourceSchema } from './settings.ts'

export const nwsFeed = defineFeed({
  schema: nwsSourceSchema,
  load: async () => (await import('./source.ts')).nwsSource,
  coded: true,
  firstSteps: {
    title: 'Weather warnings, United States (NWS)',
    hint: 'Warnings, watches and advisories. Needs a contact.',
    states: { setting: 'area', needed: true },
    contact: true,
    proposed: 'inside'
  },
  german: {
    'Weather warnings, United States (NWS)': 'Wetterwarnungen, USA (NWS)',
    'Warnings, watches and advisories. Needs a contact.': 'Warnungen, Vorwarnungen und Hinweise. Braucht einen Kontakt.'
  }
})
