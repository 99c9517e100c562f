import t from 'tap'
import { handedTo, report } from '../../helpers/handed.ts'
import { note } from '../../helpers/in-words.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** The log of the radio traffic beside what the simulated air had, over the whole walk: docs/interface.md §7. */

const mtOnly = withMatrix({ fire: { North: { mt: 3 } } })
const ALL = { until: Number.MAX_SAFE_INTEGER, limit: 100 }

const sent = ({ core }: Station) =>
  core.ledger.comms.sent({ after: { at: 0, n: 0 }, ...ALL }).entries.map(({ transmission }) => transmission)

t.test('every time the air had a text stands in the log once, repeats too', async (t) => {
  const s = await station(t, { config: mtOnly, neighbours: 0 })
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(600)
  t.ok(s.mt.sentCount > 1, 'it is said again while nobody hears it')
  t.equal(sent(s).length, s.mt.sentCount)
  t.same(
    sent(s).map(({ again }) => again),
    sent(s).map((_, index) => index > 0)
  )
})

t.test('a text whose answer was lost is in the log because somebody repeated it', async (t) => {
  const s = await station(t, { config: mtOnly })
  s.mt.setFault({ silentNext: 'on-air' })
  await s.post({ id: 'a', severity: 'priority' })
  await s.run(120)
  t.equal(s.mt.sentCount, 1)
  t.match(sent(s), [{ known: 'heard' }])
})

t.test(
  'a text that was discarded without a word is in no log of what was on the air, but among what nobody knows',
  async (t) => {
    const s = await station(t, { config: mtOnly })
    s.mt.setFault({ silentNext: 'discarded' })
    await s.post({ id: 'a', severity: 'priority' })
    await s.run(120)
    t.equal(s.mt.sentCount, 0)
    t.same(sent(s), [])
    const { entries } = s.core.ledger.comms.notSent({ after: { at: 0, n: 0 }, ...ALL })
    t.match(entries, [{ delivery: { state: 'sent_unknown' } }])
  }
)

t.test('what the radio refuses late was not on the air, and the next try was', async (t) => {
  const s = await station(t, { config: mtOnly, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'priority' })
  await s.run(30)
  t.equal(sent(s).length, 1)
  report(s.mt, handed[0]?.identity, { kind: 'refused', reason: note('PKI_SEND_FAIL_PUBLIC_KEY') })
  t.same(sent(s), [], 'until it is tried again')
  await s.run(30)
  t.match(sent(s), [{ again: false }])
})

t.test('a text of three parts is three lines, none of them a repeat', async (t) => {
  const s = await station(t, { config: { ...mtOnly, messages: { max_parts: 3 } } })
  await s.post({ id: 'a', severity: 'priority', summary: 'Long summary '.repeat(30) })
  await s.run(120)
  t.match(sent(s), [
    { part: { part: 1, count: 3 }, again: false },
    { part: { part: 2, count: 3 }, again: false },
    { part: null, again: false }
  ])
})
