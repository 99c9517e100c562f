import t from 'tap'
import * as v from 'valibot'
import { sourceKindOf } from '../../../src/warning/feeds/recognise.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { type VolcanoSettings, volcanoSourceSchema } from '../../../src/warning/feeds/volcano/settings.ts'
import { volcanoSource } from '../../../src/warning/feeds/volcano/volcano.ts'
import { positionOf } from '../../../src/warning/feeds/volcano/vona.ts'
import { stationSchema } from '../../../src/warning/station-settings.ts'
import { inWords } from '../../helpers/in-words.ts'
import { bytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const NOW = '2026-08-01T12:00:00Z'
const settings = (change: Record<string, unknown> = {}): VolcanoSettings =>
  v.parse(volcanoSourceSchema, { kind: 'volcano', ...change })
const read = (body: unknown, with_ = tools(), change = {}): SourceReading =>
  volcanoSource.read(bytes(typeof body === 'string' ? body : JSON.stringify(body)), settings(change), with_)

/** A row of getCapElevated. */
const elevated = (change: Record<string, unknown> = {}) => ({
  is_elevated_cap: true,
  vnum: '332010',
  volcano_name_appended: 'Kilauea',
  obs_fullname: 'Hawaiian Volcano Observatory',
  latitude: 19.421,
  longitude: -155.287,
  notice_identifier: 'DOI-USGS-HVO-2026-08-01T08:10:00+00:00',
  sent_date_cap: '2026-08-01T08:10:00-00:00',
  alert_level: 'WATCH',
  color_code: 'ORANGE',
  synopsis: 'Lava fountains continue within the summit caldera. Gas drifts southwest.',
  ...change
})

const VONA = `(1) VOLCANO OBSERVATORY NOTICE FOR AVIATION - VONA
(2) Issued: 20260801/0940Z
(3) Volcano: KLYUCHEVSKOY (CAVW #300260)
(4) Current aviation colour code: RED
(5) Previous aviation colour code: orange
(6) Source: KVERT
(7) Notice Number: 2026-115
(8) Volcano Location: N5603 E16038
(9) Area: Kamchatka, Russia
(10) Summit Elevation: 4750 m (15580 ft)
(11) Volcanic Activity Summary:
Explosive-extrusive eruption of the volcano continues. A strong explosion sent up ash.
(12) Volcanic cloud height: 12000 m (39360 ft) AMSL
(13) Other volcanic cloud information: Ash cloud is moving to the southeast of the volcano.
(14) Remarks: Time and height from satellite data.
(15) Contacts: KVERT
(16) Next Notice: A new VONA will be issued if conditions change.
`

t.test('a row of elevated volcanoes has level, place and who says so', async (t) => {
  const { events, updated, items } = read([elevated()])
  t.match(events, [
    {
      id: '332010',
      category: 'volcano_watch',
      family: 'seismic',
      severity: 'priority',
      title: 'Volcano Watch: Kilauea',
      sent_at: '2026-08-01T08:10:00.000Z',
      thread_id: 'volcano:332010',
      circle: { lat: 19.421, lon: -155.287, radius_km: 50 },
      data: {
        event_name: 'Volcano Watch',
        places: ['Kilauea'],
        detail: 'Lava fountains continue within the summit caldera. Gas drifts southwest. Aviation code ORANGE',
        attribution: 'USGS HVO'
      }
    }
  ])
  t.same([updated, items], ['2026-08-01T08:10:00.000Z', 1])
})

t.test('the other lists and a notice of the USGS name the same things differently', async (t) => {
  const list = {
    obs_fullname: 'Alaska Volcano Observatory',
    obs_abbr: 'avo',
    volcano_name: 'Great Sitkin',
    vnum: '311120',
    notice_identifier: 'n1',
    sent_unixtime: 1785573600,
    color_code: 'ORANGE',
    alert_level: 'WATCH'
  }
  t.match(read([list]).events, [
    { id: '311120', sent_at: '2026-08-01T08:40:00.000Z', lat: null, circle: null, data: { attribution: 'USGS AVO' } }
  ])
  const vona = { vName: 'Shishaldin', vnum: '311360', noticeId: 'n2', sentUtc: '2026-08-01 08:00:00', obs: 'avo' }
  t.match(read([{ ...vona, alertLevel: 'ADVISORY', colorCode: 'YELLOW', noticeSynopsis: 'Steam.' }]).events, [
    { severity: 'routine', category: 'volcano_advisory', sent_at: '2026-08-01T08:00:00.000Z' }
  ])
  const section = {
    vnum: '332010',
    vName: 'Kilauea',
    lat: 19.421,
    lng: -155.287,
    alertLevel: 'WARNING',
    colorCode: 'RED'
  }
  const notice = { sent_unixtime: 1785573600, notice_identifier: 'n3', notice_sections: [section] }
  t.match(read(notice).events, [{ severity: 'critical', category: 'volcano_warning', lat: 19.421 }])
})

t.test('the graver of alert level and colour code counts', async (t) => {
  const level = (alert_level: string, color_code: string) =>
    read([elevated({ alert_level, color_code })]).events[0]?.severity
  t.same(
    [level('ADVISORY', 'YELLOW'), level('WATCH', 'YELLOW'), level('ADVISORY', 'RED'), level('UNASSIGNED', 'ORANGE')],
    ['routine', 'priority', 'critical', 'priority']
  )
  t.match(inWords(read([elevated({ alert_level: 'UNASSIGNED', color_code: 'UNASSIGNED' })])), {
    events: [],
    skipped: [{ id: '332010', reason: 'no alert level: UNASSIGNED' }]
  })
})

t.test('a VONA says colour, ash, where to and where from', async (t) => {
  const [event] = read(VONA).events
  t.match(event, {
    id: '300260',
    category: 'volcano_warning',
    severity: 'critical',
    title: 'Volcano Code RED Klyuchevskoy',
    sent_at: '2026-08-01T09:40:00.000Z',
    lat: 56.05,
    lon: 160.6333,
    data: {
      places: ['Kamchatka, Russia'],
      detail: /^Ash to 12000 m, moving southeast\. Explosive-extrusive eruption of the volcano continues\./,
      attribution: 'KVERT',
      volcano: { colour: 'RED' }
    }
  })
})

t.test('a page of notices is read, the newest of each volcano, exercises left out', async (t) => {
  const older = VONA.replace('20260801/0940Z', '20260730/0100Z').replace('RED', 'ORANGE')
  const other = VONA.replace(/KLYUCHEVSKOY.*/, 'Langjökull (371080)').replace('(14) Remarks:', '(14) Remarks: EXERCISE')
  const page = `<html><body><pre>${older}${VONA}${other}</pre></body></html>`
  const { events, skipped } = read(page)
  t.match(events, [{ id: '300260', severity: 'critical' }])
  t.same(inWords(skipped), [
    { id: '371080', reason: 'test' },
    { id: '300260', reason: 'an older notice of the same volcano' }
  ])
})

t.test('positions are read as observatories write them', async (t) => {
  t.same(positionOf('N6451 W01947'), { lat: 64.85, lon: -19.7833 })
  t.same(positionOf('N56 03 min E160 38 min'), { lat: 56.05, lon: 160.6333 })
  t.same(positionOf('S 08 deg 06 min 29 sec E 112 deg 55 min 12 sec'), { lat: -8.1081, lon: 112.92 })
  t.same(positionOf('N 52.076 W 176.13'), { lat: 52.076, lon: -176.13 })
  for (const text of ['', 'N9999 W01947', 'N6461 W01947', 'N0000 E00000', 'see the map', 'N W'])
    t.equal(positionOf(text), null, text)
})

t.test('what is no ash is not told as ash', async (t) => {
  const detail = (height: string) => read(VONA.replace('12000 m (39360 ft) AMSL', height)).events[0]?.data.detail ?? ''
  for (const height of ['Ash-cloud is not observed.', 'No ash is produced', 'Unknown', 'NIL'])
    t.notMatch(detail(height), /Ash to/, height)
})

t.test('the height of its ash is in the units of the station, and its revision is not', async (t) => {
  const imperial = tools({ station: v.parse(stationSchema, { units: 'imperial' }) })
  const of = (height: string, told = tools()) => {
    const [event] = volcanoSource.read(bytes(VONA.replace('12000 m (39360 ft) AMSL', height)), settings(), told).events
    return { detail: event?.data.detail ?? '', revision: event?.revision }
  }
  const rows: [height: string, metric: RegExp, imperial: RegExp][] = [
    [
      'Best estimate of ash-cloud top is around 14,000 FT (4376 M) above sea level',
      /^Ash to 4300 m,/,
      /^Ash to 14000 ft,/
    ],
    ['FL350', /^Ash to 10700 m,/, /^Ash to 35000 ft,/],
    ['8 km. It may not be the exact top.', /^Ash to 8 km,/, /^Ash to 26200 ft,/],
    ['12000 m', /^Ash to 12000 m,/, /^Ash to 39400 ft,/]
  ]
  for (const [height, inMetres, inFeet] of rows) {
    t.match(of(height).detail, inMetres, height)
    t.match(of(height, imperial).detail, inFeet, height)
    t.equal(
      of(height).revision,
      of(height, imperial).revision,
      'a station that changes its units is not told all again'
    )
  }
})

t.test('ash goes where the notice says, never where the wind comes from', async (t) => {
  const moving = (cloud: string) =>
    /moving ([^.]+)\./.exec(read(VONA.replace(/Ash cloud is moving.*/, cloud)).events[0]?.data.detail ?? '')?.[1]
  t.equal(moving('Ash cloud moving from southwest to west. It is gray.'), 'southwest to west')
  t.equal(moving('Ash drifts N-NE'), 'N-NE')
  t.equal(moving('Drifting toward the NE'), 'NE')
  t.equal(moving('Transported to the west by winds from the east'), 'west')
  t.equal(moving('Strong winds from the south'), undefined)
  t.equal(moving('Nothing to say'), undefined)
})

t.test('alert levels of New Zealand: unrest, eruption, and nothing to tell at 0', async (t) => {
  const feature = (volcanoID: string, level: unknown, acc = 'Green') => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [175.563, -39.281] },
    properties: {
      volcanoID,
      volcanoTitle: 'Ruapehu',
      level,
      acc,
      activity: 'Moderate to heightened volcanic unrest.',
      hazards: 'Volcanic unrest hazards.'
    }
  })
  const features = [
    feature('a', 0),
    feature('b', 1),
    feature('c', 2, 'Yellow'),
    feature('d', 3, 'Orange'),
    feature('e', 5)
  ]
  const { events, skipped } = read({ type: 'FeatureCollection', features: [...features, feature('f', 9)] })
  t.same(
    events.map(({ id, severity }) => `${id} ${severity}`),
    ['b routine', 'c routine', 'd priority', 'e critical']
  )
  t.equal(skipped.length, 2)
  t.match(events[1], {
    title: 'Volcanic Alert Level 2 Ruapehu',
    lat: -39.281,
    lon: 175.563,
    data: { detail: 'Moderate to heightened volcanic unrest. Volcanic unrest hazards. Aviation code YELLOW' }
  })
})

t.test('the texts read aloud: what, where, what is seen, who says so', async (t) => {
  const say = (body: unknown): string => {
    const [event] = read(body).events
    return event === undefined ? '' : textOf({ ...event, data: { ...event.data } }, NOW)
  }
  t.equal(
    say([elevated()]),
    'VOLCANO WATCH Kilauea (2:10a). Lava fountains continue within the summit caldera. Gas drifts southwest. Aviation code ORANGE. USGS HVO'
  )
  t.match(say(VONA), /^Volcano Code RED Klyuchevskoy, Kamchatka, Russia \(3:40a\)\. Ash to 12000 m, moving southeast\./)
})

t.test('a new notice of the same level is no news; level, colour and first ash are', async (t) => {
  const of = (change = {}) => read([elevated(change)]).events[0]
  t.equal(of()?.data.material, of({ notice_identifier: 'next day', synopsis: 'The same.' })?.data.material)
  t.not(of()?.revision, of({ notice_identifier: 'next day' })?.revision)
  t.not(of()?.data.material, of({ color_code: 'RED' })?.data.material)
})

t.test('back to normal, or missing twice from the list of elevated volcanoes, it is over', async (t) => {
  const memory = new MapMemory()
  const list = (...rows: unknown[]) => JSON.stringify(rows)
  const other = elevated({ vnum: '311120', volcano_name_appended: 'Great Sitkin' })
  const bodies = [
    list(elevated(), other),
    list(elevated()),
    null,
    list(elevated({ alert_level: 'NORMAL', color_code: 'GREEN' }))
  ]
  const step = async (index: number) =>
    volcanoSource.poll(
      settings(),
      pollTools(() => bodies[index] ?? null, { memory })
    )
  t.same(lives(await step(0)), ['332010 new', '311120 new'])
  t.same(lives(await step(1)), ['332010 new'])
  t.same(lives(await step(2)), ['311120 cancel'])
  t.same(lives(await step(3)), ['332010 cancel'])
})

t.test('a list of notices is not whole: what it does not name goes on', async (t) => {
  const memory = new MapMemory()
  for (const body of [VONA, VONA.replace('300260', '300270'), VONA.replace('300260', '300270')])
    t.notOk(lives(read(body, tools({ memory }))).some((life) => life.endsWith('cancel')))
})

t.test('an empty listing is not believed while many were elevated', async (t) => {
  const memory = new MapMemory()
  read(
    ['1', '2', '3'].map((vnum) => elevated({ vnum })),
    tools({ memory })
  )
  t.throws(() => read([], tools({ memory })), /an empty listing, although 3/)
  t.same(read([]).events, [])
})

t.test('what cannot be is skipped or refused with what to do', async (t) => {
  const rows = [null, 7, {}, elevated({ vnum: null, volcano_name_appended: 12 }), elevated({ alert_level: 5 })]
  t.doesNotThrow(() => read(rows))
  t.match(read([elevated({ latitude: 0, longitude: 0 })]).events, [{ lat: null, circle: null }])
  t.match(read([elevated({ latitude: 91 })]).events, [{ lat: null }])
  t.equal(read([elevated({ sent_date_cap: '1970-01-01' })]).events[0]?.sent_at, '2026-08-01T12:00:00.000Z')
  t.match(inWords(read(VONA.replace('20260801/0940Z', '19700101/0000Z')).skipped), [{ reason: 'no time of issue' }])
  t.match(inWords(read(VONA.replace('RED', 'UNASSIGNED')).skipped), [{ reason: 'no colour code: UNASSIGNED' }])
  t.throws(() => read('{}'), /Look at the address/)
  t.throws(() => read('<html>maintenance</html>'), /web page/)
  t.throws(() => read('[{'), /cut off/)
  t.throws(() => read(VONA.repeat(501)), /more than 500/)
})

t.test('damage ends nothing', async (t) => {
  survivesDamage(t, volcanoSource, bytes(JSON.stringify([elevated()])), settings(), { name: 'HANS' })
  survivesDamage(t, volcanoSource, bytes(VONA), settings(), { name: 'VONA' })
})

t.test('a file tells its kind', async (t) => {
  t.equal(sourceKindOf(VONA), 'volcano')
  t.equal(sourceKindOf(JSON.stringify([elevated()])), 'volcano')
  t.equal(sourceKindOf('{"features":[{"properties":{"volcanoID":"ruapehu"}}]}'), 'volcano')
})

t.test(
  'the RSS of the USGS is read: level and colour, place, observatory; what it no longer lists is not over',
  async (t) => {
    const memory = new MapMemory()
    const rss = (...items: string[]) =>
      `<?xml version="1.0"?><rss version="2.0" xmlns:georss="http://www.georss.org/georss" xmlns:volcano="http://volcanoes.usgs.gov/"><channel><title>USGS</title>${items.join('')}</channel></rss>`
    const item = (title: string, level: string, colour: string) =>
      `<item><title>${title}</title><description>Lava fountains continue.</description><pubDate>Sat, 01 Aug 2026 08:10:00 GMT</pubDate><guid>n1</guid><georss:point>19.421 -155.287</georss:point><volcano:alertlevel>${level}</volcano:alertlevel><volcano:colorcode>${colour}</volcano:colorcode></item>`
    const text = rss(item('HVO Kilauea WATCH 2026-08-01', 'WATCH', 'ORANGE'))
    t.equal(sourceKindOf(text), 'volcano')
    const { events } = read(text, tools({ memory }))
    t.match(events, [
      {
        id: 'kilauea',
        category: 'volcano_watch',
        severity: 'priority',
        title: 'Volcano Watch: Kilauea',
        circle: { lat: 19.421, lon: -155.287, radius_km: 50 },
        sent_at: '2026-08-01T08:10:00.000Z',
        data: { attribution: 'USGS HVO' }
      }
    ])
    for (let times = 0; times < 3; times++) t.same(lives(read(rss(), tools({ memory }))), [])
    t.same(lives(read(rss(item('HVO Kilauea', 'NORMAL', 'GREEN')), tools({ memory }))), ['kilauea cancel'])
    t.match(inWords(read(rss(item('HVO Kilauea', 'UNASSIGNED', 'UNASSIGNED'))).skipped), [{ reason: 'no alert level' }])
  }
)
