import { defineFeed } from '../definition.ts'
import { asBag } from '../reading/json.ts'
import {
  carsSourceSchema,
  datex2SourceSchema,
  digitrafficSourceSchema,
  open511SourceSchema,
  wzdxSourceSchema
} from './settings.ts'

export const carsFeed = defineFeed({
  schema: carsSourceSchema,
  load: async () => (await import('./cars.ts')).carsSource,
  marks: { list: ['event-id'] }
})

export const datex2Feed = defineFeed({
  schema: datex2SourceSchema,
  load: async () => (await import('./datex2.ts')).datex2Source,
  marks: { roots: ['d2LogicalModel', 'messageContainer', 'payload'] }
})

export const digitrafficFeed = defineFeed({
  schema: digitrafficSourceSchema,
  load: async () => (await import('./digitraffic.ts')).digitrafficSource,
  marks: { object: ['situationId'], feature: ['situationId'] }
})

export const open511Feed = defineFeed({
  schema: open511SourceSchema,
  load: async () => (await import('./open511.ts')).open511Source,
  marks: {
    list: ['RoadwayName'],
    value: (value) => {
      const bag = asBag(value)
      return bag !== null && Array.isArray(bag['events']) && ('pagination' in bag || 'meta' in bag)
    }
  }
})

export const wzdxFeed = defineFeed({
  schema: wzdxSourceSchema,
  load: async () => (await import('./wzdx.ts')).wzdxSource,
  marks: { object: ['feed_info', 'road_event_feed_info'] }
})
