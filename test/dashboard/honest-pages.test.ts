import t from 'tap'
import { because } from '../../src/model/reason.ts'
import type { Problem } from '../../src/warning/readiness/problem.ts'
import { note } from '../helpers/in-words.ts'
import { fire, launch, queue, radio, type Station, send, station } from './harness.ts'

/** Contract §13 on the pages: what is not known is not said to be good, and "sent" only of what was on the air. */

const config = { coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [0, 0, 1, 1] }] } }
const silent: Problem = {
  code: 'source_silent',
  blocking: false,
  link: '/sources',
  params: { name: 'nws', reason: '', seconds: 600, answered: 1 }
}
const none: Problem = { code: 'no_hazard_source', params: {}, blocking: false, link: '/sources' }
const knows = (...problems: Problem[]) => ({ readiness: () => ({ ready: true, problems }) })
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

t.test('a page gives no all-clear while a source is silent or there is none', async (t) => {
  for (const [problem, said] of [
    [silent, /No data from source nws for 10 min\./],
    [none, /No source of warnings is switched on/]
  ] as const) {
    const { ask } = await station(t, { config, context: knows(problem) })
    for (const path of ['/alerts', '/']) {
      const { text } = await ask(path)
      t.notMatch(text, /No alerts are in force/, path)
      t.match(text, /No alert is known\. That is no all-clear/, path)
      t.match(text, said, path)
    }
    t.match((await ask({ path: '/alerts', headers: { 'accept-language': 'de' } })).text, /keine Entwarnung/)
  }
  const { ask } = await station(t, { config, context: knows() })
  t.match((await ask('/alerts')).text, /No alerts are in force/)
})

t.test('while nobody has set the clock no page tells an hour of 1970 or how long ago something was', async (t) => {
  const s = await station(t, { config, context: knows() })
  s.clock.set(9_000_000)
  await s.ask({ path: '/api/events', body: { ...fire, sent_at: undefined } })
  const seq = s.context.ledger.find('f1')[0]?.seq ?? 0
  queue(s, seq)
  launch(s.outbox, s.context.deliveries.ofEvent(seq)[0]?.id ?? 0)
  for (const path of ['/', '/alerts', '/events', '/deliveries', `/events/f1?seq=${seq}`]) {
    for (const [language, words] of [
      ['en', 'time unknown'],
      ['de', 'Zeit unbekannt']
    ] as const) {
      const said = plain((await s.ask({ path, headers: { 'accept-language': language } })).text)
      t.match(said, words, `${path} ${language}`)
      t.notMatch(said, /\b1970\b|days ago|min\. ago|sec\. ago|vor \d|02:30/, `${path} ${language}`)
    }
  }
})

t.test('a page that says what does not go on the air says of which radio, where others are real', async (t) => {
  const real = radio({ id: 'roof', link: 'tcp', simulated: false })
  const pretended = radio({ id: 'mast', network: 'mc' })
  const { ask } = await station(t, { radios: [real, pretended] })
  const german = { path: '/', headers: { 'accept-language': 'de' } }
  t.match((await ask('/')).text, 'Radio mast is simulated: what MeshCore is given does not go on the air.')
  t.match((await ask(german)).text, 'Das Funkgerät mast ist simuliert: Was MeshCore bekommt, geht nicht auf Sendung.')
  const both = await station(t, { radios: [radio(), pretended] })
  t.match((await both.ask('/')).text, 'All radios are simulated: nothing goes on the air.')
  const none = await station(t, { radios: [real] })
  t.notMatch((await none.ask('/')).text, /simulated/)
})

t.test('a simulated radio is ready, but never green: it proves nothing', async (t) => {
  const real = radio({ id: 'roof', link: 'tcp', simulated: false })
  const pretended = radio({ id: 'mast', network: 'mc', link: 'simulated' })
  const { ask } = await station(t, { radios: [real, pretended] })
  const greens = async (path: string): Promise<number> =>
    (await ask(path)).text.match(/class="state good">ready/g)?.length ?? 0
  t.equal(await greens('/'), 1)
  t.equal(await greens('/radios'), 1)
  t.match(plain((await ask('/radios')).text), /Network Meshtastic · TCP .*Network MeshCore · simulated/)
})

t.test('the watch over the mesh is no source of warnings, and is not counted as one in order', async (t) => {
  const mesh = { name: 'mesh_health', kind: 'mesh_health', state: 'ready', last_ok: null } as never
  const sources = { list: () => [mesh], kinds: () => [], poll: () => ({ asked: true }) as const }
  const { ask } = await station(t, { config, context: { ...knows(none), sources } })
  const { text } = await ask('/')
  t.notMatch(plain(text), /1 in order/)
  t.match(plain(text), /No source is configured/)
})

/** An event, and the one message that was made of it. */
async function told(t: Parameters<typeof station>[0], move?: (s: Station, id: number) => void): Promise<Station> {
  const s = await station(t, { config })
  await s.ask({ path: '/api/events', body: fire })
  const seq = s.context.ledger.find('f1')[0]?.seq ?? 0
  if (move !== undefined) {
    queue(s, seq)
    move(s, s.context.deliveries.ofEvent(seq)[0]?.id ?? 0)
  }
  return s
}

t.test('lists, the page of the event and its card say what became of it, and where', async (t) => {
  const cases: [string, Parameters<typeof told>[1], RegExp, RegExp][] = [
    ['sent', ({ outbox }, id) => launch(outbox, id, 'text', { simulated: false }), /Sent/, /Sent on Meshtastic 3/],
    ['simulated', ({ outbox }, id) => launch(outbox, id), /simulated: not on the air/, /simulated: not on the air/],
    [
      'failed',
      ({ outbox }, id) =>
        outbox.apply(id, 'fail', { reason: 'channel_disabled', step: because('note', { text: 'x' }) }),
      /Failed the channel is disabled on the radio/,
      /Failed the channel is disabled/
    ],
    [
      'held',
      ({ outbox }, id) => outbox.apply(id, 'hold', { reason: 'no_radio', step: because('note', { text: 'x' }) }),
      /Held no radio/,
      /Held no radio/
    ],
    ['no message', undefined, /Planned/, /Not sent/]
  ]
  for (const [name, move, said, card] of cases) {
    const { ask } = await told(t, move)
    const list = plain((await ask('/events')).text)
    const page = plain((await ask('/events/f1')).text)
    t.match(list, said, `${name}: list`)
    t.match(page, said, `${name}: page`)
    for (const path of ['/', '/alerts']) t.match(plain((await ask(path)).text), card, `${name}: ${path}`)
    if (name !== 'sent')
      for (const text of [list.replace(/Sent (on|in part)/g, ''), page])
        t.notMatch(text, /What became of it Sent /, `${name}: never "sent"`)
  }
})

t.test('the API tells the decision and the result apart', async (t) => {
  const { ask } = await told(t, ({ outbox }, id) =>
    outbox.apply(id, 'fail', { reason: 'too_large', step: because('note', { text: 'x' }) })
  )
  const want = { decision: 'send', demo: false, result: { state: 'failed', reason: 'too_large', channels: [], of: 1 } }
  t.match((await ask('/api/events')).body.events[0], want)
  t.match((await ask('/api/events/f1')).body, want)
})

t.test('what the demo invented says so wherever it stands', async (t) => {
  const s = await station(t, { config, context: { demo: () => ({ playing: true, note: note('a demo') }) } })
  await s.ask({ path: '/api/events', body: { ...fire, data: { demo: true } } })
  send(s, s.context.ledger.find('f1')[0]?.seq ?? 0)
  for (const path of ['/', '/alerts', '/events', '/events/f1', '/deliveries'])
    t.match((await s.ask(path)).text, /<span class="demo">DEMO<\/span>/, path)
  t.equal((await s.ask('/api/events')).body.events[0].demo, true)
  t.equal((await s.ask('/api/deliveries')).body.deliveries[0].demo, true)
  t.match((await s.ask('/api/deliveries?format=csv')).text, /demo/)
  t.equal((await s.ask('/api/events/f1/trace')).body.demo, true)
})

t.test('an event that says it is of the demo is refused where no demo plays', async (t) => {
  const { ask } = await station(t, { config })
  const one = await ask({ path: '/api/events', body: { ...fire, data: { demo: true } } })
  t.match(one, { status: 422, body: { errors: [{ path: '/data/demo' }] } })
  const many = await ask({ path: '/api/events', body: [fire, { ...fire, id: 'f2', data: { demo: true } }] })
  t.match(many, { status: 422, body: { errors: [{ path: '/1/data/demo' }] } })
  t.same((await ask('/api/events')).body.events, [], 'all or none')
})

t.test('a preview names the radios that are configured, and does not say that there are none', async (t) => {
  const radios = [{ id: 'roof', network: 'mt', link: 'serial', path: '/dev/ttyUSB0' }]
  const { ask } = await station(t, { config: { ...config, radios }, context: { mode: 'preview' } })
  const overview = (await ask('/')).text
  t.match(overview, /Configured, not connected in a preview: roof \(Meshtastic\)/)
  t.notMatch(overview, /No radio is configured/)
  const data = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(
    (await ask('/mesh-a/routing')).text
  )
  t.match(JSON.parse(data?.[1] ?? '{}'), { preview: true, radios: { mt: { id: 'roof', state: 'preview' }, mc: null } })
})

t.test('rows no event can match say so, with the policy that decides in their place', async (t) => {
  const toggles = {
    rf_propagation: { enabled: true, broadcast_channel: 4, severity_channels: { priority: ['mesh_broadcast'] } }
  }
  const { ask } = await station(t, { config: { ...config, notifications: { toggles } }, radios: [radio()] })
  const { text } = await ask('/mesh-a/routing')
  t.match(plain(text), /Radio propagation No region by nature: no cell matches\. Meshtastic 4, priority and up/)
  t.match(plain(text), /Mesh health No region by nature: no cell matches\. the policy is off: nothing is sent/)
  t.equal(text.match(/class="policy"/g)?.length, 2, 'and no other row')
})

t.test(
  'what simulated radios alone took is never said to be sent, and never green: lists, cards, chips, messages, API',
  async (t) => {
    const s = await told(t, ({ outbox }, id) => launch(outbox, id))
    s.db.sql("UPDATE events SET decision = 'send'").run()
    t.match((await s.ask('/api/events/f1')).body.result, { state: 'sent', channels: ['mt:3'], simulated: true })
    for (const path of ['/', '/alerts', '/events', '/events/f1', '/deliveries']) {
      const { text } = await s.ask(path)
      const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
      t.match(plain(main), /simulated/, path)
      t.notMatch(main, /class="state good">(?:● )?Sent/, path)
      t.notMatch(plain(main), /Sent on /, path)
    }
    t.match(
      (await s.ask({ path: '/events', headers: { 'accept-language': 'de' } })).text,
      /simuliert: nicht auf Sendung/
    )
    launch(s.outbox, queue(s, s.context.ledger.find('f1')[0]?.seq ?? 0), 'again', { simulated: false })
    t.match((await s.ask('/api/events/f1')).body.result, { state: 'sent', simulated: false })
    t.match((await s.ask('/events')).text, /class="state good">Sent/)
  }
)

t.test('beside a radio that sent, what a simulated one took is no channel that people were told on', async (t) => {
  const s = await told(t, ({ outbox }, id) => launch(outbox, id, 'text', { simulated: false }))
  s.db.sql("UPDATE events SET decision = 'send'").run()
  launch(s.outbox, queue(s, s.context.ledger.find('f1')[0]?.seq ?? 0, { transport: 'mc', channel: 'north' }))
  const { result } = (await s.ask('/api/events/f1')).body
  t.same(result, { state: 'sent', reason: null, channels: ['mt:3'], of: 2, simulated: false })
  t.match(plain((await s.ask('/events/f1')).text), /What became of it Sent Meshtastic 3 2 messages/)
})
