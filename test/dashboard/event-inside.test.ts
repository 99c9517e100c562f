import t from 'tap'
import { FROM_AFAR, station } from './harness.ts'

const NOW = Date.parse('2026-06-01T18:00:00Z')
const inside = () => ({ nodes: [{ name: 'Anna', at: NOW - 300_000 }], placed: 3, untold: 7, whole: true })

t.test('the page of an alert tells the operator which radios are inside, and a guest nothing of it', async (t) => {
  const quiet = await station(t)
  const s = await station(t, { context: { reactions: { ...quiet.context.reactions, inside } } })
  const event = { id: 'a', source: 'test', family: 'fire', title: 'Pine Fire', severity: 'critical' }
  const { status } = await s.ask({ path: '/api/events', method: 'POST', body: event })
  t.equal(status, 202)
  const page = (await s.ask({ path: '/events/a' })).text
  t.match(page, /Radios inside/)
  t.match(page, /1 of 3 known positions lie inside; 7 nodes told none\./)
  t.match(page, /<li>Anna: /)
  const guest = (await s.ask({ path: '/events/a', headers: FROM_AFAR })).text
  t.match(guest, /Pine Fire/)
  t.notMatch(guest, /Radios inside|Anna/)
})
