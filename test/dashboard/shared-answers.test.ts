import t from 'tap'
import { Packed } from '../../src/dashboard/server/packed.ts'
import { text } from '../../src/dashboard/server/reply.ts'
import { SharedAnswers, sharedKey } from '../../src/dashboard/server/shared-answers.ts'
import { FROM_AFAR, fire, radio, station } from './harness.ts'

const present = { left: (): boolean => false, takesCopies: false }

function shared(mostBytes?: number) {
  const world = { now: 5000, revision: 'a' }
  const answers = new SharedAnswers({
    now: () => world.now,
    after: () => () => undefined,
    revision: () => world.revision,
    urgent: () => '',
    ...(mostBytes === undefined ? {} : { mostBytes })
  })
  let made = 0
  const ask = (key: string, body = 'x'.repeat(10)) =>
    answers.answer(key, present, () => {
      made++
      return text('text/html', body)
    })
  return { world, answers, ask, made: () => made }
}

t.test('what many ask for at one moment is made once, for each reader', async (t) => {
  const { ask, made } = shared()
  const [first, second] = await Promise.all([ask('/ en'), ask('/ en')])
  t.equal(first, second)
  t.equal(made(), 1)
  await ask('/ de')
  t.equal(made(), 2)
  const headers = { 'accept-language': 'de', cookie: 'theme=night' }
  const anonymous = { kind: 'anonymous' } as const
  t.not(sharedKey('/', { headers, identity: anonymous }), sharedKey('/', { headers: {}, identity: anonymous }))
  t.not(sharedKey('/', { headers, identity: anonymous }), sharedKey('/', { headers, identity: { kind: 'loopback' } }))
})

t.test(
  'nothing is older than the last message, change of the configuration, request that changes, or second',
  async (t) => {
    const { world, answers, ask, made } = shared()
    await ask('/')
    for (const happens of [
      () => {
        world.revision = 'b'
      },
      () => answers.changed(),
      () => {
        world.now += 1000
      }
    ]) {
      const before = made()
      await ask('/')
      t.equal(made(), before)
      happens()
      await ask('/')
      t.equal(made(), before + 1)
    }
  }
)

t.test('what is kept stays below its bytes; the oldest goes first', async (t) => {
  const { answers, ask, made } = shared(100)
  for (let n = 0; n < 50; n++) await ask(`/?${n}`, 'x'.repeat(30))
  t.ok(answers.bytes <= 100, `${answers.bytes}`)
  t.equal(made(), 50)
  await ask('/?49')
  t.equal(made(), 50)
  await ask('/?0')
  t.equal(made(), 51)
  await ask('/large', 'x'.repeat(1000))
  await ask('/?0')
  t.equal(made(), 52, 'one that is too large is given and not kept, and drives out none')
})

t.test('a hundred answers are kept at most, and none of two seconds ago', async (t) => {
  const { world, answers, ask, made } = shared()
  for (let n = 0; n < 300; n++) await ask(`/?${n}`)
  t.equal(answers.bytes, 1000)
  world.now += 2001
  await ask('/')
  t.equal(answers.bytes, 10)
  t.equal(made(), 301)
})

t.test('of what a client reads compressed nothing else is kept; who reads none is given the same', async (t) => {
  const body = 'An — dash, in words of two bytes. '.repeat(300)
  const packed = new Packed(text('text/html', body))
  t.equal(packed.bytes, packed.length)
  const given: Buffer[] = []
  const read = (encoding: 'gzip' | 'br'): Promise<void> =>
    new Promise((resolve) =>
      packed.encoded(encoding, (_error, bytes) => {
        given.push(bytes)
        resolve()
      })
    )
  await Promise.all([read('gzip'), read('gzip')])
  t.equal(given[0], given[1], 'compressed once')
  t.equal(packed.bytes, given[0]?.length)
  t.equal(given[0]?.buffer.byteLength, given[0]?.length, 'and no block of memory around it')
  t.equal(String(packed.plain()), body)
  await read('br')
  t.equal(packed.bytes, (given[0]?.length ?? 0) + (given[2]?.length ?? 0))
  const next = new Packed(text('text/html', `${body}!`))
  await next.encodeLike(packed)
  t.ok(next.bytes < 1000, 'made ahead as the one before was read')
  t.equal(String(next.plain()), `${body}!`)
})

t.test('a large answer for thirty is compressed once', async (t) => {
  const packed = new Packed(text('text/html', 'Valley of the north. '.repeat(5000)))
  const given = await Promise.all(
    Array.from(
      { length: 30 },
      () => new Promise<Buffer>((resolve) => packed.encoded('gzip', (_, bytes) => resolve(bytes)))
    )
  )
  t.equal(new Set(given.map(({ length }) => length)).size, 1)
  t.equal(new Set(given).size, 1)
})

t.test('a list of the API is made once for all who ask, and is never a copy', async (t) => {
  let made = 0
  const list = () => {
    made++
    return { deliveries: [], next: null }
  }
  const nothing = {
    steps: () => [],
    ofEvent: () => [],
    counts: () => ({}),
    rang: () => [],
    heardTags: () => [],
    airtimeMs: () => 0
  }
  const { ask, observers } = await station(t, { context: { deliveries: { list, ...nothing } } })
  const lists = () => ask({ path: '/api/deliveries', headers: FROM_AFAR })
  await Promise.all([lists(), lists(), lists()])
  t.equal(made, 1)
  observers.tell('radio', radio())
  await lists()
  t.equal(made, 2, 'whatever is told, it is made anew')
})

t.test('a failure and a refusal are told to who waits, and not kept', async (t) => {
  const { answers, ask, made } = shared()
  const failing = () => answers.answer('/', present, () => Promise.reject(new Error('broken')))
  await t.rejects(failing(), { message: 'broken' })
  const refusal = await answers.answer('/', present, () => ({ status: 404, headers: {}, body: 'no' }))
  t.match(refusal, { status: 404 })
  await ask('/')
  t.equal(made(), 1)
})

t.test('the work goes on while anybody waits for it, and ends when nobody does', async (t) => {
  const { answers } = shared()
  const gone = [false, false]
  const heard: boolean[] = []
  let go = (): void => undefined
  const turn = () =>
    new Promise<void>((resolve) => {
      go = resolve
    })
  const first = answers.answer('/', { left: () => gone[0] ?? false, takesCopies: false }, async (left) => {
    for (let n = 0; n < 3; n++) {
      await turn()
      heard.push(left())
    }
    return text('text/html', 'done')
  })
  const second = answers.find('/', { left: () => gone[1] ?? false, takesCopies: false })
  for (const at of [0, 1, 2]) {
    if (at > 0) gone[at - 1] = true
    go()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.equal(await first, await second)
  t.same(heard, [false, false, true])
})

t.test('a page that was asked for a moment ago shows an event and a saved setting at once', async (t) => {
  const { ask } = await station(t)
  for (const path of ['/', '/alerts', '/events']) {
    t.notMatch((await ask(path)).text, /Pine Creek/, path)
  }
  await ask({ path: '/api/events', body: { ...fire, title: 'Fire at Pine Creek' } })
  for (const path of ['/', '/alerts', '/events']) t.match((await ask(path)).text, /Pine Creek/, path)
  t.match((await ask('/mesh-a/routing')).text, /The matrix is off/)
  const { revision } = (await ask('/api/settings')).body
  const headers = { 'if-match': `"${revision}"` }
  const body = { set: { '/notifications/region_routes/enabled': true }, remove: [] }
  t.equal((await ask({ method: 'POST', path: '/api/settings', body, headers })).status, 200)
  t.match((await ask('/mesh-a/routing')).text, /The matrix is on/)
  t.match((await ask({ path: '/', headers: { 'accept-language': 'de' } })).text, /lang="de"/)
  t.match((await ask('/')).text, /lang="en"/)
})
