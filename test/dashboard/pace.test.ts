import t from 'tap'
import { Paces, paceWords } from '../../src/dashboard/pages/frame/pace.ts'
import { translator } from '../../src/dashboard/words/language.ts'

/** Work that takes long says how fast it goes and how long it still takes, but only where that was measured. */

const now = 1_750_000_000_000
const SECOND = 1000

t.test('a pace is known once something was seen to go on for a while', async (t) => {
  const paces = new Paces()
  t.equal(paces.measure('a', { done: 10, now }), null, 'seen once')
  t.equal(paces.measure('a', { done: 12, now: now + 4 * SECOND }), null, 'two within seconds are chance')
  t.equal(paces.measure('a', { done: 30, now: now + 20 * SECOND }), 1)
  t.equal(paces.measure('b', { done: 30, now: now + 20 * SECOND }), null, 'of another nothing is known')
})

t.test('what stands still has no pace, and what begins anew is measured anew', async (t) => {
  const paces = new Paces()
  paces.measure('a', { done: 0, now })
  t.equal(paces.measure('a', { done: 60, now: now + 60 * SECOND }), 1)
  t.equal(paces.measure('a', { done: 60, now: now + 100 * SECOND }), 0.6, 'a pause makes it slower')
  t.equal(paces.measure('a', { done: 60, now: now + 200 * SECOND }), null, 'two minutes without news')
  t.equal(paces.measure('a', { done: 5, now: now + 210 * SECOND }), null)
  t.equal(paces.measure('a', { done: 25, now: now + 230 * SECOND }), 1)
  t.equal(paces.measure('a', { done: 30, now }), null, 'the clock was set back')
})

t.test('only the last minutes count', async (t) => {
  const paces = new Paces()
  paces.measure('a', { done: 0, now })
  paces.measure('a', { done: 6000, now: now + 60 * SECOND })
  t.equal(paces.measure('a', { done: 6060, now: now + 661 * SECOND }), null, 'one left in the window')
  t.equal(paces.measure('a', { done: 6120, now: now + 721 * SECOND }), 1)
})

t.test('pace and time left are words of the language; without a pace no time is promised', async (t) => {
  const en = { t: translator('en'), language: 'en' as const }
  t.equal(paceWords(2.5, 100, en), '2.5 a second, about 40 sec left')
  t.equal(paceWords(0.5, 90, en), '30 a minute, about 3 min left')
  t.equal(paceWords(0.01, 72, en), '36 an hour, about 2 hr left')
  t.equal(paceWords(null, 72, en), null)
  t.match(paceWords(0.5, 90, { t: translator('de'), language: 'de' }) ?? '', /^30 je Minute, noch etwa 3 /)
})
