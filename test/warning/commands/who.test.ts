import t from 'tap'
import { peopleInside, placedNodes } from '../../../src/warning/commands/who.ts'
import type { MeshNode, NodePosition } from '../../../src/warning/radios/radio.ts'
import { asks } from '../../helpers/asks.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** `!who CODE`: docs/commands.md. */

const NODE = '!a1b2c3d4'
const PROOF = '11'.repeat(32)
const config = { ...withMatrix({ fire: { North: { mt: 3 } } }), commands: { admins: [NODE] } }
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
const node = (id: string, name: string, position: NodePosition | null): MeshNode => ({
  id,
  name,
  lastHeardAt: START,
  batteryPercent: null,
  position
})
const MINUTE = 60_000
const NODES = [
  node('!00000001', 'Bert', { lat: 43.5, lon: -116.5, at: START - 180 * MINUTE }),
  node('!00000002', 'Anna', { lat: 43.9, lon: -116.1, at: START - 4 * MINUTE }),
  node('!00000003', 'Outside', { lat: 42, lon: -116.5, at: START }),
  node('!00000004', 'Nowhere', null),
  node('!00000005', '', { lat: 43.1, lon: -116.9, at: START - 72 * 60 * MINUTE })
]

async function opened(t: Parameters<typeof station>[0], event: object): Promise<{ s: Station; code: string }> {
  const s = await station(t, { config })
  const details = { firmware: null, batteryPercent: null, batteryMillivolts: null, channelUtilization: null }
  Object.assign(s.mt, { details: () => ({ ...details, airUtilization: null, queueLength: null, nodes: NODES }) })
  await s.post({ id: 'a', title: 'Pine Fire', severity: 'critical', ...event })
  await s.run(30)
  return { s, code: s.deliveries()[0]?.code ?? '' }
}
const say = async (s: Station, text: string, more: object = {}): Promise<string> =>
  (await asks(s, s.mt, { from: NODE, publicKey: PROOF, text, ...more })).join(' | ')

t.test('an admin hears who is inside of an alert, with the age of each position and no position', async (t) => {
  const { s, code } = await opened(t, { geometry: square })
  const answer = await say(s, `!who ${code}`)
  t.equal(answer, `${NODE} #${code}: 3 of 4 known positions inside: Anna 5m, Bert 3h, !00000005 3d. 1 nodes told none.`)
  t.notMatch(answer, /43|116/)
})

t.test(
  'nobody else hears it: not on a channel, not unproven, not another node, and it is not in their help',
  async (t) => {
    const { s, code } = await opened(t, { geometry: square })
    for (const more of [{ from: '!00000009' }, { proven: false }, { channel: 3, direct: false }])
      t.notMatch(await say(s, `!who ${code}`, more), /inside|Anna/, JSON.stringify(more))
    t.notMatch(await say(s, '!help', { from: '!00000009' }), /!who/)
    t.match(await say(s, '!help'), /!who CODE/)
  }
)

t.test('an alert without an area tells nobody, and an unknown code is told', async (t) => {
  const { s, code } = await opened(t, { lat: 43.5, lon: -116.5 })
  t.match(await say(s, `!who ${code}`), /no area that can be drawn here/)
  t.match(await say(s, '!who ZZZZ'), /No alert has the code ZZZZ/)
})

t.test('what two radios hear is one node, where it said it is last, heard when either heard it last', (t) => {
  const old = { ...node('!00000001', 'Bert', { lat: 43, lon: -116, at: START - 9 * MINUTE }), lastHeardAt: START }
  const fresh = { ...node('!00000001', 'Bert', { lat: 44, lon: -116, at: START }), lastHeardAt: START - MINUTE }
  const silent = { ...node('!00000002', '', { lat: 1, lon: 2, at: START - MINUTE }), lastHeardAt: null }
  const bert = { id: '!00000001', name: 'Bert', lat: 44, lon: -116, at: START, heardAt: START }
  const nameless = { id: '!00000002', name: '!00000002', lat: 1, lon: 2, at: START - MINUTE, heardAt: null }
  t.same(placedNodes([silent, old, fresh, node('!3', 'Nowhere', null)]), [bert, nameless])
  t.same(placedNodes([fresh, old]), [bert])
  t.end()
})

t.test(
  'a node that two radios hear is one person inside, by the place it told last and by the name that either knows',
  (t) => {
    const old = node('!00000001', 'Bert', { lat: 43.5, lon: -116.5, at: START - 9 * MINUTE })
    const fresh = node('!00000001', '', { lat: 43.6, lon: -116.6, at: START })
    const east = { covers: (_lat: number, lon: number) => lon > -116.55, whole: true }
    const everywhere = { covers: () => true, whole: true }
    const bert = { name: 'Bert', at: START }
    for (const heard of [
      [old, fresh],
      [fresh, old]
    ]) {
      t.same(peopleInside(heard, everywhere), { nodes: [bert], placed: 1, untold: 0, whole: true })
      t.same(peopleInside(heard, east).nodes, [], 'it was here, and has told since that it is elsewhere')
    }
    t.end()
  }
)

t.test('a node that told its place to one of two radios is not counted among those that told none', (t) => {
  const placed = node('!00000001', 'Bert', { lat: 43.5, lon: -116.5, at: START })
  const unplaced = node('!00000001', 'Bert', null)
  const silent = [node('!00000002', 'Anna', null), node('!00000002', 'Anna', null)]
  const found = peopleInside([unplaced, placed, ...silent], { covers: () => true, whole: true })
  t.same([found.nodes.length, found.placed, found.untold], [1, 1, 1])
  t.end()
})
