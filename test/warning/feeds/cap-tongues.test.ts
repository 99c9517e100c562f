import t from 'tap'
import type { AirLanguage } from '../../../src/model/air-languages.ts'
import { parseCap } from '../../../src/warning/feeds/cap/parse.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { request, STATION } from '../messages/samples.ts'

interface Info {
  language: string
  event: string
  headline: string
  description: string
  instruction: string
  area: string
  expires?: string
}

const GERMAN: Info = {
  language: 'de-CH',
  event: 'Waldbrandgefahr',
  headline: 'Große Waldbrandgefahr im Wallis',
  description: 'Im Oberwallis gilt ein Feuerverbot im Freien.',
  instruction: 'Kein Feuer im Freien entfachen.',
  area: 'Oberwallis'
}
const FRENCH: Info = {
  language: 'fr-CH',
  event: 'Danger de feux de forêt',
  headline: 'Fort danger de feux de forêt en Valais',
  description: 'Interdiction de feux en plein air dans le Haut-Valais.',
  instruction: 'Ne faites pas de feu en plein air.',
  area: 'Haut-Valais'
}

const cap = (...infos: Info[]): string => `<?xml version="1.0"?>
<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>vs-1</identifier><sender>vs@alert.example</sender>
<sent>2026-07-04T00:20:00+00:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
${infos
  .map(
    ({ language, event, headline, description, instruction, area, expires = '2026-07-06T10:00:00+00:00' }) =>
      `<info><language>${language}</language><category>Fire</category><event>${event}</event><urgency>Expected</urgency>
<severity>Severe</severity><certainty>Likely</certainty><expires>${expires}</expires><senderName>Kt. Wallis</senderName>
<headline>${headline}</headline><description>${description}</description><instruction>${instruction}</instruction>
<area><areaDesc>${area}</areaDesc></area></info>`
  )
  .join('\n')}</alert>`

const read = (text: string) => {
  const [event] = parseCap(text, { receivedAt: Date.parse('2026-07-04T00:21:00Z'), language: 'de' }).events
  if (event === undefined) throw new Error('no event')
  return event
}
const told = (text: string, language: AirLanguage) =>
  composeMessage(
    request({
      event: read(text),
      language,
      station: { ...STATION, timezone: 'Europe/Zurich', time_format: '24h' },
      targetBytes: 200
    })
  ).parts[0]

t.test('an alert in two languages is told in that of each channel, with the words of its own info', async (t) => {
  const both = cap(GERMAN, FRENCH)
  t.match(
    told(both, 'de'),
    /^Große Waldbrandgefahr im Wallis, Oberwallis\. Stand 02:20\. Im Oberwallis gilt ein Feuerverbot/
  )
  const french = told(both, 'fr')
  t.match(
    french,
    /^Fort danger de feux de forêt en Valais, Haut-Valais\. MÀJ 02h20\. Interdiction de feux en plein air/
  )
  t.notMatch(french, /Oberwallis|Waldbrand|Feuer/)
  const event = read(both)
  const asPiece = composeMessage(request({ event, merged: [event], language: 'fr' })).parts[0]
  t.notMatch(asPiece, /Oberwallis/, 'nor its places twice')
})

t.test('a channel of a third language hears it whole in the tongue that was read', async (t) => {
  t.equal(told(cap(GERMAN, FRENCH), 'it'), told(cap(GERMAN, FRENCH), 'de'))
})

t.test('two infos of other facts are two things, not one in two languages', async (t) => {
  t.equal(read(cap(GERMAN, { ...FRENCH, expires: '2026-07-09T10:00:00+00:00' })).data.tongues, undefined)
  t.equal(read(cap(GERMAN, FRENCH, FRENCH)).data.tongues, undefined)
})

t.test('what is kept of other languages is bounded', async (t) => {
  const long = { ...FRENCH, description: `${'Interdiction de feux '.repeat(400)}.`, headline: 'x'.repeat(5000) }
  t.ok(JSON.stringify(read(cap(GERMAN, long)).data.tongues).length < 1500)
})
