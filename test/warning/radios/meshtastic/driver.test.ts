import t from 'tap'
import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { memorySource } from '../../../../src/warning/radios/link/memory.ts'
import { MeshtasticRadio } from '../../../../src/warning/radios/meshtastic/driver.ts'
import type { RadioMessage } from '../../../../src/warning/radios/radio.ts'
import { radioContract, settled } from '../../../contract/radio.ts'
import { inWords } from '../../../helpers/in-words.ts'
import { deviceTelemetry, fromRadio, routing } from '../../../peers/meshtastic-wire.ts'
import { type Bench, bench, freshId, START, unconnected, untilReady } from './bench.ts'

const kinds = ({ receipts }: Bench): string[] => receipts.map(({ kind }) => kind)

t.test('the Meshtastic driver keeps the promises of every radio', async (t) => {
  for (const transport of ['tcp', 'serial'] as const) {
    await radioContract(t, `Meshtastic over ${transport}`, () => {
      const { radio, node, clock } = unconnected({ transport, telemetryMs: 0 })
      const close = radio.close.bind(radio)
      radio.close = async () => {
        await close()
        node.stop()
      }
      const message = (): RadioMessage => ({
        channel: 1,
        text: 'Fire North: évacuez',
        identity: { packetId: freshId() }
      })
      return {
        radio,
        clock,
        message,
        tooLong: () => ({ ...message(), text: 'x'.repeat(233) }),
        unknownChannel: 2,
        breakLink: () => {
          node.fault({ unreachable: true })
          node.drop()
        },
        mendLink: () => node.fault({ unreachable: false }),
        heardOnAir: () => node.transmitted.map(({ text }) => text)
      }
    })
  }
})

t.test('the handshake tells own node, firmware, channels and modem, and the modem gives the duty cycle', async (t) => {
  const { radio, close, log } = await bench({ region: 3, preset: 0, name: 'Ridge', others: [77, 78] })
  t.match(radio.description, {
    nodeName: 'Ridge',
    link: 'tcp',
    simulated: false,
    modem: { label: 'LongFast', spreadingFactor: 11, bandwidthHz: 250_000, codingRate: 5, dutyCycle: 0.1 }
  })
  t.same(
    radio.channels().map(({ id, name, enabled }) => [id, name, enabled]),
    [[0, 'LongFast', true], [1, 'alerts', true], ...[2, 3, 4, 5, 6, 7].map((id) => [id, '', false])]
  )
  t.match(radio.details(), { node: '!0000000b', firmware: '2.7.26.peer', region: 'EU_868', nodes: [] })
  t.notMatch(log.join('\n'), /5a5a|WlpaWl|privateKey/i, 'the private key of the handshake is in no log line')
  await close()
})

t.test('a node that answers a random nonce with its whole node list is understood too', async (t) => {
  const { radio, close } = await bench({ others: [77, 78] }, 0x1234_5678)
  t.same(
    radio.details().nodes.map(({ id }) => id),
    ['!0000004d', '!0000004e']
  )
  await close()
})

t.test('a text carries own number, hop limit, want_ack and the identity it was given', async (t) => {
  const b = await bench({ hopLimit: 5 })
  const outcome = await b.send('Red Flag Warning', { channel: 0, identity: { packetId: 0xffff_fffe } })
  t.match(outcome, { kind: 'sent', at: START + 60 })
  t.same(b.node.transmitted, [
    {
      id: 0xffff_fffe,
      from: 11,
      to: 0xffff_ffff,
      channel: 0,
      hopLimit: 5,
      wantAck: true,
      text: 'Red Flag Warning'
    }
  ])
  await b.wait(5000)
  t.match(b.receipts, [{ kind: 'heard', identity: { packetId: 0xffff_fffe } }])
  t.equal(b.receipts.length, 1)
  await b.close()
})

t.test('what the node refuses is refused, with its name and whether trying again can help', async (t) => {
  const b = await bench()
  const cases: [string, () => void, Partial<RadioMessage>, object][] = [
    ['disabled channel', () => undefined, { channel: 5 }, { code: 'NO_CHANNEL', retry: false }],
    ['no such channel', () => undefined, { channel: 9 }, { code: 'NO_CHANNEL', retry: false }],
    ['a name', () => undefined, { channel: 'alerts' }, { code: 'NO_CHANNEL', retry: false }],
    ['queue full', () => b.node.fault({ refuseResult: 32 }), {}, { code: 'QUEUE_FULL', retry: true }],
    ['no chip', () => b.node.fault({ refuseResult: 33 }), {}, { code: 'NO_INTERFACE', retry: true }],
    ['a new result', () => b.node.fault({ refuseResult: 77 }), {}, { code: 'RESULT_77', retry: true }],
    ['rate limit', () => b.node.fault({ refuseError: 38 }), {}, { code: 'RATE_LIMIT_EXCEEDED', retry: true }],
    ['keys', () => b.node.fault({ refuseError: 39 }), { to: '!0000000c' }, { code: 'PKI_SEND_FAIL_PUBLIC_KEY' }],
    ['not a node', () => undefined, { to: 'alice' }, { code: 'BAD_DESTINATION', retry: false }],
    ['duty cycle', () => b.node.fault({ dutyCycle: true }), {}, { code: 'DUTY_CYCLE_LIMIT', retry: true }]
  ]
  for (const [name, prepare, over, expected] of cases) {
    prepare()
    t.match(inWords(await b.paced('text', over)), { kind: 'refused', reason: /./, ...expected }, name)
  }
  t.same(b.node.transmitted, [])
  await b.wait(60_000)
  t.same(b.receipts, [], 'refusals are told once, as the outcome')
  t.match(b.radio.details().notices, [{ text: /send again in 59 mins/ }])
  await b.close()
})

t.test('an error the node reports after the packet left is a receipt, and a late refusal says refused', async (t) => {
  const b = await bench()
  const cases: [number, object][] = [
    [38, { kind: 'refused', retry: true, reason: /RATE_LIMIT_EXCEEDED/ }],
    [9, { kind: 'refused', retry: true, reason: /DUTY_CYCLE_LIMIT/ }],
    ...[6, 7, 32, 33, 34, 35, 36, 37, 39].map((error): [number, object] => [error, { kind: 'refused', retry: false }]),
    [5, { kind: 'unconfirmed', reason: /MAX_RETRANSMIT/ }],
    [3, { kind: 'unconfirmed', reason: /TIMEOUT/ }],
    [99, { kind: 'unconfirmed', reason: /error 99/ }]
  ]
  for (const [error, expected] of cases) {
    b.node.fault({ lateError: error })
    t.equal((await b.paced('text')).kind, 'sent')
    t.match(inWords(b.receipts.splice(0)), [expected], `error ${error}`)
  }
  for (const [error, expected] of [
    [35, { kind: 'unconfirmed', retry: false, reason: /!0000000c answered with error 35/ }],
    [8, { kind: 'unconfirmed', retry: undefined, reason: /!0000000c answered with error 8/ }]
  ] as const) {
    const identity = { packetId: freshId() }
    b.node.fault({ loseAck: 2 })
    t.equal((await b.send('to one', { to: '!0000000c', identity })).kind, 'sent')
    b.node.packet(12, 5, routing(error), identity.packetId)
    await b.wait(3000)
    t.match(inWords(b.receipts.splice(0)), [expected], 'what the addressee itself says')
  }
  b.node.fault({ refuseError: 99 })
  t.match(
    inWords(await b.paced('text')),
    { kind: 'unknown', reason: /error 99/ },
    'an error nobody knows proves no refusal'
  )
  await b.close()
})

t.test('a direct text is heard, then delivered by its addressee; without its answer it is unconfirmed', async (t) => {
  const cases: [string, object, string[]][] = [
    ['!0000000c', {}, ['heard', 'delivered']],
    ['12', {}, ['heard', 'delivered']],
    ['!00000009', {}, ['heard', 'unconfirmed']],
    ['!0000000c', { neighbours: 0 }, ['unconfirmed']]
  ]
  for (const [to, options, expected] of cases) {
    const b = await bench(options)
    t.equal((await b.send('Direct', { to })).kind, 'sent')
    await b.wait(60_000)
    t.same(kinds(b), expected, `${to} ${JSON.stringify(options)}`)
    if (expected.includes('delivered')) t.equal(b.receipts.at(-1)?.by, to)
    t.equal(b.node.transmitted[0]?.to, to === '12' ? 12 : Number.parseInt(to.slice(1), 16))
    await b.close()
  }
})

t.test(
  'nobody in reach: error 5 makes a channel text unconfirmed, and so does an acknowledgement that is lost',
  async (t) => {
    const alone = await bench({ neighbours: 0 })
    t.equal((await alone.send('Alert')).kind, 'sent')
    await alone.wait(60_000)
    t.match(inWords(alone.receipts), [{ kind: 'unconfirmed', reason: /MAX_RETRANSMIT/ }])
    await alone.close()
    const lossy = await bench()
    lossy.node.fault({ loseAck: 1 })
    await lossy.send('Alert')
    await lossy.wait(120_000)
    t.match(inWords(lossy.receipts), [{ kind: 'unconfirmed', reason: /no acknowledgement reached us/ }])
    lossy.receipts.splice(0)
    lossy.node.fault({ loseAck: 1 })
    await lossy.send('Alert')
    lossy.node.drop()
    await lossy.wait(120_000)
    t.match(lossy.receipts, [{ kind: 'unconfirmed' }], 'also when the link was lost after it had left')
    await lossy.close()
  }
)

t.test('pitfall 23, a receipt counts only from a node that could have given it', async (t) => {
  const OWN = 11
  const strangers = 0x6666_6666
  const b = await bench({ neighbours: 0, giveUpMs: 20_000 })
  for (const [from, what] of [
    [strangers, 'a node that the text was not meant for'],
    [OWN, 'somebody who writes our own number']
  ] as const) {
    for (const error of [0, 35]) {
      const identity = { packetId: freshId() }
      t.equal((await b.paced('Alert', { identity })).kind, 'sent')
      b.node.packet(from, 5, routing(error), identity.packetId)
      await b.wait(60_000)
      t.match(
        inWords(b.receipts.splice(0)),
        [{ kind: 'unconfirmed', reason: /MAX_RETRANSMIT/ }],
        `${what}, error ${error}`
      )
      const direct = { packetId: freshId() }
      t.equal((await b.paced('To one', { to: '!0000000c', identity: direct })).kind, 'sent')
      b.node.packet(from, 5, routing(error), direct.packetId)
      await b.wait(60_000)
      t.match(
        inWords(b.receipts.splice(0)),
        [{ kind: 'unconfirmed', reason: /MAX_RETRANSMIT/ }],
        `${what}, a direct text`
      )
    }
  }
  b.node.packet(OWN, 67, deviceTelemetry({ airUtilTx: 99, channelUtilization: 99 }))
  await b.wait(1000)
  t.notSame(b.radio.details().airUtilization, 0.99, 'nor does its telemetry hold our texts back')
  b.node.fault({ swallow: 1 })
  const identity = { packetId: freshId() }
  const swallowed = b.send('Discarded', { identity })
  b.node.packet(strangers, 5, routing(0), identity.packetId)
  t.equal((await swallowed).kind, 'unknown', 'nor does it prove that a text has left')
  await b.close()
})

t.test('acknowledgements that come twice, and reports about packets that are not ours, tell nothing new', async (t) => {
  const b = await bench()
  b.node.fault({ duplicate: true })
  await b.send('once')
  b.node.queueStatus(0xdead_beef)
  b.node.queueStatus(0xdead_beef, 32)
  b.node.packet(99, 5, routing(0), 0xdead_beef)
  b.node.packet(11, 5, routing(38), 0xdead_beef)
  b.node.packet(99, 5, Buffer.from('ffff', 'hex'), 0x1)
  await b.wait(60_000)
  t.same(kinds(b), ['heard'])
  await b.send('direct, once', { to: '!0000000c' })
  await b.wait(60_000)
  t.same(kinds(b), ['heard', 'heard', 'delivered'])
  t.equal(b.radio.health().state, 'ready')
  await b.close()
})

t.test(
  'texts from the mesh are told once, none of our own, and reactions and texts to others are left out',
  async (t) => {
    const b = await bench()
    const KEY = '0a'.repeat(32)
    await b.wait(5000)
    b.node.fault({ duplicate: true })
    b.node.incoming({ from: 0xa1b2_c3d4, text: 'Wie geht’s? 🌲', channel: 1, id: 7 })
    b.node.incoming({ from: 0xa1b2_c3d4, text: '', port: 4, payload: Buffer.from([0x12, 3, 0x42, 0x6f, 0x62]), id: 8 })
    b.node.incoming({ from: 0xa1b2_c3d4, text: 'status', to: 11, id: 9 })
    b.node.incoming({ from: 0xa1b2_c3d4, text: 'sealed', to: 11, id: 12, pki: true, publicKey: KEY })
    b.node.incoming({ from: 0xa1b2_c3d4, text: 'open', channel: 1, id: 13, pki: true })
    b.node.incoming({ from: 11, text: 'our own, come back', id: 10 })
    b.node.incoming({ from: 99, text: '👍', emoji: 1 })
    b.node.incoming({ from: 99, text: 'to somebody else', to: 98 })
    await b.wait(100)
    t.match(b.texts, [
      {
        from: '!a1b2c3d4',
        fromName: '',
        channel: 1,
        direct: false,
        text: 'Wie geht’s? 🌲',
        key: 'mt|!a1b2c3d4|7',
        late: false
      },
      { from: '!a1b2c3d4', fromName: 'Bob', channel: null, direct: true, proven: false, text: 'status', late: false },
      { from: '!a1b2c3d4', direct: true, proven: true, publicKey: KEY, text: 'sealed' },
      { from: '!a1b2c3d4', direct: false, proven: false, text: 'open' }
    ])
    t.equal(b.texts.length, 4)
    t.match(b.radio.details().nodes, [{ id: '!a1b2c3d4', name: 'Bob' }, { id: '!00000063' }])
    await b.close()
  }
)

t.test('the list of nodes keeps the 250 heard last', async (t) => {
  const b = await bench()
  for (let from = 1000; from < 1400; from++) b.node.incoming({ from, text: 'hi' })
  b.node.incoming({ from: 1200, text: 'hi again' })
  const { nodes } = b.radio.details()
  t.equal(nodes.length, 250)
  t.equal(nodes.at(-1)?.id, '!000004b0')
  t.notOk(nodes.some(({ id }) => id === '!000003e8'))
  await b.close()
})

t.test('how well a node is heard is that of its last packet by radio', async (t) => {
  const b = await bench()
  b.node.incoming({ from: 77, text: 'hello' })
  t.match(b.radio.details().nodes.at(-1), { id: '!0000004d', snr: 6.25 })
  await b.close()
})

t.test('the node’s own readings are kept, in the units of the port; those of other nodes are not ours', async (t) => {
  const b = await bench()
  await b.wait(61_000)
  t.match(b.radio.details(), {
    batteryPercent: 87,
    batteryMillivolts: 4050,
    externalPower: false,
    airUtilization: 0.0075,
    queueLength: 0
  })
  t.ok(Math.abs((b.radio.details().channelUtilization ?? 0) - 0.035) < 1e-6)
  b.node.telemetry({ batteryLevel: 101 })
  t.match(b.radio.details(), { batteryPercent: null, externalPower: true, batteryMillivolts: 4050 })
  await b.close()
})

t.test(
  'a heartbeat goes out at least once a minute and never carries the nonce that broadcasts node info',
  async (t) => {
    const b = await bench()
    await b.wait(15 * 60_000)
    const beats = b.node.received.flatMap(({ payloadVariant }) =>
      payloadVariant.case === 'heartbeat' ? [payloadVariant.value] : []
    )
    t.ok(beats.length >= 15, `${beats.length} heartbeats in 15 minutes`)
    for (const { nonce } of beats) t.equal(nonce, 0)
    await b.close()
    t.match(b.node.received.at(-1), { payloadVariant: { case: 'disconnect', value: true } }, 'and we say good-bye')
    const asked = b.node.received.filter(({ payloadVariant }) => payloadVariant.case === 'wantConfigId')
    t.same(
      asked.map(({ payloadVariant }) => payloadVariant.value),
      [69_420, 69_421],
      'a handshake that is done is not asked again, and whom the node knows is asked once'
    )
  }
)

t.test(
  'a node that falls silent behind an open link is found within 60 s, suspected first, and comes back',
  async (t) => {
    const b = await bench()
    await b.wait(1000)
    b.node.fault({ silent: true })
    const from = b.clock.now()
    while (b.radio.health().state !== 'down') await b.clock.runTo(b.clock.nextAt ?? 0)
    t.ok(b.clock.now() - from <= 60_000, `${b.clock.now() - from} ms`)
    t.same(b.states.slice(-2), ['suspect', 'down'])
    t.match(inWords(b.radio.health().reason), /stopped answering/)
    b.node.fault({ silent: false })
    t.ok((await untilReady(b, 60_000)) < 60_000)
    t.match(b.log.join('\n'), /radio suspect.*radio down.*radio connecting.*radio ready/s, 'each step is logged')
    await b.close()
  }
)

t.test(
  'no answer to a text: a radio that answers the heartbeat makes it unknown, one that does not is given up',
  async (t) => {
    const b = await bench()
    b.node.fault({ swallow: 1 })
    t.match(inWords(await b.send('lost')), { kind: 'unknown', reason: /no answer to the text in 3 s.*discarded/ })
    t.equal(b.radio.health().state, 'ready')
    b.node.fault({ silent: true })
    const from = b.clock.now()
    t.match(inWords(await b.send('lost too')), { kind: 'unknown', reason: /stopped answering/ })
    t.equal(b.clock.now() - from, 13_000)
    t.equal(b.radio.health().state, 'down')
    await b.close()
  }
)

t.test('a serial radio that swallows a resend had it already; over TCP a new connection takes it again', async (t) => {
  for (const [transport, expected] of [
    ['serial', { kind: 'unknown', reason: /had this packet already/ }],
    ['tcp', { kind: 'sent' }]
  ] as const) {
    const b = await bench({ transport })
    const identity = { packetId: 4711 }
    t.equal((await b.paced('once', { identity })).kind, 'sent')
    b.node.drop()
    await untilReady(b, 60_000)
    t.match(inWords(await b.paced('once', { identity })), expected, transport)
    if (transport === 'tcp') {
      b.node.drop()
      await untilReady(b, 60_000)
      b.node.fault({ swallow: 1 })
      t.match(
        inWords(await b.paced('once', { identity })),
        { kind: 'unknown', reason: /discarded/ },
        'here nothing was known'
      )
    }
    await b.close()
  }
})

t.test(
  'frames cut, glued, slowed, half written or with noise between them lose at most the one they hit',
  async (t) => {
    const slow = await bench({ airtimeMs: 60 })
    slow.node.fault({ slowMs: 0 })
    t.equal((await slow.paced('byte by byte')).kind, 'sent')
    slow.node.fault({ slowMs: 20 })
    t.equal((await slow.paced('byte by byte, slowly')).kind, 'sent')
    slow.node.fault({ slowMs: null, garbage: '94c301ff00112233' })
    t.equal((await slow.paced('noise that looks like a header of 511 bytes')).kind, 'sent')
    slow.node.fault({ halfFrame: true })
    t.equal((await slow.paced('first answer cut in half')).kind, 'sent')
    await slow.wait(60_000)
    t.same(kinds(slow), ['heard', 'heard', 'heard', 'heard'])
    await slow.close()
  }
)

t.test('a header in the noise does not hold back what follows it on a quiet link', async (t) => {
  const b = await bench({ telemetryMs: 0 })
  await b.wait(5000)
  b.node.fault({ garbage: '94c301ff0011' })
  b.node.incoming({ from: 99, text: 'behind the noise' })
  await b.wait(1200)
  t.match(b.texts, [{ text: 'behind the noise' }])
  await b.close()
})

t.test('the end of somebody else’s configuration is not the end of ours', async (t) => {
  const b = unconnected()
  b.node.fault({ silent: true })
  const connecting = b.radio.connect()
  await b.wait(100)
  b.node.raw(fromRadio({ case: 'myInfo', value: { myNodeNum: 11 } }))
  b.node.raw(fromRadio({ case: 'configCompleteId', value: 4711 }))
  await b.wait(2000)
  t.equal(b.radio.health().state, 'connecting')
  b.node.fault({ silent: false })
  await settled(b.clock, connecting)
  t.same([b.radio.health().state, b.states], ['ready', ['connecting', 'ready']], 'asked again on the same link')
  await b.close()
})

t.test('a handshake that loses frames is asked again until it is whole', async (t) => {
  const b = unconnected()
  b.node.fault({ lossyHandshake: true })
  await settled(b.clock, b.radio.connect())
  t.equal(b.radio.health().state, 'ready')
  t.equal(b.radio.channels().length, 8)
  await b.close()
})

t.test('a configuration that never comes to its end is given up, and the link tried anew', async (t) => {
  const clock = new VirtualClock(START)
  let connections = 0
  const source = memorySource((end) => {
    connections++
    // my_info, and nothing after it, however often it is asked.
    end.onData(() => end.write(Buffer.from('94c300041a020805', 'hex')))
  })
  const radio = new MeshtasticRadio({ id: 'm', source, clock, random: () => 0.5 })
  const refused = t.rejects(radio.connect(), { code: 'unavailable' })
  await clock.runTo(START + 61_000)
  t.match(inWords(radio.health()), { state: 'down', reason: /did not come to its end in 6\d s/ })
  await clock.runTo(START + 70_000)
  t.equal(connections, 2)
  await radio.close()
  await refused
})

t.test(
  'the link is lost while a text is in flight: unknown, and the next one goes out after the reconnect',
  async (t) => {
    const b = await bench({ airtimeMs: 5000 })
    const pending = b.radio.send({ channel: 1, text: 'in flight', identity: { packetId: 1 } })
    await b.wait(1000)
    b.node.drop('the cable was pulled')
    t.match(inWords(await pending), { kind: 'unknown', reason: /cable was pulled/ })
    t.match(await b.radio.send({ channel: 1, text: 'x', identity: { packetId: 2 } }), { code: 'NOT_CONNECTED' })
    t.ok((await untilReady(b, 10_000)) >= 2000, 'not at once')
    t.equal((await b.send('after')).kind, 'sent')
    await b.close()
  }
)

t.test('waiting times grow from 2 s to 60 s while the radio is away', async (t) => {
  const b = await bench()
  await b.wait(31_000)
  b.node.fault({ unreachable: true })
  b.node.drop()
  const tries: number[] = []
  let before = b.clock.now()
  b.radio.onChange(() => {
    if (b.radio.health().state !== 'connecting') return
    tries.push(b.clock.now() - before)
    before = b.clock.now()
  })
  await b.wait(10 * 60_000)
  t.same(tries.slice(0, 6), [3000, 6000, 12_000, 24_000, 45_000, 45_000])
  t.ok(tries.every((ms) => ms >= 2000 && ms <= 60_000))
  t.match(inWords(b.radio.health().reason), /not reachable/)
  b.node.fault({ unreachable: false })
  t.ok((await untilReady(b, 61_000)) <= 60_000)
  await b.wait(31_000)
  b.node.drop()
  t.equal(await untilReady(b, 61_000), 3000, 'after a good link they start anew')
  await b.close()
})

t.test(
  'an alert leaves on port 11 with the same proof as a text; a second one within 10 s is dropped without a word',
  async (t) => {
    const made = await bench()
    const { node, close, send, wait } = made
    t.match(await send('EVACUATE\u0007', { alert: true }), { kind: 'sent' })
    await wait(4000)
    t.match(node.transmitted, [{ port: 11, text: 'EVACUATE\u0007', channel: 1, wantAck: true }])
    t.same(kinds(made), ['heard'])
    t.match(await send('AGAIN', { alert: true }), { kind: 'unknown' }, 'no refusal: nobody knows')
    t.equal(node.transmitted.length, 1)
    await wait(4000)
    t.match(await send('plain'), { kind: 'sent' })
    await wait(4000)
    t.match(await send('LATER', { alert: true }), { kind: 'sent' })
    t.same(
      node.transmitted.map(({ text, port = 1 }) => `${port} ${text}`),
      ['11 EVACUATE\u0007', '1 plain', '11 LATER']
    )
    await close()
  }
)
