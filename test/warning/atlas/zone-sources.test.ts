import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { importPack } from '../../../src/warning/atlas/import-pack.ts'
import { openZoneFiles } from '../../../src/warning/atlas/zone-files.ts'
import { ZONE_SOURCES, type ZoneSource, zoneSource } from '../../../src/warning/atlas/zone-sources.ts'
import { canonicalCode } from '../../../src/warning/coverage/codes.ts'
import { shapefile, zip } from './shapefile.ts'

/** Far from the United States: a code that is read as one of theirs is found out. */
const BOX: [number, number][] = [
  [10, 47],
  [10, 48],
  [11, 48],
  [11, 47],
  [10, 47]
]
const geometry = { type: 'Polygon' as const, coordinates: [BOX] }
const folder = (): string => mkdtempSync(join(tmpdir(), 'lookout-zone-sources-'))

const features = (...rows: Record<string, unknown>[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: rows.map((properties) => ({ type: 'Feature', properties, geometry }))
  })

function zipped(base: string, ...rows: Record<string, string>[]): Buffer {
  const { shp, dbf } = shapefile(rows.map((fields) => ({ ring: BOX, fields })))
  return zip({ [`${base}.shp`]: shp, [`${base}.dbf`]: dbf })
}

/** A package of Environment Canada holds a dozen shapefiles, here two. */
function packageOf(...rows: Record<string, string>[]): Buffer {
  const { shp, dbf } = shapefile(rows.map((fields) => ({ ring: BOX, fields })))
  const other = shapefile([{ ring: BOX, fields: { CLC: '999999' } }])
  return zip({
    'Pkg/land_CLCBaseZone_coarse_unproj.shp': other.shp,
    'Pkg/land_CLCBaseZone_coarse_unproj.dbf': other.dbf,
    'Pkg/land_CLCBaseZone_detail_unproj.shp': shp,
    'Pkg/land_CLCBaseZone_detail_unproj.dbf': dbf
  })
}

/** Of each source a small file in the layout of its authority, and the codes as alerts of that country name them. */
const FILES: Record<string, [content: string | Buffer, codes: string[]]> = {
  'us-zones': [zipped('z_18mr25', { STATE: 'ID', ZONE: '014', STATE_ZONE: 'ID014', NAME: 'Sawtooth' }), ['IDZ014']],
  'us-fire': [zipped('fz18mr25', { STATE_ZONE: 'ID425', NAME: 'Sawtooth NF' }), ['IDZ425']],
  'us-marine': [zipped('mz18mr25', { ID: 'AMZ350', WFO: 'CHS', NAME: 'Edisto Beach' }), ['AMZ350']],
  meteoalarm: [
    features(
      { code: 'DE356', name: 'Kreis Lindau', country: 'DE', type: 'EMMA_ID' },
      { code: 'AT004', name: 'Wien', country: 'AT', type: 'EMMA_ID' },
      { code: 'UK005', name: 'Wales', country: 'UK', type: 'EMMA_ID' }
    ),
    ['EMMA_ID:DE356', 'EMMA_ID:AT004', 'EMMA_ID:UK005']
  ],
  'nuts3-2013': [
    features({ id: 'FR712', NUTS_ID: 'FR712', LEVL_CODE: 3, CNTR_CODE: 'FR', NUTS_NAME: 'Ain' }),
    ['NUTS3:FR712']
  ],
  'nuts2-2013': [
    features({ id: 'BE21', NUTS_ID: 'BE21', LEVL_CODE: 2, CNTR_CODE: 'BE', NUTS_NAME: 'Prov. Antwerpen' }),
    ['NUTS2:BE21']
  ],
  'de-districts': [
    features({ WARNCELLID: '109176000', NAME: 'Landkreis Eichstätt', SHORTNAME: 'EI' }),
    ['WARNCELLID:109176000']
  ],
  'de-communes': [features({ WARNCELLID: 809175111, NAME: 'Anzing', SHORTNAME: 'Anzing' }), ['WARNCELLID:809175111']],
  'ca-forecast': [
    packageOf({ FEATURE_ID: 'ON-1', CLC: '41410', NAME: 'Niagara Falls', NOM: 'Niagara Falls' }),
    ['layer:EC-MSC-SMC:1.0:CLC:041410']
  ],
  'ca-places': [
    features({ CSDUID: '3537048', CSDNAME: 'Hamilton', PRUID: '35' }),
    ['profile:CAP-CP:Location:0.3:3537048']
  ],
  'jp-municipalities': [
    zipped(
      'AreaInformationCity_weather',
      { regioncode: '0110000', regionname: 'Sapporo' },
      { regioncode: '1310100', regionname: 'Chiyoda' }
    ),
    ['JMA:0110000', 'JMA:1310100']
  ],
  'jp-prefectures': [
    zipped('AreaForecastLocalM_prefecture', { code: '011000', name: 'Soya' }, { code: '130000', name: 'Tokyo' }),
    ['JMA_PREF:01', 'JMA_PREF:13']
  ],
  'au-districts': [
    zipped('IDM00001', { AAC: 'NSW_PW005', DIST_NAME: 'Metropolitan', STATE_CODE: 'NSW' }),
    ['AAC:NSW_PW005']
  ],
  'br-municipalities': [features({ codarea: '4314407' }), ['IBGE:4314407']],
  'world-countries': [
    features(
      { NAME: 'France', ISO_A3: '-99', ISO_A3_EH: 'FRA' },
      { NAME: 'Philippines', ISO_A3: 'PHL', ISO_A3_EH: 'PHL' }
    ),
    ['ISO3:FRA', 'ISO3:PHL']
  ]
}

function named(name: string): ZoneSource {
  const source = zoneSource(name)
  if (source === null) throw new Error(`there is no ${name}`)
  return source
}

async function imported(source: ZoneSource, content: string | Buffer) {
  const zonesFolder = folder()
  const file = join(folder(), source.file)
  writeFileSync(file, content)
  const { name, system, code, digits, first, member } = source
  await importPack({
    file,
    zonesFolder,
    name,
    system,
    code,
    digits,
    first,
    member,
    tolerance: 0,
    onSkipped: () => undefined
  })
  return openZoneFiles({ zonesFolder, atlasFile: null })
}

for (const source of ZONE_SOURCES) {
  t.test(`${source.name}: its file becomes outlines of the codes that alerts name`, async (t) => {
    const [content, codes] = FILES[source.name] ?? ['', []]
    t.not(codes.length, 0, 'a file in the layout of its authority stands in this test')
    const shapes = await imported(source, content)
    t.same([...shapes.codes()].sort(), codes.map(canonicalCode).sort(), 'these and no others')
    for (const code of codes) t.match(shapes.shape(canonicalCode(code) ?? ''), geometry, code)
  })
}

t.test('every country of the first steps has a source here, or draws its areas', async (t) => {
  const drawing = ['BR', 'IE', 'MX', 'NZ']
  const named = new Set(ZONE_SOURCES.flatMap(({ countries }) => countries))
  const wanted = 'DE AT CH FR IT ES PT NL BE GB IE SE NO FI PL CZ CA AU NZ JP MX BR US'.split(' ')
  t.same(
    wanted.filter((country) => !named.has(country) && !drawing.includes(country)),
    []
  )
})

t.test('of several shapefiles in one ZIP the named one is read, and none is guessed', async (t) => {
  const source = named('ca-forecast')
  const content = packageOf({ CLC: '041410' })
  for (const member of [undefined, 'land_of_yesterday']) {
    const other = { ...source, member } as ZoneSource
    await t.rejects(imported(other, content), {
      code: 'bad-input',
      message: /--member: land_CLCBaseZone_coarse_unproj, land_CLCBaseZone_detail_unproj/
    })
  }
})

t.test('outlines in metres of a projection are refused, whatever the file', async (t) => {
  const far = {
    type: 'Polygon',
    coordinates: [
      [
        [7_631_305, 1_224_250],
        [7_631_400, 1_224_250],
        [7_631_305, 1_224_999]
      ]
    ]
  }
  const content = JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { CSDUID: '3537048' }, geometry: far }]
  })
  const source = named('ca-places')
  await t.rejects(imported(source, content), { code: 'bad-input', message: /EPSG:4326/ })
})
