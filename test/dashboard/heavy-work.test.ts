import t from 'tap'
import { HeavyWork } from '../../src/dashboard/server/heavy-work.ts'
import { fire, station } from './harness.ts'

/** A setup whose slices begin when the test says so, on a clock of its own. */
function setup() {
  let now = 0
  const due: { ms: number; go: () => void }[] = []
  const heavy = new HeavyWork({ steady: () => now, later: (ms, go) => void due.push({ ms, go }) })
  return {
    heavy,
    due,
    /** So much time passes at work. */
    work: (ms: number) => {
      now += ms
    },
    /** The rest is over. */
    next: async () => {
      const turn = due.shift()
      now += turn?.ms ?? 0
      turn?.go()
      await new Promise((resolve) => setImmediate(resolve))
      return turn?.ms
    }
  }
}
const stays = { left: () => false, isGuest: true, from: null }

t.test('heavy work is cut into slices of 10 ms and rests as long as it worked', async (t) => {
  const { heavy, due, work, next } = setup()
  let steps = 0
  const done = heavy.run(stays, async (pace) => {
    for (; steps < 9; steps++) {
      work(4)
      await pace()
    }
    return 'done'
  })
  t.equal(await next(), 0)
  t.equal(steps, 2, 'the third step of 4 ms reaches 10')
  t.equal(due.length, 1, 'it waits for its turn')
  t.equal(await next(), 12)
  t.equal(steps, 5)
  while (due.length > 0) await next()
  t.equal(await done, 'done')
  t.equal(heavy.running, 0)
})

t.test('while others are late it rests on, and has a slice now and then all the same', async (t) => {
  const { heavy, due, work, next } = setup()
  let steps = 0
  const done = heavy.run(stays, async (pace) => {
    for (; steps < 2; steps++) {
      work(10)
      await pace()
    }
  })
  await next()
  t.equal(steps, 0)
  work(40)
  t.equal(await next(), 10)
  t.equal(steps, 0, 'the rest ended 40 ms late: the others go on')
  t.equal(await next(), 120, 'three times as long')
  t.equal(steps, 1, 'nobody is late any more')
  let rests = 0
  for (; steps < 2; rests++) {
    work(200)
    await next()
  }
  t.ok(rests <= 3, 'however busy the others are')
  while (due.length > 0) await next()
  await done
})

t.test('two share the slices in turn: together they take no more than one', async (t) => {
  const { heavy, due, work, next } = setup()
  const told: string[] = []
  const one = (name: string) =>
    heavy.run(stays, async (pace) => {
      for (let step = 0; step < 3; step++) {
        told.push(name)
        work(10)
        await pace()
      }
    })
  const both = Promise.all([one('a'), one('b')])
  while (due.length > 0) {
    const before = told.length
    await next()
    t.ok(told.length - before <= 1, 'one slice between two rests')
  }
  await both
  t.same(told, ['a', 'b', 'a', 'b', 'a', 'b'])
})

t.test(
  'a third is turned away with a time to come again, and taken once one has ended, however it ended',
  async (t) => {
    const { heavy, next } = setup()
    let fail: (error: Error) => void = () => undefined
    const first = heavy.run(stays, () => new Promise((_, reject) => (fail = reject)))
    void heavy.run(stays, () => new Promise(() => undefined))
    await next()
    await next()
    await t.rejects(
      heavy.run(stays, async () => undefined),
      {
        code: 'unavailable',
        headers: { 'Retry-After': /^[1-9]\d*$/ }
      }
    )
    fail(new Error('broken'))
    await t.rejects(first, /broken/)
    const third = heavy.run(stays, async () => 'third')
    await next()
    t.equal(await third, 'third')
  }
)

t.test('work whose client has left ends at its next step and frees its place', async (t) => {
  const { heavy, work, next, due } = setup()
  let left = false
  let steps = 0
  const going = heavy.run({ left: () => left, isGuest: true, from: null }, async (pace) => {
    for (; ; steps++) {
      work(10)
      await pace()
    }
  })
  const ended = t.rejects(going, { code: 'unavailable' })
  await next()
  left = true
  while (due.length > 0) await next()
  await ended
  t.equal(steps, 0)
  t.equal(heavy.running, 0)
})

t.test(
  'previews, back-tests, passes, long lists and explanations of large shapes share one queue; small ones and pages go on',
  async (t) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    let taken = 0
    let bothTaken: () => void = () => undefined
    const both = new Promise<void>((resolve) => (bothTaken = resolve))
    const report = {
      since: '2026-06-01T00:00:00Z',
      until: '2026-07-01T00:00:00Z',
      events: 0,
      messages: 0,
      channels: [],
      networks: [],
      silent: {}
    }
    const s = await station(t, {
      context: {
        backtest: async () => {
          if (++taken === 2) bothTaken()
          await held
          return report
        }
      }
    })
    const routing = '/api/notifications/region-routing'
    const trial = {
      path: `${routing}/backtest`,
      body: { matrix: { enabled: true, cells: {} }, since: '2026-06-01T00:00:00Z' }
    }
    const two = [s.ask(trial), s.ask(trial)]
    await both
    const ring = Array.from({ length: 2000 }, (_, n) => [Math.cos(n / 318), Math.sin(n / 318)])
    const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    const preview = { path: '/api/coverage/preview', body: { coverage: { areas: [] } } }
    const explanation = { path: `${routing}/explain`, body: { event: { ...fire, geometry } } }
    const collected = { type: 'GeometryCollection', geometries: [geometry] }
    const others = [
      ...[trial, preview, explanation, { ...explanation, body: { event: { ...fire, geometry: collected } } }],
      ...[{ path: '/api/satpasses?hours=48' }, { path: '/api/events?limit=500' }]
    ]
    for (const question of others) {
      const { status, headers } = await s.ask(question)
      t.equal(status, 503, question.path)
      t.match(headers['retry-after'], /^\d+$/)
    }
    t.equal(
      (await s.ask({ path: `${routing}/explain`, body: { event: fire } })).status,
      200,
      'a small one is no heavy work'
    )
    t.equal((await s.ask('/api/events?limit=200')).status, 200)
    t.equal((await s.ask('/api/health/live')).status, 200)
    release()
    for (const { status } of await Promise.all(two)) t.equal(status, 200)
    t.equal((await s.ask(preview)).status, 200)
  }
)

t.test('one phone has one thing at a time under way: the other place is for others', async (t) => {
  const { heavy, next, due } = setup()
  const ends: (() => void)[] = []
  const held = () => new Promise<void>((resolve) => void ends.push(resolve))
  const phone = (from: string) => ({ ...stays, from })
  const first = heavy.run(phone('10.42.0.7'), held)
  await t.rejects(heavy.run(phone('10.42.0.7'), held), {
    code: 'unavailable',
    reason: { code: 'first_one_under_way' },
    headers: { 'Retry-After': /^[1-9]/ }
  })
  const other = heavy.run(phone('10.42.0.8'), held)
  while (due.length > 0) await next()
  for (const end of ends) end()
  await Promise.all([first, other])
  const again = heavy.run(phone('10.42.0.7'), async () => 'again')
  while (due.length > 0) await next()
  t.equal(await again, 'again', 'when the first is over')
  const operator = { ...stays, isGuest: false, from: '10.42.0.7' }
  const signedIn = [heavy.run(operator, async () => 1), heavy.run(operator, async () => 2)]
  while (due.length > 0) await next()
  t.same(await Promise.all(signedIn), [1, 2], 'whoever is signed in may have two')
})

t.test('guests at both places leave the operator one of their own', async (t) => {
  const { heavy, next, due } = setup()
  const operator = { left: () => false, isGuest: false, from: null }
  const ends: (() => void)[] = []
  const held = () => new Promise<void>((resolve) => void ends.push(resolve))
  const full = { code: 'unavailable' }
  const running = [heavy.run(stays, held), heavy.run(stays, held)]
  await t.rejects(heavy.run(stays, held), full, 'a third guest')
  running.push(heavy.run(operator, held))
  await t.rejects(heavy.run(operator, held), full, 'one, not any number')
  await t.rejects(heavy.run(stays, held), full)
  while (due.length > 0) await next()
  t.equal(heavy.running, 3)
  for (const end of ends) end()
  await Promise.all(running)
  t.equal(heavy.running, 0)
  const again = [heavy.run(operator, held), heavy.run(operator, held)]
  await t.rejects(heavy.run(operator, held), full, 'without guests the two places are all there is')
  while (due.length > 0) await next()
  for (const end of ends) end()
  await Promise.all(again)
})

t.test(
  'while guests hold both places, whoever is signed in is given previews, explanations, back-tests and long lists',
  async (t) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    let taken = 0
    let bothTaken: () => void = () => undefined
    const both = new Promise<void>((resolve) => (bothTaken = resolve))
    const report = { events: 0, messages: 0, channels: [], networks: [], silent: {} }
    const span = { since: '2026-06-01T00:00:00Z', until: '2026-07-01T00:00:00Z' }
    const s = await station(t, {
      context: {
        backtest: async () => {
          taken++
          if (taken === 2) bothTaken()
          if (taken <= 2) await held
          return { ...span, ...report }
        }
      }
    })
    const guest = { host: '10.42.0.1' }
    const passphrase = 'correct horse'
    const code = (await s.context.sessions.newClaim()) ?? ''
    const signedIn = await s.ask({
      method: 'POST',
      path: '/sign-in',
      raw: new URLSearchParams({ code, passphrase }).toString(),
      headers: { ...guest, 'content-type': 'application/x-www-form-urlencoded' }
    })
    const operator = { ...guest, cookie: signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
    const routing = '/api/notifications/region-routing'
    const trial = { path: `${routing}/backtest`, body: { matrix: { enabled: true, cells: {} }, since: span.since } }
    const two = [s.ask({ ...trial, headers: guest }), s.ask({ ...trial, headers: guest })]
    await both
    const ring = Array.from({ length: 2000 }, (_, n) => [Math.cos(n / 318), Math.sin(n / 318)])
    const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    const questions = [
      trial,
      { path: '/api/coverage/preview', body: { coverage: { areas: [] } } },
      { path: `${routing}/explain`, body: { event: { ...fire, geometry } } },
      { path: '/api/events?limit=500' }
    ]
    for (const question of questions) {
      t.equal((await s.ask({ ...question, headers: guest })).status, 503, `a guest: ${question.path}`)
      t.equal((await s.ask({ ...question, headers: operator })).status, 200, `the operator: ${question.path}`)
    }
    // Behind the same address guests have used up what it may try.
    let asked = 0
    for (; asked < 100; asked++) if ((await s.ask({ ...trial, headers: guest })).status === 429) break
    t.ok(asked < 100)
    t.equal((await s.ask({ ...trial, headers: operator })).status, 200, 'their tries are not those of the operator')
    release()
    for (const { status } of await Promise.all(two)) t.equal(status, 200)
  }
)

t.test('a circle counts as many vertices in a preview as it costs', async (t) => {
  const s = await station(t)
  const circles = (count: number) => ({
    path: '/api/coverage/preview',
    body: {
      coverage: {
        areas: Array.from({ length: count }, (_, n) => ({
          name: `A${n}`,
          parts: [{ circle: { lat: 43, lon: -114, radius_km: 50 } }]
        }))
      }
    }
  })
  t.match(await s.ask(circles(500)), { status: 422, body: { errors: [{ path: '/coverage/areas', code: 'range' }] } })
  t.equal((await s.ask(circles(50))).status, 200)
})
