import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { Mesh } from '@meshtastic/protobufs'
import t from 'tap'
import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { type MemoryEnd, memorySource } from '../../../../src/warning/radios/link/memory.ts'
import { MeshtasticRadio } from '../../../../src/warning/radios/meshtastic/driver.ts'
import { FrameParser } from '../../../../src/warning/radios/meshtastic/frames.ts'
import { decodeFromRadio, type FromRadio, isMessage } from '../../../../src/warning/radios/meshtastic/messages.ts'
import type { InboundText, Receipt, SendOutcome } from '../../../../src/warning/radios/radio.ts'
import { settled } from '../../../contract/radio.ts'
import { needsFixture } from '../../../helpers/fixtures.ts'
import { ClientFrames, toRadioOrNull } from '../../../peers/meshtastic-wire.ts'
import { START } from './bench.ts'

const FOLDER = 'radio/meshtastic-2.7.26'

interface Line {
  t_ms: number
  dir: 'to_device' | 'from_device'
  hex: string
  event?: string
}

const read = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

const CASES: Record<string, string> = {
  packet: 'packet',
  myInfo: 'my-info',
  nodeInfo: 'node-info',
  channel: 'channel',
  queueStatus: 'queue-status',
  metadata: 'metadata',
  clientNotification: 'notification',
  configCompleteId: 'config-complete',
  rebooted: 'rebooted'
}

/** The published definitions' reading of a message, in our words. */
function oracle(payload: Uint8Array): {
  kind: string
  message: ReturnType<typeof fromBinary<typeof Mesh.FromRadioSchema>>
} {
  const message = fromBinary(Mesh.FromRadioSchema, payload)
  const { payloadVariant } = message
  if (payloadVariant.case === 'config') {
    return { kind: payloadVariant.value.payloadVariant.case === 'lora' ? 'lora' : 'other', message }
  }
  return { kind: CASES[payloadVariant.case ?? ''] ?? 'other', message }
}

t.test('every recorded byte of the node decodes, with the same meaning as by the published definitions', async (t) => {
  const folder = needsFixture(t, FOLDER)
  if (folder === null) return
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  t.equal(files.length, 31)
  let frames = 0
  const kinds = new Map<string, number>()
  for (const name of files) {
    let parser = new FrameParser(isMessage)
    const wrong: string[] = []
    for (const { dir, hex, event } of read(join(folder, name))) {
      if (event !== undefined) parser = new FrameParser(isMessage)
      if (dir !== 'from_device') continue
      for (const payload of parser.push(Buffer.from(hex, 'hex'))) {
        frames++
        const mine = decodeFromRadio(payload)
        const theirs = oracle(payload)
        kinds.set(mine.kind, (kinds.get(mine.kind) ?? 0) + 1)
        if (mine.kind !== theirs.kind) wrong.push(`${mine.kind} is ${theirs.kind}`)
        else wrong.push(...differences(mine, theirs.message))
      }
      if (parser.skipped > 0) wrong.push(`${parser.skipped} bytes skipped`)
    }
    t.same(wrong, [], name)
  }
  t.ok(frames > 3000, `${frames} frames`)
  for (const kind of [
    'packet',
    'my-info',
    'node-info',
    'lora',
    'channel',
    'queue-status',
    'metadata',
    'config-complete'
  ]) {
    t.ok((kinds.get(kind) ?? 0) > 0, `${kind}: ${kinds.get(kind)}`)
  }
})

function differences(mine: FromRadio, { payloadVariant: theirs }: ReturnType<typeof oracle>['message']): string[] {
  const pairs: [string, unknown, unknown][] = []
  if (mine.kind === 'packet' && theirs.case === 'packet') {
    const { packet } = mine
    const { value } = theirs
    for (const key of ['from', 'to', 'channel', 'id', 'rxTime', 'rxSnr', 'rxRssi', 'hopLimit', 'hopStart'] as const) {
      pairs.push([key, packet[key], value[key]])
    }
    if (value.payloadVariant.case === 'decoded') {
      pairs.push(['port', packet.data?.port, value.payloadVariant.value.portnum])
      pairs.push(['requestId', packet.data?.requestId, value.payloadVariant.value.requestId])
      pairs.push([
        'payload',
        Buffer.from(packet.data?.payload ?? []).toString('hex'),
        Buffer.from(value.payloadVariant.value.payload).toString('hex')
      ])
    } else pairs.push(['data', packet.data, null])
  } else if (mine.kind === 'queue-status' && theirs.case === 'queueStatus') {
    const { res, free, maxlen, meshPacketId } = theirs.value
    pairs.push(['status', Object.values(mine.status).join(), [res, free, maxlen, meshPacketId].join()])
  } else if (mine.kind === 'channel' && theirs.case === 'channel') {
    const { index, settings, role } = theirs.value
    pairs.push(['channel', Object.values(mine.channel).join(), [index, settings?.name ?? '', role].join()])
  } else if (mine.kind === 'node-info' && theirs.case === 'nodeInfo') {
    pairs.push(['node', mine.node.number, theirs.value.num])
    pairs.push(['name', mine.node.longName, theirs.value.user?.longName ?? null])
  } else if (mine.kind === 'my-info' && theirs.case === 'myInfo') {
    pairs.push(['number', mine.nodeNumber, theirs.value.myNodeNum])
  } else if (mine.kind === 'config-complete' && theirs.case === 'configCompleteId') {
    pairs.push(['nonce', mine.nonce, theirs.value])
  }
  return pairs.filter(([, a, b]) => !Object.is(a, b)).map(([what, a, b]) => `${what}: ${a} is ${b}`)
}

interface Step {
  /** The text that the client of the recording wrote, or null for bytes of the node. */
  text: { id: number; channel: number; to: number; text: string } | null
  bytes: Buffer
}

/** The recording as steps: the client's texts, and the node's bytes after each. Everything before the first text answers the handshake. */
function steps(lines: readonly Line[]): { handshake: Buffer; rest: Step[] } {
  const handshake: Buffer[] = []
  const rest: Step[] = []
  const frames = new ClientFrames()
  for (const { dir, hex } of lines) {
    const bytes = Buffer.from(hex, 'hex')
    if (dir === 'from_device') {
      if (rest.length === 0) handshake.push(bytes)
      else rest.push({ text: null, bytes })
      continue
    }
    for (const payload of frames.push(bytes)) {
      const variant = toRadioOrNull(payload)?.payloadVariant
      if (variant?.case !== 'packet' || variant.value.payloadVariant.case !== 'decoded') continue
      const { id, channel, to } = variant.value
      const text = Buffer.from(variant.value.payloadVariant.value.payload).toString()
      if (Number(variant.value.payloadVariant.value.portnum) === 1)
        rest.push({ text: { id, channel, to, text }, bytes })
    }
  }
  return { handshake: Buffer.concat(handshake), rest }
}

interface Replay {
  radio: MeshtasticRadio
  outcomes: Record<string, SendOutcome['kind'] | string>
  receipts: Receipt[]
  texts: InboundText[]
}

/** Plays the node's side: the handshake when asked for, then each answer after the text it followed. Only the order counts. */
async function replay(file: string): Promise<Replay> {
  const clock = new VirtualClock(START)
  const { handshake, rest } = steps(read(file))
  let end: MemoryEnd | null = null
  let asked = false
  const source = memorySource((device) => {
    end = device
    const frames = new ClientFrames()
    device.onData((bytes) => {
      for (const payload of frames.push(bytes)) {
        const variant = toRadioOrNull(payload)?.payloadVariant
        if (variant?.case === 'wantConfigId' && !asked) {
          asked = true
          device.write(handshake)
        } else if (variant?.case === 'heartbeat') device.write(Buffer.from('94c300065a0410101810', 'hex'))
      }
    })
  })
  const radio = new MeshtasticRadio({ id: 'mt', source, clock, random: () => 0.5 })
  const receipts: Receipt[] = []
  const texts: InboundText[] = []
  radio.onReceipt((receipt) => receipts.push(receipt))
  radio.onText((text) => texts.push(text))
  await settled(clock, radio.connect())
  await clock.runTo(clock.now() + 2000)
  const outcomes: Replay['outcomes'] = {}
  const sends: Promise<void>[] = []
  for (const { text, bytes } of rest) {
    if (text === null) (end as MemoryEnd | null)?.write(bytes)
    else {
      const to = text.to === 0xffff_ffff ? {} : { to: String(text.to) }
      const sent = radio.send({ channel: text.channel, text: text.text, identity: { packetId: text.id }, ...to })
      const name = `${text.text.slice(0, 24)}/${Buffer.byteLength(text.text)}`
      const note = (outcome: SendOutcome): void => {
        outcomes[name] = outcome.kind === 'refused' ? outcome.code : outcome.kind
      }
      sends.push(sent.then(note))
    }
    await clock.runTo(clock.now() + 50)
  }
  await settled(clock, Promise.all(sends))
  await clock.runTo(clock.now() + 200_000)
  await radio.close()
  return { radio, outcomes, receipts, texts }
}

t.test('the recorded nodes, replayed: what the driver makes of their answers', async (t) => {
  const folder = needsFixture(t, FOLDER)
  if (folder === null) return
  const tally = ({ receipts }: Replay): string[] => receipts.map(({ kind }) => kind)

  const acks = await replay(join(folder, '03-text-ack.sender.jsonl'))
  t.same(Object.values(acks.outcomes), ['sent', 'sent', 'sent'])
  t.same(tally(acks), ['heard', 'heard', 'delivered'])
  t.match(acks.texts, [{ text: 'bravo answers', from: '!0000000c', channel: 1, late: false }])
  t.match(acks.radio.description, { nodeName: 'Alpha node', modem: { label: 'LongFast', dutyCycle: 1 } })
  t.same(
    acks.radio.channels().map(({ name, enabled }) => `${name}:${enabled}`),
    ['LongFast:true', 'alerts:true', ...Array.from({ length: 6 }, () => ':false')]
  )

  const limit = await replay(join(folder, '05-rate-limit.sender.jsonl'))
  t.match(limit.outcomes, { 'first/5': 'sent', 'second too soon/15': 'RATE_LIMIT_EXCEEDED' })

  const size = await replay(join(folder, '06-oversize.jsonl'))
  const x = 'x'.repeat(24)
  t.same(size.outcomes, {
    [`${x}/228`]: 'sent',
    [`${x}/232`]: 'sent',
    [`${x}/233`]: 'TOO_LARGE',
    [`${x}/234`]: 'TOO_LARGE',
    [`${x}/235`]: 'TOO_LARGE',
    [`${x}/240`]: 'TOO_LARGE'
  })

  const channels = await replay(join(folder, '07-bad-channel.jsonl'))
  t.same(new Set(Object.values(channels.outcomes)), new Set(['NO_CHANNEL']))
  t.same(channels.receipts, [])

  const incoming = await replay(join(folder, '04-incoming-text.jsonl'))
  t.equal(incoming.texts.length, 3)
  t.same(
    incoming.texts.map(({ direct, channel }) => [direct, channel]),
    [
      [false, 0],
      [false, 1],
      [true, null]
    ]
  )
})
