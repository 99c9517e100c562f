import { defineFeed } from '../definition.ts'
import { volcanoSourceSchema } from './settings.ts'
import { isVona } from './vona-head.ts'

export const volcanoFeed = defineFeed({
  schema: volcanoSourceSchema,
  load: async () => (await import('./volcano.ts')).volcanoSource,
  firstSteps: {
    title: 'Volcanoes (USGS, GeoNet)',
    hint: 'Alert levels of the observatories: of the United States, or of New Zealand.',
    countries: ['US', 'MP', 'NZ'],
    byCountry: { NZ: { url: 'https://api.geonet.org.nz/volcano/val' } }
  },
  marks: {
    list: ['volcano_name', 'volcano_name_appended', 'vName'],
    object: ['notice_sections'],
    feature: ['volcanoID'],
    text: isVona,
    syndication: (text) => /<volcano:alertlevel/i.test(text)
  },
  german: {
    'Volcanoes (USGS, GeoNet)': 'Vulkane (USGS, GeoNet)',
    'Alert levels of the observatories: of the United States, or of New Zealand.':
      'Warnstufen der Observatorien: der USA oder Neuseelands.',
    'Volcanoes (USGS, GeoNet, VONA)': 'Vulkane (USGS, GeoNet, VONA)',
    'Alert levels and aviation colour codes of volcano observatories.':
      'Warnstufen und Luftfahrt-Farbcodes von Vulkanobservatorien.',
    'JSON of the USGS (HANS), GeoNet’s alert levels (https://api.geonet.org.nz/volcano/val), or a page of VONA notices as text.':
      'JSON des USGS (HANS), die Warnstufen von GeoNet (https://api.geonet.org.nz/volcano/val) oder eine Seite mit VONA-Meldungen als Text.',
    'A volcano concerns the regions this near to it; ash goes further with the wind.':
      'Ein Vulkan betrifft die Regionen in diesem Umkreis; Asche zieht mit dem Wind weiter.'
  }
})
