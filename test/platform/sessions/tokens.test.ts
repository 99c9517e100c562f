import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { TOKENS_FILE, TokenStore, verifyToken } from '../../../src/platform/sessions/tokens.ts'

t.test('a token', async (t) => {
  t.test('of 256 random bits is shown once; the file, mode 0600, holds its hash alone', async (t) => {
    const folder = t.testdir({})
    const store = new TokenStore({ folder, now: () => 0 })
    const made = await store.create({ scope: 'events', name: 'sensor' })
    t.match(made, {
      scope: 'events',
      name: 'sensor',
      created_at: '1970-01-01T00:00:00.000Z',
      token: /^lookout_[\w-]{43}$/
    })
    const text = readFileSync(join(folder, TOKENS_FILE), 'utf8')
    t.notMatch(text, made.token.slice(8))
    t.match(JSON.parse(text), { tokens: [{ id: made.id, hash: /^[0-9a-f]{64}$/, scope: 'events' }] })
    t.equal(statSync(join(folder, TOKENS_FILE)).mode & 0o777, 0o600)
    t.same(await store.list(), [{ id: made.id, name: 'sensor', scope: 'events', created_at: made.created_at }])
    t.not((await store.create({ scope: 'events' })).token, made.token)
  })

  t.test('is believed with its scope; anything else is nobody', async (t) => {
    const store = new TokenStore({ folder: t.testdir({}) })
    t.equal(await verifyToken(store, 'lookout_x'), null, 'before there is any')
    const events = await store.create({ scope: 'events', name: 'sensor' })
    const operator = await store.create({ scope: 'operator', name: 'script' })
    t.same(await verifyToken(store, events.token), { name: 'sensor', scope: 'events' })
    t.same(await verifyToken(store, operator.token), { name: 'script', scope: 'operator' })
    const [record] = await store.records()
    for (const wrong of [
      '',
      events.token.slice(0, -1),
      `${events.token}x`,
      events.token.toUpperCase(),
      events.id,
      record?.hash ?? '',
      'x'.repeat(100_000)
    ]) {
      t.equal(await verifyToken(store, wrong), null, wrong.slice(0, 80))
    }
  })

  t.test('made or revoked by another process counts at once', async (t) => {
    const folder = t.testdir({})
    const [server, command] = [new TokenStore({ folder }), new TokenStore({ folder })]
    t.equal(await verifyToken(server, 'x'), null)
    const { id, token } = await command.create({ scope: 'operator' })
    t.ok(await verifyToken(server, token))
    t.equal(await command.revoke('00000000'), false)
    t.ok(await verifyToken(server, token))
    t.equal(await command.revoke(id), true)
    t.equal(await verifyToken(server, token), null)
    t.same(await server.list(), [])
  })

  t.test('is not lost when several are made at the same time', async (t) => {
    const store = new TokenStore({ folder: t.testdir({}) })
    const made = await Promise.all(Array.from({ length: 10 }, () => store.create({ scope: 'events' })))
    t.same(
      (await store.list()).map(({ id }) => id),
      made.map(({ id }) => id)
    )
  })

  for (const [name, text] of [
    ['torn', '{"tokens": [{"id": "a", '],
    ['of another shape', '{"tokens": {}}'],
    ['with a hash that is none', '{"tokens":[{"id":"a","name":"","scope":"events","hash":"00","created_at":""}]}']
  ] as const) {
    t.test(`is not believed while the file is ${name}; the file is not written over`, async (t) => {
      const folder = t.testdir({})
      const store = new TokenStore({ folder })
      const { token } = await store.create({ scope: 'operator' })
      writeFileSync(join(folder, TOKENS_FILE), text)
      await t.rejects(verifyToken(store, token), { code: 'unavailable', message: TOKENS_FILE })
      await t.rejects(store.create({ scope: 'operator' }), { code: 'unavailable' })
      t.equal(readFileSync(join(folder, TOKENS_FILE), 'utf8'), text)
      rmSync(join(folder, TOKENS_FILE))
      t.equal(await verifyToken(store, token), null)
    })
  }

  t.test('keeps what a newer version wrote beside it', async (t) => {
    const record = { id: 'a', name: '', scope: 'events', hash: '0'.repeat(64), created_at: '', later: true }
    const folder = t.testdir({ [TOKENS_FILE]: JSON.stringify({ tokens: [record] }) })
    await new TokenStore({ folder }).create({ scope: 'events' })
    t.match(JSON.parse(readFileSync(join(folder, TOKENS_FILE), 'utf8')).tokens[0], record)
  })
})
