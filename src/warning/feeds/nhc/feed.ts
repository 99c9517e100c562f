import { defineFeed } from '../definition.ts'
import { nhcSourceSchema } from './settings.ts'

/** Countries that the storms of its basins reach. */
const SHORES =
  'AG AI AW BB BM BQ BS BZ CA CO CR CU CW DM DO GD GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR PT SV SX TC TT US VC VE VG VI'.split(
    ' '
  )

export const nhcFeed = defineFeed({
  schema: nhcSourceSchema,
  load: async () => (await import('./nhc.ts')).nhcSource,
  firstSteps: {
    title: 'Tropical cyclones (NHC)',
    hint: 'Hurricanes and tropical storms of the Atlantic and the eastern Pacific, by their distance. Storm surge and rain on land are told by the weather services.',
    countries: SHORES
  },
  german: {
    'Hurricanes and tropical storms of the Atlantic and the eastern Pacific, by their distance. Storm surge and rain on land are told by the weather services.':
      'Hurrikane und tropische Stürme des Atlantiks und des östlichen Pazifiks, nach ihrer Entfernung. Vor Sturmflut und Regen an Land warnen die Wetterdienste.'
  },
  marks: { object: ['activeStorms'], syndication: (text) => /<nhc:Cyclone|xmlns:nhc=/.test(text) }
})
