import t from 'tap'
import { because } from '../../src/model/reason.ts'
import { describeSettings, type Setting } from '../../src/settings/describe.ts'
import { blankStatus } from '../../src/warning/feeds/status.ts'
import { nextRun } from '../../src/warning/schedule/next-run.ts'
import { note } from '../helpers/in-words.ts'
import { FROM_AFAR, NOW, radio, type Station, station } from './harness.ts'

const CONFIG = `{
  "station": {
    "name": "Ridge",
    "mine": 12345678901234567890
  },
  "sources": [
    { "kind": "firms", "map_key": "topsecretkey01" },
    { "kind": "rest", "name": "levels", "url": "https://user:pw-8812@example.org/x?api_key=ak-5521", "token": "tok-4711", "mapping": { "fields": { "id": "/id", "title": "/t", "family": { "value": "weather" } } } }
  ],
  "notifications": {
    "destinations": { "hook": { "type": "webhook", "webhook_url": "https://example.org", "webhook_headers": { "X-Route": "head-3307" } } }
  },
  "later": true
}
`
const SECRETS = /topsecretkey01|pw-8812|ak-5521|tok-4711|head-3307/

function change(s: Station, body: unknown, revision?: string) {
  const headers: Record<string, string> = revision === undefined ? {} : { 'if-match': `"${revision}"` }
  return s.ask({ method: 'POST', path: '/api/settings', body, headers })
}

function everySetting(setting: Setting, visit: (setting: Setting, path: string) => void, path = ''): void {
  visit(setting, path)
  for (const [key, member] of Object.entries({ ...setting.members, ...setting.kinds }))
    everySetting(member, visit, `${path}/${key}`)
  if (setting.items !== undefined) everySetting(setting.items, visit, `${path}/*`)
  if (setting.values !== undefined) everySetting(setting.values, visit, `${path}/{}`)
}

t.test(
  'the description holds every section, with types, choices, bounds, defaults, secrets and restarts',
  async (t) => {
    const root = describeSettings()
    t.strictSame(describeSettings(), root, 'made once')
    const members = root.members ?? {}
    t.match(members['station']?.members?.['units'], {
      type: 'choice',
      choices: ['metric', 'imperial'],
      default: 'metric'
    })
    t.match(members['http']?.members?.['port'], { type: 'number', whole: true, min: 0, max: 65535, restart: true })
    t.match(members['radios'], { type: 'list', restart: undefined, items: { type: 'object' } })
    t.match(members['notifications']?.members?.['coalesce_seconds'], { title: 'Coalescing', max: 600, unit: 's' })
    const toggle = members['notifications']?.members?.['toggles']?.values?.members
    t.match(toggle?.['smtp_password'], { type: 'text', secret: true })
    t.match(toggle?.['webhook_headers'], { type: 'map', values: { secret: true } })
    t.match(toggle?.['severity_channels'], { names: ['routine', 'priority', 'critical', 'immediate'] })
    t.match(toggle?.['freshness_seconds'], { nullable: true, default: null })
    const kinds = members['sources']?.items?.kinds ?? {}
    t.ok(Object.keys(kinds).length >= 26)
    t.match(kinds['rest']?.members, { url: { required: true }, token: { secret: true }, name: { title: 'Name' } })
    t.match(kinds['rest']?.members?.['mapping']?.members?.['fields']?.members?.['id'], { type: 'json', also: 'text' })
    everySetting(root, (setting, path) => {
      t.ok(setting.title !== '', path)
      if (setting.type === 'choice') t.ok((setting.choices ?? []).length > 0, path)
    })
  }
)

t.test('the schema is served whole, by section and by kind', async (t) => {
  const { ask } = await station(t)
  t.match((await ask('/api/settings/schema')).body, { type: 'object', members: { station: {}, sources: {} } })
  t.match((await ask('/api/settings/schema?section=messages')).body, { members: { mt_bytes: { max: 228 } } })
  t.match((await ask('/api/settings/schema?section=sources&kind=usgs')).body, { type: 'object', members: { kind: {} } })
  for (const query of ['section=nope', 'section=__proto__', 'section=sources&kind=nope', 'section=station&kind=usgs'])
    t.equal((await ask(`/api/settings/schema?${query}`)).status, 404, query)
})

t.test('settings are served as written, without any secret, and so is every page', async (t) => {
  const s = await station(t, { text: CONFIG, context: { overrides: { host: '0.0.0.0', port: 8080 } } })
  const { body, headers, text } = await s.ask('/api/settings')
  t.equal(headers.etag, `"${body.revision}"`)
  t.notMatch(text, SECRETS)
  t.match(body, {
    settings: {
      sources: [
        { map_key: { $kept: '/sources/0/map_key' } },
        { url: 'https://user:[redacted]@example.org/x?api_key=[redacted]', token: { $kept: '/sources/1/token' } }
      ],
      later: true
    },
    overridden: { '/http/host': '0.0.0.0', '/http/port': 8080 },
    stale_config: false,
    problem: null
  })
  t.same(Object.keys(body.settings.station), ['name', 'mine'], 'no defaults filled in')
  for (const path of [
    '/settings',
    '/settings/station',
    '/settings/notifications',
    '/settings/sources',
    '/sources',
    '/radios'
  ]) {
    const page = await s.ask(path)
    t.equal(page.status, 200, path)
    t.notMatch(page.text, SECRETS, path)
  }
  t.equal((await s.ask('/settings/nope')).status, 404)
  t.equal((await s.ask('/settings/__proto__')).status, 404)
})

t.test('a change touches nothing else in the file: order, spelling, unknown keys and secrets stay', async (t) => {
  const s = await station(t, { text: CONFIG })
  const { body: before } = await s.ask('/api/settings')
  const answer = await change(s, { set: { '/station/name': 'Summit', '/http/port': 9000 } }, before.revision)
  t.match(answer, {
    status: 200,
    body: { ok: true, restart: ['/http/port'], settings: { station: { name: 'Summit' } } }
  })
  t.not(answer.body.revision, before.revision)
  t.equal(
    s.file(),
    CONFIG.replace('"Ridge"', '"Summit"').replace('"later": true', '"later": true,\n  "http": {\n    "port": 9000\n  }')
  )
  t.match(await change(s, { remove: ['/http'] }), { status: 200, body: { restart: ['/http'] } })
  t.equal(s.file(), CONFIG.replace('"Ridge"', '"Summit"'))
})

t.test('lists grow at -, change and shrink by index; several are taken away from behind', async (t) => {
  const s = await station(t, { text: CONFIG })
  t.equal((await change(s, { set: { '/sources/-': { kind: 'usgs' } } })).status, 200)
  t.equal(
    (
      await change(s, {
        set: { '/sources/2/enabled': false, '/radios/-': { id: 'a', network: 'mt', link: 'simulated' } }
      })
    ).status,
    200
  )
  t.match(s.context.config.current().sources[2], { kind: 'usgs', enabled: false })
  t.equal(s.context.config.current().radios[0]?.id, 'a')
  t.equal((await change(s, { remove: ['/sources/0', '/sources/2'] })).status, 200)
  t.same(
    s.context.config.current().sources.map(({ kind }) => kind),
    ['rest']
  )
  t.match(await change(s, { remove: ['/sources/7'] }), { status: 422, body: { errors: [{ path: '/sources/7' }] } })
  t.match(await change(s, { set: { '/sources/x/enabled': true } }), { status: 422 })
})

t.test('a secret is written, kept wherever its entry moves, and removed; it never comes to light', async (t) => {
  const s = await station(t, { text: CONFIG })
  const { body } = await s.ask('/api/settings')
  const swapped = [...body.settings.sources].reverse()
  t.match(await change(s, { set: { '/sources': swapped } }), { status: 422, body: { detail: /If-Match/ } })
  t.equal((await change(s, { set: { '/sources': swapped } }, body.revision)).status, 200)
  t.match(s.context.config.raw()['sources'], [
    { token: 'tok-4711', url: 'https://user:pw-8812@example.org/x?api_key=ak-5521' },
    { map_key: 'topsecretkey01' }
  ])
  t.equal((await change(s, { set: { '/sources/0/token': 'new' } })).status, 200)
  const raw = () => s.context.config.raw()['sources'] as { token?: string; url: string }[]
  t.equal(raw()[0]?.token, 'new')
  t.equal((await change(s, { remove: ['/sources/0/token'] })).status, 200)
  t.equal(raw()[0]?.token, undefined)
  const { revision } = (await s.ask('/api/settings')).body
  const stolen: unknown[] = [
    { '/station/name': { $kept: '/sources/1/map_key' } },
    { '/sources/0/token': { $kept: '/sources/1/map_key' } },
    { '/sources/1/map_key': { $kept: '/sources/9/map_key' } },
    { '/sources/1/map_key': { $kept: 7 } },
    { '/sources/0/url': 'https://other:[redacted]@example.org' }
  ]
  for (const set of stolen) t.match(await change(s, { set }, revision), { status: 422 }, JSON.stringify(set))
})

t.test('a refused change names every place, and changes nothing', async (t) => {
  const s = await station(t, { text: CONFIG })
  const bad: [unknown, string][] = [
    [{ set: { '/station/units': 'miles', '/messages/mt_bytes': 9 } }, '/messages/mt_bytes'],
    [{ set: { '/sources/0/days': 'many' } }, '/sources/0/days'],
    [{ set: { '/radios/-': { id: 'a' } } }, '/radios/0/network'],
    [{ set: { '/nope/x': 1 } }, '/nope/x'],
    [{ set: { '/station/name/deep': 1 } }, '/station/name/deep'],
    [{ set: { '/station/__proto__': {} } }, '/station/__proto__'],
    [{ set: { '/notifications/toggles/constructor': {} } }, '/notifications/toggles/constructor']
  ]
  for (const [body, path] of bad) {
    const answer = await change(s, body)
    t.equal(answer.status, 422, path)
    t.ok(
      answer.body.errors.some((error: { path: string }) => error.path === path),
      `${path}: ${answer.text}`
    )
  }
  const hidden = await s.ask({
    method: 'POST',
    path: '/api/settings',
    raw: '{"set":{"/station":{"__proto__":{"a":1}}}}',
    headers: { 'content-type': 'application/json' }
  })
  t.equal(hidden.status, 422)
  for (const body of [undefined, {}, { set: {} }, { set: { station: 1 } }, { sets: {} }, { set: [] }])
    t.equal((await change(s, body)).status, 422)
  t.equal(s.file(), CONFIG)
})

t.test(
  'somebody else was faster: 412; an invalid file on disk: 409, told on the page; nobody else may write',
  async (t) => {
    const s = await station(t, { text: CONFIG })
    const { revision } = (await s.ask('/api/settings')).body
    s.edit(CONFIG.replace('Ridge', 'Other'))
    t.equal((await change(s, { set: { '/station/name': 'Mine' } }, revision)).status, 412)
    s.edit('{ "station": ')
    t.match(await change(s, { set: { '/station/name': 'Mine' } }), { status: 409, body: { detail: /config\.json:1/ } })
    t.match((await s.ask('/api/settings')).body, { stale_config: true, problem: /line 1/ })
    t.match((await s.ask('/settings/station')).text, /nothing can be saved before it is repaired/)
    const path = '/api/settings'
    const body = { set: { '/station/name': 'Mine' } }
    t.equal((await s.ask({ path, body, headers: FROM_AFAR })).status, 401)
    t.equal((await s.ask({ path, body, headers: { 'sec-fetch-site': 'cross-site' } })).status, 403)
    t.equal((await s.ask('/api/config')).status, 404, 'contract §11')
  }
)

t.test('settings are found without a script, in words of titles, descriptions and names', async (t) => {
  const { ask } = await station(t)
  const found = (await ask('/settings?q=quiet+hours+on')).text
  t.match(found, /href="\/settings\/notifications#set\/notifications\/quiet_hours\/enabled"/)
  t.match((await ask('/settings?q=smtp_password')).text, /Family policies › SMTP password/)
  t.match((await ask('/settings?q=zzzz')).text, /No setting is about this/)
  t.notMatch((await ask('/settings?q=%3Cscript%3Ealert(1)')).text, /<script>alert/)
  t.match((await ask('/settings')).text, /href="\/sources">/)
})

t.test('sources, radios and sections are complete without a script', async (t) => {
  const status = {
    ...blankStatus({
      name: 'quakes',
      kind: 'usgs',
      mode: 'poll',
      enabled: true,
      state: 'failing',
      reason: note('HTTP 503'),
      about: ''
    }),
    items: 40,
    skipped: 2,
    skipped_reasons: [{ reason: note('too small'), count: 2 }],
    last_ok: '2026-07-01T11:00:00Z'
  }
  const details = {
    firmware: '2.6.1',
    battery_percent: 81,
    battery_millivolts: 4100,
    channel_utilization: 0.0432,
    air_utilization: 0.01,
    queue_length: 0,
    nodes_known: 7,
    nodes: []
  }
  const s = await station(t, {
    config: { station: { timezone: 'America/Boise' } },
    context: { sources: { list: () => [status], kinds: () => [], poll: () => ({ asked: true }) } },
    radios: [
      radio({
        state: 'down',
        reason: note('no such <device>'),
        details,
        missing_channels: [{ channel: 5, problem: 'no_channel' }]
      })
    ]
  })
  const sources = (await s.ask('/sources')).text
  for (const text of ['quakes', 'HTTP 503', '2 × too small', '40']) t.ok(sources.includes(text), text)
  const radios = (await s.ask('/radios')).text
  for (const text of [
    'no such &lt;device&gt;',
    '2.6.1',
    '81 %',
    '4.3 %',
    '1.5 of 36 s',
    'Channel 5 is used by the configuration, but not on this radio.'
  ])
    t.ok(radios.includes(text), text)
  const section = (await s.ask('/settings/station')).text
  for (const text of ['America/Boise', 'Lookout', 'default']) t.ok(section.includes(text), text)
  t.match(await s.ask({ path: '/sources', headers: { 'accept-language': 'de' } }), {
    headers: { 'content-language': 'de' }
  })
})

t.test('a test text goes through the outbox as a routine broadcast, and says what it is', async (t) => {
  const s = await station(t, {
    config: { station: { name: 'Ridge', timezone: 'America/Boise', time_format: '24h' } },
    radios: [radio()]
  })
  const answer = await s.ask({ path: '/api/radios/a/test', body: { channel: 3 } })
  t.match(answer, { status: 202, body: { ok: true, text: 'TEST Ridge 06:00', bytes: 16, simulated: true } })
  const { deliveries } = (await s.ask('/api/deliveries')).body
  t.match(deliveries[0], {
    id: answer.body.delivery,
    transport: 'mt',
    channel: 3,
    severity: 'routine',
    text: 'TEST Ridge 06:00'
  })
  t.match(await s.ask({ path: '/api/radios/a/test', body: { channel: 3, text: ' Hello ' } }), {
    body: { text: 'Hello' }
  })
})

t.test(
  'a test is no broadcast of the schedule: the API and the page of messages say so, in both languages',
  async (t) => {
    const s = await station(t, { radios: [radio()] })
    await s.ask({ path: '/api/radios/a/test', body: { channel: 3 } })
    t.match((await s.ask('/api/deliveries')).body.deliveries, [
      { kind: 'new', path: 'test', family: 'test', code: null }
    ])
    t.match((await s.ask('/deliveries')).text, />test text</)
    t.match((await s.ask({ path: '/deliveries', headers: { 'accept-language': 'de' } })).text, />Testtext</)
  }
)

t.test('a test is refused where it cannot be sent, with the reason', async (t) => {
  const body = { channel: 3 }
  const path = '/api/radios/a/test'
  const ready = await station(t, {
    radios: [
      radio({
        channels: [
          { id: 3, name: 'x', enabled: true },
          { id: 4, name: 'y', enabled: false }
        ]
      })
    ]
  })
  t.match(await ready.ask({ path, body: { channel: 4 } }), { status: 422, body: { detail: /disabled/ } })
  t.match(await ready.ask({ path, body: { channel: 9 } }), { status: 422, body: { errors: [{ path: '/channel' }] } })
  t.match(await ready.ask({ path, body: { channel: 3, text: 'ä'.repeat(201) } }), {
    status: 422,
    body: { errors: [{ path: '/text' }] }
  })
  t.equal((await ready.ask({ path: '/api/radios/zz/test', body })).status, 404)
  t.equal((await ready.ask({ path, body, headers: FROM_AFAR })).status, 401)
  t.same((await ready.ask('/api/deliveries')).body.deliveries, [])
  const off = await station(t, { config: { notifications: { enabled: false } }, radios: [radio()] })
  t.match(await off.ask({ path, body }), { status: 409, body: { detail: /notifications are off/ } })
  const down = await station(t, { radios: [radio({ state: 'down', reason: note('unplugged') })] })
  t.match(await down.ask({ path, body }), { status: 409, body: { detail: /unplugged/ } })
  const preview = await station(t, { context: { mode: 'preview' }, radios: [radio()] })
  t.match(await preview.ask({ path, body }), { status: 503, body: { detail: /preview/ } })
})

t.test('why a radio is down is said in the language of whoever asks: page, API and log of changes', async (t) => {
  const reason = because('cannot_connect', { host: 'a: radio', port: 5000, why: because('host_silent') })
  const s = await station(t, { radios: [radio({ state: 'down', reason })] })
  s.observers.tell('radio', radio({ state: 'down', reason }))
  const english = 'cannot connect to a: radio:5000: the host does not answer'
  const german = 'keine Verbindung zu a: radio:5000: der Rechner antwortet nicht'
  for (const [language, expected] of [
    ['en', english],
    ['de', german]
  ] as const) {
    const ask = (path: string) => s.ask({ path, headers: { 'accept-language': language } })
    t.match((await ask('/radios')).text, `: ${expected} `)
    t.match((await ask('/api/radios')).body, { radios: [{ reason: expected }] })
    t.match((await ask('/api/radios/a/log')).body, { log: [{ reason: expected }] })
  }
})

t.test('the last hundred changes of a radio are remembered, newest first, without repeats', async (t) => {
  const s = await station(t, { radios: [radio()] })
  for (let index = 0; index < 150; index++) {
    const state = index % 2 === 0 ? 'down' : 'ready'
    s.observers.tell('radio', radio({ state, reason: note(`${index}`) }))
    s.observers.tell('radio', radio({ state, reason: note(`${index}`), queue: { waiting: index } }))
  }
  const { log } = (await s.ask('/api/radios/a/log')).body
  t.equal(log.length, 100)
  t.match(log[0], { state: 'ready', reason: '149' })
  t.match(log[99], { reason: '50' })
  t.equal((await s.ask('/api/radios/b/log')).status, 404)
})

t.test('broadcasts are previewed, and passes told or the reason why not', async (t) => {
  const preview = {
    name: 'Morning',
    enabled: true,
    what: 'digest',
    at: ['07:30'],
    days: [],
    next_run: null,
    channels: [{ channel: 'mt:0', text: '<b>calm</b>' }]
  }
  const asked: unknown[] = []
  const passes = {
    observer: 'Boise',
    observers: ['Boise'],
    from: '2026-07-01T12:00:00Z',
    to: '2026-07-02T12:00:00Z',
    min_elevation: 20,
    passes: [{ satellite: 'ISS' }],
    unusable: []
  }
  const s = await station(t, {
    context: {
      broadcasts: async () => [preview],
      passes: async (ask) => {
        asked.push(ask)
        return passes
      }
    }
  })
  t.same((await s.ask('/api/notifications/broadcasts')).body, [preview])
  t.match((await s.ask('/settings/notifications')).text, /&lt;b&gt;calm&lt;\/b&gt;/)
  t.same((await s.ask('/api/satpasses?observer=Boise&hours=6')).body, passes)
  t.same(asked, [{ observer: 'Boise', hours: 6 }])
  for (const hours of ['0', '49', 'x', '999']) t.equal((await s.ask(`/api/satpasses?hours=${hours}`)).status, 422)
  const none = await station(t)
  t.match(await none.ask('/api/satpasses'), { status: 404, body: { detail: /satpass/ } })
})

t.test('the next run is the nearest of its times on its days, also where the clock changes', async (t) => {
  const at = (text: string) => Date.parse(text)
  const cases: [string[], string[], string, string, string | null][] = [
    [['07:30'], [], 'UTC', '2026-07-01T12:00:00Z', '2026-07-02T07:30:00Z'],
    [['07:30', '18:00'], [], 'UTC', '2026-07-01T12:00:00Z', '2026-07-01T18:00:00Z'],
    [['12:00'], [], 'UTC', '2026-07-01T12:00:00Z', '2026-07-02T12:00:00Z'],
    [['06:00'], ['mon'], 'America/Boise', '2026-07-01T12:00:00Z', '2026-07-06T12:00:00Z'],
    [['06:00'], ['wed'], 'UTC', '2026-07-01T12:00:00Z', '2026-07-08T06:00:00Z'],
    [['06:00'], [], 'America/Boise', '2026-10-31T13:00:00Z', '2026-11-01T13:00:00Z'],
    [['02:30'], [], 'America/Boise', '2026-03-08T08:00:00Z', '2026-03-09T08:30:00Z'],
    [[], [], 'UTC', '2026-07-01T12:00:00Z', null]
  ]
  for (const [times, days, zone, now, want] of cases) {
    const found = nextRun({ at: times, days: days as 'mon'[] }, zone, at(now))
    t.equal(found, want === null ? null : at(want), `${times} ${days} ${zone} after ${now}`)
  }
  t.ok(NOW > 0)
})
