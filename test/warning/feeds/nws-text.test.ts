import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { parseCap } from '../../../src/warning/feeds/cap/parse.ts'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { parseNwsText } from '../../../src/warning/feeds/nws-text/parse.ts'
import { type NwsTextSettings, nwsTextSourceSchema } from '../../../src/warning/feeds/nws-text/settings.ts'
import { nwsTextSource } from '../../../src/warning/feeds/nws-text/source.ts'
import { ProductSplitter } from '../../../src/warning/feeds/nws-text/splitter.ts'
import { nearestDay, nearestHour, parseTimeLine } from '../../../src/warning/feeds/nws-text/times.ts'
import { findUgc } from '../../../src/warning/feeds/nws-text/ugc.ts'
import { inWords } from '../../helpers/in-words.ts'
import { pushHarness } from './push-harness.ts'
import { capDocument, capInfo, NWS_SENDER, nwsFeature, nwsListing } from './samples.ts'
import { bytes, fixtureBytes, MapMemory, tools } from './source-harness.ts'

const NOW = Date.parse('2026-01-15T18:05:00Z')
const settings = (change: object = {}): NwsTextSettings =>
  v.parse(nwsTextSourceSchema, { kind: 'nws_text', folder: 'inbox', ...change })
const parse = (text: string) => parseNwsText(text, { receivedAt: NOW })
const names = (text: string) =>
  parse(text).events.map(({ data, severity, lifecycle }) => `${data.event_name} ${severity} ${lifecycle}`)

interface ProductSample {
  heading?: string
  awips?: string
  ugc?: string
  vtec?: string
  text?: string
  end?: string
}

/** A product of Pocatello at 11 AM on 15 January 2026 with one segment. */
function product(sample: ProductSample = {}): string {
  const { heading = 'WFUS55 KPIH 151800', awips = 'TORPIH', ugc = 'IDC013-025-151900-', end = '$$\n' } = sample
  const {
    vtec = '/O.NEW.KPIH.TO.W.0001.260115T1800Z-260115T1900Z/',
    text = '* At 1058 AM MST, a tornado was seen.\n'
  } = sample
  return `123 \n${heading}\n${awips}\n${ugc}\n${vtec === '' ? '' : `${vtec}\n`}Blaine ID-Camas ID-\n1100 AM MST Thu Jan 15 2026\n\n${text}\n${end}`
}

/** One of the first halves of the alphabet of a table: phenomenon, significance, action. */
const vtecOf = (kind: string, action = 'NEW', number = '0001'): string =>
  `/O.${action}.KPIH.${kind}.${number}.260115T1800Z-260115T1900Z/`

t.test('a product becomes an event with everything a warning says', async (t) => {
  const text = `${product({
    text: `...TORNADO WARNING UNTIL NOON...\n\n* At 1058 AM MST, a tornado was seen near
  Hailey.\n\nHAZARD...Damaging tornado.\n\nPRECAUTIONARY/PREPAREDNESS ACTIONS...\n\nThis is a tornado. Take cover now! Move to a basement.\n\n&&\n
LAT...LON 4350 11430 4360 11400 4330 11400\nTIME...MOT...LOC 1758Z 240DEG 30KT 4345 11420\n\nTORNADO...OBSERVED\nMAX HAIL SIZE...1.00 IN\n`
  })}\nSMITH\n`
  const { events, skipped, updated } = parse(text)
  t.same([skipped, updated], [[], '2026-01-15T18:00:00.000Z'])
  t.match(events, [
    {
      id: 'KPIH.WFUS55.202601151800.TORPIH.1.KPIH.TO.W.0001.NEW',
      source: 'nws_text',
      revision: '',
      category: 'weather_tornado_warning',
      family: 'weather',
      severity: 'immediate',
      title: 'Tornado Warning: Blaine ID; Camas ID',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-114.3, 43.5],
            [-114, 43.6],
            [-114, 43.3],
            [-114.3, 43.5]
          ]
        ]
      },
      zones: ['IDC013', 'IDC025'],
      onset: '2026-01-15T18:00:00.000Z',
      expires: '2026-01-15T19:00:00.000Z',
      sent_at: '2026-01-15T18:00:00.000Z',
      received_at: '2026-01-15T18:05:00.000Z',
      thread_id: 'vtec:KPIH.TO.W.0001.2026',
      lifecycle: 'new',
      data: {
        event_name: 'Tornado Warning',
        places: ['Blaine ID', 'Camas ID'],
        detail: 'Damaging tornado.',
        instruction: 'Take cover now!',
        attribution: 'NWS PIH',
        vtec: { key: 'KPIH.TO.W.0001.2026', action: 'NEW' },
        material: 'immediate|2026-01-15T19:00:00.000Z',
        nws: {
          tornadoDetection: 'OBSERVED',
          maxHailSize: '1.00 IN',
          motion: { time: '2026-01-15T17:58:00.000Z', from_degrees: 240, knots: 30, points: [[-114.2, 43.45]] }
        }
      }
    }
  ])
})

t.test('levels and names follow the rules of the other NWS sources', async (t) => {
  const table: [string, string, string][] = [
    ['TO.W', '', 'Tornado Warning immediate'],
    ['SV.W', '', 'Severe Thunderstorm Warning critical'],
    ['SV.W', 'THUNDERSTORM DAMAGE THREAT...DESTRUCTIVE', 'Severe Thunderstorm Warning immediate'],
    ['SV.W', 'THUNDERSTORM DAMAGE THREAT...CONSIDERABLE', 'Severe Thunderstorm Warning critical'],
    ['SV.W', 'THIS IS A PARTICULARLY DANGEROUS SITUATION.', 'Severe Thunderstorm Warning immediate'],
    ['FF.W', '', 'Flash Flood Warning critical'],
    ['FF.W', 'FLASH FLOOD DAMAGE THREAT...CONSIDERABLE', 'Flash Flood Warning immediate'],
    ['FF.W', 'A FLASH FLOOD EMERGENCY FOR HAILEY.', 'Flash Flood Warning immediate'],
    ['SQ.W', 'SNOW SQUALL IMPACT...SIGNIFICANT', 'Snow Squall Warning immediate'],
    ['TO.A', 'THIS IS A PARTICULARLY DANGEROUS SITUATION.', 'Tornado Watch critical'],
    ['SV.A', '', 'Severe Thunderstorm Watch priority'],
    ['FF.A', '', 'Flash Flood Watch priority'],
    ['FW.W', '', 'Red Flag Warning priority'],
    ['FW.A', '', 'Fire Weather Watch priority'],
    ['WS.W', '', 'Winter Storm Warning priority'],
    ['GL.W', '', 'Gale Warning priority'],
    ['GL.A', '', 'Gale Watch routine'],
    ['WW.Y', '', 'Winter Weather Advisory routine'],
    ['RP.S', '', 'Rip Current Statement routine'],
    ['TS.W', '', 'Tsunami Warning immediate'],
    ['EW.W', '', 'Extreme Wind Warning immediate'],
    ['QQ.W', '', 'Hazard QQ Warning priority']
  ]
  for (const [kind, text, expected] of table)
    t.same(names(product({ vtec: vtecOf(kind), text })), [`${expected} new`], `${kind} ${text}`)
  for (const action of ['CAN', 'EXP', 'UPG'])
    t.match(names(product({ vtec: vtecOf('TO.W', action) })), [/^Tornado Warning routine (?:cancel|expire)$/], action)
})

t.test('products without VTEC go by their identifier; forecasts, tests and unknown ones are left out', async (t) => {
  const table: [string, string, string][] = [
    ['EVIPIH', '', 'Evacuation Immediate immediate emergency_evacuation'],
    ['SPWPIH', '', 'Shelter In Place Warning immediate emergency_law'],
    ['HMWPIH', '', 'Hazardous Materials Warning immediate emergency_hazmat'],
    ['CAEPIH', '', 'Child Abduction Emergency immediate emergency_amber'],
    ['CEMPIH', '', 'Civil Emergency Message critical emergency_civil'],
    ['TOEPIH', '', '911 Telephone Outage critical emergency_911_outage'],
    ['AVAPIH', '', 'Avalanche Watch priority avalanche_watch'],
    ['FRWPIH', '', 'Fire Warning critical fire_warning'],
    ['SPSPIH', '', 'Special Weather Statement routine weather_statement'],
    ['AQAPIH', '', 'Air Quality Alert routine weather_air_statement'],
    ['ZFPPIH', '', 'ZFPPIH is no alert'],
    ['RWTPIH', '', 'test'],
    ['EVIPIH', 'THIS IS A TEST MESSAGE. DO NOT TAKE ACTION.', 'test'],
    ['EVIPIH', '...TEST...EVACUATION...TEST...', 'test'],
    ['EVIPIH', 'THIS IS NOT A TEST.', 'Evacuation Immediate immediate emergency_evacuation']
  ]
  for (const [awips, text, expected] of table) {
    const { events, skipped } = parse(product({ awips, text, vtec: '' }))
    const told = events.map(({ data, severity, category }) => `${data.event_name} ${severity} ${category}`)
    t.same(inWords([...told, ...skipped.map(({ reason }) => reason)]), [expected], `${awips} ${text}`)
  }
  t.match(inWords(parse(product({ vtec: vtecOf('TO.W').replace('/O.', '/T.') }))), {
    events: { length: 0 },
    skipped: [{ reason: 'test' }]
  })
})

t.test('one tornado warning is one thread as JSON, as CAP and as text, with one level and one material', async (t) => {
  const vtec = vtecOf('TO.W')
  const parameter = `<parameter><valueName>VTEC</valueName><value>${vtec}</value></parameter>`
  const info = capInfo({ event: 'Tornado Warning', more: `${parameter}<expires>2026-01-15T12:00:00-07:00</expires>` })
  const severe = info.replace('Severe', 'Extreme').replace('Expected', 'Immediate')
  const feature = {
    vtec: [vtec],
    event: 'Tornado Warning',
    severity: 'Extreme',
    urgency: 'Immediate',
    ends: '2026-01-15T12:00:00-07:00'
  }
  const copies = [
    parse(product()).events[0],
    parseNwsAlerts(nwsListing(nwsFeature(feature)), { receivedAt: NOW }).events[0],
    parseCap(capDocument({ sender: NWS_SENDER, infos: [severe] }), { receivedAt: NOW }).events[0]
  ]
  for (const key of ['thread_id', 'severity', 'category', 'lifecycle', 'expires'] as const)
    t.equal(new Set(copies.map((event) => event?.[key])).size, 1, key)
  for (const key of ['material', 'attribution', 'event_name'] as const)
    t.equal(new Set(copies.map((event) => event?.data[key])).size, 1, key)
  const statement = product({ awips: 'SPSPIH', vtec: '' })
  const json = parseNwsAlerts(nwsListing(nwsFeature({ event: 'Special Weather Statement' })), { receivedAt: NOW })
  t.equal(parse(statement).events[0]?.thread_id, json.events[0]?.thread_id, 'a statement too, by its zones')
})

t.test('each segment and each VTEC string is an event; one that is cut off says nothing', async (t) => {
  const second =
    'IDC053-151900-\n/O.CAN.KPIH.TO.W.0001.000000T0000Z-260115T1900Z/\nJerome ID-\n1100 AM MST Thu Jan 15 2026\n\nGone.\n'
  const both = `${product({ vtec: `${vtecOf('FW.A', 'UPG', '0003')}\n${vtecOf('FW.W')}` })}${second}`
  const lives = (text: string) => parse(text).events.map(({ id, lifecycle }) => `${id.slice(32)} ${lifecycle}`)
  const first = ['1.KPIH.FW.A.0003.UPG expire', '1.KPIH.FW.W.0001.NEW new']
  t.same(lives(both), first)
  t.match(inWords(parse(both).skipped), [{ reason: 'cut off: no end mark' }])
  for (const end of ['$$', 'NNNN', '\u0003'])
    t.same(lives(`${both}\n${end}\n`), [...first, '2.KPIH.TO.W.0001.CAN cancel'], end)
  t.match(parse(both).events[0], { summary: '', data: { places: ['Blaine ID', 'Camas ID'] } })
  t.same(inWords(parse(product({ ugc: '' })).skipped.map(({ reason }) => reason)), ['no line of codes'])
})

t.test('of several headlines in one segment each hazard tells its own', async (t) => {
  const text = '...WINTER STORM WARNING UNTIL NOON...\n...HIGH WIND WARNING IN EFFECT TONIGHT...\n\nBoth.\n'
  const both = product({ vtec: `${vtecOf('WS.W')}\n${vtecOf('HW.W')}`, text })
  t.same(
    parse(both).events.map(({ summary }) => summary),
    ['WINTER STORM WARNING UNTIL NOON', 'HIGH WIND WARNING IN EFFECT TONIGHT']
  )
})

t.test('a corrected product is an update of what it corrects, under a name of its own', async (t) => {
  const [event] = parse(product({ heading: 'WFUS55 KPIH 151800 CCA' })).events
  t.match(event, {
    id: 'KPIH.WFUS55.202601151800.CCA.TORPIH.1.KPIH.TO.W.0001.COR',
    lifecycle: 'update',
    thread_id: 'vtec:KPIH.TO.W.0001.2026'
  })
  t.match(parse(product({ heading: 'WWUS55 KPIH 151800 CCA', awips: 'SPSPIH', vtec: '' })).events, [
    { lifecycle: 'update' }
  ])
})

t.test('the same product read at another time, or in a bundle, has the same names', async (t) => {
  const one = product()
  const other = product({
    heading: 'WFUS55 KBOI 151801',
    awips: 'TORBOI',
    vtec: vtecOf('TO.W').replace('KPIH', 'KBOI')
  })
  const ids = (text: string, receivedAt = NOW) => parseNwsText(text, { receivedAt }).events.map(({ id }) => id)
  t.same(ids(one), ids(one, NOW + 300 * 86_400_000))
  t.same(ids(`\u0001\r\r\n${one.replaceAll('\n', '\r\r\n')}\u0003\u0001${other}\u0003`), [...ids(one), ...ids(other)])
  t.same(ids(one + one), ids(one))
})

t.test('codes: ranges, several states, several lines, whole states; a line without an end is none', async (t) => {
  const table: [string, string[] | null, string][] = [
    ['IDZ001>004-151900-', ['IDZ001', 'IDZ002', 'IDZ003', 'IDZ004'], '151900'],
    ['AZZ101-NVZ461>463-465-111745-', ['AZZ101', 'NVZ461', 'NVZ462', 'NVZ463', 'NVZ465'], '111745'],
    ['LAC011-019-\n115-TXC351-231545-', ['LAC011', 'LAC019', 'LAC115', 'TXC351'], '231545'],
    ['COZ000-NMZ000-020400-', ['COZ000', 'NMZ000'], '020400'],
    ['IDCALL-020400-', ['IDCALL'], '020400'],
    ['IDZ001>IDZ002-020400-', ['IDZ001', 'IDZ002'], '020400'],
    ['IDZ004>001-IDZ009-020400-', ['IDZ009'], '020400'],
    ['IDZ001-002-', null, ''],
    ['IDZ001-Text-020400-', null, ''],
    ['IDZ1-020400-', null, ''],
    ['', null, '']
  ]
  for (const [text, codes, expires] of table) {
    const found = findUgc(text.split('\n'))
    if (codes === null) t.equal(found, null, text)
    else t.match(found, { codes, expires }, text)
  }
})

t.test('outlines: hundredths with west counted up, eight digits in a word, and points that are no area', async (t) => {
  const ring = (lines: string, heading?: string) => {
    const [event] = parse(
      product({ text: `LAT...LON ${lines}\n`, ...(heading === undefined ? {} : { heading }) })
    ).events
    return event?.geometry?.type === 'Polygon' ? (event.geometry.coordinates[0] ?? null) : null
  }
  const square = [
    [-102.93, 36.31],
    [-101.9, 33.19],
    [-100.5, 34],
    [-102.93, 36.31]
  ]
  t.same(ring('3631 10293 3319 10190 3400 10050'), square)
  t.same(ring('3631 10293 3319 10190\n      3400 10050'), square, 'over several lines')
  t.same(ring('36310293 33190190 34000050'), square, 'eight digits, the hundred left out')
  t.same(ring('36310 102930 33190 101900 34000 100500'), square, 'thousandths')
  t.same(ring('3631 10293 3319 10190 3400 10050 3631 10293'), square, 'closed already')
  t.same(ring('1430 17050 1420 17060 1440 17080', 'WFPA55 NSTU 151800')?.[0], [-170.5, -14.3], 'south of the equator')
  t.equal(ring('3631 10293 3319 10190'), null)
  t.equal(ring('UNKNOWN'), null)
})

t.test('a day without month and year is found again from up to 13 days away, over every month and year', async () => {
  const minute = fc.integer({ min: Date.UTC(2004, 0, 1) / 60_000, max: Date.UTC(2044, 11, 31) / 60_000 })
  const away = fc.integer({ min: -13 * 1440, max: 13 * 1440 })
  const boundary = fc
    .tuple(fc.integer({ min: 2005, max: 2040 }), fc.nat(11), fc.integer({ min: -2880, max: 2880 }))
    .map(([year, month, minutes]) => Date.UTC(year, month, 1) / 60_000 + minutes)
  const back = (minutes: number, off: number): boolean => {
    const time = new Date(minutes * 60_000)
    const pad = (number: number): string => String(number).padStart(2, '0')
    const text = `${pad(time.getUTCDate())}${pad(time.getUTCHours())}${pad(time.getUTCMinutes())}`
    const sameDay = nearestDay(text, time.getTime() + off * 60_000) === time.getTime()
    return sameDay && nearestHour(text.slice(2), time.getTime() + (off % 719) * 60_000) === time.getTime()
  }
  fc.assert(fc.property(fc.oneof(minute, boundary), away, back), { numRuns: 2000 })
})

t.test('days and hours that do not exist are none', async (t) => {
  for (const text of ['321200', '001200', '152460', '152500', '1512', 'xx1200'])
    t.equal(nearestDay(text, NOW), null, text)
  t.equal(nearestDay('311200', Date.UTC(2026, 1, 14)), Date.UTC(2026, 0, 31, 12), 'February has no 31st')
  for (const text of ['2400', '1260', 'xx']) t.equal(nearestHour(text, NOW), null, text)
})

t.test('time lines in every zone; what is no time is none', async (t) => {
  const table: [string, string | null][] = [
    ['617 AM EST Mon Dec 16 2019', '2019-12-16T11:17:00.000Z'],
    ['1151 AM CDT MON AUG 29 2005', '2005-08-29T16:51:00.000Z'],
    ['1200 AM MST Thu Jan 1 2026', '2026-01-01T07:00:00.000Z'],
    ['1230 PM PDT Sun Sep 11 2016 /1230 PM MST/', '2016-09-11T19:30:00.000Z'],
    ['11 PM AKST Wed Dec 31 2025', '2026-01-01T08:00:00.000Z'],
    ['1858 UTC THU MAR 4 2021', '2021-03-04T18:58:00.000Z'],
    ['900 AM ChST Tue May 5 2026', '2026-05-04T23:00:00.000Z'],
    ['NOON HST Tue May 5 2026', '2026-05-05T22:00:00.000Z'],
    ['617 AM XYZ Mon Dec 16 2019', null],
    ['1361 AM EST Mon Dec 16 2019', null],
    ['617 AM EST Mon Feb 30 2026', null],
    ['2 rooms at the inn', null]
  ]
  for (const [line, expected] of table) {
    const ms = parseTimeLine(line)
    t.equal(ms === null ? null : new Date(ms).toISOString(), expected, line)
  }
})

t.test('the heading of a product over New Year, read by its own time line or by the time of arrival', async (t) => {
  const eve = (line: string) => product({ heading: 'WFUS55 KPIH 010010' }).replace('1100 AM MST Thu Jan 15 2026', line)
  const sent = (text: string, receivedAt: string) =>
    parseNwsText(text, { receivedAt: Date.parse(receivedAt) }).events[0]?.sent_at
  t.equal(sent(eve('510 PM MST Wed Dec 31 2025'), '2026-08-01T00:00:00Z'), '2026-01-01T00:10:00.000Z')
  t.equal(sent(eve(''), '2025-12-31T23:59:00Z'), '2026-01-01T00:10:00.000Z', 'a clock that is slow')
  t.equal(sent(eve(''), '2026-01-01T00:20:00Z'), '2026-01-01T00:10:00.000Z')
  t.equal(
    sent(eve('510 PM MST Wed Nov 12 2025'), '2026-01-01T00:20:00Z'),
    '2025-11-13T00:10:00.000Z',
    'they contradict: the line is right'
  )
})

t.test(
  'a long event keeps the year it began in, also without a word about it; a new number of a new year does not',
  async (t) => {
    const memory = new MapMemory()
    const read = (day: string, action: string) => {
      const [year, month, date] = day.split('-')
      const line = `1100 AM MST Thu ${new Date(day).toUTCString().slice(8, 11)} ${date} ${year}`
      const span = action === 'NEW' ? `${year?.slice(2)}${month}${date}T1800Z` : '000000T0000Z'
      const text = product({
        heading: `WGUS45 KPIH ${date}1800`,
        awips: 'FLSPIH',
        vtec: `/O.${action}.KPIH.FL.W.0016.${span}-000000T0000Z/`
      })
      const of = tools({ memory, receivedAt: Date.parse(day) })
      const { events } = nwsTextSource.read(bytes(text.replace('1100 AM MST Thu Jan 15 2026', line)), settings(), of)
      return events.map(({ thread_id, expires, data }) => [thread_id, expires, data.until_further_notice])[0]
    }
    const thread = (year: number) => [`vtec:KPIH.FL.W.0016.${year}`, null, true]
    t.same(read('2025-12-20', 'NEW'), thread(2025))
    for (const day of ['2025-12-31', '2026-01-20', '2026-03-01']) t.same(read(day, 'CON'), thread(2025), day)
    t.same(read('2026-03-02', 'CAN'), thread(2025))
    t.same(read('2026-04-01', 'NEW'), thread(2026))
    t.same(read('2026-04-02', 'CON'), thread(2026))
    t.same(read('2027-01-02', 'CON'), thread(2027), 'after nine silent months a number is that of the new year')
  }
)

t.test('what is no text product is refused in plain words', async (t) => {
  const table: [string, RegExp][] = [
    ['', /no heading/],
    ['<html><body>Busy</body></html>', /web page/],
    ['{"a":1}', /no heading/],
    ['TORNADO WARNING\n$$', /no heading/]
  ]
  for (const [text, message] of table) t.throws(() => parse(text), { code: 'bad-input', message }, text)
})

const FIXTURES: [string, string[]][] = [
  ['FFW_FFWLCH_0', ['vtec:KLCH.FF.W.0026.2020 new critical']],
  ['FFW_FFSLCH_1', ['vtec:KLCH.FF.W.0026.2020 cancel routine']],
  ['FLWCHS_2019_0', ['vtec:KCHS.FL.W.0016.2019 new priority']],
  // The major crest of the fifth has passed: what is left is moderate, and falls.
  ...[1, 2, 3, 4, 5, 6].map((n): [string, string[]] => [
    `FLWCHS_2019_${n}`,
    ['vtec:KCHS.FL.W.0016.2019 update priority']
  ]),
  ['RFWVEF_RFW_00', ['vtec:KVEF.FW.A.0003.2016 new priority']],
  ['RFWVEF_RFW_01', ['vtec:KVEF.FW.A.0003.2016 update priority']],
  ['RFWVEF_RFW_02', ['vtec:KVEF.FW.A.0003.2016 expire routine', 'vtec:KVEF.FW.W.0007.2016 new priority']],
  ['RFWVEF_RFW_03', ['vtec:KVEF.FW.A.0003.2016 expire routine', 'vtec:KVEF.FW.W.0007.2016 update priority']],
  ['SEL_SEL9', ['vtec:KWNS.SV.A.0169.2022 new priority']],
  ['SPS_SPSBMX_IBW1', ['nws:f9e580efc864d9ae new routine']],
  ['TOR', ['vtec:KJAN.TO.W.0130.2005 new immediate']],
  ['TOR_emergency', ['vtec:KICT.TO.W.0035.2012 new immediate']],
  ['TSU_TSUPAC', ['nws-tsunami:PHEB:2021-03-04T17:41 cancel routine']]
]
const summary = ({ thread_id, lifecycle, severity }: LookoutEvent): string => `${thread_id} ${lifecycle} ${severity}`

t.test('every recording gives its events, by itself and in its chain; damage ends nothing', async (t) => {
  const chain = tools({ memory: new MapMemory() })
  for (const [name, expected] of FIXTURES) {
    const body = fixtureBytes(t, `feeds/nws-text/${name}.txt`)
    if (body === null) continue
    const alone = nwsTextSource.read(body, settings(), tools())
    t.same(alone.events.map(summary), expected, name)
    t.same(alone.skipped, [], name)
    t.same(nwsTextSource.read(body, settings(), chain).events.map(summary), expected, `${name} after the others`)
    damaged(t, name, body)
  }
})

/**
 * Cut at every fourth per cent and changed in 50 places: nothing but AppError; a cut product ends nothing, damage never more than the whole.
 * A slice of what `node scripts/faults.js damage` does to them.
 */
function damaged(
  t: { fail(message: string): unknown; ok(value: unknown, message: string): unknown },
  name: string,
  body: Uint8Array
): void {
  const read = (input: Uint8Array): LookoutEvent[] => {
    try {
      return nwsTextSource.read(input, settings(), tools()).events
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return []
    }
  }
  const ends = (events: LookoutEvent[]): string[] =>
    events.filter(({ lifecycle }) => lifecycle === 'cancel' || lifecycle === 'expire').map(({ id }) => id)
  const whole = read(body)
  // Behind the end mark stands a name only; before it a single product of one segment says nothing at all.
  const mark = Buffer.from(body).lastIndexOf('$$')
  for (let percent = 0; percent < 100; percent += 4) {
    const size = Math.floor((body.length * percent) / 100)
    const events = read(body.subarray(0, size))
    if (mark > 0 && size <= mark && events.length > 0) t.fail(`${name} cut at ${percent} %: an event of half a product`)
    if (ends(events).some((id) => !ends(whole).includes(id))) t.fail(`${name} cut at ${percent} %: something ended`)
  }
  const flip = fc.tuple(fc.nat(body.length - 1), fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(flip, ([place, value]) => {
      const copy = Uint8Array.from(body)
      copy[place] = value
      return ends(read(copy)).length <= ends(whole).length
    }),
    { numRuns: 50 }
  )
  t.ok(true, `${name}: 75 damaged copies`)
}

t.test('watches by whole states can be left out', async (t) => {
  const body = fixtureBytes(t, 'feeds/nws-text/SEL_SEL9.txt')
  if (body === null) return
  const { events, skipped } = nwsTextSource.read(body, settings({ state_watches: false }), tools())
  t.same(inWords([events.length, skipped.map(({ reason }) => reason)]), [0, ['a watch by states']])
})

t.test('a tsunami message about another ocean is where the earthquake was', async (t) => {
  const body = fixtureBytes(t, 'feeds/nws-text/TSU_TSUPAC.txt')
  if (body === null) return
  t.match(nwsTextSource.read(body, settings(), tools()).events, [
    {
      lat: -29.8,
      lon: -177.2,
      category: 'tsunami_watch',
      family: 'seismic',
      data: { attribution: 'PTWC', magnitude: 7.4 }
    }
  ])
})

t.test('text made to be slow is read in no time', async (t) => {
  const evil = [
    '\n'.repeat(90_000),
    `${'...A\n'.repeat(30_000)}`,
    `for${' '.repeat(90_000)}`,
    '* At 1 AM\n'.repeat(15_000),
    'IDZ001-'.repeat(9000)
  ]
  for (const text of evil) {
    const began = process.cpuUsage().user
    parse(product({ text, awips: 'SPSPIH', vtec: '' }))
    t.ok(process.cpuUsage().user - began < 2_000_000, `${text.slice(0, 12)}: ${process.cpuUsage().user - began} µs`)
  }
})

t.test('a stream is cut into its products, framed or not, however the network cuts it', async () => {
  const one = product()
  const two = product({ heading: 'WFUS55 KBOI 151801', awips: 'TORBOI', vtec: vtecOf('TO.W').replace('KPIH', 'KBOI') })
  const wires: [string, number][] = [
    [`\u0001${one}\u0003\u0001${two}\u0003`, 2],
    [`noise\n${one}NNNN\n${two}NNNN\n\n`, 2],
    [`${one}${two}`, 1],
    [`half a product\n$$\n\u0001${one}\u0003`, 1]
  ]
  const idsOf = (parts: Uint8Array[]) =>
    parts.flatMap((part) => parse(Buffer.from(part).toString('latin1')).events.map(({ id }) => id))
  const expected = [...idsOf([bytes(one)]), ...idsOf([bytes(two)])]
  fc.assert(
    fc.property(
      fc.constantFrom(...wires),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 }),
      ([wire, complete], sizes) => {
        const splitter = new ProductSplitter()
        const bytesOf = Buffer.from(wire, 'latin1')
        const found: Uint8Array[] = []
        for (let at = 0, turn = 0; at < bytesOf.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          found.push(...splitter.push(bytesOf.subarray(at, at + size)))
          at += size
        }
        const early = idsOf(found)
        const all = [...early, ...idsOf(splitter.flush())]
        const isSame = JSON.stringify(all) === JSON.stringify(expected.slice(0, all.length))
        return (
          isSame &&
          early.length === complete &&
          all.length === (wire.includes(two) ? 2 : 1) &&
          splitter.flush().length === 0
        )
      }
    )
  )
})

t.test('what goes on after a silence is told again as a whole; noise does not pile up', async (t) => {
  const splitter = new ProductSplitter()
  const second = 'IDC053-151900-\n/O.NEW.KPIH.TO.W.0002.260115T1800Z-260115T1900Z/\n\n$$\n'
  t.same(splitter.push(bytes(product())), [])
  t.equal(splitter.flush().length, 1)
  t.same(splitter.push(bytes(second)), [])
  const [again] = splitter.flush()
  t.equal(parse(Buffer.from(again ?? []).toString()).events.length, 2)
  const noisy = new ProductSplitter()
  for (let turn = 0; turn < 50; turn++) t.same(noisy.push(Buffer.alloc(50_000, 'x\n')), [])
  t.same(noisy.flush(), [])
  t.equal(noisy.push(bytes(`\n${product()}NNNN\n\n`)).length, 1)
})

/** Lets real I/O happen until `done`; the fake clock stands still meanwhile. */
async function until(done: () => boolean): Promise<void> {
  // By the clock on the wall: a fast processor turns fifty thousand times while a slow disk answers once.
  for (const begun = performance.now(); !done(); ) {
    if (performance.now() - begun > 20_000) throw new Error('it never happened')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

t.test('a folder: each file is read once it is still, again when it changes, never twice, never touched', async (t) => {
  const dataFolder = t.testdir({})
  const inbox = join(dataFolder, 'inbox')
  const harness = pushHarness({ start: NOW, dataFolder })
  const ids = () => harness.events.map(({ id }) => id.split('.').slice(-2).join('.'))
  const put = (name: string, text: string, ageSeconds = 0) => {
    writeFileSync(join(inbox, name), text)
    utimesSync(
      join(inbox, name),
      new Date(harness.clock.now() - ageSeconds * 1000),
      new Date(harness.clock.now() - ageSeconds * 1000)
    )
  }
  let scans = 0
  const original = harness.tools.clock.after.bind(harness.tools.clock)
  harness.tools.clock.after = (ms, task) => {
    scans++
    return original(ms, task)
  }
  /** Lets `count` scans end. */
  const scan = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      const before = scans
      await harness.clock.runTo(harness.clock.now() + 3000)
      await until(() => scans > before)
    }
  }
  const numbered = (number: string, text?: string) =>
    product({ vtec: vtecOf('TO.W', 'NEW', number), ...(text === undefined ? {} : { text }) })
  let source = await nwsTextSource.open(settings(), harness.tools)
  await until(() => scans === 1)
  t.match(harness.reports.at(-1), { state: 'down', reason: /inbox cannot be read/ })
  mkdirSync(inbox)
  put('a.txt', numbered('0001'), 3 * 3600)
  put('b.tmp', numbered('0099'))
  put('.c', numbered('0099'))
  await scan(1)
  t.match([harness.reports.at(-1)?.state, ids()], ['ready', []])
  put('d.txt', numbered('0002').slice(0, 150))
  await scan(1)
  t.same(ids(), ['0001.NEW'], 'still for two scans')
  put('d.txt', numbered('0002'))
  await scan(1)
  t.same(ids(), ['0001.NEW'], 'it grew')
  await scan(1)
  t.same(ids(), ['0001.NEW', '0002.NEW'])
  put('bad.txt', '<html></html>')
  put('e.txt', numbered('0003'))
  await scan(3)
  t.same(ids(), ['0001.NEW', '0002.NEW', '0003.NEW'])
  t.match(
    harness.counted.filter(({ refused }) => refused !== undefined),
    [{ refused: /^bad\.txt: .*web page/ }]
  )
  utimesSync(join(inbox, 'e.txt'), new Date(harness.clock.now()), new Date(harness.clock.now()))
  await scan(3)
  t.equal(ids().length, 3, 'touched only: the same bytes')
  put('e.txt', numbered('0004'))
  await scan(3)
  t.equal(ids().at(-1), '0004.NEW')
  await source.close()
  const told = harness.events.length
  source = await nwsTextSource.open(settings(), harness.tools)
  t.teardown(() => source.close())
  await scan(3)
  t.equal(harness.events.length, told, 'a restart reads nothing again')
  unlinkSync(join(inbox, 'e.txt'))
  await scan(1)
  put('e.txt', numbered('0004'))
  await scan(3)
  t.equal(harness.events.length, told + 1, 'gone and come again: a new file')
  if (process.getuid?.() !== 0) {
    put('locked.txt', numbered('0005'))
    chmodSync(join(inbox, 'locked.txt'), 0)
    await scan(3)
    t.match(harness.reports.at(-1), { state: 'ready', reason: /locked\.txt cannot be read/ })
  }
  rmSync(inbox, { recursive: true })
  await scan(1)
  t.equal(harness.reports.at(-1)?.state, 'down')
})

t.test('files that lay in the folder long before the first look are recorded, not told', async (t) => {
  const dataFolder = t.testdir({
    inbox: { 'new.txt': product(), 'old.txt': product({ vtec: vtecOf('TO.W', 'NEW', '0002') }) }
  })
  const harness = pushHarness({ start: NOW, dataFolder })
  for (const [name, age] of [
    ['new.txt', 60],
    ['old.txt', 3 * 3600]
  ] as const)
    utimesSync(join(dataFolder, 'inbox', name), new Date(NOW - age * 1000), new Date(NOW - age * 1000))
  const accepted: (boolean | undefined)[] = []
  harness.tools.accept = async (events, options) => {
    harness.events.push(...events)
    accepted.push(options?.known)
  }
  const source = await nwsTextSource.open(settings(), harness.tools)
  t.teardown(() => source.close())
  for (let turn = 0; accepted.length < 2 && turn < 5; turn++) {
    await until(() => harness.clock.waiting > 0)
    await harness.clock.runTo(harness.clock.now() + 3000)
    await until(() => harness.clock.waiting > 0)
  }
  t.same(accepted, [false, true])
})

t.test(
  'a receiver over TCP: products as they come, also without an end mark after a pause; back after a loss',
  async (t) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const harness = pushHarness({ start: NOW })
    const source = await nwsTextSource.open(settings({ input: 'tcp', host: '127.0.0.1', port }), harness.tools)
    t.teardown(async () => {
      await source.close()
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    await until(() => sockets.length === 1)
    sockets[0]?.write(`\u0001${product()}\u0003`)
    await until(() => harness.events.length === 1)
    sockets[0]?.write(product({ vtec: vtecOf('TO.W', 'NEW', '0002') }))
    sockets[0]?.write('SMITH\n')
    await harness.run(2, 1)
    t.equal(harness.events.length, 1, 'there may be more of it')
    await harness.run(6, 1)
    await until(() => harness.events.length === 2)
    sockets[0]?.write(product({ vtec: vtecOf('TO.W', 'CAN', '0002'), end: '' }))
    sockets[0]?.end()
    await until(() => harness.reports.at(-1)?.state === 'down')
    t.same(
      harness.events.map(({ lifecycle }) => lifecycle),
      ['new', 'new'],
      'a product cut off ends nothing'
    )
    await harness.run(5, 1)
    await until(() => sockets.length === 2)
    sockets[1]?.write(`\u0001${product({ vtec: vtecOf('TO.W', 'NEW', '0003') })}\u0003`)
    await until(() => harness.events.length === 3)
    t.same(
      harness.reports.map(({ state }) => state),
      ['connecting', 'ready', 'down', 'connecting', 'ready']
    )
  }
)

t.test('what a source cannot do without is said before it is opened', async (t) => {
  t.match(inWords(nwsTextSource.missing?.(settings({ folder: '' }))), /Set folder/)
  t.match(inWords(nwsTextSource.missing?.(settings({ input: 'tcp' }))), /Set host/)
  t.equal(nwsTextSource.missing?.(settings()), null)
})

t.test(
  'one typo in the line of codes does not lose a warning: what can be read is told, the rest is named',
  async (t) => {
    const polygon =
      '* At 1058 AM MST, a tornado was seen.\n\n&&\n\nLAT...LON 4340 11480 4340 11440 4320 11440 4320 11480\n'
    const zonesOf = (ugc: string, text = polygon) => {
      const { events, skipped } = parse(product({ ugc, text }))
      return [events.map(({ zones }) => zones), skipped.map(({ reason }) => reason)]
    }
    t.same(inWords(zonesOf('IDC013-0X5-027-151900-')), [
      [['IDC013', 'IDC027']],
      ['told, but the codes 0X5 cannot be read']
    ])
    t.same(inWords(zonesOf('IDC013-MTC0O1-003-151900-')), [
      [['IDC013', 'MTC003']],
      ['told, but the codes MTC0O1 cannot be read']
    ])
    t.same(inWords(zonesOf('IDC0133-025-151900-')), [[['IDC025']], ['told, but the codes IDC0133 cannot be read']])
    t.same(inWords(zonesOf('IDC013.025-027-151900-')), [
      [['IDC027']],
      ['told, but the codes IDC013.025 cannot be read']
    ])
    for (const ugc of ['IC013-151900-', '?????'])
      t.same(inWords(zonesOf(ugc)), [[[]], ['told, but its line of codes cannot be read']], 'the polygon says where')
    t.same(
      inWords(zonesOf('IC013-151900-', 'A tornado was seen.\n')),
      [[], ['no line of codes']],
      'neither codes nor polygon'
    )
    t.equal(parse(product({ ugc: '?????', text: polygon })).events[0]?.expires, '2026-01-15T19:00:00.000Z')
  }
)

t.test('a watch that is cancelled is told, though no mark ends the product', async (t) => {
  const text = [
    'WWUS20 KWNS 151830',
    'SEL9',
    'SPC WW 151830',
    'IDZ000-MTZ000-151830-',
    '',
    'URGENT - IMMEDIATE BROADCAST REQUESTED',
    'Tornado Watch - Number 9',
    'NWS Storm Prediction Center Norman OK',
    '1130 AM MST Thu Jan 15 2026',
    '',
    'The NWS Storm Prediction Center has cancelled',
    'Tornado Watch Number 9 for portions of',
    '',
    'Southern Idaho',
    ''
  ].join('\n')
  const { events, skipped } = parse(text)
  t.match(events, [{ thread_id: 'vtec:KWNS.TO.A.0009.2026', lifecycle: 'cancel', zones: ['IDZ000', 'MTZ000'] }])
  t.same(skipped, [])
})

t.test(
  'a segment with thousands of codes costs what its length does: each code tells once, and twenty are told',
  async (t) => {
    const again = vtecOf('TO.W').repeat(3000)
    t.same(names(product({ vtec: again })), ['Tornado Warning immediate new'], 'the same code is one event')
    const many = Array.from({ length: 1300 }, (_, nth) => vtecOf('TO.W', 'NEW', String(nth + 1).padStart(4, '0'))).join(
      ''
    )
    const { events, skipped } = parse(product({ vtec: many }))
    t.equal(events.length, 20)
    t.match(skipped, [{ reason: { code: 'segment_many_codes', params: { most: 20 } } }], 'what is left out is named')
  }
)
