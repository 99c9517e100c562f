import t from 'tap'
import { saidSteps } from '../../../src/warning/routing/said-trace.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

const CELLS = {
  weather: { North: { mt: 1, mc: null }, South: { mt: 2, mc: null } },
  fire: { North: { mt: 3, mc: null } }
}
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()
const alert = (name: string, severity: string, more: Record<string, unknown> = {}) => ({
  id: name,
  family: 'weather',
  severity,
  title: name,
  expires: at(120),
  data: { event_name: name },
  ...more
})
const reasonOf = ({ decision }: { decision: { kind: string; reason: string } | null }): string =>
  `${decision?.kind} ${decision?.reason}`

t.test('a warning in force mutes its watch and its advisory in the same region, and nothing else', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } } }) })
  await s.post(alert('Flood Warning', 'priority'))
  await s.run(30)
  t.equal(reasonOf(await s.post(alert('Flood Watch', 'priority'))), 'suppressed inhibited')
  t.equal(reasonOf(await s.post(alert('Flood Advisory', 'routine'))), 'suppressed inhibited')
  t.equal(reasonOf(await s.post(alert('High Wind Watch', 'routine'))), 'send planned', 'another hazard')
  const south = alert('Flood Watch', 'priority', { id: 'south', regions: ['South'] })
  t.equal(reasonOf(await s.post(south)), 'send planned', 'another place')
  const both = await s.post(alert('Flood Watch', 'priority', { id: 'both', regions: ['North', 'South'] }))
  t.strictSame(
    both.decision?.sends.map(({ channel, regions }) => [channel, regions]),
    [[2, ['South']]]
  )
  const trace = saidSteps(both.decision?.trace ?? []).find(({ stage }) => stage === 'inhibit')
  t.match(trace, {
    outcome: 'skip',
    reason: 'inhibited',
    region: 'North',
    detail: /Flood Warning is in force in North/
  })
  const graver = alert('Flood Watch', 'critical', { id: 'graver' })
  t.equal(reasonOf(await s.post(graver)), 'send planned', 'a lesser message mutes no graver one')
})

t.test('a red flag warning mutes the fire weather watch', async (t) => {
  const s = await station(t, { config: withMatrix(CELLS) })
  await s.post(alert('Red Flag Warning', 'priority', { family: 'fire' }))
  await s.run(30)
  t.equal(reasonOf(await s.post(alert('Fire Weather Watch', 'routine', { family: 'fire' }))), 'suppressed inhibited')
})

t.test('when the warning has ended or was cancelled, the watch is told', async (t) => {
  for (const end of ['time', 'cancel'] as const) {
    const s = await station(t, { config: withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } } }) })
    const warning = alert('Flood Warning', 'priority', { thread_id: 'W', expires: at(10) })
    await s.post(warning)
    await s.run(60)
    if (end === 'time') await s.run(600)
    else await s.post({ ...warning, id: 'end', lifecycle: 'cancel' })
    await s.run(30)
    t.equal(reasonOf(await s.post(alert('Flood Watch', 'priority'))), 'send planned', end)
  }
})

t.test(
  'a warning that ended early by its time, of which nothing is told, mutes no more; in its other counties it does',
  async (t) => {
    const s = await station(t, { config: withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } } }) })
    const zones = ['IDC001', 'IDC003']
    const warning = alert('Flood Warning', 'priority', { thread_id: 'W', zones })
    await s.post(warning)
    await s.run(60)
    await s.post({ ...warning, id: 'one', lifecycle: 'expire', zones: ['IDC001'] })
    t.equal(reasonOf(await s.post(alert('Flood Watch', 'priority'))), 'suppressed inhibited')
    await s.post({ ...warning, id: 'both', lifecycle: 'expire' })
    t.equal(reasonOf(await s.post(alert('Flood Watch', 'priority', { id: 'later' }))), 'send planned')
  }
)

t.test('a warning that no channel carried mutes nothing', async (t) => {
  const cells = { weather: { North: { mt: 1, mc: null, min_severity: 'priority' } } }
  const s = await station(t, { config: withMatrix(cells) })
  await s.post(alert('Flood Warning', 'routine'))
  t.equal(reasonOf(await s.post(alert('Flood Watch', 'priority'))), 'send planned')
})

t.test('the built-in rule can be switched off, and rules of the configuration say what else mutes what', async (t) => {
  const rule = {
    name: 'evacuation mutes traffic',
    source: { categories: ['emergency_evacuation'] },
    target: { families: ['roads'] }
  }
  const cells = { ...CELLS, emergency: { North: { mt: 1, mc: null } }, roads: { North: { mt: 4, mc: null } } }
  const inhibition = { warning_mutes_watch: false, rules: [rule] }
  const s = await station(t, { config: withMatrix(cells, { inhibition }) })
  await s.post(alert('Flood Warning', 'priority'))
  await s.post({ ...alert('Evacuation', 'immediate'), family: 'emergency', category: 'emergency_evacuation' })
  await s.run(30)
  t.equal(reasonOf(await s.post(alert('Flood Advisory', 'critical'))), 'send planned')
  const road = { ...alert('Closure', 'critical'), family: 'roads', category: 'road_closure' }
  const muted = await s.post(road)
  t.equal(reasonOf(muted), 'suppressed inhibited')
  t.match(
    saidSteps(muted.decision?.trace ?? []).find(({ stage }) => stage === 'inhibit'),
    {
      detail: /evacuation mutes traffic/
    }
  )
  t.equal(
    reasonOf(await s.post({ ...road, id: 'x', severity: 'immediate' })),
    'send planned',
    'immediate is never muted'
  )
})

t.test('rules of an older configuration name the wide category, and mean every hazard of it', async (t) => {
  const rule = {
    name: 'an evacuation mutes weather',
    source: { categories: ['emergency_evacuation'] },
    target: { categories: ['weather_warning'] }
  }
  const cells = { ...CELLS, emergency: { North: { mt: 1, mc: null } } }
  const inhibition = { warning_mutes_watch: false, rules: [rule] }
  const rules = [{ name: 'all warnings', categories: ['weather_warning'], destinations: ['ops'] }]
  const destinations = { ops: { type: 'mesh_dm', node_ids: [7] } }
  const s = await station(t, { config: withMatrix(cells, { inhibition, rules, destinations }) })
  const flood = { ...alert('Flood Warning', 'priority'), category: 'weather_flood_warning' }
  const told = await s.post({ ...flood, id: 'first' })
  t.ok(
    told.decision?.sends.some(({ path }) => path === 'rule'),
    'a rule for warnings takes it'
  )
  t.notOk(
    (await s.post({ ...flood, id: 'watch', category: 'weather_flood_watch' })).decision?.sends.some(
      ({ path }) => path === 'rule'
    ),
    'and not a watch'
  )
  await s.post({ ...alert('Evacuation', 'immediate'), family: 'emergency', category: 'emergency_evacuation' })
  await s.run(30)
  t.equal(reasonOf(await s.post({ ...flood, id: 'second' })), 'suppressed inhibited')
})

t.test('explain and backtest know inhibition', async (t) => {
  const areas = [{ name: 'North', bbox: [-116, 43, -114, 45] }]
  const config = {
    ...withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } } }),
    coverage: { region_tagging: true, areas }
  }
  const inNorth = { regions: [], lat: 44, lon: -115 }
  const s = await station(t, { config })
  await s.post(alert('Flood Warning', 'priority', inNorth))
  await s.run(30)
  const watch = await s.post(alert('Flood Watch', 'priority', inNorth))
  t.equal(s.core.explain({ ...watch.event, id: 'another', thread_id: 'another' }).reason, 'inhibited')
  const routes = { enabled: true, cells: { weather: { North: cell(5) } } }
  const report = await s.core.backtest(routes, START - 1000, START + 3_600_000)
  t.match(report.silent, { inhibited: 1 })
})

function cell(mt: number) {
  return { mt, mc: null, min_severity: 'routine' as const, enabled: true }
}
