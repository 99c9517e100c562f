import t from 'tap'
import type { StorageFault } from '../../src/platform/database/storage-fault.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import { station } from './harness.ts'

t.test('while nothing can be stored the answer to a silence or an acknowledgement says so', async (t) => {
  let fault: StorageFault | null = null
  const s = await station(t, { context: { storageFault: () => fault } })
  const { event } = {
    event: parseEventInput(
      { source: 'test', id: 'f1', family: 'fire', title: 'Smoke', severity: 'critical', lat: 44, lon: -114 },
      { now: s.clock.now(), families: new Set(['fire']) }
    )
  }
  await s.context.acceptEvents([event])
  const silence = { path: '/api/silences', body: { family: 'fire', duration: '2h', reason: 'drill' } }
  const ack = { path: `/api/threads/${encodeURIComponent(event.thread_id)}/ack`, body: {} }
  const stored = await s.ask(silence)
  t.equal(stored.status, 201)
  t.notOk('stored' in stored.body)
  t.notOk('stored' in (await s.ask(ack)).body)
  fault = 'io'
  t.match(await s.ask(silence), { status: 201, body: { stored: false } })
  t.match(await s.ask(ack), { status: 200, body: { ok: true, stored: false } })
  const ended = await s.ask({ method: 'DELETE', path: `/api/silences/${String(stored.body.id)}` })
  t.match(ended, { status: 200, body: { ok: true, stored: false } })
})
