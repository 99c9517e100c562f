import t from 'tap'
import { csv } from '../../src/dashboard/server/csv.ts'
import { AppError } from '../../src/platform/errors.ts'
import type { DeliveryView } from '../../src/warning/outbox/delivery.ts'
import { note } from '../helpers/in-words.ts'
import { FROM_AFAR, fire, radio, send, station } from './harness.ts'

t.test('one event or many are taken once each, and a repeat is counted as one', async (t) => {
  const { ask } = await station(t)
  const first = await ask({ path: '/api/events', body: fire })
  t.same(
    [first.status, first.body],
    [202, { accepted: 1, duplicates: 0, events: [{ id: 'f1', thread_id: 'test:f1' }] }]
  )
  const again = await ask({ path: '/api/events', body: [fire, { ...fire, id: 'f2' }] })
  t.match(again.body, { accepted: 1, duplicates: 1, events: [{ id: 'f1' }, { id: 'f2' }] })
  t.match((await ask({ path: '/api/events', body: [] })).body, { accepted: 0, duplicates: 0, events: [] })
})

t.test('a list tells of each event what its own address tells, to operators and to guests', async (t) => {
  const { ask } = await station(t)
  const secret = 'https://name:word@feed.example/a?key=1'
  await ask({
    path: '/api/events',
    body: [fire, { ...fire, id: 'f2', title: 'Say "out", \u2028 now', summary: secret }]
  })
  for (const headers of [{}, FROM_AFAR]) {
    const { events } = (await ask({ path: '/api/events', headers })).body
    t.equal(events.length, 2)
    for (const event of events) t.same(event, (await ask({ path: `/api/events/${event.id}`, headers })).body, event.id)
    t.equal(JSON.stringify(events).includes(secret), headers !== FROM_AFAR)
  }
})

t.test('events are listed newest first, filtered and page by page', async (t) => {
  const { ask } = await station(t)
  const events = [1, 2, 3, 4, 5].map((n) => ({
    ...fire,
    id: `e${n}`,
    family: n === 3 ? 'weather' : 'fire',
    severity: n > 3 ? 'routine' : 'critical'
  }))
  await ask({ path: '/api/events', body: events })
  const ids = async (query: string): Promise<string[]> =>
    (await ask(`/api/events?${query}`)).body.events.map(({ id }: { id: string }) => id)
  t.same(await ids(''), ['e5', 'e4', 'e3', 'e2', 'e1'])
  t.same(await ids('family=weather&severity='), ['e3'])
  t.same(await ids('severity=routine'), ['e5', 'e4'])
  t.same(await ids('since=2026-07-01T12:00:01Z'), [])
  const page = (await ask('/api/events?limit=2')).body
  t.match(page, { events: [{ id: 'e5', decision: 'send', reason: 'cell' }, { id: 'e4' }], next: 4 })
  t.same(await ids(`limit=2&cursor=${page.next}`), ['e3', 'e2'])
  t.equal((await ask('/api/events?limit=5')).body.next, null)
})

t.test('a filter that cannot be meant is 422 with its name', async (t) => {
  const { ask } = await station(t)
  const cases: [string, string][] = [
    ['/api/events?limit=0', '/limit'],
    ['/api/events?limit=501', '/limit'],
    ['/api/events?limit=ten', '/limit'],
    ['/api/events?since=yesterday', '/since'],
    ['/api/events?severity=urgent', '/severity'],
    ['/api/events?cursor=-1', '/cursor'],
    ['/api/deliveries?state=lost', '/state'],
    ['/api/deliveries?transport=pigeon', '/transport'],
    ['/api/deliveries?format=xml', '/format']
  ]
  for (const [path, pointer] of cases) {
    const answer = await ask(path)
    t.equal(answer.status, 422, path)
    t.equal(answer.body.errors[0]?.path, pointer, `${path}: ${answer.text}`)
    t.notMatch(answer.body.errors[0]?.message, /must be ,/, 'an empty text is no choice')
  }
})

t.test(
  'one event and its trace are found by id, whatever letters it has; a source tells equal ids apart',
  async (t) => {
    const made = await station(t)
    const { ask } = made
    const id = 'urn:oid:2.49/0 ä?'
    await ask({
      path: '/api/events',
      body: [
        { ...fire, id },
        { ...fire, id, source: 'other', title: 'Theirs' }
      ]
    })
    send(made, 1)
    const path = `/api/events/${encodeURIComponent(id)}`
    t.match((await ask(path)).body, { id, source: 'other' })
    t.match((await ask(`${path}?source=test`)).body, { id, source: 'test', decision: 'send' })
    const trace = (await ask(`${path}/trace/?source=test`)).body
    t.match(trace, {
      event: { id },
      decision: 'send',
      reason: 'cell',
      trace: [{ stage: 'matrix', outcome: 'match' }],
      deliveries: [
        {
          transport: 'mt',
          channel: 3,
          state: 'sent',
          steps: [{ state: 'queued' }, { state: 'transmitting' }, { state: 'sent', detail: 'left the radio' }]
        }
      ]
    })
    for (const unknown of ['/api/events/nothing', '/api/events/nothing/trace', `${path}?source=nobody`])
      t.equal((await ask(unknown)).status, 404, unknown)
  }
)

t.test('deliveries are told as JSON, CSV and JSON lines, and a spreadsheet runs nothing of them', async (t) => {
  const made = await station(t)
  const { ask } = made
  await ask({ path: '/api/events', body: [fire, { ...fire, id: 'f2' }] })
  send(made, 1)
  send(made, 2, 'Second\nline')
  const { deliveries, next } = (await ask('/api/deliveries')).body
  t.match(deliveries, [
    { id: 2, text: 'Second\nline' },
    { id: 1, regions: ['North', 'South'], simulated: true, event_ids: ['f1'] }
  ])
  t.equal(next, null)
  t.same((await ask('/api/deliveries?state=queued')).body.deliveries, [])
  t.equal((await ask('/api/deliveries?thread=test:f1&transport=mt')).body.deliveries.length, 1)
  const table = await ask('/api/deliveries?format=csv')
  t.match(table.headers['content-type'], /^text\/csv/)
  const lines = table.text.split('\r\n')
  t.match(lines[0], /^id,created_at,sent_at,transport/)
  t.match(table.text, /"Second\nline"/)
  t.match(table.text, /"'=HYPERLINK\(""x""\), ""quoted"""/)
  t.match(table.text, /North \| South/)
  const rows = await ask('/api/deliveries?format=jsonl&limit=1')
  t.match(rows.headers, {
    'content-type': /x-ndjson/,
    link: '</api/deliveries?limit=1&format=jsonl&cursor=2>; rel="next"'
  })
  t.equal(JSON.parse(rows.text).id, 2)
})

t.test('a CSV field is quoted by RFC 4180 and defused', async (t) => {
  const row = (text: unknown) =>
    csv(['text'], [{ text } as unknown as DeliveryView])
      .split('\r\n')
      .slice(1)
      .join('\r\n')
  const cases: [unknown, string][] = [
    ['plain', 'plain'],
    [null, ''],
    [-3, '-3'],
    ['-3', "'-3"],
    ['+1', "'+1"],
    ['@x', "'@x"],
    ['\tx', "'\tx"],
    ['=a,b', '"\'=a,b"'],
    [['a', 'b'], 'a | b'],
    ['a"b', '"a""b"']
  ]
  for (const [value, want] of cases) t.equal(row(value), `${want}\r\n`, String(value))
})

t.test('the status tells in one look what runs and what is wrong', async (t) => {
  const params = { id: 'a', reason: 'no answer' }
  const down = { code: 'radio_down' as const, params, blocking: true, link: '/radios' }
  const { ask } = await station(t, {
    config: {
      coverage: { region_tagging: true, areas: [{ name: 'N', bbox: [0, 0, 1, 1] }] },
      notifications: { enabled: false }
    },
    radios: [radio({ state: 'down', reason: note('no answer') })],
    context: {
      readiness: () => ({ ready: false, problems: [down] }),
      demo: () => ({ playing: true, note: note('a storm') })
    }
  })
  t.match((await ask('/api/status')).body, {
    version: '0.1.0',
    mode: 'run',
    profile: 'home',
    uptime_seconds: 90,
    started_at: '2026-07-01T11:58:30.000Z',
    simulated: true,
    demo: { playing: true, note: 'a storm' },
    stale_config: false,
    config_problem: null,
    notifications_enabled: false,
    matrix_enabled: false,
    tagging: true,
    coverage_areas: 1,
    queue: { queued: 2, sent: 1 },
    radios: [{ id: 'a', network: 'mt', state: 'down', reason: 'no answer', waiting: 4 }],
    readiness: { ready: false, problems: [{ ...down, message: 'Radio a is down: no answer.' }] }
  })
  t.match(await ask('/api/health/ready'), {
    status: 503,
    body: { ready: false, status: 'not_ready', problems: [down] }
  })
  const german = await ask({ path: '/api/health/ready', headers: { 'accept-language': 'de' } })
  t.match(german.body.problems[0].message, /^Funkgerät a ist ausgefallen: /)
  t.equal((await ask('/api/health')).status, 200)
  t.match((await ask('/api/radios')).body, { radios: [{ id: 'a', airtime: { used_seconds: 1.5 } }] })
})

t.test('the profile is told without paths and secrets', async (t) => {
  const { ask, folder } = await station(t)
  const { body, text } = await ask('/api/profile')
  t.match(body, {
    profile: 'home',
    features: { has_contacts: true },
    limits: { heap_mb: 512, events_days: 14 },
    overrides: { 'http.host': '0.0.0.0' }
  })
  t.same(Object.keys(body), ['profile', 'features', 'limits', 'overrides'])
  t.notOk(text.includes(folder))
})

t.test('the metrics are Prometheus text, counted by listening', async (t) => {
  const { ask } = await station(t, { radios: [radio({ id: 'quo"te' })] })
  await ask({ path: '/api/events', body: [fire, fire, { ...fire, id: 'f2' }] })
  const { text, headers } = await ask('/metrics')
  t.match(headers['content-type'], /^text\/plain; version=0\.0\.4/)
  for (const line of [
    'lookout_up 1',
    'lookout_events_total{decision="send"} 2',
    'lookout_events_total{decision="duplicate"} 1',
    'lookout_deliveries{state="queued"} 2',
    'lookout_queue_waiting{radio="quo\\"te",network="mt"} 4',
    'lookout_airtime_used_seconds{radio="quo\\"te",network="mt"} 1.5',
    'lookout_build_info{version="0.1.0",mode="run",profile="home"} 1'
  ])
    t.ok(text.split('\n').includes(line), line)
  t.match(text, /^process_resident_memory_bytes \d+$/m)
  for (const line of text.trimEnd().split('\n')) t.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? -?[\d.e+]+)$/)
})

t.test('in preview nothing is taken in: 503 says why', async (t) => {
  const acceptEvents = () => Promise.reject(new AppError('unavailable', note('This is a preview: it takes no events.')))
  const { ask } = await station(t, { context: { mode: 'preview', acceptEvents } })
  t.match(await ask({ path: '/api/events', body: fire }), { status: 503, body: { detail: /preview/ } })
})

t.test('the API document is made from the table and the schemas that requests are checked by', async (t) => {
  const { ask } = await station(t)
  const { body } = await ask('/api/openapi.json')
  t.equal(body.openapi, '3.1.0')
  t.notOk(Object.keys(body.paths).includes('/alerts'), 'pages are no API')
  const post = body.paths['/api/notifications/region-routing'].post
  t.match(post.requestBody.content['application/json'].schema, { type: 'object', required: ['enabled', 'cells'] })
  t.match(post.responses, { 200: {}, 409: {}, 412: {}, 422: {} })
  const event = JSON.stringify(body.paths['/api/events'].post.requestBody)
  t.match(event, /"thread_id"/)
  t.match(event, /"required":\["id","source","title"\]/)
  t.match(body.paths['/api/events/{id}'].get.parameters, [
    { name: 'id', in: 'path', required: true },
    { name: 'source', in: 'query' }
  ])
  t.match(
    body.paths['/api/deliveries'].get.parameters.map(({ name }: { name: string }) => name),
    ['since', 'limit', 'cursor', 'state', 'transport', 'thread', 'channel', 'format']
  )
  const page = (await ask('/docs/api')).text
  for (const path of Object.keys(body.paths)) t.ok(page.includes(path), path)
})
