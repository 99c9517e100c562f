import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually, launch, ndjson, run, running, startLookout } from '../helpers/process.ts'
import { quakeFeature } from '../warning/feeds/samples.ts'

interface Source {
  name: string
  state: string
  reason: string | null
  items: number
  requests: number
}

interface Provider {
  url: string
  requests: IncomingMessage['headers'][]
  publish: (...features: object[]) => void
}

/** A summary service with validators, as the real one. */
async function provider(t: Test): Promise<Provider> {
  let body = ''
  let version = 0
  const requests: Provider['requests'] = []
  const server = createServer((req, res) => {
    requests.push(req.headers)
    const etag = `"${version}"`
    const known = req.headers['if-none-match'] === etag
    res.writeHead(req.url === '/2.5_day.geojson' ? (known ? 304 : 200) : 404, {
      ETag: etag,
      'Content-Type': 'application/json'
    })
    res.end(known ? undefined : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    publish: (...features) => {
      version++
      body = JSON.stringify({
        type: 'FeatureCollection',
        metadata: { generated: Date.now(), count: features.length },
        features
      })
    }
  }
}

const quake = (id: string): object =>
  quakeFeature(id, { mag: 5.2, time: Date.now() - 60_000, updated: Date.now() - 30_000 }, [-114, 44.5, 9])

function config(url: string, sources: object[] = [{ kind: 'usgs', name: 'quakes', url }], grace = 0): object {
  return {
    station: { contact: 'ops@valley.example' },
    coverage: { enabled: true, region_tagging: true, areas: [{ name: 'North', bbox: [-115, 44, -113, 45] }] },
    notifications: {
      coalesce_seconds: 0,
      cold_start_grace_seconds: grace,
      region_routes: { enabled: true, cells: { seismic: { North: { mt: 3 } } } }
    },
    sources
  }
}

const folder = (document: object): Record<string, string> => ({ 'config.json': JSON.stringify(document) })

t.test('a configured source is asked, its events reach the radio, and a restart asks politely', async (t) => {
  const { url, requests, publish } = await provider(t)
  publish(quake('us1'))
  const cwd = t.testdir({ data: folder(config(url)) })
  const first = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'error' } })
  const sent = await eventually('a delivery', async () => {
    const { deliveries } = (
      await first.get<{ deliveries: { state: string; text: string; simulated: boolean }[] }>('/api/deliveries')
    ).json
    return deliveries.find(({ state }) => ['sent', 'heard', 'unconfirmed'].includes(state))
  })
  t.match(sent.text, /5\.2/)
  t.equal(sent.simulated, true)
  const sources = async (): Promise<Source[]> => (await first.get<{ sources: Source[] }>('/api/sources')).json.sources
  t.match(await sources(), [
    { name: 'quakes', kind: 'usgs', state: 'ok', items: 1, requests: 1, error: null, interval_seconds: 60 }
  ])
  t.match(requests[0], { 'user-agent': /^Lookout\/\S+ \(\+ops@valley\.example\)$/ })
  t.match((await first.post('/api/sources/quakes/poll', '')).status, 429, 'not so soon again')
  t.match(
    (await first.get<{ sources: Source[] }>('/metrics')).text,
    /lookout_source_up\{source="quakes",kind="usgs"\} 1/
  )
  t.equal((await first.launched.stop()).code, 0)

  const second = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'error' } })
  const [waiting] = (await second.get<{ sources: Source[] }>('/api/sources')).json.sources
  t.match(waiting, { state: 'waiting', items: 1, requests: 0 })
  t.equal(requests.length, 1, 'a restart is no reason to ask again')
  t.match((await second.post('/api/sources/quakes/poll', '')).status, 429)
  const ended = await second.launched.stop()
  t.match(ended, { code: 0, stderr: '' })
})

t.test('what a source lists at the start is recorded; sources are added without a restart', async (t) => {
  const { url, requests, publish } = await provider(t)
  publish(quake('us1'))
  const cwd = t.testdir({ data: folder(config(url, [], 60)) })
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'error' } })
  const first = (await station.get<{ sources: Source[]; kinds: { kind: string; state: string }[] }>('/api/sources'))
    .json
  t.match(first.sources, [{ kind: 'mesh_health', enabled: true }], 'the profile switches on nothing else')
  t.equal(first.sources.length, 1)
  t.strictSame(
    new Set(first.kinds.filter(({ kind }) => kind !== 'mesh_health').map(({ state }) => state)),
    new Set(['off'])
  )
  writeFileSync(
    join(cwd, 'data', 'config.json'),
    JSON.stringify(
      config(
        url,
        [
          { kind: 'usgs', url },
          { kind: 'nws', area: ['ID'] },
          { kind: 'usgs', name: 'off', enabled: false }
        ],
        60
      )
    )
  )
  await eventually('the first poll', () => requests.length > 0)
  const event = await eventually('the event', async () => {
    const { events } = (
      await station.get<{ events: { id: string; decision: string; reason: string }[] }>('/api/events')
    ).json
    return events.find(({ id }) => id === 'us1')
  })
  t.match(event, { decision: 'recorded', reason: 'cold_start', source: 'usgs' })
  const { sources } = (await station.get<{ sources: Source[] }>('/api/sources')).json
  t.same(
    sources.map(({ name, state }) => [name, state]).filter(([name]) => name !== 'nws'),
    [
      ['usgs', 'ok'],
      ['off', 'off'],
      ['mesh_health', 'ready']
    ]
  )
  t.equal((await station.post('/api/sources/off/poll', '')).status, 409)
  t.equal((await station.launched.stop()).code, 0)
})

t.test('a preview asks nobody', async (t) => {
  const { url, requests } = await provider(t)
  const cwd = t.testdir({ data: folder(config(url)) })
  const preview = await running(
    launch(t, { args: ['preview', 'data', '--port', '0'], cwd, env: { LOOKOUT_LOG: 'error' } })
  )
  const { sources } = (await preview.get<{ sources: Source[] }>('/api/sources')).json
  t.match(sources, [{ name: 'quakes', state: 'off', reason: 'nothing is asked in this mode' }])
  t.match(await preview.post('/api/sources/quakes/poll', ''), { status: 503, json: { detail: /preview/ } })
  t.equal((await preview.launched.stop()).code, 0)
  t.equal(requests.length, 0)
})

t.test('a bad body, a missing page and a refusal are told, and the program goes on', async (t) => {
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/html')) res.end('<html>maintenance</html>')
    else if (req.url?.startsWith('/cut')) {
      res.writeHead(200, { 'Content-Length': '5000' })
      res.write('{"type":"FeatureColl', () => res.destroy())
    } else res.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = ['html', 'cut', 'gone']
  const cwd = t.testdir({
    data: folder(
      config(
        base,
        names.map((name) => ({ kind: 'usgs', name, url: `${base}/${name}` }))
      )
    )
  })
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'fatal' } })
  const sources = await eventually('three failures', async () => {
    const all = (await station.get<{ sources: Source[] }>('/api/sources')).json.sources
    const polled = all.filter(({ name }) => name !== 'mesh_health')
    return polled.every(({ state }) => state === 'failing') ? polled : null
  })
  t.match(sources, [{ error: /web page/ }, { error: /cut off/ }, { error: /404: there is nothing at this address/ }])
  t.equal((await station.get('/api/health/live')).status, 200)
  t.same((await station.get<{ events: unknown[] }>('/api/events')).json.events, [])
  t.equal((await station.launched.stop()).code, 0)
})

t.test('lookout feed shows what a source says: from a file, or asked once by the rules', async (t) => {
  const { url, requests, publish } = await provider(t)
  publish(quake('us1'), quakeFeature('blast', { type: 'quarry blast' }))
  const listing = JSON.stringify({
    type: 'FeatureCollection',
    features: [quake('us2'), quakeFeature('weak', { mag: 1 })]
  })
  const cwd = t.testdir({
    'list.json': listing,
    'page.html': '<html>busy</html>',
    'config.json': JSON.stringify(
      config(url, [
        { kind: 'usgs', name: 'quakes', url, floor: 0, overrides: { earthquake: { severity: 'critical' } } },
        { kind: 'nws', area: ['ID'] }
      ])
    ),
    'nobody.json': JSON.stringify({ sources: [{ kind: 'nws', area: ['ID'] }] })
  })
  const feed = (...args: string[]) => run(t, ['feed', ...args], { cwd })
  const file = await feed('quakes', '--file', 'list.json', '--config', 'config.json', '--at', '2026-07-01T12:00:00Z')
  t.equal(file.code, 0)
  t.match(ndjson(file.stdout), [
    { id: 'us2', source: 'quakes', severity: 'critical', received_at: '2026-07-01T12:00:00.000Z' },
    { id: 'weak' }
  ])
  t.match(file.stderr, /^quakes: 2 listed, 2 events, 0 skipped\n$/)
  const byKind = await feed('usgs', '--file', 'list.json')
  t.match(ndjson(byKind.stdout), [{ id: 'us2', source: 'usgs' }])
  t.match(byKind.stderr, /skipped weak: .+\nusgs: 2 listed, 1 events, 1 skipped/)
  const live = await feed('quakes', '--config', 'config.json')
  t.match(ndjson(live.stdout), [{ id: 'us1' }])
  t.match(live.stderr, /skipped blast: not an earthquake/)
  t.equal(requests.length, 1)
  for (const [args, code, said] of [
    [['crystal_ball'], 2, /There are: .*nws.*usgs/],
    [[], 2, /name one source/],
    [['usgs', '--at', 'noon', '--file', 'list.json'], 2, /--at is a time/],
    [['usgs', '--file', 'page.html'], 2, /web page/],
    [['usgs', '--file', 'none.json'], 4, /none\.json/],
    [['nws', '--config', 'nobody.json'], 3, /station\.contact/],
    [['nws'], 3, /is not asked/]
  ] as const) {
    const result = await feed(...args)
    t.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`)
    t.match(result.stderr, said)
    t.equal(result.stdout, '')
  }
  t.equal(requests.length, 1)
})
