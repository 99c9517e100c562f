import t from 'tap'
import * as v from 'valibot'
import { configSchema } from '../../src/settings/schema.ts'
import { configWarnings } from '../../src/settings/warnings.ts'
import { NOW, station } from './harness.ts'

const config = {
  coverage: { areas: [{ name: 'North', west: -117, south: 43, east: -116, north: 44 }] },
  notifications: { region_routes: { enabled: true, cells: { fire: { Old: { mt: 3, mc: null } } } } },
  http: { trusted_proxies: ['127.0.0.1'], operators: ['ann'] }
}
const ann = { 'x-idp-username': 'ann' }
const post = (path: string, body: unknown, headers: Record<string, string> = ann) => ({
  method: 'POST',
  path,
  body,
  headers
})

t.test('a silence is made, listed and ended, with author, reason and end', async (t) => {
  const { ask, clock } = await station(t, { config })
  const made = await ask(
    post('/api/silences', { family: 'fire', region: 'North', duration: '2h', reason: 'controlled burn' })
  )
  t.equal(made.status, 201)
  t.same(made.body, {
    id: 1,
    family: 'fire',
    region: 'North',
    thread_id: null,
    code: null,
    include_immediate: false,
    author: 'ann',
    reason: 'controlled burn',
    from: new Date(NOW).toISOString(),
    until: new Date(NOW + 7_200_000).toISOString()
  })
  t.same((await ask({ path: '/api/silences', headers: ann })).body, { silences: [made.body] })
  t.match((await ask('/api/silences')).body, { silences: [{ author: '…', reason: 'controlled burn' }] }, 'a guest')
  const ended = await ask({ method: 'DELETE', path: '/api/silences/1', headers: ann })
  t.equal(ended.status, 200)
  t.equal(ended.body.ok, true)
  t.same((await ask('/api/silences')).body, { silences: [] })
  t.equal((await ask({ method: 'DELETE', path: '/api/silences/1', headers: ann })).status, 404)
  t.equal((await ask({ method: 'DELETE', path: '/api/silences/x', headers: ann })).status, 404)

  await ask(
    post('/api/silences', { region: 'Old', until: '2026-07-01T13:00:00Z', reason: 'x', include_immediate: true })
  )
  t.match((await ask('/api/silences')).body.silences, [{ region: 'Old', include_immediate: true }])
  await clock.runTo(NOW + 3_600_001)
  t.same((await ask('/api/silences')).body, { silences: [] }, 'it ends by itself')
})

t.test('what cannot be a silence is refused with its place', async (t) => {
  const { ask } = await station(t, { config })
  const good = { family: 'fire', duration: '2h', reason: 'x' }
  const cases: [Record<string, unknown>, string][] = [
    [{ duration: '2h', reason: 'x' }, ''],
    [{ ...good, family: 'nonsense' }, '/family'],
    [{ ...good, region: 'Nowhere' }, '/region'],
    [{ ...good, thread: 'ZZZZ' }, '/thread'],
    [{ ...good, reason: ' ' }, '/reason'],
    [{ family: 'fire', duration: '2h' }, '/reason'],
    [{ ...good, duration: '8d' }, '/duration'],
    [{ ...good, duration: 'soon' }, '/duration'],
    [{ family: 'fire', reason: 'x' }, '/duration'],
    [{ ...good, until: '2026-07-01T13:00:00Z' }, '/duration'],
    [{ family: 'fire', reason: 'x', until: '2026-07-01T11:00:00Z' }, '/until'],
    [{ family: 'fire', reason: 'x', until: 'tomorrow' }, '/until'],
    [{ family: 'fire', reason: 'x', until: '2026-08-01T11:00:00Z' }, '/until'],
    [{ ...good, include_immediate: 'yes' }, '/include_immediate'],
    [{ ...good, includes_immediate: true }, '/includes_immediate']
  ]
  for (const [body, path] of cases) {
    const answer = await ask(post('/api/silences', body))
    t.equal(answer.status, 422, JSON.stringify(body))
    t.equal(answer.body.errors[0].path, path, JSON.stringify(body))
  }
  t.same((await ask('/api/silences')).body, { silences: [] })
})

t.test('only the operator silences and acknowledges', async (t) => {
  const { ask } = await station(t, { config })
  const body = { family: 'fire', duration: '2h', reason: 'x' }
  for (const [headers, status] of [
    [{}, 401],
    [{ 'x-idp-username': 'ben' }, 403],
    [{ ...ann, origin: 'http://evil.example' }, 403]
  ] as const) {
    t.equal((await ask(post('/api/silences', body, headers))).status, status)
    t.equal((await ask(post('/api/threads/x/ack', {}, headers))).status, status)
    t.equal((await ask({ method: 'DELETE', path: '/api/silences/1', headers })).status, status)
  }
  const wrong = await ask({ method: 'DELETE', path: '/api/silences', headers: ann })
  t.equal(wrong.status, 405)
  t.equal(wrong.headers.allow, 'GET, HEAD, POST')
})

t.test('an alert is acknowledged by thread id or code, and its trace shows who did', async (t) => {
  const { ask } = await station(t, { config })
  const event = { id: 'e1', source: 'test', family: 'fire', title: 'Pine Fire', thread_id: 'a/b c' }
  const { body: posted } = await ask(post('/api/events', event))
  const thread = posted.events[0].thread_id as string
  const before = (await ask('/api/events/e1/trace')).body
  t.match(before.code, /^[0-9A-Z]{4}$/)
  t.same([before.acks, before.escalation], [[], null])
  t.equal((await ask('/api/events/e1')).body.code, before.code)
  t.equal((await ask('/api/events')).body.events[0].code, before.code)

  const answer = await ask(post(`/api/threads/${encodeURIComponent(thread)}/ack`, { reason: 'crew is there' }))
  t.equal(answer.status, 200)
  t.match(answer.body, { ok: true, thread_id: thread, code: before.code, stopped: false })
  t.equal((await ask(post(`/api/threads/${before.code.toLowerCase()}/ack`, {}))).status, 200)
  const at = new Date(NOW).toISOString()
  t.same((await ask({ path: '/api/events/e1/trace', headers: ann })).body.acks, [
    { author: 'ann', name: 'ann', reason: 'crew is there', at },
    { author: 'ann', name: 'ann', reason: '', at }
  ])
  t.equal((await ask(post('/api/threads/nothing/ack', {}))).status, 404)
  t.equal((await ask(post(`/api/threads/${before.code}/ack`, { reason: 'x'.repeat(201) }))).status, 422)
  t.equal((await ask(post(`/api/threads/${before.code}/ack`, { why: 'x' }))).status, 422)

  const silence = await ask(post('/api/silences', { thread: before.code, duration: '1h', reason: 'known' }))
  t.match(silence.body, { thread_id: thread, code: before.code })
})

t.test('a cell without fallback has no such key on the wire; one with it keeps it', async (t) => {
  const { ask, file } = await station(t, { config: { ...config, http: {} } })
  const cells = {
    fire: {
      A: { mt: 1, mc: 'a', min_severity: 'routine', enabled: true },
      B: { mt: 1, mc: 'b', min_severity: 'routine', enabled: true, fallback: true },
      C: { mt: 1, mc: 'c', min_severity: 'routine', enabled: true, fallback: 'mc_first' },
      D: { mt: 1, mc: 'd', min_severity: 'routine', enabled: true, fallback: false }
    }
  }
  const path = '/api/notifications/region-routing'
  const saved = await ask({ method: 'POST', path, body: { enabled: true, cells } })
  t.equal(saved.status, 200)
  t.notOk(saved.body.warnings.some(({ code }: { code: string }) => code === 'unknown_key'))
  const { D, ...rest } = cells.fire
  const { fallback: _, ...plain } = D
  t.same((await ask(path)).body.cells, { fire: { ...rest, D: plain } })
  t.same(Object.keys(saved.body.saved.cells.fire.A), ['mt', 'mc', 'min_severity', 'enabled'])
  t.equal(JSON.parse(file()).notifications.region_routes.cells.fire.C.fallback, 'mc_first')
  const wrong = await ask({
    method: 'POST',
    path,
    body: { enabled: true, cells: { fire: { A: { mt: 1, fallback: 'x' } } } }
  })
  t.equal(wrong.status, 422)
  t.equal(wrong.body.errors[0].path, '/cells/fire/A/fallback')
})

t.test('check-config warns of steps that tell nobody and of a fallback without a second channel', async (t) => {
  const raw = {
    coverage: { region_tagging: true, areas: [{ name: 'North', west: -117, south: 43, east: -116, north: 44 }] },
    notifications: {
      escalation: {
        fire: {
          steps: [
            { after_seconds: 60, type: 'dm' },
            { after_seconds: 60, type: 'webhook', destination: 'ops' }
          ]
        },
        nonsense: { steps: [] }
      },
      region_routes: { enabled: true, cells: { fire: { North: { mt: 3, fallback: true } } } }
    }
  }
  const warnings = configWarnings(raw, v.parse(configSchema, raw)).map(({ path, code }) => `${code} ${path}`)
  t.same(warnings, [
    'idle_fallback /notifications/region_routes/cells/fire/North/fallback',
    'idle_step /notifications/escalation/fire/steps/0',
    'orphan_destination /notifications/escalation/fire/steps/1/destination',
    'orphan_family /notifications/escalation/nonsense'
  ])
  for (const step of [{ type: 'repeat' }, { after_seconds: 1, type: 'repeat' }, { after_seconds: 60, type: 'shout' }])
    t.throws(() => v.parse(configSchema, { notifications: { escalation: { fire: { steps: [step] } } } }))
  for (const admin of ['Ann', '!a1b2', 'aabbccddee', '!aabbccddeeff'])
    t.throws(() => v.parse(configSchema, { commands: { admins: [admin] } }), admin)
})
