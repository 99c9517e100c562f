import t from 'tap'
import { because } from '../../src/model/reason.ts'
import type { Problem } from '../../src/warning/readiness/problem.ts'
import { FROM_AFAR, fire, launch, NOW, queue, type Station, send, station } from './harness.ts'

/** The page Now: the situation as a picture, and for each alert who was told of it. */

const config = {
  station: { anchors: [{ name: 'Hut', lat: 0.5, lon: 0.5 }] },
  coverage: {
    region_tagging: true,
    areas: [
      { name: 'North', bbox: [0, 0, 1, 1] },
      { name: 'South <b>', circle: { lat: -1, lon: 0.5, radius_km: 30 } },
      { name: null, bbox: [3, 3, 4, 4] }
    ]
  }
}
const silent: Problem = { code: 'no_hazard_source', params: {}, blocking: false, link: '/sources' }
const knows = (...problems: Problem[]) => ({ readiness: () => ({ ready: true, problems }) })
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
const drawn = (text: string): string => /<figure class="stage"[\s\S]*?<\/figure>/.exec(text)?.[0] ?? ''

async function burning(t: Parameters<typeof station>[0], problems: Problem[] = []): Promise<Station> {
  const s = await station(t, { config, context: knows(...problems) })
  await s.ask({ path: '/api/events', body: { ...fire, lat: 0.5, lon: 0.5 } })
  return s
}

t.test('areas with a name and hazards in force are one picture, with names that are text', async (t) => {
  const { ask } = await burning(t)
  const map = drawn((await ask('/')).text)
  t.equal(map.match(/<g class="area /g)?.length, 2, 'the area without a name is no region')
  t.match(map, /<g class="area critical">/, 'the region that the fire touches')
  t.match(map, /<g class="area calm">/)
  t.match(map, /class="mark critical"/)
  t.match(map, />South &lt;b&gt;</)
  t.match(plain(map), /Map: 2 areas, 1 alerts in force/)
  t.notMatch(map, /NaN|Infinity|undefined/)
  const empty = await station(t, { config: {}, context: knows() })
  const { text } = await empty.ask('/')
  t.equal(drawn(text), '', 'nothing to show: no map')
  t.match(plain(text), /No area is drawn yet: the map begins with the first\. Coverage/)
})

t.test(
  'the picture is that of the alerts in force now: of a second one, of its next message, of one alone again',
  async (t) => {
    const { ask } = await burning(t)
    const marks = async (): Promise<string[]> =>
      [...drawn((await ask('/')).text).matchAll(/class="mark (\w+)"/g)].map(([, severity]) => severity ?? '')
    t.same(await marks(), ['critical'])
    const other = { ...fire, id: 'f2', lat: -1, lon: 0.5 }
    await ask({ path: '/api/events', body: { ...other, severity: 'priority' } })
    t.same(await marks(), ['critical', 'priority'])
    await ask({ path: '/api/events', body: { ...other, revision: '2', severity: 'immediate' } })
    t.same(await marks(), ['immediate', 'critical'])
    await ask({ path: '/api/events', body: { ...other, revision: '3', lifecycle: 'cancel' } })
    t.same(await marks(), ['critical'])
  }
)

t.test('the places of the station itself are drawn for the operator, not for a guest', async (t) => {
  const { ask } = await burning(t)
  t.match(drawn((await ask('/')).text), /class="own"/)
  t.notMatch(drawn((await ask({ path: '/', headers: FROM_AFAR })).text), /class="own"/)
})

t.test('a shape of broken numbers, or far larger than the areas, leaves the picture whole', async (t) => {
  const s = await station(t, { config, context: knows() })
  const wide = [
    [
      [-170, -80],
      [170, -80],
      [170, 80],
      [-170, 80],
      [-170, -80]
    ]
  ]
  await s.ask({ path: '/api/events', body: { ...fire, geometry: { type: 'Polygon', coordinates: wide } } })
  const map = drawn((await s.ask('/')).text)
  t.match(map, /<g class="hazard critical"><path/)
  t.notMatch(map, /NaN|Infinity|e\+/)
  t.ok([...map.matchAll(/[ML](-?\d+)/g)].every(([, x]) => Math.abs(Number(x)) <= 4000))
})

t.test('a region is quiet only while nothing is hidden, watched while nobody was told, then warned', async (t) => {
  const blind = await burning(t, [silent])
  t.match(plain((await blind.ask('/')).text), /South &lt;b&gt;: nothing known/)
  const unplaced: Problem = { ...silent, code: 'tagging_off', params: {}, link: '/coverage' }
  t.match(plain((await (await burning(t, [unplaced])).ask('/')).text), /South &lt;b&gt;: nothing known/)
  const s = await burning(t)
  t.match(plain((await s.ask('/')).text), /South &lt;b&gt;: quiet/)
  t.match(plain((await s.ask('/')).text), /North: watch Fire at/)
  const seq = s.context.ledger.find('f1')[0]?.seq ?? 0
  queue(s, seq)
  t.match(plain((await s.ask('/')).text), /North: watch/, 'what waits has warned nobody')
  launch(s.outbox, s.context.deliveries.ofEvent(seq)[0]?.id ?? 0)
  t.match(plain((await s.ask('/')).text), /North: watch/, 'a simulated radio has warned nobody')
  launch(s.outbox, queue(s, seq), 'again', { simulated: false })
  t.match(plain((await s.ask('/')).text), /North: warned/)
  t.match(plain((await s.ask({ path: '/', headers: { 'accept-language': 'de' } })).text), /North: gewarnt/)
})

const many: Problem[] = Array.from({ length: 5 }, (_, n) => ({
  ...silent,
  code: 'radio_down',
  params: { id: `r${n}`, reason: '' }
}))

t.test('of many problems the gravest three are read at once, and the others open at a touch', async (t) => {
  const { ask } = await station(t, { config, context: knows(...many) })
  const { text } = await ask('/')
  const [open = '', closed = ''] = (/<section class="problems"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '').split(
    '<details'
  )
  t.equal(open.match(/<li>/g)?.length, 3)
  t.equal(closed.match(/<li>/g)?.length, 2)
  t.match(closed, '2 more')
})

t.test(
  'while something grave is in force problems are one line that opens: what people have to do comes first',
  async (t) => {
    const s = await burning(t, many)
    const { text } = await s.ask('/')
    const listed = /<section class="problems"[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
    const [summary = '', rest = ''] = listed.split('</summary>')
    t.match(listed, /<details(?! open)/)
    t.match(plain(summary), /Problems \(5\) Radio r0 is down/, 'how many, and the gravest')
    t.match(rest, '<ul id="problems">', 'the link in the head opens the list')
    t.equal(rest.match(/<li>/g)?.length, 5)
    const alerts = (await s.ask('/alerts')).text
    t.notMatch(alerts, '<details', 'nothing of this is unknown')
    const blind = await burning(t, [silent])
    t.match(
      (await blind.ask('/alerts')).text,
      /<details[^>]*><summary[^>]*><h2 id="unknown">What is not known<\/h2> \(1\)/
    )
  }
)

t.test('the head counts what the page lists; what is odd in the matrix is no problem and stands apart', async (t) => {
  const routes = { enabled: true, cells: { fire: { North: { mt: 3 }, Gone: { mt: 3 } } } }
  const odd = { ...config, notifications: { region_routes: routes } }
  const off: Problem = { code: 'tagging_off', params: {}, blocking: true, link: '/coverage' }
  const counted = (text: string): string => plain(/<p id="trouble"[\s\S]*?<\/p>/.exec(text)?.[0] ?? '').trim()
  const listed = (text: string): number =>
    /<section class="problems" [\s\S]*?<\/section>/.exec(text)?.[0].match(/<li>/g)?.length ?? 0
  const { ask } = await station(t, { config: odd, context: knows(silent, off) })
  const { text } = await ask('/')
  t.equal(counted(text), '2 problems')
  t.equal(listed(text), 2)
  t.match(plain(text), /Notes on the matrix .*Gone/)
  const one = (await (await station(t, { config: odd, context: knows(silent) })).ask('/')).text
  t.match(counted(one), /^No source of warnings is switched on/)
  t.equal(listed(one), 1)
  const calm = (await (await station(t, { config: odd, context: knows() })).ask('/')).text
  t.equal(counted(calm), '')
  t.match(plain(calm), /Notes on the matrix/)
  t.notMatch(calm, /No problems are known/, 'no green beside what is odd')
})

t.test('an alert says channel by channel who was told, who heard it, and why the rest was not', async (t) => {
  const s = await burning(t)
  const seq = s.context.ledger.find('f1')[0]?.seq ?? 0
  const told = async (): Promise<string> =>
    plain(/<ul class="chips told">[\s\S]*?<\/ul>/.exec((await s.ask('/')).text)?.[0] ?? '')
  t.match(await told(), /Not sent .* Why\?/)
  queue(s, seq)
  const id = s.context.deliveries.ofEvent(seq)[0]?.id ?? 0
  t.match(await told(), /Meshtastic 3 Waiting its turn/)
  s.outbox.apply(id, 'hold', { reason: 'no_radio', step: because('note', { text: 'x' }) })
  t.match(await told(), /Meshtastic 3 Held no radio/)
  t.notMatch(await told(), /Sent/)
})

t.test('heard by nodes is counted where a radio told of them, never where it was simulated', async (t) => {
  const s = await burning(t)
  const seq = s.context.ledger.find('f1')[0]?.seq ?? 0
  send(s, seq)
  t.match(plain((await s.ask('/')).text), /Meshtastic 3 simulated: not on the air/)
  s.db.sql('UPDATE deliveries SET simulated = 0, heard_by = 2').run()
  const [one] = s.context.ledger.results.channelsOf(['test:f1']).get('test:f1') ?? []
  t.match(one, { channel: 'mt:3', state: 'sent', heardBy: 2, simulated: false })
})

t.test('the strip counts what went out and what failed, hour by hour', async (t) => {
  const s = await burning(t)
  const seq = s.context.ledger.find('f1')[0]?.seq ?? 0
  send(s, seq)
  s.db.sql('UPDATE deliveries SET created_at = ?1, sent_at = ?1, simulated = 0').run(NOW - 3_600_000)
  s.db.sql("UPDATE events SET decision = 'send'").run()
  const hours = () => s.context.ledger.day.messages(s.context.now()).hours
  const none = Array.from({ length: 24 }, () => ({ sent: 0, failed: 0 }))
  t.same(hours(), none.with(23, { sent: 1, failed: 0 }))
  s.db.sql("UPDATE deliveries SET state = 'failed', sent_at = NULL, changed_at = ?").run(NOW - 23.5 * 3_600_000)
  t.same(hours(), none.with(0, { sent: 0, failed: 1 }))
  s.db.sql("UPDATE deliveries SET state = 'sent', sent_at = ?").run(NOW - 3_600_000)
  t.equal(s.context.ledger.day.spans(s.context.now()).length, 1)
  t.match(plain((await s.ask('/')).text), /Messages sent: 1 · Failed: 0 · Alerts: 1.*Meshtastic 3: 1/)
  const { channels } = s.context.ledger.day.messages(s.context.now())
  t.same([...channels], [['mt:3', { sent: 1, failed: 0 }]])
  s.db.sql('UPDATE deliveries SET simulated = 1').run()
  t.same(hours(), none, 'what a simulated radio took was on no air')
})

const placed = () => [
  { id: '!1', name: 'Anna <b>', lat: 0.4, lon: 0.3, at: NOW - 5 * 3_600_000, heardAt: NOW - 60_000 },
  { id: '!2', name: 'Bert', lat: 0.6, lon: 0.3, at: NOW - 5 * 3_600_000, heardAt: NOW - 4 * 3_600_000 },
  { id: '!3', name: 'Far', lat: 60, lon: 90, at: NOW, heardAt: null }
]

t.test('nodes that told a place are drawn for the operator, with when each was heard; a guest sees none', async (t) => {
  const { context } = await station(t)
  const bare = await station(t, { config, context: knows() })
  const s = await station(t, { config, context: { ...knows(), reactions: { ...context.reactions, placed } } })
  const { text } = await s.ask('/')
  const map = drawn(text)
  t.equal(map.match(/<circle class="node[ "]/g)?.length, 2, 'the one that lies elsewhere does not widen the map')
  t.equal(map.match(/class="node silent"/g)?.length, 1, 'hollow: not heard for hours')
  t.match(map, />Anna &lt;b&gt;<\/text>/)
  t.equal(map.match(/data-box="[^"]*"/)?.[0], drawn((await bare.ask('/')).text).match(/data-box="[^"]*"/)?.[0])
  const listed = plain(/<details class="nodes"[\s\S]*?<\/details>/.exec(text)?.[0] ?? '')
  t.match(listed, /Mesh nodes with a known place: 3/)
  t.match(listed, /Anna &lt;b&gt; : heard [\d:]+ AM \( 1 min\. ago \) · place told [\d:]+ AM \( 5 hr\. ago \)/)
  t.match(listed, /Far : never heard/)
  const guest = (await s.ask({ path: '/', headers: FROM_AFAR })).text
  t.notMatch(guest, /Anna|Bert|class="node/)
  t.match(drawn(guest), '<svg')
  const german = await s.ask({ path: '/', headers: { 'accept-language': 'de' } })
  t.match(plain(german.text), /Mesh-Knoten mit bekanntem Ort: 3/)
})
