import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import fc from 'fast-check'
import { connectAsync } from 'mqtt'
import t from 'tap'
import * as v from 'valibot'
import { StorageError } from '../../../src/platform/database/storage-fault.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { readEvents } from '../../../src/warning/feeds/brokers/message.ts'
import { networkReason } from '../../../src/warning/feeds/brokers/reasons.ts'
import { clientIdOf } from '../../../src/warning/feeds/mqtt/connection.ts'
import { type MqttSettings, mqttSourceSchema } from '../../../src/warning/feeds/mqtt/settings.ts'
import { mqttSource } from '../../../src/warning/feeds/mqtt/source.ts'
import { filterFits } from '../../../src/warning/feeds/mqtt/topics.ts'
import { type NatsSettings, natsSourceSchema } from '../../../src/warning/feeds/nats/settings.ts'
import { natsSource } from '../../../src/warning/feeds/nats/source.ts'
import { coveringSubject, subjectFits } from '../../../src/warning/feeds/nats/subjects.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords } from '../../helpers/in-words.ts'
import { hasProgram, mosquitto, natsServer, Station } from './broker-harness.ts'
import { PlainMemory, readTools } from './push-harness.ts'

const NOW = Date.parse('2026-08-01T12:00:00Z')
const FAMILIES = new Set(['weather', 'fire', 'mesh_health'])
const origin = { source: 'hub', receivedAt: NOW, publishedAt: null, families: FAMILIES }

const event = (id: string, more: object = {}) => ({
  id,
  family: 'fire',
  severity: 'priority',
  title: `Fire ${id}`,
  ...more
})
const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

function mqttSettings(more: object = {}): MqttSettings {
  return v.parse(mqttSourceSchema, { kind: 'mqtt', username: 'station', password: 'right', ...more })
}

function natsSettings(more: object = {}): NatsSettings {
  const login = { username: 'station', password: 'right' }
  const what = { stream: 'ALERTS', durable: 'ridge', subjects: ['hub.fire.>'], allow: { families: ['fire'] } }
  return v.parse(natsSourceSchema, { kind: 'nats', ...login, ...what, ...more })
}

t.test('a message becomes events: whose they are, when they were said, and the same again is the same', async (t) => {
  const plain = { mapping: undefined, keepSource: false }
  const [own] = readEvents(bytes(event('f1', { source: 'nws', thread_id: 'vtec:1' })), plain, origin).events
  t.match(own, {
    source: 'hub',
    thread_id: 'hub:vtec:1',
    data: { origin: 'nws' },
    received_at: '2026-08-01T12:00:00.000Z'
  })
  const [again] = readEvents(bytes(event('f1', { source: 'nws', thread_id: 'vtec:1' })), plain, {
    ...origin,
    receivedAt: NOW + 5000
  }).events
  t.equal(again?.revision, own?.revision, 'delivered again it is the same event')
  const [changed] = readEvents(bytes(event('f1', { title: 'Fire grows' })), plain, origin).events
  t.not(changed?.revision, own?.revision, 'what changed is another revision')

  const kept = readEvents(
    bytes(event('f1', { source: 'nws', thread_id: 'vtec:1', revision: '7' })),
    {
      ...plain,
      keepSource: true
    },
    { ...origin, publishedAt: NOW - 60_000 }
  ).events
  t.match(kept, [{ source: 'nws', thread_id: 'vtec:1', revision: '7', sent_at: '2026-08-01T11:59:00.000Z' }])
  t.equal(kept[0]?.received_at, '2026-08-01T12:00:00.000Z', 'sent when the broker got it, received when we did')

  const named = { ...plain, family: 'mesh_health' }
  const { family: _family, ...nameless } = event('f2')
  t.match(readEvents(bytes(nameless), named, origin).events, [{ family: 'mesh_health' }], 'the family of the topic')
  t.match(readEvents(bytes(event('f3')), named, origin).events, [{ family: 'fire' }], 'not over that of the message')
  t.same(readEvents(new Uint8Array(), plain, origin), { events: [], skipped: [] }, 'an empty message says nothing')
  t.match(readEvents(bytes([event('a'), { id: 'b' }]), plain, origin), {
    events: [{ id: 'a' }],
    skipped: [{ id: 'b' }]
  })
  const [huge] = readEvents(bytes('{"id":"n","family":"fire","title":"x","much":1e999}'), plain, origin).events
  t.ok(huge?.revision, 'a number beyond all bounds is no reason to fail')

  for (const bad of [
    '{"id":',
    'hello',
    '\u0000\u0001',
    '[',
    '"text"',
    '7',
    '['.repeat(60_000),
    event(''),
    { id: 'x' }
  ]) {
    t.throws(() => readEvents(bytes(bad), { ...named, keepSource: true }, origin), { code: /bad-input|invalid/ })
  }
  t.throws(() => readEvents(bytes(event('x', { body: 'x'.repeat(70_000) })), plain, origin), { code: 'too-large' })
})

t.test('whatever bytes come, nothing but a refusal comes of what is no event', async (t) => {
  const junk = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.json().map(bytes), damaged())
  const rules = fc.record({ keepSource: fc.boolean(), family: fc.constantFrom(undefined, 'fire', 'no such family') })
  fc.assert(
    fc.property(junk, rules, (payload, { keepSource, family }) => {
      try {
        const { events } = readEvents(payload, { mapping: undefined, keepSource, family }, origin)
        return events.every(({ id, lifecycle }) => id !== '' && lifecycle === 'new')
      } catch (error) {
        return error instanceof AppError
      }
    }),
    { numRuns: 500 }
  )
  t.pass('500 messages')
})

/** An event with some of its bytes changed. */
function damaged(): fc.Arbitrary<Uint8Array> {
  const whole = bytes(event('f1', { lat: 44, lon: -116, expires: '2026-08-02T00:00:00Z' }))
  const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }))
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    const copy = Uint8Array.from(whole)
    for (const [at, mask] of changes) copy[at] = (copy[at] ?? 0) ^ mask
    return copy
  })
}

t.test('filters of MQTT and subjects of NATS fit as their rules say', async (t) => {
  const filters: [string, string, boolean][] = [
    ['a/b', 'a/b', true],
    ['a/b', 'a/b/c', false],
    ['a/+', 'a/b', true],
    ['a/+', 'a', false],
    ['a/+', 'a/b/c', false],
    ['+/+', '/a', true],
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['#', 'a/b', true],
    ['#', '$SYS/broker', false],
    ['+/x', '$SYS/x', false],
    ['$SYS/#', '$SYS/x', true]
  ]
  for (const [filter, topic, fits] of filters) t.equal(filterFits(filter, topic), fits, `${filter} and ${topic}`)
  const subjects: [string, string, boolean][] = [
    ['a.b', 'a.b', true],
    ['a.*', 'a.b', true],
    ['a.*', 'a.b.c', false],
    ['a.>', 'a', false],
    ['a.>', 'a.b.c', true],
    ['>', 'a', true],
    ['*.b', 'a.c', false]
  ]
  for (const [pattern, subject, fits] of subjects)
    t.equal(subjectFits(pattern, subject), fits, `${pattern} and ${subject}`)
  const covers: [string[], string][] = [
    [['hub.fire.>', 'hub.wx.>'], 'hub.*.>'],
    [['hub.fire.a', 'hub.wx.a'], 'hub.*.a'],
    [['a.b', 'a.b.c'], 'a.>'],
    [['a.>', 'a'], '>'],
    [['a.b.>', 'a.b.c'], 'a.b.>'],
    [['a.b.c'], 'a.b.c'],
    [['a', 'b.c.d'], '>']
  ]
  for (const [all, cover] of covers) t.equal(coveringSubject(all), cover, `${all} in ${cover}`)
})

t.test('settings that cannot work are refused or named', async (t) => {
  const url = 'mqtt://broker.example'
  t.match(inWords(mqttSource.missing?.(mqttSettings())), /Set url/)
  t.match(inWords(mqttSource.missing?.(mqttSettings({ url }))), /topics/)
  t.equal(mqttSource.missing?.(mqttSettings({ url, topics: [{ filter: 'a/#' }] })), null)
  const servers = ['nats://hub.example:4222']
  const absent: [object, RegExp | null][] = [
    [{}, /servers/],
    [{ servers, stream: '' }, /stream/],
    [{ servers, durable: '' }, /durable/],
    [{ servers, subjects: [] }, /no subject/],
    [{ servers, allow: {} }, /no family is allowed/],
    [{ servers }, null]
  ]
  for (const [more, reason] of absent) {
    const said = natsSource.missing?.(natsSettings(more)) ?? null
    if (reason === null) t.equal(said, null)
    else t.match(inWords(said), reason)
  }
  const nothing = v.parse(natsSourceSchema, { kind: 'nats' })
  t.same([nothing.subjects, nothing.allow.families], [[], []], 'nothing is taken that nobody named')
  for (const bad of [
    { url: 'http://broker.example' },
    { url: 'mqtt://me:secret@broker.example' },
    { topics: [{ filter: 'a/#/b' }] },
    { topics: [{ filter: 'a+' }] },
    { topics: [{ filter: 'a' }, { filter: 'a' }] },
    { client_id: 'has space' }
  ]) {
    t.throws(() => mqttSettings(bad), JSON.stringify(bad))
  }
  for (const bad of [{ subjects: ['a..b'] }, { subjects: ['>.a'] }, { stream: 'a.b' }, { servers: ['wss://x'] }]) {
    t.throws(() => natsSettings(bad), JSON.stringify(bad))
  }
  t.equal(clientIdOf(mqttSettings(), new Station().tools), 'lookout-lookout-pushed')
  t.equal(clientIdOf(mqttSettings({ client_id: 'ridge-7' }), new Station().tools), 'ridge-7')
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  t.match(inWords(networkReason('hub:1', new Error('wrapped', { cause: refused }))), /hub:1 refuses the connection/)
})

t.test('recorded messages of observers are read by a mapping', async (t) => {
  const file = needsFixture(t, 'feeds/mqtt/meshcore-packets.json')
  if (file === null) return
  const body = readFileSync(file)
  const recorded: unknown[] = JSON.parse(body.toString())
  const mapping = {
    fields: {
      id: { template: '{/origin_id}-{/timestamp}' },
      title: { template: 'Packet heard by {/origin}' },
      family: { value: 'mesh_health' },
      sent_at: '/timestamp'
    }
  }
  const settings = mqttSettings({ url: 'mqtt://x', topics: [{ filter: 'meshcore/SEA/+/packets', mapping }] })
  const reading = mqttSource.read(body, settings, readTools(NOW))
  t.equal(reading.items, recorded.length)
  t.equal(reading.events.length + reading.skipped.length, recorded.length)
  t.ok(reading.events.length > 0, `${reading.events.length} events, ${reading.skipped.length} skipped`)
  for (const { reason } of reading.skipped) t.match(reason, /nobody listens/)
  const one = bytes(recorded[0])
  t.equal(mqttSource.read(one, settings, readTools(NOW)).events.length, 1, 'one message alone')
  for (let percent = 0; percent < 100; percent++) {
    const cut = one.subarray(0, Math.floor((one.length * percent) / 100))
    try {
      t.same(mqttSource.read(cut, settings, readTools(NOW)).events, [])
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
})

t.test('MQTT: a broker of the version before, and one that denies', async (t) => {
  /** Knows 3.1.1 only; grants alerts/# and nothing else. */
  const old = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const level = data[8]
      if (data[0] === 0x10) socket.write(Buffer.of(0x20, 2, 0, level === 4 ? 0 : 1))
      for (const { id, filter } of subscriptions(data)) {
        socket.write(Buffer.of(0x90, 3, id >> 8, id & 255, filter === 'alerts/#' ? 1 : 0x80))
      }
    })
  })
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
  t.teardown(() => old.close())
  const address = old.address()
  const url = `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const cases: [string[], string, RegExp | null][] = [
    [['alerts/#'], 'ready', null],
    [['alerts/#', 'private/#'], 'ready', /does not let this user read private\/#\./],
    [['private/#', 'secret'], 'down', /does not let this user read private\/#, secret\./]
  ]
  for (const [filters, state, reason] of cases) {
    const station = new Station()
    const source = await mqttSource.open(
      mqttSettings({ url, topics: filters.map((filter) => ({ filter })) }),
      station.tools
    )
    await station.until('the version before was tried', () => station.states.length === 3)
    t.match(station.reasons[1], /does not know MQTT 5/)
    t.equal(station.states[2], state)
    if (reason === null) t.equal(station.reasons[2], null)
    else t.match(station.reasons[2], reason)
    await source.close()
  }
})

/** SUBSCRIBE packets of one filter each, MQTT 3.1.1 §3.8. */
function subscriptions(data: Buffer): { id: number; filter: string }[] {
  const found: { id: number; filter: string }[] = []
  for (let at = 0; at + 1 < data.length; at += 2 + (data[at + 1] ?? 0)) {
    if (data[at] !== 0x82) continue
    const length = data.readUInt16BE(at + 4)
    found.push({ id: data.readUInt16BE(at + 2), filter: data.toString('utf8', at + 6, at + 6 + length) })
  }
  return found
}

t.test('MQTT: messages of a real broker', async (t) => {
  if (!hasProgram('mosquitto', '-h') || !hasProgram('mosquitto_passwd', '-h')) {
    t.comment('skipped: mosquitto is not installed: nothing was tried with a real broker')
    return
  }
  const broker = await mosquitto()
  t.teardown(() => broker.discard())
  const url = `mqtt://127.0.0.1:${broker.port}`
  const topics = [{ filter: 'alerts/#' }, { filter: 'sensors/+/quiet', retained: 'ignore' }]
  const settings = mqttSettings({ url, topics, client_id: 'ridge' })
  const login = { username: 'hub', password: 'right', reconnectPeriod: 100 }
  const hub = await connectAsync(url, login)
  t.teardown(() => hub.endAsync(true))
  const tell = (what: unknown, topic = 'alerts/fire', retain = false) =>
    hub.publishAsync(topic, Buffer.from(bytes(what)), { qos: 1, retain })
  const memory = new PlainMemory()
  const open = async (station: Station) => mqttSource.open(settings, station.tools)

  await t.test('a wrong password is told with what to do, and does not end the trying', async (t) => {
    const station = new Station()
    const source = await mqttSource.open({ ...settings, password: 'wrong' }, station.tools)
    await station.until('it is down, twice', () => station.states.filter((state) => state === 'down').length >= 2)
    t.match(station.reasons.at(-1), /Check username and password|Set username and password/)
    await source.close()
  })

  await t.test('nobody there is told', async (t) => {
    const station = new Station()
    const source = await mqttSource.open({ ...settings, url: 'mqtt://127.0.0.1:1' }, station.tools)
    await station.until('it is down', () => station.states.includes('down'))
    t.match(station.reasons.at(-1), /127\.0\.0\.1:1 refuses the connection/)
    await source.close()
  })

  await t.test('encrypted: only with a certificate that is trusted', async (t) => {
    const { port, folder } = broker
    if (!hasProgram('openssl', 'version'))
      return t.comment('skipped: openssl is not installed: no certificate was made')
    const cases: [object, string, RegExp | null][] = [
      [{ ca_file: `${folder}/tls.crt` }, 'ready', null],
      [{}, 'down', /Name it in ca_file/],
      [{ ca_file: 'nowhere.crt' }, 'down', /ca_file cannot be read/],
      [{ url: `mqtts://127.0.0.1:${port}` }, 'down', /does not speak TLS|broke the connection off/]
    ]
    for (const [more, state, reason] of cases) {
      const station = new Station()
      const secure = { ...settings, client_id: 'secure', url: `mqtts://localhost:${broker.tlsPort}`, ...more }
      const source = await mqttSource.open(secure, station.tools)
      await station.until('an answer', () => station.states.length > 1)
      t.equal(station.states[1], state)
      if (reason === null) t.equal(station.reasons[1], null)
      else t.match(station.reasons[1], reason)
      await source.close()
    }
  })

  await t.test('what the broker kept is known; what comes is told; what cannot be read stops nothing', async (t) => {
    await tell(event('old'), 'alerts/old', true)
    await tell(event('quiet'), 'sensors/7/quiet', true)
    const station = new Station(memory)
    const source = await open(station)
    await station.ready()
    await station.until('the retained one', () => station.ids.includes('old'))
    await tell('{"id":')
    await tell('not JSON at all')
    await tell(event('long', { body: 'x'.repeat(70_000) }))
    await tell({ id: 'no title' })
    await tell(event('new'))
    await tell(event('now'), 'sensors/7/quiet')
    await station.until('the good ones', () => station.ids.includes('now'))
    t.same(station.ids, ['old', 'new', 'now'])
    t.same(station.known, ['old'])
    t.equal(station.refused.length, 4)
    t.match(station.refused.join(' '), /not complete JSON.*64 KiB.*title/s)
    t.equal(
      station.states.filter((state) => state !== 'ready' && state !== 'connecting').length,
      0,
      'it stayed connected'
    )
    await source.close()
  })

  await t.test('a crash between storing and acknowledging: it comes again, and is one event', async (t) => {
    const station = new Station(memory)
    station.diesAt = 'crash'
    const dying = await open(station)
    await station.ready()
    await tell(event('crash'))
    await station.until('it is stored', () => station.ids.includes('crash'))
    await dying.close()
    const accepted = station.accepted
    station.diesAt = null
    const source = await open(station)
    await station.until('it came again', () => station.accepted > accepted)
    t.equal(station.ids.filter((id) => id === 'crash').length, 1)
    await source.close()
  })

  await t.test('200 messages, sent while we were away and now, come in their order', async (t) => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`)
    await Promise.all(names.slice(0, 100).map((name) => tell(event(name))))
    const station = new Station(memory)
    const source = await open(station)
    await station.ready()
    await Promise.all(names.slice(100).map((name) => tell(event(name))))
    await station.until('all of them', () => station.ids.includes('n199'))
    t.same(
      station.ids.filter((id) => id.startsWith('n')),
      names.filter((name) => station.ids.includes(name))
    )
    t.equal(station.ids.filter((id) => /^n\d+$/.test(id)).length, 200)
    await source.close()
  })

  await t.test('what cannot be stored is asked for again; what never can be holds up nothing for ever', async (t) => {
    const station = new Station(memory)
    let failures = 0
    station.failing = ([first]) =>
      (first?.id === 'twice' && ++failures <= 2) || first?.id === 'never' ? new Error('disk') : null
    const source = await open(station)
    await station.ready()
    await tell(event('twice'))
    await station.until('it is stored', () => station.ids.includes('twice'))
    t.equal(failures, 3)
    await tell(event('never'))
    await tell(event('after'))
    await station.until('the next', () => station.ids.includes('after'))
    t.same(station.refused, ['it could not be stored'])
    t.match(station.reasons.join(' '), /could not be stored: disk/)
    await source.close()
  })

  await t.test('what a failing disk does not take holds up no warning, and comes again from the broker', async (t) => {
    const station = new Station(memory)
    let fails = true
    station.failing = ([first]) => (fails && first?.id.startsWith('waits-') === true ? new StorageError('io') : null)
    const source = await open(station)
    await station.ready()
    for (let n = 0; n < 30; n++) await tell(event(`waits-${n}`))
    await tell(event('leave-now'))
    await station.until('the warning behind them', () => station.ids.includes('leave-now'))
    t.equal(station.states.includes('down'), false)
    await source.close()
    fails = false
    const next = new Station(memory)
    const again = await open(next)
    await next.until('those that were not acknowledged', () => next.ids.includes('waits-9'))
    t.equal(next.ids.includes('leave-now'), false)
    await again.close()
  })

  await t.test('the broker restarts: it comes back and misses nothing', async (t) => {
    const station = new Station(memory)
    const source = await open(station)
    await station.ready()
    await broker.stop()
    await station.until('it is down', () => station.states.at(-1) === 'down')
    await broker.start()
    await station.ready()
    await tell(event('after the restart'))
    await station.until('the message', () => station.ids.includes('after the restart'))
    await source.close()
    const taken = station.states.length
    await tell(event('closed'))
    t.notOk(station.ids.includes('closed'))
    t.equal(station.states.length, taken, 'closed is closed')
  })

  await t.test('another station with the same client_id is told as such', async (t) => {
    const station = new Station()
    const source = await open(station)
    await station.ready()
    const twin = await connectAsync(url, { ...login, clientId: 'ridge', protocolVersion: 5, reconnectPeriod: 0 })
    await station.until('it is down', () => station.states.includes('down'))
    t.match(
      station.reasons.find((reason) => reason !== null),
      /closed the connection.*client_id \(ridge\)|another client with the same client_id/
    )
    await source.close()
    await twin.endAsync(true)
  })
})

t.test('NATS: messages of a real hub', async (t) => {
  if (!hasProgram('nats-server', '--version')) {
    t.comment('skipped: nats-server is not installed: nothing was tried with a real hub')
    return
  }
  const server = await natsServer()
  t.teardown(() => server.discard())
  const servers = [`nats://127.0.0.1:${server.port}`]
  const login = { servers: `127.0.0.1:${server.port}`, user: 'hub', pass: 'right', reconnectTimeWait: 100 }
  const hub = await connectNats(login)
  t.teardown(() => hub.close())
  let told = 0
  // Right after a restart the hub may swallow the first request: it is said again under its id, which the hub knows.
  const tell = async (what: unknown, subject = 'hub.fire.us') => {
    const msgID = `told ${++told}`
    for (let tries = 1; ; tries++)
      try {
        return await jetstream(hub).publish(subject, bytes(what), { msgID })
      } catch (error) {
        if (tries === 4) throw error
      }
  }
  const manager = await jetstreamManager(hub)
  const settings = natsSettings({ servers, ack_wait_seconds: 1 })
  const memory = new PlainMemory()

  await t.test('wrong credentials, a missing stream and missing rights are told with what to do', async (t) => {
    const cases: [object, RegExp][] = [
      [{ password: 'wrong' }, /does not let us in. Check username and password/],
      [{}, /no stream ALERTS.*create_stream/],
      [{ servers: ['nats://127.0.0.1:1'] }, /refuses the connection/],
      [{ creds_file: 'none.creds' }, /creds_file cannot be read/],
      [{ servers: ['tls://127.0.0.1:1'] }, /refuses the connection/]
    ]
    for (const [more, reason] of cases) {
      const station = new Station()
      const source = await natsSource.open({ ...settings, ...more }, station.tools)
      await station.until('it is down', () => station.states.includes('down'))
      t.match(station.reasons.at(-1), reason)
      await source.close()
    }
    t.same(await manager.streams.list().next(), [], 'no stream was made')
  })

  await t.test('a stream that comes later is found; its past is not told; only what is allowed is taken', async (t) => {
    const station = new Station(memory)
    const allow = { families: ['fire'], sources: [], min_severity: 'priority' as const }
    const strict = { ...settings, subjects: ['hub.fire.>', 'hub.wx.>'], allow }
    const source = await natsSource.open(strict, station.tools)
    await station.until('it is down', () => station.states.includes('down'))
    await manager.streams.add({ name: 'ALERTS', subjects: ['hub.>'] })
    await tell(event('past'))
    await station.ready()
    await tell(event('other subject'), 'hub.roads.us')
    await tell(event('other family', { family: 'weather' }), 'hub.wx.us')
    await tell(event('too mild', { severity: 'routine' }))
    await tell(event('over', { severity: 'routine', lifecycle: 'cancel' }))
    await tell('no JSON')
    await tell(event('long', { body: 'x'.repeat(70_000) }))
    await tell(event('taken', { source: 'nws', thread_id: 'vtec:9' }), 'hub.wx.us')
    await station.until('the allowed one', () => station.ids.includes('taken'))
    t.same(
      station.ids.filter((id) => id !== 'past'),
      ['over', 'taken']
    )
    t.match(station.events.at(-1), { source: 'nws', thread_id: 'vtec:9' }, 'the hub says whose it is')
    t.match(
      station.refused.join('\n'),
      /family weather is not in allow.families\nbelow allow.min_severity\n.*JSON.*\n.*64 KiB/
    )
    await source.close()
    const info = await manager.consumers.info('ALERTS', 'ridge')
    t.equal(info.num_ack_pending, 0, 'everything is acknowledged or ended')
    t.equal(info.config.deliver_policy, 'new')
  })

  await t.test('without a family or with foreign sources nothing is taken', async (t) => {
    const station = new Station()
    const allow = { families: ['fire'], sources: ['usgs'], min_severity: 'routine' as const }
    await tell(event('yesterday', { source: 'usgs' }))
    const source = await natsSource.open({ ...settings, durable: 'picky', allow }, station.tools)
    await station.ready()
    await tell(event('foreign', { source: 'nws' }))
    await tell(event('mine', { source: 'usgs' }))
    await station.until('the one', () => station.ids.includes('mine'))
    t.same(station.ids, ['mine'], 'nor what the stream held before')
    await source.close()
    for (const deliver of ['all', 'last_hour'] as const) {
      const late = new Station()
      const whole = await natsSource.open({ ...settings, durable: `from-${deliver}`, deliver, allow }, late.tools)
      await late.until('the past', () => late.ids.includes('mine'))
      t.same(late.ids, ['yesterday', 'mine'], deliver)
      await whole.close()
    }
    const none = new Station()
    const nothing = { ...settings, durable: 'none', allow: { ...allow, families: [], sources: [] } }
    const closed = await natsSource.open(nothing, none.tools)
    await none.ready()
    await tell(event('unasked'))
    await none.until('it is refused', () => none.refused.length > 0)
    t.same(none.events, [])
    await closed.close()
  })

  await t.test('a crash between storing and acknowledging: it comes again, and is one event', async (t) => {
    const station = new Station(memory)
    station.diesAt = 'crash'
    const dying = await natsSource.open(settings, station.tools)
    await station.ready()
    await tell(event('crash'))
    await station.until('it is stored', () => station.ids.includes('crash'))
    await dying.close()
    const accepted = station.accepted
    station.diesAt = null
    const source = await natsSource.open(settings, station.tools)
    await station.until('it came again', () => station.accepted > accepted)
    t.equal(station.ids.filter((id) => id === 'crash').length, 1)
    await source.close()
  })

  await t.test('200 messages, sent while we were away and now, come in their order', async (t) => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`)
    for (const name of names.slice(0, 100)) await tell(event(name))
    const station = new Station(memory)
    const source = await natsSource.open(settings, station.tools)
    await station.ready()
    for (const name of names.slice(100)) await tell(event(name))
    await station.until('all of them', () => station.ids.includes('n199'))
    t.same(
      station.ids.filter((id) => /^n\d+$/.test(id)),
      names
    )
    await source.close()
  })

  await t.test('what cannot be stored comes again later, and the others go on', async (t) => {
    const station = new Station(memory)
    let failures = 0
    station.failing = ([first]) =>
      (first?.id === 'once' && ++failures <= 1) || first?.id === 'never' ? new Error('disk') : null
    const source = await natsSource.open({ ...settings, max_deliver: 2 }, station.tools)
    await station.ready()
    for (const id of ['once', 'never', 'after']) await tell(event(id))
    await station.until('both are done', () => station.ids.includes('once') && station.refused.length > 0)
    t.same(station.ids, ['after', 'once'])
    t.match(station.refused, [/could not be stored: disk/])
    await source.close()
  })

  await t.test('the consumer is removed meanwhile: made anew where it was', async (t) => {
    const station = new Station(memory)
    const source = await natsSource.open(settings, station.tools)
    await station.ready()
    await tell(event('before'))
    await station.until('the first', () => station.ids.includes('before'))
    await manager.consumers.delete('ALERTS', 'ridge')
    for (const id of ['gap 1', 'gap 2']) await tell(event(id))
    await station.until('what came in between', () => station.ids.includes('gap 2'))
    t.same(station.ids, ['before', 'gap 1', 'gap 2'])
    await source.close()
  })

  await t.test('the hub restarts: it comes back and misses nothing', async (t) => {
    const station = new Station(memory)
    const source = await natsSource.open(settings, station.tools)
    await station.ready()
    await server.stop()
    await station.until('it is down', () => station.states.at(-1) === 'down')
    await server.start()
    await station.ready()
    await tell(event('after the restart'))
    await station.until('the message', () => station.ids.includes('after the restart'))
    t.same(station.refused, [])
    await source.close()
  })

  await t.test('a stream may be made where the server is ours; rights that lack are told', async (t) => {
    const station = new Station()
    const own = { ...settings, stream: 'OWN', subjects: ['own.>'], create_stream: true, deliver: 'all' as const }
    const source = await natsSource.open(own, station.tools)
    await station.ready()
    await tell(event('own'), 'own.fire')
    await station.until('the message', () => station.ids.includes('own'))
    await source.close()
    const guest = new Station()
    const denied = await natsSource.open({ ...settings, username: 'guest', durable: 'guest' }, guest.tools)
    await guest.until('it is down', () => guest.states.includes('down'))
    t.match(
      guest.reasons.find((reason) => reason !== null),
      /does not allow this user/
    )
    await denied.close()
  })
})
