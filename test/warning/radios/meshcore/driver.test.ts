import { createHash } from 'node:crypto'
import t from 'tap'
import { mcModem } from '../../../../src/warning/radios/modem.ts'
import { mcChannelAirtimeMs, mcRepeatWaitMs } from '../../../../src/warning/radios/time-on-air.ts'
import { radioContract, settled } from '../../../contract/radio.ts'
import { inWords } from '../../../helpers/in-words.ts'
import { channelBody, repeatedPacket, secretOf } from '../../../peers/meshcore-air.ts'
import { COMMAND } from '../../../peers/meshcore-wire.ts'
import { Bench, bench } from './bench.ts'

const US = mcModem({ spreadingFactor: 7, bandwidthHz: 62_500, codingRate: 5, dutyCycle: 1 })

t.test('the MeshCore driver keeps the promises of every radio', async (t) => {
  await radioContract(t, 'MeshCore', () => {
    const made = new Bench()
    const { radio, clock, node } = made
    const close = radio.close.bind(radio)
    radio.close = async () => {
      node.powerOff()
      await close()
    }
    return {
      radio,
      clock,
      message: () => made.message('Fire North: évacuez'),
      tooLong: () => made.message(`${'x'.repeat(170)}.`),
      unknownChannel: 'south-fire',
      breakLink: () => made.breakLink(),
      mendLink: () => made.mendLink(),
      heardOnAir: () => made.heardOnAir()
    }
  })
})

t.test('the handshake reads the name, the modem and the channels, in the description everybody holds', async (t) => {
  const made = new Bench({ name: 'Gipfel ⛰' })
  const { radio } = made
  const held = radio.description
  t.match(held, { network: 'mc', nodeName: '', modem: { label: 'not read yet', dutyCycle: 0.1 } })
  await made.connected()
  t.match(held, { nodeName: 'Gipfel ⛰', modem: US })
  t.same(
    radio.channels(),
    ['Public', 'north-fire', '#alerts'].map((name) => ({ id: name, name, enabled: true }))
  )
  t.same(made.node.commands.slice(0, 4), [COMMAND.deviceQuery, COMMAND.appStart, COMMAND.getTime, COMMAND.getChannel])
  t.match(radio.details(), { firmware: 'v1.17.1', batteryMillivolts: 4012, queueLength: 0 })
  await made.close()
})

t.test('a channel text is sent when the queue is empty, heard for each repeater, or unconfirmed', async (t) => {
  const heard = await bench({ repeaters: 2 })
  const identity = { senderTimestamp: 1_800_000_000 }
  const airtime = mcChannelAirtimeMs('Ridge: Smoke North'.length, US)
  await heard.wait(10_000)
  const startedAt = heard.clock.now()
  t.same(await heard.send('Smoke North', { identity }), { kind: 'sent', at: startedAt + Math.ceil(airtime) })
  t.same(heard.node.transmitted.at(-1), { text: 'Ridge: Smoke North', slot: 3, to: null, timestamp: 1_800_000_000 })
  await heard.wait(60_000)
  t.match(heard.receipts, [
    { kind: 'heard', identity, by: 'repeater a1' },
    { kind: 'heard', identity, by: 'repeater a2' }
  ])
  t.equal(heard.receipts.length, 2)
  await heard.close()

  const alone = await bench({ repeaters: 0 })
  await alone.send('Smoke')
  const sentAt = alone.clock.now()
  const waitMs = Math.ceil(mcRepeatWaitMs(mcChannelAirtimeMs('Ridge: Smoke'.length, US)))
  await alone.wait(waitMs - 1)
  t.same(alone.receipts, [])
  await alone.wait(1)
  t.match(alone.receipts, [{ kind: 'unconfirmed', at: sentAt + waitMs }])
  await alone.close()
})

t.test(
  'a busy queue is waited for, one that never empties leaves the fate unknown, a heard repeat proves it',
  async (t) => {
    const made = await bench()
    const others = Array.from({ length: 5 }, (_, i) => made.message(`other ${i}`))
    const outcomes = await settled(made.clock, Promise.all(others.map((message) => made.radio.send(message))))
    t.same(
      outcomes.map(({ kind }) => kind),
      Array(5).fill('sent')
    )
    t.equal(made.node.transmitted.length, 5)
    await made.close()

    const stuck = await bench()
    stuck.node.fault({ kind: 'swallow' })
    t.equal((await stuck.send('lost in the radio')).kind, 'sent', 'nothing tells it from a text that left')
    await stuck.wait(60_000)
    t.same(stuck.kinds(), ['unconfirmed'], 'but nobody repeats it')
    await stuck.close()

    const slow = await bench({ airScale: 200 })
    void slow.radio.send(slow.message('first'))
    void slow.radio.send(slow.message('second'))
    t.match(inWords(await slow.send('third')), { kind: 'unknown', reason: /queue did not empty in 60 s/ })
    await slow.close()
  }
)

t.test('without statistics a text is taken to have left after three times its time-on-air and 2 s', async (t) => {
  const made = await bench({ protocol: 7 })
  await made.wait(10_000)
  const startedAt = made.clock.now()
  const outcome = await made.send('Smoke')
  t.same(outcome, { kind: 'sent', at: startedAt + Math.ceil(3 * mcChannelAirtimeMs('Ridge: Smoke'.length, US) + 2000) })
  t.equal(made.radio.details().batteryMillivolts, 4012)
  await made.close()
})

t.test('every protocol from 8 to 13 is spoken, with and without the longer texts', async (t) => {
  for (let protocol = 8; protocol <= 13; protocol++) {
    const made = await bench({ protocol, contacts: [{ name: 'bob' }] })
    t.equal((await made.send('Smoke')).kind, 'sent', `protocol ${protocol}`)
    const kind = protocol < 13 ? 'refused' : 'sent'
    t.equal((await made.send('x'.repeat(157), { to: 'bob' })).kind, kind)
    t.equal((await made.send('x'.repeat(156), { to: 'bob' })).kind, 'sent')
    t.match(await made.send('x'.repeat(161), { to: 'bob' }), { kind: 'refused', code: 'TOO_LARGE', retry: false })
    await made.close()
  }
})

t.test('pitfall 11, an empty slot is OK to the firmware: the driver refuses what it cannot find by name', async (t) => {
  const made = await bench()
  for (const channel of ['south-fire', 'North-Fire', 'north-fire ', '', 4, 0]) {
    t.match(
      await made.send('x', { channel }),
      { kind: 'refused', retry: false, code: 'NO_CHANNEL' },
      JSON.stringify(channel)
    )
  }
  made.node.setSlot(9, 'twice', secretOf('one'))
  made.node.setSlot(10, 'twice', secretOf('another'))
  t.match(await made.send('x', { channel: 'twice' }), { code: 'NO_CHANNEL' }, 'two channels of one name: not guessed')
  t.same(made.radio.channels().at(-1), { id: 'twice', name: 'twice', enabled: false })
  t.same(made.heardOnAir(), [])
  made.node.receiveText(17, 'mallory', 'for the slot without a name')
  await made.wait(1000)
  t.same(made.texts, [], 'and what comes in there is dropped')
  await made.close()
})

t.test(
  'pitfall 12, the mid-character cut: a text that does not fit behind the name is refused, never cut',
  async (t) => {
    const made = await bench()
    const room = 160 - 'Ridge: '.length
    t.equal((await made.send('x'.repeat(room))).kind, 'sent')
    for (const text of ['x'.repeat(room + 1), `${'x'.repeat(room - 1)}✅`]) {
      t.match(await made.send(text), { kind: 'refused', retry: false, code: 'TOO_LARGE' })
    }
    t.equal(made.heardOnAir().length, 1)
    await made.close()
  }
)

t.test('pitfall 13, error 2 is ambiguous: for a channel the radio has it is the full pool', async (t) => {
  const made = await bench()
  made.node.fault({ kind: 'pool-full' })
  t.match(await made.send('x'), { kind: 'refused', retry: true, code: 'POOL_FULL' })
  t.equal((await made.send('x')).kind, 'sent')
  const burst = Array.from({ length: 24 }, (_, i) => made.radio.send(made.message(`burst ${i}`)))
  const outcomes = await settled(made.clock, Promise.all(burst))
  const refused = outcomes.filter(({ kind }) => kind === 'refused')
  t.equal(refused.length, 8)
  for (const outcome of refused) t.match(outcome, { code: 'POOL_FULL', retry: true })
  await made.close()
})

t.test(
  "pitfall 14, same-second duplicate: the timestamp is the caller's, and a resend is the same packet",
  async (t) => {
    const made = await bench()
    const identity = { senderTimestamp: 1_800_000_001 }
    t.equal((await made.send('same', { identity })).kind, 'sent')
    await made.wait(30_000)
    t.equal((await made.send('same', { identity })).kind, 'sent', 'OK both times')
    await made.wait(30_000)
    const fresh = made.events.filter(({ event }) => event === 'transmitted').map((event) => event['fresh'])
    t.same(fresh, [true, false])
    t.same(made.kinds(), ['heard', 'unconfirmed'], 'a repeater repeats it once')
    for (const senderTimestamp of [0, -1, 1.5, Number.NaN, 2 ** 32]) {
      await t.rejects(made.radio.send(made.message('x', { identity: { senderTimestamp } })), TypeError)
    }
    await made.close()
  }
)

t.test('pitfall 15, pushes between command and answer, at any time, are never taken for the answer', async (t) => {
  const made = new Bench({ contacts: [{ name: 'bob' }] })
  made.node.fault({ kind: 'push', times: 1000 })
  await made.connected()
  t.equal((await made.send('Smoke')).kind, 'sent')
  t.equal((await made.send('hello', { to: 'bob' })).kind, 'sent')
  await made.wait(60_000)
  t.same(made.kinds(), ['heard', 'delivered'])
  await made.close()
})

t.test("pitfall 16, one command at a time: a late answer is never taken for the next command's", async (t) => {
  const made = await bench()
  made.node.fault({ kind: 'slow', command: COMMAND.channelText, ms: 3500 })
  const late = made.radio.send(made.message('late'))
  made.node.fault({ kind: 'refuse', command: COMMAND.channelText, code: 2 })
  const next = made.radio.send(made.message('next'))
  t.match(inWords(await settled(made.clock, late)), {
    kind: 'unknown',
    reason: /did not answer SEND_CHANNEL_TXT_MSG in 3 s/
  })
  t.match(await settled(made.clock, next), { kind: 'refused', code: 'POOL_FULL' }, 'the late OK is not its answer')
  t.equal(made.radio.health().state, 'ready')
  t.equal((await made.send('after')).kind, 'sent')

  const answers = await Promise.all([1, 2, 3].map(() => made.send('x', { channel: 'nowhere' })))
  for (const answer of answers) t.match(answer, { code: 'NO_CHANNEL' }, 'tables read side by side do not mix')
  await made.close()
})

t.test('every refusal of the firmware has an outcome of its own', async (t) => {
  const made = await bench()
  const cases: [number, string, boolean][] = [
    [1, 'UNSUPPORTED', false],
    [3, 'TABLE_FULL', true],
    [4, 'BAD_STATE', true],
    [5, 'FILE_ERROR', true],
    [6, 'ILLEGAL_ARGUMENT', false],
    [77, 'REFUSED', false]
  ]
  for (const [code, name, retry] of cases) {
    made.node.fault({ kind: 'refuse', command: COMMAND.channelText, code })
    t.match(await made.send('x'), { kind: 'refused', code: name, retry }, `error ${code}`)
  }
  t.same(made.heardOnAir(), [])
  await made.close()
})

t.test('a repeater heard twice is one that repeated it', async (t) => {
  const made = await bench({ repeaters: 0 })
  const identity = { senderTimestamp: 1_800_000_003 }
  await made.send('Smoke', { identity })
  const body = channelBody(secretOf('north-fire'), identity.senderTimestamp, Buffer.from('Ridge: Smoke'))
  for (const path of [[0xb2], [0xb2], [0xa1, 0xb2], []]) {
    made.node.pushFrame([0x88, 38, 0xba, ...repeatedPacket(body, path)])
    await made.wait(10)
  }
  await made.wait(60_000)
  t.match(made.receipts, [{ kind: 'heard', by: 'repeater b2', identity }])
  t.equal(made.receipts.length, 1)
  await made.close()
})

t.test('a flood scope is set at every connection, before anything is sent, and counted on the air', async (t) => {
  const made = new Bench({}, undefined, 'idaho')
  await made.connected()
  // The first half of SHA-256("#idaho"), as repeaters derive it from the name of the region.
  const key = createHash('sha256').update('#idaho').digest('hex').slice(0, 32)
  const scopes = (): unknown[] => made.events.filter(({ event }) => event === 'flood-scope')
  t.match(scopes(), [{ key }])
  const [scoped, advert] = ['3600', '0701'].map((start) =>
    made.written.findIndex((frame) => frame.slice(6).startsWith(start))
  )
  t.ok(scoped !== -1 && advert !== -1 && (scoped ?? 0) < (advert ?? 0), 'before the first advert')
  t.equal(made.radio.description.modem.extraBytes, 4)
  t.ok(mcChannelAirtimeMs(40, made.radio.description.modem) >= mcChannelAirtimeMs(40, US))
  made.breakLink()
  await made.clock.runTo(made.clock.now() + 10_000)
  made.mendLink()
  await made.clock.runTo(made.clock.now() + 120_000)
  t.equal(scopes().length, 2, 'a node that restarted has forgotten it')
  await made.radio.close()

  const old = new Bench({ protocol: 7 }, undefined, '#idaho')
  await old.connected()
  t.match(old.logged.join(), /too old for a flood scope/)
  t.equal(old.radio.health().state, 'ready', 'the radio works all the same')
  await old.radio.close()

  const plain = new Bench()
  await plain.connected()
  t.notOk(
    plain.written.some((frame) => frame.slice(6).startsWith('36')),
    'without a name the setting of the node holds'
  )
  await plain.radio.close()
})
