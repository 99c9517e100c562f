import t from 'tap'
import { AIR_LANGUAGES } from '../../src/model/air-languages.ts'
import { classifyAlert, isTestCode } from '../../src/model/classify.ts'
import { defaultSeverity } from '../../src/model/families.ts'
import { CODE_FLOORS, floorOf } from '../../src/model/floors.ts'
import { NO_IMPACT } from '../../src/model/impact.ts'
import { capLevel, nwsLevel } from '../../src/model/levels.ts'
import { isAtLeast, type Severity } from '../../src/model/severity.ts'
import { unstatedSeverity } from '../../src/model/unstated.ts'
import { namingOfVtec } from '../../src/warning/feeds/nws-text/names.ts'
import { CATALOGUE } from '../../src/warning/messages/catalogue/catalogue.ts'

const going = { ended: false, allClear: false, codes: [] }

t.test('what a sleeper must hear has a default that passes quiet hours', async (t) => {
  const waking =
    'emergency_law emergency_civil emergency_911_outage avalanche_warning road_closure tsunami_watch tsunami_advisory wildfire_growth stream_flood_warning fire_warning volcano_warning weather_tornado_watch weather_tropical_warning weather_thunderstorm_warning weather_flood_warning'
  for (const category of waking.split(' ')) t.equal(defaultSeverity(category), 'critical', category)
  const first =
    'emergency_evacuation emergency_hazmat emergency_amber tsunami_warning wildfire_spotting weather_tornado_warning'
  for (const category of first.split(' ')) t.equal(defaultSeverity(category), 'immediate', category)
  t.equal(defaultSeverity('geological_hazard'), 'priority')
})

t.test('what can wait for the morning has a default below critical', async (t) => {
  const quiet =
    'emergency_water emergency_missing tsunami_statement volcano_watch volcano_advisory work_zone road_incident traffic_congestion avalanche_watch avalanche_advisory weather_statement weather_marine_warning weather_marine_advisory weather_winter_warning weather_air_statement smoke_advisory wildfire_closed wildfire_halted sat_pass earthquake_event'
  for (const category of quiet.split(' ')) t.notOk(isAtLeast(defaultSeverity(category), 'critical'), category)
})

/** Every code of CFR 47 §11.31(e): by its code alone, whatever severity a sender gives. Those for weather weigh what is said. */
const SAME: Record<string, string> = {
  immediate: 'EAN TOR TSW EWW EVI SPW NUW RHW HMW CAE',
  critical: 'CDW CEM LEW TOE FRW EQW VOW AVW TSA TOA',
  routine:
    'NIC ADR AVA BZW BLU CFW CFA DSW FFW FFA FFS FLW FLA FLS HWW HWA HUW HUA HLS LAE MEP NMN SVR SVA SVS SMW SPS SQW SSW SSA TRW TRA WSW WSA'
}

t.test('every SAME code has its floor, whatever severity the sender gave', async (t) => {
  for (const [level, codes] of Object.entries(SAME))
    for (const code of codes.split(' ')) {
      t.equal(floorOf('Message', [code]), level, code)
      const facts = { ...going, event: 'Message', codes: [code], severity: 'Minor', urgency: 'Expected' }
      t.equal(capLevel(facts), level, `${code} in CAP`)
      t.equal(nwsLevel({ ...NO_IMPACT, ...facts, kind: '' }), level, `${code} of the NWS`)
      t.equal(capLevel({ ...facts, ended: true }), 'routine', `${code}, ended`)
      t.equal(capLevel({ ...facts, allClear: true }), 'routine', `${code}, all clear`)
    }
  for (const code of ['RWT', 'RMT', 'NPT', 'NAT', 'NST', 'DMO']) t.ok(isTestCode([code]), `${code} is never told`)
  for (const code of CODE_FLOORS.keys()) t.notOk(isTestCode([code]), code)
})

t.test('the names of the gravest count in any spelling, and only whole', async (t) => {
  const table: [string, Severity][] = [
    ['Shelter In Place Warning', 'immediate'],
    ['SHELTER-IN-PLACE', 'immediate'],
    ['Shelter in place order', 'immediate'],
    ['Evacuation - Immediate', 'immediate'],
    ['EVACUATION ORDER', 'immediate'],
    ['Mandatory Evacuation', 'immediate'],
    ['Civil Danger Warning', 'critical'],
    ['civil  danger warning ', 'critical'],
    ['Law-Enforcement Warning', 'critical'],
    ['Evacuation Watch', 'critical'],
    ['Evacuation Warning', 'critical'],
    ['911 Telephone Outage Emergency', 'critical'],
    ['9-1-1 outage', 'critical'],
    ['Avalanche Warning', 'critical'],
    ['Tsunami Advisory', 'critical'],
    ['Bushfire Emergency Warning', 'critical'],
    ['Severe Flood Warning', 'critical'],
    ['Watch and Act', 'routine'],
    ['Flood Warning', 'routine'],
    ['Evacuation order lifted', 'routine'],
    ['Shelter in place drill', 'routine'],
    ['Law Enforcement Blue Alert Test', 'routine'],
    ['Avalanche Advisory', 'routine'],
    ['Yellow Avalanche Warning', 'routine']
  ]
  for (const [event, level] of table) {
    t.equal(floorOf(event), level, event)
    t.equal(capLevel({ ...going, event, severity: 'Minor', urgency: 'Future' }), level, `${event} in CAP`)
  }
})

t.test('an alert that does not say how severe it is weighs what its category does, never less', async (t) => {
  const names =
    'Avalanche Warning|Avalanche Watch|Local Area Emergency|Flood Warning|Tornado Watch|Hurricane Warning|Boil Water Notice|Silver Alert|Tsunami Advisory|Air Quality Alert|Volcano Watch|Wind Advisory'
  for (const event of names.split('|'))
    for (const severity of ['Unknown', '', 'unknown', 'Grave'])
      for (const urgency of ['Unknown', '', 'Future']) {
        const { category } = classifyAlert(event)
        const facts = { ...going, event, severity, urgency, category }
        t.ok(isAtLeast(capLevel(facts), defaultSeverity(category)), `${event} ${severity} in CAP`)
        t.ok(
          isAtLeast(nwsLevel({ ...NO_IMPACT, ...facts, kind: '' }), defaultSeverity(category)),
          `${event} of the NWS`
        )
        t.equal(capLevel({ ...facts, ended: true }), 'routine', `${event}, ended`)
      }
  const wind = { ...going, event: 'Wind Advisory', category: classifyAlert('Wind Advisory').category }
  t.equal(capLevel({ ...wind, severity: 'Unknown', urgency: 'Unknown' }), 'routine', 'an advisory wakes nobody')
  const civil = { ...going, event: 'Notice', category: 'emergency_civil', urgency: 'Unknown' }
  t.equal(capLevel({ ...civil, severity: 'Minor' }), 'routine', 'whoever says Minor means it')
  t.equal(capLevel({ ...civil, severity: 'Unknown', urgency: 'Past' }), 'routine')
})

const VTEC =
  'AF.W AF.Y BZ.W CF.W CF.A CF.Y CF.S DS.W DU.Y EC.W EC.A EW.W FA.W FA.A FA.Y FF.W FF.A FG.Y FL.W FL.A FL.Y FR.Y FW.W FW.A FZ.W FZ.A GL.W GL.A HF.W HF.A HU.W HU.A HW.W HW.A HZ.W IS.W LE.W LO.Y LS.W LS.A LW.Y MA.W MF.Y RB.Y RP.S SC.Y SE.W SE.A SI.Y SM.Y SQ.W SR.W SR.A SS.W SS.A SU.W SU.Y SV.W SV.A SW.Y TO.W TO.A TR.W TR.A TS.W TS.A TS.Y TY.W UP.W WC.W WI.Y WS.W WS.A WW.Y XH.W XH.A ZF.Y'

t.test('the plain product of the NWS weighs what its category does, but for these', async (t) => {
  const other = VTEC.split(' ').flatMap((kind) => {
    const [phenomenon = '', significance = ''] = kind.split('.')
    const vtec = { phenomenon, significance, start: null }
    const naming = namingOfVtec(vtec as never, 0)
    const { category } = classifyAlert(naming.event)
    const level = nwsLevel({ ...NO_IMPACT, ...going, ...naming, category, kind })
    const usual = defaultSeverity(category)
    return level === usual ? [] : [`${kind} ${level}, ${category} ${usual}`]
  })
  t.strictSame(other, [
    'AF.W priority, volcano_warning critical',
    'CF.W priority, weather_flood_warning critical',
    'EW.W immediate, weather_wind_warning priority',
    'FA.W priority, weather_flood_warning critical',
    'FZ.A routine, weather_cold_watch priority',
    'HF.A priority, weather_marine_watch routine',
    'LS.W priority, weather_flood_warning critical',
    'MA.W critical, weather_marine_warning priority',
    'SQ.W critical, weather_winter_warning priority',
    'SR.A priority, weather_marine_watch routine',
    'TR.W priority, weather_tropical_warning critical'
  ])
})

t.test('what lasts a day wakes nobody, however extreme; what lasts minutes does', async (t) => {
  const table: [string, string, string, Severity][] = [
    ['Lake Effect Snow Warning', 'Extreme', 'Expected', 'priority'],
    ['Blizzard Warning', 'Extreme', 'Immediate', 'priority'],
    ['Ice Storm Warning', 'Severe', 'Immediate', 'priority'],
    ['Extreme Cold Warning', 'Extreme', 'Expected', 'priority'],
    ['Extreme Heat Warning', 'Extreme', 'Expected', 'priority'],
    ['Storm Warning', 'Severe', 'Immediate', 'priority'],
    ['Hurricane Force Wind Warning', 'Severe', 'Immediate', 'priority'],
    ['Snow Squall Warning', 'Severe', 'Immediate', 'critical'],
    ['Special Marine Warning', 'Severe', 'Immediate', 'critical'],
    ['Severe Thunderstorm Warning', 'Severe', 'Immediate', 'critical'],
    ['Storm Surge Warning', 'Extreme', 'Expected', 'critical'],
    ['Hurricane Warning', 'Extreme', 'Expected', 'critical']
  ]
  for (const [event, severity, urgency, level] of table) {
    const facts = { ...NO_IMPACT, ...going, event, severity, urgency, kind: '' }
    t.equal(nwsLevel(facts), level, event)
    t.equal(nwsLevel({ ...facts, tags: { WEAHandling: 'Imminent Threat' } }), 'immediate', `${event} that woke phones`)
  }
})

const posted = (more: Record<string, unknown>) =>
  unstatedSeverity({ category: '', family: 'emergency', title: 'x', summary: '', body: '', data: {}, ...more })

t.test('a closed road that gives no cause, or a hazard, wakes; work, a lane and a crash do not', async (t) => {
  const table: [string, Severity][] = [
    ['ID-75 closed both ways', 'critical'],
    ['ID-75 closed both ways at Galena Summit: rock slide', 'critical'],
    ['US-20 closed: evacuation of Fairfield', 'critical'],
    ['I-84 closed by flooding after a crash', 'critical'],
    ['US-93: right lane closed', 'priority'],
    ['US-93 closed for construction nightly', 'priority'],
    ['I-84 exit 173 ramp closed', 'priority'],
    ['US-26 closed: crash', 'priority'],
    ['Main Street closed for the parade', 'priority'],
    ['B 27 gesperrt: Bauarbeiten', 'priority'],
    ['ID-75 reopened', 'priority']
  ]
  for (const [title, level] of table)
    t.equal(posted({ category: 'road_closure', family: 'roads', title }), level, title)
})

t.test('facts of an event stand before the default of its category', async (t) => {
  const quake = (magnitude: number) => posted({ category: 'earthquake_event', family: 'seismic', data: { magnitude } })
  t.strictSame([quake(3), quake(4.5), quake(6.1), quake(7)], ['routine', 'priority', 'critical', 'immediate'])
  const gauge = (stage: unknown) => posted({ category: 'stream_flood_warning', family: 'seismic', data: { stage } })
  t.strictSame(
    [gauge('minor'), gauge('moderate'), gauge('major'), gauge(3.1)],
    ['priority', 'critical', 'immediate', 'critical']
  )
})

t.test('an emergency without a category is what its title calls it, else a civil emergency', async (t) => {
  const table: [string, Severity][] = [
    ['Evacuate Croy Creek now', 'critical'],
    ['Shelter in place around Main Street', 'critical'],
    ['911 is down in Gooding County', 'critical'],
    ['Boil water in Shoshone', 'priority'],
    ['Dam may fail', 'critical']
  ]
  for (const [title, level] of table) t.equal(posted({ title }), level, title)
  t.equal(posted({ title: 'Evacuate', family: 'roads' }), 'routine', 'other families stay routine')
})

t.test('exercises wake nobody, and neither do ends; names that only look like one do', async (t) => {
  const table: [string, Severity][] = [
    ['TEST: shelter in place', 'routine'],
    ['This is a test of the siren', 'routine'],
    ['Evacuation drill: leave the building now', 'routine'],
    ['Shelter in place drill', 'routine'],
    ['Übung - Gefahrstoff', 'routine'],
    ...AIR_LANGUAGES.flatMap((language): [string, Severity][] => {
      const { drill, exercise } = CATALOGUE[language].words
      return [drill, exercise].map((mark) => [`${mark}: shelter in place`, 'routine'])
    }),
    ['This is not a test: shelter in place', 'critical'],
    ['Test Range fire: law enforcement on scene', 'critical'],
    ['Drill Creek: shelter in place', 'critical'],
    ['Shelter in place lifted', 'priority'],
    ['All clear: shelter in place on Main Street', 'priority'],
    ['Shelter in place for zone B lifted, zone C take shelter now', 'critical'],
    ['School cancelled, shelter in place', 'critical']
  ]
  for (const [title, level] of table) t.equal(posted({ category: 'emergency_law', title }), level, title)
})
