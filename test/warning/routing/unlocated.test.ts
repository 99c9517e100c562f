import t from 'tap'
import { START, station, withMatrix } from '../../helpers/station.ts'

const AREAS = [
  { name: 'North', bbox: [-116, 43, -114, 45] },
  { name: 'South', bbox: [-116, 41, -114, 43] },
  { bbox: [0, 0, 1, 1] }
]
const CELLS = { weather: { North: { mt: 1, mc: null }, South: { mt: 2, mc: null } } }
const config = (more: Record<string, unknown> = {}, sources: unknown[] = []) => ({
  ...withMatrix(CELLS),
  sources,
  coverage: { region_tagging: true, areas: AREAS, ...more }
})
const warning = {
  id: 'w',
  family: 'weather',
  severity: 'critical',
  title: 'Tornado Warning',
  regions: [],
  expires: new Date(START + 3_600_000).toISOString(),
  data: { event_name: 'Tornado Warning' }
}

t.test(
  'grave weather without a place goes to every region where its source is set so, else it is dropped',
  async (t) => {
    const nws = { kind: 'nws', areas: ['ID'], everywhere_when_unlocated: true }
    const cases: [string, Record<string, unknown>, Record<string, unknown>, unknown[], string[]][] = [
      ['not set', {}, {}, [], []],
      ['a pushed source', { source: 'county' }, { everywhere_sources: ['county'] }, [], ['North', 'South']],
      ['another pushed source', { source: 'other' }, { everywhere_sources: ['county'] }, [], []],
      ['a source of the configuration', { source: 'nws' }, {}, [nws], ['North', 'South']],
      ['lesser weather', { source: 'nws', severity: 'priority' }, {}, [nws], []],
      ['weather with a place', { source: 'nws', lat: 44, lon: -115 }, {}, [nws], ['North']],
      ['weather elsewhere', { source: 'nws', lat: 10, lon: 10 }, {}, [nws], []]
    ]
    for (const [name, event, coverage, sources, regions] of cases) {
      const s = await station(t, { config: config(coverage, sources) })
      const { event: tagged, decision } = await s.post({ ...warning, ...event })
      t.strictSame(tagged.regions, regions, name)
      t.equal(decision?.kind, regions.length > 0 ? 'send' : 'dropped', name)
      const gate = decision?.trace.find(({ stage }) => stage === 'gate')
      if (regions.length === 2) t.match(gate, { outcome: 'pass', reason: 'everywhere' }, name)
    }
  }
)

t.test('an end follows what went everywhere', async (t) => {
  const s = await station(t, { config: config({ everywhere_sources: ['test'] }) })
  await s.post({ ...warning, thread_id: 'T' })
  await s.run(30)
  await s.post({ ...warning, id: 'end', thread_id: 'T', lifecycle: 'cancel' })
  await s.run(30)
  t.match(s.onAir(), [/^mt:1/, /^mt:2/, /^mt:1 CANCEL/, /^mt:2 CANCEL/])
})
