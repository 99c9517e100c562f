import t from 'tap'
import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import { jmaSource } from '../../../src/warning/feeds/jma/jma.ts'
import { type JmaSettings, jmaSourceSchema } from '../../../src/warning/feeds/jma/settings.ts'
import { sourceKindOf } from '../../../src/warning/feeds/recognise.ts'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { bytes, lives, MapMemory, pollTools, survivesDamage, textOf, tools } from './source-harness.ts'

const NOW = '2026-08-01T12:00:00Z'
const settings = (change: Record<string, unknown> = {}): JmaSettings =>
  v.parse(jmaSourceSchema, { kind: 'jma', ...change })
const read = (body: unknown, with_ = tools(), change = {}): SourceReading =>
  jmaSource.read(bytes(typeof body === 'string' ? body : JSON.stringify(body)), settings(change), with_)

type Kinds = { code?: string; status: string }[]
/** A report of warning/data/r8/map.json: what is said of each municipality. */
const report = (areas: Record<string, Kinds>, change: Record<string, unknown> = {}) => ({
  dataTypeCode: 'VPWW55',
  publishingOffice: '気象庁',
  infoType: '発表',
  reportDatetime: '2026-08-01T20:45:00+09:00',
  controlDatetime: '2026-08-01T11:45:10Z',
  warning: {
    class10Items: [{ areaCode: '130010', kinds: Object.values(areas)[0] }],
    class20Items: Object.entries(areas).map(([areaCode, kinds]) => ({ areaCode, kinds }))
  },
  ...change
})
const on = (code: string): Kinds => [{ code, status: '発表' }]

/** A report as XML, of municipalities with their kinds. */
const xml = (items: string, { status = '通常', type = '発表' } = {}) => `<?xml version="1.0" encoding="UTF-8"?>
<Report xmlns="http://xml.kishou.go.jp/jmaxml1/" xmlns:jmx="http://xml.kishou.go.jp/jmaxml1/">
  <Control><Title>気象警報・注意報（Ｈ２７）</Title><DateTime>2026-08-01T11:45:00Z</DateTime><Status>${status}</Status></Control>
  <Head xmlns="http://xml.kishou.go.jp/jmaxml1/informationBasis1/"><Title>東京都気象警報・注意報</Title>
    <ReportDateTime>2026-08-01T20:45:00+09:00</ReportDateTime><EventID/><InfoType>${type}</InfoType></Head>
  <Body xmlns="http://xml.kishou.go.jp/jmaxml1/body/meteorology1/">
    <Warning type="気象警報・注意報（府県予報区等）"><Item>
      <Kind><Name>大雨特別警報</Name><Code>33</Code><Status>発表</Status></Kind>
      <Area><Name>東京都</Name><Code>130000</Code></Area></Item></Warning>
    <Warning type="気象警報・注意報（市町村等）">${items}</Warning>
  </Body></Report>`
const item = (area: string, code: string, status: string) =>
  `<Item><Kind><Name>大雨警報</Name><Code>${code}</Code><Status>${status}</Status></Kind>
   <Area><Name>千代田区</Name><Code>${area}</Code></Area></Item>`

t.test('a warning names its municipalities, by code and in letters everybody can read', async (t) => {
  const memory = new MapMemory()
  memory.set('municipalities', { '1310100': 'Chiyoda City', '1310200': 'Chuo City' })
  const { events, items } = read([report({ '1310100': on('43'), '1310200': on('43') })], tools({ memory }))
  t.equal(items, 1)
  t.match(events, [
    {
      id: '13:43',
      category: 'weather_rain_warning',
      family: 'weather',
      severity: 'immediate',
      title: 'Heavy Rain Danger Warning: Tokyo',
      sent_at: '2026-08-01T11:45:00.000Z',
      data: {
        places: ['Chiyoda City', 'Chuo City'],
        geocodes: ['JMA:1310100', 'JMA:1310200', 'JMA_PREF:13']
      }
    }
  ])
  const [event] = events
  t.equal(
    event && textOf(event, NOW),
    'HEAVY RAIN DANGER WARN Chiyoda City/Chuo City (5:45a). Level 4: everybody leave places in danger now. JMA'
  )
  t.match(read([report({ '4620100': on('05') })]).events, [{ data: { places: ['Kagoshima'] } }], 'unknown names')
})

t.test('the level decides: 5 and 4 leave now, 3 the elderly leave; the others warn', async (t) => {
  const levelOf = (code: string) =>
    read([report({ '1310100': on(code) })], tools(), { weather_level: 'advisory' }).events[0]?.severity
  t.same(['33', '43', '03', '10', '39', '49', '35', '05', '02', '15', '22'].map(levelOf), [
    ...['immediate', 'immediate', 'critical', 'routine'],
    ...['immediate', 'immediate', 'immediate', 'priority', 'priority', 'routine', 'routine']
  ])
  const body = [report({ '1310100': [...on('10'), ...on('03'), ...on('99')] })]
  const { events, skipped } = read(body)
  t.same(
    events.map(({ id }) => id),
    ['13:03'],
    'advisories are left out unless they are asked for'
  )
  t.same(inWords(skipped), [
    { id: '13:10', reason: 'below warning' },
    { id: '13:99', reason: 'no kind of warning known here: 99' }
  ])
})

t.test(
  'what ends is told; what a graver step replaces ends silently; one listing without it ends nothing',
  async (t) => {
    const memory = new MapMemory()
    const step = (list: unknown) => lives(read(list, tools({ memory })))
    t.same(step([report({ '1310100': on('03'), '1410000': on('05') })]), ['13:03 new', '14:05 new'])
    t.same(step([report({ '1310100': on('43'), '1410000': on('05') })]), ['13:43 new', '14:05 new', '13:03 expire'])
    const none = [{ status: '発表警報・注意報はなし' }]
    const over = [report({ '1310100': [{ code: '43', status: '解除' }], '1410000': none })]
    t.same(step(over), [], 'once may be a mistake')
    t.same(step(over).sort(), ['13:43 cancel', '14:05 cancel'])
  }
)

t.test('a newer report of the same kind takes the place of the older one, in any order', async (t) => {
  const old = report({ '1310100': on('05') }, { reportDatetime: '2026-08-01T18:00:00+09:00' })
  const now = report({ '1310100': [{ status: '発表警報・注意報はなし' }] })
  t.same(read([now, old]).events, [])
  t.same(read([old, now]).events, [])
  const other = report({ '1310100': on('49') }, { dataTypeCode: 'VPWW56', reportDatetime: '2026-08-01T18:00:00+09:00' })
  t.match(read([now, other]).events, [{ id: '13:49' }], 'another kind of report says nothing of it')
})

t.test('a report as XML warns, ends what it names as over, and repeats no prefecture', async (t) => {
  const memory = new MapMemory()
  const first = read(xml(item('1310100', '03', '発表') + item('1310200', '14', '発表')), tools({ memory }))
  t.same(lives(first), ['13:03 new'])
  t.match(first.events, [{ data: { geocodes: ['JMA:1310100', 'JMA_PREF:13'] } }])
  t.same(lives(read(xml(item('1310100', '05', '発表')), tools({ memory }))), ['13:05 new'], 'says nothing of the rain')
  t.same(lives(read(xml(item('1310100', '03', '解除')), tools({ memory }))), ['13:03 cancel'])
  t.same(lives(read(xml(item('1310100', '05', '継続'), { type: '取消' }), tools({ memory }))), ['13:05 cancel'])
})

t.test('a drill of the agency is a drill, of whatever kind', async (t) => {
  for (const status of ['訓練', '試験']) {
    t.match(inWords(read(xml(item('1310100', '33', '発表'), { status }))), {
      events: [],
      skipped: [{ reason: 'test' }]
    })
  }
  const tsunami = {
    Control: { Title: '津波警報・注意報・予報a', Status: '訓練' },
    Head: {
      Title: '大津波警報',
      ReportDateTime: '2026-08-01T20:50:00+09:00',
      EventID: '20260801204012',
      InfoType: '発表'
    },
    Body: { Tsunami: { Forecast: { Item: { Area: { Code: '210' }, Category: { Kind: { Code: '52' } } } } } }
  }
  t.match(inWords(read(tsunami)), { events: [], skipped: [{ reason: 'test' }] })
  const name = '20260801205000_20260801204012_VTSE41_1.json'
  const asking = pollTools((request) =>
    request.url.endsWith('list.json')
      ? JSON.stringify([{ eid: '20260801204012', json: name, rdt: '2026-08-01T20:50:00+09:00', ift: '発表' }])
      : JSON.stringify(tsunami)
  )
  t.match(await jmaSource.poll(settings({ products: ['tsunami'] }), asking), { events: [] })
})

t.test('a poll for the weather asks for names once a month, and does not wait for them', async (t) => {
  const memory = new MapMemory()
  const bodies = new Map<string, string>([
    ['warning/data/r8/map.json', JSON.stringify([report({ '1310100': on('03') })])]
  ])
  const poll = async (receivedAt: string) => {
    const asking = pollTools(
      ({ url }) =>
        bodies.get(url.replace('https://www.jma.go.jp/bosai/', '')) ?? new AppError('unavailable', note('gone')),
      { memory, receivedAt: Date.parse(receivedAt) }
    )
    const reading = await jmaSource.poll(settings({ products: ['weather'] }), asking)
    return { asked: asking.asked.length, places: reading === 'unchanged' ? null : reading.events[0]?.data.places }
  }
  t.same(await poll('2026-08-01T12:00:00Z'), { asked: 2, places: ['Tokyo'] })
  t.same(await poll('2026-08-01T12:01:00Z'), { asked: 1, places: ['Tokyo'] })
  bodies.set(
    'common/const/area.json',
    JSON.stringify({ class20s: { '1310100': { name: '千代田区', enName: 'Chiyoda City' } } })
  )
  t.same(await poll('2026-08-01T13:01:00Z'), { asked: 2, places: ['Chiyoda City'] })
  t.same(await poll('2026-08-20T13:01:00Z'), { asked: 1, places: ['Chiyoda City'] })
})

t.test('stored listings tell their kind; what cannot be is refused, and damage ends nothing', async (t) => {
  const list = [report({ '1310100': on('03') })]
  t.equal(sourceKindOf(JSON.stringify(list)), 'jma')
  t.equal(sourceKindOf(JSON.stringify([{ warning: list[0]?.warning }])), 'jma')
  t.equal(sourceKindOf(xml(item('1310100', '03', '発表'))), 'jma')
  t.equal(sourceKindOf('<feed><id>https://www.data.jma.go.jp/developer/xml/feed/extra.xml</id></feed>'), 'jma')
  const before = {
    reportDatetime: '2026-08-01T20:45:00+09:00',
    areaTypes: [
      { areas: [{ code: '130010', warnings: [{ code: '03', status: '発表' }] }] },
      { areas: [{ code: '1310100', warnings: [{ code: '03', status: '継続' }] }] }
    ]
  }
  t.equal(sourceKindOf(JSON.stringify(before)), 'jma')
  t.match(read(before).events, [{ id: '13:03', data: { geocodes: ['JMA:1310100', 'JMA_PREF:13'] } }])
  for (const odd of [
    [{ warning: { class20Items: [null, 5, {}, { areaCode: '1310100', kinds: 'x' }] } }],
    [report({ '1310100': [{ status: '' }] })]
  ])
    t.same(read(odd).events, [])
  survivesDamage(t, jmaSource, bytes(JSON.stringify(list)), settings(), { name: 'warnings' })
})
