import t from 'tap'
import { Packed } from '../../src/dashboard/server/packed.ts'
import { type Answer, text } from '../../src/dashboard/server/reply.ts'
import { SharedAnswers, wantsNew } from '../../src/dashboard/server/shared-answers.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { FROM_AFAR, fire, radio, station } from './harness.ts'

function copies(mostBytes?: number) {
  const clock = new VirtualClock(5000)
  const world = { urgent: 'a', fails: false }
  let made = 0
  const madeAt: number[] = []
  const recent = new SharedAnswers({
    now: () => clock.now(),
    after: (ms, go) => clock.after(ms, go),
    urgent: () => world.urgent,
    revision: () => world.urgent,
    ...(mostBytes === undefined ? {} : { mostBytes })
  })
  const make = (): Answer => {
    if (world.fails) throw new Error('broken')
    made++
    madeAt.push(clock.now())
    return text('text/html', `page ${made}`)
  }
  const request = async (key = '/'): Promise<string> => {
    const left = (): boolean => false
    const found = recent.find(key, { left, takesCopies: true })
    const answer = await (found ?? recent.answer(key, { left, takesCopies: false }, make))
    return answer instanceof Packed ? String(answer.plain()) : ''
  }
  /** The work beside requests takes some turns of the loop. */
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve))
  }
  const pass = async (ms: number): Promise<void> => {
    await clock.runTo(clock.now() + ms)
    await turns()
  }
  return { clock, world, recent, request, pass, turns, madeAt, made: () => made }
}

t.test('a copy is given for a second, and no longer than until something urgent happens', async (t) => {
  const { world, clock, request, pass, made } = copies()
  t.equal(await request(), 'page 1')
  await pass(600)
  t.equal(await request(), 'page 1')
  world.urgent = 'b'
  t.equal(await request(), 'page 2')
  await pass(1000)
  t.equal(await request(), 'page 3', 'nobody took it: none was made ahead')
  clock.set(clock.now() - 60_000)
  t.equal(await request(), 'page 4', 'a clock that was set back makes nothing younger')
  t.equal(made(), 4)
})

t.test('while somebody takes copies the next one is there before the last is over', async (t) => {
  const { request, pass, made } = copies()
  await request()
  for (let second = 0; second < 5; second++) {
    await pass(400)
    await request()
    await pass(400)
    await request()
  }
  t.equal(made(), 6, 'one a second, whoever asks')
  await pass(60_000)
  t.ok(made() <= 7, 'nobody asks: no further one is made')
})

t.test('after urgent news a page that is taken is made at once, in a storm of news once a second', async (t) => {
  const { world, recent, request, pass, turns, made } = copies()
  await request()
  await request()
  world.urgent = 'b'
  recent.newsCame()
  await turns()
  t.equal(made(), 2, 'ahead of the next request')
  t.equal(await request(), 'page 2')
  for (let n = 0; n < 20; n++) {
    world.urgent = `c${n}`
    recent.newsCame()
    await turns()
  }
  t.equal(made(), 2)
  t.equal(await request(), 'page 3', 'whoever asks sees the last of them')
  await pass(2000)
})

t.test('after urgent news the page that is made quickest comes first', async (t) => {
  const { clock, world, recent, turns } = copies()
  const order: string[] = []
  const asking = { left: () => false, takesCopies: true }
  for (const [key, ms] of [
    ['/long', 30],
    ['/short', 5],
    ['/middle', 10]
  ] as const) {
    await recent.answer(key, { ...asking, takesCopies: false }, async () => {
      order.push(key)
      await clock.runTo(clock.now() + ms)
      return text('text/html', key)
    })
    await recent.find(key, asking)
  }
  order.length = 0
  world.urgent = 'b'
  recent.newsCame()
  for (let n = 0; n < 5; n++) await turns()
  t.same(order, ['/short', '/middle', '/long'])
})

t.test('what is made ahead waits while somebody waits for a page', async (t) => {
  const { world, recent, request, turns, made } = copies()
  await request()
  await request()
  world.urgent = 'b'
  let done = (): void => undefined
  const asked = recent.answer(
    '/asked',
    { left: () => false, takesCopies: false },
    () =>
      new Promise((resolve) => {
        done = () => resolve(text('text/html', 'asked'))
      })
  )
  recent.newsCame()
  await turns()
  t.equal(made(), 1)
  done()
  await asked
  await turns()
  t.equal(made(), 2)
})

t.test('a page that is read is made ahead after urgent news though nobody has taken its newest copy yet', async (t) => {
  const { world, recent, request, pass, turns, made } = copies()
  await request()
  await request()
  await pass(750)
  t.equal(made(), 2, 'the one that follows')
  world.urgent = 'b'
  recent.newsCame()
  await turns()
  t.equal(made(), 3)
  await pass(3000)
  world.urgent = 'c'
  recent.newsCame()
  await turns()
  t.equal(made(), 3, 'whoever read has gone')
})

t.test('of a page that many read the next one is made for three seconds, though nobody takes one', async (t) => {
  const { request, pass, made } = copies()
  await request()
  await request()
  await pass(100)
  await request()
  for (let n = 0; n < 25; n++) await pass(100)
  t.equal(made(), 4, 'one every 0.7 s')
  t.equal(await request(), 'page 4', 'there at once for the next who looks')
  for (let n = 0; n < 100; n++) await pass(100)
  t.ok(made() <= 8, `nobody reads on: no further one is made (${made()})`)
})

t.test('pages made together are followed one by one, and each in time', async (t) => {
  const { clock, request, turns, madeAt } = copies()
  const keys = Array.from({ length: 20 }, (_, n) => `/${n}`)
  for (const key of keys) await request(key)
  for (const key of keys) await request(key)
  const begun = clock.now()
  madeAt.length = 0
  for (let ms = 0; ms < 1000; ms += 5) {
    await clock.runTo(begun + ms)
    await turns()
  }
  t.equal(madeAt.length, keys.length)
  t.ok(madeAt.every((at) => at < begun + 1000))
  const apart = madeAt.slice(1, 10).map((at, n) => at - (madeAt[n] ?? 0))
  t.ok(
    apart.every((ms) => ms >= 20),
    `${apart}`
  )
})

t.test('a guest takes copies of lists, of the status and of the radios; an operator never does', async (t) => {
  const busy = (waiting: number) => ({ ...radio(), queue: { waiting } })
  const radios = [busy(1)]
  const s = await station(t, { radios })
  const ask = (path: string, headers: Record<string, string>) => s.ask({ path, headers }).then(({ text }) => text)
  s.observers.tell('radio', busy(1))
  for (const path of ['/api/status', '/api/radios']) {
    radios.splice(0, 1, busy(1))
    const first = await ask(path, FROM_AFAR)
    radios.splice(0, 1, busy(2))
    s.observers.tell('radio', busy(2))
    t.equal(await ask(path, FROM_AFAR), first, path)
    t.match(await ask(path, {}), /"waiting":2/, path)
    t.match(await ask(path, { ...FROM_AFAR, 'cache-control': 'no-cache' }), /"waiting":2/, path)
  }
  await ask('/api/events', FROM_AFAR)
  await s.ask({ path: '/api/events', body: { ...fire, title: 'Fire at Pine Creek' } })
  t.match(await ask('/api/events', FROM_AFAR), /Pine Creek/, 'an event shows at once')
})

t.test('what fails ahead of requests is told to the next one, and what was kept before is not given', async (t) => {
  const { world, request, pass } = copies()
  await request()
  await request()
  world.fails = true
  await pass(800)
  await t.rejects(request(), { message: 'broken' })
  world.fails = false
  t.equal(await request(), 'page 2')
})

t.test('copies stay below their bytes, and nothing is kept once the port is closed', async (t) => {
  const { recent, request } = copies(100)
  for (let n = 0; n < 50; n++) await request(`/?${n}`)
  t.ok(recent.bytes <= 100, `${recent.bytes}`)
  recent.close()
  t.equal(recent.bytes, 0)
  await request('/?1')
  t.equal(recent.bytes, 0)
})

t.test('whoever loads a page again wants no copy', (t) => {
  for (const control of ['no-cache', 'max-age=0', 'no-transform, No-Cache'])
    t.ok(wantsNew({ 'cache-control': control }), control)
  t.ok(wantsNew({ pragma: 'no-cache' }))
  for (const control of ['', 'max-age=05', 'max-age=60', 'only-if-cached'])
    t.notOk(wantsNew({ 'cache-control': control }), control)
  t.end()
})

t.test(
  'a guest sees an event, a setting and a radio that fails at once; what only goes on within a second',
  async (t) => {
    const radios = [radio()]
    const s = await station(t, { radios })
    const guest = (path: string, headers: Record<string, string> = {}) =>
      s.ask({ path, headers: { ...FROM_AFAR, ...headers } }).then(({ text }) => text)
    for (const _twice of [1, 2]) await guest('/')
    await s.ask({ path: '/api/events', body: { ...fire, title: 'Fire at Pine Creek' } })
    t.match(await guest('/'), /Pine Creek/)
    const broken = { ...radio(), state: 'down' as const }
    radios.splice(0, 1, broken)
    s.observers.tell('radio', broken)
    t.match(await guest('/'), />down</)
    const { revision } = (await s.ask('/api/settings')).body
    const body = { set: { '/notifications/enabled': false }, remove: [] }
    const saved = await s.ask({ method: 'POST', path: '/api/settings', body, headers: { 'if-match': `"${revision}"` } })
    t.equal(saved.status, 200)
    t.match(await guest('/'), /Notifications are off/)

    const before = await guest('/')
    const busy = { ...broken, queue: { waiting: 7 } }
    radios.splice(0, 1, busy)
    s.observers.tell('radio', busy)
    t.equal(await guest('/'), before, 'a queue is no urgent news')
    t.match(await guest('/', { 'cache-control': 'max-age=0' }), /7 waiting/, 'but whoever follows the news reads it')
    t.match(await guest('/'), /7 waiting/, 'nobody is given an older copy after that')
    radios.splice(0, 1, { ...busy, queue: { waiting: 8 } })
    s.observers.tell('radio', busy)
    await s.clock.runTo(s.clock.now() + 1000)
    t.match(await guest('/'), /8 waiting/)
  }
)

t.test('an operator is never given the copy of a guest, nor a guest that of another reader', async (t) => {
  const s = await station(t, { config: { station: { anchors: [{ name: 'home', lat: 44, lon: -115 }] } } })
  const pages = async (headers: Record<string, string>): Promise<string> => (await s.ask({ path: '/', headers })).text
  const readers = {
    guest: FROM_AFAR,
    German: { ...FROM_AFAR, 'accept-language': 'de' },
    night: { ...FROM_AFAR, cookie: 'theme=night' },
    operator: {}
  }
  const first = new Map<string, string>()
  for (const [name, headers] of Object.entries(readers)) first.set(name, await pages(headers))
  t.equal(new Set(first.values()).size, 4)
  for (const _again of [1, 2])
    for (const [name, headers] of Object.entries(readers)) t.equal(await pages(headers), first.get(name), name)
  t.match(first.get('operator'), /This machine: operator/)
  for (const name of ['guest', 'German', 'night']) t.notMatch(first.get(name), /operator/i, name)
})
