import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, parseCommand } from '../../src/warning/commands/parse.ts'
import { byteLength } from '../../src/warning/messages/budget.ts'
import { cleanText, sanitise } from '../../src/warning/messages/sanitise.ts'
import { parsePacket } from '../../src/warning/radios/meshcore/air-packet.ts'
import { FrameParser as McFrames } from '../../src/warning/radios/meshcore/frames.ts'
import { decode, isPush } from '../../src/warning/radios/meshcore/messages.ts'
import { encodeFrame, FrameParser as MtFrames } from '../../src/warning/radios/meshtastic/frames.ts'
import {
  decodeFromRadio,
  decodePosition,
  decodeRoutingError,
  decodeTelemetry,
  decodeUserName,
  encodeHeartbeat,
  encodeText,
  encodeWantConfig,
  isFromSatellites,
  isMessage
} from '../../src/warning/radios/meshtastic/messages.ts'
import { Fields, ProtobufError, Writer } from '../../src/warning/radios/meshtastic/protobuf.ts'
import { describeStranger } from '../../src/warning/radios/meshtastic/wrong-device.ts'
import { parseNodeId } from '../../src/warning/radios/node-id.ts'
import { fixture } from '../helpers/fixtures.ts'
import { joined } from './fuzz-bytes.ts'
import { must, ofBytes, ofText, type Parser } from './fuzz-parser.ts'

const bytesOf = (...values: number[]): Uint8Array => Uint8Array.from(values)
const KEY = new Uint8Array(32).fill(7)

const packet = new Writer()
  .fixed32(1, 0x11223344)
  .fixed32(2, 0xffffffff)
  .message(4, new Writer().uint(1, 1).bytes(2, Buffer.from('!status')).fixed32(6, 99))
  .fixed32(6, 77)
  .fixed32(7, 1_790_000_000)
  .uint(9, 3)
  .uint(12, 0xffffffc4)
  .bytes(16, KEY)
  .bool(17, true)
const metrics = new Writer().uint(1, 88).fixed32(2, 0x40800000).uint(5, 3600)
const MT_MESSAGES = [
  new Writer().message(2, packet),
  new Writer().message(3, new Writer().uint(1, 0x11223344)),
  new Writer().message(
    4,
    new Writer()
      .uint(1, 9)
      .message(2, new Writer().bytes(2, Buffer.from('Ridge')))
      .fixed32(5, 7)
      .message(6, metrics)
  ),
  new Writer().message(5, new Writer().message(6, new Writer().bool(1, true).uint(2, 3).uint(7, 1).uint(8, 3))),
  new Writer().uint(7, 69_420),
  new Writer().bool(8, true),
  new Writer().message(
    10,
    new Writer()
      .uint(1, 2)
      .message(2, new Writer().bytes(3, Buffer.from('Alerts')))
      .uint(3, 2)
  ),
  new Writer().message(11, new Writer().uint(2, 14).uint(3, 16).uint(4, 77)),
  new Writer().message(13, new Writer().bytes(1, Buffer.from('2.7.26.abc'))),
  new Writer().message(16, new Writer().uint(1, 77).uint(3, 30).bytes(4, Buffer.from('Duty cycle limit')))
].map((writer) => writer.finish())
const MT_PAYLOADS = [
  new Writer().fixed32(1, 7).message(2, metrics).finish(),
  new Writer().message(6, new Writer().uint(1, 5).fixed32(2, 0x40000000)).finish(),
  new Writer().uint(3, 5).finish(),
  new Writer().bytes(1, Buffer.from('!a1b2c3d4')).bytes(2, Buffer.from('Ridge')).finish(),
  new Writer().fixed32(1, 1).fixed32(4, 1_790_000_000).uint(5, 2).uint(19, 9).finish()
]

const padded = (text: string, length: number): Uint8Array => {
  const field = new Uint8Array(length)
  field.set(Buffer.from(text))
  return field
}
const MC_FRAMES = [
  bytesOf(0),
  bytesOf(1, 4),
  bytesOf(2, 3, 0, 0, 0),
  joined(bytesOf(3), KEY, bytesOf(1, 0, 0), new Uint8Array(64), padded('Node', 32), new Uint8Array(16)),
  bytesOf(4, 0, 0, 0, 0),
  joined(
    bytesOf(5, 1, 22, 22),
    KEY,
    new Uint8Array(12),
    bytesOf(0x40, 0xcc, 0x0d, 0, 0x90, 0xd0, 3, 0, 11, 5),
    Buffer.from('Ridge')
  ),
  bytesOf(6, 1, 1, 2, 3, 4, 0, 1, 0, 0),
  joined(bytesOf(7, 1, 2, 3, 4, 5, 6, 255, 0, 1, 2, 3, 4), Buffer.from('!help')),
  joined(bytesOf(8, 1, 255, 0, 1, 2, 3, 4), Buffer.from('Anna: !status')),
  bytesOf(9, 1, 2, 3, 4),
  bytesOf(10),
  bytesOf(12, 0xd8, 0x0e),
  joined(bytesOf(13, 8, 50, 8, 0, 0, 0, 0), padded('1 Jan 2026', 12), padded('Heltec V3', 40), padded('v1.17.1', 20)),
  joined(bytesOf(16, 20, 0, 0, 1, 2, 3, 4, 5, 6, 255, 2, 1, 2, 3, 4, 9, 9, 9, 9), Buffer.from('signed')),
  joined(bytesOf(17, 20, 0, 0, 1, 255, 0, 1, 2, 3, 4), Buffer.from('Anna: hello')),
  joined(bytesOf(18, 1), padded('Alerts', 32), new Uint8Array(16)),
  bytesOf(0x17, 0, 0, 0, 0, 0xe8, 3, 0, 0),
  bytesOf(0x18, 0, 0xd8, 0x0e, 1, 0, 0, 0, 0, 0, 2),
  bytesOf(0x18, 1, 0x90, 0xff, 0xc4, 20, 1, 0, 0, 0, 2, 0, 0, 0),
  bytesOf(0x18, 2, 1, 0, 0, 0, 2, 0, 0, 0),
  joined(bytesOf(0x80), KEY),
  joined(bytesOf(0x82), bytesOf(1, 2, 3, 4, 0, 0, 0, 0)),
  bytesOf(0x83),
  joined(bytesOf(0x88, 20, 0xc4), bytesOf(0x15, 0x42, 1, 2, 3, 4, 9, 9, 9, 9, 9, 9, 9))
]
const framed = (frame: Uint8Array): Uint8Array => joined(bytesOf(0x3e, frame.length, 0), frame)

/** Frames of real nodes, where the recordings are there. */
function recorded(folder: string): Uint8Array[] {
  const root = fixture(`radio/${folder}`)
  if (root === null) return []
  return readdirSync(root).flatMap((name) =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .flatMap((line) => [...line.matchAll(/"([0-9a-f]{8,1000})"/g)].slice(0, 1))
      .slice(0, 40)
      .map(([, hex = '']) => Uint8Array.from(Buffer.from(hex, 'hex')))
  )
}

const isProtobufError = (error: unknown): boolean => error instanceof ProtobufError

function reads(bytes: Uint8Array): boolean {
  try {
    return Fields.decode(bytes).numbers.every((number) => number > 0)
  } catch (error) {
    if (error instanceof ProtobufError) return false
    throw error
  }
}

const sum = (parts: readonly Uint8Array[]): number => parts.reduce((total, { length }) => total + length, 0)

/** The stream cut at a place of its own gives the same frames as the whole. */
function inTwo<P extends { push(chunk: Uint8Array): Uint8Array[] }>(make: () => P, bytes: Uint8Array): Uint8Array[] {
  const whole = make().push(bytes)
  const cut = bytes.length < 2 ? 0 : (bytes[0] ?? 0) % bytes.length
  const halves = make()
  const found = [...halves.push(bytes.subarray(0, cut)), ...halves.push(bytes.subarray(cut))]
  must(Buffer.concat(whole).equals(Buffer.concat(found)), 'a stream cut in two gives other frames')
  return whole
}

const COMMAND_TEXTS = [
  '!help',
  '!ack #7Q4M',
  '!silence weather 2h test of the siren',
  '!silence North off',
  '!why #7Q4M',
  '!ask how do I make water safe',
  '!alerts North',
  '  !STATUS  ',
  'Winter Storm Warning for Blaine <b>now</b> &amp; later \u2026 \u201cquoted\u201d',
  '\u001b[31mred\u001b[0m e\u0301\u0301\u0301\u0301\u0301\u0301 \u202eabc'
]

const messages: readonly Parser[] = [
  ofBytes({
    name: 'mt-message',
    covers: [
      'warning/radios/meshtastic/messages.ts decodeFromRadio',
      'warning/radios/meshtastic/messages.ts isMessage',
      'warning/radios/meshtastic/protobuf.ts decode'
    ],
    most: 512,
    corpus: [...MT_MESSAGES, ...recorded('meshtastic-2.7.26').map((frame) => frame.subarray(0, 512))],
    protobuf: true,
    refuses: isProtobufError,
    run: (bytes) => {
      const read = decodeFromRadio(bytes)
      must(isMessage(bytes), 'what is read is no message')
      if (read.kind === 'packet') {
        const { from, to, id, publicKey, data } = read.packet
        must(
          [from, to, id].every((one) => one >= 0 && one <= 0xffffffff),
          'a number of a packet has not 32 bits'
        )
        must(publicKey === null || publicKey.length === 64, 'a key of another length')
        must(data === null || data.payload.length <= bytes.length, 'a payload longer than its message')
      }
    }
  }),
  ofBytes({
    name: 'mt-payload',
    covers: ['decodeTelemetry', 'decodeRoutingError', 'decodeUserName', 'isFromSatellites', 'decodePosition'].map(
      (name) => `warning/radios/meshtastic/messages.ts ${name}`
    ),
    most: 512,
    corpus: MT_PAYLOADS,
    protobuf: true,
    refuses: isProtobufError,
    run: (bytes) => {
      must(isMessage(bytes) === reads(bytes), 'what is well-formed is not read, or the other way round')
      decodeRoutingError(bytes)
      decodeUserName(bytes)
      isFromSatellites(bytes)
      decodeTelemetry(bytes)
      const fix = decodePosition(bytes)
      must(fix === null || (Math.abs(fix.lat) <= 90 && Math.abs(fix.lon) <= 180), 'a position that is none')
    }
  }),
  ofBytes({
    name: 'mc-frame',
    covers: ['warning/radios/meshcore/messages.ts decode', 'warning/radios/meshcore/air-packet.ts parsePacket'],
    most: 255,
    corpus: [...MC_FRAMES, ...recorded('meshcore-1.17.1').map((frame) => frame.subarray(0, 255))],
    run: (bytes) => {
      const read = decode(bytes)
      isPush(bytes)
      const air = parsePacket(read.kind === 'heard' ? read.packet : bytes)
      must(air === null || (air.payload.length > 0 && air.payload.length < bytes.length), 'a payload of another length')
      must(air === null || air.path.length < 64, 'a path of more hops than its field can say')
      if (read.kind === 'text') must(byteLength(read.text) <= 3 * bytes.length, 'a text longer than its frame')
    }
  })
]

const streams: readonly Parser[] = [
  ofBytes({
    name: 'mt-stream',
    covers: [
      'warning/radios/meshtastic/frames.ts FrameParser',
      'warning/radios/meshtastic/wrong-device.ts describeStranger'
    ],
    corpus: [
      joined(...MT_MESSAGES.map(encodeFrame)),
      joined(Buffer.from('INFO | boot\r\n'), encodeFrame(encodeWantConfig(1)), encodeFrame(encodeHeartbeat())),
      encodeFrame(encodeText({ from: 1, to: 2, channel: 0, id: 3, hopLimit: 3, text: 'hello' })),
      Buffer.from('$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n'),
      bytesOf(0x94, 0xc3, 2, 0, 0x94, 0xc3, 0, 1, 0x94)
    ],
    run: (bytes) => {
      const payloads = inTwo(() => new MtFrames(isMessage), bytes)
      must(
        payloads.every(({ length }) => length <= 512),
        'a frame longer than a frame may be'
      )
      const parser = new MtFrames(isMessage)
      const length = sum(parser.push(bytes)) + sum(parser.giveUp())
      must(length + parser.skipped <= bytes.length, 'more bytes came out than went in')
      must(parser.noise.length <= 256, 'noise is kept without bound')
      describeStranger(parser.noise)
    }
  }),
  ofBytes({
    name: 'mc-stream',
    covers: ['warning/radios/meshcore/frames.ts FrameParser'],
    corpus: [
      joined(...MC_FRAMES.map(framed)),
      joined(Buffer.from('boot\r\n> ready\r\n'), framed(bytesOf(0)), bytesOf(0x3e, 0, 0x3e, 5)),
      bytesOf(0x3e, 200, 0, 0x88, 1, 2)
    ],
    run: (bytes) => {
      const frames = inTwo(() => new McFrames(), bytes)
      must(
        frames.every(({ length }) => length <= 255 && length > 0),
        'a frame longer than a frame may be'
      )
      const parser = new McFrames()
      const length = sum(parser.push(bytes)) + sum(parser.giveUp())
      must(length + parser.skipped <= bytes.length, 'more bytes came out than went in')
      must(parser.noise.length <= 256, 'noise is kept without bound')
    }
  })
]

const texts: readonly Parser[] = [
  ofText({
    name: 'command',
    covers: ['warning/commands/parse.ts parseCommand', 'warning/messages/sanitise.ts cleanText'],
    most: 16 * 1024,
    corpus: COMMAND_TEXTS,
    words: [
      ...COMMANDS.map((name) => `!${name}`),
      '#7Q4M',
      '2h',
      '<script>',
      '</script>',
      '&#x202e;',
      '&lt;',
      '\u001b[2J'
    ],
    run: (text) => {
      const command = parseCommand(text)
      must(command === null || COMMANDS.includes(command.name), 'a command nobody knows')
      must(
        (command?.words ?? []).every((word) => word !== '' && !/\s/.test(word)),
        'a word with a blank in it'
      )
      const clean = cleanText(text)
      must(!/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b]/u.test(clean), 'a control or bidi character is left')
      must(!/^[/!@]/.test(sanitise(text)), 'a text that a bot would take for a command')
      must(!/\p{M}{5}/u.test(clean), 'more than four marks on a letter')
    }
  }),
  ofText({
    name: 'node-id',
    covers: ['warning/radios/node-id.ts parseNodeId'],
    most: 1024,
    corpus: ['!a1b2c3d4', '305419896', '!ffffffff', '0'],
    run: (text) => {
      const id = parseNodeId(text)
      must(id === null || (Number.isInteger(id) && id > 0 && id < 0xffffffff), 'a number no node has')
      must(
        id === null || parseNodeId(`!${id.toString(16).padStart(8, '0')}`) === id,
        'it is not read again as it is written'
      )
    }
  })
]

/** Parsers of all that comes over the radios. */
export const RADIO_PARSERS: readonly Parser[] = [...messages, ...streams, ...texts]
