import { defineFeed } from '../definition.ts'
import { ipawsSourceSchema } from './ipaws-settings.ts'
import { meteoalarmSourceSchema } from './meteoalarm-settings.ts'
import { capSourceSchema } from './settings.ts'
import { capStreamSourceSchema } from './stream-settings.ts'

export const ipawsFeed = defineFeed({
  schema: ipawsSourceSchema,
  load: async () => (await import('./ipaws.ts')).ipawsSource,
  coded: true
})

export const meteoalarmFeed = defineFeed({
  schema: meteoalarmSourceSchema,
  load: async () => (await import('./meteoalarm.ts')).meteoalarmSource
})

export const capFeed = defineFeed({
  schema: capSourceSchema,
  load: async () => (await import('./source.ts')).capSource,
  coded: true,
  marks: {
    generic: true,
    roots: ['alert', 'alerts'],
    list: ['msgType'],
    object: ['warnings', 'msgType'],
    syndication: (text) => /<cap:|emergency:cap|cap\+xml/.test(text)
  }
})

export const capStreamFeed = defineFeed({
  schema: capStreamSourceSchema,
  load: async () => (await import('./stream.ts')).capStreamSource,
  coded: true
})
