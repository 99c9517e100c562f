import t from 'tap'
import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { type SwpcSettings, swpcSourceSchema } from '../../../src/warning/feeds/swpc/settings.ts'
import { swpcSource } from '../../../src/warning/feeds/swpc/swpc.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { bytes, fixtureBytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const settings = (change: Record<string, unknown> = {}): SwpcSettings =>
  v.parse(swpcSourceSchema, { kind: 'swpc', ...change })
const read = (body: unknown, of = settings(), with_ = tools()): SourceReading =>
  swpcSource.read(bytes(typeof body === 'string' ? body : JSON.stringify(body)), of, with_)

/** `noaa-scales.json` at a time, with the observed levels. */
function scales(time: string, levels: { R?: unknown; S?: unknown; G?: unknown }): object {
  const [day = '', clock = ''] = time.split(' ')
  const entry = (scale: unknown): object => ({ Scale: scale, Text: 'none' })
  const now = { DateStamp: day, TimeStamp: `${clock}:00`, R: entry(levels.R ?? '0'), S: entry(levels.S ?? '0') }
  return { '0': { ...now, G: entry(levels.G ?? '0') }, '1': { G: { Scale: '4' } }, '-1': { G: { Scale: '5' } } }
}

/** A message as the service writes it. */
function message(code: string, serial: number, issued: string, lines: string[]): object {
  const head = [`Space Weather Message Code: ${code}`, `Serial Number: ${serial}`, `Issue Time: ${issued} UTC`, '']
  return { product_id: code, issue_datetime: isoOf(issued), message: [...head, ...lines].join('\r\n') }
}

function isoOf(issued: string): string {
  const [year, month = '', day, clock = ''] = issued.split(' ')
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const number = String(months.indexOf(month) + 1).padStart(2, '0')
  return `${year}-${number}-${day} ${clock.slice(0, 2)}:${clock.slice(2)}:10.120`
}

const K7 = message('WARK07', 60, '2026 Jul 03 1900', [
  'WARNING: Geomagnetic K-index of 7 or greater expected',
  'Valid From: 2026 Jul 03 1900 UTC',
  'Valid To: 2026 Jul 04 0300 UTC',
  'NOAA Scale: G3 or greater - Strong to Extreme'
])
const K7_EXTENDED = message('WARK07', 61, '2026 Jul 04 0230', [
  'EXTENDED WARNING: Geomagnetic K-index of 7 or greater expected',
  'Extension to Serial Number: 60',
  'Valid From: 2026 Jul 03 1900 UTC',
  'Now Valid Until: 2026 Jul 04 1200 UTC'
])
const K7_CANCELLED = message('WARK07', 62, '2026 Jul 04 0500', [
  'CANCEL WARNING: Geomagnetic K-index of 7 or greater expected',
  'Cancel Serial Number: 61',
  'Original Issue Time: 2026 Jul 04 0230 UTC',
  'Conditions no longer justify it.NOAA Scale: G3 - Strong'
])

t.test('a storm is told once, at every rise, at a fall that lasts, and ends silently', async (t) => {
  const memory = new MapMemory()
  const steps: [time: string, levels: Parameters<typeof scales>[1], expected: string[]][] = [
    ['2026-07-03 12:00', {}, []],
    ['2026-07-03 13:00', { G: '1' }, ['new G1 routine']],
    ['2026-07-03 13:05', { G: '3' }, ['update G3 priority']],
    ['2026-07-03 13:10', { G: '1' }, []],
    ['2026-07-03 14:00', { G: '3' }, ['update G3 priority']],
    ['2026-07-03 15:00', { G: '4' }, ['update G4 critical']],
    ['2026-07-03 16:00', { G: '2' }, []],
    ['2026-07-03 18:00', { G: '0' }, []],
    ['2026-07-03 19:00', { G: '1' }, ['update G2 routine']],
    ['2026-07-03 20:00', { G: '0' }, []],
    ['2026-07-03 23:00', { G: '1' }, ['update G1 routine']],
    ['2026-07-04 00:00', { G: '0' }, []],
    ['2026-07-04 03:00', { G: '0' }, ['expire G1 routine']],
    ['2026-07-04 03:05', { G: '0' }, []]
  ]
  const ids = new Set<string>()
  for (const [time, levels, expected] of steps) {
    const poll = () => read(scales(time, levels), settings(), tools({ memory })).events
    const events = poll()
    for (const { id, thread_id } of events) ids.add(`${id} ${thread_id}`)
    const told = events.map(({ lifecycle, severity, data }) => `${lifecycle} ${String(data['scale'])} ${severity}`)
    t.same(told, expected, `${time} ${JSON.stringify(levels)}`)
    const left = memory.dump
    const again = poll().filter(({ revision }) => !events.some((event) => event.revision === revision))
    t.same([again, memory.dump], [[], left], 'the same poll again says nothing new and leaves the same behind')
  }
  t.same([...ids], ['G-2026-07-03T13:00 swpc:G-2026-07-03T13:00'], 'one thread')
})

t.test('what it says changes with the level only; going on it is confirmed once in three hours', async (t) => {
  const memory = new MapMemory()
  const seen = ['13:00', '14:10', '14:55', '15:05'].flatMap(
    (clock) => read(scales(`2026-07-03 ${clock}`, { G: 3 }), settings(), tools({ memory })).events
  )
  t.same(
    seen.map(({ revision }) => revision),
    ['0.G3@2026-07-03T12', '0.G3@2026-07-03T12', '0.G3@2026-07-03T12', '0.G3@2026-07-03T15']
  )
  t.same([...new Set(seen.map(({ data }) => data.material))], ['G3'])
})

t.test('each scale has its category, its level and its words, and no place', async (t) => {
  const table: [object, string, string, string][] = [
    [
      { R: '2' },
      'rf_propagation_alert',
      'routine',
      'R2 radio blackout obs 4:00p. HF out for tens of minutes on the sunlit side. SWPC'
    ],
    [
      { R: '3' },
      'hf_blackout',
      'priority',
      'R3 radio blackout obs 4:00p. HF out for about an hour on the sunlit side. SWPC'
    ],
    [
      { S: '4' },
      'solar_radiation_storm',
      'critical',
      'S4 radiation storm obs 4:00p. Polar HF blacked out, GPS errors for days. SWPC'
    ],
    [
      { G: '5' },
      'geomagnetic_storm',
      'critical',
      'G5 geomag storm obs 4:00p. HF and GPS out for days, aurora far south. SWPC'
    ]
  ]
  for (const [levels, category, severity, text] of table) {
    const { events } = read(scales('2026-07-03 22:00', levels))
    t.match(events, [
      { category, severity, family: 'rf_propagation', geometry: null, circle: null, lat: null, zones: [] }
    ])
    t.equal(events[0] && textOf(events[0], '2026-07-03T22:01:00Z'), text)
  }
  const immediate = read(scales('2026-07-03 22:00', { G: '5' }), settings({ extreme_is_immediate: true }))
  t.match(immediate.events, [{ severity: 'immediate' }])
  const floor = read(scales('2026-07-03 22:00', { G: '2', R: '3' }), settings({ min_scale: 3 }))
  t.same(inWords([lives(floor), floor.skipped]), [
    ['R-2026-07-03T22:00 new'],
    [{ id: 'G2', reason: 'below min_scale' }]
  ])
})

t.test('the K index is no event of its own: it stands beside the storm it belongs to', async (t) => {
  const rows = (kp: unknown): unknown[] => [
    [
      ['time_tag', 'Kp', 'a_running'],
      ['2026-07-03 18:00:00', kp, '1']
    ],
    [{ time_tag: '2026-07-03T18:00:00', Kp: Number(kp) }],
    [
      { time_tag: '2026-07-03T18:00:00', kp, observed: 'observed' },
      { time_tag: '2026-07-03T21:00:00', kp: 2, observed: 'predicted' }
    ]
  ]
  for (const body of rows('6.67')) {
    const memory = new MapMemory()
    t.same(lives(read(body, settings(), tools({ memory }))), [])
    const [storm] = read(scales('2026-07-03 22:00', { G: '3' }), settings(), tools({ memory })).events
    t.equal(storm?.data['kp'], 6.67)
    t.equal(
      storm && textOf(storm, '2026-07-03T22:01:00Z'),
      'G3 geomag storm Kp7 obs 4:00p. HF/GPS degraded, aurora. SWPC'
    )
  }
  for (const [kp, level, time] of [
    ['8.67', 5, '2026-07-03 22:00'],
    ['6.67', 3, '2026-07-04 12:00'],
    ['4.33', 1, '2026-07-03 22:00']
  ] as const) {
    const memory = new MapMemory()
    read(rows(kp)[0], settings(), tools({ memory }))
    const [storm] = read(scales(time, { G: String(level) }), settings(), tools({ memory })).events
    t.notOk(storm !== undefined && 'kp' in storm.data, `Kp ${kp} says nothing about G${level} at ${time}`)
  }
})

t.test('an extension continues the thread of its serial, a cancel ends it, oldest first', async (t) => {
  const listing = [K7_CANCELLED, K7_EXTENDED, K7]
  const { events } = read(listing)
  t.same(
    events.map(({ id, lifecycle, thread_id, expires }) => [id, lifecycle, thread_id, expires]),
    [
      ['WARK07-60', 'new', 'swpc:WARK07-60', '2026-07-04T03:00:00.000Z'],
      ['WARK07-61', 'update', 'swpc:WARK07-60', '2026-07-04T12:00:00.000Z'],
      ['WARK07-62', 'cancel', 'swpc:WARK07-60', null]
    ]
  )
  t.match(events[0], {
    category: 'geomagnetic_storm',
    severity: 'priority',
    onset: '2026-07-03T19:00:00.000Z',
    sent_at: '2026-07-03T19:00:10.000Z',
    data: { scale: 'G3', kp: 7, attribution: 'SWPC', material: 'G3|2026-07-04T03:00:00.000Z' }
  })
  t.match(events[1]?.data['references'], ['WARK07-60'], 'the pipeline can join it too')
  const [first, , last] = events
  t.equal(
    first && textOf(first, '2026-07-03T19:01:00Z'),
    'G3 geomag storm WARN Kp7 til 9:00p. Possible: HF/GPS degraded, aurora. SWPC'
  )
  t.equal(last && textOf(last, '2026-07-04T05:01:00Z', 'cancel'), 'CANCEL G3 geomag storm WARN (11:00p). SWPC')
})

t.test('a chain is followed although the list has lost its beginning', async (t) => {
  const memory = new MapMemory()
  read([K7], settings(), tools({ memory }))
  read([K7_EXTENDED], settings(), tools({ memory }))
  const { events } = read([K7_CANCELLED], settings(), tools({ memory }))
  t.match(events, [{ lifecycle: 'cancel', thread_id: 'swpc:WARK07-60' }])
  const other = message('WARK06', 61, '2026 Jul 04 0600', ['WARNING: Geomagnetic K-index of 6 expected'])
  t.match(
    read([other], settings(), tools({ memory })).events,
    [{ thread_id: 'swpc:WARK06-61' }],
    'serials count per code'
  )
})

t.test('a watch takes the place of the watches before it, for as long as they last', async (t) => {
  const watch = (code: string, serial: number, issued: string, days: string): object =>
    message(code, serial, issued, [
      'WATCH: Geomagnetic Storm Category G3 Predicted',
      '',
      'Highest Storm Level Predicted by Day:',
      days
    ])
  const { events } = read([
    watch('WATA20', 9, '2026 Dec 29 1200', 'Dec 30:  G1 (Minor)   Dec 31:  None (Below G1)   Jan 01:  None (Below G1)'),
    watch('WATA50', 3, '2026 Dec 30 1500', 'Dec 31:  None (Below G1)   Jan 01:  G3 (Strong)   Jan 02:  G1 (Minor)'),
    watch('WATA20', 10, '2027 Jan 09 1200', 'Jan 10:  G1 (Minor)   Jan 11:  None (Below G1)   Jan 12:  None (Below G1)')
  ])
  t.same(
    events.map(({ thread_id, onset, expires }) => [thread_id, onset?.slice(0, 10), expires?.slice(0, 10)]),
    [
      ['swpc:WATA20-9', '2026-12-30', '2026-12-31'],
      ['swpc:WATA20-9', '2027-01-01', '2027-01-03'],
      ['swpc:WATA20-10', '2027-01-10', '2027-01-11']
    ]
  )
  t.equal(
    events[1] && textOf(events[1], '2026-12-30T15:01:00Z'),
    'G3 geomag storm WATCH from Thu 5p til Sat 5p. Jan 01 G3, Jan 02 G1. SWPC'
  )
})

t.test('what the scales show, what is below a storm and what has no scale is not told from the alerts', async (t) => {
  const alert = (code: string, headline: string, ...more: string[]): object =>
    message(code, 5, '2026 Jul 03 1900', [headline, ...more])
  const table: [object, string | null][] = [
    [
      alert('ALTK05', 'ALERT: Geomagnetic K-index of 5', 'NOAA Scale: G1 - Minor'),
      'observed: told from noaa-scales.json'
    ],
    [
      alert('SUMX01', 'SUMMARY: X-ray Event exceeded X1', 'NOAA Scale: R3 - Strong'),
      'observed: told from noaa-scales.json'
    ],
    [alert('WARK04', 'WARNING: Geomagnetic K-index of 4 expected'), 'K index below a storm'],
    [alert('ALTEF3', 'CONTINUED ALERT: Electron 2MeV Integral Flux exceeded 1000pfu'), 'no NOAA scale: ALTEF3'],
    [
      alert('WARPX1', 'WARNING: Proton 10MeV Integral Flux above 10pfu expected', 'Predicted NOAA Scale: S1 - Minor'),
      null
    ],
    [alert('WARK05', 'Not a headline'), 'neither a watch, a warning, an alert nor a summary'],
    [{ product_id: 'K05W', message: 'Serial Number: 5' }, 'no message code or no serial number'],
    [{ message: 7 }, 'no message code or no serial number']
  ]
  for (const [entry, reason] of table) {
    const { events, skipped } = read([entry])
    t.same(
      inWords([events.length, skipped[0]?.reason ?? null]),
      [reason === null ? 1 : 0, reason],
      JSON.stringify(entry).slice(0, 60)
    )
  }
  t.match(read([alert('ALTTP2', 'ALERT: Type II Radio Emission')], settings({ minor_products: true })).events, [
    { category: 'rf_propagation_alert', severity: 'routine', data: { event_name: 'Type II Radio Emission' } }
  ])
  t.same(lives(read([K7], settings({ forecasts: false }))), [])
  t.same(lives(read([K7], settings({ min_scale: 4 }))), [])
})

t.test('a poll asks for three products; one that fails does not silence the others', async (t) => {
  const products: Record<string, unknown> = {
    'noaa-planetary-k-index.json': [{ time_tag: '2026-07-03T18:00:00', Kp: 6.67 }],
    'noaa-scales.json': scales('2026-07-03 22:00', { G: '3' }),
    'alerts.json': [K7]
  }
  const answer = (broken: string[], unchanged: string[] = []) =>
    pollTools(({ url }) => {
      const name = url.slice(url.lastIndexOf('/') + 1)
      if (unchanged.includes(name)) return null
      return broken.includes(name) ? '<html>busy</html>' : JSON.stringify(products[name])
    })
  const all = answer([])
  t.same(lives(await swpcSource.poll(settings(), all)), ['G-2026-07-03T22:00 new', 'WARK07-60 new'])
  t.same(
    all.asked.map(({ url }) => new URL(url).pathname),
    Object.keys(products).map((name) => `/products/${name}`)
  )
  const names = Object.keys(products)
  const some = await swpcSource.poll(settings(), answer(['noaa-planetary-k-index.json', 'alerts.json']))
  t.same(lives(some), ['G-2026-07-03T22:00 new'])
  t.same(some !== 'unchanged' && some.skipped.map(({ id }) => id), [
    'products/noaa-planetary-k-index.json',
    'products/alerts.json'
  ])
  const none = answer(['noaa-scales.json', 'alerts.json'])
  await t.rejects(swpcSource.poll(settings(), none), { code: 'bad-input' })
  t.equal(await swpcSource.poll(settings(), answer([], names)), 'unchanged')
  products['noaa-scales.json'] = [K7]
  t.match(inWords(await swpcSource.poll(settings(), answer([], ['alerts.json']))), {
    skipped: [{ reason: /another product/ }]
  })
  const aborted = {
    ...answer([]),
    signal: AbortSignal.abort(),
    fetch: () => Promise.reject(new AppError('unavailable', note('given up')))
  }
  await t.rejects(swpcSource.poll(settings(), aborted), { code: 'unavailable' })
})

t.test('scales older than those read before change nothing', async (t) => {
  const memory = new MapMemory()
  read(scales('2026-07-03 22:00', { G: '3' }), settings(), tools({ memory }))
  const before = memory.dump
  const late = read(scales('2026-07-03 20:00', { G: '5' }), settings(), tools({ memory }))
  t.same([lives(late), late.skipped.length], [[], 1])
  t.equal(memory.dump, before)
})

t.test('anything else is refused, and says what came', async (t) => {
  const table: [string, RegExp][] = [
    ['', /empty/],
    ['<html></html>', /web page/],
    ['[]', /list is empty/],
    ['{}', /none of the products/],
    ['[1,2]', /none of the products/],
    ['[[]]', /none of the products/],
    ['7', /none of the products/],
    ['{"0":{"DateStamp":"today"}}', /when/],
    [JSON.stringify(scales('2026-07-03 22:00', { R: 'x', S: 'x', G: '7' })), /none of the scales/],
    ['{"error":{"message":"down"}}', /answered with an error: down/],
    [':Product: 3-Day Forecast\n', /text product/],
    ['[{"message":', /not complete JSON/]
  ]
  for (const [body, why] of table) t.throws(() => read(body), { code: 'bad-input', message: why }, body.slice(0, 30))
  const partly = read(scales('2026-07-03 22:00', { R: '', G: '1' }))
  t.same(inWords([lives(partly), partly.skipped]), [
    ['G-2026-07-03T22:00 new'],
    [{ id: 'R', reason: 'no observed level' }]
  ])
})

t.test('the recorded products give the numbers they were studied with', async (t) => {
  const table: [string, number, number, number][] = [
    ['alerts.2025_04_17.json', 200, 54, 146],
    ['noaa-scales.2025_04_10.json', 3, 0, 0],
    ['noaa-scales.2025_04_16.json', 3, 0, 0],
    ['noaa-planetary-k-index.2026_08_01.json', 58, 0, 0],
    ['noaa-planetary-k-index-forecast.2025_04_10.json', 81, 0, 0],
    ['noaa-planetary-k-index-forecast.2025_04_17.json', 81, 0, 0]
  ]
  for (const [name, items, events, skipped] of table) {
    const body = fixtureBytes(t, `feeds/swpc/${name}`)
    if (body === null) continue
    const reading = swpcSource.read(body, settings(), tools())
    t.same([reading.items, reading.events.length, reading.skipped.length], [items, events, skipped], name)
    survivesDamage(t, swpcSource, body, settings(), { name })
  }
  const text = fixtureBytes(t, 'feeds/swpc/3-day-forecast.2025_04_17.txt')
  if (text !== null) {
    t.throws(() => swpcSource.read(text, settings(), tools()), {
      code: 'bad-input',
      message: /text product for people/
    })
    survivesDamage(t, swpcSource, text, settings(), { name: '3-day forecast' })
  }
  const alerts = fixtureBytes(t, 'feeds/swpc/alerts.2025_04_17.json')
  if (alerts === null) return
  const memory = new MapMemory()
  const first = swpcSource.read(alerts, settings(), tools({ memory }))
  const second = swpcSource.read(alerts, settings(), tools({ memory }))
  t.same(second.events, first.events, 'the same list again says the same')
  t.equal(new Set(first.events.map(({ thread_id }) => thread_id)).size, 29)
  const reasons = first.skipped.filter(({ reason }) => reason.code === 'k_below_storm')
  t.equal(reasons.length, 63, 'K 4 is dropped')
})
