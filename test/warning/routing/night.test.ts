import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Two in the morning, UTC. */
const NIGHT = Date.parse('2026-06-02T02:00:00Z')
const FAMILIES = ['weather', 'fire', 'roads', 'avalanche', 'seismic', 'emergency']
const cells = Object.fromEntries(FAMILIES.map((family) => [family, { North: { mt: 1, mc: 'north' } }]))
const quiet_hours = { enabled: true, start: '22:00', end: '06:00' }
const toggles = Object.fromEntries(FAMILIES.map((family) => [family, { cooldown_seconds: 0 }]))

/** A station at night, whose people sleep. */
const asleep = (t: Parameters<typeof station>[0]): Promise<Station> =>
  station(t, { config: withMatrix(cells, { quiet_hours, toggles }), clock: new VirtualClock(NIGHT) })

/** An event posted as by a script that knows no severities: category and title. */
const report = (id: number, category: string, title: string) => ({
  id: `${category}-${id}`,
  category,
  family: undefined,
  title,
  expires: '2026-06-02T20:00:00Z'
})

const WAKES: [category: string, title: string][] = [
  ['emergency_law', 'Shelter in place around Main Street'],
  ['emergency_civil', 'Civil danger in Shoshone'],
  ['emergency_911_outage', '911 is down: call 208-555-0100'],
  ['emergency_evacuation', 'Evacuate Croy Creek now'],
  ['emergency_hazmat', 'Ammonia leak in Burley'],
  ['avalanche_warning', 'Avalanche Warning: Soldier Mountains'],
  ['road_closure', 'ID-75 closed both ways: rock slide'],
  ['road_closure', 'ID-75 closed both ways'],
  ['tsunami_watch', 'Tsunami Watch: be ready to leave the shore'],
  ['tsunami_advisory', 'Tsunami Advisory: leave the shore and boats'],
  ['wildfire_growth', 'Willow fire runs NE toward Fairfield'],
  ['wildfire_spotting', 'Willow fire spots 3 km ahead'],
  ['stream_flood_warning', 'Big Wood River at Hailey over flood stage'],
  ['volcano_warning', 'Volcano Warning: mudflows in the valley'],
  ['weather_flood_warning', 'Flood Warning: Big Wood River'],
  ['weather_tornado_watch', 'Tornado Watch: Jerome'],
  ['weather_thunderstorm_warning', 'Severe Thunderstorm Warning: Gooding']
]
const SLEEPS: [category: string, title: string][] = [
  ['emergency_water', 'Boil tap water in Shoshone'],
  ['emergency_missing', 'SILVER: man of 81, last seen in Rupert'],
  ['emergency_law', 'TEST: shelter in place'],
  ['emergency_evacuation', 'Evacuation drill: leave the school'],
  ['emergency_law', 'Shelter in place lifted'],
  ['road_closure', 'US-93: right lane closed'],
  ['road_closure', 'US-93 closed for construction'],
  ['work_zone', 'US-93 at MP 60: one lane'],
  ['road_incident', 'US-20 MP 150: crash'],
  ['avalanche_watch', 'Avalanche Watch: Smoky Mountains'],
  ['volcano_watch', 'Volcano Watch: small eruption'],
  ['tsunami_statement', 'Tsunami Information: no danger to this coast'],
  ['geological_hazard', 'Landslide risk along the canyon rim'],
  ['weather_marine_advisory', 'Small Craft Advisory: Lake Pend Oreille'],
  ['weather_marine_warning', 'Gale Warning: Cape Suckling'],
  ['weather_statement', 'Special Weather Statement: small hail'],
  ['weather_winter_warning', 'Winter Storm Warning: Blaine'],
  ['weather_wind_advisory', 'Wind Advisory: Twin Falls'],
  ['fire_weather_warning', 'Red Flag Warning: Camas Prairie'],
  ['wildfire_closed', 'Willow fire is out']
]

t.test('at night a report without a severity wakes people if, and only if, it cannot wait until morning', async (t) => {
  const s = await asleep(t)
  for (const [at, [category, title]] of [...WAKES, ...SLEEPS].entries()) {
    const { decision } = await s.post(report(at, category, title))
    const wakes = at < WAKES.length
    t.equal(decision?.reason === 'quiet_hours', !wakes, `${category}: ${title} ${wakes ? 'wakes' : 'waits'}`)
  }
  await s.run(1800)
  const told = s.deliveries().filter(({ transport }) => transport === 'mt')
  const left = told.filter(({ sent_at }) => sent_at !== null)
  t.equal(left.length, WAKES.length, 'and the sleepers hear those, and no other')
  t.equal(told.filter(({ state, reason }) => state === 'held' && reason === 'quiet_hours').length, SLEEPS.length)
  await s.run(5 * 3600)
  t.match(s.onAir().join('\n'), /QUIET 22:00-06:00/, 'the morning hears the rest in one digest')
})

t.test('a severity that the sender gives stands, whatever its category', async (t) => {
  const s = await asleep(t)
  const low = await s.post({ ...report(1, 'emergency_law', 'Shelter in place'), severity: 'priority' })
  t.equal(low.decision?.reason, 'quiet_hours')
  const high = await s.post({ ...report(2, 'work_zone', 'Bridge is giving way'), severity: 'critical' })
  t.not(high.decision?.reason, 'quiet_hours')
})

t.test('an emergency that names no category is not held until morning', async (t) => {
  const s = await asleep(t)
  const { decision } = await s.post({ id: 'bare', family: 'emergency', title: 'Shelter in place around Main Street' })
  t.not(decision?.reason, 'quiet_hours')
})
