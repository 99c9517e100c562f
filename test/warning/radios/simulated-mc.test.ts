import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { MC_PRESETS, mcModem } from '../../../src/warning/radios/modem.ts'
import type { RadioMessage, Receipt, SendOutcome } from '../../../src/warning/radios/radio.ts'
import { SimulatedMc, type SimulatedMcOptions } from '../../../src/warning/radios/simulated-mc.ts'
import {
  mcChannelAirtimeMs,
  mcDirectAirtimeMs,
  mcDirectTimeoutMs,
  mcRepeatWaitMs
} from '../../../src/warning/radios/time-on-air.ts'
import { radioContract, settled } from '../../contract/radio.ts'

const START = Date.UTC(2026, 0, 1)
const MODEM = mcModem(MC_PRESETS['US/Canada'])

let timestamps = Math.floor(START / 1000)

interface Bench {
  radio: SimulatedMc
  clock: VirtualClock
  receipts: Receipt[]
  names: string[]
  send: (text: string, over?: Partial<RadioMessage>) => Promise<SendOutcome>
  wait: (ms: number) => Promise<void>
}

async function bench(options: Partial<SimulatedMcOptions> = {}): Promise<Bench> {
  const clock = new VirtualClock(START)
  const names = ['north-fire', '#alerts']
  const radio = new SimulatedMc({
    id: 'sim-mc',
    clock,
    modem: MODEM,
    nodeName: 'Ridge',
    channels: () => names,
    ...options
  })
  const receipts: Receipt[] = []
  radio.onReceipt((receipt) => receipts.push(receipt))
  await radio.connect()
  const send: Bench['send'] = (text, over = {}) =>
    settled(clock, radio.send({ channel: 'north-fire', text, identity: { senderTimestamp: ++timestamps }, ...over }))
  return { radio, clock, receipts, names, send, wait: (ms) => clock.runTo(clock.now() + ms) }
}

const kinds = (receipts: Receipt[]): string[] => receipts.map(({ kind }) => kind)

t.test('the simulated MC radio keeps the promises of every radio', async (t) => {
  await radioContract(t, 'simulated MC', () => {
    const clock = new VirtualClock(START)
    const radio = new SimulatedMc({ id: 'sim-mc', clock, modem: MODEM, channels: () => ['north-fire'] })
    const message = (): RadioMessage => ({
      channel: 'north-fire',
      text: 'Fire North: évacuez',
      identity: { senderTimestamp: ++timestamps }
    })
    return {
      radio,
      clock,
      message,
      tooLong: () => ({ ...message(), text: `${'x'.repeat(170)}.` }),
      unknownChannel: 'south-fire',
      breakLink: () => radio.setFault({ down: true }),
      mendLink: () => radio.setFault({ down: false }),
      heardOnAir: () => radio.airLog.map(({ text }) => text)
    }
  })
})

t.test(
  'a channel text goes out behind the node name, after its time-on-air, and a repeat of it is heard',
  async (t) => {
    const { radio, clock, send, receipts, wait } = await bench()
    const identity = { senderTimestamp: 1_800_000_000 }
    const outcome = await send('Smoke North', { identity })
    const at = START + Math.ceil(mcChannelAirtimeMs(18, MODEM))
    t.same(outcome, { kind: 'sent', at })
    t.same(radio.airLog, [
      { at, channel: 'north-fire', text: 'Ridge: Smoke North', bytes: 18, identity, receivedTimes: 1 }
    ])
    await wait(10_000)
    t.match(receipts, [{ kind: 'heard', identity }])
    t.equal(receipts.length, 1)
    t.equal(clock.waiting, 0)
  }
)

t.test('with no repeater in reach a channel text stays unconfirmed', async (t) => {
  const { radio, clock, send, receipts, wait } = await bench({ neighbours: 0 })
  await send('Smoke')
  const sentAt = clock.now()
  const waitMs = Math.ceil(mcRepeatWaitMs(mcChannelAirtimeMs(12, MODEM)))
  await wait(waitMs - 1)
  t.same(receipts, [])
  await wait(1)
  t.match(receipts, [{ kind: 'unconfirmed', at: sentAt + waitMs }])
  t.equal(radio.airLog[0]?.receivedTimes, 0)
})

t.test('pitfall 11, empty slot: a name the radio lacks is refused by us, for the firmware would say OK', async (t) => {
  const { radio, names, send } = await bench()
  for (const channel of ['south-fire', 'North-Fire', 'north-fire ', '', 0]) {
    t.match(
      await send('x', { channel }),
      { kind: 'refused', retry: false, code: 'NO_CHANNEL' },
      JSON.stringify(channel)
    )
  }
  t.equal(radio.sentCount, 0)
  names.push('south-fire', 'north-fire')
  t.equal((await send('x', { channel: 'south-fire' })).kind, 'sent', 'the table follows the configuration')
  const row = (name: string) => ({ id: name, name, enabled: true })
  t.same(radio.channels(), ['north-fire', '#alerts', 'south-fire'].map(row), 'each name once')
  names.length = 0
  t.match(await send('x'), { code: 'NO_CHANNEL' }, 'also when a name goes')
})

t.test('pitfall 12, mid-character cut: name and text are cut at 160 bytes and it is OK', async (t) => {
  const prefix = Buffer.byteLength('Ridge: ')
  const cases: [string, string, number, string][] = [
    ['153 bytes fit', 'x'.repeat(153), 160, 'x'],
    ['154 bytes lose one', `${'x'.repeat(153)}y`, 160, 'x'],
    ['an emoji is cut inside', `${'x'.repeat(152)}✅`, 160, '\uFFFD'],
    ['a flag is cut after its first half', `${'x'.repeat(149)}🇨🇭`, 160, '🇨']
  ]
  for (const [name, text, bytes, last] of cases) {
    const { radio, send } = await bench()
    t.equal((await send(text)).kind, 'sent', name)
    const entry = radio.airLog[0]!
    t.equal(entry.bytes, bytes, name)
    t.ok(entry.text.endsWith(last), `${name}: ends in ${entry.text.slice(-2)}`)
    t.equal(
      entry.text === `Ridge: ${text}`,
      prefix + Buffer.byteLength(text) <= 160,
      `${name}: tests can see the mutilation`
    )
  }
  const long = await bench({ nodeName: 'N'.repeat(31) })
  await long.send('x'.repeat(127))
  t.equal(long.radio.airLog[0]?.text, `${'N'.repeat(31)}: ${'x'.repeat(127)}`, '127 bytes fit behind any name')
})

t.test('pitfall 13, error 2: a full pool is worth another try, a missing channel is not', async (t) => {
  const { radio, clock, send } = await bench()
  const burst = Array.from({ length: 24 }, (_, i) =>
    radio.send({ channel: '#alerts', text: `burst ${i}`, identity: { senderTimestamp: ++timestamps } })
  )
  const outcomes = await settled(clock, Promise.all(burst))
  t.same(
    outcomes.map(({ kind }) => kind),
    [...Array(16).fill('sent'), ...Array(8).fill('refused')]
  )
  for (const outcome of outcomes.slice(16)) t.match(outcome, { retry: true, code: 'POOL_FULL' })
  t.same(
    radio.airLog.map(({ text }) => text),
    Array.from({ length: 16 }, (_, i) => `Ridge: burst ${i}`),
    'in order'
  )
  t.match(await send('x', { channel: 'nowhere' }), { retry: false, code: 'NO_CHANNEL' })
  t.equal((await send('drained')).kind, 'sent')
})

t.test(
  'pitfall 14, same-second duplicate: OK twice, received once; another text or time is another message',
  async (t) => {
    const { radio, send, receipts, wait } = await bench()
    const identity = { senderTimestamp: 1_800_000_001 }
    const other = { senderTimestamp: 1_800_000_002 }
    const tries: [string, Partial<RadioMessage>][] = [
      ['same', { identity }],
      ['same', { identity }],
      ['same', { identity: other }],
      ['different', { identity }],
      ['same', { identity, channel: '#alerts' }]
    ]
    for (const [text, over] of tries) {
      t.equal((await send(text, over)).kind, 'sent')
      await wait(20_000)
    }
    t.same(
      radio.airLog.map(({ receivedTimes }) => receivedTimes),
      [1, 0, 1, 1, 1]
    )
    t.same(kinds(receipts), ['heard', 'unconfirmed', 'heard', 'heard', 'heard'], 'a repeater repeats a packet once')
  }
)

t.test('receivers forget by number of packets: after 160 others an identical text is shown again', async (t) => {
  const { radio, send } = await bench()
  const identity = { senderTimestamp: 1_700_000_000 }
  const again = async (): Promise<number | undefined> => {
    await send('again', { identity })
    return radio.airLog.at(-1)?.receivedTimes
  }
  t.equal(await again(), 1)
  for (let i = 0; i < 100; i++) await send(`other ${i}`)
  t.equal(await again(), 0)
  for (let i = 0; i < 60; i++) await send(`more ${i}`)
  t.equal(await again(), 1, 'hearing it in between did not renew the memory')
})

t.test('a direct text carries no name, is refused beyond 160 bytes, and is delivered by its contact', async (t) => {
  const { radio, send, receipts, wait } = await bench({ contacts: ['alice'] })
  t.match(await send('x'.repeat(161), { to: 'alice' }), { kind: 'refused', retry: false, code: 'TOO_LARGE' })
  t.match(await send('hello', { to: 'bob' }), { kind: 'refused', retry: false, code: 'UNKNOWN_CONTACT' })
  t.equal((await send('x'.repeat(160), { to: 'alice', channel: 0 })).kind, 'sent', 'the channel says nothing here')
  t.match(radio.airLog, [{ to: 'alice', text: 'x'.repeat(160), bytes: 160 }])
  await wait(60_000)
  t.match(receipts, [{ kind: 'delivered', by: 'alice' }])
})

t.test('a direct text nobody acknowledges is unconfirmed when its estimated time is over', async (t) => {
  const alone = await bench({ neighbours: 0 })
  await alone.send('hello', { to: 'alice' })
  const sentAt = alone.clock.now()
  await alone.wait(60_000)
  const timeout = Math.ceil(mcDirectTimeoutMs(mcDirectAirtimeMs(5, MODEM)))
  t.match(alone.receipts, [{ kind: 'unconfirmed', at: sentAt + timeout }])

  const twice = await bench()
  const identity = { senderTimestamp: 1_750_000_000 }
  for (let i = 0; i < 2; i++) {
    await twice.send('hello', { to: 'alice', identity })
    await twice.wait(60_000)
  }
  t.same(kinds(twice.receipts), ['delivered', 'unconfirmed'], 'an identical retry is not acknowledged again')
})

t.test('a repeat or acknowledgement that comes while the link is down is lost', async (t) => {
  for (const over of [{}, { to: 'alice' }]) {
    const { radio, send, receipts, wait } = await bench()
    await send('Smoke', over)
    radio.setFault({ down: true })
    await wait(5000)
    radio.setFault({ down: false })
    await wait(60_000)
    t.same(kinds(receipts), ['unconfirmed'], JSON.stringify(over))
  }
})

t.test('a timestamp that is not whole epoch seconds is a bug of the caller', async (t) => {
  const { radio } = await bench()
  for (const senderTimestamp of [0, -1, 1.5, Number.NaN, 2 ** 32]) {
    await t.rejects(radio.send({ channel: 'north-fire', text: 'x', identity: { senderTimestamp } }), TypeError)
  }
})
