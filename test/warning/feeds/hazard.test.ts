import t from 'tap'
import { callToAction, urgentCall } from '../../../src/warning/feeds/polling/calls.ts'
import { clockLabel, hazardSentence, headlined } from '../../../src/warning/feeds/reading/hazard.ts'
import { riverSentence } from '../../../src/warning/feeds/reading/river.ts'

t.test('a flood is told with its river, its grade, its height, its crest and its flood stage', async (t) => {
  const bulletin = `* WHAT...Minor flooding is occurring and moderate flooding is forecast.

* WHERE...Mill River near Ford.

* IMPACTS...At 13.0 feet, water covers the mill road.

* ADDITIONAL DETAILS...
- At 7:45 AM MST Monday the stage was 12.4 feet.
- Forecast...The river will rise to 14.1 feet late tonight. It will then fall.
- Flood stage is 11.0 feet.
`
  t.equal(
    hazardSentence(bulletin, 'Flood Warning'),
    'Mill River near Ford: moderate flooding forecast, 12.4ft, crest 14.1ft tonight, flood stage 11ft'
  )
  const crested = bulletin.replace(/The river will.*/, 'The river has crested and will fall below flood stage.')
  t.match(hazardSentence(crested, 'Flood Warning'), /12\.4ft, falling, flood stage 11ft$/)
})

t.test('the line of an impact is no reading, and a slip of the forecaster is no height', async (t) => {
  t.equal(riverSentence('* At 9.0 feet...FLOOD STAGE.', ''), null)
  t.equal(
    riverSentence('* The flow was 9,910.0 cfs.\n* Forecast...The river will remain near 10,00 cfs.', ''),
    '9910cfs'
  )
  t.equal(
    riverSentence(
      '* At 2 AM the stage was 12.1 feet.\n* At 12.0 feet, roads flood.\n* Minor flooding is occurring.',
      ''
    ),
    'Minor flooding, 12.1ft'
  )
})

t.test('fire weather is told with wind and humidity', async (t) => {
  const bulletin = `* WINDS...For Warning this afternoon southwest winds 15 to 30 mph. For
Watch on Tuesday, Southwest 35 to 45 mph with gusts up to 65 mph.

* RELATIVE HUMIDITY...As low as 12 percent.
`
  t.equal(hazardSentence(bulletin, 'Red Flag Warning'), 'southwest winds 15 to 30 mph, humidity 12 percent')
  t.equal(
    hazardSentence(bulletin, 'Fire Weather Watch'),
    'Wind Southwest 35 to 45 mph with gusts up to 65 mph, humidity 12 percent'
  )
})

t.test('a watch is told with its threats, never with its table of counties', async (t) => {
  const listed = `The NWS Storm Prediction Center has issued a

* Tornado Watch for portions of
  Northern Plains

* Primary threats include...
  A few tornadoes likely with an intense tornado
    possible
  Large hail to 2 inches in diameter likely
  Gusts to 75 mph possible
`
  t.equal(
    hazardSentence(listed, 'Tornado Watch'),
    'A few tornadoes likely with an intense tornado possible, hail to 2 inches, gusts to 75 mph'
  )
  const counties = `TORNADO WATCH 8 REMAINS VALID UNTIL 4 PM EST THIS AFTERNOON FOR THE FOLLOWING AREAS

IN FLORIDA THIS WATCH INCLUDES 6 COUNTIES

IN NORTHEAST FLORIDA

BAKER                 CLAY                  DUVAL
FLAGLER               NASSAU                ST. JOHNS

THIS INCLUDES THE CITIES OF MACCLENNY AND PALATKA.
`
  t.equal(hazardSentence(counties, 'Tornado Watch'), '')
})

t.test('of two warnings of one name each gets its own sentence: by WHEN, else by what has begun', async (t) => {
  const bulletin = `* WHAT...For the first Gale Warning, northwest winds 30 kt. For the second
Gale Warning, north winds 40 kt.

* WHEN...For the first Gale Warning, from 3 PM this afternoon to midnight tonight. For the
second Gale Warning, from 6 AM to noon Monday.
`
  const begins = Date.parse('2026-02-16T00:00:00Z')
  t.match(hazardSentence(bulletin, 'Gale Warning', { begins, labels: ['3 PM', 'midnight'] }), /^Northwest winds 30/)
  t.match(hazardSentence(bulletin, 'Gale Warning', { begins, labels: ['6 AM', 'noon'] }), /^North winds 40/)
  t.match(hazardSentence(bulletin, 'Gale Warning', { begins, labels: [] }), /^For the first/, 'it says itself which')
  const running = bulletin.replace('from 3 PM this afternoon to', 'until')
  t.match(hazardSentence(running, 'Gale Warning', { begins, labels: [] }), /^North winds 40/)
  t.match(hazardSentence(running, 'Gale Warning', { begins: null, labels: [] }), /^Northwest winds 30/)
  t.strictSame(clockLabel('2026-02-15T15:00:00-09:00'), ['3 PM'])
  t.strictSame(clockLabel('2026-02-16T00:00:00-09:00'), ['midnight'])
  t.strictSame(clockLabel('2026-02-16T00:00:00+00:00'), [], 'no office writes UTC')
})

t.test('a storm is told with where it moves and what it brings', async (t) => {
  const bulletin = `At 427 PM EST, a strong thunderstorm was near Gray, moving east at 35 mph.

HAZARD...Up to 40 mph wind.

SOURCE...Radar indicated.
`
  t.equal(
    hazardSentence(bulletin, 'Special Weather Statement'),
    'At 427 PM EST, a strong thunderstorm was near Gray, moving east at 35 mph. Up to 40 mph wind.'
  )
})

t.test('the period of a marine forecast is the one in which the warning begins', async (t) => {
  const bulletin =
    'Coastal Waters Forecast.\n\n.TODAY...NW wind 35 kt.\n.TONIGHT...NW wind 30 kt.\n.TUE...NW wind 50 kt.\nSeas 10 ft.\n.WED...Calm.'
  t.equal(hazardSentence(bulletin, 'Storm Warning'), 'NW wind 35 kt.')
  const begins = Date.parse('2025-12-16T14:00:00Z')
  t.equal(hazardSentence(bulletin, 'Storm Warning', { begins, labels: [] }), 'NW wind 50 kt. Seas 10 ft.')
})

t.test('boilerplate, codes and products of products are never the detail', async (t) => {
  const rows = [
    'This product covers eastern Florida panhandle',
    'A TROPICAL STORM WARNING MEANS TROPICAL STORM WIND CONDITIONS ARE EXPECTED.',
    'MDZ021>025-160400-\nDorchester-',
    'The areas affected include the coast.',
    'Locations impacted include...\nGray and Clinton.'
  ]
  for (const boilerplate of rows)
    t.equal(hazardSentence(`${boilerplate}\n\nThe dam may fail.`, 'Statement'), 'The dam may fail.', boilerplate)
})

t.test('a statement in prose is told by its headline, in usual spelling', async (t) => {
  const description = 'Rain falls on the Ridge and in western Washington all week, more than was thought before.'
  const headline = 'HEAVY RAIN THIS WEEK WILL LEAD TO LANDSLIDES IN WESTERN WASHINGTON'
  t.equal(
    headlined('Rain falls.', { description, event: 'Special Weather Statement', headline }),
    'Heavy rain this week will lead to landslides in western Washington'
  )
  t.equal(headlined('Rain falls.', { description, event: 'Flood Warning', headline }), 'Rain falls.')
})

t.test('what saves lives is the instruction, whatever stands before it', async (t) => {
  const rows: [string, string][] = [
    [
      'Bulletins go out. If you are near the levee be alert. Move to higher ground now. Act quickly.',
      'Move to higher ground now.'
    ],
    ['Monitor the latest forecasts for updates on this situation.', ''],
    ['A Fire Weather Watch means that fires may start. Listen for later forecasts.', ''],
    [
      'People are urged to secure loose objects that could be blown around.',
      'Secure loose objects that could be blown around.'
    ],
    [
      'You should monitor later forecasts. Slow down and use caution while traveling.',
      'Slow down and use caution while traveling.'
    ],
    ['Es brennt. Halten Sie Fenster und Türen geschlossen.', 'Halten Sie Fenster und Türen geschlossen.'],
    ['Not Applicable', '']
  ]
  for (const [instruction, call] of rows) t.equal(callToAction(instruction), call)
  t.equal(
    urgentCall('Winds rise. People in the path of these winds are urged to seek a sturdy shelter immediately!'),
    'Seek a sturdy shelter immediately!'
  )
  t.equal(urgentCall('Winds rise.'), '')
})

t.test(
  'a watch that only lists its counties has no words of its own: neither the code of a state nor a heading',
  async (t) => {
    const watch =
      'SEVERE THUNDERSTORM WATCH 201 IS IN EFFECT UNTIL 10 PM CDT FOR THE\nFOLLOWING LOCATIONS\n\nKS\n. KANSAS COUNTIES INCLUDED ARE\n\nBUTLER COWLEY HARVEY RENO SEDGWICK SUMNER'
    t.equal(hazardSentence(watch, 'Severe Thunderstorm Watch'), '')
  }
)
