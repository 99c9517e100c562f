import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { memorySource } from '../../../../src/warning/radios/link/memory.ts'
import { groupTextPayload, parsePacket } from '../../../../src/warning/radios/meshcore/air-packet.ts'
import { MeshCoreRadio } from '../../../../src/warning/radios/meshcore/driver.ts'
import { FrameParser } from '../../../../src/warning/radios/meshcore/frames.ts'
import { decode, isPush, type Message } from '../../../../src/warning/radios/meshcore/messages.ts'
import type { InboundText, Receipt } from '../../../../src/warning/radios/radio.ts'
import { settled } from '../../../contract/radio.ts'
import { needsFixture } from '../../../helpers/fixtures.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))

/** The node's side of recordings: each command gets the answers it once got. */
class Replay {
  readonly texts: InboundText[] = []
  readonly receipts: Receipt[] = []
  readonly unanswered: string[] = []
  readonly radio: MeshCoreRadio
  readonly clock: VirtualClock
  readonly #book = new Map<string, string[][]>()

  constructor(folder: string, names: string[], at: number) {
    for (const name of names) this.#learn(join(folder, `${name}.jsonl`))
    this.clock = new VirtualClock(at * 1000)
    const source = memorySource((end) =>
      end.onData((bytes) => {
        const command = Buffer.from(bytes).toString('hex')
        const answers = this.#book.get(command)
        const chunks = (answers?.length === 1 ? answers[0] : answers?.shift()) ?? this.#none(command)
        for (const chunk of chunks) end.write(Buffer.from(chunk, 'hex'))
      })
    )
    this.radio = new MeshCoreRadio({ id: 'replay', source, clock: this.clock })
    this.radio.onText((text) => this.texts.push(text))
    this.radio.onReceipt((receipt) => this.receipts.push(receipt))
  }

  #learn(file: string): void {
    let last: string[] | null = null
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const { dir, hex } = JSON.parse(line)
      if (hex === '') continue
      if (dir === 'from_device') last?.push(hex)
      else {
        last = []
        // The name of the app differs, what it is told does not.
        const command = hex.startsWith('3c0e0001') ? '3c0f000103000000000000' + '4c6f6f6b6f7574' : hex
        this.#book.set(command, [...(this.#book.get(command) ?? []), last])
      }
    }
  }

  #none(command: string): string[] {
    this.unanswered.push(command)
    return [command.startsWith('3c010005') ? '3e0500090000006f' : '3e02000101']
  }
}

t.test('the node side of the recordings, replayed against the driver', async (t) => {
  const first = needsFixture(t, 'radio/meshcore-1.17.1/02-channel-table.sender.jsonl')
  if (first === null) return
  const folder = dirname(first)
  const alice = new Replay(
    folder,
    [
      '02-channel-table.sender',
      '03-channel-text.sender',
      '04-direct-text-ack.sender',
      '07-pool-full.sender',
      '08-contacts.sender',
      '09-stats-battery.sender'
    ],
    1_795_231_412
  )
  await settled(alice.clock, alice.radio.connect())
  t.match(alice.radio.description, { nodeName: 'alice', modem: { label: '62.5 kHz SF8 CR8', dutyCycle: 0.1 } })
  t.same(
    alice.radio.channels().map(({ id }) => id),
    ['Public', '#alerts', 'ops', 'radio-club']
  )
  const details = { firmware: 'v1.17.1', batteryMillivolts: 4012, queueLength: 15 }
  t.match(alice.radio.details(), details, 'the statistics of session 07, after its burst: one on the air, fifteen wait')
  const send = (channel: string, text: string, senderTimestamp: number, to?: string) =>
    settled(
      alice.clock,
      alice.radio.send({ channel, text, identity: { senderTimestamp }, ...(to === undefined ? {} : { to }) })
    )
  t.equal((await send('#alerts', 'hello alerts ✅', 1795231412)).kind, 'sent')
  t.equal((await send('ops', 'private ops text', 1795231415)).kind, 'sent')
  t.equal((await send('', 'direct one', 1795231420, 'bob')).kind, 'sent')
  await alice.clock.runTo(alice.clock.now() + 60_000)
  t.match(
    alice.receipts.map(({ kind, by }) => [kind, by]),
    [
      ['delivered', 'bob'],
      ['unconfirmed', undefined],
      ['unconfirmed', undefined]
    ]
  )
  await alice.radio.close()

  const bob = new Replay(
    folder,
    ['02-channel-table.receiver', '09-stats-battery.sender', '10-messages-waiting.receiver'],
    1_795_231_480
  )
  await settled(bob.clock, bob.radio.connect())
  await bob.clock.runTo(bob.clock.now() + 120_000)
  t.same(
    bob.texts.map(({ channel, fromName, text }) => [channel, fromName, text]),
    [
      ['#alerts', 'alice', 'waiting 1'],
      ['#alerts', 'alice', 'waiting 2'],
      ['ops', 'alice', 'waiting 3'],
      [null, '', 'waiting dm'],
      ['#alerts', 'alice', 'while away']
    ]
  )
  await bob.radio.close()
})

interface Line {
  t_ms: number
  dir: 'to_device' | 'from_device'
  hex: string
}

function transcript(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line))
}

function messagesOf(file: string): { frame: Uint8Array; message: Message }[] {
  const parser = new FrameParser()
  const frames = transcript(file)
    .filter(({ dir }) => dir === 'from_device')
    .flatMap((line) => parser.push(bytes(line.hex)))
  t.equal(parser.skipped, 0, `${file}: every byte belongs to a frame`)
  return frames.map((frame) => ({ frame, message: decode(frame) }))
}

t.test('every byte of every recording of firmware 1.17.1 is understood', async (t) => {
  const first = needsFixture(t, 'radio/meshcore-1.17.1/01-app-start.sender.jsonl')
  if (first === null) return
  const folder = dirname(first)
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  t.equal(files.length, 30)
  const counts: Record<string, number> = {}
  for (const name of files) {
    for (const { frame, message } of messagesOf(join(folder, name))) {
      counts[message.kind] = (counts[message.kind] ?? 0) + 1
      if (message.kind === 'unknown') t.fail(`${name}: ${hex(frame)}`)
      const push = ['advert', 'path-updated', 'confirmed', 'text-waiting', 'heard'].includes(message.kind)
      if (isPush(frame) !== push) t.fail(`${name}: ${hex(frame)} is ${push ? 'a' : 'no'} push`)
    }
  }
  t.matchOnlyStrict(counts, EXPECTED_COUNTS)
})

t.test('the recordings say what STEPS.md says they do', async (t) => {
  const first = needsFixture(t, 'radio/meshcore-1.17.1/01-app-start.sender.jsonl')
  if (first === null) return
  const read = (name: string): Message[] =>
    messagesOf(join(dirname(first), `${name}.jsonl`)).map(({ message }) => message)
  const only = <Kind extends Message['kind']>(name: string, kind: Kind): Extract<Message, { kind: Kind }>[] =>
    read(name).filter((message): message is Extract<Message, { kind: Kind }> => message.kind === kind)

  const [device] = only('01-app-start.sender', 'device-info')
  t.match(device, {
    version: 13,
    maxContacts: 350,
    maxChannels: 40,
    firmware: 'v1.17.1',
    model: 'Native Sim',
    build: '14 Aug 2026'
  })
  const selves = only('01-app-start.sender', 'self-info')
  t.match(selves.at(-1), {
    name: 'alice',
    frequencyKhz: 869_618,
    bandwidthHz: 62_500,
    spreadingFactor: 8,
    codingRate: 8
  })
  t.match(only('01-app-start.receiver', 'self-info').at(-1), { name: /^(bob|[0-9A-F]{8})$/ })
  t.same(
    only('01-app-start.sender', 'error').map(({ code }) => code),
    [6, 1, 1]
  )

  const slots = only('02-channel-table.sender', 'channel')
  t.equal(slots.length, 40)
  t.same(
    slots.filter(({ name }) => name !== '').map(({ index, name }) => [index, name]),
    [
      [0, 'Public'],
      [1, '#alerts'],
      [2, 'ops'],
      [3, 'radio-club']
    ],
    'names end at the first NUL'
  )
  t.same(only('02-channel-table.sender', 'error').at(-1), { kind: 'error', code: 2 }, 'slot 40')
  t.same(
    only('02-channel-table.receiver', 'channel')
      .filter(({ name }) => name !== '')
      .map(({ index, name }) => [index, name]),
    [
      [0, 'Public'],
      [1, 'radio-club'],
      [2, '#alerts'],
      [5, 'ops']
    ]
  )

  t.same(
    only('03-channel-text.receiver', 'text').map(({ slot, text, timestamp, hops }) => [slot, text, timestamp, hops]),
    [
      [2, 'alice: hello alerts ✅', 1795231412, 0],
      [5, 'alice: private ops text', 1795231415, 0]
    ]
  )
  const heard = only('03-channel-text.receiver', 'heard').map(({ packet }) =>
    hex(parsePacket(packet)?.payload ?? bytes(''))
  )
  t.ok(heard.includes(groupTextPayload(new Uint8Array(16).fill(0x22), 1795231415, 'alice: private ops text')))

  const acks = only('04-direct-text-ack.sender', 'confirmed').map(({ ackTag }) => ackTag)
  const sent = only('04-direct-text-ack.sender', 'sent')
  t.same(sent.map(({ flood, timeoutMs }) => [flood, timeoutMs]).slice(0, 2), [
    [true, 7060],
    [false, 3210]
  ])
  t.equal(sent.length, 6)
  t.equal(acks.length, 5, 'the identical retry is not acknowledged again')
  t.equal(sent[4]?.ackTag, sent[5]?.ackTag, 'and has the same tag')
  t.not(sent[2]?.ackTag, sent[3]?.ackTag, 'another attempt has another')
  for (const ack of acks) t.ok(sent.some(({ ackTag }) => ackTag === ack))

  const kinds = read('07-pool-full.sender').map((message) =>
    message.kind === 'error' ? `error ${message.code}` : message.kind
  )
  t.equal(kinds.filter((kind) => kind === 'error 2').length, 8)
  t.same(
    only('05-empty-slot.sender', 'error')
      .map(({ code }) => code)
      .at(-1),
    2
  )
  t.match(only('05-empty-slot.receiver', 'text'), [{ slot: 3, text: 'alice: slot 9 has no channel' }])
  const cut = only('06-over-long.receiver', 'text')
  t.ok(cut[0]?.text.endsWith('\uFFFD'), 'cut inside a character')

  t.same(
    only('08-contacts.sender', 'contact').map(({ name, type }) => [name, type]),
    [['bob', 1]]
  )
  t.same(
    only('08-contacts.sender', 'contacts-start').map(({ count }) => count),
    [1, 1]
  )
  t.match(only('09-stats-battery.sender', 'battery'), [{ millivolts: 4012 }])
  t.match(only('09-stats-battery.sender', 'core-stats'), [
    { millivolts: 4012, uptimeSeconds: 66, errors: 0, waiting: 0 }
  ])
  t.match(only('09-stats-battery.sender', 'radio-stats'), [
    { noise: -110, rssi: -70, snr: 9.5, txSeconds: 13, rxSeconds: 3 }
  ])
  t.match(only('09-stats-battery.sender', 'packet-stats'), [{ received: 8, sent: 16 }])
  t.match(only('09-stats-battery.sender', 'tuning'), [{ rxDelay: 0, airtimeFactor: 1 }])
  t.match(only('10-messages-waiting.receiver', 'text').at(-1), { text: 'alice: while away' })
  t.equal(only('12-advert.receiver', 'advert').length, 2)
})

/** Counted from the first byte of every frame, with a program of its own. */
const EXPECTED_COUNTS: Record<string, number> = {
  ok: 487,
  error: 35,
  'contacts-start': 3,
  contact: 2,
  'contacts-end': 3,
  'self-info': 35,
  sent: 8,
  time: 2,
  'no-more-texts': 33,
  battery: 1,
  'device-info': 35,
  text: 442,
  channel: 80,
  tuning: 1,
  'core-stats': 3,
  'radio-stats': 1,
  'packet-stats': 1,
  advert: 3,
  'path-updated': 2,
  confirmed: 7,
  'text-waiting': 441,
  heard: 456
}
