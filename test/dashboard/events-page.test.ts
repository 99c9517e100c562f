import fc from 'fast-check'
import t from 'tap'
import { eventPath } from '../../src/dashboard/pages/frame/links.ts'
import { because } from '../../src/model/reason.ts'
import { type Answer, FROM_AFAR, fire, NOW, queue, radio, type Station, send, station } from './harness.ts'

/** Pages of events and messages as the server draws them: complete for reading without a script. */

const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString()
const config = {
  station: { timezone: 'America/Boise' },
  coverage: { areas: [{ name: 'North', bbox: [0, 0, 1, 1] }] }
}

async function store(s: Station, events: Record<string, unknown>[]): Promise<void> {
  const { status, text } = await s.ask({ path: '/api/events', body: events.map((event) => ({ ...fire, ...event })) })
  if (status !== 202) throw new Error(text)
}

/** The text of the rows, one string each. */
const rowsOf = ({ text }: Answer): string[] =>
  [...text.matchAll(/<tr role="row" id=[\s\S]*?<\/tr>/g)].map(([row]) =>
    row
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  )

t.test('the list of events is filtered by a plain form and goes on page by page', async (t) => {
  const s = await station(t, { config })
  await store(s, [
    { id: 'a', title: 'Pine <Fire> & "Ridge"' },
    { id: 'b', title: 'Flood', family: 'weather', severity: 'routine' },
    { id: 'c', title: 'Other fire', severity: 'priority' }
  ])
  const all = await s.ask('/events')
  t.equal(all.status, 200)
  t.equal(rowsOf(all).length, 3)
  t.match(rowsOf(all)[0], /Priority Other fire Fire · test North Planned/)
  t.match(all.text, /Pine &lt;Fire&gt; &amp; &quot;Ridge&quot;/)
  t.match(all.text, /<form action="\/events" method="get"/)
  t.notMatch(all.text, /<details class="filters" open/, 'folded away while no filter is set')
  const titles = async (query: string): Promise<string[]> =>
    rowsOf(await s.ask(`/events?${query}`)).map((row) => /Pine|Flood|Other/.exec(row)?.[0] ?? row)
  t.same(await titles('family=fire'), ['Other', 'Pine'])
  t.same(await titles('severity=critical'), ['Pine'])
  t.same(await titles('decision=send&q=pine'), ['Pine'])
  t.same(await titles('decision=dropped'), [])
  t.same(await titles('since=1h'), ['Other', 'Flood', 'Pine'])
  const filtered = await s.ask('/events?family=weather&severity=')
  t.match(filtered.text, /<details class="filters" open/)
  t.match(filtered.text, /<option value="weather" selected>Weather/)
  t.match(filtered.text, /<a class="button" href="\/events">Show all/)
  t.match((await s.ask('/events?decision=dropped')).text, /No event matches\./)
  const clumsy = await s.ask('/events?family=%3Cscript%3E&severity=urgent&decision=x&since=yesterday&cursor=-1')
  t.equal(rowsOf(clumsy).length, 3, 'what cannot be meant filters nothing')
  t.notMatch(clumsy.text, /<script>/)
})

t.test('fifty a page; older and newest are links that keep the filter', async (t) => {
  const s = await station(t, { config })
  await store(
    s,
    Array.from({ length: 120 }, (_, index) => ({ id: `e${index}`, title: `Event ${index}` }))
  )
  const seen: string[] = []
  let path: string | null = '/events?family=fire'
  let pages = 0
  while (path !== null && pages < 5) {
    const answer: Answer = await s.ask(path)
    seen.push(...rowsOf(answer).map((row) => /Event \d+/.exec(row)?.[0] ?? row))
    const next = /<a class="button" rel="next" href="([^"]+)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&')
    t.equal(/To the newest/.test(answer.text), pages > 0)
    if (next !== undefined) t.match(next, /family=fire/)
    path = next ?? null
    pages++
  }
  t.equal(pages, 3)
  t.same(
    seen,
    Array.from({ length: 120 }, (_, index) => `Event ${119 - index}`)
  )
})

t.test('on a station of miles the page of an event measures in miles, words and map', async (t) => {
  const measured = { units: 'imperial' }
  const s = await station(t, { config: { ...config, station: measured }, radios: [radio()] })
  await store(s, [{ id: 'f1', title: 'Pine Fire', circle: { lat: 43.5, lon: -116.25, radius_km: 8 } }])
  const { text } = await s.ask('/events/f1?source=test')
  t.match(text, /5 mi around 43\.5000° N 116\.2500° W/)
  t.match(text, /<g class="scale">.*\d mi<\/text>/)
  t.notMatch(text, /\d km\b/)
})

t.test('the page of an event tells facts, place, thread, trace and messages in words', async (t) => {
  const s = await station(t, { config, radios: [radio()] })
  await store(s, [
    {
      id: 'f1',
      title: 'Pine Fire',
      summary: '40 acres',
      circle: { lat: 43.5, lon: -116.25, radius_km: 8 },
      data: { instruction: 'Be ready to leave.', attribution: 'NIFC', places: ['Idaho City, ID'] }
    }
  ])
  send(s, 1, 'FIRE <40 acres>')
  await store(s, [{ id: 'f1', revision: '2', title: 'Pine Fire grows', lifecycle: 'update', sent_at: at(-1) }])
  const first = await s.ask('/events/f1?source=test&seq=1')
  for (const words of [
    /<h1>Pine Fire<\/h1>/,
    /What to do:<\/strong> Be ready to leave\./,
    /8 km around 43\.5000° N 116\.2500° W/,
    /test \(NIFC\)/,
    /Idaho City, ID/,
    /There is a newer message about it:\s+<a href="\/events\/f1\?source=test">Pine Fire grows/,
    /Which cells match\?<\/h3>/,
    /<span class="state good">matches<\/span> fire × North → Meshtastic channel 3/,
    /Meshtastic 3 \(north\)/,
    /<q class="said">FIRE &lt;40 acres&gt;<\/q> <small class="bytes">15 bytes/,
    /simulated/,
    /left the radio/,
    /href="\/deliveries\?thread=test%3Af1"/,
    /By radio: !ack [0-9A-Z]{4}/
  ])
    t.match(first.text, words)
  const line = /<ol class="line">[\s\S]*?<\/ol>/.exec(first.text)?.[0] ?? ''
  t.match(line, /aria-current="true"[\s\S]*new[\s\S]*this one[\s\S]*update[\s\S]*Pine Fire grows/, 'oldest first')
  const newest = await s.ask('/events/f1')
  t.match(newest.text, /<h1>Pine Fire grows<\/h1>/)
  t.match(newest.text, /No message was made of it\./)
  t.match((await s.ask('/events/f1?source=other')).text, /No stored event has the id/)
})

t.test('each report of a thread stands with its texts as they went out', async (t) => {
  const s = await station(t, { config, radios: [radio()] })
  await store(s, [{ id: 'f1', title: 'Pine Fire' }])
  send(s, 1, 'FIRE Pine 40 acres')
  s.clock.set(NOW + 60_000)
  await store(s, [{ id: 'f1', revision: '2', title: 'Pine Fire grows', lifecycle: 'update', sent_at: at(-1) }])
  queue(s, 2)
  const { text } = await s.ask('/events/f1?source=test&seq=2')
  const [first = '', second = ''] = (/<ol class="line">[\s\S]*?<\/ol>/.exec(text)?.[0] ?? '').split(
    /<li class="update"/
  )
  t.match(first, /Pine Fire<[\s\S]*Meshtastic 3 \(north\)[\s\S]*simulated: not on the air[\s\S]*FIRE Pine 40 acres/)
  t.match(second, /Pine Fire grows[\s\S]*Meshtastic 3 \(north\)[\s\S]*Waiting its turn[\s\S]*not composed yet/)
  t.notMatch(second, /FIRE Pine 40 acres/)
})

t.test('what people said about it stands on its page: acknowledged, silenced', async (t) => {
  const s = await station(t, { config })
  await store(s, [{ id: 'f1' }])
  await s.ask({ path: '/api/threads/test%3Af1/ack', body: { reason: 'Engine 4 <is> there' } })
  await s.ask({ path: '/api/silences', body: { family: 'fire', duration: '2h', reason: 'drill' } })
  await s.ask({ path: '/api/silences', body: { family: 'weather', duration: '2h', reason: 'other' } })
  const { text } = await s.ask('/events/f1')
  t.match(text, /Acknowledged by operator: Engine 4 &lt;is&gt; there/)
  t.match(text, /<p class="silence" data-silence="1">Silenced by operator fire until[\s\S]*drill/)
  t.equal(text.match(/data-silence/g)?.length, 1, 'a silence of another family is none of its business')
})

t.test('an unknown event is a page that says so, and the id of two sources leads to both', async (t) => {
  const s = await station(t, { config })
  const missing = await s.ask('/events/%3Cb%3Enope')
  t.equal(missing.status, 404)
  t.match(missing.text, /No stored event has the id\s+<code>&lt;b&gt;nope/)
  await store(s, [
    { id: 'same', source: 'usgs', title: 'One' },
    { id: 'same', source: 'emsc', title: 'Two' }
  ])
  const both = await s.ask('/events/same')
  t.match(both.text, /<h1>Two<\/h1>[\s\S]*Other sources use the same id:\s*<a href="\/events\/same\?source=usgs">usgs/)
  t.match((await s.ask('/events/same?source=usgs')).text, /<h1>One<\/h1>/)
})

t.test('every id has a page of its own, whatever signs it is made of', async (t) => {
  const s = await station(t, { config })
  const odd = ['a/b?c#d%', '.', '..', 'id', ' x ', '<i>"', 'ü 🜂', '%2F', '\\', 'a+b&c=d', '/', '//', ';,:@$', "'"]
  await store(
    s,
    odd.map((id, index) => ({ id, title: `Odd ${index}` }))
  )
  const open = async (id: string): Promise<string> => {
    // As a browser reads a link: dots are resolved, fragments are not sent.
    const { pathname, search } = new URL(eventPath({ id, source: 'test' }), 'http://station')
    const { text } = await s.ask(`${pathname}${search}`)
    return /<h1>([^<]*)</.exec(text)?.[1] ?? ''
  }
  for (const [index, id] of odd.entries()) t.equal(await open(id), `Odd ${index}`, id)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (id) => {
      if (id.trim() === '') return
      await store(s, [{ id, title: 'Any' }])
      t.match(await open(id), /^(?:Any|Odd \d+)$/)
    }),
    { numRuns: 40 }
  )
})

t.test(
  'the list of messages is filtered by state, network, channel and time, with files of the same filter',
  async (t) => {
    const s = await station(t, { config, radios: [radio()] })
    await store(s, [{ id: 'f1' }])
    send(s, 1, 'one')
    send(s, 1, 'two')
    s.outbox.apply(2, 'fail', { reason: 'no_channel', step: because('note', { text: 'radio a has no channel' }) })
    const all = await s.ask('/deliveries')
    t.equal(rowsOf(all).length, 2)
    t.match(rowsOf(all)[0], /Meshtastic 3 \(north\) simulated Failed the radio has no such channel two 3 bytes/)
    t.match(rowsOf(all)[0], /^\S+ \S+ \( now \) Critical #[0-9A-Z]{4} North, South Meshtastic 3/)
    t.match(all.text, /<a class="code" href="\/events\/f1">/)
    t.match(all.text, /left the radio/)
    const count = async (query: string): Promise<number> => rowsOf(await s.ask(`/deliveries?${query}`)).length
    t.equal(await count('state=failed'), 1)
    t.equal(await count('state=heard'), 0)
    t.equal(await count('transport=mt'), 2)
    t.equal(await count('transport=mc'), 0)
    t.equal(await count('channel=MT%3A3'), 2)
    t.equal(await count('channel=north'), 0)
    t.equal(await count('since=1h'), 2)
    t.equal(await count('thread=test%3Af1'), 2)
    t.equal(await count('thread=other'), 0)
    t.equal(await count('state=lost&since=x&transport=pigeon'), 2, 'what cannot be meant filters nothing')
    t.match((await s.ask('/deliveries?state=heard')).text, /No message matches\./)
    const filtered = await s.ask('/deliveries?state=failed&since=1h')
    const file = /href="(\/api\/deliveries\?[^"]*format=csv)"/.exec(filtered.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const csv = await s.ask(file)
    t.match(csv.headers['content-type'], /text\/csv/)
    t.equal(csv.text.trim().split('\r\n').length, 2, 'a header and the one message')
    t.equal((await s.ask('/api/deliveries?channel=mt:3')).body.deliveries.length, 2)
    t.equal((await s.ask('/api/deliveries?channel=mc')).body.deliveries.length, 0)
  }
)

t.test('a merged message leads to the one that told it, on whatever page that is', async (t) => {
  const s = await station(t, { config })
  await store(s, [{ id: 'f1' }])
  for (let index = 0; index < 59; index++) send(s, 1, `text ${index}`)
  queue(s, 1)
  s.outbox.apply(60, 'merge', {
    reason: 'merged',
    step: because('note', { text: 'joined' }),
    patch: { merged_into: 1 }
  })
  const { text } = await s.ask('/deliveries')
  const link = /<a class="why" href="([^"]+)">into message 1</.exec(text)?.[1] ?? ''
  t.equal(link, '/deliveries?cursor=2#d1')
  t.match((await s.ask('/deliveries?cursor=2')).text, /<tr role="row" id="d1">/)
})

t.test('pages without anything say what will come', async (t) => {
  const { ask } = await station(t)
  t.match((await ask('/events')).text, /No events yet\. They come from the sources/)
  const { text } = await ask('/deliveries')
  t.match(text, /No messages yet\. One arises when an event meets a cell/)
  t.notMatch(text, /JSON Lines/, 'there is nothing to download')
})

t.test('the API takes the same filters, and refuses what cannot be meant', async (t) => {
  const s = await station(t, { config })
  await store(s, [
    { id: 'a', title: 'Pine' },
    { id: 'b', title: 'Oak' }
  ])
  const ids = async (query: string): Promise<string[]> =>
    (await s.ask(`/api/events?${query}`)).body.events.map(({ id }: { id: string }) => id)
  t.same(await ids('q=pine'), ['a'])
  t.same(await ids('q=&decision='), ['b', 'a'])
  t.same(await ids('decision=unrouted'), [])
  t.match((await s.ask('/api/events?decision=lost')).body, { status: 422, errors: [{ path: '/decision' }] })
})

t.test('in German, too', async (t) => {
  const s = await station(t, { config })
  await store(s, [{ id: 'f1' }])
  const headers = { 'accept-language': 'de' }
  const [list, one, messages] = await Promise.all(
    ['/events', '/events/f1', '/deliveries'].map((path) => s.ask({ path, headers }))
  )
  t.match(list?.text, /Was daraus wurde/)
  t.match(one?.text, /Welche Zellen passen\?/)
  t.match(messages?.text, /Noch keine Nachrichten\./)
})

t.test(
  'what happened to a message is said in the language of the page; what its radio said stays as it was',
  async (t) => {
    const s = await station(t, { config })
    await store(s, [{ id: 'f1' }])
    const id = queue(s, 1)
    s.outbox.apply(id, 'wait', { reason: 'airtime', step: because('airtime_spent', { radio: 'accepted' }) })
    const page = async (language: string): Promise<string> =>
      (await s.ask({ path: '/events/f1', headers: { 'accept-language': language } })).text
    t.match(await page('en'), /: accepted<.*: waits for airtime: the hourly budget of accepted is spent</s)
    t.match(await page('de'), /: angenommen<.*: wartet auf Sendezeit: das Stundenbudget von accepted ist verbraucht</s)
    t.match((await s.ask('/api/events/f1/trace')).body.deliveries?.[0]?.steps ?? [], [
      { detail: 'accepted' },
      { detail: 'waits for airtime: the hourly budget of accepted is spent' }
    ])
  }
)

t.test(
  'the steps of a decision are said in the language of whoever asks, with the code beside the sentence',
  async (t) => {
    const s = await station(t, { config })
    await store(s, [{ id: 'f1', severity: 'priority' }])
    const { seq } = s.context.ledger.find('f1')[0] ?? {}
    const where = { family: 'fire', region: 'Vor dem Wald: a muted cell' }
    const step = { stage: 'matrix', outcome: 'skip', reason: 'no_cell', ...because('no_cell', where) } as const
    s.context.ledger.decide(seq ?? 0, { kind: 'unrouted', reason: 'no_route', trace: [step] })
    const asked = async (path: string, language: string): ReturnType<typeof s.ask> =>
      await s.ask({ path, headers: { 'accept-language': language } })
    t.match((await asked('/events/f1', 'de')).text, /Feuer × Vor dem Wald: a muted cell hat keine Zelle/)
    const trace = async (language: string): Promise<unknown> => (await asked('/api/events/f1/trace', language)).body
    const known = { code: 'no_cell', params: where, reason: 'no_cell' }
    t.match(await trace('en'), { trace: [{ ...known, detail: 'fire × Vor dem Wald: a muted cell has no cell' }] })
    t.match(await trace('de'), { trace: [{ ...known, detail: 'Feuer × Vor dem Wald: a muted cell hat keine Zelle' }] })
  }
)

t.test('the page of an event begins with its way: source, regions on a map, cells, channels, heard', async (t) => {
  const s = await station(t, { config, radios: [radio()] })
  await store(s, [{ id: 'f1', lat: 0.5, lon: 0.5 }])
  const way = async (headers: Record<string, string> = {}): Promise<string> =>
    /<ol class="story">[\s\S]*?<\/ol>/.exec((await s.ask({ path: '/events/f1', headers })).text)?.[0] ?? ''
  const plain = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  const before = await way()
  t.match(before, /<svg /, 'drawn by the server')
  t.match(before, /<text class="name[^>]*>North<\/text>/, 'regions have their names on it')
  t.notMatch(before, /<text class="what/, 'and the alert none, which the page has for its title')
  t.match(
    plain(before),
    /Source test .*Critical.*Regions .*North.*Cells .*matches fire × North → Meshtastic channel 3.*Channels.*Heard/
  )
  t.match(plain(before), /nobody yet: it was not on the air/)
  t.notMatch(before, /state good/, 'no green before it was on the air')
  send(s, 1)
  t.match(plain(await way()), /Meshtastic 3 simulated: not on the air.*Meshtastic 3 nobody: simulated/)
  t.notMatch(await way(), /state good/, 'no green for what was simulated')
  t.match(plain((await s.ask('/events/f1')).text), /What became of it .*simulated: not on the air/)
  s.db.sql('UPDATE deliveries SET simulated = 0').run()
  t.match(
    await way(),
    /<b>Meshtastic 3<\/b> <span class="state good">Sent<[\s\S]*<b>Meshtastic 3<\/b> <span class="state off">not known</
  )
  s.db.sql('UPDATE deliveries SET heard_by = 2').run()
  t.match(await way(), /<b>Meshtastic 3<\/b> <span class="state good">heard by 2</)
  t.match(plain(await way({ 'accept-language': 'de' })), /Quelle test .*Zellen.*Gesendet.*gehört von 2/)
})

t.test('a guest reads on the way of an event that a person was told, not who', async (t) => {
  const s = await station(t, { config })
  await store(s, [{ id: 'f1' }])
  queue(s, 1)
  s.db.sql("UPDATE deliveries SET channel_key = 'mt@!deadbeef', simulated = 0").run()
  const way = async (headers: Record<string, string>): Promise<string> =>
    /<ol class="story">[\s\S]*?<\/ol>/.exec((await s.ask({ path: '/events/f1', headers })).text)?.[0] ?? ''
  t.match(await way({}), /!deadbeef/)
  t.match(await way(FROM_AFAR), /Meshtastic …/)
  t.notMatch(await way(FROM_AFAR), /deadbeef/)
})
