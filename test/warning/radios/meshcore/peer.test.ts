import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { systemClock, VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { configSchema } from '../../../../src/settings/schema.ts'
import { createRadios } from '../../../../src/warning/radios/create.ts'
import type { Radio, RadioMessage, Receipt } from '../../../../src/warning/radios/radio.ts'
import { needsFixture } from '../../../helpers/fixtures.ts'
import { inWords } from '../../../helpers/in-words.ts'
import { hasSocat, Peer } from '../../../helpers/peer.ts'
import { MeshcoreNode } from '../../../peers/meshcore-node.ts'

/** The answers of the node in a recording, or of the peer to the same commands: their codes, and the numbers of the errors. */
function codesOf(stream: Buffer): string[] {
  const codes: string[] = []
  for (let at = 0; at < stream.length; at += 3 + stream.readUInt16LE(at + 1)) {
    const code = stream[at + 3] ?? 0
    if (code < 0x80) codes.push(code === 1 ? `01${stream[at + 4]}` : code.toString(16).padStart(2, '0'))
  }
  return codes
}

t.test('the peer answers the commands of the recordings as the firmware did', async (t) => {
  const first = needsFixture(t, 'radio/meshcore-1.17.1/02-channel-table.sender.jsonl')
  if (first === null) return
  const sessions = [
    '01-app-start.receiver',
    '02-channel-table.sender',
    '02-channel-table.receiver',
    '05-empty-slot.sender',
    '07-pool-full.sender',
    '08-contacts.receiver',
    '09-stats-battery.sender',
    '12-advert.sender'
  ]
  for (const name of sessions) {
    const lines = readFileSync(join(dirname(first), `${name}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean)
    const chunks = lines.map((line): { dir: string; hex: string } => JSON.parse(line))
    const stream = (dir: string): Buffer =>
      Buffer.from(
        chunks
          .filter((chunk) => chunk.dir === dir)
          .map(({ hex }) => hex)
          .join(''),
        'hex'
      )
    const clock = new VirtualClock(Date.UTC(2026, 10, 21))
    const node = new MeshcoreNode({ time: clock, rule: 'serial', contacts: [{ name: 'bob' }] })
    const answers: Buffer[] = []
    const client = node.attach({ write: (bytes) => answers.push(bytes), close: () => undefined })
    const commands = stream('to_device')
    for (let at = 0; at < commands.length; at += 3 + commands.readUInt16LE(at + 1)) {
      const command = commands.subarray(at, at + 3 + commands.readUInt16LE(at + 1))
      client.data(command)
    }
    const wanted = codesOf(stream('from_device'))
    const got = codesOf(Buffer.concat(answers))
    // The third command sets the clock: whether it was behind is no matter of the protocol.
    const comparable = (codes: string[]): string[] => codes.toSpliced(2, 1)
    t.same(comparable(got), comparable(wanted), name)
    node.powerOff()
  }
})

t.test('the peer treats a frame that is too long as the firmware does: cut on serial, silence on TCP', async (t) => {
  for (const [rule, answers] of [
    ['serial', 1],
    ['tcp', 0]
  ] as const) {
    const clock = new VirtualClock(0)
    const node = new MeshcoreNode({ time: clock, rule })
    const heard: Buffer[] = []
    const client = node.attach({ write: (bytes) => heard.push(bytes), close: () => undefined })
    const text = Buffer.concat([Buffer.of(3, 0, 0, 1, 0, 0, 0), Buffer.alloc(193, 'é')])
    client.data(Buffer.concat([Buffer.of(0x3c, text.length, 0), text]))
    t.equal(heard.length, answers, rule)
    client.data(Buffer.from('3c010005', 'hex'))
    t.equal(heard.length, answers + 1, 'and the next command is answered')
    await clock.runTo(60_000)
    t.same(
      node.transmitted.map(({ text: sent }) => [Buffer.byteLength(sent) >= 160, sent.endsWith('\uFFFD')]),
      rule === 'serial' ? [[true, true]] : []
    )
  }
})

const LIMIT_MS = 20_000

async function until<T>(find: () => T | undefined, listen: (look: () => void) => unknown, what: string): Promise<T> {
  const found = find()
  if (found !== undefined) return found
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), LIMIT_MS)
    listen(() => {
      const now = find()
      if (now === undefined) return
      clearTimeout(timer)
      resolve(now)
    })
  })
}

const state = (radio: Radio, wanted: string): Promise<true> =>
  until(
    () => (radio.health().state === wanted ? true : undefined),
    (look) => radio.onChange(look),
    `state ${wanted}`
  )

async function made(entry: object): Promise<{ radio: Radio; receipts: Receipt[] }> {
  const { radios } = v.parse(configSchema, { radios: [{ id: 'hill', network: 'mc', ...entry }] })
  const [radio] = await createRadios({
    configured: radios,
    allowSimulatedDefault: false,
    mcNames: () => [],
    clock: systemClock,
    random: () => 0
  })
  const receipts: Receipt[] = []
  radio!.onReceipt((receipt) => receipts.push(receipt))
  return { radio: radio!, receipts }
}

let timestamp = Math.floor(Date.now() / 1000)
const message = (text: string, over: Partial<RadioMessage> = {}): RadioMessage => ({
  channel: 'north-fire',
  text,
  identity: { senderTimestamp: ++timestamp },
  ...over
})

/** The traffic that every link has to carry: a text out and heard, one in, a direct one acknowledged. */
async function conversation(t: Test, peer: Peer, radio: Radio, receipts: Receipt[]): Promise<void> {
  await radio.connect()
  t.match(radio.description, { nodeName: 'Ridge', modem: { label: '62.5 kHz SF7 CR5' } })
  const texts: string[] = []
  radio.onText?.(({ fromName, text }) => texts.push(`${fromName}: ${text}`))
  t.equal((await radio.send(message('Smoke North ✅'))).kind, 'sent')
  const onAir = await peer.until('transmitted')
  t.match(onAir, { channel: 'north-fire', text: 'Ridge: Smoke North ✅', fresh: true })
  await peer.tell({ do: 'text', slot: 1, from: 'bob', text: 'seen' })
  await until(
    () => texts[0],
    (look) => radio.onText?.(look),
    'a text'
  )
  t.same(texts, ['bob: seen'])
  t.equal((await radio.send(message('hi', { to: 'bob' }))).kind, 'sent')
  const kinds = await until(
    () => (receipts.length >= 2 ? receipts.map(({ kind }) => kind) : undefined),
    (look) => radio.onReceipt(look),
    'receipts'
  )
  t.same(kinds.sort(), ['delivered', 'heard'])
}

t.test('over TCP, against the peer in a process of its own', async (t) => {
  const peer = await Peer.start('mc', ['--port', '0', '--air-scale', '0.3'])
  const { port } = peer
  const { radio, receipts } = await made({ link: 'tcp', host: '127.0.0.1', port })
  t.teardown(() => radio.close())
  await conversation(t, peer, radio, receipts)
  t.match(radio.description, { link: 'tcp', simulated: false })

  await peer.tell({ do: 'fault', kind: 'drop', command: 3 })
  t.equal((await radio.send(message('into the loss'))).kind, 'unknown')
  t.match(inWords(radio.health()), { state: 'down', reason: /closed|reset/ })
  t.match(await radio.send(message('meanwhile')), { kind: 'refused', code: 'NOT_CONNECTED' })
  await state(radio, 'ready')
  t.equal((await radio.send(message('back'))).kind, 'sent')

  // Oversize: the firmware skips such a frame on TCP without a word, so none may ever be sent.
  t.match(await radio.send(message('x'.repeat(154))), { kind: 'refused', code: 'TOO_LARGE' })
  await radio.close()
  await peer.until('client gone')
  await peer.stop()
})

t.test(
  'pitfall 21, over a serial port: in use, unplugged, plugged in again, and the rules of the USB firmware',
  async (t) => {
    if (!t.ok(hasSocat(), 'socat is installed: it makes the pseudo-terminal')) return
    const folder = mkdtempSync(join(tmpdir(), 'mc-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'ttyMC0')
    const absent = await made({ link: 'serial', path })
    absent.radio.connect().catch(() => undefined)
    await state(absent.radio, 'down')
    t.match(inWords(absent.radio.health().reason), /is not there; is the radio plugged in/)
    await absent.radio.close()

    const peer = await Peer.start('mc', ['--port', '0', '--pty', path, '--air-scale', '0.3', '--protocol', '8'])
    const { radio, receipts } = await made({ link: 'serial', path })
    t.teardown(() => radio.close())
    await conversation(t, peer, radio, receipts)
    t.match(radio.description, { link: 'serial' })

    const second = await made({ link: 'serial', path })
    second.radio.connect().catch(() => undefined)
    await state(second.radio, 'down')
    t.match(inWords(second.radio.health().reason), /in use by another program|permission|busy/i)
    await second.radio.close()

    await peer.tell({ do: 'unplug' })
    await state(radio, 'down')
    t.ok(radio.health().reason)
    await peer.tell({ do: 'plug' })
    await state(radio, 'ready')
    t.equal((await radio.send(message('plugged in again'))).kind, 'sent')
    await radio.close()
    await peer.stop()
  }
)
