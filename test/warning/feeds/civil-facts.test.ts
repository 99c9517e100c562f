import t from 'tap'
import { airFacts, airSentence } from '../../../src/warning/feeds/reading/air-quality.ts'
import { missingFacts, missingSentence } from '../../../src/warning/feeds/reading/missing.ts'

t.test('an alert about a missing child gives child, car and plate', async (t) => {
  const modern =
    'This is an AMBER Alert. Police in Ottumwa are looking for a 13 year old white female. She was last seen in a yellow 2001 Nissan Frontier with Florida license plate ERZB06. Call 911.'
  t.same(missingFacts(modern), { who: 'girl 13', vehicle: 'yellow 2001 Nissan Frontier', plate: 'ERZB06' })
  t.equal(missingSentence(modern), 'Girl 13, yellow 2001 Nissan Frontier, plate ERZB06.')
  const capitals =
    'THE SUSPECT IS DRIVING A\nSILVER 2012 CHEVROLET IMPALA BEARING TX PLATE NUMBER BX1 4471\nWITH A 4-YEAR-OLD BOY.'
  t.match(missingFacts(capitals), { who: 'boy 4', vehicle: 'silver 2012 Chevrolet Impala' })
  t.match(missingFacts('a 2015 black Ford F-150, tag: GA RKT8842, with a 78 year old man'), {
    who: 'man 78',
    vehicle: 'black 2015 Ford F-150',
    plate: 'GA RKT8842'
  })
  t.equal(missingFacts('for 6 year old Jane Doe, white female, brown hair').who, 'girl 6')
  const plates: [string, string][] = [
    ['Kansas license plate 123 ABC. If seen call 911.', '123 ABC'],
    ['license plate ABC 1234 and was', 'ABC 1234'],
    ['LICENSE PLATE 8XYZ123 LAST SEEN', '8XYZ123'],
    ['LICENSE PLATE BX1 4471 WITH A BOY', 'BX1 4471'],
    ['LICENSE PLATE 4471 LAST SEEN IN OMAHA', '4471'],
    ['tag number ABC-123 heading east', 'ABC-123']
  ]
  for (const [text, plate] of plates) t.equal(missingFacts(text).plate, plate, text)
  t.same(missingFacts('THIS IS AN AMBER ALERT. Details follow. License plates are checked.'), {})
  t.equal(missingSentence('THIS IS AN AMBER ALERT.'), '')
})

t.test('an air quality alert gives pollutant, level and what to do', async (t) => {
  const text = `The Delaware Department of Natural Resources and Environmental Control has issued a Code
Orange Air Quality Alert for ground level ozone. Avoid mowing lawns with gasoline-powered mowers.
Children and older adults should limit prolonged outdoor exertion.`
  t.same(airFacts(text), {
    pollutant: 'ozone',
    level: 'code orange',
    action: 'Children and older adults should limit prolonged outdoor exertion.'
  })
  t.equal(airSentence(text), 'Code orange, ozone.')
  t.match(airFacts('Smoke from wildfires. Air quality is unhealthy for sensitive groups.'), {
    pollutant: 'smoke',
    level: 'unhealthy for sensitive groups'
  })
  t.same(airFacts('MDZ021>025-160400-Dorchester-'), {})
})
