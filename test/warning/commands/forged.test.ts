import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { PinnedKeys } from '../../../src/warning/outbox/pinned-keys.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { asks } from '../../helpers/asks.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const NODE = '!a1b2c3d4'
const KEY = 'aabbccddeeff'
const FIRST = '11'.repeat(32)
const OTHER = '22'.repeat(32)
const cells = { fire: { North: { mt: 3, mc: 'north-fire' } } }
const config = { ...withMatrix(cells), commands: { admins: [NODE, KEY] } }
/** Steps of the schema of the last version that pinned no keys. */
const WITHOUT_KEYS = 19

const silences = (s: Station): unknown[] => s.core.reactions.silences.active(s.clock.now())

t.test("an admin's key is pinned at first use: another one has no rights, also after a restart", async (t) => {
  const s = await station(t, { config, databasePath: join(t.testdir(), 'db') })
  t.match(await asks(s, s.mt, { from: NODE, publicKey: FIRST, text: '!help' }), [/!silence/])
  const pinned = s.clock.now()
  const again = await s.restart()
  t.match(await asks(again, again.mt, { from: NODE, publicKey: OTHER, text: '!silence fire 7d' }), [
    /Refused: your node had another key before/
  ])
  t.same(silences(again), [])
  t.match(again.core.reactions.keys.list(), [{ node: NODE, key: FIRST, other: { key: OTHER } }])
  t.ok((again.core.reactions.keys.list()[0]?.firstSeen ?? 0) <= pinned)
  t.match(await asks(again, again.mt, { from: NODE, publicKey: FIRST, text: '!silence fire 1h' }), [/is silent/])
  t.equal(silences(again).length, 1)
})

t.test('a key that the operator forgets makes room for the next', async (t) => {
  const s = await station(t, { config })
  await asks(s, s.mt, { from: NODE, publicKey: FIRST, text: '!help' })
  t.equal(s.core.reactions.keys.forget(NODE), true)
  t.equal(s.core.reactions.keys.forget(NODE), false, 'there is none any more')
  t.match(await asks(s, s.mt, { from: NODE, publicKey: OTHER, text: '!silence fire 1h' }), [/is silent/])
  t.match(s.core.reactions.keys.list(), [{ node: NODE, key: OTHER, other: null }])
})

t.test('an encrypted text without its key, and a text on a channel, pin nothing and have no rights', async (t) => {
  const s = await station(t, { config })
  t.match(await asks(s, s.mt, { from: NODE, publicKey: null, text: '!silence fire 1h' }), [/Refused/])
  t.match(await asks(s, s.mt, { from: NODE, channel: 3, text: '!silence fire 1h' }), [/direct message/])
  t.match(await asks(s, s.mt, { from: NODE, proven: false, publicKey: OTHER, text: '!silence fire 1h' }), [/Refused/])
  t.same(s.core.reactions.keys.list(), [])
  t.same(silences(s), [])
})

t.test('keys of nodes without rights are not kept: strangers cannot fill the table', async (t) => {
  const s = await station(t, { config })
  await asks(s, s.mt, { from: '!00000001', publicKey: OTHER, text: '!help' })
  t.same(s.core.reactions.keys.list(), [])
})

t.test('over MeshCore the key of the contact is the proof', async (t) => {
  const s = await station(t, { config })
  t.match(await asks(s, s.mc, { from: KEY, fromName: 'Anybody', text: '!silence fire 1h' }), [/is silent/])
  t.match(await asks(s, s.mc, { from: 'ffbbccddeeff', fromName: 'Ann', text: '!silence fire off' }), [/Only admin/])
})

t.test('an owner may say that the id alone is enough, for nodes that have no keys', async (t) => {
  const radios = [{ id: 'sim-mt', network: 'mt', link: 'simulated', admin_key_required: false }]
  const s = await station(t, { config: { ...config, radios } })
  t.match(await asks(s, s.mt, { from: NODE, proven: false, text: '!silence fire 1h' }), [/is silent/])
  t.match(silences(s), [{ author: `mt ${NODE} unproven` }], 'the record says that nothing proved it')
  await asks(s, s.mt, { from: NODE, publicKey: FIRST, text: '!help' })
  t.match(await asks(s, s.mt, { from: NODE, publicKey: OTHER, text: '!silence fire off' }), [/another key/])
  t.match(await asks(s, s.mt, { from: NODE, proven: false, channel: 3, text: '!silence fire off' }), [/direct message/])
})

t.test('forgers with a new id for every text use up nothing of those who are proven', async (t) => {
  const s = await station(t, { config })
  for (let id = 0; id < 40; id++)
    s.mt.receive({ from: `!000002${id.toString(16).padStart(2, '0')}`, proven: false, text: '!help' })
  await s.run(120)
  t.match(await asks(s, s.mt, { from: '!00000001', text: '!help' }), [/^!00000001 Ask:/], 'a proven node is answered')
  const forged = await asks(s, s.mt, { from: '!00000001', proven: false, text: '!help' })
  t.notMatch(forged.join(), /Ask:/, 'its forger is not')
})

t.test('a database of the version before keeps what it has and learns to pin', async (t) => {
  const path = join(t.testdir(), 'lookout.db')
  const before = ledgerMigrations.slice(0, WITHOUT_KEYS)
  const old = await openDatabase({ path, migrations: before, synchronous: 'NORMAL' })
  old.sql("INSERT INTO facts VALUES ('kept', 'yes')").run()
  old.close()
  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  t.match(db.sql("SELECT value FROM facts WHERE name = 'kept'").get(), { value: 'yes' })
  const keys = new PinnedKeys(db)
  keys.learn(NODE, FIRST, 1000)
  keys.learn(NODE, OTHER, 2000)
  keys.learn(NODE, OTHER, 3000)
  t.same(new PinnedKeys(db).list(), [{ node: NODE, key: FIRST, firstSeen: 1000, other: { key: OTHER, at: 2000 } }])
  t.same(
    ['same', 'other', 'first'],
    [keys.standing(NODE, FIRST), keys.standing(NODE, OTHER), keys.standing('!1', OTHER)]
  )
})

t.test("a stranger's !ack records nothing and ends no escalation, unless the owner said so", async (t) => {
  const escalation = { fire: { min_severity: 'critical', steps: [{ after_seconds: 600, type: 'repeat' }] } }
  const guarded = { ...withMatrix(cells, { escalation }), commands: { admins: [NODE] } }
  const s = await station(t, { config: guarded })
  const { threadId } = await s.post({ id: 'a', severity: 'critical' })
  await s.run(60)
  const text = `!ack ${s.core.ledger.codes.known(threadId)} in hand`
  t.match(await asks(s, s.mt, { from: '!66666666', channel: 3, text }), [/Only admin nodes may acknowledge/])
  t.match(await asks(s, s.mt, { from: '!66666666', text }), [/Only admin nodes may acknowledge/])
  t.match(await asks(s, s.mt, { from: NODE, proven: false, text }), [/Refused/])
  t.same(s.core.reactions.acks.of(threadId), [])
  t.match(s.core.reactions.followUp(threadId), { state: 'open' })
  s.setConfig({ ...guarded, commands: { admins: [NODE], who: { ack: 'channel' } } })
  t.match(await asks(s, s.mt, { from: '!66666666', text }), [/Send !ack on a channel of this station/])
  t.match(await asks(s, s.mt, { from: '!66666666', channel: 3, text }), [/acknowledged .* Escalation stopped/])
  t.match(s.core.reactions.acks.of(threadId), [{ author: 'mt !66666666 unproven' }])
  t.match(s.core.reactions.followUp(threadId), { state: 'done', reason: 'acknowledged' })
})

t.test('who may silence and ask is a setting for each command', async (t) => {
  const s = await station(t, {
    config: { ...config, commands: { admins: [NODE], who: { silence: 'channel', ask: 'list' } } }
  })
  t.match(await asks(s, s.mt, { from: '!00000001', text: '!silence fire 1h' }), [/Send !silence on a channel/])
  t.match(await asks(s, s.mc, { from: '', fromName: 'Ann', channel: 'north-fire', text: '!silence fire 1h' }), [
    /silent/
  ])
  t.match(await asks(s, s.mt, { from: '!00000001', channel: 3, text: '!silence fire off' }), [/heard again/])
  t.match(await asks(s, s.mt, { from: '!00000001', text: '!ask where is water' }), [/Only admin nodes may ask/])
  t.match(await asks(s, s.mt, { from: NODE, text: '!ask where is water' }), [/keeps no library/])
  s.setConfig({ ...config, commands: { who: { silence: 'anyone' } } })
  t.match(await asks(s, s.mt, { from: '!00000002', proven: false, text: '!silence fire 1h' }), [/silent/])
  t.match(await asks(s, s.mt, { from: '!00000002', proven: false, text: '!silence fire 1h !immediate' }), [
    /cannot be silenced/
  ])
})
