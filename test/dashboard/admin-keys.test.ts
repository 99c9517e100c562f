import t from 'tap'
import { PinnedKeys } from '../../src/warning/outbox/pinned-keys.ts'
import { FROM_AFAR, NOW, type Station, station } from './harness.ts'

const NODE = '!a1b2c3d4'
const FIRST = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)

/** A station whose admin's node has a key, and under whose id another one came. */
async function pinned(t: Parameters<typeof station>[0]): Promise<Station> {
  const s = await station(t)
  const keys = new PinnedKeys(s.db)
  keys.learn(NODE, FIRST, NOW - 60_000)
  keys.learn(NODE, OTHER, NOW)
  s.context.reactions.keys = keys
  return s
}

t.test('the operator sees the pinned keys and forgets one', async (t) => {
  const s = await pinned(t)
  const listed = await s.ask('/api/admin-keys')
  t.match(listed.body, { keys: [{ node: NODE, key: FIRST, other: { key: OTHER, at: new Date(NOW).toISOString() } }] })
  t.match((await s.ask('/radios')).text, /Keys of admins[\s\S]*!a1b2c3d4[\s\S]*ab ab ab[\s\S]*refused[\s\S]*cd cd cd/)
  t.same((await s.ask({ method: 'DELETE', path: `/api/admin-keys/${NODE}` })).body, { ok: true })
  t.equal((await s.ask({ method: 'DELETE', path: `/api/admin-keys/${NODE}` })).status, 404)
  t.same((await s.ask('/api/admin-keys')).body, { keys: [] })
  t.notMatch((await s.ask('/radios')).text, /Keys of admins/)
})

t.test('the page says how the key of an admin who has none is pinned', async (t) => {
  const admins = [NODE.toUpperCase(), '!0badcafe', 'ab'.repeat(6)]
  const s = await station(t, { config: { commands: { admins } } })
  const keys = new PinnedKeys(s.db)
  keys.learn(NODE, FIRST, NOW)
  s.context.reactions.keys = keys
  const advice = /No key yet: !0badcafe\. Send !status once from the admin’s phone/
  t.match((await s.ask('/radios')).text, advice)
  const inGerman = { path: '/radios', headers: { cookie: 'lang=de' } }
  t.match((await s.ask(inGerman)).text, /Noch kein Schlüssel: !0badcafe\. Vom Telefon des Verwalters einmal !status/)
  t.notMatch((await s.ask({ path: '/radios', headers: FROM_AFAR })).text, /0badcafe|No key yet/)
  keys.learn('!0badcafe', OTHER, NOW)
  t.notMatch((await s.ask('/radios')).text, /No key yet/)
})

t.test('the form of the page forgets a key without a script', async (t) => {
  const s = await pinned(t)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const path = `/radios/keys/${encodeURIComponent(NODE)}`
  t.equal((await s.ask({ method: 'POST', path, headers, raw: '' })).status, 303)
  t.same(s.context.reactions.keys.list(), [])
  t.equal((await s.ask({ method: 'POST', path, headers, raw: '' })).status, 404)
})

t.test('a guest learns no ids or keys of admins, and forgets none', async (t) => {
  const s = await pinned(t)
  t.equal((await s.ask({ path: '/api/admin-keys', headers: FROM_AFAR })).status, 401)
  t.equal((await s.ask({ method: 'DELETE', path: `/api/admin-keys/${NODE}`, headers: FROM_AFAR })).status, 401)
  const headers = { ...FROM_AFAR, 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await s.ask({ method: 'POST', path: `/radios/keys/${NODE}`, headers, raw: '' })).status, 401)
  t.notMatch((await s.ask({ path: '/radios', headers: FROM_AFAR })).text, /a1b2c3d4|abab/)
  t.equal(s.context.reactions.keys.list().length, 1)
})
