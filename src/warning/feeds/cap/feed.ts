import { defineFeed } from '../definition.ts'
import { AU_STATES, capAuSourceSchema } from './au-settings.ts'
import { CAP_SERVICES } from './cap-services.ts'
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
  firstSteps: {
    title: 'Warnings of the authorities (CAP)',
    hint: 'What the services of the country publish themselves.',
    countries: Object.keys(CAP_SERVICES),
    national: true,
    services: Object.fromEntries(
      Object.entries(CAP_SERVICES).map(([country, services]) => [
        country,
        services.map(({ name, title, url }) => ({ name, title, settings: { url } }))
      ])
    )
  },
  german: {
    'Warnings of the authorities (CAP)': 'Warnungen der Behörden (CAP)',
    'What the services of the country publish themselves.': 'Was die Dienste des Landes selbst veröffentlichen.'
  },
  marks: {
    generic: true,
    roots: ['alert', 'alerts'],
    list: ['msgType'],
    object: ['warnings', 'msgType'],
    syndication: (text) => /<cap:|emergency:cap|cap\+xml/.test(text)
  }
})

export const capAuFeed = defineFeed({
  schema: capAuSourceSchema,
  load: async () => (await import('./au.ts')).capAuSource,
  firstSteps: {
    title: 'Fires and incidents of the states, Australia',
    hint: 'New South Wales, Queensland, Tasmania and Western Australia, by the levels Emergency Warning, Watch and Act, Advice.',
    countries: ['AU'],
    services: {
      AU: AU_STATES.map((state) => ({ name: `au-${state}`, title: state.toUpperCase(), settings: { state } }))
    }
  },
  german: {
    'Fires and incidents of the states, Australia': 'Brände und Einsätze der Bundesstaaten, Australien',
    'New South Wales, Queensland, Tasmania and Western Australia, by the levels Emergency Warning, Watch and Act, Advice.':
      'New South Wales, Queensland, Tasmanien und Westaustralien, nach den Stufen Emergency Warning, Watch and Act, Advice.',
    'Warnings of the Australian states (CAP-AU)': 'Warnungen der australischen Bundesstaaten (CAP-AU)',
    'Fires and other incidents by the levels of the Australian Warning System. Emergency Warning is immediate, Watch and Act critical, Advice priority.':
      'Brände und andere Einsätze nach den Stufen des australischen Warnsystems: Emergency Warning ist unmittelbar, Watch and Act kritisch, Advice wichtig.',
    'nsw: Rural Fire Service. qld: Queensland Fire Department. tas: TasALERT. wa: DFES.':
      'nsw: Rural Fire Service. qld: Queensland Fire Department. tas: TasALERT. wa: DFES.',
    'Another address than that of the state.': 'Eine andere Adresse als die des Bundesstaats.'
  }
})

export const capStreamFeed = defineFeed({
  schema: capStreamSourceSchema,
  load: async () => (await import('./stream.ts')).capStreamSource,
  coded: true
})
