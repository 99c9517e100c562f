import t from 'tap'
import type { MeshNode } from '../../../src/warning/radios/radio.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** A catch-up that nobody asked for: docs/commands.md. */

const HOUR = 3600
const BACK = '!0000000b'
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [-117, 43],
      [-116, 43],
      [-116, 44],
      [-117, 44],
      [-117, 43]
    ]
  ]
}
const BURN = { id: 'a', title: 'Pine Fire', severity: 'critical', geometry: square, expires: '2026-06-02T18:00:00Z' }

interface World {
  s: Station
  /** A node is heard now. */
  hear: (id: string, position?: MeshNode['position']) => void
  direct: () => string[]
}

async function world(t: Parameters<typeof station>[0], hours: number): Promise<World> {
  const s = await station(t, {
    config: { ...withMatrix({ fire: { North: { mt: 3 } } }), commands: { catchup_unasked_hours: hours } }
  })
  const nodes = new Map<string, MeshNode>()
  const details = { firmware: null, batteryPercent: null, batteryMillivolts: null, channelUtilization: null }
  Object.assign(s.mt, {
    details: () => ({ ...details, airUtilization: null, queueLength: null, nodes: [...nodes.values()] })
  })
  return {
    s,
    hear: (id, position = null) =>
      void nodes.set(id, { id, name: id, lastHeardAt: s.clock.now(), batteryPercent: null, position }),
    direct: () => s.mt.airLog.flatMap(({ to, text }) => (to === undefined ? [] : [`${to} ${text}`]))
  }
}

t.test('off by default: nobody is told anything unasked', async (t) => {
  const { s, hear, direct } = await world(t, 0)
  await s.post(BURN)
  await s.run(HOUR)
  hear(BACK)
  await s.run(HOUR)
  t.same(direct(), [])
})

t.test(
  'a node that is heard again after the hours, or for the first time, is told once what is in force',
  async (t) => {
    const { s, hear, direct } = await world(t, 6)
    hear(BACK)
    await s.post(BURN)
    await s.run(5 * HOUR)
    hear(BACK)
    await s.run(600)
    t.same(direct(), [], 'it was away for five hours')
    await s.run(7 * HOUR)
    hear(BACK)
    await s.run(120)
    t.match(direct(), [/^!0000000b .*Pine Fire/])
    await s.run(600)
    hear(BACK)
    await s.run(600)
    t.equal(direct().length, 1)
    hear('!0000000c')
    await s.run(120)
    t.match(direct()[1], /^!0000000c .*Pine Fire/)
  }
)

t.test('a node that told a place elsewhere is told nothing, and nothing in force is no text', async (t) => {
  const { s, hear, direct } = await world(t, 6)
  await s.run(HOUR)
  hear('!0000000c')
  await s.run(120)
  t.same(direct(), [])
  await s.post(BURN)
  await s.run(HOUR)
  hear('!0000000d', { lat: 50, lon: 8, at: s.clock.now() })
  hear('!0000000e', { lat: 43.5, lon: -116.5, at: s.clock.now() })
  await s.run(300)
  t.match(direct(), [/^!0000000e .*Pine Fire/])
})

t.test('nodes that a radio lists after a start have not come back, and four are told in an hour', async (t) => {
  const { s, hear, direct } = await world(t, 6)
  await s.post(BURN)
  for (let n = 1; n <= 9; n++) hear(`!000000a${n}`)
  await s.run(HOUR)
  t.same(direct(), [])
  for (let n = 1; n <= 9; n++) hear(`!000000b${n}`)
  await s.run(HOUR / 2)
  t.equal(direct().length, 4)
})

t.test('a node that a second radio of its network has not heard for hours was not away', async (t) => {
  const { s, hear, direct } = await world(t, 6)
  await s.post(BURN)
  await s.run(HOUR)
  const long = { id: BACK, name: BACK, lastHeardAt: s.clock.now() - 20 * HOUR * 1000, batteryPercent: null }
  const none = { firmware: null, batteryPercent: null, batteryMillivolts: null, channelUtilization: null }
  Object.defineProperty(s.mc, 'description', { value: { ...s.mc.description, network: 'mt' } })
  Object.assign(s.mc, { details: () => ({ ...none, airUtilization: null, queueLength: null, nodes: [long] }) })
  for (let minute = 0; minute < 20; minute++) {
    hear(BACK)
    await s.run(60)
  }
  t.equal(direct().length, 1, 'it is told once')
})

const FLOOD = {
  id: 'f',
  title: 'Mill River',
  severity: 'critical',
  regions: ['South'],
  expires: '2026-06-02T18:00:00Z'
}
const TWO_CHANNELS = withMatrix({ fire: { North: { mt: 3 }, South: { mt: 4, mc: 'south' }, East: { mc: 'east' } } })
const listed = { id: 'p', name: 'Anna', batteryPercent: null }

/** A station whose radio `which` lists these nodes. */
async function listing(
  t: Parameters<typeof station>[0],
  which: 'mt' | 'mc'
): Promise<{ s: Station; nodes: MeshNode[] }> {
  const s = await station(t, { config: { ...TWO_CHANNELS, commands: { catchup_unasked_hours: 6 } } })
  const nodes: MeshNode[] = []
  const none = { firmware: null, batteryPercent: null, batteryMillivolts: null, channelUtilization: null }
  Object.assign(s[which], { details: () => ({ ...none, airUtilization: null, queueLength: null, nodes }) })
  await s.post(BURN)
  await s.post(FLOOD)
  await s.run(HOUR)
  return { s, nodes }
}
const toldOn = (s: Station, which: 'mt' | 'mc'): string[] =>
  s[which].airLog.flatMap(({ to, text }) => (to === undefined ? [] : [`${to} ${text}`]))

t.test('without a position it is told what the matrix sends to the channel it wrote on', async (t) => {
  const { s, nodes } = await listing(t, 'mt')
  s.mt.receive({ text: 'good evening', from: BACK, channel: 4, direct: false, proven: false })
  nodes.push({ ...listed, id: BACK, lastHeardAt: s.clock.now() })
  await s.run(600)
  t.match(toldOn(s, 'mt'), [/^!0000000b .*Mill River/])
})

t.test('one that never wrote is told what the matrix sends on any channel of its network, and no more', async (t) => {
  const { s, nodes } = await listing(t, 'mt')
  await s.post({ ...FLOOD, id: 'e', title: 'East River', regions: ['East'] })
  await s.run(HOUR)
  nodes.push({ ...listed, id: BACK, lastHeardAt: s.clock.now() })
  await s.run(600)
  const told = toldOn(s, 'mt').join('\n')
  t.match(told, /Pine Fire/)
  t.match(told, /Mill River/)
  t.notMatch(told, /East River/, 'it goes to MeshCore alone')
})

t.test(
  'on MeshCore a person whose advert is heard is told by direct text; a repeater, or a clock ahead, is not',
  async (t) => {
    const { s, nodes } = await listing(t, 'mc')
    const heard = s.clock.now()
    nodes.push({ ...listed, id: '0123456789ab', lastHeardAt: heard, isPerson: true })
    nodes.push({ ...listed, id: 'aaaaaaaaaaaa', lastHeardAt: heard, isPerson: false })
    nodes.push({ ...listed, id: 'bbbbbbbbbbbb', lastHeardAt: heard + HOUR * 1000 * 24, isPerson: true })
    await s.run(600)
    t.match(toldOn(s, 'mc'), [/^0123456789ab .*Mill River/])
  }
)
