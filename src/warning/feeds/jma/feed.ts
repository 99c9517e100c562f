import { defineFeed } from '../definition.ts'
import { asBag } from '../reading/json.ts'
import { jmaSourceSchema } from './settings.ts'

export const jmaFeed = defineFeed({
  schema: jmaSourceSchema,
  load: async () => (await import('./jma.ts')).jmaSource,
  firstSteps: {
    title: 'Japan: earthquakes, tsunamis, volcanoes (JMA)',
    hint: 'The Japan Meteorological Agency. Its weather warnings name municipalities by code: they are switched on on the page Sources.',
    countries: ['JP'],
    national: true
  },
  german: {
    'Japan: earthquakes, tsunamis, volcanoes (JMA)': 'Japan: Erdbeben, Tsunamis, Vulkane (JMA)',
    'The Japan Meteorological Agency. Its weather warnings name municipalities by code: they are switched on on the page Sources.':
      'Der japanische Wetterdienst. Seine Wetterwarnungen nennen Gemeinden mit Codes: eingeschaltet werden sie auf der Seite Quellen.'
  },
  marks: {
    roots: ['Report'],
    list: ['volcanoInfos', 'eid', 'dataTypeCode', 'controlDatetime', 'areaTypes'],
    object: ['Head', 'areaTypes'],
    syndication: (text) => /<id>https?:\/\/www\.data\.jma\.go\.jp\//.test(text),
    value: (value) => asBag(asBag(Array.isArray(value) ? value[0] : null)?.['warning'])?.['class20Items'] !== undefined
  }
})
