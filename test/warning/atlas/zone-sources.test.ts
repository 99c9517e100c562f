import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { importPack } from '../../../src/warning/atlas/import-pack.ts'
import { openZoneFiles } from '../../../src/warning/atlas/zone-files.ts'
import { ZONE_SOURCES, type ZoneSource, zoneSource } from '../../../src/warning/atlas/zone-sources.ts'
import { canonicalCode } from '../../../src/warning/coverage/codes.ts'
import { BOX, packageOf, ZONE_FILES } from './zone-files-of-authorities.ts'

const geometry = { type: 'Polygon' as const, coordinates: [BOX] }
const folder = (): string => mkdtempSync(join(tmpdir(), 'lookout-zone-sources-'))

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
    const [content, codes] = ZONE_FILES[source.name] ?? ['', []]
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
