import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import type { Geometry } from '../../../src/model/geojson.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { gateEvent } from '../../../src/warning/coverage/gate.ts'
import { LearntZones } from '../../../src/warning/coverage/learnt-zones.ts'
import { Locator } from '../../../src/warning/coverage/locator.ts'
import { type ZoneShapes, zoneShapesFromMap } from '../../../src/warning/coverage/zones.ts'
import { areasOf, at, box, coverageOf, drawn, indexOf, polygon } from './harness.ts'

/** Two counties side by side, a zone over the west and a strip of the east, their state; and a state beside. */
const SHAPES: Record<string, Geometry> = {
  CAC023: polygon(box(-124, 40, -123, 41)),
  CAC105: polygon(box(-123, 40, -122, 41)),
  CAC075: polygon(box(-122, 37, -121, 38)),
  CAZ103: polygon(box(-124, 40, -122.99, 41)),
  CA: polygon(box(-125, 32, -114, 42)),
  OR: polygon(box(-125, 42, -116, 46))
}
const shapes = zoneShapesFromMap(SHAPES)
const counties = { humboldt: { codes: ['CAC023'] }, trinity: { codes: ['CAC105'] }, zone: { codes: ['CAZ103'] } }

/** Without the outline of the zone. */
function packless(known: Record<string, { codes: string[]; whole: boolean }> = {}): ZoneShapes {
  const { CAZ103: _, ...rest } = SHAPES
  return { shape: (code) => zoneShapesFromMap(rest).shape(code), counties: (zone) => known[zone] ?? null }
}

t.test(
  'an area coded by counties is reached by a product coded by zones, and the reverse, by their outlines',
  async (t) => {
    const index = indexOf(areasOf(counties), shapes)
    t.same(
      index.match(at({ zones: ['CAZ103'] })).names,
      ['humboldt', 'zone'],
      'a strip of 1 % of the other is not enough'
    )
    t.same(index.match(at({ zones: ['CAC023'] })).names, ['humboldt', 'zone'])
    t.same(index.match(at({ zones: ['CAC105'] })).names, ['trinity'])
    t.same(index.match(at({ same: ['006023'] })).names, ['humboldt', 'zone'], 'a SAME code alone is a county')
  }
)

t.test('counties with counties, and zones with zones, go by their codes alone', async (t) => {
  const index = indexOf(areasOf({ overlapping: { codes: ['CAC023'] }, fire: { codes: ['CAZ103'] } }), {
    shape: (code) => shapes.shape(code) ?? (/^CA[CZ]/.test(code) ? (SHAPES['CAC023'] ?? null) : null)
  })
  t.same(index.match(at({ zones: ['CAZ203'] })).names, ['overlapping'])
  t.same(index.match(at({ zones: ['CAC999'] })).names, ['fire'])
})

t.test('where nothing draws a zone, its counties stand in for it, for coded and for drawn areas', async (t) => {
  const known = packless({ CAZ103: { codes: ['CAC023'], whole: true } })
  const index = indexOf(areasOf({ ...counties, drawn: { bbox: [-123.6, 40.2, -123.4, 40.4] } }), known)
  const match = index.match(at({ zones: ['CAZ103'] }))
  t.match(match, { names: ['humboldt', 'zone', 'drawn'], byCounty: true, located: true, unplaced: [] })
  t.same(index.match(at({ zones: ['CAC023'] })).names, ['humboldt', 'zone', 'drawn'], 'and for the zone of an area')
  t.same(index.match(drawn(polygon(box(-119, 35, -118, 36)))).names, [], 'a shape elsewhere reaches none of them')
  const warned = { ...drawn(polygon(box(-119, 35, -118, 36))), zones: ['CAC023'] }
  t.same(index.match(warned).names, ['zone'], 'but what cannot be drawn goes by the codes beside it')
})

t.test('that an event is outside is never said of a code that nothing places', async (t) => {
  const index = indexOf(areasOf({ humboldt: { codes: ['CAC023'] } }), packless())
  const lost = index.match(at({ zones: ['CAZ103'] }))
  t.match(lost, { located: false, unplaced: ['CAZ103'], maybe: { names: ['humboldt'] }, names: [] })
  const coverage = coverageOf(areasOf({ humboldt: { codes: ['CAC023'] } }))
  t.match(gateEvent({ source: 's', family: 'weather' }, coverage, lost), { pass: false, reason: 'unplaced' })
  t.match(gateEvent({ source: 's', family: 'seismic' }, coverage, lost), { pass: true, reason: 'unlocated' })
  const elsewhere = index.match(at({ zones: ['ORZ021'] }))
  t.match(elsewhere, { located: true, unplaced: [], maybe: { names: [] } }, 'no area touches that state')
  t.match(gateEvent({ source: 's', family: 'weather' }, coverage, elsewhere), { pass: false, reason: 'outside' })
  const partly = indexOf(areasOf({ humboldt: { codes: ['CAC023'] }, other: { codes: ['CAC075'] } }), packless())
  t.match(partly.match(at({ zones: ['CAC023', 'CAZ103'] })), { names: ['humboldt'], maybe: { names: ['other'] } })
})

t.test('a drawn area is asked by the outline of the state; without one nobody can tell', async (t) => {
  const area = areasOf({ eureka: { circle: { lat: 40.5, lon: -123.5, radius_km: 30 } } })
  t.match(indexOf(area, packless()).match(at({ zones: ['CAZ103'] })), { maybe: { names: ['eureka'] }, located: false })
  t.match(indexOf(area, packless()).match(at({ zones: ['ORZ021'] })), { maybe: { names: [] }, located: true })
  t.match(indexOf(area).match(at({ zones: ['CAZ103'] })), {
    unplaced: ['CAZ103'],
    maybe: { names: [] },
    located: false
  })
  t.match(
    indexOf(area, packless()).match(at({ zones: ['PZZ450'] })),
    { unplaced: ['PZZ450'], located: false },
    'the sea'
  )
})

t.test('from critical on, a warning nobody can place goes to every area in its state, and says so', async (t) => {
  const coverage = coverageOf(
    areasOf({ humboldt: { codes: ['CAC023'] }, marin: { codes: ['CAC041'] }, oregon: { codes: ['ORC041'] } })
  )
  const locator = new Locator(packless({ CAZ103: { codes: ['CAC023'], whole: true } }))
  const event = (severity: string, zones: string[]) =>
    ({ ...at({ zones }), severity, source: 's', family: 'weather', region: null, regions: [], data: {} }) as never
  const lost = locator.locate(event('critical', ['CAZ529']), coverage)
  t.match(lost, { regions: ['humboldt', 'marin'], gate: { pass: true, reason: 'by_state' } })
  t.match(sentenceOf(lost.gate.why), 'CAZ529')
  t.match(lost.trace, [{ reason: 'tagged_by_state' }])
  t.match(
    lost.trace.map((step) => sentenceOf(step)),
    [/humboldt, marin/]
  )
  t.match(locator.locate(event('priority', ['CAZ529']), coverage), { regions: [], gate: { reason: 'unplaced' } })
  const placed = locator.locate(event('immediate', ['CAZ103']), coverage)
  t.match(placed, { regions: ['humboldt'], gate: { reason: 'inside' } }, 'what is placed is told there only')
  t.match(locator.locate(event('immediate', ['CAZ103', 'CAZ529']), coverage).regions, ['humboldt', 'marin'])
  t.match(locator.locate(event('immediate', ['WAZ001']), coverage), { regions: [], gate: { reason: 'outside' } })
})

t.test('alerts that name zones and counties teach which belong together, over restarts', async (t) => {
  const kept = new Map<string, readonly string[]>()
  const open = () => new LearntZones({ all: () => kept, keep: (zone, codes) => void kept.set(zone, codes) })
  const alert = (zones: string[], same: string[], lifecycle: LookoutEvent['lifecycle'] = 'new') => ({
    zones,
    same,
    lifecycle
  })
  const first = open()
  first.learn(alert(['CAZ103', 'CAZ104'], ['006023', '006015', '006045', '006105', '006093']))
  t.equal(first.counties('CAZ103'), null, 'five counties for two zones tell too little')
  first.learn(alert(['CAZ103', 'CAZ101'], ['006023', '006015']))
  t.same(first.counties('CAZ103'), { codes: ['CAC015', 'CAC023'], whole: true })
  first.learn(alert(['CAZ103', 'ORZ021'], ['006023', '041015']))
  t.same(open().counties('CAZ103'), { codes: ['CAC023'], whole: true }, 'alone in its state; after a restart')
  t.same(open().counties('ORZ021')?.codes, ['ORC015'])
  first.learn(alert(['CAC023', 'CAZ105'], ['006023']))
  first.learn(alert(['PZZ450'], ['006023']))
  first.learn(alert(['CAZ106'], ['006023'], 'cancel'))
  for (const zone of ['CAZ105', 'PZZ450', 'CAZ106']) t.equal(first.counties(zone), null, zone)
  first.learn(alert(['CAZ103'], ['006075']))
  t.same(first.counties('CAZ103')?.codes, ['CAC075'], 'a zone that was drawn anew')
})

t.test(
  'an area whose zone nobody can draw is not told of every storm of its state, nor is it said to be outside',
  async (t) => {
    const coverage = coverageOf(areasOf({ zone: { codes: ['CAZ103'] } }))
    const locator = new Locator(packless())
    const storm = (zones: string[]) =>
      ({
        ...drawn(polygon(box(-119, 35, -118, 36))),
        zones,
        severity: 'immediate',
        source: 's',
        family: 'weather',
        region: null,
        regions: [],
        data: {}
      }) as never
    t.match(locator.locate(storm(['CAC029']), coverage), { regions: [], gate: { pass: false, reason: 'unplaced' } })
    t.match(locator.locate(storm(['ORC041']), coverage), { regions: [], gate: { reason: 'outside' } })
  }
)
