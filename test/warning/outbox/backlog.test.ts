import t from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { AT_ONCE } from '../../../src/warning/outbox/waiting.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

/** A storm leaves this behind: thousands of rows that change together. */

const mtOnly = { fire: { North: { mt: 3 } } }

/** Posts that many events of threads of their own, all at one instant. */
async function storm(s: Awaited<ReturnType<typeof station>>, count: number): Promise<void> {
  const first = await s.post({ id: 'first' })
  const events = Array.from({ length: count - 1 }, (_, at) => ({
    ...first.event,
    id: `event-${at}`,
    thread_id: `thread-${at}`
  }))
  const accepted = s.core.accept(events.map((event) => ({ event })))
  await s.clock.runTo(s.clock.now())
  await accepted
}

t.test('thousands of messages for a channel the radio does not have are all closed, and others go on', async (t) => {
  const config = withMatrix({ fire: { North: { mc: 'nobody' } }, weather: { North: { mc: 'known' } } })
  const s = await station(t, { config })
  s.mc.channels = () => [{ id: 'known', name: 'known', enabled: true }]
  await storm(s, 1000)
  await s.post({ id: 'other', family: 'weather' })
  await s.run(30)
  t.equal(s.core.waiting.counts()['failed'], 1000)
  t.match(s.core.deliveries.list({ limit: 1, state: 'failed' }).deliveries, [{ radio: 'sim-mc', reason: 'no_channel' }])
  t.match(s.onAir(), [/^mc:known /])
})

t.test('of a backlog whose time is over nothing is sent, however long it is', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  await storm(s, 2000)
  await s.run(35 * 60)
  const { expired = 0, heard = 0 } = s.core.waiting.counts()
  t.equal(expired + heard, 2000)
  t.ok(expired > 7 * AT_ONCE, 'seven slices and more')
  t.ok((s.mt.airLog.at(-1)?.at ?? 0) < START + 30 * 60_000 + 5000)
})

t.test('a backlog follows the radio as a whole: held when it is lost, free when it is back', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  await storm(s, 1500)
  s.mt.setFault({ down: true })
  t.ok((s.core.waiting.counts()['held'] ?? 0) <= 150, 'a slice at a time (contract §6)')
  await s.run(1)
  t.equal(s.core.waiting.counts()['held'], 1499)
  t.equal(s.core.waiting.open('mt'), 1499)
  t.equal(s.core.waiting.open('mc'), 0)
  t.match(s.core.deliveries.steps(2).at(-1), { state: 'held', reason: 'radio_down' })
  s.mt.setFault({ down: false })
  await s.run(1)
  t.equal(s.core.waiting.counts()['held'], undefined)
  t.match(s.core.deliveries.steps(2).at(-1), { state: 'queued', reason: null, step: { code: 'way_free' } })
})

t.test('a message given up gives its dedup key back, with thousands of others too', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  await storm(s, 1200)
  await s.run(31 * 60)
  const again = await s.post({ id: 'later', thread_id: 'thread-1198', severity: 'critical' })
  t.match(again.decision, { kind: 'send' })
})

t.test('what is past its retention goes in slices, and nothing that waits goes with it', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  await storm(s, 1500)
  const later = START + 31 * 86_400_000
  const days = { events: 30, deliveries: 30, traces: 14 }
  t.equal(s.core.ledger.prune(later, days), true, 'two hundred events, and more to do')
  t.equal(s.core.ledger.list({ limit: 2000 }).length, 1300)
  let slices = 1
  while (s.core.ledger.prune(later, days)) slices++
  t.ok(slices < 40, `${slices} slices`)
  t.equal(s.core.ledger.list({ limit: 2000 }).length, 0)
  t.equal(s.core.waiting.open('mt'), 1500)
})

t.test('observers are told once per row and commit, with what is stored, and never of a rollback', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: [], synchronous: 'FULL' })
  t.teardown(() => db.close())
  const told: string[] = []
  t.throws(() =>
    db.transaction(() => {
      db.afterCommit(() => told.push('rolled back'), 1)
      throw new Error('no')
    })
  )
  db.transaction(() => {
    db.afterCommit(() => told.push('first'), 1)
    db.afterCommit(() => told.push('the same row again'), 1)
    db.afterCommit(() => told.push('another'), 2)
    db.afterCommit(() => told.push('without a key'))
    t.same(told, [])
  })
  db.afterCommit(() => told.push('outside'), 1)
  t.same(told, ['first', 'another', 'without a key', 'outside'])
})
