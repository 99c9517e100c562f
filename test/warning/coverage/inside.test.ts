import t from 'tap'
import { nowhere } from '../../../src/model/event.ts'
import { insideOf } from '../../../src/warning/coverage/inside.ts'
import type { ZoneShapes } from '../../../src/warning/coverage/zones.ts'

const box = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south]
    ]
  ]
})
const zones: ZoneShapes = { shape: (code) => (code === 'IDC001' ? box(-117, 43, -116, 44) : null) }
type Event = Parameters<typeof insideOf>[0]
const event = (more: object): Event => ({ ...nowhere(), zones: [], same: [], ...more }) as unknown as Event

t.test('a point lies in what is drawn, in a circle, and in the zones where nothing is drawn', async (t) => {
  for (const [what, more] of [
    ['drawn', { geometry: box(-117, 43, -116, 44) }],
    ['a circle', { circle: { lat: 43.5, lon: -116.5, radius_km: 30 } }],
    ['a county', { zones: ['IDC001'] }]
  ] as const) {
    const area = insideOf(event(more), zones)
    t.ok(area?.covers(43.5, -116.5), what)
    t.notOk(area?.covers(45, -116.5), what)
    t.ok(area?.whole, what)
  }
})

t.test('over the line of dates a point is found from both sides', async (t) => {
  const area = insideOf(event({ geometry: box(179, 50, 181, 52) }), zones)
  for (const lon of [179.5, 180, -179.5]) t.ok(area?.covers(51, lon), `${lon}`)
  t.notOk(area?.covers(51, -178))
})

t.test('a zone that nobody can draw is said, and an event without an area is null', async (t) => {
  t.equal(insideOf(event({ zones: ['IDC001', 'IDC003'] }), zones)?.whole, false)
  t.equal(insideOf(event({ zones: ['IDC003'] }), zones), null)
  t.equal(insideOf(event({ lat: 43, lon: -116 }), zones), null)
})
