import { fromBinary } from '@bufbuild/protobuf'
import { Mesh } from '@meshtastic/protobufs'
import t, { type Test } from 'tap'
import { WAYPOINT_MORE_BYTES } from '../../../src/model/waypoint.ts'
import { encodeWaypoint } from '../../../src/warning/radios/meshtastic/messages.ts'
import { mtModem } from '../../../src/warning/radios/modem.ts'
import type { AirEntry } from '../../../src/warning/radios/simulated-air.ts'
import { mtTextAirtimeMs } from '../../../src/warning/radios/time-on-air.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'
import { bench } from '../radios/meshtastic/bench.ts'

/** docs/interface.md §6, *Waypoints*. */

const cells = { fire: { North: { mt: 3, mc: 'n' } } }
const opened = (t: Test, mt_waypoints: object, more: object = {}): Promise<Station> =>
  station(t, { config: withMatrix(cells, { mt_waypoints, ...more }) })
const BURN = {
  id: 'a',
  title: 'Pine Fire',
  severity: 'critical',
  lat: 43.615,
  lon: -116.2023,
  expires: '2026-06-01T22:00:00Z'
}
const END = { id: 'b', thread_id: 'test:a', lifecycle: 'cancel', title: 'Pine Fire' }

const marks = ({ mt }: Station): AirEntry[] => mt.airLog.filter(({ waypoint }) => waypoint !== undefined)
const kinds = ({ mt }: Station): string[] => mt.airLog.map(({ waypoint }) => (waypoint === undefined ? 'text' : 'mark'))

t.test('off by default: a place is told in words', async (t) => {
  const s = await opened(t, {})
  await s.post(BURN)
  await s.run(60)
  t.same(kinds(s), ['text'])
})

t.test('the mark follows its text, ends with the hazard, and is changed and taken away with its thread', async (t) => {
  const s = await opened(t, { enabled: true })
  await s.post(BURN)
  await s.run(60)
  t.same(kinds(s), ['text', 'mark'])
  const [first] = marks(s)
  t.match(first?.waypoint, { lat: 43.615, lon: -116.2023, name: 'Pine Fire', expire: Date.parse(BURN.expires) / 1000 })
  t.equal(s.mc.sentCount, 1, 'MeshCore has nothing like it')
  await s.post({
    ...BURN,
    revision: '2',
    lifecycle: 'update',
    severity: 'immediate',
    lat: 43.7,
    title: 'Pine Fire grows'
  })
  await s.run(60)
  await s.post(END)
  await s.run(120)
  t.same(kinds(s), ['text', 'mark', 'text', 'mark', 'text', 'mark'])
  t.same(new Set(marks(s).map(({ waypoint }) => waypoint?.id)).size, 1)
  t.same(
    marks(s).map(({ waypoint }) => waypoint?.expire === 1),
    [false, false, true]
  )
  t.same(
    s
      .deliveries()
      .filter(({ path }) => path === 'waypoint')
      .map(({ state, text }) => `${state} ${text}`),
    [
      'heard Pine Fire 43.6150,-116.2023',
      'heard Pine Fire grows 43.7000,-116.2023',
      'heard Pine Fire gone from 0.0000,0.0000'
    ]
  )
})

t.test('no place, too little, or no change: no mark', async (t) => {
  const s = await opened(t, { enabled: true })
  await s.post({ ...BURN, lat: null, lon: null })
  await s.post({ ...BURN, id: 'c', title: 'Oak Fire', severity: 'priority' })
  await s.run(120)
  t.same(marks(s), [])
  await s.post({ ...BURN, id: 'd', title: 'Elm Fire' })
  await s.run(60)
  await s.post({ ...BURN, id: 'd', title: 'Elm Fire', revision: '2', lifecycle: 'update', severity: 'immediate' })
  await s.run(60)
  t.equal(marks(s).length, 1)
})

t.test('an immediate text waits for no mark: what came later and is graver goes first', async (t) => {
  const s = await opened(t, { enabled: true })
  for (const n of [1, 2, 3]) await s.post({ ...BURN, id: `m${n}`, title: `Fire ${n}`, lat: 43 + n })
  await s.post({ ...BURN, id: 'i', title: 'Dam breaks', severity: 'immediate', lat: 40 })
  await s.run(300)
  t.same(kinds(s), ['text', 'text', 'text', 'text', 'mark', 'mark', 'mark', 'mark'])
  t.ok(s.mt.airLog.slice(0, 2).some(({ text }) => text.includes('Dam breaks')))
})

t.test('it is priced by its packet and counted', async (t) => {
  const s = await opened(t, { enabled: true })
  await s.post(BURN)
  await s.run(60)
  const spent = s.core.storage.db
    .sql('SELECT ms FROM airtime ORDER BY at')
    .all()
    .map(({ ms }) => Number(ms))
  const modem = s.mt.description.modem
  const line = s.deliveries().find(({ path }) => path === 'waypoint')?.text ?? ''
  const bytes = Buffer.byteLength(line) + WAYPOINT_MORE_BYTES
  t.same(spent.length, 3, 'the texts of both networks, and the mark')
  t.ok(spent.some((ms) => Math.abs(ms - mtTextAirtimeMs(bytes, modem)) < 1))
  const [mark] = marks(s)
  if (mark?.waypoint === undefined) throw new Error('no mark')
  const packet = encodeWaypoint({ ...mark.waypoint, name: 'x'.repeat(30) }, 0xffff_ffff)
  t.ok(packet.length <= 30 + 16 + WAYPOINT_MORE_BYTES, `${packet.length} bytes`)
  t.comment(
    `at most ${packet.length} bytes: ${Math.round(mtTextAirtimeMs(packet.length, mtModem('LongFast', 'US')))} ms on LongFast`
  )
})

t.test('a mark of which the end came before it left is not made', async (t) => {
  const s = await opened(t, { enabled: true })
  await s.post(BURN)
  await s.run(1)
  await s.post(END)
  await s.run(120)
  const states = s.deliveries().filter(({ path }) => path === 'waypoint')
  for (const { state } of states) t.ok(state === 'suppressed' || state === 'heard', state)
  t.equal(marks(s).length % 2, 0, 'none, or one and its end')
})

t.test('on the wire: port 8, locked to the own node, at its place, with its sign', async (t) => {
  const b = await bench(t)
  const waypoint = { id: 7, lat: -43.615, lon: 116.2023, expire: 1_800_000_000, name: 'Pine Fire', icon: 0x1f525 }
  t.match(await b.send('Pine Fire', { waypoint }), { kind: 'sent' })
  const sent = b.node.transmitted.at(-1)
  t.equal(sent?.port, 8)
  const packet = fromBinary(Mesh.WaypointSchema, Buffer.from(sent?.text ?? '', 'latin1'))
  t.match(packet, {
    id: 7,
    latitudeI: -436_150_000,
    longitudeI: 1_162_023_000,
    expire: 1_800_000_000,
    name: 'Pine Fire',
    icon: 0x1f525
  })
  t.equal(packet.lockedTo, sent?.from)
})

t.test(
  'a mark has its name in the language of its channel, in whole words, and an English one as the source has it',
  async (t) => {
    const name = async (event: object, more: object = {}): Promise<string | undefined> => {
      const spoken = await station(t, {
        config: { ...withMatrix(cells, { mt_waypoints: { enabled: true } }), ...more }
      })
      await spoken.post({ ...BURN, ...event })
      await spoken.run(60)
      return marks(spoken)[0]?.waypoint?.name
    }
    const named = { title: 'Two Barrel: wildfire, 786 ha', data: { incident_name: 'Two Barrel', hectares: 786 } }
    t.equal(await name(named), 'Two Barrel: wildfire, 786 ha')
    t.equal(await name(named, { station: { language: 'de' } }), 'BRAND Two Barrel')
    t.equal(await name(named, { messages: { channels: { 'mt:3': { language: 'fr' } } } }), 'INCENDIE Two Barrel')
    t.equal(await name(named, { station: { language: 'ja' } }), '火災 Two Barrel')
    const long = { ...named, data: { incident_name: 'Bombing Range Northwest Complex' } }
    t.equal(
      await name(long, { station: { language: 'pl' }, messages: { ascii: true } }),
      'POZAR Bombing Range Northwest'
    )
  }
)
