import { defineFeed } from '../definition.ts'
import { wfigsSourceSchema } from './settings.ts'

export const wfigsFeed = defineFeed({
  schema: wfigsSourceSchema,
  load: async () => (await import('./wfigs.ts')).wfigsSource,
  marks: { feature: ['poly_IncidentName', 'attr_IrwinID', 'IrwinID', 'IncidentName'] }
})
