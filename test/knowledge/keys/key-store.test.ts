import t from 'tap'
import { inWords, note } from '../../helpers/in-words.ts'
import { keySetup } from '../../helpers/keys.ts'

const A = 'AIzaSyA1234567890aaaaaaaa'
const B = 'AIzaSyB1234567890bbbbbbbb'
const C = 'sk-proj-1234567890cccccc'
const none = new Set<string>()

t.test(
  'a key is added, listed masked, replaced and removed; the file is closed to others and keeps foreign lines',
  async (t) => {
    const setup = await keySetup(t, { text: '# mine\nFOO=bar\nGEMINI_KEY_3="AIzaSyA1234567890aaaaaaaa"\n' })
    const { store } = setup
    t.match(await store.add('openai', ` ${C}\n`), {
      index: 1,
      provider: 'openai',
      masked: 'sk-proj-...cccc',
      length: 24
    })
    const [first] = await store.list()
    t.same(first, {
      index: 0,
      id: 'd911f30a',
      provider: 'gemini',
      masked: 'AIzaSyA1...aaaa',
      length: 25,
      calls: 0,
      errors: 0,
      last_used: null,
      valid: null,
      last_validated: null,
      state: 'healthy',
      reason: null,
      ready_at: null
    })
    t.equal(setup.mode(), '600')
    t.match(await store.replace(first?.id ?? '', B), { index: 0, masked: 'AIzaSyB1...bbbb' })
    t.equal(setup.file(), `# mine\nFOO=bar\nGEMINI_KEY_3=${B}\nOPENAI_KEY_1=${C}\n`)
    t.same(await store.remove('1'), { masked: 'sk-proj-...cccc', count: 1 }, 'an index names a key too')
    t.same(await store.remove('0'), { masked: 'AIzaSyB1...bbbb', count: 0 }, 'the last one may go')
    t.equal(setup.file(), '# mine\nFOO=bar\n')
    t.same(await store.list(), [])
    t.match(await store.add('gemini', A), { index: 0 })
    t.equal(setup.file(), `# mine\nFOO=bar\nGEMINI_KEY_1=${A}\n`)
  }
)

t.test('what is refused is told without the key, and changes nothing', async (t) => {
  const { store, file } = await keySetup(t, { text: `GEMINI_KEY_1=${A}\nOPENAI_KEY_1=${C}\n` })
  const before = file()
  const rows: [string, () => Promise<unknown>, string, RegExp][] = [
    ['the same key again', () => store.add('gemini', A), 'conflict', /there already, as AIzaSyA1\.\.\.aaaa \(gemini\)/],
    ['the same key for another provider', () => store.add('openai', A), 'conflict', /there already/],
    ['a replacement that is there', () => store.replace('0', C), 'conflict', /there already/],
    ['an empty one', () => store.add('gemini', '  '), 'invalid', /1 to 512/],
    ['with a blank', () => store.add('gemini', 'secret one'), 'invalid', /1 to 512/],
    ['with a line break', () => store.add('gemini', 'secret\nFOO=x'), 'invalid', /1 to 512/],
    ['with quotes', () => store.add('gemini', '"secret"'), 'invalid', /1 to 512/],
    ['with its name', () => store.add('gemini', 'GEMINI_KEY_1=secret'), 'invalid', /key alone/],
    ['too long', () => store.add('gemini', 'x'.repeat(513)), 'invalid', /1 to 512/],
    ['nobody by index', () => store.remove('2'), 'not-found', /no key 2/],
    ['nobody by id', () => store.replace('deadbeef', B), 'not-found', /no key deadbeef/],
    ['nonsense', () => store.find('../etc'), 'not-found', /no key/]
  ]
  for (const [name, run, code, message] of rows) {
    await t.rejects(run(), { code, message }, name)
    await run().catch((error: Error) =>
      t.notMatch(error.message, /secret|1234567890/, `${name}: no key in the message`)
    )
  }
  t.equal(file(), before)
  t.match(await store.replace('0', A), { index: 0 }, 'a key in its own place is no conflict')
})

t.test('writes at the same time wait for each other: none is lost', async (t) => {
  const { store, file } = await keySetup(t)
  await Promise.all(Array.from({ length: 20 }, (_, n) => store.add('gemini', `key-number-${n}`)))
  t.equal((await store.list()).length, 20)
  t.equal(
    new Set(
      file()
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0])
    ).size,
    20
  )
})

t.test('a file left open to all is closed; one that cannot be read says so without its place', async (t) => {
  const setup = await keySetup(t, { text: `GEMINI_KEY=${A}` })
  setup.write(`GEMINI_KEY=${B}\n`, 0o644)
  t.match(await setup.store.list(), [{ masked: 'AIzaSyB1...bbbb' }])
  t.equal(setup.mode(), '600')
  setup.write('x'.repeat(300 * 1024))
  await t.rejects(setup.store.list(), {
    code: 'unavailable',
    message: /^keys\.env in the data folder cannot be read: it has more than/
  })
})

t.test(
  'L1: another process uses added, replaced and removed keys at its next call, and edits by hand too',
  async (t) => {
    const main = await keySetup(t, { text: '' })
    const worker = await main.again()
    const next = async (): Promise<string | null> => (await worker.store.turn(['gemini'], none)).key?.value ?? null
    t.equal(await next(), null)
    await main.store.add('gemini', A)
    t.equal(await next(), A)
    await main.store.replace('0', B)
    t.equal(await next(), B)
    main.write(`GEMINI_KEY_1=${C}\n`)
    t.equal(await next(), C, 'edited by hand')
    await main.store.remove('0')
    t.equal(await next(), null)
  }
)

t.test(
  'L1: what happens to a key in one process is counted and obeyed in all of them, and survives a restart',
  async (t) => {
    const main = await keySetup(t, { text: `GEMINI_KEY_1=${A}\nGEMINI_KEY_2=${B}\n` })
    const worker = await main.again()
    const [a, b] = (await main.store.list()).map(({ id }) => id)
    worker.store.record(a ?? '', { kind: 'ok' })
    worker.store.record(b ?? '', { kind: 'refused', reason: note('answers 403') })
    worker.store.record(a ?? '', { kind: 'limited', retryAfterMs: 60_000 })
    main.store.record(a ?? '', { kind: 'failed' })
    const later = new Date(main.clock.now()).toISOString()
    t.match(inWords(await main.store.list()), [
      { calls: 3, errors: 2, last_used: later, valid: true, state: 'cooling', ready_at: '2026-07-01T12:01:00.000Z' },
      { calls: 1, errors: 1, valid: false, state: 'quarantined', reason: 'answers 403' }
    ])
    t.match(await main.store.turn(['gemini'], none), { key: null, why: 'resting' })
    main.store.tested(b ?? '', true, note(''))
    t.match(await worker.store.turn(['gemini'], none), { key: { value: B } }, 'tested here, used there')
    const restarted = await main.again()
    t.match(await restarted.store.list(), [
      { calls: 3, state: 'cooling' },
      { calls: 1, state: 'healthy', valid: true }
    ])
    t.equal(await restarted.store.reload(), 2)
    t.match(
      await worker.store.list(),
      [{ calls: 3, state: 'healthy', ready_at: null }, { state: 'healthy' }],
      'a reload forgives'
    )
    await main.store.remove('0')
    await main.store.add('gemini', A)
    t.match((await main.store.list())[1], { calls: 0, valid: null }, 'of a key that was removed nothing is left')
  }
)

t.test(
  'a stream of calls is written down every 10 s, not at every call; nothing is lost at an orderly end',
  async (t) => {
    const setup = await keySetup(t, { text: `GEMINI_KEY_1=${A}\n` })
    const other = await setup.again()
    const [{ id } = { id: '' }] = await setup.store.list()
    const seen = async (): Promise<number | undefined> => (await other.store.list())[0]?.calls
    for (let count = 0; count < 3; count++) setup.store.record(id, { kind: 'ok' })
    t.equal(await seen(), 1, 'the first changed what is known of the key')
    t.equal((await setup.store.list())[0]?.calls, 3, 'the process itself knows all')
    await setup.clock.runTo(setup.clock.now() + 10_000)
    t.equal(await seen(), 3)
    for (let count = 0; count < 5; count++) setup.store.record(id, { kind: 'ok' })
    setup.store.close()
    t.equal(await seen(), 8)
  }
)

t.test('accounts that cannot be written do not stop a call: the failure is told', async (t) => {
  const setup = await keySetup(t, { text: `GEMINI_KEY_1=${A}\n` })
  setup.db.exec('DROP TABLE key_health')
  setup.store.record('d911f30a', { kind: 'ok' })
  t.equal(setup.errors.length, 1)
})

t.test('keys of the first provider that has any are used', async (t) => {
  const { store } = await keySetup(t, { text: `OPENAI_KEY_1=${C}\nGEMINI_KEY_1=${A}\n` })
  t.match(await store.turn(['embedding', 'openai'], none), { key: { value: C } })
  t.match(await store.turn(['embedding'], none), { key: null, why: 'none' })
  await store.add('embedding', B)
  t.match(await store.turn(['embedding', 'openai'], none), { key: { value: B } })
})
