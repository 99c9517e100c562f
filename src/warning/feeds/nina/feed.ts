import { defineFeed } from '../definition.ts'
import { ninaSourceSchema } from './settings.ts'

export const ninaFeed = defineFeed({
  schema: ninaSourceSchema,
  load: async () => (await import('./nina.ts')).ninaSource,
  firstSteps: {
    title: 'Civil protection, Germany (NINA)',
    hint: 'MoWaS, KATWARN and BIWAPP: warnings of the federation, the states and the districts, each with its outline.',
    countries: ['DE'],
    national: true
  },
  german: {
    Systems: 'Systeme',
    'Civil protection, Germany (NINA)': 'Bevölkerungsschutz (NINA)',
    'MoWaS, KATWARN and BIWAPP: warnings of the federation, the states and the districts, each with its outline.':
      'MoWaS, KATWARN und BIWAPP: Warnungen von Bund, Ländern und Kreisen, jede mit ihrem Umriss.',
    'Warnings of the German civil protection (MoWaS and others), as the app NINA has them.':
      'Warnungen des Bevölkerungsschutzes (MoWaS und andere), wie die App NINA sie hat.',
    'mowas: federal, states and districts. katwarn, biwapp: those of some districts. lhp: high water. police: police.':
      'mowas: Bund, Länder und Kreise. katwarn, biwapp: die einiger Kreise. lhp: Hochwasser. police: Polizei.',
    'Where the lists are: /SYSTEM/mapData.json, and the warnings /warnings/ID.json and ID.geojson.':
      'Wo die Listen liegen: /SYSTEM/mapData.json, und die Warnungen /warnings/ID.json und ID.geojson.',
    'Most warnings fetched in one poll, each by two requests; the rest waits for the next.':
      'So viele Warnungen werden auf einmal geholt, jede mit zwei Anfragen; die übrigen warten auf das nächste Mal.',
    'The language read, of warnings in several.': 'Die Sprache, in der Warnungen in mehreren gelesen werden.'
  }
})
