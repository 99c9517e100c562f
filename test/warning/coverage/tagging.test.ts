import t from 'tap'
import * as v from 'valibot'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { buildAreas } from '../../../src/warning/coverage/area.ts'
import { canonicalCode } from '../../../src/warning/coverage/codes.ts'
import { gateEvent } from '../../../src/warning/coverage/gate.ts'
import type { Match } from '../../../src/warning/coverage/region-index.ts'
import { coverageSchema } from '../../../src/warning/coverage/settings.ts'
import { tagEvent } from '../../../src/warning/coverage/tag.ts'
import { coverageOf, polygon } from './harness.ts'

const inNorth: Match = {
  areas: [0, 2],
  names: ['North', 'Valley'],
  located: true,
  how: 'geometry',
  byCounty: false,
  unknownCodes: [],
  unplaced: [],
  maybe: { areas: [], names: [] },
  byState: [],
  thinned: false
}
const nowhere: Match = { ...inNorth, areas: [], names: [] }
const lost: Match = { ...nowhere, located: false, how: 'none' }
const untagged = { region: null, regions: [] }
const on = { region_tagging: true, areaCount: 3 }

t.test('areas keep their names and order, and nothing about them can be changed', async (t) => {
  const config = v.parse(coverageSchema, {
    areas: [
      { name: 'North', west: -117, south: 42, east: -111, north: 49 },
      { codes: ['id'] },
      {
        name: null,
        geometry: polygon([
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0]
        ])
      }
    ]
  })
  const areas = buildAreas(config)
  t.same(
    areas.map((area) => area.name),
    ['North', null, null]
  )
  t.same(areas[1]?.parts, [{ codes: ['ID'] }])
  const attempts = [
    () => Object.assign(areas[0] ?? {}, { name: 'South' }),
    () => Object.assign(areas, { length: 0 }),
    () => areas[0]?.parts[0]?.bbox?.fill(0),
    () => areas[2]?.parts[0]?.geometry?.coordinates[0]?.pop()
  ]
  for (const attempt of attempts) t.throws(attempt, TypeError)
  config.areas[0]!.name = 'changed later'
  t.equal(areas[0]?.name, 'North', 'the configuration object stays apart')
  t.notOk(Object.isFrozen(config.areas[0]), 'and is not frozen by it')
})

t.test('an event is tagged only when tagging is on, there are areas and it has no regions yet', async (t) => {
  const satellite = { region: 'Pass', regions: ['Pass', 'North'] }
  t.match(tagEvent(untagged, inNorth, on), { region: 'North', regions: ['North', 'Valley'], outcome: 'tagged' })
  t.match(tagEvent(untagged, inNorth, { ...on, region_tagging: false }), {
    ...untagged,
    outcome: 'skipped',
    reason: 'tagging_off'
  })
  t.match(tagEvent(untagged, inNorth, { ...on, areaCount: 0 }), { ...untagged, outcome: 'skipped', reason: 'no_areas' })
  t.match(tagEvent(satellite, inNorth, on), { ...satellite, outcome: 'kept', reason: 'preset' })
  t.match(tagEvent({ region: null, regions: ['North'] }, nowhere, on), { region: 'North', regions: ['North'] })
  t.match(tagEvent(untagged, nowhere, on), { ...untagged, outcome: 'untagged', reason: 'no_area' })
  t.match(tagEvent(untagged, { ...nowhere, areas: [1] }, on), { ...untagged, reason: 'nameless_area' })
  t.match(tagEvent(untagged, lost, on), { ...untagged, reason: 'no_location' })
  const unknown: Match = { ...lost, how: 'codes', unknownCodes: ['IDZ099'] }
  const { reason, why } = tagEvent(untagged, unknown, on)
  t.match([reason, sentenceOf(why)], ['unknown_codes', /IDZ099/])
  t.match(sentenceOf(tagEvent(untagged, { ...inNorth, byCounty: true, thinned: true }, on).why), /by county.*thinned/)
})

t.test('tagging gives new lists: neither the event nor the match can be changed through them', async (t) => {
  const satellite = { region: 'Pass', regions: ['Pass'] }
  tagEvent(satellite, inNorth, on).regions.push('x')
  tagEvent(untagged, inNorth, on).regions.push('x')
  t.same(satellite.regions, ['Pass'])
  t.same(inNorth.names, ['North', 'Valley'])
})

t.test('the gate passes what is inside, drops what is outside, and knows its exceptions', async (t) => {
  const area = { name: 'North', parts: [{ codes: ['ID'] }] }
  const coverage = coverageOf([area], { excluded_sources: ['usgs'] })
  const quake = { source: 'emsc', family: 'seismic' }
  const storm = { source: 'nws', family: 'weather' }
  const cases: [string, Parameters<typeof gateEvent>, boolean, string, boolean][] = [
    ['inside', [quake, coverage, inNorth], true, 'inside', false],
    ['inside a nameless area', [quake, coverage, { ...inNorth, names: [] }], true, 'inside', false],
    ['outside', [quake, coverage, nowhere], false, 'outside', false],
    ['excluded source, outside', [{ ...quake, source: 'usgs' }, coverage, nowhere], true, 'excluded_source', false],
    ['excluded source, lost weather', [{ ...storm, source: 'usgs' }, coverage, lost], true, 'excluded_source', false],
    ['lost', [quake, coverage, lost], true, 'unlocated', true],
    ['lost weather', [storm, coverage, lost], false, 'unlocated_weather', false],
    ['coverage off', [storm, { ...coverage, enabled: false }, lost], true, 'coverage_off', false],
    ['no areas', [storm, { ...coverage, areas: [] }, lost], true, 'no_areas', false]
  ]
  for (const [title, given, pass, reason, unlocated] of cases)
    t.match(gateEvent(...given), { pass, reason, unlocated }, title)
})

t.test('a code has one spelling, whichever of its names is used', async (t) => {
  const spellings: Record<string, string[]> = {
    COC013: ['COC013', 'coc013', ' 08013', '008013', '108013', '908013'],
    COZ039: ['COZ039', 'coz039'],
    CO: ['CO', 'co', '08000', '008000', 'COC000', 'COZ000', 'COZALL', 'COCALL'],
    PRC001: ['72001'],
    GMZ350: ['077350', 'GMZ350'],
    '99001': ['99001', '199001']
  }
  for (const [canonical, list] of Object.entries(spellings)) {
    for (const code of list) t.equal(canonicalCode(code), canonical, code)
  }
  for (const wrong of ['', 'C', 'COX013', 'COC13', '8013', '000000', 'CO 13', 13, null, undefined, ['COC013']]) {
    t.equal(canonicalCode(wrong), null, String(wrong))
  }
})
