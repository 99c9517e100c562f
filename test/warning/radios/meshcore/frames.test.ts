import fc from 'fast-check'
import t from 'tap'
import { GROUP_TEXT, groupTextPayload, parsePacket } from '../../../../src/warning/radios/meshcore/air-packet.ts'
import {
  appStart,
  channelText,
  deviceQuery,
  directText,
  setTime
} from '../../../../src/warning/radios/meshcore/commands.ts'
import { encodeFrame, FrameParser } from '../../../../src/warning/radios/meshcore/frames.ts'
import { describeStranger } from '../../../../src/warning/radios/meshcore/identify.ts'
import { decode } from '../../../../src/warning/radios/meshcore/messages.ts'
import { modemOf } from '../../../../src/warning/radios/meshcore/node-settings.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../../helpers/growth.ts'
import { inWords } from '../../../helpers/in-words.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const framed = (payload: Uint8Array): Uint8Array => {
  const frame = encodeFrame(payload)
  frame[0] = 0x3e
  return frame
}
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** Frames a node may send, short and long, with payloads full of markers. */
const payload = fc.oneof(
  fc.constantFrom(bytes('00'), bytes('0a'), bytes('83'), bytes('01 02'), bytes('09 01020304')),
  fc
    .tuple(fc.constantFrom(0x88, 0x11, 0x10, 0x84, 0x8e), fc.uint8Array({ minLength: 9, maxLength: 175 }))
    .map(([code, rest]) => joined(Uint8Array.of(code), rest)),
  fc.integer({ min: 12, max: 170 }).map((length) => joined(Uint8Array.of(0x88), new Uint8Array(length).fill(0x3e)))
)

t.test('frames come out whole wherever the stream is cut', async (t) => {
  fc.assert(
    fc.property(
      fc.array(payload, { maxLength: 6 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (all, cuts) => {
        const stream = joined(...all.map(framed))
        const parser = new FrameParser()
        const found: string[] = []
        for (let at = 0; at < stream.length; ) {
          const next = at + (cuts.next().value ?? 1)
          found.push(...parser.push(stream.subarray(at, next)).map(hex))
          at = next
        }
        t.same(found, all.map(hex))
        t.equal(parser.skipped, 0)
      }
    ),
    { numRuns: 200 }
  )
  const stream = joined(framed(bytes('0a')), framed(bytes('88 3e01003e 0a')), framed(bytes('83')))
  for (let cut = 0; cut <= stream.length; cut++) {
    const parser = new FrameParser()
    const found = [...parser.push(stream.subarray(0, cut)), ...parser.push(stream.subarray(cut))]
    t.same(found.map(hex), ['0a', '883e01003e0a', '83'], `cut at ${cut}`)
  }
})

t.test('noise with a marker right before the frames costs at most one frame', async (t) => {
  const noise = fc.uint8Array({ maxLength: 40 }).map((raw) => raw.map((byte) => (byte === 0x3e ? 0x3f : byte)))
  const tail = fc.constantFrom(
    '',
    '3e',
    '3e00',
    '3e01',
    '3e0000',
    '3e0001',
    '3eff',
    '3e3e',
    '3e3e3e',
    '3e1000',
    '3e10003e'
  )
  fc.assert(
    fc.property(noise, tail, fc.array(payload, { minLength: 2, maxLength: 8 }), (raw, end, all) => {
      const parser = new FrameParser()
      const found = [...parser.push(joined(raw, bytes(end), ...all.map(framed))), ...parser.giveUp()].map(hex)
      const wanted = all.map(hex)
      t.ok(found.length >= wanted.length - 1, `${found.length} of ${wanted.length} after ${hex(raw)}${end}`)
      t.same(found.slice(-(wanted.length - 1)), wanted.slice(1))
    }),
    { numRuns: 300 }
  )
})

t.test('whatever the noise, it costs no more than the frame it announces, and nothing is made up of it', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (raw) => {
      const parser = new FrameParser()
      parser.push(raw)
      const filler = Array.from({ length: 70 }, () => framed(bytes('09 01020304')))
      parser.push(joined(...filler))
      const last = framed(bytes('12 00 4142'.padEnd(50 * 2 + 3, '0')))
      t.ok(parser.push(last).length <= 1)
      t.same(parser.push(framed(bytes('83'))).map(hex), ['83'], 'in step again after 255 bytes at the latest')
    }),
    { numRuns: 200 }
  )
})

t.test('a frame that never ends is given up, and the frames it hid come out', async (t) => {
  const parser = new FrameParser()
  t.same(parser.push(joined(bytes('3e b000 88'), framed(bytes('00')), framed(bytes('09 01020304')))), [])
  t.same(parser.giveUp().map(hex), ['00', '0901020304'])
  t.same(parser.giveUp(), [], 'nothing is left')
  t.same(parser.push(framed(bytes('0a'))).map(hex), ['0a'])
})

t.test('our frames carry the marker, the length little-endian, and what the protocol wants', async (t) => {
  const cases: [string, Uint8Array, string][] = [
    ['DEVICE_QUERY', deviceQuery(), '3c02001603'],
    ['SET_DEVICE_TIME', setTime(0x6b010ea9), '3c050006a90e016b'],
    [
      'a channel text',
      channelText({ slot: 1, timestamp: 0x6b010eb4, text: 'hello alerts ✅' }),
      '3c1700030001b40e016b68656c6c6f20616c6572747320e29c85'
    ],
    [
      'a direct text',
      directText({ attempt: 1, timestamp: 0x6b010ec7, key: bytes('87c6f923568d15124ce3'), text: 'direct retry' }),
      '3c1900020001c70e016b87c6f923568d646972656374207265747279'
    ]
  ]
  for (const [name, command, expected] of cases) t.equal(hex(encodeFrame(command)), expected, name)
  t.ok(appStart().length >= 8, 'APP_START of less than 8 bytes is refused')
  for (const length of [0, 256]) t.throws(() => encodeFrame(new Uint8Array(length)), RangeError)
})

t.test('a frame too short for its code, and a code of a later firmware, are unknown and never throw', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => {
      const { kind } = decode(raw)
      t.type(kind, 'string')
    }),
    { numRuns: 300 }
  )
  for (const code of [0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x10, 0x11, 0x12, 0x17, 0x18, 0x80, 0x82]) {
    t.same(decode(Uint8Array.of(code)), { kind: 'unknown', code }, `code ${code} alone`)
  }
  t.same(decode(bytes('9e 0102')), { kind: 'unknown', code: 0x9e })
  t.match(decode(bytes('0d 08')), { kind: 'device-info', version: 8, maxChannels: null, firmware: null })
  t.match(decode(bytes('0d 08 af 28 00000000')), { maxContacts: 350, maxChannels: 40, build: null })
  t.match(decode(bytes('08 02 41 00 01000000 626f623a20686f')), {
    kind: 'text',
    slot: 2,
    hops: 1,
    snr: null,
    text: 'bob: ho'
  })
  t.match(decode(bytes('07 010203040506 ff 02 01000000 aabbccdd 686f')), {
    keyPrefix: '010203040506',
    hops: null,
    text: 'ho'
  })
})

t.test(
  'a channel text has the same payload in every transmission, and a heard packet gives it and its path',
  async (t) => {
    const secret = new Uint8Array(16).fill(0x22)
    const payload = groupTextPayload(secret, 0x6b010eb7, 'alice: private ops text')
    t.equal(payload, '3d0549f136bca2649cdf902a771fe149cdb6d9a800be5669864a4387b97616f79fe1af', 'as recorded')
    const cases: [string, string, string[]][] = [
      ['no hops', '15 00', []],
      ['two hops', '15 02 a1b2', ['a1', 'b2']],
      ['two hops of two-byte hashes', '15 42 a1b2c3d4', ['a1b2', 'c3d4']],
      ['transport codes', '14 01020304 01 a1', ['a1']]
    ]
    for (const [name, header, path] of cases) {
      const packet = parsePacket(joined(bytes(header), bytes(payload)))
      t.same({ ...packet, payload: hex(packet?.payload ?? bytes('')) }, { type: GROUP_TEXT, path, payload }, name)
    }
    for (const broken of ['', '15', '1500', '153f01']) t.equal(parsePacket(bytes(broken)), null, `"${broken}"`)
  }
)

t.test('another device on the port is named', async (t) => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['silence', bytes(''), /nothing was received/],
    ['Meshtastic', joined(Buffer.from('INFO | boot\n'), bytes('94c3 0004 5a020810')), /Meshtastic radio.*"mt"/],
    ['GPS', Buffer.from('$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8\r\n'), /GPS receiver/],
    ['GPS of two systems', Buffer.from('\xff$GNRMC,,V\r\n', 'latin1'), /GPS receiver/],
    ['an echo', encodeFrame(deviceQuery()), /echo/],
    ['a console', Buffer.from('Welcome to BusyBox\r\nlogin: '), /plain text/],
    ['random bytes', bytes('00 ff 91 3e 77 d2 9c aa 01'), /unknown bytes.*00 ff 91/]
  ]
  for (const [name, seen, expected] of cases) t.match(inWords(describeStranger(seen)), expected, name)
})

t.test('the modem is the one the node reports, with 10 % of an hour in 869.4–869.65 MHz', async (t) => {
  const self = { key: bytes(''), name: 'x', bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 8 }
  for (const [frequencyKhz, dutyCycle] of [
    [869_618, 0.1],
    [869_400, 0.1],
    [869_650, 0.1],
    [869_399, 1],
    [869_651, 1],
    [910_525, 1]
  ]) {
    t.match(modemOf({ ...self, frequencyKhz: frequencyKhz! }), {
      dutyCycle,
      preambleSymbols: 32,
      label: '62.5 kHz SF8 CR8'
    })
  }
  t.equal(modemOf({ ...self, frequencyKhz: 910_525, spreadingFactor: 9 }).preambleSymbols, 16)
  for (const odd of [{ spreadingFactor: 0 }, { codingRate: 4 }, { bandwidthHz: 0 }]) {
    t.equal(modemOf({ ...self, frequencyKhz: 910_525, ...odd }).label, 'not read yet', JSON.stringify(odd))
  }
})

t.test('answers that a later firmware made longer are frames all the same, with the same meaning', async (t) => {
  const more = '55'.repeat(20)
  for (const [hexed, kind] of [
    ['00', 'ok'],
    ['0102', 'error'],
    ['0a', 'no-more-texts'],
    ['0901020304', 'time'],
    ['060101020304e8030000', 'sent'],
    ['82010203040a000000', 'confirmed'],
    ['83', 'text-waiting']
  ] as const) {
    const [frame] = new FrameParser().push(framed(bytes(hexed + more)))
    t.equal(frame === undefined ? null : decode(frame).kind, kind, hexed)
  }
})

t.test('a chunk of noise or of short frames costs no more than its length', async (t) => {
  for (const piece of ['3e0a', '3e0000', '3e01000a'])
    t.ok(
      growthOfEightfold(
        (times) => bytes(piece.repeat(times)),
        (chunk) => new FrameParser().push(chunk),
        4000
      ) < MOST_GROWTH,
      piece
    )
})
