import t from 'tap'
import { findCountyAtlas, openZoneFiles } from '../../../src/warning/atlas/zone-files.ts'
import { parseNwsText } from '../../../src/warning/feeds/nws-text/parse.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

/** As in the field without internet: the county atlas, and no zone pack. */
const zones = openZoneFiles({ zonesFolder: '', atlasFile: findCountyAtlas(import.meta.url) })
const cell = (mt: number) => ({ mt, mc: null })

function configOf(areas: Record<string, string[]>, family: string) {
  const names = Object.keys(areas)
  const cells = Object.fromEntries(names.map((name, at) => [name, cell(at + 1)]))
  return {
    ...withMatrix({ [family]: cells }),
    coverage: {
      region_tagging: true,
      areas: names.map((name) => ({ name, codes: areas[name] }))
    }
  }
}

const tsunami = (codes: string, names: string) =>
  [
    'WEPA41 PAAQ 011801',
    'TSUWCA',
    '',
    'BULLETIN',
    'Tsunami Message Number 1',
    'NWS National Tsunami Warning Center Palmer AK',
    '1001 AM AKDT Mon Jun 1 2026',
    '',
    `${codes}-011901-`,
    '/O.NEW.PAAQ.TS.W.0001.260601T1800Z-000000T0000Z/',
    ...(names === '' ? [] : [names]),
    '1001 AM AKDT Mon Jun 1 2026',
    '',
    '...THE TSUNAMI WARNING IS IN EFFECT...',
    '',
    'Move inland to higher ground.',
    '',
    '$$'
  ].join('\n')

const winter = [
  'WWUS41 KOKX 011800',
  'WSWOKX',
  '',
  'URGENT - WINTER WEATHER MESSAGE',
  'National Weather Service New York NY',
  '200 PM EDT Mon Jun 1 2026',
  '',
  'CTZ005-006-020600-',
  '/O.NEW.KOKX.WS.W.0002.260601T2300Z-260602T1800Z/',
  'Northern Fairfield-Northern New Haven-',
  '200 PM EDT Mon Jun 1 2026',
  '',
  '...WINTER STORM WARNING IN EFFECT FROM 7 PM THIS EVENING...',
  '',
  '* WHAT...Heavy snow expected. Total snow accumulations of 8 to 12 inches.',
  '',
  '$$'
].join('\n')

async function airOf(t: import('tap').Test, config: unknown, text: string): Promise<string[]> {
  const s = await station(t, { config, zones })
  for (const event of parseNwsText(text, { receivedAt: START }).events) await s.post({ ...event })
  await s.run(120)
  return s.onAir().map((line) => line.split(' ')[0] ?? '')
}

t.test('a tsunami warning coded by zones reaches areas of counties in the state, without any zone pack', async (t) => {
  const config = configOf(
    { Humboldt: ['CAC023'], SanFrancisco: ['CAC075'], Zone: ['CAZ103'], Idaho: ['IDC001'] },
    'seismic'
  )
  t.same((await airOf(t, config, tsunami('CAZ103-006', ''))).sort(), ['mt:1', 'mt:2', 'mt:3'])
  t.same(
    (await airOf(t, config, tsunami('CAZ006', 'San Francisco-'))).sort(),
    ['mt:2'],
    'what its name places is told there only'
  )
})

t.test('a winter storm coded by zones reaches the counties its zones are named after', async (t) => {
  const config = configOf({ Fairfield: ['CTC001'], Litchfield: ['CTC005'], Danbury: ['CTZ005'] }, 'weather')
  t.same((await airOf(t, config, winter)).sort(), ['mt:1', 'mt:3'])
})

t.test('what an alert in JSON taught places a text without names, over a restart', async (t) => {
  const config = configOf({ Humboldt: ['CAC023'], SanFrancisco: ['CAC075'] }, 'seismic')
  const s = await station(t, { config, zones, databasePath: `${t.testdir()}/db` })
  const taught = { id: 'taught', family: 'weather', severity: 'routine', title: 'Wind Advisory' }
  await s.post({ ...taught, regions: [], zones: ['CAZ103'], same: ['006023'] })
  const again = await s.restart()
  for (const event of parseNwsText(tsunami('CAZ103', ''), { receivedAt: START }).events) await again.post({ ...event })
  await again.run(120)
  t.same(
    again.onAir().map((line) => line.split(' ')[0]),
    ['mt:1']
  )
})
