import t from 'tap'
import { byteLength } from '../../../src/warning/messages/budget.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import type { ComposeRequest } from '../../../src/warning/messages/request.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { readRecording } from '../../helpers/recordings.ts'
import { event } from './sample-events.ts'
import { request } from './samples.ts'

const NINE = [
  'The dam at Lake Alta has failed.',
  'Water reaches the mill at about 7:15 PM and the town of Alta by 8 PM.',
  'The valley road is closed from mile 12 to mile 31.',
  'Walk uphill at once and do not take the car across the lower bridge.',
  'The school on Ridge Street and the church hall are open for 400 people.',
  'Trains between Alta and Port Grey have stopped until further notice.',
  'Drinking water from the town supply must be boiled for at least 10 minutes.',
  'Helicopters look for people on roofs, so hang out a bright cloth.',
  'The next notice comes at 9 PM on this channel.'
]
const DAM = event({
  family: 'emergency',
  title: 'Dam failure',
  summary: NINE.join(' '),
  expires: '2026-07-04T03:00:00Z',
  data: { event_name: 'Dam failure' }
})

/** The words of a part, without its number and without what it repeats of the head. */
const bare = (part: string): string => part.replace(/ \d\/\d$/, '').replace(/^DAM FAILURE: /, '')

t.test('a summary of nine sentences fills the parts it may have, sentence by sentence', async (t) => {
  const composed = (maxParts: number) => composeMessage(request({ event: DAM, regions: ['Alta'], maxParts }))
  const counts = [1, 2, 3].map((maxParts) => {
    const { parts, bytes } = composed(maxParts)
    t.equal(parts.length, maxParts)
    t.ok(bytes.every((length) => length <= 200))
    for (const part of parts) t.match(bare(part), /[.\d\w]$/)
    return NINE.filter((sentence) => parts.some((part) => part.includes(sentence.slice(0, -1)))).length
  })
  t.strictSame(counts, [1, 5, 7])
  const { parts } = composed(3)
  t.match(parts[0], /^DAM FAILURE Alta til 9:00p\. The dam at Lake Alta has failed\. .* 1\/3$/)
  for (const part of parts.slice(1))
    t.match(part, /^DAM FAILURE: [A-Z]/, 'whoever missed the first knows what it is about')
})

t.test('one whole packet is cheaper than two half ones', async (t) => {
  const detail = 'Water is over the road at the ford and at the mill. Rising by a foot an hour until about midnight'
  const flood = event({
    expires: '2026-07-04T03:00:00Z',
    data: { event_name: 'Flood Warning', detail, instruction: 'Stay on high ground tonight.' }
  })
  const { parts } = composeMessage(request({ event: flood, regions: ['North'], maxParts: 3, targetBytes: 120 }))
  t.equal(parts.length, 1)
  t.match(parts[0], /about midnight\. Stay on high ground tonight$/)
})

t.test('a sentence too long for a part breaks neither in a word nor before what a number counts', async (t) => {
  const words = Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? `${i} kilometres` : 'towards')).join(' ')
  for (let limitBytes = 80; limitBytes <= 200; limitBytes++) {
    const { parts, bytes } = composeMessage(
      request({ event: event({ ...DAM, summary: words }), limitBytes, maxParts: 3 })
    )
    t.equal(parts.length, 3)
    t.ok(bytes.every((length) => length <= limitBytes))
    for (const part of parts) t.notMatch(bare(part), /(?:\d|kilometre|toward)$/)
  }
})

const FILES = [
  'nws-geojson/active-2025-12-15-northwest.json',
  'nws-geojson/alerts-500-part-a.json',
  'nws-text/TOR_emergency.txt',
  'cap/canada.cap',
  'meteoalarm/legacy-atom-germany.xml',
  'avalanche/ca-sea-to-sky-forecast.json',
  'gdacs/gdacs-rss-24h.xml',
  'swpc/alerts.2025_04_17.json'
]
/** MT, and MC behind a name of 20 bytes. */
const LIMITS = [200, 155 - 22]

t.test('of real warnings more parts say more, and every part is whole words within its limit', async (t) => {
  let longer = 0
  for (const file of FILES) {
    const path = needsFixture(t, `feeds/${file}`)
    if (path === null) continue
    const { events, station, nowMs } = await readRecording(file, path)
    for (const one of events.slice(0, 80)) {
      for (const limitBytes of LIMITS) {
        const asked: ComposeRequest = {
          event: one,
          kind: 'new',
          regions: ['North'],
          station,
          limitBytes,
          targetBytes: 120,
          nowMs
        }
        const single = composeMessage(asked)
        t.same(composeMessage({ ...asked, maxParts: 1 }), single, 'one part is what it was')
        const whole = composeMessage({ ...asked, limitBytes: 4000, targetBytes: 4000, maxParts: 3 }).parts.join(' ')
        const known = new Set(wordsOf(whole))
        const { parts, bytes } = composeMessage({ ...asked, maxParts: 3 })
        const name = `${file} ${one.id} ${limitBytes}`
        if (parts.length > 1) longer++
        if (sum(bytes) < sum(single.bytes)) t.fail(`${name} says less: ${parts.join(' | ')}`)
        for (const part of parts) {
          if (byteLength(part) > limitBytes) t.fail(`${name}: ${part}`)
          const strange = wordsOf(part.replace(/ \d\/\d$/, '')).filter((word) => !known.has(word))
          if (strange.length > 0) t.fail(`${name} cuts ${strange.join(', ')}: ${part}`)
        }
      }
    }
  }
  t.comment(`${longer} texts of more than one part`)
})

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
/** Lists of places are shortened to `+3`, and a sentence may end with a part. */
const wordsOf = (text: string): string[] =>
  text
    .split(/[\s/]+/)
    .map((word) => word.replace(/^\+\d+$|[.,;:]+$/g, ''))
    .filter((word) => word !== '')
