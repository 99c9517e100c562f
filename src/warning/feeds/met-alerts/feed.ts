import { defineFeed } from '../definition.ts'
import { metAlertsSourceSchema } from './settings.ts'

export const metAlertsFeed = defineFeed({
  schema: metAlertsSourceSchema,
  load: async () => (await import('./met-alerts.ts')).metAlertsSource,
  marks: { feature: ['awareness_level', 'alert_code'] },
  firstSteps: {
    title: 'Weather alerts of the national service (Norway, Canada)',
    hint: 'MET Norway or Environment Canada, each alert with its outline. Needs a contact.',
    countries: ['NO', 'CA'],
    national: true,
    byCountry: { NO: { provider: 'met_norway' }, CA: { provider: 'eccc' } },
    contact: true
  },
  german: {
    'Weather alerts of the national service (Norway, Canada)': 'Wetterwarnungen des Wetterdienstes (Norwegen, Kanada)',
    'MET Norway or Environment Canada, each alert with its outline. Needs a contact.':
      'MET Norway oder Environment Canada, jede Warnung mit ihrem Umriss. Braucht einen Kontakt.'
  }
})
