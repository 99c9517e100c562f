import { get } from 'node:http'
import t, { type Test } from 'tap'
import { publicReason, publicUrls, toldTo } from '../../src/dashboard/server/guest.ts'
import { because, REASON_PARAMS, type ReasonCode, type ReasonValue } from '../../src/model/reason.ts'
import type { JsonObject } from '../../src/platform/config/json.ts'
import { AppError } from '../../src/platform/errors.ts'
import { redactText } from '../../src/platform/log/secrets.ts'
import { describeSettings } from '../../src/settings/describe.ts'
import { blankStatus } from '../../src/warning/feeds/status.ts'
import { tableOfRoutes } from '../helpers/answer-check.ts'
import { canaryConfig } from '../helpers/canaries.ts'
import { note } from '../helpers/in-words.ts'
import { FROM_AFAR, fire, launch, NOW, queue, radio, type Station, station } from './harness.ts'

/** Whoever may not change the configuration reads of it only the texts that its schema calls public (contract §10). */

/** Every address that answers GET, with something for each of its parameters. */
const PATHS = tableOfRoutes()
  .filter(({ method, path }) => method === 'GET' && path !== '/api/stream')
  .flatMap(({ path }) => {
    if (path === '/settings/:section')
      return Object.keys(describeSettings().members ?? {}).map((one) => `/settings/${one}`)
    return [path.replace('/radios/:id', '/radios/a').replace(/:\w+/g, '1')]
  })

/** No proxy is named: then whoever sits at the machine is the operator. */
function canaryStation(t: Test, config: JsonObject): Promise<Station> {
  const { http } = config
  return station(t, { config: { ...config, http: { ...Object(http), trusted_proxies: [] } }, radios: [radio()] })
}

async function readAll(s: Station, headers: Record<string, string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const path of PATHS) texts.set(path, (await s.ask({ path, headers })).text)
  return texts
}

t.test('no text of the configuration is read by a guest but those that the schema calls public', async (t) => {
  const { config, canaries } = canaryConfig()
  const secret = canaries.filter(({ setting }) => setting.public !== true)
  t.ok(secret.length > 200, `${secret.length} texts that are the operator's alone`)
  t.ok(canaries.length - secret.length > 80, `${canaries.length - secret.length} that are public`)
  const s = await canaryStation(t, config)
  t.equal(s.context.config.status().stale, false, 'the configuration is in force')
  await s.ask({ path: '/api/events', body: fire })
  queue(s, 1)
  for (const [path, text] of await readAll(s, FROM_AFAR)) {
    const leaked = secret.filter(({ canary }) => text.includes(canary)).map((one) => one.path)
    if (leaked.length > 0) t.strictSame(leaked, [], path)
  }
  const settings = await s.ask({ path: '/api/settings', headers: FROM_AFAR })
  const lost = canaries.filter(({ canary, setting }) => setting.public === true && !settings.text.includes(canary))
  t.strictSame(
    lost.map(({ path }) => path),
    [],
    'a public text is shown'
  )
})

t.test('the operator goes on to see every text that is no secret', async (t) => {
  const { config, canaries } = canaryConfig()
  const s = await canaryStation(t, config)
  const { text } = await s.ask('/api/settings')
  const hidden = canaries.filter(({ canary }) => !text.includes(canary)).map(({ path }) => path)
  t.ok(hidden.length < 20)
  t.strictSame(
    hidden.filter((path) => !/(?:password|secret|token|key|webhook_headers\/\w+|trusted_proxies\/0)$/.test(path)),
    [],
    'only secrets are hidden'
  )
})

t.test('a guest sees scheme and host of an address, numbers and choices, and that something is set', async (t) => {
  const webhook = { type: 'ntfy', webhook_url: 'https://me:pw@ntfy.example:8443/topic-71?auth=x', smtp_port: 25 }
  const s = await station(t, {
    config: {
      notifications: {
        destinations: { ops: { ...webhook, recipients: ['a@example.org'], webhook_headers: { A: 'b' } } }
      },
      commands: { admins: ['!a1b2c3d4'] },
      later: { key: 'unknown-9' }
    }
  })
  const { body } = await s.ask({ path: '/api/settings', headers: FROM_AFAR })
  const at = '/notifications/destinations/ops'
  t.strictSame(body.settings, {
    notifications: {
      destinations: {
        ops: {
          type: 'ntfy',
          webhook_url: 'https://ntfy.example:8443',
          smtp_port: 25,
          recipients: { $kept: `${at}/recipients` },
          webhook_headers: { $kept: `${at}/webhook_headers` }
        }
      }
    },
    commands: { admins: { $kept: '/commands/admins' } }
  })
  const page = await s.ask({ path: '/settings/commands', headers: FROM_AFAR })
  t.match(page.text, /Admins<\/label>\s*<span class="text" id="set\/commands\/admins">set<\/span>/)
})

t.test('a guest hears that the file of the configuration is broken, not what stands there', async (t) => {
  const s = await station(t, { config: { station: { name: 'Ridge' } } })
  s.edit(
    '{\n  "station": { "name": "Ridge" },\n  "notifications": { "destinations": { "hook-551": { "smtp_port": "pw-552" } } }\n}'
  )
  await s.context.config.refresh()
  for (const [path, text] of await readAll(s, FROM_AFAR)) t.notMatch(text, /hook-551|pw-552/, path)
  const { body } = await s.ask({ path: '/api/settings', headers: FROM_AFAR })
  t.strictSame([body.stale_config, body.problem], [true, 'line 3'])
  t.match((await s.ask('/api/settings')).body.problem, /hook-551/, 'the operator reads which')
})

const WORDS =
  'https://me:pw-91@hub.example:8443/topic-93?key=k-94 at 192.168.77.9:4403 and [fe80::1:2:3:4]:80, /dev/serial/by-id/usb-95-if00 of !c9d8e7f6, mail-96@example.org: getaddrinfo ENOTFOUND hub-97.lan'
const PLACES_IN_WORDS = /pw-91|topic-93|k-94|192\.168|fe80|usb-95|c9d8e7f6|mail-96|hub-97/

t.test('no reason tells a guest a place of this station: of addresses scheme and host', async (t) => {
  const guest = { language: 'en', isGuest: true } as const
  for (const [code, kinds] of Object.entries(REASON_PARAMS)) {
    const params = Object.fromEntries(
      Object.entries(kinds).map(([name, kind]: [string, string]) => [
        name,
        kind === 'text' ? WORDS : /^(?:list|any|all|within)$/.test(kind) ? [WORDS, WORDS] : example(kind)
      ])
    )
    const reason = { code: code as ReasonCode, params }
    t.notMatch(toldTo(reason, guest), PLACES_IN_WORDS, code)
    t.notMatch(JSON.stringify(publicReason(reason)), PLACES_IN_WORDS, code)
  }
  const down = because('cannot_connect', { host: 'roof-98', port: 4403, why: because('host_silent') })
  t.equal(toldTo(down, guest), 'cannot connect to …:4403: the host does not answer')
  t.equal(toldTo(down, { ...guest, isGuest: false }), 'cannot connect to roof-98:4403: the host does not answer')
  t.equal(
    toldTo(note('see https://a.example/x?y=1, or km/h and 12:30:45'), guest),
    'see https://a.example or km/h and 12:30:45'
  )
})

function example(kind: string): ReasonValue {
  if (kind === 'number' || kind === 'time') return 1
  if (kind === 'word') return 'off'
  return /^(?:reasons|causes|sentences)$/.test(kind) ? [note(WORDS)] : note(WORDS)
}

t.test('of an address whose password holds an @, or is as long as a page, nothing but the host is left', async (t) => {
  const long = 'p'.repeat(400)
  for (const userinfo of ['u:p@ss', 'u:a@b@c', `u:${long}`, '@', 'u@v:w'])
    t.equal(publicUrls(`see https://${userinfo}@feed.example/x?y=1 soon`), 'see https://feed.example soon')
  t.equal(redactText('https://u:p@ss@feed.example/x'), 'https://u:[redacted]@feed.example/x')
})

t.test('words that were made to be slow to look through cost a guest nothing', async (t) => {
  for (const piece of ['a', 'a.', 'a:', '/a', '1.', 'a://', '!', 'ab@', 'ECONN', '[:', 'a-']) {
    const text = piece.repeat(20_000)
    const before = process.cpuUsage()
    publicUrls(text)
    toldTo(note(text), { language: 'en', isGuest: true })
    const { user, system } = process.cpuUsage(before)
    t.ok((user + system) / 1000 < 2000, `${piece}: ${(user + system) / 1000} ms of CPU`)
  }
})

t.test(
  'sources, radios, their log, problems and the stream tell a guest that something fails, not where',
  async (t) => {
    const reason = note(WORDS)
    const about = {
      name: 'hub',
      kind: 'rest',
      mode: 'poll',
      enabled: true,
      state: 'failing',
      reason,
      about: ''
    } as const
    const status = { ...blankStatus(about), error: reason, skipped: 1, skipped_reasons: [{ reason, count: 1 }] }
    const down = radio({ state: 'down', reason })
    const devices = [{ path: '/dev/serial/by-id/usb-95-if00', name: 'Seeed usb-95' }]
    const s = await station(t, {
      context: {
        sources: { list: () => [status], kinds: () => [], poll: () => ({ asked: true }) },
        readiness: () => ({
          ready: false,
          problems: [{ code: 'radio_down', params: { id: 'a', reason }, blocking: true, link: '/radios' }]
        }),
        serialDevices: async () => devices
      },
      radios: [down]
    })
    s.observers.tell('radio', down)
    await s.ask({ path: '/api/events', body: fire })
    const step = because('cannot_connect', { host: 'usb-95', port: 1, why: reason })
    s.outbox.apply(queue(s, 1), 'expire', { reason: 'stale', step })
    for (const [path, text] of await readAll(s, FROM_AFAR)) t.notMatch(text, PLACES_IN_WORDS, path)
    for (const path of [
      '/api/sources',
      '/api/radios',
      '/api/radios/a/log',
      '/api/health/ready',
      '/api/radios/candidates'
    ]) {
      t.match((await s.ask(path)).text, /usb-95/, `the operator reads ${path}`)
    }
  }
)

t.test('who acknowledged and silenced is told a guest by name, not by node', async (t) => {
  const s = await station(t)
  await s.ask({ path: '/api/events', body: fire })
  const { thread_id } = (await s.ask(`/api/events/${fire.id}`)).body
  s.context.reactions.acknowledge(thread_id, { author: '!c9d8e7f6', name: 'Ridge One', reason: 'seen' })
  const always = { family: 'fire', region: null, threadId: null, includesImmediate: false, reason: 'drill' }
  s.context.reactions.silences.add({ ...always, author: '!c9d8e7f6', from: NOW - 1, until: NOW + 3_600_000 })
  const paths = [`/events/${fire.id}`, `/api/events/${fire.id}/trace`, '/api/silences']
  for (const path of paths) {
    t.match((await s.ask(path)).text, /Ridge One|!c9d8e7f6/, `the operator reads ${path}`)
    const { text } = await s.ask({ path, headers: FROM_AFAR })
    t.notMatch(text, /c9d8e7f6/, path)
    t.match(text, /Ridge One|drill/, path)
  }
})

t.test(
  'a text to a single person tells a guest neither who it was nor what was said, an alert only not to whom',
  async (t) => {
    const s = await station(t)
    const node = '!c9d8e7f6'
    const reply = { kind: 'reply', transport: 'mt', channel: node, direct: true, expiresAt: NOW + 3_600_000 } as const
    const direct = s.context.addText({ ...reply, key: `${node}:canary-62`, text: 'canary-61 is in Pine' })
    s.context.addText({ ...reply, channel: 3, direct: false, key: 'q2', text: 'said to all' })
    await s.ask({ path: '/api/events', body: fire })
    const alert = queue(s, 1)
    launch(s.outbox, alert, 'FIRE at Pine')
    s.db.sql("UPDATE deliveries SET direct = 1, channel = ?1, channel_key = 'mt@' || ?1 WHERE id = ?2").run(node, alert)
    launch(s.outbox, direct, 'canary-61 is in Pine')
    const told = /c9d8e7f6|canary-6\d/
    const files = ['/api/deliveries?format=csv', '/api/deliveries?format=jsonl']
    for (const path of [...PATHS, ...files, `/api/events/${fire.id}/trace`, `/events/${fire.id}`])
      t.notMatch((await s.ask({ path, headers: FROM_AFAR })).text, told, path)
    for (const path of ['/api/deliveries', '/deliveries', '/', ...files]) {
      t.match(
        (await s.ask(path)).text,
        /c9d8e7f6[\s\S]*canary-61|canary-61[\s\S]*c9d8e7f6/,
        `the operator reads ${path}`
      )
      const { text } = await s.ask({ path, headers: FROM_AFAR })
      t.match(text, 'said to all', path)
      t.match(text, 'FIRE at Pine', path)
    }
    // Whoever may ask whether there is a text to a node knows that it asked something.
    for (const asked of ['channel=c9d8', 'channel=mt@', `thread=${node}:canary-62`]) {
      t.strictSame((await s.ask({ path: `/api/deliveries?${asked}`, headers: FROM_AFAR })).body.deliveries, [], asked)
      t.notMatch(
        (await s.ask({ path: `/deliveries?${asked}`, headers: FROM_AFAR })).text,
        /<tr role="row" id="d/,
        asked
      )
    }
    t.equal((await s.ask('/api/deliveries?channel=c9d8')).body.deliveries.length, 2)
  }
)

t.test('the live stream tells a guest no more of a text to a single person', async (t) => {
  const s = await station(t)
  const streams = [FROM_AFAR, { host: 'localhost' }].map((headers) => readStream(t, s.service.port, headers))
  for (const { until } of streams) await until(': connected')
  const reply = { kind: 'reply', transport: 'mt', channel: '!c9d8e7f6', direct: true } as const
  s.context.addText({ ...reply, key: 'canary-62', text: 'canary-61', expiresAt: NOW + 3_600_000 })
  s.observers.tell('config', { revision: 'r', stale: false })
  const [guest = '', operator = ''] = await Promise.all(streams.map(({ until }) => until('event: config')))
  t.match(guest, /event: delivery/)
  t.notMatch(guest, /c9d8e7f6|canary-6\d/)
  t.match(operator, /c9d8e7f6/)
})

function readStream(t: Test, port: number, headers: Record<string, string>) {
  let text = ''
  let wake = (): void => undefined
  const asked = get({ port, host: '127.0.0.1', path: '/api/stream', agent: false, headers }, (res) => {
    res.on('error', () => undefined)
    res.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      wake()
    })
  })
  t.teardown(() => asked.destroy())
  const until = async (words: string): Promise<string> => {
    while (!text.includes(words)) await new Promise<void>((done) => (wake = done))
    return text
  }
  return { until }
}

t.test('a guest learns how many nodes a radio hears, not which', async (t) => {
  const node = { id: '!c9d8e7f6', name: 'canary-71', last_heard: null, battery_percent: 50, snr: -3.5 }
  const facts = { firmware: '2.5.6', battery_percent: 91, battery_millivolts: 4100, channel_utilization: 0.02 }
  const details = { ...facts, air_utilization: 0.01, queue_length: 0, nodes_known: 7, nodes: [node] }
  const s = await station(t, { radios: [radio({ details })] })
  for (const path of PATHS) t.notMatch((await s.ask({ path, headers: FROM_AFAR })).text, /c9d8e7f6|canary-71/, path)
  const { body } = await s.ask({ path: '/api/radios', headers: FROM_AFAR })
  t.match(body.radios[0].details, { nodes_known: 7, battery_percent: 91, nodes: [] })
  for (const path of ['/api/radios', '/radios'])
    t.match((await s.ask(path)).text, 'canary-71', `the operator reads ${path}`)
})

t.test('of addresses inside of an event a guest reads scheme and host', async (t) => {
  const s = await station(t)
  const link = 'https://me:pw-91@feed.example:8443/private/topic-93?key=k-94'
  const event = { ...fire, body: `More: ${link}\nand on.`, data: { url: link, more: [{ link }] } }
  t.equal((await s.ask({ path: '/api/events', body: event })).status, 202)
  for (const path of ['/api/events', `/api/events/${fire.id}`, `/api/events/${fire.id}/trace`, `/events/${fire.id}`]) {
    const { text } = await s.ask({ path, headers: FROM_AFAR })
    t.notMatch(text, /pw-91|topic-93|k-94/, path)
    t.match(text, /https:\/\/feed\.example:8443/, path)
    t.match((await s.ask(path)).text, /topic-93/, `the operator reads ${path}`)
  }
})

const RING = [
  [-117, 43],
  [-116, 43],
  [-116, 44],
  [-117, 43]
]

t.test('of an area a guest reads its name, its shape and its codes, and no more', async (t) => {
  const areas = [
    { name: 'Valley', codes: ['IDC001'], keeper: 'canary-81' },
    { name: 'Ridge', west: -117, south: 43, east: -116, north: 44, notes: { from: 'canary-82', of: ['canary-83'] } },
    { name: 'Lake', circle: { lat: 43.5, lon: -116.5, radius_km: 10 }, owner: 'canary-84' },
    { name: 'Pond', geometry: { type: 'Polygon', coordinates: [RING], by: 'canary-86' } }
  ]
  const s = await station(t, { config: { coverage: { areas, drawn_by: 'canary-85' } } })
  t.equal(s.context.config.status().stale, false, 'the configuration is in force')
  for (const [path, text] of await readAll(s, FROM_AFAR)) t.notMatch(text, /canary-8\d/, path)
  t.match((await s.ask({ path: '/api/coverage', headers: FROM_AFAR })).text, /Valley[\s\S]*Ridge[\s\S]*Lake[\s\S]*Pond/)
})

t.test(
  'under the last strain a guest sees what is in force and whether the station lives, the operator everything',
  async (t) => {
    const reason = because('is_shed', {
      steps: [because('shed_dashboard')],
      causes: [because('strain_battery', { value: 8 })]
    })
    const s = await station(t, { config: { http: { trusted_proxies: [] } }, context: { shedFor: () => reason } })
    for (const path of ['/', '/events', '/radios', '/api/status', '/api/events']) {
      const { status, text } = await s.ask({ path, headers: { ...FROM_AFAR, 'accept-language': 'de' } })
      t.equal(status, 503, path)
      t.match(text, 'die Batterie hat noch 8 %')
      t.equal((await s.ask({ path })).status, 200, `${path} of the operator`)
    }
    for (const path of ['/alerts', '/sign-in', '/api/session', '/api/health/live', '/static/style.css'])
      t.equal((await s.ask({ path, headers: FROM_AFAR })).status, 200, path)
  }
)

t.test('a refusal tells a guest no place either, and the operator which', async (t) => {
  const why = because('cannot_write', { path: '/srv/usb-95/data', why: note(WORDS) })
  const s = await station(t, {
    context: { broadcasts: async () => Promise.reject(new AppError('unavailable', why)) }
  })
  const path = '/api/notifications/broadcasts'
  const guest = await s.ask({ path, headers: FROM_AFAR })
  t.equal(guest.status, 503)
  t.notMatch(guest.text, PLACES_IN_WORDS)
  t.match((await s.ask(path)).text, /usb-95/)
})
