import t from 'tap'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { parseNwsText } from '../../../src/warning/feeds/nws-text/parse.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'
import { nwsFeature, nwsListing } from '../feeds/samples.ts'

/**
 * The effect of a VTEC action on the air: a watch that becomes a warning is one message, and nobody hears an end of
 * what goes on graver.
 */

const REGIONS = new Map([
  ['IDZ012', 'North'],
  ['IDZ029', 'South']
])
const NAMES = new Map([
  ['IDZ012', 'Camas Prairie'],
  ['IDZ029', 'Magic Valley']
])

const cells = (floor = 'routine') => ({
  weather: {
    North: { mt: 1, mc: null, min_severity: floor },
    South: { mt: 2, mc: null, min_severity: floor }
  }
})

const setup = async (t: Parameters<typeof station>[0], floor?: string): Promise<Station> =>
  station(t, {
    config: {
      ...withMatrix(cells(floor)),
      coverage: { region_tagging: true, areas: [...REGIONS].map(([code, name]) => ({ name, codes: [code] })) },
      station: { timezone: 'UTC' }
    }
  })

const TIMES = '260602T0600Z-260602T1800Z'
const vtec = (action: string, kind: string, times = TIMES): string => `/O.${action}.KBOI.${kind}.0007.${times}/`

interface Segment {
  zones: string[]
  vtec: string[]
  text?: string
}

/** A product sent this many minutes after the test began. */
function product(minute: number, segments: Segment[]): string {
  const sent = new Date(START + minute * 60_000)
  const stamp = sent.toISOString().slice(8, 16).replaceAll(/[T:]/g, '')
  const clock = `${(sent.getUTCHours() % 12 || 12) * 100 + sent.getUTCMinutes()} PM GMT Mon Jun 1 2026`
  const told = segments.map(({ zones, vtec, text = '* WHAT...West winds 35 mph.' }) => {
    const codes = zones.map((zone, at) => (at === 0 ? zone : zone.slice(3))).join('-')
    const places = zones.map((zone) => NAMES.get(zone)).join('-')
    return `${codes}-020300-\n${vtec.join('\n')}\n${places}-\n${clock}\n\n${text}\n\n$$\n`
  })
  return `123 \nWWUS75 KBOI ${stamp}\nNPWBOI\n\nURGENT - WEATHER MESSAGE\nNational Weather Service Boise ID\n${clock}\n\n${told.join('\n')}`
}

async function tell(s: Station, minute: number, segments: Segment[]): Promise<string[]> {
  await s.run((START + minute * 60_000 - s.clock.now()) / 1000)
  const before = s.onAir().length
  for (const event of parseNwsText(product(minute, segments), { receivedAt: s.clock.now() }).events)
    await s.post({ ...event, regions: [] })
  await s.run(120)
  return s.onAir().slice(before)
}

const WATCH: Segment = { zones: ['IDZ012', 'IDZ029'], vtec: [vtec('NEW', 'HW.A')] }

t.test('a watch that becomes a warning is told once, as that; whoever keeps the watch hears nothing', async (t) => {
  const s = await setup(t)
  t.match(await tell(s, 0, [WATCH]), [/^mt:1 HIGH WIND WATCH North\b/, /^mt:2 HIGH WIND WATCH South\b/])
  const raised = await tell(s, 60, [
    { zones: ['IDZ012'], vtec: [vtec('UPG', 'HW.A'), vtec('NEW', 'HW.W')] },
    { zones: ['IDZ029'], vtec: [vtec('CON', 'HW.A')] }
  ])
  t.match(raised, [/^mt:1 HIGH WIND WARN \(was WATCH\) North\b/])
  t.equal(raised.length, 1)
  const over = await tell(s, 120, [{ zones: ['IDZ029'], vtec: [vtec('CAN', 'HW.A')] }])
  t.match(over, [/^mt:2 CANCEL HIGH WIND WATCH South/])
  t.equal(over.length, 1, 'who hears the warning hears no end of the watch')
})

t.test('a watch that joins a warning in force is told there, as that', async (t) => {
  const s = await setup(t)
  await tell(s, 0, [WATCH, { zones: ['IDZ012'], vtec: [vtec('NEW', 'HW.W')] }])
  const raised = await tell(s, 60, [{ zones: ['IDZ029'], vtec: [vtec('UPG', 'HW.A'), vtec('EXA', 'HW.W')] }])
  t.match(raised, [/^mt:2 HIGH WIND WARN (?:UPD )?\(was WATCH\) South\b/])
  t.equal(raised.length, 1)
})

t.test('of several hazards of the segment only the gravest of its kind replaces the watch', async (t) => {
  const s = await setup(t)
  await tell(s, 0, [{ ...WATCH, vtec: [vtec('NEW', 'WS.A')] }])
  const raised = await tell(s, 60, [
    {
      zones: ['IDZ012'],
      vtec: [vtec('UPG', 'WS.A'), vtec('NEW', 'BZ.W'), vtec('NEW', 'WW.Y'), vtec('NEW', 'HW.W'), vtec('CON', 'FL.W')]
    }
  ])
  t.same(
    raised.map((text) => text.replace(/ North.*/, '')).sort(),
    ['mt:1 BLIZZARD WARN (was WATCH)', 'mt:1 FLOOD WARN', 'mt:1 HIGH WIND WARN', 'mt:1 WINTER WX ADV'].sort()
  )
})

t.test(
  'a watch that becomes an advisory is told once; below the floor of a channel it hears what became of it',
  async (t) => {
    const lowered: Segment[] = [{ zones: ['IDZ012'], vtec: [vtec('UPG', 'HW.A'), vtec('NEW', 'WI.Y')] }]
    const all = await setup(t)
    await tell(all, 0, [WATCH])
    const told = await tell(all, 60, lowered)
    t.match(told, [/^mt:1 WIND ADV \(was WATCH\) North\b/])
    t.equal(told.length, 1)
    const grave = await setup(t, 'priority')
    await tell(grave, 0, [WATCH])
    const low = await tell(grave, 60, lowered)
    t.match(low, [/^mt:1 CANCEL HIGH WIND WATCH North, Camas Prairie \(7:00p\)\. Now WIND ADV\b/])
    t.equal(low.length, 1)
  }
)

t.test('the listing says the same as the text, wherever the two stand in it', async (t) => {
  const sent = new Date(START).toISOString()
  const feature = (id: string, event: string, string: string, more: object = {}) =>
    nwsFeature({ id, event, sent, vtec: [string], areaDesc: 'Camas Prairie', geocode: { UGC: ['IDZ012'] }, ...more })
  const upgraded = (kind: string) => [
    feature('urn:oid:2', 'High Wind Watch', vtec('UPG', 'HW.A'), { messageType: 'Cancel' }),
    feature('urn:oid:1', kind === 'WI.Y' ? 'Wind Advisory' : 'High Wind Warning', vtec('NEW', kind))
  ]
  const read = (features: object[]) => parseNwsAlerts(nwsListing(...features), { receivedAt: START }).events
  for (const features of [upgraded('HW.W'), upgraded('HW.W').reverse()]) {
    const events = read(features)
    t.equal(events.find(({ lifecycle }) => lifecycle === 'new')?.data['replaces'], 'High Wind Watch')
    t.equal(events.find(({ data }) => data.event_name === 'High Wind Watch')?.lifecycle, 'expire')
  }
  const lowered = read(upgraded('WI.Y'))
  t.same(
    lowered.map(({ lifecycle }) => lifecycle),
    ['new', 'cancel'],
    'what replaces it is decided first'
  )
  const elsewhere = read([
    feature('urn:oid:2', 'High Wind Watch', vtec('UPG', 'HW.A')),
    feature('urn:oid:1', 'High Wind Warning', vtec('NEW', 'HW.W'), { geocode: { UGC: ['IDZ012', 'IDZ029'] } })
  ])
  t.notOk(elsewhere[0]?.data['replaces'] ?? elsewhere[1]?.data['replaces'], 'more places than had the watch')
})

t.test('each other action is told as it is: what extends, corrects, repeats, ends or is over', async (t) => {
  const s = await setup(t)
  const north = (action: string, kind = 'HW.W', times = TIMES): Segment[] => [
    { zones: ['IDZ012'], vtec: [vtec(action, kind, times)] }
  ]
  const heads = (texts: string[]): string[] => texts.map((text) => text.replace(/, .*/, ''))
  const later = '260602T0600Z-260602T2100Z'
  t.same(heads(await tell(s, 0, north('NEW'))), ['mt:1 HIGH WIND WARN North'])
  t.same(await tell(s, 10, north('CON')), [], 'nothing new')
  t.same(await tell(s, 20, north('COR')), [], 'a correction without news')
  t.same(heads(await tell(s, 30, north('EXT', 'HW.W', later))), ['mt:1 HIGH WIND WARN UPD North'])
  const both: Segment[] = [{ zones: ['IDZ012', 'IDZ029'], vtec: [vtec('EXB', 'HW.W', '260602T0600Z-260603T0000Z')] }]
  t.same(
    heads(await tell(s, 40, both)).map((text) => text.replace(' UPD', '')),
    ['mt:1 HIGH WIND WARN North', 'mt:2 HIGH WIND WARN South']
  )
  t.same(await tell(s, 50, north('EXP', 'HW.W', '260602T0600Z-260603T0000Z')), [], 'what is over by itself is silent')
  const south: Segment[] = [{ zones: ['IDZ029'], vtec: [vtec('CAN', 'HW.W')] }]
  t.match(await tell(s, 60, south), [/^mt:2 CANCEL HIGH WIND WARN South/])
  t.match(await tell(s, 70, north('ROU', 'FL.S', '000000T0000Z-260602T1800Z')), [/^mt:1 FLOOD STMT\b.* North/])
})
