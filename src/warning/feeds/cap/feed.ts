import { defineFeed } from '../definition.ts'
import { ipawsSourceSchema } from './ipaws-settings.ts'
import { METEOALARM_COUNTRIES } from './meteoalarm-countries.ts'
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
  load: async () => (await import('./meteoalarm.ts')).meteoalarmSource,
  firstSteps: {
    title: 'Weather warnings of Europe (MeteoAlarm)',
    hint: 'The national weather service, yellow to red. It names districts by code: what comes without an outline needs their codes in the area, such as EMMA_ID:DE356.',
    countries: Object.keys(METEOALARM_COUNTRIES),
    // MET Norway itself draws what it warns of.
    ticked: { notIn: ['NO'] },
    national: true,
    byCountry: Object.fromEntries(Object.entries(METEOALARM_COUNTRIES).map(([code, country]) => [code, { country }]))
  },
  german: {
    'Weather warnings of Europe (MeteoAlarm)': 'Wetterwarnungen in Europa (MeteoAlarm)',
    'The national weather service, yellow to red. It names districts by code: what comes without an outline needs their codes in the area, such as EMMA_ID:DE356.':
      'Der Wetterdienst des Landes, gelb bis rot. Er nennt Kreise mit Codes: Was ohne Umriss kommt, braucht deren Codes im Gebiet, etwa EMMA_ID:DE356.'
  }
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
