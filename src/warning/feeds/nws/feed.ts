import { defineFeed } from '../definition.ts'
import { nwsSourceSchema } from './settings.ts'

/** ISO has codes of their own for the territories, which the service warns too. */
const US_AND_TERRITORIES = ['US', 'PR', 'VI', 'GU', 'AS', 'MP']

export const nwsFeed = defineFeed({
  schema: nwsSourceSchema,
  load: async () => (await import('./source.ts')).nwsSource,
  coded: true,
  firstSteps: {
    title: 'Weather warnings, United States (NWS)',
    hint: 'Warnings, watches and advisories. Needs a contact.',
    states: { setting: 'area', needed: true },
    contact: true,
    countries: US_AND_TERRITORIES,
    national: true
  },
  german: {
    'Weather warnings, United States (NWS)': 'Wetterwarnungen, USA (NWS)',
    'Warnings, watches and advisories. Needs a contact.': 'Warnungen, Vorwarnungen und Hinweise. Braucht einen Kontakt.'
  }
})
