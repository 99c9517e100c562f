import t from 'tap'
import type { AirLanguage } from '../../../src/model/air-languages.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { countryIn } from '../../../src/warning/messages/countries.ts'
import { event } from './sample-events.ts'
import { request } from './samples.ts'

/** Names of countries in the language of a channel: docs/decisions/0048. */

const told = (language: AirLanguage, places: string[], geocodes?: string[]): string => {
  const data = { places, magnitude: 5.1, depth_km: 35, event_name: 'Earthquake', ...(geocodes && { geocodes }) }
  const quake = event({
    category: 'earthquake_event',
    family: 'seismic',
    title: 'Earthquake',
    summary: '',
    body: '',
    data
  })
  return composeMessage(request({ language, event: quake, regions: [] })).parts.join(' ')
}

t.test('a country that a source names by its code is said in the language of the channel', async (t) => {
  t.match(told('fr', ['Papua New Guinea'], ['ISO3:PNG']), /Papouasie-Nouvelle-Guinée/)
  t.match(told('es', ['Philippines'], ['ISO3:PHL']), /Filipinas/)
  t.match(told('ja', ['Russian Federation'], ['ISO3:RUS']), /ロシア/)
  t.match(told('de', ['Bosnia & Herzegovina', 'Turkey'], ['ISO3:BIH']), /Bosnien und Herzegowina\/Türkei/)
  t.match(told('en', ['Turkey'], ['ISO3:TUR']), /Turkey/)
})

t.test('a place that is no country stays, and so does what may be another place of the same name', async (t) => {
  t.match(told('fr', ['Southeast Of Honshu'], ['ISO3:JPN']), /Southeast Of Honshu/)
  t.match(told('fr', ['Georgia']), /Georgia/, 'without a code it may be a state')
  t.equal(countryIn('es', 'Banda Sea'), 'Banda Sea')
})
