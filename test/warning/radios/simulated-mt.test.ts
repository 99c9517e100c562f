import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { mtModem } from '../../../src/warning/radios/modem.ts'
import { parseNodeId } from '../../../src/warning/radios/node-id.ts'
import type { RadioMessage, Receipt, SendOutcome } from '../../../src/warning/radios/radio.ts'
import { SimulatedMt, type SimulatedMtOptions } from '../../../src/warning/radios/simulated-mt.ts'
import { mtGiveUpMs, mtTextAirtimeMs } from '../../../src/warning/radios/time-on-air.ts'
import { radioContract, settled } from '../../contract/radio.ts'
import { inWords } from '../../helpers/in-words.ts'

const START = Date.UTC(2026, 0, 1)
const SHORT_FAST = mtModem('ShortFast', 'US')

interface Bench {
  radio: SimulatedMt
  clock: VirtualClock
  receipts: Receipt[]
  send: (text: string, over?: Partial<RadioMessage>) => Promise<SendOutcome>
  /** Sends and leaves the next text its 3 s. */
  paced: (text: string, over?: Partial<RadioMessage>) => Promise<SendOutcome>
  wait: (ms: number) => Promise<void>
}

let ids = 0

async function bench(options: Partial<SimulatedMtOptions> = {}): Promise<Bench> {
  const clock = new VirtualClock(START)
  const radio = new SimulatedMt({ id: 'sim-mt', clock, modem: SHORT_FAST, ...options })
  const receipts: Receipt[] = []
  radio.onReceipt((receipt) => receipts.push(receipt))
  await radio.connect()
  const send: Bench['send'] = (text, over = {}) =>
    settled(clock, radio.send({ channel: 0, text, identity: { packetId: ++ids }, ...over }))
  const wait: Bench['wait'] = (ms) => clock.runTo(clock.now() + ms)
  const paced: Bench['paced'] = async (text, over) => {
    const outcome = await send(text, over)
    await wait(3000)
    return outcome
  }
  return { radio, clock, receipts, send, paced, wait }
}

const kinds = (receipts: Receipt[]): string[] => receipts.map(({ kind }) => kind)

t.test('the simulated MT radio keeps the promises of every radio', async (t) => {
  await radioContract(t, 'simulated MT', () => {
    const clock = new VirtualClock(START)
    const radio = new SimulatedMt({ id: 'sim-mt', clock, modem: SHORT_FAST, channels: [0, 1] })
    const message = (): RadioMessage => ({ channel: 1, text: 'Fire North: évacuez', identity: { packetId: ++ids } })
    return {
      radio,
      clock,
      message,
      tooLong: () => ({ ...message(), text: 'x'.repeat(233) }),
      unknownChannel: 2,
      breakLink: () => radio.setFault({ down: true }),
      mendLink: () => radio.setFault({ down: false }),
      heardOnAir: () => radio.airLog.map(({ text }) => text)
    }
  })
})

t.test('a text leaves after its time-on-air, whole, and a neighbour is heard repeating it', async (t) => {
  const { radio, clock, send, receipts, wait } = await bench({ random: () => 0 })
  const text = 'Red Flag Warning North until 9 PM'
  const outcome = await send(text, { channel: 3, identity: { packetId: 77 } })
  const airtime = Math.ceil(mtTextAirtimeMs(text.length, SHORT_FAST))
  t.same(outcome, { kind: 'sent', at: START + airtime })
  const entry = {
    at: START + airtime,
    channel: 3,
    text,
    bytes: text.length,
    identity: { packetId: 77 },
    receivedTimes: 1
  }
  t.same(radio.airLog, [entry])
  t.equal(radio.sentCount, 1)
  t.equal(radio.airtimeUsedMs(), airtime)
  t.same(receipts, [])
  await wait(10_000)
  t.match(receipts, [{ identity: { packetId: 77 }, kind: 'heard' }])
  t.equal(receipts.length, 1, 'once')
  t.equal(clock.waiting, 0)
})

t.test('with nobody in reach it transmits three times, then the text is unconfirmed, not failed', async (t) => {
  const { radio, clock, send, receipts, wait } = await bench({ neighbours: 0 })
  await send('Alert')
  const sentAt = clock.now()
  const airtime = mtTextAirtimeMs(5, SHORT_FAST)
  const giveUp = Math.ceil(mtGiveUpMs(airtime, SHORT_FAST))
  await wait(giveUp - 1)
  t.same(receipts, [])
  await wait(1)
  t.match(receipts, [{ kind: 'unconfirmed', at: sentAt + giveUp }])
  t.equal(radio.airtimeUsedMs(), 3 * Math.ceil(airtime))
  t.equal(radio.airLog[0]?.receivedTimes, 0)
})

t.test(
  'pitfall 1, rate limit: a second text within 2 s is refused, and refusals do not extend the window',
  async (t) => {
    const { radio, clock, send, wait } = await bench()
    await send('one')
    await wait(1000)
    t.match(await send('two'), { kind: 'refused', retry: true, code: 'RATE_LIMIT_EXCEEDED' })
    await wait(START + 1999 - clock.now())
    t.match(await send('again'), { code: 'RATE_LIMIT_EXCEEDED' })
    await wait(1)
    t.equal((await send('three')).kind, 'sent', 'counted from the first, which was taken')
    t.equal(radio.sentCount, 2)

    const after = await bench()
    t.match(await after.send('x'.repeat(233)), { code: 'TOO_LARGE' })
    t.match(
      await after.send('short'),
      { code: 'RATE_LIMIT_EXCEEDED' },
      'a text refused for another reason does open a window'
    )
  }
)

t.test('pitfall 1, rate limit: the node may read late, so a gap of just over 2 s can be refused', async (t) => {
  const draws = [0.99, 0, 0]
  const { send, wait, clock } = await bench({ random: () => draws.shift() ?? 0 })
  await send('one')
  await wait(START + 2100 - clock.now())
  t.match(await send('two'), { code: 'RATE_LIMIT_EXCEEDED' })
  await wait(START + 3000 - clock.now())
  t.equal((await send('three')).kind, 'sent', '3 s are always enough')
})

t.test('pitfall 2, text size: 232 bytes are sent, 233 and 234 refused, more is discarded without a word', async (t) => {
  const { radio, clock, send, paced } = await bench()
  const cases: [string, string, object][] = [
    ['232 ASCII', 'x'.repeat(232), { kind: 'sent' }],
    ['232 in CJK', `${'火'.repeat(77)}x`, { kind: 'sent' }],
    ['233 ASCII', 'x'.repeat(233), { kind: 'refused', retry: false, code: 'TOO_LARGE' }],
    ['234 in CJK', '火'.repeat(78), { kind: 'refused', retry: false, code: 'TOO_LARGE' }],
    ['235 ASCII', 'x'.repeat(235), { kind: 'unknown' }],
    ['1000 ASCII', 'x'.repeat(1000), { kind: 'unknown' }]
  ]
  for (const [name, text, expected] of cases) t.match(await paced(text), expected, name)
  t.same(
    radio.airLog.map(({ bytes }) => bytes),
    [232, 232]
  )
  const before = clock.now()
  await send('x'.repeat(235))
  t.equal(clock.now() - before, 3000, 'the driver waits 3 s for an answer')
})

t.test('an index that is disabled or does not exist is refused, and 0 is a channel', async (t) => {
  const { radio, paced } = await bench({ channels: [0, 5] })
  t.equal((await paced('a', { channel: 0 })).kind, 'sent')
  t.equal((await paced('b', { channel: 5 })).kind, 'sent')
  for (const channel of [1, 7, 8, 9, -1, 'fire', '0']) {
    t.match(await paced('c', { channel }), { kind: 'refused', retry: false, code: 'NO_CHANNEL' }, String(channel))
  }
  t.same(
    radio
      .channels()
      .filter(({ enabled }) => enabled)
      .map(({ id }) => id),
    [0, 5]
  )
  t.same(
    (await bench()).radio.channels().map(({ id, enabled }) => [id, enabled]),
    [0, 1, 2, 3, 4, 5, 6, 7].map((id) => [id, true])
  )
})

t.test('pitfall 5, a lost queue status: the outcome is unknown although the text went out and is heard', async (t) => {
  const { radio, send, receipts, wait } = await bench()
  radio.setFault({ silentNext: 'on-air' })
  t.match(await send('lost answer', { identity: { packetId: 9 } }), { kind: 'unknown' })
  t.equal(radio.sentCount, 1)
  await wait(5000)
  t.match(receipts, [{ kind: 'heard', identity: { packetId: 9 } }])
  radio.setFault({ silentNext: 'discarded' })
  t.match(await send('lost text'), { kind: 'unknown' })
  t.equal(radio.sentCount, 1, 'here the text itself was lost')
})

t.test('pitfall 6, an implicit ack is no delivery: only the addressee delivers', async (t) => {
  const cases: [string, Partial<SimulatedMtOptions>, string[]][] = [
    ['!a1b2c3d4', {}, ['heard', 'delivered']],
    ['!A1B2C3D4', { contacts: ['2712847316'] }, ['heard', 'delivered']],
    ['2712847316', { contacts: ['!a1b2c3d4'] }, ['heard', 'delivered']],
    ['!00000009', { contacts: ['!a1b2c3d4'] }, ['heard', 'unconfirmed']],
    ['!a1b2c3d4', { neighbours: 0 }, ['unconfirmed']]
  ]
  for (const [to, options, expected] of cases) {
    const { radio, send, receipts, wait } = await bench(options)
    t.equal((await send('Direct', { to })).kind, 'sent')
    await wait(60_000)
    t.same(kinds(receipts), expected, `${to} ${JSON.stringify(options)}`)
    t.equal(radio.airLog[0]?.to, to)
    if (expected.includes('delivered')) t.equal(receipts.at(-1)?.by, to)
  }
  const { send, wait } = await bench()
  for (const to of ['', 'alice', '!123', '!ffffffff', '4294967295', '0']) {
    t.match(await send('Direct', { to }), { kind: 'refused', retry: false, code: 'BAD_DESTINATION' }, `to "${to}"`)
    await wait(3000)
  }
  t.equal(parseNodeId('!0000000b'), 11)
})

t.test('a packet id among the last 20 of the session is swallowed, also after a refusal', async (t) => {
  const { radio, paced, send } = await bench()
  const identity = { packetId: 4711 }
  t.equal((await paced('first', { identity })).kind, 'sent')
  t.match(await paced('first', { identity }), { kind: 'unknown' })
  t.equal(radio.sentCount, 1)

  const refusedIdentity = { packetId: 4712 }
  await send('opens the window')
  t.match(await paced('too soon', { identity: refusedIdentity }), { code: 'RATE_LIMIT_EXCEEDED' })
  t.match(await paced('again', { identity: refusedIdentity }), { kind: 'unknown' }, 'so a refusal takes a new identity')
  t.match(await paced('x'.repeat(235), { identity: { packetId: 4713 } }), { kind: 'unknown' })
  t.equal((await paced('short', { identity: { packetId: 4713 } })).kind, 'sent', 'a discarded frame was never read')
})

t.test('receivers show a packet id once, while the node repeats it for the 21st and for a new session', async (t) => {
  const { radio, paced, receipts } = await bench()
  const identity = { packetId: 815 }
  await paced('once', { identity })
  for (let i = 0; i < 20; i++) await paced(`other ${i}`)
  t.equal((await paced('once', { identity })).kind, 'sent', 'the node has forgotten it')
  radio.setFault({ down: true })
  radio.setFault({ down: false })
  t.equal((await paced('once', { identity })).kind, 'sent', 'a new session knows no ids')
  const mine = radio.airLog.filter((entry) => entry.identity.packetId === 815)
  t.same(
    mine.map(({ receivedTimes }) => receivedTimes),
    [1, 0, 0]
  )
  t.equal(receipts.filter((receipt) => receipt.identity.packetId === 815).length, 3, 'acknowledged each time')
})

t.test('a new session begins before the radio says ready: a resend from that listener is not swallowed', async (t) => {
  const { radio, clock, wait } = await bench()
  const message: RadioMessage = { channel: 0, text: 'resend', identity: { packetId: 5 } }
  const first = radio.send(message)
  radio.setFault({ down: true })
  t.equal((await first).kind, 'unknown')
  await wait(5000)
  const again: Promise<SendOutcome>[] = []
  radio.onChange(() => {
    if (radio.health().state === 'ready') again.push(radio.send(message))
  })
  radio.setFault({ down: false })
  t.equal(again.length, 1)
  t.equal((await settled(clock, again[0]!)).kind, 'sent')
  t.same(
    radio.airLog.map(({ receivedTimes }) => receivedTimes),
    [1, 0],
    'the node had sent it, receivers show it once'
  )
})

t.test('the queue holds 16 packets', async (t) => {
  const { radio, clock, wait } = await bench({ modem: mtModem('LongSlow', 'US') })
  const outcomes: Promise<SendOutcome>[] = []
  for (let i = 0; i < 30; i++) {
    outcomes.push(radio.send({ channel: 0, text: 'x'.repeat(200), identity: { packetId: ++ids } }))
    await wait(2000)
  }
  const all = await settled(clock, Promise.all(outcomes))
  const codes = all.map((outcome) => (outcome.kind === 'refused' ? outcome.code : outcome.kind))
  t.equal(codes.indexOf('QUEUE_FULL'), 18, 'two have left in 36 s, 16 wait')
  t.match(all[18], { kind: 'refused', retry: true })
  t.same(new Set(codes), new Set(['sent', 'QUEUE_FULL']))
  t.equal(radio.sentCount, codes.filter((code) => code === 'sent').length)
})

t.test('the legal limit of the region refuses every text until the hour has room again', async (t) => {
  const { radio, paced, wait } = await bench({ modem: mtModem('LongSlow', 'UA_868') })
  const text = 'x'.repeat(200)
  t.equal((await paced(text)).kind, 'sent')
  await wait(60_000)
  t.equal((await paced(text)).kind, 'sent')
  const refusal = await paced(text)
  t.match(inWords(refusal), { kind: 'refused', retry: true, code: 'DUTY_CYCLE_LIMIT', reason: /in 60 minutes/ })
  await wait(58 * 60_000)
  t.match(await paced(text), { code: 'DUTY_CYCLE_LIMIT' })
  await wait(2 * 60_000)
  t.equal((await paced(text)).kind, 'sent')
  t.ok(radio.airtimeUsedMs() <= 36_000)
})

t.test('faults: the next text is refused, the radio stops answering, and both pass', async (t) => {
  const { radio, paced, receipts, wait } = await bench()
  radio.setFault({ refuseNext: { code: 'NO_INTERFACE', retry: true } })
  t.match(await paced('a'), { kind: 'refused', retry: true, code: 'NO_INTERFACE' })
  t.equal((await paced('b')).kind, 'sent', 'only the next')
  radio.setFault({ suspect: 'no answer to the heartbeat' })
  t.match(inWords(radio.health()), { state: 'suspect', reason: 'no answer to the heartbeat' })
  t.match(await paced('c'), { kind: 'unknown' })
  radio.setFault({ down: 'unplugged' })
  t.match(inWords(radio.health()), { state: 'down', reason: 'unplugged' })
  radio.setFault({ down: false })
  t.equal(radio.health().state, 'suspect', 'still not answering')
  radio.setFault({ suspect: false })
  t.equal((await paced('d')).kind, 'sent')
  await wait(60_000)
  t.same(kinds(receipts), ['heard', 'heard'])
})

t.test('an acknowledgement that comes while the link is down is lost: the text ends unconfirmed', async (t) => {
  for (const to of [undefined, '!a1b2c3d4']) {
    const { radio, send, receipts, wait } = await bench()
    await send('Alert', to === undefined ? {} : { to })
    radio.setFault({ down: true })
    await wait(10_000)
    t.same(receipts, [])
    radio.setFault({ down: false })
    await wait(60_000)
    t.same(kinds(receipts), ['unconfirmed'], to ?? 'channel')
  }
})

t.test('the air log keeps the newest 1000 texts and counts them all', async (t) => {
  const { radio, paced } = await bench()
  for (let i = 0; i < 1005; i++) await paced(`text ${i}`)
  t.equal(radio.airLog.length, 1000)
  t.equal(radio.airLog[0]?.text, 'text 5')
  t.equal(radio.sentCount, 1005)
})

t.test('the same seed gives the same times', async (t) => {
  const run = async (): Promise<unknown> => {
    let seed = 7
    const random = (): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed / 2 ** 31
    }
    const { radio, receipts, paced } = await bench({ random })
    ids = 100
    for (let i = 0; i < 20; i++) await paced(`text ${i}`)
    return [radio.airLog, receipts]
  }
  t.same(await run(), await run())
})
