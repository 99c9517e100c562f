import t, { type Test } from 'tap'
import * as v from 'valibot'
import { familyKeys } from '../../../src/model/families.ts'
import { because } from '../../../src/model/reason.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { drain } from '../../../src/platform/clock/slices.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import type { GetAnswer, GetRequest } from '../../../src/platform/net/fetch.ts'
import { FetchError } from '../../../src/platform/net/fetch-error.ts'
import { type Config, configSchema } from '../../../src/settings/schema.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import type { SourceSettings } from '../../../src/warning/feeds/common-settings.ts'
import type { FeedArrival } from '../../../src/warning/feeds/deliver.ts'
import { applyOverrides, OFF_REASON } from '../../../src/warning/feeds/overrides.ts'
import { addressKey } from '../../../src/warning/feeds/polling/polite-fetch.ts'
import {
  nextAfterFailure,
  nextAfterSuccess,
  paceOf,
  retryAfterMs
} from '../../../src/warning/feeds/polling/schedule.ts'
import { userAgent } from '../../../src/warning/feeds/polling/user-agent.ts'
import { jsonBodySteps } from '../../../src/warning/feeds/reading/json.ts'
import type { PollTools, PushKind, PushTools, SourceKind, SourceReading } from '../../../src/warning/feeds/source.ts'
import { Sources, type SourcesSetup } from '../../../src/warning/feeds/sources.ts'
import type { SourceStatus } from '../../../src/warning/feeds/status.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { SourceStore } from '../../../src/warning/outbox/source-store.ts'
import { inWords, note } from '../../helpers/in-words.ts'

const START = Date.parse('2026-06-01T18:00:00Z')
const MINUTE = 60_000

type Answering = (request: GetRequest) => Partial<GetAnswer> | Error | Promise<Partial<GetAnswer> | Error>

const answer = (patch: Partial<GetAnswer> = {}): GetAnswer => ({
  status: 200,
  url: '',
  body: new Uint8Array(),
  bytes: patch.body?.length ?? 0,
  contentType: 'application/json',
  etag: null,
  modified: null,
  maxAge: null,
  retryAfter: null,
  ...patch
})

/** A listing as the invented kind `list` publishes it. */
const listing = (...ids: string[]): Partial<GetAnswer> => ({ body: Buffer.from(JSON.stringify({ ids })) })
const unreachable = (): Error => new FetchError('unreachable', note('host cannot be reached (ENOTFOUND)'))

/** An invented kind: `{ids: […]}`, remembers how often it saw each. */
const list: SourceKind<SourceSettings & { url?: string }> = {
  mode: 'poll',
  kind: 'usgs',
  about: 'Invented.',
  defaultIntervalSeconds: 60,
  minIntervalSeconds: 60,
  needsContact: false,
  async poll(settings, tools) {
    const fetched = await tools.fetch({ url: settings.url ?? '' })
    return fetched.state === 'unchanged' ? 'unchanged' : read(fetched.body, tools)
  },
  read: (body, _, tools) => read(body, tools)
}

function read(
  body: Uint8Array,
  { source, receivedAt, memory }: Pick<PollTools, 'source' | 'receivedAt' | 'memory'>
): SourceReading {
  const { ids } = drain(jsonBodySteps(Buffer.from(body).toString(), 'list'))
  if (!Array.isArray(ids)) throw new Error('a bug in the reader')
  const events = ids.map((id) => {
    memory.set(`seen:${id}`, Number(memory.get(`seen:${id}`) ?? 0) + 1)
    const event = { id, source, family: 'seismic', title: id, data: { event_name: `Kind ${id[0]}` } }
    return parseEventInput(event, { now: receivedAt, families: familyKeys() })
  })
  return { kind: 'list', events, skipped: [], updated: null, items: ids.length }
}

interface Setup {
  clock: VirtualClock
  sources: Sources
  requests: { at: number; host: string; request: GetRequest }[]
  accepted: (FeedArrival & { at: number })[]
  told: SourceStatus[]
  logged: string[]
  store: SourceStore
  writes: () => number
  answers: (next: Answering) => void
  configure: (config: unknown) => Promise<void>
  run: (ms: number) => Promise<void>
  status: (name?: string) => SourceStatus
  restart: (options?: { clock?: VirtualClock }) => Promise<Setup>
}

interface SetupOptions {
  config?: unknown
  kinds?: Record<string, SourceKind | PushKind>
  patch?: Partial<SourcesSetup>
  clock?: VirtualClock
  store?: SourceStore
  answers?: Answering
}

async function setup(t: Test, options: SetupOptions = {}): Promise<Setup> {
  const clock = options.clock ?? new VirtualClock(START)
  let config: Config = v.parse(configSchema, options.config ?? { sources: [{ kind: 'usgs' }] })
  let answering: Answering = options.answers ?? (() => listing())
  const listeners = new Set<() => void>()
  const requests: Setup['requests'] = []
  const accepted: Setup['accepted'] = []
  const told: SourceStatus[] = []
  const logged: string[] = []
  const store = options.store ?? (await newStore(t))
  let writes = 0
  const save = store.save.bind(store)
  store.save = (...args) => {
    writes++
    save(...args)
  }
  const sources = new Sources({
    config: () => config,
    onConfigChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dataFolder: '/data',
    store,
    accept: async (arrivals) => void accepted.push(...arrivals.map((arrival) => ({ ...arrival, at: clock.now() }))),
    inForce: () => [],
    transport: async (request) => {
      requests.push({ at: clock.now(), host: new URL(request.url).host, request })
      const said = await answering(request)
      if (said instanceof Error) throw said
      return answer(said)
    },
    intervalFactor: 1,
    version: '1.2.3',
    startedAt: clock.now(),
    clock,
    random: () => 0.5,
    log: createLog({ level: 'debug', destination: { write: (line: string) => void logged.push(line) } }),
    onChange: (status) => void told.push(status),
    kindOf: async (kind) => options.kinds?.[kind] ?? list,
    ...options.patch
  })
  t.teardown(() => sources.stop())
  sources.start()
  await clock.runTo(clock.now())
  return {
    clock,
    sources,
    requests,
    accepted,
    told,
    logged,
    store,
    writes: () => writes,
    answers: (next) => {
      answering = next
    },
    configure: async (next) => {
      config = v.parse(configSchema, next)
      for (const listener of listeners) listener()
      await clock.runTo(clock.now())
    },
    run: (ms) => run(clock, ms),
    status: (name = 'usgs') => {
      const status = sources.list().find((one) => one.name === name)
      if (status === undefined) throw new Error(`no source ${name}`)
      return status
    },
    restart: async (more = {}) => {
      await sources.stop()
      return setup(t, { ...options, config, clock, store, answers: answering, ...more })
    }
  }
}

/** A poll ends some turns of the event loop after its timer: time stands still until it has. */
async function run(clock: VirtualClock, ms: number): Promise<void> {
  const until = clock.now() + ms
  for (;;) {
    for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
    const next = clock.nextAt
    if (next === null || next > until) break
    await clock.runTo(next)
  }
  await clock.runTo(until)
}

async function newLedger(t: Test): Promise<Database> {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  return db
}

const newStore = async (t: Test): Promise<SourceStore> => new SourceStore(await newLedger(t))

const ids = (d: Setup): string[] => d.accepted.map(({ event }) => event.id)
const gaps = (d: Setup): number[] =>
  d.requests.slice(1).map(({ at }, i) => Math.round((at - (d.requests[i]?.at ?? 0)) / 1000))

t.test(
  'what is listed when a source starts is known, what comes later is new; a listing that did not change is no news',
  async (t) => {
    const d = await setup(t)
    d.answers(({ etag }) =>
      etag === '"1"' ? { status: 304 } : { ...listing('a', 'b'), etag: '"1"', modified: 'then' }
    )
    t.equal(d.status().state, 'waiting')
    await d.run(5000)
    t.match(d.accepted, [
      { event: { id: 'a', source: 'usgs' }, coldStart: true },
      { event: { id: 'b' }, coldStart: true }
    ])
    t.match(d.status(), { state: 'ok', items: 2, failures: 0, requests: 1, interval_seconds: 60, error: null })
    await d.run(MINUTE)
    t.match(d.requests[1]?.request, { etag: '"1"', modified: 'then', userAgent: 'Lookout/1.2.3' })
    t.match(d.status(), { state: 'unchanged', items: 2, requests: 2 })
    t.equal(d.accepted.length, 2)
    d.answers(() => ({ ...listing('a', 'b', 'c'), etag: '"2"' }))
    await d.run(MINUTE)
    t.match(d.accepted.slice(2), [{ coldStart: false }, { coldStart: false }, { event: { id: 'c' }, coldStart: false }])
    t.equal(d.store.recall('usgs', 'seen:a'), 2, 'the 304 was not read')
    await d.run(MINUTE)
    t.equal(d.status().state, 'unchanged', 'the same bytes with needless new validators are no news either')
    t.equal(d.accepted.length, 5)
  }
)

t.test('the grace covers every listing soon after the start, and none when it is off', async (t) => {
  for (const [grace, expected] of [
    [600, [true, true, false]],
    [60, [true, false, false]],
    [0, [false, false, false]]
  ] as const) {
    let number = 0
    const config = { sources: [{ kind: 'usgs' }], notifications: { cold_start_grace_seconds: grace } }
    const d = await setup(t, { config, answers: () => listing(`e${number++}`) })
    await d.run(5000)
    await d.run(MINUTE)
    await d.run(10 * MINUTE)
    t.same(
      [d.accepted[0], d.accepted[1], d.accepted.at(-1)].map((one) => one?.coldStart),
      expected,
      `grace ${grace}`
    )
  }
})

t.test('a first listing that fails is not the first: cold start lasts until a whole good one', async (t) => {
  const d = await setup(t, { answers: () => ({ body: Buffer.from('<html>busy</html>') }) })
  await d.run(30 * MINUTE)
  t.equal(d.accepted.filter(({ event }) => event.source === 'usgs').length, 0)
  d.answers(() => listing('old'))
  await d.run(40 * MINUTE)
  t.match(
    d.accepted.find(({ event }) => event.id === 'old'),
    { coldStart: true }
  )
})

t.test('bodies that are not what the source publishes change nothing, and are asked again with backoff', async (t) => {
  const d = await setup(t, { answers: () => ({ ...listing('a'), etag: '"good"' }) })
  await d.run(5000)
  const before = d.store.state('usgs')
  for (const text of ['', '<html>busy</html>', '{"ids":["a","b"', '{"ids":["x"]} trailing']) {
    const at = d.requests.length
    d.answers(() => ({ body: Buffer.from(text), etag: '"bad"', status: 200 }))
    await d.run(35 * MINUTE)
    t.ok(d.requests.length > at, 'it was asked')
    t.equal(d.requests.at(-1)?.request.etag, '"good"', `${text || 'nothing'}: what was known stays`)
    t.match(inWords(d.status()), { state: 'stale', items: 1, error: /list: / })
    t.equal(d.store.recall('usgs', 'seen:a'), 1)
    t.equal(d.store.recall('usgs', 'seen:x'), undefined, 'nothing is remembered of a bad body')
  }
  t.equal(d.store.state('usgs')?.lastOk, before?.lastOk)
  t.same(
    ids(d).filter((id) => !id.startsWith('feed:')),
    ['a']
  )
  d.answers(() => listing('a', 'b'))
  await d.run(35 * MINUTE)
  t.match(d.status(), { state: /ok|unchanged/, failures: 0, error: null })
})

t.test('a bug in a reader is told as one and stops nothing else', async (t) => {
  const d = await setup(t, { answers: () => ({ body: Buffer.from('{"ids":3}') }) })
  await d.run(5000)
  t.match(inWords(d.status()), { state: 'failing', error: /failed unexpectedly/ })
  t.match(d.logged.join(''), /a bug in the reader/)
  d.answers(() => listing('a'))
  await d.run(2 * MINUTE)
  t.same(ids(d), ['a'])
})

t.test('a feed of warnings is asked again within 2 min, whatever fails and for however long', async (t) => {
  const d = await setup(t, { answers: () => ({ status: 500 }), kinds: { usgs: { ...list, warns: true } } })
  await d.run(60 * MINUTE)
  t.same([...new Set(gaps(d))], [60, 120])
  d.answers(() => listing('a'))
  await d.run(2.1 * MINUTE)
  t.ok(ids(d).includes('a'))
})

t.test('failures wait 1, 2, 4 … 30 min; success resets; Retry-After and max-age make it longer', async (t) => {
  const d = await setup(t, { answers: () => ({ status: 500 }) })
  await d.run(3 * 60 * MINUTE)
  t.same(gaps(d), [60, 120, 240, 480, 960, 1800, 1800, 1800, 1800])
  t.match(inWords(d.status()), { state: 'stale', error: 'earthquake.usgs.gov answered 500', failures: 10 })
  d.answers(() => ({ ...listing('a'), maxAge: 300 }))
  await d.run(31 * MINUTE)
  const from = d.requests.length
  await d.run(16 * MINUTE)
  const apart = gaps(d).slice(from)
  t.ok(apart.length >= 2 && apart.every((gap) => gap === 300), 'max-age is longer than the interval')
  d.answers(() => ({ status: 429, retryAfter: '4000' }))
  await d.run(6 * MINUTE)
  const asked = d.requests.length
  await d.run(3_990_000 - (d.clock.now() - (d.requests.at(-1)?.at ?? 0)))
  t.equal(d.requests.length, asked, 'not before Retry-After is over')
  await d.run(20_000)
  t.equal(d.requests.length, asked + 1)
})

t.test('refused with 403, a provider is left alone for half an hour from the first time', async (t) => {
  const d = await setup(t, { answers: () => ({ status: 403 }) })
  await d.run(29 * MINUTE)
  t.equal(d.requests.length, 1)
  t.match(inWords(d.status()), { state: 'stale', reason: /refuses us/ })
  await d.run(5 * MINUTE)
  t.equal(d.requests.length, 2)
})

t.test('the pace: never below the provider, stretched by the profile, spread by a tenth', async (t) => {
  const kind = { defaultIntervalSeconds: 45, minIntervalSeconds: 30 }
  t.same(paceOf(kind, {}, 1), {
    intervalMs: 45_000,
    minMs: 30_000,
    staleMs: 15 * MINUTE,
    backoffMs: 30 * MINUTE
  })
  t.match(paceOf({ ...kind, warns: true }, {}, 1), { backoffMs: 2 * MINUTE })
  t.match(paceOf(kind, { interval_seconds: 5 }, 1), { intervalMs: 30_000 })
  t.match(paceOf(kind, { interval_seconds: 600 }, 2), { intervalMs: 1_200_000, staleMs: 3_600_000 })
  t.match(paceOf(kind, { stale_after_seconds: 60 }, 1), { staleMs: 60_000 })
  const pace = { intervalMs: 100_000, minMs: 30_000, staleMs: 0, backoffMs: 30 * MINUTE }
  t.same(
    [0, 0.5, 1].map((r) => nextAfterSuccess(pace, null, () => r)),
    [90_000, 100_000, 110_000]
  )
  t.equal(
    nextAfterSuccess({ ...pace, minMs: 100_000 }, null, () => 0),
    100_000,
    'jitter never goes below the least'
  )
  t.equal(
    nextAfterSuccess(pace, 86_400, () => 0.5),
    3_600_000,
    'a day of max-age is a mistake'
  )
  const failed = { failures: 1, status: 500, retryAfterMs: null }
  t.equal(
    nextAfterFailure({ ...pace, minMs: 7_200_000 }, failed, () => 0.5),
    7_200_000,
    'a retry keeps to the least, too'
  )
  t.equal(
    nextAfterFailure(pace, { ...failed, failures: 40 }, () => 1),
    30 * MINUTE
  )
  t.same(
    [1, 2, 3, 4, 5, 6].map((failures) => nextAfterFailure(pace, { ...failed, failures }, () => 0.5) / MINUTE),
    [1, 2, 4, 8, 16, 30]
  )
  t.equal(
    nextAfterFailure({ ...pace, backoffMs: 2 * MINUTE }, { ...failed, status: 403 }, () => 0),
    30 * MINUTE,
    'a provider that refuses us is left alone, or it blocks us for good'
  )
  t.equal(retryAfterMs('120', START), 120_000)
  t.equal(retryAfterMs(new Date(START + 90_000).toUTCString(), START), 90_000)
  t.equal(retryAfterMs('9999999', START), 24 * 60 * MINUTE, 'at most a day')
  for (const text of [null, '0', 'soon', '-5', 'Mon, 01 Jan 2024 00:00:00 GMT'])
    t.equal(retryAfterMs(text, START), null)
})

t.test('a restart loop is no download loop: times, validators and memory outlive the process', async (t) => {
  let d = await setup(t, {
    answers: ({ etag }) => (etag === null || etag === undefined ? { ...listing('a'), etag: '"1"' } : { status: 304 })
  })
  await d.run(5000)
  const all = [...d.requests]
  for (let i = 0; i < 20; i++) {
    d = await d.restart()
    await d.run(10_000)
    all.push(...d.requests)
  }
  t.equal(all.length, 4, '205 s, 60 s apart')
  t.equal(all[3]?.request.etag, '"1"')
  t.equal(d.accepted.length, 0, 'the same listing says nothing new')
  await d.run(MINUTE)
  t.match(d.status(), { state: 'unchanged', items: 1 })
  d.answers(() => listing('a', 'b'))
  await d.run(2 * MINUTE)
  t.match(
    d.accepted.filter(({ event }) => event.id === 'b'),
    [{ coldStart: false }],
    'a 304 was the first whole listing of this process'
  )
})

t.test('killed in the middle of the first poll, a process that starts again waits its turn', async (t) => {
  const store = await newStore(t)
  const clock = new VirtualClock(START)
  const hanging = await setup(t, { store, clock, answers: () => new Promise(() => undefined) })
  await hanging.run(5000)
  t.equal(hanging.requests.length, 1)
  t.ok(store.state('usgs')?.lastAttempt, 'written before it was asked')
  const next = await setup(t, { store, clock, answers: () => listing('a') })
  await next.run(50_000)
  t.equal(next.requests.length, 0)
  await next.run(20_000)
  t.equal(next.requests.length, 1)
})

t.test('times of a clock that was wrong do not silence a source', async (t) => {
  const store = await newStore(t)
  const wrong = await setup(t, {
    store,
    clock: new VirtualClock(START + 400 * 24 * 60 * MINUTE),
    answers: () => listing('a')
  })
  await wrong.run(5000)
  await wrong.sources.stop()
  const d = await setup(t, { store, clock: new VirtualClock(START), answers: () => listing('a', 'b') })
  await d.run(10_000)
  t.equal(d.requests.length, 1)
})

t.test('other settings read the same listing anew; pacing and overrides do not', async (t) => {
  const answers: Answering = ({ etag }) => (etag === '"1"' ? { status: 304 } : { ...listing('a'), etag: '"1"' })
  const d = await setup(t, { answers })
  await d.run(5000)
  await d.configure({ sources: [{ kind: 'usgs', interval_seconds: 300, overrides: { 'Kind b': { off: true } } }] })
  await d.run(6 * MINUTE)
  t.equal(d.requests.at(-1)?.request.etag, '"1"')
  t.equal(d.status().interval_seconds, 300)
  d.answers(() => listing('a', 'b', 'c'))
  await d.run(6 * MINUTE)
  t.match(
    d.accepted.slice(1),
    [
      { event: { id: 'a' }, coldStart: false },
      { event: { id: 'c' }, coldStart: false }
    ],
    'still known'
  )
  t.match(d.status(), { skipped: 1, skipped_reasons: [{ reason: OFF_REASON, count: 1 }] })
  d.answers(answers)
  const before = d.requests.length
  await d.configure({ sources: [{ kind: 'usgs', floor: 4 }] })
  await d.run(2 * MINUTE)
  t.equal(d.requests[before]?.request.etag ?? null, null, 'asked in full')
  t.match(d.accepted.at(-1), { coldStart: true }, 'a first listing again')
})

t.test('sources come and go with the configuration, each by itself', async (t) => {
  const one = { kind: 'usgs', name: 'one', url: 'https://one.example' }
  const two = { kind: 'usgs', name: 'two', url: 'https://two.example' }
  const d = await setup(t, { config: { sources: [one] }, answers: () => listing('a') })
  await d.run(5000)
  await d.configure({ sources: [one, two, { ...two, name: 'three', enabled: false }] })
  await d.run(5000)
  t.same(
    d.requests.map(({ host }) => host),
    ['one.example', 'two.example'],
    'the first was not asked again'
  )
  t.match(inWords(d.sources.list()), [
    { name: 'one', state: 'ok' },
    { name: 'two', state: 'ok' },
    { name: 'three', state: 'off', reason: /enabled: false/ }
  ])
  t.match(
    d.sources.kinds().find(({ kind }) => kind === 'nws'),
    { state: 'off', about: /Weather/, mode: 'poll' }
  )
  t.match(
    d.sources.kinds().find(({ kind }) => kind === 'usgs'),
    { state: 'in use' }
  )
  await d.configure({ sources: [two] })
  const before = d.requests.length
  await d.run(3 * MINUTE)
  t.same([...new Set(d.requests.slice(before).map(({ host }) => host))], ['two.example'])
  t.throws(() => d.sources.poll('one'), { code: 'not-found' })
  t.equal(d.accepted.at(0)?.event.source, 'one', 'a name of its own is the source of its events')
})

t.test('a provider that wants a contact is not asked without one, and is once there is one', async (t) => {
  const kinds = { nws: { ...list, kind: 'nws', needsContact: true } }
  const sources = [{ kind: 'nws' }, { kind: 'usgs', enabled: false }]
  const d = await setup(t, { kinds, config: { sources } })
  await d.run(60 * MINUTE)
  t.equal(d.requests.length, 0)
  t.match(inWords(d.status('nws')), { state: 'blocked', reason: /station\.contact/, next_due: null })
  t.equal(d.accepted.length, 0, 'blocked is not stale')
  t.match(d.sources.poll('nws'), { asked: false, why: 'blocked' })
  t.throws(() => d.sources.poll('usgs'), { code: 'conflict' })
  await d.configure({ sources, station: { contact: 'ops@valley.example' } })
  await d.run(5000)
  t.equal(d.requests[0]?.request.userAgent, 'Lookout/1.2.3 (+ops@valley.example)')
  t.equal(d.status('nws').state, 'ok')
  t.equal(userAgent('1', 'x\r\nEvil: 1 (ü)'), 'Lookout/1 (+xEvil: 1)', 'a contact cannot write headers')
  const missing = { nws: { ...list, kind: 'nws', missing: () => note('name an area') } }
  const other = await setup(t, { kinds: missing, config: { sources: [{ kind: 'nws' }] } })
  t.match(inWords(other.status('nws')), { state: 'blocked', reason: 'name an area' })
})

t.test('an operator may ask at once, but no more often than the provider allows', async (t) => {
  const d = await setup(t, {
    config: { sources: [{ kind: 'usgs', interval_seconds: 3600 }] },
    answers: () => listing('a')
  })
  await d.run(5000)
  t.match(d.sources.poll('usgs'), { asked: false, why: 'early', waitMs: 56_500 })
  await d.run(MINUTE)
  t.same(d.sources.poll('usgs'), { asked: true })
  t.same(d.sources.poll('usgs'), { asked: true }, 'it is being asked')
  await d.run(0)
  t.equal(d.requests.length, 2)
  d.answers(() => ({ status: 429, retryAfter: '7200' }))
  await d.run(60 * MINUTE)
  t.match(d.sources.poll('usgs'), { asked: false, why: 'early' }, 'Retry-After holds for operators as well')
})

t.test('one request at a time per host, over all sources; a host that asks for quiet gets it from all', async (t) => {
  const names = ['a', 'b', 'c']
  const config = { sources: names.map((name) => ({ kind: 'usgs', name, url: `https://one.example/${name}` })) }
  const release: (() => void)[] = []
  const d = await setup(t, {
    config,
    answers: () => new Promise((resolve) => release.push(() => resolve(listing('x'))))
  })
  await d.run(5000)
  t.equal(d.requests.length, 1)
  t.match(d.status('b'), { state: 'polling' })
  for (let turn = 1; turn <= 3; turn++) {
    t.equal(d.requests.length, turn)
    release[turn - 1]?.()
    await d.run(0)
  }
  t.same(
    names.map((name) => d.status(name).state),
    ['ok', 'ok', 'ok']
  )
  d.answers(() => ({ status: 429, retryAfter: '600' }))
  await d.run(5 * MINUTE)
  t.equal(d.requests.length, 4, 'the answer to one was for all')
  t.match(inWords(d.status('c')), { reason: /one\.example/ })
})

t.test('a poll never overlaps itself, however slow the answer', async (t) => {
  const d = await setup(t, { answers: () => new Promise(() => undefined) })
  await d.run(30 * MINUTE)
  t.equal(d.requests.length, 1)
  t.equal(d.status().state, 'polling')
})

t.test('stopping gives up what is under way and stores nothing more', async (t) => {
  let answerNow: () => void = () => undefined
  const d = await setup(t, {
    answers: () =>
      new Promise((resolve) => {
        answerNow = () => resolve(listing('late'))
      })
  })
  await d.run(5000)
  let stopped = false
  const stopping = d.sources.stop().then(() => {
    stopped = true
  })
  t.equal(d.requests[0]?.request.signal?.aborted, true)
  answerNow()
  await d.run(2000)
  t.ok(stopped, 'within two seconds')
  await stopping
  await d.run(10 * MINUTE)
  t.equal(d.accepted.length, 0)
  t.equal(d.requests.length, 1)
  t.equal(d.store.recall('usgs', 'seen:late'), undefined)
})

t.test('when the events cannot be stored nothing is remembered, and the listing is read again', async (t) => {
  let broken = true
  const accepted: string[] = []
  const accept = async (arrivals: FeedArrival[]): Promise<void> => {
    if (broken) throw new Error('disk full')
    accepted.push(...arrivals.map(({ event }) => event.id))
  }
  const d = await setup(t, {
    patch: { accept },
    answers: ({ etag }) => (etag ? { status: 304 } : { ...listing('a'), etag: '"1"' })
  })
  await d.run(5000)
  t.equal(d.status().state, 'failing')
  t.equal(d.store.recall('usgs', 'seen:a'), undefined)
  broken = false
  await d.run(2 * MINUTE)
  t.same(accepted, ['a'])
  t.equal(d.store.recall('usgs', 'seen:a'), 1)
})

t.test('a long listing is handed on in slices, with room for others in between', async (t) => {
  const slices: number[] = []
  const accept = async (arrivals: FeedArrival[]): Promise<void> => void slices.push(arrivals.length)
  const many = Array.from({ length: 250 }, (_, i) => `e${i}`)
  const d = await setup(t, { patch: { accept }, answers: () => listing(...many) })
  await d.run(10_000)
  t.same(slices, [100, 100, 50])
  t.match(d.status(), { items: 250, events: 250 })
})

t.test('polls that change nothing hardly write: the card wears', async (t) => {
  const d = await setup(t, { answers: ({ etag }) => (etag ? { status: 304 } : { ...listing('a'), etag: '"1"' }) })
  await d.run(5000)
  const before = d.writes()
  await d.run(100 * MINUTE)
  t.ok(d.requests.length > 90)
  t.ok(d.writes() - before <= 11, `${d.writes() - before} writes in 100 minutes`)
  await d.sources.stop()
  t.equal(d.store.state('usgs')?.lastAttempt, d.requests.at(-1)?.at, 'a proper stop writes the last times')
})

t.test('polls of several sources that bring nothing are written together, those of a slow one with them', async (t) => {
  const db = await newLedger(t)
  const names = ['one', 'two', 'three', 'four', 'slow']
  const d = await setup(t, {
    config: {
      sources: names.map((name) => ({ kind: 'usgs', name, ...(name === 'slow' ? { interval_seconds: 1200 } : {}) }))
    },
    store: new SourceStore(db),
    answers: ({ etag }) => (etag ? { status: 304 } : { ...listing('a'), etag: '"1"' })
  })
  await d.run(2 * MINUTE)
  const before = d.writes()
  await d.run(100 * MINUTE)
  t.ok(d.requests.length > 90)
  t.ok(d.writes() - before <= 7, `${d.writes() - before} writes in 100 minutes`)
  for (const name of names) {
    const known = new SourceStore(db).state(name)?.lastAttempt ?? 0
    const behind = (d.clock.now() - known) / MINUTE
    t.ok(behind <= (name === 'slow' ? 40 : 20), `${name}: the disk is ${behind} minutes behind`)
  }
})

t.test('each poll of a source that is asked every hour or less often is written before it begins', async (t) => {
  const db = await newLedger(t)
  let behind = Number.POSITIVE_INFINITY
  const d = await setup(t, {
    config: { sources: [{ kind: 'usgs', interval_seconds: 3600 }] },
    store: new SourceStore(db),
    answers: () => {
      behind = d.clock.now() - (new SourceStore(db).state('usgs')?.lastAttempt ?? 0)
      return listing('a')
    }
  })
  await d.run(2 * MINUTE)
  behind = Number.POSITIVE_INFINITY
  await d.run(80 * MINUTE)
  t.ok(behind < MINUTE, `the disk is ${behind} ms behind`)
})

t.test('a state that may be lost waits for whatever is saved next, and is known meanwhile', async (t) => {
  const db = await newLedger(t)
  const d = await setup(t, { store: new SourceStore(db) })
  await d.run(5000)
  await d.sources.stop()
  const state = d.store.state('usgs')
  if (state === null) throw new Error('nothing is known of the source')
  const failures = (): number | undefined => new SourceStore(db).state('usgs')?.failures
  d.store.keep('usgs', { ...state, failures: 1 }, START)
  t.same([failures(), d.store.state('usgs')?.failures], [0, 1])
  d.store.save('another', { state }, START + 1000)
  t.equal(failures(), 1, 'written with another source')
  d.store.keep('usgs', { ...state, failures: 2 }, START + 2000)
  d.store.keep('usgs', { ...state, failures: 3 }, START + 2000 + 15 * MINUTE - 1)
  t.equal(failures(), 1)
  d.store.keep('usgs', { ...state, failures: 4 }, START + 2000 + 15 * MINUTE)
  t.equal(failures(), 4, 'after a quarter of an hour by itself')
  d.store.keep('usgs', { ...state, failures: 5 }, START + 2000 + 16 * MINUTE)
  d.store.forget('usgs')
  d.store.save('another', { state }, START + 2000 + 17 * MINUTE)
  t.equal(failures(), undefined, 'what is forgotten is not written')
})

t.test(
  'a feed that is silent is told once, and once when it is back; whether it may be sent is a setting',
  async (t) => {
    for (const tell of [false, true]) {
      const config = {
        sources: [{ kind: 'usgs', tell_when_stale: tell }],
        notifications: { cold_start_grace_seconds: 60 }
      }
      let d = await setup(t, { config, answers: () => listing('a') })
      await d.run(5000)
      d.answers(() => ({ status: 502 }))
      await d.run(14 * MINUTE)
      t.equal(d.status().state, 'failing')
      await d.run(60 * MINUTE)
      t.equal(d.status().state, 'stale')
      const about = (): FeedArrival[] => d.accepted.filter(({ event }) => event.family === 'mesh_health')
      t.match(about(), [
        {
          coldStart: !tell,
          event: {
            source: 'lookout',
            category: 'feeder_offline',
            severity: 'routine',
            thread_id: 'feed:usgs:stale',
            lifecycle: 'new',
            title: 'Feed usgs silent for 15m'
          }
        }
      ])
      d = await d.restart()
      await d.run(60 * MINUTE)
      t.same(about(), [], 'a restart does not tell it again')
      t.equal(d.status().state, 'stale')
      d.answers(() => listing('a'))
      await d.run(35 * MINUTE)
      t.match(about(), [
        {
          coldStart: !tell,
          event: {
            category: 'feeder_offline',
            lifecycle: 'cancel',
            thread_id: 'feed:usgs:stale',
            title: /^Feed usgs silent, back after 2h/
          }
        }
      ])
      t.equal(about().length, 1)
      d.answers(() => ({ status: 502 }))
      await d.run(60 * MINUTE)
      t.equal(new Set(about().map(({ event }) => event.id)).size, 2, 'the next silence is another event')
    }
  }
)

t.test(
  'offline, one source a minute is asked instead of all backing off; back on line, all are asked soon',
  async (t) => {
    const names = ['a', 'b', 'c']
    const config = { sources: names.map((name) => ({ kind: 'usgs', name, url: `https://${name}.example/` })) }
    const d = await setup(t, { config, answers: () => listing('x') })
    await d.run(2 * MINUTE)
    d.answers(unreachable)
    await d.run(2 * MINUTE)
    t.match(d.logged.join(''), /no feed can be reached/)
    const before = d.requests.length
    await d.run(120 * MINUTE)
    const probes = d.requests.slice(before)
    t.equal(probes.length, 120)
    t.same(new Set(probes.map(({ host }) => host)).size, 3, 'in turn')
    t.match(inWords(d.status('a')), { state: 'stale', reason: /waits for the network/, next_due: null })
    d.answers(() => listing('x', 'y'))
    const back = d.requests.length
    await d.run(2 * MINUTE)
    t.same(new Set(d.requests.slice(back).map(({ host }) => host)).size, 3)
    t.same(
      names.map((name) => d.status(name).state === 'ok' || d.status(name).state === 'unchanged'),
      [true, true, true]
    )
    t.equal(d.logged.filter((line) => line.includes('no feed can be reached')).length, 1)
  }
)

t.test('one provider that cannot be reached is not the network: it backs off, the others go on', async (t) => {
  const config = {
    sources: [
      { kind: 'usgs', name: 'good', url: 'https://good.example/' },
      { kind: 'usgs', name: 'bad', url: 'https://bad.example/' }
    ]
  }
  const d = await setup(t, { config, answers: ({ url }) => (url.includes('bad') ? unreachable() : listing('x')) })
  await d.run(120 * MINUTE)
  const bad = d.requests.filter(({ host }) => host === 'bad.example')
  t.ok(bad.length < 12, `${bad.length} requests`)
  t.notMatch(d.logged.join(''), /no feed can be reached/)
  t.equal(d.status('good').state, 'unchanged')
})

t.test('overrides switch off, raise, lower and move, by event name before category, in any case', async (t) => {
  const event = (id: string, event_name: string, category = 'weather_warning') =>
    parseEventInput(
      {
        id,
        source: 's',
        title: id,
        category,
        severity: 'priority',
        data: { event_name, severity_inside_region: 'critical' }
      },
      { now: START, families: familyKeys() }
    )
  const events = [
    event('1', 'Gale Warning'),
    event('2', 'Red Flag  warning'),
    event('3', 'Other'),
    event('4', 'Else', 'weather_watch')
  ]
  const result = applyOverrides(events, {
    'GALE warning': { off: true },
    'red flag warning': { family: 'fire', severity: 'critical' },
    Weather_Warning: { severity: 'routine' }
  })
  t.match(result.skipped, [{ id: '1', reason: OFF_REASON }])
  t.match(result.events, [
    { id: '2', family: 'fire', severity: 'critical' },
    { id: '3', family: 'weather', severity: 'routine' },
    { id: '4', severity: 'priority', data: { severity_inside_region: 'critical' } }
  ])
  t.equal(result.events[1]?.data.severity_inside_region, undefined, 'a chosen level holds everywhere')
  t.same(applyOverrides(events, {}).events, events)
  const flood = event('5', 'Flood Warning', 'weather_flood_warning')
  const wide = { weather_warning: { severity: 'routine' as const } }
  t.match(applyOverrides([flood], wide).events, [{ severity: 'routine' }], 'the wide category is known')
  const both = { ...wide, weather_flood_warning: { severity: 'critical' as const } }
  t.match(applyOverrides([flood], both).events, [{ severity: 'critical' }], 'its own comes first')
})

t.test('observers hear of changes, not of every poll', async (t) => {
  const d = await setup(t, { answers: ({ etag }) => (etag ? { status: 304 } : { ...listing('a'), etag: '"1"' }) })
  await d.run(60 * MINUTE)
  t.same(
    d.told.map(({ state }) => state),
    ['waiting', 'ok', 'unchanged']
  )
})

t.test('addresses are remembered without what they may hide', async (t) => {
  t.equal(addressKey('https://a.example/x'), 'https://a.example/x')
  const key = addressKey('https://me:pw@a.example/x?map_key=hush')
  t.match(key, /^https:\/\/a\.example\/x\?[0-9a-f]{24}$/)
  t.not(key, addressKey('https://a.example/x?map_key=other'))
})

t.test('what sources remember: prefixes, removal, and sources that are gone', async (t) => {
  const store = await newStore(t)
  store.save(
    's',
    {
      memory: new Map<string, unknown>([
        ['a:2', { x: 1 }],
        ['a:1', [1]],
        ['b', null],
        ['a:\u{1F30A}', true],
        ['é', 1]
      ])
    },
    START
  )
  store.save('other', { memory: new Map([['a:9', 1]]) }, START)
  t.same(store.recallAll('s', 'a:'), [
    ['a:1', [1]],
    ['a:2', { x: 1 }],
    ['a:\u{1F30A}', true]
  ])
  t.equal(store.recallAll('s', '').length, 5)
  t.equal(store.recall('s', 'b'), null)
  store.save('s', { memory: new Map([['a:1', undefined]]) }, START)
  t.equal(store.recall('s', 'a:1'), undefined)
  store.save('s', { urls: new Map([['u', { etag: '"1"', modified: null, hash: 'h' }]]) }, START)
  store.prune(START + 40 * 24 * 60 * MINUTE, new Set(['other']))
  t.same(store.recallAll('s', ''), [])
  t.equal(store.validators('s', 'u'), null)
  t.equal(store.recall('other', 'a:9'), 1, 'a configured source keeps what it knows')
})

t.test('a source that comes by itself: opened, handed on, restarted with other settings, closed', async (t) => {
  const opened: PushTools[] = []
  let closed = 0
  const push: PushKind = {
    mode: 'push',
    kind: 'usgs',
    about: 'Pushed.',
    open: async (_, tools) => {
      opened.push(tools)
      tools.report('ready', null)
      return { close: async () => void closed++ }
    },
    read: () => ({ kind: 'x', events: [], skipped: [], updated: null, items: 0 })
  }
  const d = await setup(t, { kinds: { usgs: push }, answers: () => ({ ...listing('a'), etag: '"1"' }) })
  const tools = opened[0]
  if (tools === undefined) throw new Error('not opened')
  t.match(d.status(), { mode: 'push', state: 'ready', reason: null })
  const event = parseEventInput(
    { id: 'p', source: 'usgs', family: 'fire', title: 'p' },
    { now: START, families: familyKeys() }
  )
  tools.memory.set('last', 7)
  tools.counted({ bytes: 10 })
  tools.counted({ bytes: 5, refused: note('not JSON') })
  await tools.accept([event])
  await tools.accept([event], { known: true })
  t.match(d.accepted, [{ event: { id: 'p' }, coldStart: false }, { coldStart: true }])
  t.equal(d.store.recall('usgs', 'last'), 7, 'stored with the message')
  t.match(d.status(), {
    items: 2,
    bytes: 15,
    skipped: 1,
    events: 2,
    skipped_reasons: [{ reason: note('not JSON'), count: 1 }]
  })
  t.match(await tools.fetch({ url: 'https://x.example/' }), { state: 'new' })
  t.match(await tools.fetch({ url: 'https://x.example/' }), { state: 'new' }, 'nothing was made of it yet')
  tools.memory.set('later', 1)
  await d.run(10_000)
  t.equal(d.store.recall('usgs', 'later'), 1, 'without a message: a little later')
  t.match(await tools.fetch({ url: 'https://x.example/' }), { state: 'unchanged' })
  tools.report('down', note('refused'))
  t.match(inWords(d.status()), { state: 'down', reason: 'refused' })
  t.throws(() => d.sources.poll('usgs'), { code: 'conflict', message: /by itself/ })
  await d.configure({ sources: [{ kind: 'usgs', floor: 3 }] })
  t.equal(closed, 1)
  t.equal(opened.length, 2)
  t.equal(tools.signal.aborted, true)
  t.equal(tools.dataFolder, '/data')
  await d.sources.stop()
  t.equal(closed, 2)
})

t.test(
  'under strain a source that is asked rarely rests and says so; one that brings warnings is asked as ever',
  async (t) => {
    let strained = true
    const reason = because('strain_battery', { value: 15 })
    const patch = { restsFor: (ms: number) => (strained && ms >= 10 * MINUTE ? reason : null) }
    const sources = [{ kind: 'usgs' }, { kind: 'swpc', interval_seconds: 900 }]
    const made = await setup(t, { config: { sources }, patch })
    await made.run(30 * MINUTE)
    const asked = (name: string): number => made.status(name).requests
    t.equal(asked('swpc'), 0)
    t.match(made.status('swpc').reason, reason)
    t.ok(asked('usgs') >= 29)
    t.equal(made.status('usgs').reason, null)
    t.match(made.sources.poll('swpc'), { asked: true }, 'somebody who asks now is answered')
    await made.run(MINUTE)
    t.equal(asked('swpc'), 1)
    strained = false
    await made.run(40 * MINUTE)
    t.ok(asked('swpc') >= 3, 'it goes on by itself')
    t.notMatch(made.status('swpc').reason, reason)
  }
)
