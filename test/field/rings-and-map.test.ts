import { fromBinary } from '@bufbuild/protobuf'
import { Mesh } from '@meshtastic/protobufs'
import t from 'tap'
import type { Person } from '../helpers/field.ts'
import { BURN, configOf, LATER, standbyConfigs, told, world } from './world.ts'

/** Ringing, and marks on maps, over the wire. Docs: docs/interface.md §6, *Alert packets*, *Waypoints*. */

const ports = ({ shown }: Person, network: 'mt' | 'mc'): number[] =>
  shown.filter((one) => one.network === network).map(({ port }) => port)
const marks = ({ shown }: Person) =>
  shown.filter(({ port }) => port === 8).map(({ text }) => fromBinary(Mesh.WaypointSchema, Buffer.from(text, 'latin1')))

t.test(
  'immediate danger rings on Meshtastic, three times a day; MeshCore has its texts and nothing besides',
  async (t) => {
    const { field, one, ann } = await world(t, { configs: [configOf({ mt_alert: { packet: 'beside', bell: true } })] })
    for (const id of ['a', 'b', 'c', 'd']) {
      await one.post({ id, title: `Fire ${id}`, severity: 'immediate', expires: LATER })
      await field.run(120)
    }
    t.same(ports(ann, 'mt'), [1, 11, 1, 11, 1, 11, 1])
    t.same(ports(ann, 'mc'), [1, 1, 1, 1])
    const bells = ann.shown.filter(({ text }) => text.endsWith('\u0007'))
    t.same(
      bells.map(({ network, port }) => `${network} ${port}`),
      ['mt 1', 'mt 1', 'mt 1']
    )
    t.same(field.refused, [])
  }
)

t.test('a second station hears an alert packet as the text that it is, and stays silent', async (t) => {
  const configs = standbyConfigs({ mt_alert: { packet: 'instead' } })
  const { field, one, two, ann } = await world(t, { configs })
  const burn = { ...BURN, severity: 'immediate' }
  await Promise.all([one.post(burn), two.post(burn)])
  await field.run(600)
  t.same(told(ann, /Pine Fire/).sort(), ['mc:north Alpha', 'mt:1 Alpha'])
  t.same(ports(ann, 'mt'), [11])
})

t.test('a hazard with a place is marked behind its text, moved with its update and gone with its end', async (t) => {
  const configs = standbyConfigs({ mt_waypoints: { enabled: true } })
  const { field, one, two, ann } = await world(t, { configs })
  const both = async (event: Record<string, unknown>): Promise<void> => {
    await Promise.all([one.post(event), two.post(event)])
    await field.run(900)
  }
  await both({ ...BURN, lat: 43.6, lon: -116.2 })
  await both({ ...BURN, lat: 43.7, lon: -116.3, revision: '2', title: 'Pine Fire grows', severity: 'immediate' })
  await both({ ...BURN, lat: 43.7, lon: -116.3, revision: '3', lifecycle: 'cancel' })
  const [first, moved, gone, ...more] = marks(ann)
  t.match(first, { latitudeI: 436_000_000, longitudeI: -1_162_000_000, lockedTo: 11, expire: Date.parse(LATER) / 1000 })
  t.match(moved, { id: first?.id, latitudeI: 437_000_000 })
  t.match(gone, { id: first?.id, expire: 1 })
  t.same(more, [], 'the station that stood by makes none')
  t.equal(ann.shown[0]?.port, 1, 'the text goes first')
  t.ok(ann.shown.every(({ network, port }) => network === 'mt' || port === 1))
})
