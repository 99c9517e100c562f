import t from 'tap'
import { html } from '../../src/dashboard/pages/frame/html.ts'
import type { Problem, Readiness } from '../../src/warning/readiness/problem.ts'
import { note } from '../helpers/in-words.ts'
import { FROM_AFAR, fire, NOW, radio, station } from './harness.ts'

const areas = ['North', 'So"uth', '<West>'].map((name) => ({ name, bbox: [0, 0, 1, 1] }))
const cells = {
  fire: {
    North: { mt: 3, mc: 'north-fire' },
    'So"uth': { mt: 0, min_severity: 'critical', enabled: false },
    Gone: { mt: 2 }
  },
  weather: { '<West>': { mc: '<b>bold</b>' } }
}
const config = { coverage: { areas }, notifications: { region_routes: { enabled: true, cells } } }

t.test('whatever is put into markup is escaped, unless it is markup', async (t) => {
  t.equal(
    html`<a b="${'"<&>\''}">${[html`<i>`, 1, null, 'x<']}</a>`.text,
    '<a b="&quot;&lt;&amp;&gt;&#39;"><i>1x&lt;</a>'
  )
  const turned = html`<p>${'a\u202Eb\u2069\u0000c\u200Fd\ne'}</p>`
  t.equal(turned.text, '<p>abc\u200Fd\ne</p>', 'nothing turns the order of what follows')
})

t.test(
  'a routing page shows its own side: families by regions, with what is disabled or matches nothing marked',
  async (t) => {
    const { ask } = await station(t, {
      config,
      radios: [
        radio({
          channels: [
            { id: 0, name: '', enabled: false },
            { id: 3, name: 'north', enabled: true }
          ]
        })
      ]
    })
    const { text } = await ask('/mesh-a/routing')
    t.match(text, /<html lang="en"/)
    t.match(
      text,
      /<th scope="col">North<\/th><th scope="col">So&quot;uth<\/th><th scope="col">&lt;West&gt;<\/th><th scope="col" class="orphan">Gone/
    )
    t.match(
      text,
      /<th scope="row">Fire<\/th><td class="cell set routine unreachable"><span class="text"><strong>3 north<\/strong>\s*<span class="other">MeshCore north-fire<\/span>\s*<span class="severity routine">routine<\/span><em>no MeshCore radio</
    )
    t.match(
      text,
      /<td class="cell set critical off"><span class="text"><strong>0<\/strong>\s*<span class="severity critical">critical<\/span><em>off<\/em><em>Meshtastic: disabled on the radio<\/em>/
    )
    t.match(
      text,
      /<td class="cell set routine unreachable orphan"><span class="text"><strong>2[\s\S]*?<em>no such area/
    )
    t.match(text, /No coverage area is named “Gone”/)
    t.match(text, /POST \/api\/notifications\/region-routing/)
    const other = (await ask('/mesh-b/routing')).text
    t.match(other, /<strong>north-fire<\/strong>/)
    t.match(other, /&lt;b&gt;bold&lt;\/b&gt;/)
    t.notMatch(other, /<b>bold/)
    for (const page of [text, other]) t.equal(page.match(/<h1>/g)?.length, 1)
  }
)

t.test('eight MT channels in use are a warning on the page', async (t) => {
  const row = Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((mt) => [`R${mt}`, { mt }]))
  const many = {
    coverage: { areas: Object.keys(row).map((name) => ({ name, bbox: [0, 0, 1, 1] })) },
    notifications: { region_routes: { enabled: true, cells: { fire: row } } }
  }
  const { ask } = await station(t, { config: many })
  t.match((await ask('/mesh-a/routing')).text, /8 different Meshtastic channels are in use/)
})

t.test(
  'a warning about the matrix is told in the language of the reader, on the overview and without a script',
  async (t) => {
    const gone = {
      notifications: {
        region_routes: { enabled: true, cells: { fire: { Gone: { mt: 1 } }, bats: { Gone: { mt: 2 } } } }
      }
    }
    const { ask } = await station(t, { config: gone })
    const headers = { 'accept-language': 'de' }
    for (const path of ['/', '/mesh-a/routing']) {
      const { text } = await ask({ path, headers })
      t.match(text, /Kein Gebiet heißt „Gone“: Seine Zellen bleiben/, path)
      t.match(text, /„bats“ ist keine Familie mehr/, path)
      t.notMatch(text, /its cells are kept/, path)
    }
  }
)

t.test('without named areas the page says what to do', async (t) => {
  const { ask } = await station(t)
  t.match((await ask('/mesh-a/routing')).text, /There are no regions: give a coverage area a name/)
})

t.test('the alerts are plain HTML without a script, small, worst first, and load themselves again', async (t) => {
  const { ask } = await station(t, { config: { station: { timezone: 'America/Boise', name: 'A & B' } } })
  t.match((await ask('/alerts')).text, /No alerts are in force/)
  await ask({
    path: '/api/events',
    body: [
      { ...fire, id: 'r', severity: 'routine', title: 'Small' },
      fire,
      { ...fire, id: 'over', title: 'Past and gone', expires: '2026-07-01T11:59:00Z' }
    ]
  })
  const { text } = await ask('/alerts')
  t.notMatch(text, /<script/)
  t.match(text, /http-equiv="refresh" content="60"/)
  t.match(
    text,
    /Fire at &lt;Pine&gt; &amp; &quot;Ridge&quot;[\s\S]*North[\s\S]*<time datetime="2026-07-01T18:00:00.000Z">[\s\S]*Small/
  )
  t.match(text, /12:00\spm/i, 'the time of the station')
  t.match(text, /A &amp; B/)
  t.notMatch(text, /Past and gone/)
  const storm = Array.from({ length: 200 }, (_, n) => ({
    ...fire,
    id: `s${n}`,
    title: 'é&'.repeat(200),
    summary: '<"'.repeat(500)
  }))
  await ask({ path: '/api/events', body: storm })
  const full = await ask('/alerts')
  t.ok(Buffer.byteLength(full.text) <= 20_000, `${Buffer.byteLength(full.text)} bytes`)
  t.match(full.text, /\d+ more are in force, less grave or older\. <a href="\/events">All events/)
  t.match(full.text, /<\/html>/)
})

const mute: Problem = {
  code: 'source_silent',
  blocking: false,
  link: '/sources',
  params: { name: 'feed', reason: '', seconds: 600, answered: 1 }
}

t.test(
  'the overview tells problems first, then radios, alerts and messages, and only its own script runs',
  async (t) => {
    const down: Problem = {
      ...mute,
      code: 'radio_down',
      params: { id: 'a', reason: note('cable <out>') },
      link: '/radios'
    }
    const { ask } = await station(t, {
      config,
      radios: [
        radio({ state: 'down', reason: note('cable <out>') }),
        radio({ id: 'b', network: 'mc', missing_channels: [{ channel: 'x', problem: 'no_channel' }] })
      ],
      context: { readiness: () => ({ ready: false, problems: [down, mute] }) }
    })
    await ask({ path: '/api/events', body: fire })
    const { text } = await ask('/')
    t.match(
      text,
      /id="problems"[\s\S]*Radio a is down: cable &lt;out&gt;\. <a href="\/radios">[\s\S]*No data from source feed for 10 min\. <a href="\/sources">[\s\S]*id="active"[\s\S]*Fire at &lt;Pine&gt;[\s\S]*id="radios"[\s\S]*down<\/span>: cable &lt;out&gt;[\s\S]*<meter[\s\S]*id="messages"[\s\S]*No messages yet/
    )
    t.same(text.match(/<script[^>]*>/g), ['<script type="module" src="/static/pages/overview/script.js">'])
    t.notMatch(text, / style="| on[a-z]+="/)
  }
)

t.test('what must be known wherever one is stands above every page', async (t) => {
  const { ask, edit } = await station(t, {
    config: { notifications: { enabled: false } },
    radios: [radio()],
    context: { mode: 'preview', demo: () => ({ playing: true, note: note('an evening of storms') }) }
  })
  edit('{\n  "oops"')
  for (const path of ['/', '/alerts', '/mesh-a/routing', '/mesh-b/routing']) {
    const { text } = await ask(path)
    t.match(text, /config\.json is not valid/, path)
    t.match(text, /Notifications are off: nothing is sent/, path)
    t.match(text, /Preview: no radio is connected/, path)
    t.match(text, /an evening of storms/, path)
    t.match(text, /All radios are simulated/, path)
  }
})

t.test('every page of the menu exists and marks itself there; pages below one mark that one', async (t) => {
  const { ask } = await station(t)
  const { text } = await ask('/')
  const menu = /<nav[\s\S]*<\/nav>/.exec(text)?.[0] ?? ''
  const paths = [...menu.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path)
  t.ok(paths.length >= 11, paths.join(' '))
  for (const path of [...paths, '/sign-in']) {
    const page = await ask({ path, headers: { 'accept-language': 'de', cookie: 'theme=sunlight' } })
    t.equal(page.status, 200, path)
    t.match(page.text, /<html lang="de"[^>]* data-theme="sunlight"/, path)
    t.equal(page.text.match(/<h1/g)?.length, 1, path)
    if (path !== '/alerts' && path !== '/sign-in')
      t.match(page.text, new RegExp(`<a href="${path}" aria-current="page">`), path)
  }
})

t.test('many who look at the same moment get one drawing, and each news draws anew', async (t) => {
  let drawn = 0
  const readiness = (): Readiness => ({
    ready: true,
    problems: [{ ...mute, params: { ...mute.params, name: `drawn ${++drawn}` } }]
  })
  const made = await station(t, { context: { readiness } })
  const look = async (headers: Record<string, string> = {}): Promise<string> =>
    /drawn \d+/.exec((await made.ask({ path: '/', headers })).text)?.[0] ?? ''
  t.same([await look(), await look()], ['drawn 1', 'drawn 1'])
  t.equal(await look({ 'accept-language': 'de' }), 'drawn 2')
  t.equal(await look({ cookie: 'theme=dark' }), 'drawn 3')
  t.equal(await look(FROM_AFAR), 'drawn 4', 'somebody else reads')
  t.equal(await look(), 'drawn 1')
  await made.ask({ path: '/api/events', body: fire })
  t.equal(await look(), 'drawn 5')
  made.edit('{ "station": { "name": "New" } }')
  t.equal(await look(), 'drawn 6')
  await made.clock.runTo(NOW + 1000)
  t.equal(await look(), 'drawn 7')
})

t.test('a page needs nothing from another machine', async (t) => {
  const { ask } = await station(t, { config })
  for (const path of [
    '/',
    '/alerts',
    '/mesh-a/routing',
    '/docs/api',
    '/static/style.css',
    '/static/pages/overview/script.js'
  ])
    t.notMatch((await ask(path)).text, /(?:src|href|url\()\s*=?\s*["'(]?(?:https?:)?\/\//, path)
  t.ok(NOW > 0)
})
