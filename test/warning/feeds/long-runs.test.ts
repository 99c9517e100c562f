import t from 'tap'
import { detectKind } from '../../../src/warning/feeds/detect.ts'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { parseNwsText } from '../../../src/warning/feeds/nws-text/parse.ts'
import { placesAfterFor } from '../../../src/warning/feeds/nws-text/places.ts'
import { riverSentence } from '../../../src/warning/feeds/reading/river.ts'
import { isVolcanoFeed } from '../../../src/warning/feeds/volcano/rss.ts'
import { joinPlaces } from '../../../src/warning/messages/places.ts'
import { splitSentences, withoutStop } from '../../../src/warning/messages/sentences.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'
import { nwsFeature, nwsListing } from './samples.ts'

/** Whatever a sender repeats in a text, reading it costs what its length does: patterns that look again from every sign of a run cost its square. */

const receivedAt = Date.UTC(2026, 0, 15, 18, 1)
const RUNS = ['.', ' ', '1', '1,', '(', '- ', '\n', 'a ', '.\n']
const SIZE = 2000

const run = (sign: string, times: number): string => sign.repeat(Math.ceil(times / sign.length))

t.test('the words of an alert of the weather service', async (t) => {
  for (const field of ['description', 'instruction', 'headline'])
    for (const sign of RUNS) {
      const make = (times: number): string =>
        nwsListing(nwsFeature({ [field]: `Heavy snow. Gusts of 60 mph${run(sign, times)}x expected.` }))
      const growth = growthOfEightfold(make, (listing) => void parseNwsAlerts(listing, { receivedAt }), SIZE)
      t.ok(growth < MOST_GROWTH, `${field} ${JSON.stringify(sign)}: ${growth.toFixed(0)} times as much`)
    }
})

t.test('the parameters of an alert', async (t) => {
  for (const name of ['maxHailSize', 'maxWindGust', 'NWSheadline'])
    for (const sign of RUNS) {
      const make = (times: number): string =>
        nwsListing(nwsFeature({ parameters: { [name]: [`Up to${run(sign, times)}x`] } }))
      const growth = growthOfEightfold(make, (listing) => void parseNwsAlerts(listing, { receivedAt }), SIZE)
      t.ok(growth < MOST_GROWTH, `${name} ${JSON.stringify(sign)}: ${growth.toFixed(0)} times as much`)
    }
})

t.test('a product of plain text', async (t) => {
  const product = (words: string): string =>
    `WWUS45 KPIH 151800\nWSWPIH\n\nURGENT - WINTER WEATHER MESSAGE\nNational Weather Service Pocatello ID\n1100 AM MST Thu Jan 15 2026\n\nIDZ013-160100-\n/O.NEW.KPIH.WS.W.0001.260116T0100Z-260117T0100Z/\nBlaine-\n\n...WINTER STORM WARNING...\n\n* WHAT...Heavy snow${words}x.\n\n$$\n`
  t.equal(parseNwsText(product(''), { receivedAt }).events.length, 1)
  for (const sign of RUNS) {
    const make = (times: number): string => product(run(sign, times))
    const growth = growthOfEightfold(make, (text) => void parseNwsText(text, { receivedAt }), SIZE)
    t.ok(growth < MOST_GROWTH, `${JSON.stringify(sign)}: ${growth.toFixed(0)} times as much`)
  }
})

t.test('sentences', async (t) => {
  for (const sign of [...RUNS, '!?', ',;'])
    for (const read of [splitSentences, withoutStop]) {
      const make = (times: number): string => `Leave now${run(sign, times)}x`
      t.ok(growthOfEightfold(make, (text) => void read(text), SIZE) < MOST_GROWTH, `${read.name} ${sign}`)
    }
})

t.test('comments that never end, before the root of a document', async (t) => {
  for (const sign of ['<!--', '<?', '<!-- a ', '<!---->'])
    for (const read of [(text: string) => isVolcanoFeed(text), (text: string) => t.throws(() => detectKind(text))]) {
      const growth = growthOfEightfold((times) => `<rss ${run(sign, times)}`, read, SIZE)
      t.ok(growth < MOST_GROWTH, `${sign}: ${growth.toFixed(0)} times as much`)
    }
})

t.test('a hundred comments before the root are read at once', async (t) => {
  t.equal(isVolcanoFeed(`${'<!---->'.repeat(100)}<alert/>`), false)
  t.equal(isVolcanoFeed(`<?xml version="1.0"?>${'<!-- a -->\n'.repeat(100)}<rss version="2.0">`), true)
})

t.test('impacts of a river without an end', async (t) => {
  const growth = growthOfEightfold(
    (times) => run('IMPACTS...a\n', times),
    (text) => void riverSentence(text, 'Cedar'),
    SIZE
  )
  t.ok(growth < MOST_GROWTH, `${growth.toFixed(0)} times as much`)
})

t.test('a county in many directions is named without them, and costs what its length does', async (t) => {
  const listed = (name: string): string => `Flood Warning for...\n  ${name}\n`
  t.same(placesAfterFor(listed('Jones in southeast Mississippi')), ['Jones'])
  t.same(placesAfterFor(listed('Jones in north-central and west Mississippi')), ['Jones'])
  const growth = growthOfEightfold(
    (times) => listed(`Jones in ${run('central', times)}!`),
    (text) => void placesAfterFor(text),
    SIZE
  )
  t.ok(growth < MOST_GROWTH, `${growth.toFixed(0)} times as much`)
})

t.test('a name of a place that is cut, whatever it is made of', async (t) => {
  for (const sign of [' , 1', ' 1 nm', ' to', ', north ', '& 1 , ']) {
    const growth = growthOfEightfold(
      (times) => `Lake${run(sign, times)}!`,
      (name) => void joinPlaces([name], name.length - 1),
      SIZE
    )
    t.ok(growth < MOST_GROWTH, `${JSON.stringify(sign)}: ${growth.toFixed(0)} times as much`)
  }
  t.equal(joinPlaces(['Cape Decision to Cape Edgecumbe'], 18), 'Cape Decision')
})
