import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { importPack } from '../../../src/warning/atlas/import-pack.ts'
import { openZoneFiles } from '../../../src/warning/atlas/zone-files.ts'
import { canonicalCode, stateOf, systemOf } from '../../../src/warning/coverage/codes.ts'
import { gateEvent } from '../../../src/warning/coverage/gate.ts'
import { codesSchema } from '../../../src/warning/coverage/settings.ts'
import { tagEvent } from '../../../src/warning/coverage/tag.ts'
import { zoneShapesFromMap } from '../../../src/warning/coverage/zones.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { coverageScope } from '../../../src/warning/feeds/coverage-scope.ts'
import { areasOf, at, box, coverageOf, indexOf, point, polygon } from './harness.ts'

/** Codes of areas outside of the United States: EMMA_ID, NUTS, and whatever a CAP sender names (docs/decisions/0012). */

const square = polygon(box(9, 48, 10, 49))
const coded = (...geocodes: string[]) => at({ data: { geocodes } })

t.test('a region of codes is met by an event that names one of them, without any outline', async (t) => {
  const index = indexOf(areasOf({ north: { codes: ['EMMA_ID:DE356'] }, south: { codes: ['NUTS3:DE212', 'IDC001'] } }))
  const cases: [string[], string[]][] = [
    [['EMMA_ID:DE356'], ['north']],
    [
      ['emma_id:de356 ', 'NUTS3:DE212'],
      ['north', 'south']
    ],
    [['EMMA_ID:DE357'], []],
    [['NUTS3:DE356'], []],
    [['EMMA_ID'], []],
    [['IDC001'], []]
  ]
  for (const [codes, names] of cases) t.same(index.match(coded(...codes)).names, names, codes.join())
  t.same(index.match(at({ zones: ['IDC001'], data: { geocodes: ['EMMA_ID:DE356'] } })).names, ['north', 'south'])
})

t.test('weather that names only such codes passes the gate into its region, and stays out of others', async (t) => {
  const coverage = coverageOf(areasOf({ north: { codes: ['EMMA_ID:DE356'] } }))
  const gate = (...codes: string[]) =>
    gateEvent({ source: 'meteoalarm', family: 'weather' }, coverage, indexOf(coverage.areas).match(coded(...codes)))
  t.match(gate('EMMA_ID:DE356'), { pass: true, reason: 'inside' })
  t.match(gate('EMMA_ID:DE357'), { pass: false, reason: 'outside' })
  t.match(gate('WARNCELLID:109575000'), { pass: false, reason: 'unlocated_weather' }, 'nobody can compare the two')
})

t.test('a drawn region is met by the outlines of such codes, and a region of codes by what is drawn', async (t) => {
  const zones = zoneShapesFromMap({ 'EMMA_ID:DE356': square })
  const drawn = indexOf(areasOf({ here: { bbox: [9.4, 48.4, 11, 50] }, away: { bbox: [0, 0, 1, 1] } }), zones)
  t.match(drawn.match(coded('EMMA_ID:DE356')), { names: ['here'], how: 'codes', located: true, unknownCodes: [] })
  t.match(drawn.match(coded('EMMA_ID:DE999')), { names: [], located: false, unknownCodes: ['EMMA_ID:DE999'] })
  t.same(drawn.match(coded('EMMA_ID:DE356', 'NUTS3:DE212')).unknownCodes, [], 'one system is enough')
  t.same(drawn.match(coded('EMMA_ID:DE356', 'EMMA_ID:DE999')).unknownCodes, ['EMMA_ID:DE999'])
  const byCode = areasOf({ coded: { codes: ['EMMA_ID:DE356'] } })
  t.same(indexOf(byCode, zones).match(at({ geometry: point(9.5, 48.5) })).names, ['coded'])
  const other = at({ geometry: point(0, 0), data: { geocodes: ['EMMA_ID:DE356'] } })
  t.same(indexOf(byCode, zones).match(other).names, [], 'the geometry of an event beats its codes')
  t.same(indexOf(byCode).match(other).names, ['coded'], 'but for a region nobody can draw')
})

t.test('what the trace says names the codes nobody knows', async (t) => {
  const index = indexOf(areasOf({ here: { bbox: [9, 48, 10, 49] } }))
  const tagging = tagEvent({ region: null, regions: [] }, index.match(coded('EMMA_ID:DE999')), {
    region_tagging: true,
    areaCount: 1
  })
  t.match(tagging, { outcome: 'untagged', reason: 'unknown_codes' })
  t.match(sentenceOf(tagging.why), 'EMMA_ID:DE999')
})

t.test('the codes of the United States and those of other systems never mean each other', async (t) => {
  t.equal(stateOf('EMMA_ID:DE356'), 'EMMA_ID:DE356')
  t.equal(systemOf('PROFILE:CAP-CP:LOCATION:0.3:3506008'), 'PROFILE:CAP-CP:LOCATION:0.3')
  t.equal(systemOf('IDC001'), null)
  t.same(canonicalCode('nuts3:fr101'), 'NUTS3:FR101')
  for (const wrong of [':DE356', 'EMMA_ID:', 'EMMA_ID:Two Words', `X:${'9'.repeat(41)}`, 'X\n:1']) {
    t.equal(canonicalCode(wrong), null, wrong)
    t.notOk(v.safeParse(codesSchema, [wrong]).success, wrong)
  }
  t.same(v.parse(codesSchema, ['emma_id:de356', 'IDC001']), ['EMMA_ID:DE356', 'IDC001'])
  t.same(coverageScope(coverageOf(areasOf({ a: { codes: ['EMMA_ID:DE356', 'IDC001'] } }))), { by: 'everywhere' })
  fc.assert(
    fc.property(fc.string(), fc.string(), (system, code) => {
      const canonical = canonicalCode(`${system}:${code}`)
      if (canonical !== null) t.equal(canonicalCode(canonical), canonical)
    })
  )
})

t.test('an event over the API may name such codes; anything else there is refused', async (t) => {
  const event = { id: '1', source: 'x', title: 'x', family: 'weather' }
  const read = (geocodes: unknown) =>
    parseEventInput({ ...event, data: { geocodes } }, { now: 0, families: new Set(['weather']) })
  t.same(read(['EMMA_ID:DE356']).data.geocodes, ['EMMA_ID:DE356'])
  t.throws(() => read('EMMA_ID:DE356'), { code: 'invalid', issues: [{ path: '/data/geocodes' }] })
})

t.test("MeteoAlarm's list, Eurostat's NUTS files and files of one named system become zone packs", async (t) => {
  const properties: [string, object, string?][] = [
    ['EMMA_ID:DE356', { code: 'DE356', country: 'DE', name: 'Kreis Musterland' }],
    ['EMMA_ID:IE801', { code: 'IE801', type: 'EMMA_ID', country: 'IE' }],
    ['NUTS3:FR101', { NUTS_ID: 'FR101', LEVL_CODE: 3, CNTR_CODE: 'FR', NAME_LATN: 'Paris' }],
    ['NUTS2:AT13', { type: 'NUTS2', code: 'AT13' }],
    ['WARNCELLID:109575000', { code: 109_575_000 }, 'WARNCELLID'],
    ['DEZ356', { STATE_ZONE: 'DE356', STATE: 'DE' }],
    ['IDZ014', { code: 'IDZ014', type: 'public', country: 'US' }]
  ]
  for (const [code, of, system] of properties) {
    const folder = mkdtempSync(join(tmpdir(), 'lookout-geocodes-'))
    const file = join(folder, 'geocodes.json')
    const collection = { type: 'FeatureCollection', features: [{ type: 'Feature', properties: of, geometry: square }] }
    writeFileSync(file, JSON.stringify(collection))
    const zonesFolder = join(folder, 'zones')
    const onSkipped = (reason: string): void => void t.fail(reason)
    await importPack({ file, zonesFolder, tolerance: 0, onSkipped, ...(system === undefined ? {} : { system }) })
    const files = openZoneFiles({ zonesFolder, atlasFile: null, onProblem: (at, why) => void t.fail(`${at}: ${why}`) })
    t.same(files.codes(), [code])
    t.same(files.shape(code), square, code)
  }
})
