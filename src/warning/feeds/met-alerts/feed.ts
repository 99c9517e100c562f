import { defineFeed } from '../definition.ts'
import { metAlertsSourceSchema } from './settings.ts'

export const metAlertsFeed = defineFeed({
  schema: metAlertsSourceSchema,
  load: async () => (await import('./met-alerts.ts')).metAlertsSource,
  marks: { feature: ['awareness_level', 'alert_code'] }
})
