import { create, toBinary } from '@bufbuild/protobuf'
import { Mesh } from '@meshtastic/protobufs'
import t from 'tap'
import type { HotspotSwitch } from '../../src/warning/commands/ask.ts'
import type { Station } from '../helpers/station.ts'
import { BURN, configOf, LATER, standbyConfigs, told, world } from './world.ts'

/** Questions and commands by radio, over the wire of both networks. Docs: docs/commands.md. */

const HOUR = 3600
const DAY = 24 * HOUR
const POSITION = 3
const ADMIN = '!0000004d'
/** First 12 hex digits of the key that the peer gives a contact of this name. */
const MC_ADMIN = '79df5ac7254d'
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
const admins = configOf({}, { commands: { admins: [ADMIN, MC_ADMIN] } })
const codeOf = ({ core }: Station): string =>
  core.deliveries.list({ limit: 10 }).deliveries.find(({ code }) => code !== null)?.code ?? ''

const at = (lat: number, lon: number): Uint8Array =>
  toBinary(Mesh.PositionSchema, create(Mesh.PositionSchema, { latitudeI: lat * 1e7, longitudeI: lon * 1e7 }))

t.test(
  'who was off asks for what is still in force, on both networks: the gravest first, nothing that is over',
  async (t) => {
    const { field, one, two, ben } = await world(t, { configs: standbyConfigs() })
    ben.off = true
    const both = (event: Record<string, unknown>): Promise<unknown> => Promise.all([one.post(event), two.post(event)])
    await both({ ...BURN, id: 'small', title: 'Oak Fire', severity: 'priority' })
    await both({ ...BURN, id: 'over', title: 'Elm Fire', expires: '2026-06-01T18:20:00Z' })
    await both(BURN)
    await field.run(2 * HOUR)
    ben.off = false
    ben.writeMt(two, '!catchup', 1)
    ben.writeMc(two, '!catchup', 'north')
    await field.run(300)
    const words = ben.words()
    t.match(
      words.filter((one) => one.startsWith('mt:direct')),
      [/1\/2 .*Pine Fire/, /2\/2 .*Oak Fire/]
    )
    t.match(
      words.filter((one) => one.startsWith('mc:')),
      [/1\/2 .*Pine Fire/, /2\/2 .*Oak Fire/]
    )
    t.equal(words.length, 4, 'the station that stood by answers too, and only what goes on')
  }
)

t.test('a node that is heard again after hours is told unasked what concerns its place', async (t) => {
  const configs = configOf({}, { commands: { catchup_unasked_hours: 6 } })
  const { field, one, ann, ben } = await world(t, { configs: [configs, configOf()] })
  ann.tell(one, POSITION, at(43.5, -116.5))
  ben.tell(one, POSITION, at(50, 10))
  ann.off = ben.off = true
  await one.post({ ...BURN, geometry: square })
  await field.run(8 * HOUR)
  ann.off = ben.off = false
  ann.tell(one, POSITION, at(43.5, -116.5))
  ben.tell(one, POSITION, at(50, 10))
  await field.run(300)
  t.same(told(ann, /Pine Fire/), ['mt:direct Alpha'])
  t.same(ben.words(), [], 'it is elsewhere')
})

t.test(
  'who is inside of an alert is told to an admin by direct text, and no position leaves the station',
  async (t) => {
    const { field, one, ann, ben } = await world(t, { configs: [admins] })
    await one.post({ ...BURN, geometry: square })
    await field.run(60)
    ben.tell(one, POSITION, at(43.5, -116.5))
    ann.writeMt(one, '!status')
    await field.run(60)
    const code = codeOf(one)
    ann.writeMt(one, `!who ${code}`)
    ann.writeMc(one, `!who ${code}`)
    ben.writeMt(one, `!who ${code}`)
    await field.run(120)
    t.same(told(ann, /1 of 1 known positions inside/).sort(), ['mc:direct Alpha', 'mt:direct Alpha'])
    t.same(told(ben, /known positions/), [])
    t.notMatch(
      [...one.mtNode.transmitted, ...one.mcNode.transmitted].map(({ text }) => text).join(),
      /43[.,]5|116[.,]5/
    )
  }
)

t.test(
  'an admin acknowledges, silences, switches the hotspot and gets a claim code by direct text, on both networks',
  async (t) => {
    const switched: boolean[] = []
    const hotspot: HotspotSwitch = {
      state: () => ({ state: 'off', changing: false, reason: null, ssid: 'Hill' }),
      turn: async (on) => switched.push(on) > 0
    }
    const claim = async (): Promise<{ code: string; minutes: number }> => ({ code: '7KQM-3FXB', minutes: 15 })
    const { field, one, ann, ben } = await world(t, { configs: [admins], more: { claim, hotspot } })
    await one.post(BURN)
    ann.writeMt(one, '!status')
    await field.run(DAY)
    const code = codeOf(one)
    for (const write of [ann.writeMt, ann.writeMc])
      for (const command of ['!claim', '!silence South 3h works', `!ack ${code} on it`, '!hotspot on']) {
        write(one, command)
        await field.run(60)
      }
    for (const answer of [/^Code 7KQM-3FXB/, /^South is silent/, /acknowledged/, /^Hotspot: switching on/])
      t.same(told(ann, answer).sort(), ['mc:direct Alpha', 'mt:direct Alpha'], String(answer))
    t.same(switched, [true, true])
    await one.post({ id: 's', title: 'Elm Fire', severity: 'critical', regions: ['South'] })
    await field.run(120)
    t.same(told(ann, /Elm Fire/), [], 'silenced')

    for (const command of ['!claim', '!silence North 1h no', `!ack ${code}`, '!hotspot off']) {
      ben.writeMt(one, command)
      ben.writeMt(one, command, 1)
      ben.writeMc(one, command)
      await field.run(60)
    }
    await one.post({ id: 'n', title: 'Ash Fire', severity: 'critical', expires: LATER })
    await field.run(120)
    t.same(told(ben, /Ash Fire/).sort(), ['mc:north Alpha', 'mt:1 Alpha'], 'a stranger silences nothing')
    t.same(told(ben, /7KQM/), [])
    t.same(switched, [true, true])
  }
)
