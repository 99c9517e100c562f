import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Mesh, Telemetry } from '@meshtastic/protobufs'
import fc from 'fast-check'
import t from 'tap'
import { encodeFrame, FrameParser, WAKE_BYTES } from '../../../../src/warning/radios/meshtastic/frames.ts'
import {
  decodeFromRadio,
  decodeRoutingError,
  decodeTelemetry,
  encodeDisconnect,
  encodeHeartbeat,
  encodeText,
  encodeWantConfig,
  isMessage,
  type LoraConfig
} from '../../../../src/warning/radios/meshtastic/messages.ts'
import { Fields, ProtobufError, Writer } from '../../../../src/warning/radios/meshtastic/protobuf.ts'
import { queueRefusal, routingMeaning } from '../../../../src/warning/radios/meshtastic/refusals.ts'
import { hopLimitOf, modemOf, regionName, transmitProblem } from '../../../../src/warning/radios/meshtastic/settings.ts'
import { mtDutyCycle } from '../../../../src/warning/radios/modem.ts'
import { inWords } from '../../../helpers/in-words.ts'
import { deviceTelemetry, fromRadio, parseToRadio, routing } from '../../../peers/meshtastic-wire.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const queueStatus = (id: number): Uint8Array =>
  fromRadio({ case: 'queueStatus', value: { free: 16, maxlen: 16, meshPacketId: id } })
const u32 = fc.integer({ min: 0, max: 0xffff_ffff })

t.test('frames come out whole and in order wherever the stream is cut', async (t) => {
  const payloads = [queueStatus(1), queueStatus(2), queueStatus(0xffff_ffff)].map((frame) => frame.subarray(4))
  const stream = Buffer.concat(payloads.map((payload) => encodeFrame(payload)))
  const expected = payloads.map(hex)
  for (let cut = 0; cut <= stream.length; cut++) {
    const parser = new FrameParser(isMessage)
    const found = [...parser.push(stream.subarray(0, cut)), ...parser.push(stream.subarray(cut))]
    t.same(found.map(hex), expected, `cut at ${cut}`)
    t.equal(parser.skipped, 0)
    t.notOk(parser.waiting)
  }
  const bytewise = new FrameParser(isMessage)
  t.same([...stream].flatMap((byte) => bytewise.push(Uint8Array.of(byte))).map(hex), expected)
})

t.test('property: any payloads, cut anywhere, come out as they went in', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 512 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 200 }),
      (payloads, steps) => {
        const stream = Buffer.concat(payloads.map((payload) => encodeFrame(payload)))
        const parser = new FrameParser()
        const found: Uint8Array[] = []
        for (let at = 0, i = 0; at < stream.length; i++) {
          const step = steps[i % steps.length] ?? 1
          found.push(...parser.push(stream.subarray(at, at + step)))
          at += step
        }
        t.same(found.map(hex), payloads.map(hex))
      }
    ),
    { numRuns: 200 }
  )
})

t.test(
  'property: noise in front, headers in it too, costs at most one frame, and none once the stream stands still',
  async (t) => {
    const header = fc
      .tuple(fc.constant([0x94, 0xc3]), fc.integer({ min: 0, max: 520 }))
      .map(([start, length]) => Uint8Array.from([...start, length >> 8, length & 0xff]))
    const noise = fc
      .array(fc.oneof(fc.uint8Array({ maxLength: 40 }), header, fc.constant(WAKE_BYTES)), { maxLength: 6 })
      .map((pieces) => Buffer.concat(pieces))
    fc.assert(
      fc.property(noise, fc.array(u32, { minLength: 1, maxLength: 20 }), (before, numbers) => {
        const payloads = numbers.map((id) => queueStatus(id).subarray(4))
        const parser = new FrameParser(isMessage)
        const found = parser.push(Buffer.concat([before, ...payloads.map((payload) => encodeFrame(payload))]))
        while (parser.waiting) found.push(...parser.giveUp())
        const wanted = payloads.map(hex)
        const got = found.map(hex)
        const kept = wanted.slice(wanted.length - got.filter((one) => wanted.includes(one)).length)
        t.ok(kept.length >= wanted.length - 1, `${kept.length} of ${wanted.length} after ${hex(before)}`)
        t.same(got.slice(got.length - kept.length), kept, 'and in order')
      }),
      { numRuns: 300 }
    )
  }
)

t.test('a length over 512 is no frame, noise is kept for whoever wants to name the device, and bounded', async (t) => {
  const parser = new FrameParser()
  t.same(parser.push(Buffer.from('94c3020194c30001aa', 'hex')).map(hex), ['aa'])
  t.equal(hex(parser.noise), '94c30201')
  parser.push(Buffer.alloc(10_000, 0x41))
  t.equal(parser.noise.length, 256)
  t.equal(parser.skipped, 10_004)
  t.throws(() => encodeFrame(new Uint8Array(513)), { name: 'RangeError' })
  t.same(new FrameParser().push(Buffer.concat([WAKE_BYTES, encodeFrame(Uint8Array.of(1))])).map(hex), ['01'])
  t.same(new FrameParser().giveUp(), [])
})

t.test('what we write is what the published definitions read', async (t) => {
  fc.assert(
    fc.property(
      u32,
      u32,
      u32,
      fc.integer({ min: 0, max: 7 }),
      fc.integer({ min: 1, max: 7 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      (from, to, id, channel, hopLimit, text) => {
        const message = parseToRadio(encodeText({ from, to, id, channel, hopLimit, text }))
        t.equal(message.payloadVariant.case, 'packet')
        if (message.payloadVariant.case !== 'packet') return
        const packet = message.payloadVariant.value
        t.match(packet, { from, to, id, channel, hopLimit, wantAck: true })
        t.equal(packet.payloadVariant.case, 'decoded')
        if (packet.payloadVariant.case !== 'decoded') return
        t.equal(packet.payloadVariant.value.portnum, 1)
        t.equal(Buffer.from(packet.payloadVariant.value.payload).toString('utf8'), text)
        t.same(packet.$unknown ?? [], [])
      }
    ),
    { numRuns: 200 }
  )
  t.same(parseToRadio(encodeWantConfig(0xffff_ffff)).payloadVariant, { case: 'wantConfigId', value: 0xffff_ffff })
  t.match(parseToRadio(encodeHeartbeat()).payloadVariant, { case: 'heartbeat', value: { nonce: 0 } })
  t.equal(hex(encodeHeartbeat()), '3a00', 'the empty message is there')
  t.same(parseToRadio(encodeDisconnect()).payloadVariant, { case: 'disconnect', value: true })
})

t.test('what the published definitions write is what we read', async (t) => {
  fc.assert(
    fc.property(
      u32,
      u32,
      u32,
      fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
      fc.float({ noNaN: true }),
      fc.uint8Array({ maxLength: 200 }),
      (from, id, requestId, rssi, snr, payload) => {
        const bytes = fromRadio({
          case: 'packet',
          value: {
            from,
            to: 12,
            channel: 3,
            id,
            rxTime: 1_700_000_000,
            rxSnr: snr,
            rxRssi: rssi,
            hopLimit: 2,
            hopStart: 3,
            viaMqtt: true,
            pkiEncrypted: true,
            publicKey: new Uint8Array(32).fill(7),
            payloadVariant: { case: 'decoded', value: { portnum: 5 as never, payload, requestId, emoji: 1 } }
          }
        }).subarray(4)
        const message = decodeFromRadio(bytes)
        t.same(message, {
          kind: 'packet',
          packet: {
            from,
            to: 12,
            channel: 3,
            id,
            rxTime: 1_700_000_000,
            rxSnr: snr,
            rxRssi: rssi,
            hopLimit: 2,
            hopStart: 3,
            viaMqtt: true,
            pkiEncrypted: true,
            publicKey: '07'.repeat(32),
            data: { port: 5, payload: Uint8Array.from(payload), requestId, emoji: true }
          }
        })
      }
    ),
    { numRuns: 200 }
  )
  const read = (bytes: Buffer): unknown => decodeFromRadio(bytes.subarray(4))
  t.same(read(fromRadio({ case: 'myInfo', value: { myNodeNum: 0xa1b2_c3d4 } })), {
    kind: 'my-info',
    nodeNumber: 0xa1b2_c3d4
  })
  t.same(read(fromRadio({ case: 'queueStatus', value: { res: -5, free: 3, maxlen: 16, meshPacketId: 0xffff_ffff } })), {
    kind: 'queue-status',
    status: { result: -5, free: 3, maxLength: 16, packetId: 0xffff_ffff }
  })
  t.match(read(fromRadio({ case: 'clientNotification', value: { message: 'send again in 59 mins', replyId: 4 } })), {
    kind: 'notification',
    text: 'send again in 59 mins',
    replyId: 4
  })
  t.same(read(fromRadio({ case: 'configCompleteId', value: 69_420 })), { kind: 'config-complete', nonce: 69_420 })
  t.same(read(fromRadio({ case: 'rebooted', value: true })), { kind: 'rebooted' })
  t.match(
    read(
      fromRadio({
        case: 'nodeInfo',
        value: { num: 9, lastHeard: 77, hopsAway: 0, deviceMetrics: { batteryLevel: 0 }, user: { longName: 'Bäcker' } }
      })
    ),
    { node: { number: 9, longName: 'Bäcker', lastHeard: 77, hopsAway: 0, device: { battery: 0 } } }
  )
  t.match(read(fromRadio({ case: 'nodeInfo', value: { num: 9 } })), {
    node: { longName: null, hopsAway: null, device: null }
  })
  t.match(
    read(
      fromRadio({
        case: 'config',
        value: {
          payloadVariant: { case: 'lora', value: { usePreset: true, modemPreset: 6, region: 3, txEnabled: true } }
        }
      })
    ),
    { kind: 'lora', lora: { usePreset: true, preset: 6, region: 3, txEnabled: true, hopLimit: 0 } }
  )
  t.match(
    read(
      fromRadio({
        case: 'config',
        value: { payloadVariant: { case: 'security', value: { privateKey: Buffer.alloc(32) } } }
      })
    ),
    { kind: 'other', variant: 5 },
    'the private key is not even decoded'
  )
  t.equal(decodeRoutingError(routing(0)), 0, 'the zero of an acknowledgement is written')
  t.equal(hex(routing(0)), '1800')
  t.equal(decodeRoutingError(routing(38)), 38)
  t.equal(
    decodeRoutingError(
      toBinary(Mesh.RoutingSchema, create(Mesh.RoutingSchema, { variant: { case: 'routeReply', value: {} } }))
    ),
    null
  )
  t.same(decodeTelemetry(deviceTelemetry({ batteryLevel: 101, uptimeSeconds: 5 })), { battery: 101, uptimeSeconds: 5 })
  t.match(
    decodeTelemetry(
      toBinary(
        Telemetry.TelemetrySchema,
        create(Telemetry.TelemetrySchema, {
          variant: { case: 'localStats', value: { airUtilTx: 1.5, uptimeSeconds: 9 } }
        })
      )
    ),
    { airUtilTx: 1.5, uptimeSeconds: 9 }
  )
  t.equal(
    decodeTelemetry(
      toBinary(
        Telemetry.TelemetrySchema,
        create(Telemetry.TelemetrySchema, { variant: { case: 'environmentMetrics', value: { temperature: 20 } } })
      )
    ),
    null
  )
})

t.test(
  'unknown variants and fields are ignored, malformed bytes are refused and never throw anything else',
  async (t) => {
    t.same(decodeFromRadio(Buffer.from('9a01020801', 'hex')), { kind: 'other', variant: 19 })
    t.same(decodeFromRadio(new Uint8Array(0)), { kind: 'other', variant: 0 })
    t.same(decodeFromRadio(Buffer.from('38ac9e04f8ff010141ffffffffffffffff', 'hex')), {
      kind: 'config-complete',
      nonce: 69_420
    })
    for (const bad of ['ff', '0a05', '00', '0b', '3d0000', '39ffffff', '38ffffffffffffffffffff01', 'ffffff']) {
      t.throws(() => decodeFromRadio(Buffer.from(bad, 'hex')), { name: 'ProtobufError' }, bad)
      t.equal(isMessage(Buffer.from(bad, 'hex')), false)
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          decodeFromRadio(bytes)
        } catch (error) {
          if (!(error instanceof ProtobufError)) throw error
        }
      }),
      { numRuns: 2000 }
    )
    const fields = Fields.decode(new Writer().uint(1, 5).bytes(2, Uint8Array.of(1)).finish())
    t.same(
      [fields.uint(2), fields.fixed32(1), fields.float(9), fields.text(1), fields.message(1), fields.bool(7)],
      [0, 0, 0, '', null, false],
      'another wire type than asked for is as good as absent'
    )
    t.same(fromBinary(Mesh.DataSchema, new Writer().uint(1, 1).fixed32(6, 0xffff_ffff).finish()).requestId, 0xffff_ffff)
  }
)

t.test('LoRa settings become what airtime is computed from', async (t) => {
  const lora = (over: Partial<LoraConfig>): LoraConfig => ({
    usePreset: true,
    preset: 0,
    bandwidth: 0,
    spreadFactor: 0,
    codingRate: 0,
    region: 1,
    hopLimit: 3,
    txEnabled: true,
    ...over
  })
  const cases: [string, Partial<LoraConfig>, object][] = [
    ['default', {}, { label: 'LongFast', spreadingFactor: 11, bandwidthHz: 250_000, codingRate: 5, dutyCycle: 1 }],
    ['EU', { region: 3, preset: 6 }, { label: 'ShortFast', spreadingFactor: 7, dutyCycle: 0.1 }],
    ['stored 5 below the preset 8', { preset: 1, codingRate: 5 }, { label: 'LongSlow', codingRate: 8 }],
    ['stored 8 above the preset 5', { codingRate: 8 }, { codingRate: 8 }],
    ['nonsense', { codingRate: 200 }, { codingRate: 5 }],
    ['MediumTurbo', { preset: 16 }, { label: 'MediumTurbo', spreadingFactor: 9, bandwidthHz: 500_000 }],
    ['2.4 GHz', { region: 13 }, { bandwidthHz: 812_500 }],
    ['unknown preset', { preset: 40 }, { label: 'preset 40', spreadingFactor: 12, bandwidthHz: 125_000 }],
    ['unknown region', { region: 90 }, { dutyCycle: 0.01 }],
    [
      'custom',
      { usePreset: false, bandwidth: 62, spreadFactor: 8, codingRate: 6, region: 15 },
      { label: '62.5 kHz SF8 CR6', bandwidthHz: 62_500, dutyCycle: 0.01 }
    ],
    ['custom, nothing set', { usePreset: false }, { bandwidthHz: 250_000, spreadingFactor: 11, codingRate: 5 }]
  ]
  for (const [name, over, expected] of cases) t.match(modemOf(lora(over)), { preambleSymbols: 16, ...expected }, name)
  for (const region of ['EU_868', 'EU_433', 'UA_433', 'UA_868', 'TH']) t.ok(mtDutyCycle(region) < 1, region)
  t.same([0, 1, 3, 13, 15, 99].map(regionName), ['UNSET', 'US', 'EU_868', 'LORA_24', 'UA_868', 'region 99'])
  t.equal(hopLimitOf({ hopLimit: 0 }), 3)
  t.match(inWords(transmitProblem(lora({ region: 0 }))), /region/)
  t.match(inWords(transmitProblem(lora({ txEnabled: false }))), /switched off/)
  t.equal(transmitProblem(lora({})), null)
})

t.test('result 32 of the queue is not error 32 of the routing', async (t) => {
  t.match(queueRefusal(32), { code: 'QUEUE_FULL', retry: true })
  t.match(routingMeaning(32), { kind: 'refused', refusal: { code: 'BAD_REQUEST', retry: false } })
  t.match(queueRefusal(6), { code: 'NO_CHANNEL', retry: false })
  t.match(routingMeaning(5), { kind: 'after-air' })
  t.match(routingMeaning(77), { kind: 'unclear' })
})

t.test('what looks like headers is told from a message as cheaply as it is read', async (t) => {
  const decodes = (bytes: Uint8Array): boolean => {
    try {
      Fields.decode(bytes)
      return true
    } catch (error) {
      if (error instanceof ProtobufError) return false
      throw error
    }
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      t.equal(isMessage(bytes), decodes(bytes))
    }),
    { numRuns: 2000 }
  )
  t.equal(isMessage(Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f)), false, 'a length beyond its end')
  const parser = new FrameParser(isMessage)
  const noise = Buffer.from('94c3020094c30001'.repeat(8000), 'hex')
  t.same(parser.push(noise), [])
  t.same(Buffer.from(parser.noise), noise.subarray(parser.skipped - 256, parser.skipped), 'the last 256 bytes are kept')
})
