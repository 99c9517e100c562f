import { defineFeed } from '../definition.ts'
import { nwisSourceSchema } from './nwis-settings.ts'
import { nwpsSourceSchema } from './nwps-settings.ts'

export const nwisFeed = defineFeed({
  schema: nwisSourceSchema,
  load: async () => (await import('./nwis.ts')).nwisSource,
  marks: { object: ['timeSeries'], feature: ['monitoring_location_id'] }
})

export const nwpsFeed = defineFeed({
  schema: nwpsSourceSchema,
  load: async () => (await import('./nwps.ts')).nwpsSource,
  marks: { object: ['gauges', 'lid'] }
})
