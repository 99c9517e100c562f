import t from 'tap'
import { CountyNames } from '../../../src/warning/atlas/county-names.ts'
import { findCountyAtlas } from '../../../src/warning/atlas/zone-files.ts'

t.test('a zone is in the county it is named after, or is a part of', async (t) => {
  const names = new CountyNames({ atlasFile: findCountyAtlas(import.meta.url), onProblem: (text) => t.fail(text) })
  const table: [string, string[], string[] | null, boolean][] = [
    ['CAZ006', ['San Francisco'], ['CAC075'], true],
    ['CTZ005', ['Northern Fairfield'], ['CTC001'], true],
    ['CTZ005', ['Northern Fairfield CT'], ['CTC001'], true],
    ['CAZ103', ['NORTHERN HUMBOLDT COAST'], ['CAC023'], true],
    ['NYZ087', ['Northern St. Lawrence'], ['NYC089'], true],
    ['CAZ580', ['San Joaquin Valley'], ['CAC077'], false],
    ['CAZ013', ['Clear Lake/Southern Lake County'], null, false],
    ['IDZ012', ['Lower Treasure Valley'], null, false],
    ['CAZ006', ['San Francisco', 'North Bay Interior Valleys'], ['CAC075'], false],
    ['ORZ006', ['San Francisco'], null, false],
    ['CAZ006', [], null, false]
  ]
  for (const [zone, named, codes, whole] of table)
    t.same(names.counties(zone, named), codes === null ? null : { codes, whole }, `${zone} ${named.join('-')}`)
})

t.test('without an atlas no name is a county; a broken one is reported once', async (t) => {
  const problems: string[] = []
  t.equal(new CountyNames({ atlasFile: null, onProblem: () => undefined }).counties('CAZ006', ['San Francisco']), null)
  const broken = new CountyNames({ atlasFile: '/nowhere.json', onProblem: (text) => problems.push(text) })
  t.equal(broken.counties('CAZ006', ['San Francisco']), null)
  t.equal(broken.counties('CAZ006', ['San Francisco']), null)
  t.equal(problems.length, 1)
})
