import t from 'tap'
import * as v from 'valibot'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { RadioProbe } from '../../../src/station/radio-probe.ts'
import { type MemoryEnd, memorySource } from '../../../src/warning/radios/link/memory.ts'
import { type FoundRadio, probeRadio } from '../../../src/warning/radios/probe.ts'
import { radioSchema } from '../../../src/warning/radios/settings.ts'
import { settled } from '../../contract/radio.ts'
import { MeshcoreNode } from '../../peers/meshcore-node.ts'
import { MeshtasticNode } from '../../peers/meshtastic-node.ts'
import { join } from './meshtastic/bench.ts'

const START = Date.UTC(2026, 0, 1)

function meshcore(clock: VirtualClock): { node: MeshcoreNode; accept: (end: MemoryEnd) => void } {
  const node = new MeshcoreNode({
    time: clock,
    name: 'Hill-1',
    slots: [
      { slot: 0, name: 'Public' },
      { slot: 3, name: 'north-fire' }
    ],
    print: () => undefined
  })
  const accept = (end: MemoryEnd): void => {
    const client = node.attach({ write: (bytes) => end.write(bytes), close: () => end.close() })
    end.onData((bytes) => client.data(bytes))
    end.onClose(() => client.gone())
  }
  return { node, accept }
}

/** Asks whatever is behind the link; answers what it found and whether the link was closed again. */
async function probed(
  clock: VirtualClock,
  accept: (end: MemoryEnd) => void
): Promise<{ found: FoundRadio; closed: boolean }> {
  let closed = false
  const source = memorySource((end) => {
    end.onClose(() => {
      closed = true
    })
    accept(end)
  })
  const found = await settled(clock, probeRadio({ source, clock, signal: new AbortController().signal }))
  return { found, closed }
}

t.test(
  'a MeshCore companion tells its name, its board and its channels; nothing is sent and nothing set',
  async (t) => {
    const clock = new VirtualClock(START)
    const { node, accept } = meshcore(clock)
    const { found, closed } = await probed(clock, accept)
    t.match(found, {
      network: 'mc',
      node: 'Hill-1',
      firmware: 'v1.17.1',
      channels: [{ id: 'Public' }, { id: 'north-fire' }],
      problem: null
    })
    t.ok(found.model)
    t.ok(closed)
    t.same(node.transmitted, [])
    const setTime = 0x06
    t.notOk(node.commands.includes(setTime), 'its clock is left alone')
    node.powerOff()
  }
)

t.test('a Meshtastic node tells its name and its channels', async (t) => {
  const clock = new VirtualClock(START)
  const node = new MeshtasticNode({ clock })
  const { found } = await probed(clock, (end) => join(node, end))
  t.match(found, { network: 'mt', problem: null, firmware: /^\d+\.\d+/ })
  t.ok(found.channels.some(({ enabled }) => enabled))
  t.not(found.node, '')
  node.stop()
})

t.test('silence, other devices, a cut link and a stop end it, each with a reason', async (t) => {
  const clock = new VirtualClock(START)
  const ask = (accept: (end: MemoryEnd) => void) => probed(clock, accept)
  await t.rejects(
    ask(() => undefined),
    { code: 'unavailable', reason: { code: 'no_radio_answers' } }
  )
  await t.rejects(
    ask((end) => end.onData(() => end.write(Buffer.from('$GPGGA,1234*00\r\n')))),
    { code: 'unavailable', reason: { code: 'no_radio_answers' } }
  )
  await t.rejects(
    ask((end) => end.onData(() => end.close())),
    { code: 'unavailable', reason: { code: 'radio_hung_up' } }
  )
  // It answers as Meshtastic does, and never ends its configuration.
  await t.rejects(
    ask((end) => end.onData(() => end.write(Uint8Array.of(0x94, 0xc3, 0, 0)))),
    { code: /unavailable|timeout/ }
  )
  const under = new AbortController()
  const waiting = probeRadio({ source: memorySource(() => undefined), clock, signal: under.signal })
  const ended = t.rejects(waiting, { code: 'conflict', reason: { code: 'probe_stopped' } })
  under.abort()
  await ended
})

t.test('a radio that is configured is never disturbed, and one question is asked at a time', async (t) => {
  const radios = [
    v.parse(radioSchema, { id: 'hill', network: 'mt', link: 'tcp', host: 'Radio.local' }),
    v.parse(radioSchema, { id: 'usb', network: 'mc', link: 'serial', path: '/dev/null' })
  ]
  const probe = new RadioProbe({ radios: () => radios, transmit: true, clock: new VirtualClock(START) })
  await t.rejects(probe.ask({ host: 'radio.local', port: 4403 }), {
    code: 'conflict',
    reason: { code: 'port_is_used', params: { radio: 'hill' } }
  })
  await t.rejects(probe.ask({ path: '/dev/../dev/null' }), { code: 'conflict', reason: { params: { radio: 'usb' } } })
  // Nobody listens at port 1 of this machine.
  const first = t.rejects(probe.ask({ host: '127.0.0.1', port: 1 }), { code: 'unavailable' })
  await t.rejects(probe.ask({ host: '127.0.0.1', port: 1 }), { code: 'conflict', reason: { code: 'probe_under_way' } })
  await first
  const preview = new RadioProbe({ radios: () => [], transmit: false, clock: new VirtualClock(START) })
  await t.rejects(preview.ask({ host: '127.0.0.1', port: 1 }), { code: 'unavailable' })
})
