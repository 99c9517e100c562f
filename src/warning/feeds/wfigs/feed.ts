import { defineFeed } from '../definition.ts'
import { wfigsSourceSchema } from './settings.ts'

export const wfigsFeed = defineFeed({
  schema: wfigsSourceSchema,
  load: async () => (await import('./wfigs.ts')).wfigsSource,
  marks: { feature: ['poly_IncidentName', 'attr_IrwinID', 'IrwinID', 'IncidentName'] },
  firstSteps: {
    title: 'Wildfires, United States (WFIGS)',
    hint: 'New fires and how they grow.',
    states: { setting: 'states', needed: false },
    countries: ['US']
  },
  german: {
    'Wildfires, United States (WFIGS)': 'Waldbrände, USA (WFIGS)',
    'New fires and how they grow.': 'Neue Brände und wie sie wachsen.'
  }
})
