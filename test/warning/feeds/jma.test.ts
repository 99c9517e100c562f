import t from 'tap'
import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import { COASTS } from '../../../src/warning/feeds/jma/coasts.ts'
import { jmaSource } from '../../../src/warning/feeds/jma/jma.ts'
import { type JmaSettings, jmaSourceSchema } from '../../../src/warning/feeds/jma/settings.ts'
import { sourceKindOf } from '../../../src/warning/feeds/recognise.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { stationSchema } from '../../../src/warning/station-settings.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { bytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const NOW = '2026-08-01T12:00:00Z'
const TOKYO = v.parse(stationSchema, { timezone: 'Asia/Tokyo' })
const settings = (change: Record<string, unknown> = {}): JmaSettings =>
  v.parse(jmaSourceSchema, { kind: 'jma', ...change })
const read = (body: unknown, with_ = tools(), change = {}): SourceReading =>
  jmaSource.read(bytes(typeof body === 'string' ? body : JSON.stringify(body)), settings(change), with_)

/** A bulletin of quake/data/list.json. */
const bulletin = (change: Record<string, unknown> = {}) => ({
  ctt: '20260801204500',
  eid: '20260801204012',
  rdt: '2026-08-01T20:45:00+09:00',
  at: '2026-08-01T20:40:00+09:00',
  ttl: '震源・震度情報',
  en_ttl: 'Earthquake and Seismic Intensity Information',
  ift: '発表',
  ser: '1',
  anm: '福島県沖',
  en_anm: 'Off the Coast of Fukushima Prefecture',
  cod: '+37.5+141.7-50000/',
  mag: '5.8',
  maxi: '5+',
  int: [
    { code: '07', maxi: '5+', city: [] },
    { code: '04', maxi: '4', city: [] }
  ],
  json: '20260801204500_20260801204012_VXSE5k_1.json',
  ...change
})

const coast = (name: string, code: string, kind: string, change: Record<string, unknown> = {}) => ({
  Area: { Name: name, Code: code },
  Category: { Kind: { Name: '津波', Code: kind } },
  FirstHeight: { ArrivalTime: '2026-08-01T21:20:00+09:00' },
  MaxHeight: { TsunamiHeight: '3' },
  ...change
})
const tsunami = (items: unknown, head: Record<string, unknown> = {}) => ({
  Control: { Title: '津波警報・注意報・予報a' },
  Head: {
    Title: '津波警報・注意報・予報',
    ReportDateTime: '2026-08-01T20:50:00+09:00',
    EventID: '20260801204012',
    InfoType: '発表',
    ...head
  },
  Body: { Tsunami: { Forecast: { Item: items } } }
})

t.test('an earthquake has its magnitude, depth, place in letters, intensity and time', async (t) => {
  const { events, items, updated } = read([bulletin()])
  t.match(events, [
    {
      id: '20260801204012',
      category: 'earthquake_event',
      severity: 'priority',
      title: 'M 5.8 earthquake, Off the Coast of Fukushima Prefecture',
      lat: 37.5,
      lon: 141.7,
      circle: { lat: 37.5, lon: 141.7 },
      sent_at: '2026-08-01T11:45:00.000Z',
      thread_id: 'jma:20260801204012',
      data: {
        magnitude: 5.8,
        depth_km: 50,
        origin_time: '2026-08-01T11:40:00.000Z',
        detail: 'Intensity up to 5+ (shindo)',
        severity_inside_region: 'critical'
      }
    }
  ])
  t.same([items, updated], [1, '2026-08-01T11:45:00.000Z'])
})

t.test('intensity makes the level: gravest where it shook', async (t) => {
  const level = (maxi: string) => {
    const [event] = read([bulletin({ maxi, mag: '4.0' })]).events
    return event === undefined ? null : [event.severity, event.data.severity_inside_region]
  }
  t.same(level('7'), ['immediate', 'immediate'])
  t.same(level('6+'), ['critical', 'immediate'])
  t.same(level('5-'), ['priority', 'critical'])
  t.same(level('4'), ['routine', 'priority'])
  t.same(level('2'), null)
  t.match(inWords(read([bulletin({ maxi: '2' })]).skipped), [{ reason: 'below intensity 3' }])
  t.equal(read([bulletin({ maxi: '2' })], tools(), { min_intensity: '1' }).events.length, 1)
})

t.test(
  'the bulletins of one earthquake are one event: the newest counts, and keeps what earlier ones knew',
  async (t) => {
    const flash = bulletin({ rdt: '2026-08-01T20:42:00+09:00', cod: '', mag: '', en_anm: '', anm: '', maxi: '5-' })
    const [alone] = read([flash]).events
    t.match(alone, { lat: null, circle: null, severity: 'priority' }, 'no epicentre yet')
    t.same(read([bulletin({ cod: '', mag: 'Ｍ不明' })]).events[0]?.data.geocodes, ['JMA_PREF:07'])
    const hypocentre = bulletin({ rdt: '2026-08-01T20:47:00+09:00', maxi: '', int: [] })
    const { events } = read([hypocentre, flash, bulletin()])
    t.equal(events.length, 1)
    t.match(events, [{ sent_at: '2026-08-01T11:47:00.000Z', lat: 37.5, data: { jma: { shindo: '5+' } } }])
  }
)

t.test('what is taken back is withdrawn; what is a day old, far away and weak, or not felt is left out', async (t) => {
  t.match(read([bulletin({ ift: '取消' })]).events, [{ lifecycle: 'cancel', title: /^Withdrawn/ }])
  const reason = (change: Record<string, unknown>) => read([bulletin(change)]).skipped[0]?.reason
  t.equal(inWords(reason({ rdt: '2026-07-30T20:45:00+09:00' })), 'older than a day')
  t.equal(inWords(reason({ maxi: '' })), 'not felt in Japan')
  t.match(read([bulletin({ maxi: '', mag: '7.9', cod: '-20.0-70.0-40000/' })]).events, [
    { severity: 'immediate', lon: -70 }
  ])
})

t.test('a tsunami is one event for each grade, on the coasts it names', async (t) => {
  const report = tsunami([
    coast('福島県', '250', '52', {
      MaxHeight: { TsunamiHeight: '１０ｍ超' },
      FirstHeight: { Condition: 'ただちに津波来襲と予測' }
    }),
    coast('岩手県', '210', '51'),
    coast('宮城県', '220', '53', { MaxHeight: { TsunamiHeight: '5' } }),
    coast('千葉県内房', '311', '62', { MaxHeight: { TsunamiHeight: '1' } }),
    coast('東京湾内湾', '312', '71')
  ])
  const { events } = read(report, tools({ station: TOKYO }))
  t.same(
    events.map(({ id, category, severity, title }) => [id, category, severity, title]),
    [
      ['20260801204012:major', 'tsunami_warning', 'immediate', 'Major Tsunami Warning'],
      ['20260801204012:warning', 'tsunami_warning', 'immediate', 'Tsunami Warning'],
      ['20260801204012:advisory', 'tsunami_advisory', 'critical', 'Tsunami Advisory']
    ]
  )
  t.match(events[0], {
    geometry: { type: 'MultiPolygon' },
    data: {
      places: ['Fukushima', 'Miyagi'],
      geocodes: ['JMA_TSUNAMI:250', 'JMA_TSUNAMI:220'],
      detail: 'Waves over 10 m, arriving now'
    }
  })
  t.equal(events[1]?.data.detail, 'Waves up to 3 m, first about 9:20p')
  const by24 = tools({ station: { ...TOKYO, time_format: '24h' } })
  t.equal(
    read(tsunami(coast('岩手県', '210', '51')), by24).events[0]?.data.detail,
    'Waves up to 3 m, first about 21:20'
  )
  const miles = tools({ station: { ...TOKYO, units: 'imperial' } })
  t.equal(
    read(tsunami(coast('岩手県', '210', '51')), miles).events[0]?.data.detail,
    'Waves up to 10 ft, first about 9:20p'
  )
  t.same(events[2]?.data.places, ['Chiba Uchibo'], 'slight changes of the sea are nobody’s business')
})

t.test('the next report replaces it: what it no longer has is over, what it takes back too', async (t) => {
  const memory = new MapMemory()
  const step = (items: unknown, head = {}) => lives(read(tsunami(items, head), tools({ memory })))
  t.same(step([coast('岩手県', '210', '51'), coast('宮城県', '220', '62')]), [
    '20260801204012:warning new',
    '20260801204012:advisory new'
  ])
  const later = { ReportDateTime: '2026-08-01T20:55:00+09:00' }
  t.same(
    step(coast('宮城県', '220', '62'), later),
    ['20260801204012:advisory new', '20260801204012:warning cancel'],
    'one coast is no list'
  )
  t.same(step([coast('宮城県', '220', '60')], later), ['20260801204012:advisory cancel'])
  t.same(step([coast('岩手県', '210', '51')]), ['20260801204012:warning new'])
  t.same(step([], { ...later, InfoType: '取消' }), ['20260801204012:warning cancel'])
})

t.test('a report of JMX reads the same as XML', async (t) => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Report xmlns="http://xml.kishou.go.jp/jmaxml1/" xmlns:jmx="http://xml.kishou.go.jp/jmaxml1/">
<Control><Title>震源・震度に関する情報</Title></Control>
<Head xmlns="http://xml.kishou.go.jp/jmaxml1/informationBasis1/"><Title>震源・震度情報</Title><ReportDateTime>2026-08-01T20:45:00+09:00</ReportDateTime><EventID>20260801204012</EventID><InfoType>発表</InfoType></Head>
<Body xmlns="http://xml.kishou.go.jp/jmaxml1/body/seismology1/" xmlns:jmx_eb="http://xml.kishou.go.jp/jmaxml1/elementBasis1/"><Earthquake><OriginTime>2026-08-01T20:40:00+09:00</OriginTime><Hypocenter><Area><Name>福島県沖</Name><jmx_eb:Coordinate description="x">+37.5+141.7-50000/</jmx_eb:Coordinate></Area></Hypocenter><jmx_eb:Magnitude type="Mj">5.8</jmx_eb:Magnitude></Earthquake><Intensity><Observation><MaxInt>6-</MaxInt></Observation></Intensity></Body></Report>`
  t.match(read(xml).events, [
    {
      id: '20260801204012',
      severity: 'critical',
      lat: 37.5,
      data: { magnitude: 5.8, depth_km: 50, places: ['福島県沖'] }
    }
  ])
  const wave = xml.replace(
    /<Body[\s\S]*<\/Body>/,
    '<Body><Tsunami><Forecast><Item><Area><Name>岩手県</Name><Code>210</Code></Area><Category><Kind><Code>51</Code></Kind></Category><MaxHeight><jmx_eb:TsunamiHeight xmlns:jmx_eb="x">3</jmx_eb:TsunamiHeight></MaxHeight></Item></Forecast></Tsunami></Body>'
  )
  t.match(read(wave).events, [{ severity: 'immediate', data: { places: ['Iwate'], detail: 'Waves up to 3 m' } }])
})

t.test('the texts read aloud: what, where, how high, when, what to do', async (t) => {
  const say = (body: unknown): string => {
    const [event] = read(body, tools({ station: TOKYO })).events
    return event === undefined ? '' : textOf(event, NOW)
  }
  t.equal(
    say(tsunami([coast('岩手県', '210', '51'), coast('宮城県', '220', '51')])),
    'TSUNAMI WARN Iwate/Miyagi (5:50a). Waves up to 3 m, first about 9:20p. Leave the coast and rivers for high ground now. JMA'
  )
  t.match(say([bulletin()]), /^QUAKE M5\.8 Off the Coast of Fukushima/)
})

t.test(
  'a poll asks for its products, follows a tsunami to its end, and finds the places of volcanoes once',
  async (t) => {
    const memory = new MapMemory()
    const report = '20260801205000_20260801204012_VTSE41_1.json'
    const entry = { eid: '20260801204012', json: report, rdt: '2026-08-01T20:50:00+09:00', ift: '発表' }
    const bodies: Record<string, unknown> = {
      'quake/data/list.json': [bulletin()],
      'tsunami/data/list.json': [entry, { ...entry, eid: 'x', json: '../../../etc/passwd' }],
      [`tsunami/data/${report}`]: tsunami([coast('岩手県', '210', '51')]),
      'volcano/const/volcano_list.json': {
        '506': { nameJp: '桜島', nameEn: 'Sakurajima', latlon: ['31.593', '130.657'] }
      },
      'volcano/data/warning.json': [
        {
          eventId: '506',
          reportDatetime: '2026-08-01T10:00:00+09:00',
          volcanoInfos: [
            {
              type: '噴火警報・予報（対象火山）',
              items: [{ code: '13', name: 'レベル３（入山規制）', areas: [{ code: '506', name: '桜島' }] }]
            },
            {
              type: '噴火警報・予報（対象市町村等）',
              items: [{ code: '02', name: '噴火警報（火口周辺）', areas: [{ code: '4620100' }] }]
            }
          ]
        }
      ]
    }
    const step = async () => {
      const asking = pollTools(
        (request) => {
          const body = bodies[request.url.replace('https://www.jma.go.jp/bosai/', '')]
          if (body === null) return null
          return body === undefined ? new AppError('unavailable', note('gone')) : JSON.stringify(body)
        },
        { memory }
      )
      return { reading: await jmaSource.poll(settings(), asking), asked: asking.asked.map(({ url }) => url) }
    }
    const first = await step()
    t.same(lives(first.reading), ['20260801204012 new', '20260801204012:warning new', '506 new'])
    t.match(first.reading === 'unchanged' ? [] : first.reading.events[2], {
      severity: 'priority',
      title: 'Volcano Level 3 Sakurajima',
      circle: { lat: 31.593, lon: 130.657, radius_km: 30 },
      data: { detail: 'Do not approach the volcano' }
    })
    t.ok(first.asked.every((url) => !url.includes('passwd')))
    bodies[`tsunami/data/${report}`] = null
    t.same(lives((await step()).reading), ['20260801204012 new', '506 new'], 'a report that has not changed')
    t.same(lives((await step()).reading), ['20260801204012 new', '506 new'], 'goes on')
    bodies['tsunami/data/list.json'] = []
    const second = await step()
    t.same(lives(second.reading), ['20260801204012 new', '506 new'])
    t.notOk(second.asked.some((url) => url.includes('volcano_list')))
    t.same(lives((await step()).reading), ['20260801204012 new', '20260801204012:warning expire', '506 new'])
    delete bodies['volcano/data/warning.json']
    t.match(inWords((await step()).reading), { skipped: [{ id: 'volcano', reason: 'gone' }] })
    delete bodies['quake/data/list.json']
    await t.rejects(step(), /gone/, 'when nothing is told, a failure is one')
  }
)

t.test('a volcano goes by its level, and level 1 ends it', async (t) => {
  const memory = new MapMemory()
  const at = (name: string) =>
    read(
      [
        {
          reportDatetime: '2026-08-01T10:00:00+09:00',
          volcanoInfos: [
            { type: '噴火警報・予報（対象火山）', items: [{ name, areas: [{ code: '503', name: '阿蘇山' }] }] }
          ]
        }
      ],
      tools({ memory })
    )
  const level = (name: string) => at(name).events[0]?.severity
  t.same(
    ['レベル５（避難）', 'レベル4（高齢者等避難）', 'レベル２（火口周辺規制）', '噴火警報（周辺海域）'].map(level),
    ['immediate', 'critical', 'routine', 'priority']
  )
  t.same(lives(at('レベル１（活火山であることに留意）')), ['503 cancel'])
})

t.test('what cannot be is skipped or refused with what to do', async (t) => {
  const odd = [
    null,
    7,
    {},
    bulletin({ eid: 5 }),
    bulletin({ eid: 'a', rdt: '1970-01-01T00:00:00Z' }),
    bulletin({ eid: 'b', cod: '+0.0+0.0/', mag: {}, int: 'x' })
  ]
  t.doesNotThrow(() => read(odd))
  t.match(read([bulletin({ cod: '+99.0+141.0-1/' })]).events, [{ lat: null }])
  t.match(read([bulletin({ mag: '99' })]).events[0]?.data, { magnitude: undefined })
  t.throws(() => read([{ a: 1 }]), /Look at the address/)
  t.throws(() => read({}), /neither one of its lists nor a report/)
  t.throws(() => read('<feed><entry/></feed>'), /only points to reports/)
  t.throws(() => read('<html/>'), /neither one of its lists nor a report/)
  t.throws(() => read('[{'), /cut off/)
  const weather = { Head: { Title: '気象警報', ReportDateTime: '2026-08-01T20:45:00+09:00' }, Body: { Warning: {} } }
  t.throws(() => read(weather), /tells of no earthquake and no tsunami/)
  t.doesNotThrow(() => read(tsunami([null, 5, coast('?', '999', '51', { MaxHeight: 7, FirstHeight: null })])))
  t.same(read([]).events, [])
})

t.test('damage ends nothing', async (t) => {
  survivesDamage(t, jmaSource, bytes(JSON.stringify([bulletin()])), settings(), { name: 'quakes' })
  survivesDamage(t, jmaSource, bytes(JSON.stringify(tsunami([coast('岩手県', '210', '51')]))), settings(), {
    name: 'tsunami'
  })
})

t.test('every coast has a box of Japan', async (t) => {
  t.equal(COASTS.size, 66)
  for (const [code, { name, ring }] of COASTS) {
    const [[west = 0, south = 0] = [], , [east = 0, north = 0] = []] = ring
    t.ok(south < north && west < east && south > 20 && north < 46 && west > 122 && east < 147, `${code} ${name}`)
    t.ok(north - south < 5 && east - west < 4, `${code} ${name} is a coast`)
  }
})

t.test('a file tells its kind', async (t) => {
  t.equal(sourceKindOf(JSON.stringify([bulletin()])), 'jma')
  t.equal(sourceKindOf(JSON.stringify(tsunami([]))), 'jma')
  t.equal(sourceKindOf('<Report xmlns="http://xml.kishou.go.jp/jmaxml1/"/>'), 'jma')
})
