import type { Test } from 'tap'
import t from 'tap'
import type { SimulatedRadio } from '../../../src/warning/radios/simulated.ts'
import { asks } from '../../helpers/asks.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const NODE = '!a1b2c3d4'
const KEY = 'aabbccddeeff'
const cells = { fire: { North: { mt: 3, mc: 'north-fire' } }, weather: { South: { mt: 4 } } }
const config = {
  ...withMatrix(cells),
  commands: { admins: [NODE, `${KEY}0011223344556677`] },
  coverage: { areas: [{ name: 'North Valley', west: -117, south: 43, east: -116, north: 44 }] }
}

const codeIn = (s: Station): string => s.core.ledger.codes.known(s.deliveries()[0]?.thread_id ?? '') ?? ''

t.test('!help answers the one who asks, with what this person can use', async (t) => {
  const s = await station(t, { config })
  t.same(await asks(s, s.mt, { from: '!00000001', text: '!help' }), [
    '!00000001 Ask: !alerts [region], !catchup [region], !status, !why CODE'
  ])
  t.match((await asks(s, s.mt, { from: NODE, text: '!HELP' }))[0], /!silence NAME 2h/, 'admins see more')
  t.match(
    (await asks(s, s.mt, { from: '!00000001', channel: 3, text: '!help' }))[0],
    /^!00000001 /,
    'an MT channel: by DM'
  )
  t.same(
    await asks(s, s.mc, { from: '', fromName: 'Ann', channel: 'north-fire', text: '!help' }),
    ['north-fire Lookout: Ask: !alerts [region], !catchup [region], !status, !why CODE'],
    'an MC channel gives no identity: answered there, without what needs one'
  )
  const reply = s.deliveries().at(-1)
  t.match(reply, { path: 'reply', severity: 'routine', state: 'heard', code: null, event_ids: [] })
})

t.test('what is no command of ours, comes late or comes again is not answered', async (t) => {
  const s = await station(t, { config })
  t.same(await asks(s, s.mt, { text: 'hello' }), [])
  t.same(await asks(s, s.mt, { text: '!weather' }), [])
  t.same(await asks(s, s.mt, { text: '!help', late: true }), [])
  t.equal((await asks(s, s.mt, { text: '!help', key: 'mt|1' })).length, 1)
  t.same(await asks(s, s.mt, { text: '!help', key: 'mt|1' }), [], 'a repeat of the same packet')
  t.same(
    await asks(s, s.mc, { from: '', fromName: 'Lookout', channel: 'north-fire', text: '!help' }),
    [],
    'nothing is sent because of our own name coming back'
  )
  t.same(await asks(s, s.mc, { from: '', text: '!help' }), [], 'direct, but from nobody')
})

t.test('commands can be switched off, wholly or on channels', async (t) => {
  const s = await station(t, { config: { ...config, commands: { allow_channels: false } } })
  t.same(await asks(s, s.mt, { channel: 3, text: '!help' }), [])
  t.equal((await asks(s, s.mt, { text: '!help' })).length, 1)
  s.setConfig({ ...config, commands: { enabled: false } })
  t.same(await asks(s, s.mt, { text: '!help' }), [])
})

t.test('six commands in ten minutes, then one notice, then silence; others are not affected', async (t) => {
  const s = await station(t, { config, databasePath: `${t.testdir()}/db` })
  for (let count = 0; count < 6; count++) t.equal((await asks(s, s.mt, { from: '!00000001', text: '!help' })).length, 1)
  t.match(await asks(s, s.mt, { from: '!00000001', text: '!help' }), [/Too many commands/])
  t.same(await asks(s, s.mt, { from: '!00000001', text: '!help' }), [])
  t.equal((await asks(s, s.mt, { from: '!00000002', text: '!help' })).length, 1)
  const again = await s.restart()
  t.same(await asks(again, again.mt, { from: '!00000001', text: '!help' }), [], 'a restart forgets nothing')
  await again.run(11 * 60)
  t.equal((await asks(again, again.mt, { from: '!00000001', text: '!help' })).length, 1)
})

t.test('all together get thirty answers in ten minutes; an admin is still heard', async (t) => {
  const s = await station(t, { config })
  for (let node = 0; node < 32; node++) s.mt.receive({ from: `!000001${String(node).padStart(2, '0')}`, text: '!help' })
  s.mt.receive({ from: NODE, text: '!help' })
  await s.run(120)
  const told = s.deliveries().map(({ text, channel }) => `${channel} ${text}`)
  t.equal(told.filter((text) => text.includes('Ask:')).length, 31)
  t.equal(told.filter((text) => text.includes('Too many')).length, 1)
  t.ok(told.some((text) => text.startsWith(NODE)))
})

t.test('!alerts lists what goes on, worst first, with codes, inside the byte budget', async (t) => {
  const s = await station(t, { config })
  t.same(await asks(s, s.mt, { text: '!alerts' }), ['!0000000a No alerts.'])
  const expires = '2026-06-01T23:00:00Z'
  for (let index = 0; index < 8; index++)
    await s.post({ id: `f${index}`, title: `Fire number ${index} on a very long and winding ridge`, expires })
  await s.post({
    id: 'bad',
    title: 'Dam failure',
    family: 'emergency',
    severity: 'immediate',
    regions: ['South'],
    expires
  })
  await s.run(60)
  const [answer = ''] = await asks(s, s.mt, { text: '!alerts' })
  t.match(answer, /^!0000000a Dam failure, South til 11:00p #[0-9A-Z]{4}; /)
  t.match(answer, /; \+\d$/, 'the rest is counted')
  t.ok(Buffer.byteLength(answer.slice('!0000000a '.length)) <= 200)
  t.match(await asks(s, s.mt, { text: '!alerts south' }), [/Dam failure, South til 11:00p #[0-9A-Z]{4}$/])
  t.same(await asks(s, s.mt, { text: '!alerts Nowhere' }), [
    '!0000000a No region is called Nowhere here. Regions: North Valley, North, South.'
  ])
})

t.test('!status tells of radios, alerts and silences', async (t) => {
  const s = await station(t, { config })
  s.mc.setFault({ down: true })
  await s.run(3600)
  t.same(await asks(s, s.mt, { text: '!status' }), ['!0000000a MT ready, MC down, 0 alerts, up 1h.'])
})

t.test('!why tells what became of an alert, or why it was not sent', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a', title: 'Pine Fire', expires: '2026-06-01T23:00:00Z' })
  await s.run(60)
  const [answer = ''] = await asks(s, s.mt, { text: `!why ${codeIn(s).toLowerCase()}` })
  t.match(answer, /Pine Fire.* #[0-9A-Z]{4}; mc:north-fire heard; mt:3 heard$/)
  const { threadId } = await s.post({ id: 'b', family: 'roads', regions: ['North'] })
  const [silent = ''] = await asks(s, s.mt, { text: `!why #${s.core.ledger.codes.known(threadId)}` })
  t.match(silent, /not sent: no_route; no cell, family policy or rule/)
  t.match(await asks(s, s.mt, { text: '!why ZZZZ' }), [/No alert has the code ZZZZ/])
  t.match(await asks(s, s.mt, { text: '!why' }), [/Which alert\?/])
})

t.test('!ack records who and why, is refused where nobody is known, and needs a code that exists', async (t) => {
  const s = await station(t, { config })
  const { threadId } = await s.post({ id: 'a' })
  await s.run(60)
  const code = codeIn(s)
  t.match(await asks(s, s.mc, { from: '', fromName: 'Ann', channel: 'north-fire', text: `!ack ${code}` }), [
    /direct message: on a channel a name proves nothing/
  ])
  t.same(s.core.reactions.acks.of(threadId), [])
  t.match(await asks(s, s.mc, { from: KEY, fromName: 'Ann', text: `!ack #${code} crew is there` }), [
    new RegExp(`^${KEY} #${code} acknowledged \\d+:\\d\\dp\\.$`)
  ])
  t.match(s.core.reactions.acks.of(threadId), [{ author: `mc ${KEY}`, name: 'Ann', reason: 'crew is there' }])
  t.match(await asks(s, s.mt, { from: NODE, text: `!ack ${code}` }), [/Ann did so at/])
  t.match(await asks(s, s.mt, { from: NODE, text: '!ack ZZZZ' }), [/No alert has the code/])
})

t.test('!silence is for admins, by direct message, and never for immediate alerts', async (t) => {
  const s = await station(t, { config })
  const refused: [Parameters<SimulatedRadio['receive']>[0], RegExp][] = [
    [{ from: '!00000001', text: '!silence fire 2h' }, /Only admin/],
    [{ from: '!00000001', fromName: NODE, text: '!silence fire 2h' }, /Only admin/],
    [{ from: NODE, channel: 3, text: '!silence fire 2h' }, /direct message/],
    [{ from: NODE, text: '!silence fire 2h !immediate' }, /cannot be silenced over the radio/],
    [{ from: NODE, text: '!silence fire' }, /^\S+ Use: !silence/],
    [{ from: NODE, text: '!silence fire 8d' }, /at most 7d/]
  ]
  for (const [text, expected] of refused) t.match(await asks(s, s.mt, text), [expected], text.text)
  await s.run(600)
  t.match(await asks(s, s.mt, { from: NODE, text: '!silence nowhere 2h' }), [/neither a family nor a region/])
  t.same(s.core.reactions.silences.active(s.clock.now()), [])
  t.match(await asks(s, s.mt, { from: NODE, text: '!Silence FIRE 2h controlled burn' }), [/fire|FIRE is silent til/])
  t.match(await asks(s, s.mc, { from: KEY, text: '!silence north valley 30m' }), [/north valley is silent/])
  t.match(s.core.reactions.silences.active(s.clock.now()), [
    { region: 'North Valley', family: null, author: `mc ${KEY}`, includesImmediate: false },
    { family: 'fire', region: null, author: `mt ${NODE}`, reason: 'controlled burn' }
  ])
  t.match(await asks(s, s.mt, { from: NODE, text: '!silence fire off' }), [/heard again/])
  t.equal(s.core.reactions.silences.active(s.clock.now()).length, 1)
})

t.test('an admin id that the network does not prove has no rights, and uses up nothing of the admin', async (t) => {
  const s = await station(t, { config })
  const forged = { from: NODE, proven: false }
  t.match(await asks(s, s.mt, { ...forged, text: '!silence fire 7d maintenance' }), [
    new RegExp(`^${NODE} Refused: this text was not encrypted with your node key`)
  ])
  t.same(s.core.reactions.silences.active(s.clock.now()), [])
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(60)
  t.ok(s.onAir().length > 0, 'warnings go on')
  t.notMatch((await asks(s, s.mt, { ...forged, text: '!help' }))[0], /!silence/)
  for (let count = 0; count < 12; count++) await asks(s, s.mt, { ...forged, text: '!help' })
  t.match(await asks(s, s.mt, { from: NODE, text: '!help' }), [/!silence NAME 2h/], 'the real admin is answered')
  t.match(await asks(s, s.mt, { from: NODE, text: '!silence fire 1h' }), [/fire is silent/])
})

t.test('what a proven admin does in an emergency is not limited', async (t) => {
  const s = await station(t, { config })
  await s.post({ id: 'a' })
  await s.run(60)
  const code = codeIn(s)
  for (let count = 0; count < 5; count++) {
    t.match(await asks(s, s.mt, { from: NODE, text: '!status' }), [/up/])
    t.match(await asks(s, s.mt, { from: NODE, text: '!silence fire 1h' }), [/is silent til/])
    t.match(await asks(s, s.mt, { from: NODE, text: `!ack ${code}` }), [/acknowledged/])
  }
  for (let count = 0; count < 6; count++) await asks(s, s.mt, { from: NODE, text: '!help' })
  t.match(
    await asks(s, s.mt, { from: NODE, text: '!silence fire off' }),
    [/heard again/],
    'what else was asked costs nothing'
  )
})

t.test('one thread can be silenced by its code', async (t) => {
  const s = await station(t, { config })
  const { threadId } = await s.post({ id: 'a' })
  await s.run(60)
  await asks(s, s.mt, { from: NODE, text: `!silence #${codeIn(s)} 1d` })
  t.match(s.core.reactions.silences.active(s.clock.now()), [{ threadId }])
  await s.post({ id: 'a', revision: '2', severity: 'critical' })
  await s.run(60)
  t.equal(s.deliveries().filter(({ path }) => path === 'matrix').length, 2, 'the update is silent')
})

t.test('a reply waits for its radio for five minutes, not longer', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ suspect: true })
  s.mt.receive({ text: '!help' })
  await s.run(6 * 60)
  t.match(s.deliveries(), [{ path: 'reply', state: 'expired' }])
  s.mt.setFault({ suspect: false })
  await s.run(60)
  t.same(s.onAir(), [])
})

async function longestAnswer(t: Test, network: 'mt' | 'mc'): Promise<void> {
  const s = await station(t, { config })
  const radio = network === 'mt' ? s.mt : s.mc
  for (let index = 0; index < 5; index++)
    await s.post({ id: `f${index}`, title: `Ünnötig längliche Feuermeldung ${index}`.repeat(4) })
  await s.run(120)
  const code = codeIn(s)
  for (const text of ['!alerts', `!why ${code}`, `!alerts ${'ß'.repeat(150)}`, `!ack ${code} ${'😀'.repeat(60)}`]) {
    for (const answer of await asks(s, radio, { from: network === 'mt' ? NODE : KEY, text })) {
      const bytes = Buffer.byteLength(answer.slice(answer.indexOf(' ') + 1))
      t.ok(bytes <= (network === 'mt' ? 200 : 160), `${text.slice(0, 10)}: ${bytes}`)
      t.notMatch(answer, /\ufffd/)
    }
  }
}

for (const network of ['mt', 'mc'] as const)
  t.test(`${network}: no answer is longer than a packet or cut inside a character`, (t) => longestAnswer(t, network))
