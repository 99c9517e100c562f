import t from 'tap'
import { type Answer, text } from '../../src/dashboard/server/reply.ts'
import { SharedAnswers, sharedKey } from '../../src/dashboard/server/shared-answers.ts'
import { fire, station } from './harness.ts'

const present = (): boolean => false

function shared(mostBytes?: number) {
  const world = { now: 5000, revision: 'a' }
  const answers = new SharedAnswers({
    now: () => world.now,
    revision: () => world.revision,
    ...(mostBytes === undefined ? {} : { mostBytes })
  })
  let made = 0
  const ask = (key: string, body = 'x'.repeat(10)): Promise<Answer> =>
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
  t.ok(answers.bytes <= 100, 'one that is too large is given and not kept')
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
  const first = answers.answer(
    '/',
    () => gone[0] ?? false,
    async (left) => {
      for (let n = 0; n < 3; n++) {
        await turn()
        heard.push(left())
      }
      return text('text/html', 'done')
    }
  )
  const second = answers.find('/', () => gone[1] ?? false)
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
