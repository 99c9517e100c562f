import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { compassPoint } from '../../../src/model/compass.ts'
import { isUrgent } from '../../../src/model/urgent.ts'
import { abbreviateEvent, levelWord, productHead, productInTitle } from '../../../src/warning/messages/abbreviations.ts'
import { budgetFor, byteLength, cutToBytes } from '../../../src/warning/messages/budget.ts'
import { phoneGuidance } from '../../../src/warning/messages/guidance.ts'
import { momentIn, timed } from '../../../src/warning/messages/moments.ts'
import { splitText } from '../../../src/warning/messages/parts.ts'
import { fitRegions, joinPlaces } from '../../../src/warning/messages/places.ts'
import {
  bearingDegrees,
  distanceKm,
  distanceText,
  fromAnchor,
  maidenhead,
  relativePlace
} from '../../../src/warning/messages/position.ts'
import { cleanText, sanitise } from '../../../src/warning/messages/sanitise.ts'
import { cutWords, leadSentences, splitSentences } from '../../../src/warning/messages/sentences.ts'
import { messagesSchema } from '../../../src/warning/messages/settings.ts'
import { clockText, instantText, parseInstant, untilText } from '../../../src/warning/messages/times.ts'
import { FIXED } from '../../../src/warning/messages/tongues.ts'
import { anyText } from '../../helpers/any-text.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'
import { NOW, STATION } from './samples.ts'

t.test('budgets: MT as configured, MC less the node name and ": "', async (t) => {
  const messages = v.parse(messagesSchema, {})
  t.equal(budgetFor('mt', messages, 'any name'), 200)
  t.equal(budgetFor('mc', messages, 'n'.repeat(31)), 122)
  t.equal(budgetFor('mc', messages, 'Höhe'), 155 - 5 - 2)
  t.equal(budgetFor('mc', { ...messages, mc_bytes: 60 }, 'n'.repeat(70)), 0)
})

t.test('a cut never divides a grapheme and takes as many as fit', async (t) => {
  const family = '👨‍👩‍👧‍👦'
  t.equal(cutToBytes('abc', 2), 'ab')
  t.equal(cutToBytes('a\r\nb', 2), 'a', 'CR LF is one grapheme')
  t.equal(cutToBytes('é', 1), '')
  t.equal(cutToBytes('e\u0301e\u0301', 5), 'e\u0301')
  t.equal(cutToBytes(`ab${family}c`, 26), 'ab')
  t.equal(cutToBytes(`ab${family}c`, 27), `ab${family}`)
  t.equal(cutToBytes('🇩🇪🇫🇷', 12), '🇩🇪')
  t.equal(cutToBytes('x', 0), '')
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  fc.assert(
    fc.property(anyText(), fc.nat(60), (text, limit) => {
      const cut = cutToBytes(text, limit)
      if (!text.startsWith(cut) || byteLength(cut) > limit) return false
      const pieces = [...segmenter.segment(text)].map(({ segment }) => segment)
      const ends = pieces.map((_, i) => pieces.slice(0, i).join(''))
      const next = pieces[ends.indexOf(cut)]
      return cut === text || (next !== undefined && byteLength(cut + next) > limit)
    })
  )
})

t.test('sanitising makes one plain line and keeps the letters of names', async (t) => {
  const rows: [string, string][] = [
    ['a\tb\r\nc\u0000', 'a b c'],
    ['  many   blanks\u00A0here ', 'many blanks here'],
    ['\u201CHigh\u201D \u2013 it\u2019s\u2026', '"High" - it\'s...'],
    ['\u202Eabc\u202C \u200Bd\u2066e\u2069\uFEFF', 'abc de'],
    ['x\uD800y\uDC00z', 'xyz'],
    ['<p>Flood <b>now</b><br/></p>', 'Flood now'],
    ['wind < 5 mph and > 3', 'wind < 5 mph and > 3'],
    ['A&amp;B &lt;ok&gt; &#39;q&#x27; 5&deg;C &bogus;', "A&B 'q' 5\u00B0C"],
    ['AT&T; R&D', 'AT&T; R&D'],
    ['\u001B[1;31mRED\u001B[0m alert', 'RED alert'],
    ['<script>alert(1)</script>Flood&lt;style&gt;b{}&lt;/style&gt;', 'Flood'],
    ['Koróni Ærø Łódź', 'Koróni Ærø Łódź'],
    ['e\u0301', 'é'],
    ['/help', 'help'],
    ['!@/ x', 'x'],
    ['👨‍👩‍👧', '👨👩👧'],
    ['&#xD800;&#0;x', 'x']
  ]
  for (const [dirty, clean] of rows) t.equal(sanitise(dirty), clean, JSON.stringify(dirty))
  t.equal(sanitise('Koróni Ærø Łódź Straße Ελλάδα', { fold: true }), 'Koroni AEro Lodz Strasse Ελλάδα')
  t.equal(cleanText('@home'), '@home', 'a region keeps its configured name inside a text')
  t.ok(byteLength(sanitise(`Z${'\u0323'.repeat(400)}`)) < 20)
})

t.test('to keep away saves lives when it is said shortly; advice on windows and on sport does not', async (t) => {
  for (const short of ['Stay off Croy Creek Road', 'Please keep out of the water.', 'Do not drink tap water'])
    t.ok(isUrgent(short), short)
  const advice = [
    'Stay away from windows',
    'Rock jetties can be deadly in such conditions, stay off the rocks',
    'Stay off and out from below slopes steeper than 30 degrees'
  ]
  for (const long of advice) t.notOk(isUrgent(long), long)
})

t.test('plain text, which is cleaned the short way, comes out as it would the long way', async (t) => {
  const piece = fc.constantFrom('\n', '\t', '\r\n', '[31m', '  ', '...', '<b>', '&amp;', "'", 'Dam', 'may fail.', '!')
  const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    // A letter outside ASCII sends the same text the long way.
    fc.property(text, (plain) => t.equal(`${cleanText(plain)} \u00e9`.trim(), cleanText(`${plain} \u00e9`)))
  )
})

t.test('events are called by a fixed word and level', async (t) => {
  const rows: [string, string][] = [
    ['Tornado Warning', 'TOR WARN'],
    ['Tornado Watch', 'TOR WATCH'],
    ['Severe Thunderstorm Warning', 'SVR WARN'],
    ['Flash Flood Warning', 'FLASH FLOOD WARN'],
    ['Winter Storm Watch', 'WINTER STORM WATCH'],
    ['Winter Weather Advisory', 'WINTER WX ADV'],
    ['Red Flag Warning', 'RED FLAG WARN'],
    ['Fire Weather Watch', 'FIRE WX WATCH'],
    ['Special Weather Statement', 'SPECIAL WX STMT'],
    ['Severe Weather Statement', 'SVR WX STMT'],
    ['High Wind Warning', 'HIGH WIND WARN'],
    ['Small Craft Advisory', 'SMALL CRAFT ADV'],
    ['Excessive Heat Warning', 'EXTREME HEAT WARN'],
    ['Hazardous Materials Warning', 'HAZMAT WARN'],
    ['Air Quality Alert', 'AIR QUALITY ALERT'],
    ['Hazardous Weather Outlook', 'HAZARDOUS WX OUTLOOK'],
    ['Shelter In Place Warning', 'SHELTER IN PLACE WARN'],
    ['Evacuation Immediate', 'EVACUATION IMMEDIATE'],
    ['Civil Emergency Message', 'CIVIL EMERGENCY'],
    ['Child Abduction Emergency', 'AMBER ALERT'],
    ['911 Telephone Outage', '911 OUTAGE'],
    ['Avalanche Warning', 'AVY WARN'],
    ['Yellow Warning for Wind', 'YELLOW WARN FOR WIND'],
    ['Sandstorm', 'SANDSTORM'],
    ['constructor', 'CONSTRUCTOR'],
    ['__proto__ Warning', '__PROTO__ WARN']
  ]
  for (const [name, head] of rows) t.equal(abbreviateEvent(name), head)
  t.equal(productHead('Sandstorm'), null)
  t.equal(productInTitle('Flood Watch issued May 3 at 1AM'), 'Flood Watch')
  t.equal(productInTitle('Warning signs stolen from Main St'), null)
  t.equal(productInTitle('River watch group meets'), null)
  t.equal(levelWord('Geomagnetic Storm Watch'), 'WATCH')
  t.equal(levelWord('Storm observed'), null)
})

t.test('places: counties lose their suffix, states are said once, the rest is counted', async (t) => {
  const rows: [string[], number, string][] = [
    [['Dawson, MT'], 60, 'Dawson Co MT'],
    [['Blaine, ID', 'Custer, ID', 'Lemhi, ID', 'Butte, ID', 'Ada, ID'], 24, 'Blaine/Custer Co ID +3'],
    [['Blaine, ID; Custer, ID; Ravalli, MT'], 60, 'Blaine/Custer Co ID, Ravalli Co MT'],
    [['Blaine, ID', 'Ravalli, MT', 'Custer, ID'], 60, 'Blaine/Custer Co ID, Ravalli Co MT'],
    [['Orleans Parish, LA', 'Jefferson Parish, Louisiana'], 60, 'Orleans/Jefferson Co LA'],
    [['Central Laramie Range and Southwest Platte County'], 60, 'Central Laramie Range & Southwest Platte Co'],
    [['Okanogan Highlands', 'Kootenai', 'okanogan highlands'], 60, 'Okanogan Highlands/Kootenai'],
    [['Northwest Territories Barrens', 'x'], 12, 'Northwest +1'],
    [['Green Bay south of the line from Cedar River', 'x'], 40, 'Green Bay south of the line +1'],
    [['Koróni, Greece'], 60, 'Koróni, Greece'],
    [['Base, constructor'], 60, 'Base, constructor'],
    [['', ' '], 60, ''],
    [[], 60, '']
  ]
  for (const [names, limit, text] of rows) t.equal(joinPlaces(names, limit), text)
  t.equal(joinPlaces(['Glendive, MT'], 60, { counties: false }), 'Glendive MT')
  t.equal(joinPlaces(['District of Columbia County, DC'], 60), 'District of Columbia DC', 'no county')
  t.equal(joinPlaces(['Carson City, NV', 'Storey, NV'], 60), 'Carson City NV, Storey Co NV')
  t.strictSame(fitRegions(['North', 'East', 'South', 'West'], 14), { text: 'North/East +2', shown: 2, total: 4 })
  t.equal(fitRegions(['Ada County'], 30).text, 'Ada County', 'a region keeps its configured name')
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.nat(80),
      (names, limit) => byteLength(joinPlaces(names, limit)) <= limit
    )
  )
})

t.test('positions: bearing and distance from the nearest anchor, Maidenhead locators', async (t) => {
  const boise = { lat: 43.615, lon: -116.2023 }
  t.ok(Math.abs(distanceKm(boise, { lat: 44.0266, lon: -116.9629 }) - 76.2) < 0.5)
  t.equal(compassPoint(bearingDegrees(boise, { lat: 44.615, lon: -116.2023 })), 'N')
  t.strictSame([0, 11, 12, 359, 90, 202.5, -90].map(compassPoint), ['N', 'N', 'NNE', 'N', 'E', 'SSW', 'W'])
  t.equal(fromAnchor({ lat: 44.1029, lon: -116.857 }, STATION), '12km NE Ontario OR')
  t.equal(fromAnchor({ lat: 44.1029, lon: -116.857 }, { ...STATION, units: 'imperial' }), '7mi NE Ontario OR')
  t.equal(fromAnchor({ lat: 44.027, lon: -116.963 }, STATION), 'at Ontario OR')
  t.equal(fromAnchor({ lat: 45.2, lon: -116.9629 }, STATION), '130km N Ontario OR')
  t.equal(fromAnchor({ lat: 46, lon: -116.9629 }, STATION), null, 'out of reach')
  const dateLine = [{ name: 'Taveuni', lat: -16.8, lon: 179.9 }]
  t.equal(fromAnchor({ lat: -16.8, lon: -179.9 }, { anchors: dateLine, units: 'metric' }), '21km E Taveuni')
  t.strictSame(
    [99.4, 99.6, 146].map((km) => distanceText(km, 'metric')),
    ['99km', '100km', '150km']
  )
  t.equal(maidenhead({ lat: 48.14666, lon: 11.60833 }), 'JN58td')
  t.equal(maidenhead({ lat: -34.91, lon: -56.21166 }), 'GF15vc')
  t.match(maidenhead({ lat: 90, lon: 180 }), /^AR09ax$/)
  t.equal(relativePlace('27 km NNW of Susitna, Alaska', 'metric'), '27km NNW Susitna AK')
  t.equal(relativePlace('27 km NNW of Susitna, Alaska', 'imperial'), '17mi NNW Susitna AK')
  t.equal(relativePlace('49 km SSE of Koróni, Greece', 'metric'), '49km SSE Koróni, Greece')
  t.equal(relativePlace('271 km SE of the Loyalty Islands', 'metric'), '270km SE Loyalty Islands')
  t.equal(relativePlace('Banda Sea', 'metric'), null)
  t.equal(relativePlace('32 km W of Clear, Alaska, Alaska', 'metric'), '32km W Clear AK', 'the state is said once')
  t.equal(relativePlace('0 km SW of Round Valley, CA', 'metric'), 'Round Valley CA', 'no bearing from itself')
})

t.test('times are local, with the weekday when not today and the date beyond six days', async (t) => {
  const h24 = { ...STATION, time_format: '24h' as const }
  const at = (text: string) => Date.parse(text)
  const rows: [string, string, string][] = [
    ['2026-07-04T00:45:00Z', '6:45p', '18:45'],
    ['2026-07-03T18:00:00Z', 'noon', '12:00'],
    ['2026-07-03T06:05:00Z', '12:05a', '00:05'],
    ['2026-07-04T13:00:00Z', 'Sat 7a', 'Sat 07:00'],
    ['2026-07-04T06:00:00Z', 'midnight', 'Sat 00:00'],
    ['2026-07-05T06:00:00Z', 'Sat midnight', 'Sun 00:00'],
    ['2026-07-03T06:00:00Z', 'Thu midnight', '00:00'],
    ['2026-07-04T18:00:00Z', 'Sat noon', 'Sat 12:00'],
    ['2026-07-09T13:30:00Z', 'Thu 7:30a', 'Thu 07:30'],
    ['2026-07-10T13:00:00Z', 'Jul 10 7a', 'Jul 10 07:00'],
    ['2026-06-27T13:00:00Z', 'Sat 7a', 'Sat 07:00'],
    ['2026-06-26T13:00:00Z', 'Jun 26 7a', 'Jun 26 07:00']
  ]
  for (const [instant, h12, full] of rows) {
    t.equal(instantText(at(instant), STATION, NOW), h12)
    t.equal(instantText(at(instant), h24, NOW), full)
  }
  t.equal(clockText(at('2026-07-20T13:00:00Z'), STATION), '7:00a')
  t.equal(untilText(null, true, STATION, NOW), 'til further notice')
  t.equal(untilText(null, false, STATION, NOW), '')
  t.equal(untilText(at('2026-07-04T00:45:00Z'), true, STATION, NOW), 'til 6:45p')
  const autumn = { timezone: 'America/Denver', time_format: '12h' as const }
  t.equal(
    instantText(at('2026-11-01T07:30:00Z'), autumn, at('2026-11-01T08:30:00Z')),
    '1:30a',
    'before the clocks go back'
  )
  t.equal(instantText(at('2026-11-01T08:30:00Z'), autumn, at('2026-11-01T08:30:00Z')), '1:30a', 'and after')
  t.throws(() => instantText(NOW, { timezone: 'Nowhere/Else', time_format: '12h' }, NOW), RangeError)
})

t.test('an instant needs a date, a time and an offset', async (t) => {
  t.equal(parseInstant('2026-07-03T18:25:00-06:00'), NOW)
  for (const bad of ['2026-07-03', '2026-07-03T18:25:00', 'foo 1', '2026-13-40T00:00:00Z', 5, null])
    t.equal(parseInstant(bad), null)
})

t.test('a cut leaves no number without its unit and no half of a phrase', async (t) => {
  const rows: [string, number, string][] = [
    ['Snow expected. Total snow accumulations between 4 and 8 inches', 51, 'Snow expected.'],
    [
      'Snow expected. Total snow accumulations up to 8 inches on the passes and 2 elsewhere',
      72,
      'Snow expected. Total snow accumulations up to 8 inches on the passes...'
    ],
    ['Isolated very large hail events to 3.5 inches', 40, 'Isolated very large hail events...'],
    ['Southwest winds 35 mph with gusts up to 60 mph', 43, 'Southwest winds 35 mph with gusts...'],
    ['Waves of 8 to 11 feet, with sets to 13 feet', 41, 'Waves of 8 to 11 feet, with sets...'],
    ['Windspitzen in freien Lagen von 85 km/h', 36, 'Windspitzen in freien Lagen...']
  ]
  for (const [text, limit, cut] of rows) t.equal(cutWords(text, limit), cut)
})

t.test('sentences end where they end', async (t) => {
  t.strictSame(splitSentences('Near St. Louis at 7:00 P.M. CDT. Avoid U.S. 20. Go!  Now? yes.'), [
    'Near St. Louis at 7:00 P.M. CDT.',
    'Avoid U.S. 20.',
    'Go!',
    'Now? yes.'
  ])
  t.strictSame(splitSentences(''), [])
  t.equal(leadSentences('One. Two. Three.', 9), 'One. Two.')
  t.equal(leadSentences('A long first sentence.', 5), 'A long first sentence.')
  t.equal(cutWords('the water is rising quickly now', 28), 'the water is rising...')
  t.equal(cutWords('the water is rising quickly', 15), '', 'too little would remain')
})

t.test('the guidance of a phone text speaks of the region instead of "this area"', async (t) => {
  const rows: [string, string, string[]][] = [
    ['NWS: FLASH FLOOD WARNING this area til 7:00 PM CDT. Avoid flooded areas.', 'North', ['Avoid flooded areas']],
    [
      'Tornado Warning in this area til 6:45 PM MDT. Take shelter now. Check media. -NWS',
      'North',
      ['Take shelter now', 'Check media']
    ],
    ['Leave now. Fire in this area.', 'West', ['Leave now', 'Fire in West']],
    ['Leave now. Fire in this area.', '', ['Leave now', 'Fire in the warned area']],
    ['Flood Warning this area til 7 PM', 'North', []],
    ['', 'North', []]
  ]
  for (const [text, place, sentences] of rows) t.strictSame(phoneGuidance(text, place), sentences)
})

t.test('a text splits at spaces, or not at all when it does not fit', async (t) => {
  t.strictSame(splitText('one two three four', 9, 3), ['one two', 'three', 'four'])
  t.equal(splitText('one two three four', 9, 2), null)
  t.strictSame(splitText('aaaa /help', 6, 2), ['aaaa', 'help'])
  t.strictSame(splitText('abcdefgh', 4, 2), ['abcd', 'efgh'])
  t.equal(splitText('👨‍👩‍👧‍👦', 10, 3), null)
})

t.test('of a script nothing is told, and a text of nothing but openings costs what its length does', async (t) => {
  t.equal(cleanText('Fire <script>a()</script> near <STYLE x>p{}</style >town'), 'Fire near town')
  t.equal(cleanText('a <script>b <style>c</script> d </style> e'), 'a d e')
  t.equal(cleanText(`a <script>${'x'.repeat(5001)}</script> b`).length, 5005, 'what is longer than a script is text')
  const growth = growthOfEightfold(
    (times) => `${'<script>'.repeat(times)}</script>`,
    (text) => void cleanText(text),
    700
  )
  t.ok(growth < MOST_GROWTH, `${growth}`)
})

t.test(
  'the word before a time is the one that its language has before an hour, a day, a date, midnight and one o’clock',
  async (t) => {
    const until = (language: keyof typeof FIXED, moment: string) =>
      timed(FIXED[language].until, momentIn(FIXED[language], moment))
    const rows: Record<keyof typeof FIXED, string[]> = {
      de: ['bis 18:45', 'bis Sa 07:00', 'bis 14. Apr 07:00', 'bis Mitternacht', 'bis 01:00'],
      fr: ["jusqu'à 18:45", "jusqu'à sam 07:00", "jusqu'au 14 avr 07:00", "jusqu'à minuit", "jusqu'à 01:00"],
      es: ['hasta las 18:45', 'hasta el sáb 07:00', 'hasta el 14 abr 07:00', 'hasta medianoche', 'hasta la 01:00'],
      it: ['fino alle 18:45', 'fino a sab 07:00', 'fino al 14 apr 07:00', 'fino a mezzanotte', "fino all'01:00"],
      pt: ['até às 18:45', 'até sáb 07:00', 'até 14 abr 07:00', 'até meia-noite', 'até à 01:00'],
      nl: ['tot 18:45', 'tot za 07:00', 'tot 14 apr 07:00', 'tot middernacht', 'tot 01:00'],
      no: ['til 18:45', 'til lør 07:00', 'til 14. april 07:00', 'til midnatt', 'til 01:00'],
      pl: ['do 18:45', 'do sob 07:00', 'do 14 kwi 07:00', 'do 24:00', 'do 01:00'],
      ja: ['18:45まで', '土 07:00まで', '4/14 07:00まで', '24:00まで', '01:00まで']
    }
    const moments = ['18:45', 'Sat 07:00', 'Apr 14 07:00', 'midnight', '01:00']
    for (const [language, told] of Object.entries(rows))
      t.same(
        moments.map((moment) => until(language as keyof typeof FIXED, moment)),
        told,
        language
      )
    t.equal(timed(FIXED.es.until, '1:30p'), 'hasta la 1:30p', 'the clock of twelve hours too')
    t.equal(timed(FIXED.es.until, '10:30p'), 'hasta las 10:30p')
    t.equal(timed(FIXED.fr.from, momentIn(FIXED.fr, 'Apr 14 07:00')), 'dès le 14 avr 07:00')
    t.equal(timed(FIXED.it.since, momentIn(FIXED.it, 'Apr 14 07:00')), 'dal 14 apr 07:00')
  }
)
