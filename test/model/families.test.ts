import t from 'tap'
import { classifyAlert, isTestCode } from '../../src/model/classify.ts'
import { defaultFreshnessSeconds, familyKeys, familyOf, findCategory, listFamilies } from '../../src/model/families.ts'
import { NO_IMPACT } from '../../src/model/impact.ts'
import { capLevel, nwsLevel, quakeLevel } from '../../src/model/levels.ts'
import { BUILTIN_FAMILIES, SEVERITIES } from '../../src/model/vocabulary.ts'
import { categoryNames } from '../../src/model/weather-hazards.ts'

t.test(
  'families come in the order of the contract, each category in one family with severity and example',
  async (t) => {
    const families = listFamilies()
    t.same(
      families.map(({ key }) => key),
      BUILTIN_FAMILIES
    )
    const ids = families.flatMap(({ categories }) => categories.map(({ id }) => id))
    t.equal(new Set(ids).size, ids.length, 'no category twice')
    t.ok(ids.length >= 56)
    for (const { key, label, dynamic, categories } of families) {
      t.ok(label)
      t.notOk(dynamic)
      for (const category of categories) {
        t.equal(familyOf(category.id), key)
        t.ok(SEVERITIES.includes(category.default_severity))
        t.ok(category.description && category.example_message, `${category.id} explains itself`)
      }
    }
  }
)

t.test('default severities are those of the table', async (t) => {
  const table: [string, string][] = [
    ['weather_warning', 'priority'],
    ['weather_watch', 'routine'],
    ['wildfire_spotting', 'immediate'],
    ['critical_node_down', 'immediate'],
    ['emergency_evacuation', 'immediate'],
    ['emergency_civil', 'critical'],
    ['stream_flood_warning', 'critical'],
    ['sat_pass', 'routine'],
    ['region_total_blackout', 'immediate']
  ]
  for (const [id, severity] of table) t.equal(findCategory(id)?.category.default_severity, severity, id)
  t.equal(familyOf('stream_flow'), 'seismic')
  t.equal(familyOf('__proto__'), null)
  t.equal(familyOf('nothing'), null)
})

t.test('a family of the configuration is a row of its own and owns the categories named after it', async (t) => {
  const extra = { river: { label: ' River gauges ' }, river_ice: {}, weather: { label: 'Wetter' } }
  const own = listFamilies(extra).filter(({ dynamic }) => dynamic)
  t.same(
    own.map(({ key, label }) => [key, label]),
    [
      ['river', 'River gauges'],
      ['river_ice', 'River ice']
    ]
  )
  t.equal(own[0]?.categories[0]?.id, 'river')
  t.equal(listFamilies(extra).find(({ key }) => key === 'weather')?.label, 'Wetter')
  const keys = familyKeys(extra)
  t.equal(familyOf('river_high', keys), 'river')
  t.equal(familyOf('river_ice_jam', keys), 'river_ice', 'the longest key wins')
  t.equal(familyOf('riverside', keys), null)
  t.equal(familyOf('weather_hail', keys), null, 'built-in families own only their table')
})

t.test('freshness defaults follow contract §4 rule 6', async (t) => {
  const table: [string, number][] = [
    ['weather', 1800],
    ['emergency', 1800],
    ['seismic', 3600],
    ['roads', 3600],
    ['rf_propagation', 3600],
    ['fire', 21_600],
    ['avalanche', 86_400],
    ['mesh_health', 600],
    ['satpass', 600],
    ['tracking', 600],
    ['anything else', 3600]
  ]
  for (const [family, seconds] of table) t.equal(defaultFreshnessSeconds(family), seconds, family)
})

t.test('an alert is classified by SAME code, else by name, else by CAP category, else as weather', async (t) => {
  const table: [string, string[], string[], string, string][] = [
    ['Red Flag Warning', [], [], 'fire_weather_warning', 'fire'],
    ['Fire Weather Watch', [], [], 'fire_weather_watch', 'fire'],
    ['Dense Smoke Advisory', [], [], 'smoke_advisory', 'fire'],
    ['Fire Warning', ['FRW'], [], 'fire_warning', 'fire'],
    ['Avalanche Watch', ['AVA'], [], 'avalanche_watch', 'avalanche'],
    ['Avalanche Advisory', [], [], 'avalanche_advisory', 'avalanche'],
    ['Tsunami Warning', [], [], 'tsunami_warning', 'seismic'],
    ['Earthquake Warning', [], [], 'earthquake_event', 'seismic'],
    ['Volcano Warning', ['VOW'], [], 'volcano_warning', 'seismic'],
    ['Total Fire Ban for Sunday', [], [], 'fire_weather_warning', 'fire'],
    ['Evacuation Immediate', [], [], 'emergency_evacuation', 'emergency'],
    ['Shelter In Place Warning', [], [], 'emergency_law', 'emergency'],
    ['Law Enforcement Warning', ['LEW'], [], 'emergency_law', 'emergency'],
    ['Child Abduction Emergency', [], [], 'emergency_amber', 'emergency'],
    ['911 Telephone Outage', ['TOE'], [], 'emergency_911_outage', 'emergency'],
    ['Hazardous Materials Warning', [], [], 'emergency_hazmat', 'emergency'],
    ['Nuclear Power Plant Warning', [], [], 'emergency_hazmat', 'emergency'],
    ['Radiological Hazard Warning', [], [], 'emergency_hazmat', 'emergency'],
    ['Civil Emergency Message', [], [], 'emergency_civil', 'emergency'],
    ['Message', ['EVI'], ['Safety'], 'emergency_evacuation', 'emergency'],
    ['Industrial accident', [], ['CBRNE'], 'emergency_hazmat', 'emergency'],
    ['Bridge out', [], ['Transport'], 'road_incident', 'roads'],
    ['Storm', [], ['Safety', 'Met'], 'weather_statement', 'weather'],
    ['Winter Storm Warning', ['WSW'], ['Met'], 'weather_winter_warning', 'weather'],
    ['High Wind Watch', [], [], 'weather_wind_watch', 'weather'],
    ['Wind Advisory', [], [], 'weather_wind_advisory', 'weather'],
    ['Special Weather Statement', [], [], 'weather_statement', 'weather'],
    ['Watch out for ice', [], [], 'weather_statement', 'weather'],
    ['Moderate forestfire warning', [], ['Met'], 'fire_warning', 'fire'],
    ['Forest fire danger', [], ['Met'], 'fire_weather_warning', 'fire'],
    ['Severe flood warning', [], ['Geo'], 'weather_flood_warning', 'weather'],
    ['Air Quality Alert', [], ['Env'], 'weather_air_statement', 'weather'],
    ['Heat Advisory', [], ['Health'], 'weather_heat_advisory', 'weather'],
    ['Hot water outage', [], ['Infra'], 'emergency_civil', 'emergency'],
    ['Snoskredfare', [], ['Geo'], 'avalanche_warning', 'avalanche'],
    ['Tsunami Cancellation', [], ['Geo'], 'tsunami_warning', 'seismic'],
    ['Silver Alert', [], [], 'emergency_missing', 'emergency'],
    ['Boil Water Advisory', [], ['Health'], 'emergency_water', 'emergency'],
    ['Ashfall Warning', [], ['Met'], 'volcano_warning', 'seismic'],
    ['津波警報', [], ['Geo'], 'tsunami_warning', 'seismic'],
    ['津波注意報', [], ['Geo'], 'tsunami_advisory', 'seismic'],
    ['津波予報', [], ['Geo'], 'tsunami_watch', 'seismic'],
    ['Tsunami Advisory', [], ['Geo'], 'tsunami_advisory', 'seismic'],
    ['Tsunami Information Statement', [], ['Geo'], 'tsunami_statement', 'seismic'],
    ['Tsunami Watch', ['TSA'], ['Geo'], 'tsunami_watch', 'seismic'],
    ['Volcano Watch/ORANGE', [], ['Geo'], 'volcano_watch', 'seismic'],
    ['Volcano Advisory', [], ['Geo'], 'volcano_advisory', 'seismic'],
    ['Volcanic Ash Advisory', [], ['Geo'], 'volcano_advisory', 'seismic'],
    ['Ashfall Advisory', [], ['Met'], 'volcano_advisory', 'seismic'],
    ['Volcano WARNING, aviation colour RED', [], ['Geo'], 'volcano_warning', 'seismic'],
    ['Missing and Endangered Persons', ['MEP'], ['Rescue'], 'emergency_missing', 'emergency'],
    ['Shelter-in-Place Order', [], ['Safety'], 'emergency_law', 'emergency'],
    ['Amoklage in Kassel', [], ['Security'], 'emergency_law', 'emergency'],
    ['Mise à l’abri', [], ['Safety'], 'emergency_law', 'emergency'],
    ['9-1-1 Outage', [], ['Infra'], 'emergency_911_outage', 'emergency'],
    ['Dam Break Warning', ['DBW'], [], 'weather_flood_warning', 'weather'],
    ['地震報告', [], ['Geo'], 'earthquake_event', 'seismic'],
    ['Gempabumi', [], ['Geo'], 'earthquake_event', 'seismic'],
    ['噴火警報', [], ['Geo'], 'volcano_warning', 'seismic'],
    ['amber alert', ['AMBER'], ['Rescue'], 'emergency_amber', 'emergency'],
    ['enlèvement', ['AMBER'], ['Rescue'], 'emergency_amber', 'emergency'],
    ['eau', ['DRINKINGWATE'], ['Health'], 'emergency_water', 'emergency'],
    ['911', ['911SERVICE'], ['Infra'], 'emergency_911_outage', 'emergency'],
    ['feu', ['WILDFIRE'], ['Fire'], 'fire_warning', 'fire'],
    ['Lage', ['BBK-EVC-077'], ['Safety'], 'fire_warning', 'fire'],
    ['Rauchentwicklung', [], ['Geo', 'Rescue', 'Fire', 'Infra', 'CBRNE', 'Other'], 'emergency_civil', 'emergency']
  ]
  for (const [event, same, categories, category, family] of table)
    t.same(classifyAlert(event, same, categories), { category, family }, event)
  t.ok(isTestCode(['RWT']))
  t.ok(isTestCode(['TESTMESSAGE']), 'of Canada')
  t.notOk(isTestCode(['TOR']))
})

t.test('weather is told apart by hazard, so that a flood never shares a category with a winter storm', async (t) => {
  const table: [string, string][] = [
    ['Flood Warning', 'weather_flood_warning'],
    ['Flash Flood Watch', 'weather_flood_watch'],
    ['Coastal Flood Statement', 'weather_flood_statement'],
    ['Hydrologic Outlook', 'weather_flood_statement'],
    ['Rainfall Warning', 'weather_rain_warning'],
    ['Blizzard Warning', 'weather_winter_warning'],
    ['Lake Effect Snow Warning', 'weather_winter_warning'],
    ['Winter Weather Advisory', 'weather_winter_advisory'],
    ['Freezing Rain Advisory', 'weather_winter_advisory'],
    ['Severe Thunderstorm Warning', 'weather_thunderstorm_warning'],
    ['Tornado Watch', 'weather_tornado_watch'],
    ['Hurricane Warning', 'weather_tropical_warning'],
    ['Storm Surge Watch', 'weather_tropical_watch'],
    ['Extreme Heat Warning', 'weather_heat_warning'],
    ['Heat wave warning', 'weather_heat_warning'],
    ['Freeze Warning', 'weather_cold_warning'],
    ['Cold Weather Advisory', 'weather_cold_advisory'],
    ['Gale Warning', 'weather_marine_warning'],
    ['SEVERE THUNDERSTORM with gale-force gusts and heavy rain', 'weather_statement'],
    ['Severe thunderstorm with gale-force gusts warning', 'weather_thunderstorm_warning'],
    ['GALE-FORCE GUSTS', 'weather_statement'],
    ['Hurricane-force gusts warning', 'weather_wind_warning'],
    ['Special Marine Warning', 'weather_marine_warning'],
    ['Storm Warning', 'weather_marine_warning'],
    ['Heavy Freezing Spray Warning', 'weather_marine_warning'],
    ['Hurricane Force Wind Warning', 'weather_marine_warning'],
    ['Small Craft Advisory', 'weather_marine_advisory'],
    ['Rip Current Statement', 'weather_marine_statement'],
    ['Lake Wind Advisory', 'weather_wind_advisory'],
    ['Dense Fog Advisory', 'weather_fog_advisory'],
    ['Freezing Fog Advisory', 'weather_fog_advisory'],
    ['Dust Storm Warning', 'weather_dust_warning'],
    ['Air Quality Alert', 'weather_air_statement'],
    ['Air Stagnation Advisory', 'weather_air_advisory'],
    ['Tornado Statement', 'weather_statement'],
    ['Severe Weather Statement', 'weather_statement']
  ]
  for (const [event, category] of table) {
    t.same(classifyAlert(event), { category, family: 'weather' }, event)
    const wide = `weather_${category.slice(category.lastIndexOf('_') + 1)}`
    t.same([...new Set(categoryNames(category))], [...new Set([category, wide])], 'its old name still means it')
  }
  t.same(categoryNames('road_closure'), ['road_closure'])
  t.same(categoryNames('emergency_water'), ['emergency_water', 'emergency_civil'], 'what it was a part of')
  t.same(categoryNames('emergency_missing'), ['emergency_missing', 'emergency_amber'])
  t.same(categoryNames('tsunami_advisory'), ['tsunami_advisory', 'tsunami_watch'])
})

const WOKEN = { WEAHandling: 'Imminent Threat' }

t.test('NWS levels: names that always wake, then severity and urgency, never raised for what ended', async (t) => {
  const table: [string, string, string, boolean, boolean, string][] = [
    ['Tornado Warning', 'Severe', 'Expected', false, false, 'immediate'],
    ['Tornado Watch', 'Extreme', 'Future', false, false, 'critical'],
    ['Tsunami Warning', 'Unknown', 'Unknown', false, false, 'immediate'],
    ['Evacuation Immediate', 'Unknown', 'Unknown', false, false, 'immediate'],
    ['Shelter In Place Warning', 'Unknown', 'Unknown', false, false, 'immediate'],
    ['Flash Flood Warning', 'Extreme', 'Immediate', false, false, 'immediate'],
    ['Flash Flood Warning', 'Severe', 'Immediate', true, false, 'immediate'],
    ['Flash Flood Warning', 'Severe', 'Immediate', false, false, 'critical'],
    ['High Wind Watch', 'Severe', 'Future', false, false, 'priority'],
    ['Gale Warning', 'Moderate', 'Expected', false, false, 'priority'],
    ['Gale Watch', 'Moderate', 'Future', false, false, 'routine'],
    ['Air Quality Alert', 'Unknown', 'Unknown', false, false, 'routine'],
    ['Tornado Warning', 'Minor', 'Past', true, true, 'routine'],
    ['Winter Storm Warning', 'Severe', 'Expected', false, true, 'priority']
  ]
  for (const [event, severity, urgency, imminentThreat, ended, level] of table)
    t.equal(
      nwsLevel({ ...NO_IMPACT, tags: imminentThreat ? WOKEN : {}, kind: '', event, severity, urgency, ended }),
      level,
      `${event} ${severity} ${urgency} ${ended}`
    )
})

t.test('CAP levels: an all-clear is routine, whatever else is said', async (t) => {
  const facts = { event: 'Storm', codes: [], allClear: false, ended: false }
  const table: [string, string, string][] = [
    ['Extreme', 'Immediate', 'immediate'],
    ['Extreme', 'Future', 'critical'],
    ['Severe', 'Immediate', 'critical'],
    ['Severe', 'Expected', 'priority'],
    ['Moderate', 'Immediate', 'priority'],
    ['Moderate', 'Expected', 'routine'],
    ['Minor', 'Immediate', 'routine']
  ]
  for (const [severity, urgency, level] of table) {
    t.equal(capLevel({ ...facts, severity, urgency }), level, `${severity} ${urgency}`)
    t.equal(capLevel({ ...facts, severity, urgency, allClear: true }), 'routine')
  }
  t.equal(capLevel({ ...facts, severity: 'Unknown', urgency: 'Unknown', codes: ['EVI'] }), 'immediate')
})

t.test('earthquake levels by size and PAGER colour, lower inside a region', async (t) => {
  const table: [number | null, string | null, boolean, string][] = [
    [7, null, false, 'immediate'],
    [5, 'red', false, 'immediate'],
    [6, null, false, 'critical'],
    [3, 'orange', false, 'critical'],
    [4.5, null, false, 'priority'],
    [3, 'yellow', false, 'priority'],
    [4.4, 'green', false, 'routine'],
    [3.5, null, true, 'priority'],
    [3.4, null, true, 'routine'],
    [null, null, false, 'routine']
  ]
  for (const [magnitude, alert, insideRegion, level] of table)
    t.equal(quakeLevel({ magnitude, alert, insideRegion }), level, JSON.stringify({ magnitude, alert }))
})
