import t from 'tap'
import type { StorageFault } from '../../src/platform/database/storage-fault.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import { station } from './harness.ts'

/** Contract §6: what waits for nothing but a disk goes on; nothing is begun in the place of the data folder. */

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

t.test('while another folder stands where the data folder belongs nothing is saved there', async (t) => {
  let fault: StorageFault | null = 'gone'
  const s = await station(t, { context: { storageFault: () => fault } })
  const before = s.file()
  const saved = [
    { path: '/api/settings', body: { 'station.name': 'New' } },
    { path: '/api/coverage', body: { coverage: { region_tagging: true, areas: [] } } },
    { path: '/api/keys', body: { provider: 'openai', key: 'k' } },
    { path: '/api/first-run', body: { step: 'radio' } },
    { path: '/api/notifications/region-routing', body: { enabled: true, cells: {} } },
    { method: 'PUT', path: '/api/keys/0', body: { provider: 'openai', key: 'k' } },
    { method: 'DELETE', path: '/api/documents/aa' },
    { method: 'POST', path: '/api/uploads', headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' } },
    { method: 'POST', path: '/api/upload?filename=a.txt', raw: 'text' },
    { method: 'POST', path: '/api/library/sources?filename=a.zim', raw: 'text' },
    { path: '/api/scraper/submit', body: { url: 'https://a.example' } }
  ]
  for (const question of saved) {
    const { status, text } = await s.ask(question)
    // Routes of parts that this station does not have answer as before.
    if (status !== 404) t.match({ status, text }, { status: 503, text: /is not where it was/ }, question.path)
  }
  t.equal(s.file(), before)
  fault = null
  t.not((await s.ask({ path: '/api/keys', body: { provider: 'openai', key: 'k' } })).status, 503)
})
