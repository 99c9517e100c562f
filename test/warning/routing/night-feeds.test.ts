import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { parseCap } from '../../../src/warning/feeds/cap/parse.ts'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { station, withMatrix } from '../../helpers/station.ts'
import { capDocument, capInfo, nwsFeature, nwsListing } from '../feeds/samples.ts'

/** Five minutes after the samples were sent; people go to bed early here. */
const NOW = Date.parse('2026-01-15T18:05:00Z')
const FAMILIES = ['weather', 'fire', 'avalanche', 'seismic', 'emergency']
const config = withMatrix(Object.fromEntries(FAMILIES.map((family) => [family, { North: { mt: 1, mc: null } }])), {
  quiet_hours: { enabled: true, start: '18:00', end: '23:00' },
  toggles: Object.fromEntries(FAMILIES.map((family) => [family, { cooldown_seconds: 0 }]))
})

interface Filed {
  event: string
  same?: string
  severity: string
  urgency: string
  status?: string
}

/** The same alert as a town files it in CAP, and as the NWS lists it. */
function filed({ event, same, severity, urgency, status = 'Actual' }: Filed): Record<string, LookoutEvent[]> {
  const code = `<eventCode><valueName>SAME</valueName><value>${same}</value></eventCode>`
  const info = capInfo({ event, more: same === undefined ? '' : code })
    .replace('>Severe<', `>${severity}<`)
    .replace('>Expected<', `>${urgency}<`)
  const codes = same === undefined ? {} : { eventCode: { SAME: [same] } }
  const listing = nwsListing(nwsFeature({ event, severity, urgency, status, ...codes }))
  return {
    CAP: parseCap(capDocument({ status, infos: [info] }), { receivedAt: NOW }).events,
    NWS: parseNwsAlerts(listing, { receivedAt: NOW }).events
  }
}

const WAKES: Filed[] = [
  { event: 'Shelter In Place Warning', same: 'SPW', severity: 'Moderate', urgency: 'Expected' },
  { event: 'Shelter-in-place', severity: 'Unknown', urgency: 'Unknown' },
  { event: 'Law Enforcement Warning', same: 'LEW', severity: 'Moderate', urgency: 'Expected' },
  { event: 'Civil Danger Warning', same: 'CDW', severity: 'Minor', urgency: 'Expected' },
  { event: 'Civil Emergency Message', same: 'CEM', severity: 'Unknown', urgency: 'Unknown' },
  { event: '911 Telephone Outage', same: 'TOE', severity: 'Moderate', urgency: 'Expected' },
  { event: 'Evacuation Watch', same: 'EVA', severity: 'Moderate', urgency: 'Future' },
  { event: 'Evacuation Order', severity: '', urgency: '' },
  { event: 'Avalanche Warning', same: 'AVW', severity: 'Unknown', urgency: 'Unknown' },
  { event: 'Avalanche Warning', severity: 'Severe', urgency: 'Expected' },
  { event: 'Tsunami Watch', same: 'TSA', severity: 'Severe', urgency: 'Future' },
  { event: 'Tsunami Advisory', severity: 'Moderate', urgency: 'Expected' },
  { event: 'Tornado Watch', severity: 'Extreme', urgency: 'Future' }
]
const SLEEPS: Filed[] = [
  { event: 'Small Craft Advisory', severity: 'Minor', urgency: 'Expected' },
  { event: 'Wind Advisory', severity: 'Moderate', urgency: 'Expected' },
  { event: 'Wind Advisory', severity: 'Unknown', urgency: 'Unknown' },
  { event: 'Special Weather Statement', severity: 'Moderate', urgency: 'Expected' },
  { event: 'Air Quality Alert', severity: 'Unknown', urgency: 'Unknown' },
  { event: 'Heat Advisory', severity: '', urgency: '' },
  { event: 'Boil Water Notice', severity: 'Unknown', urgency: 'Unknown' },
  { event: 'Silver Alert', same: 'MEP', severity: 'Severe', urgency: 'Expected' },
  { event: 'Avalanche Watch', same: 'AVA', severity: 'Unknown', urgency: 'Unknown' },
  { event: 'Winter Storm Warning', severity: 'Severe', urgency: 'Expected' },
  { event: 'Shelter in place drill', severity: 'Minor', urgency: 'Expected' }
]

const title = ({ event, severity, urgency }: Filed): string => `${event} (${severity || '-'}, ${urgency || '-'})`

t.test('at night an alert wakes people by what it is, however its office filed it', async (t) => {
  const s = await station(t, { config, clock: new VirtualClock(NOW) })
  let count = 0
  // The lesser ones first: a warning in force would mute its watch.
  for (const [at, alert] of [...SLEEPS, ...WAKES].entries())
    for (const [way, [event]] of Object.entries(filed(alert))) {
      if (event === undefined) throw new Error(`${title(alert)} gave no event`)
      count += 1
      const own = { id: `e${count}`, thread_id: `t${count}`, regions: ['North'], region: 'North', same: [], zones: [] }
      const accepted = s.core.accept([{ event: { ...event, ...own } }])
      await s.clock.runTo(s.clock.now())
      const [answer] = await accepted
      const isHeld = answer?.decision?.reason === 'quiet_hours'
      t.equal(isHeld, at < SLEEPS.length, `${title(alert)} ${way}: ${at < SLEEPS.length ? 'waits' : 'wakes'}`)
    }
})

t.test('exercises and tests of the alerting systems are not even stored', async (t) => {
  const spw = { event: 'Shelter In Place Warning', same: 'SPW', severity: 'Extreme', urgency: 'Immediate' }
  for (const status of ['Exercise', 'Test', 'System', 'Draft'])
    t.same(filed({ ...spw, status }), { CAP: [], NWS: [] }, status)
  for (const same of ['RWT', 'RMT', 'DMO'])
    t.same(filed({ ...spw, event: 'Required Weekly Test', same }), { CAP: [], NWS: [] }, same)
})
