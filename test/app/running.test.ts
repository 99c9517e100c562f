import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { eventually, launch, ndjson, type Running, readyLine, run, running, startLookout } from '../helpers/process.ts'

const CONFIG = {
  station: { name: 'Test station' },
  coverage: { enabled: true, region_tagging: true, areas: [{ name: 'North', bbox: [-115, 44, -113, 45] }] },
  notifications: {
    coalesce_seconds: 0,
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3, mc: 'north' } } } },
    kept_unknown: { 'order ': [2, 1] }
  }
}
const MATRIX = { enabled: true, cells: { weather: { North: { mt: 1, mc: null } } } }
const folder = (config: unknown = CONFIG): { data: Record<string, string> } => ({
  data: { 'config.json': `${JSON.stringify(config, null, 1)}\n` }
})
const fire = (id: string): object => ({ id, source: 'test', family: 'fire', title: `Fire ${id}`, lat: 44.5, lon: -114 })
const regions = async (station: Running): Promise<unknown> => (await station.get('/api/notifications/regions')).json

interface Status {
  stale_config: boolean
}

t.test(
  'the ready line is the first on stdout, exact, at every log level; the rest of the talk is on stderr',
  async (t) => {
    const cwd = t.testdir(folder())
    for (const level of ['fatal', 'info']) {
      const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: level } })
      const { launched } = station
      const { port } = new URL(station.url)
      const line = `lookout ready http://127.0.0.1:${port} profile=home radios=sim-mt(simulated),sim-mc(simulated) pid=${launched.child.pid}`
      t.equal(station.readyLine, line)
      t.equal((await station.get('/api/health/live')).status, 200, 'the port answers when the line is there')
      const { code, signal, stdout, stderr } = await launched.stop()
      t.same([code, signal], [0, null], 'SIGTERM ends it well')
      t.equal(stdout, `${line}\n`, 'with a configuration of one’s own nothing else is said')
      if (level === 'fatal') t.equal(stderr, '')
      else {
        const records = ndjson(stderr)
        t.match(
          records.find(({ msg }) => msg === 'ready'),
          { url: station.url, profile: 'home', pid: launched.child.pid }
        )
        t.match(records.at(-1), { msg: 'stopped', failed: [] })
      }
    }
  }
)

t.test('without a configuration the demo plays, and a Pi profile has no radio', async (t) => {
  const cwd = t.testdir({})
  const home = await startLookout(t, 'home', { cwd, env: { LOOKOUT_LOG: 'fatal' } })
  await home.launched.until('the note of the demo', () => /^DEMO "/m.test(home.launched.stdout))
  t.match(home.launched.stdout, /^lookout ready /)
  t.equal((await home.launched.stop()).code, 0)
  const pi = await startLookout(t, 'pi', {
    cwd,
    args: ['--host', '127.0.0.1'],
    env: { LOOKOUT_PROFILE: 'minimal_pi', LOOKOUT_LOG: 'fatal' }
  })
  t.match(pi.readyLine, / profile=minimal_pi radios=none pid=\d+$/)
  t.equal((await pi.get('/api/health/ready')).status, 503, 'without a radio it is not ready to warn')
  t.equal((await pi.launched.stop()).code, 0)
})

t.test('a second program on the same folder, and one on a taken port, are refused in plain words', async (t) => {
  const cwd = t.testdir(folder())
  const first = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'fatal' } })
  const second = await run(t, ['start', '--port', '0', '--data', 'data'], { cwd })
  t.match([second.code, second.stdout], [1, ''])
  t.match(second.stderr, /^lookout: another Lookout runs on .*data.*LOOKOUT_DATA/m)
  const { port } = new URL(first.url)
  const third = await run(t, ['start', '--port', port, '--data', 'other'], { cwd })
  t.match([third.code, third.stdout], [1, ''])
  t.match(third.stderr, new RegExp(`^lookout: .*127.0.0.1.*${port}`, 'm'))
  for (const { stderr } of [second, third]) t.notMatch(stderr, /^\s+at /m)
  t.equal((await first.get('/api/status')).status, 200, 'the first goes on')
  await first.launched.kill()
  const after = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'fatal' } })
  t.equal((await after.launched.stop()).code, 0, 'the lock of a killed program is gone with it')
})

t.test('SIGTERM during requests, streams and messages on the air: it stops within 5 s and exits 0', async (t) => {
  const cwd = t.testdir(folder())
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'warn' } })
  const events = Array.from({ length: 40 }, (_, index) => ({ ...fire(`f${index}`), severity: 'critical' }))
  t.equal((await station.post('/api/events', events)).status, 202)
  const stream = await fetch(`${station.url}/api/stream`)
  const half = connect(Number(new URL(station.url).port), '127.0.0.1')
  t.teardown(() => half.destroy())
  half.on('error', () => undefined)
  half.write(
    'POST /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n['
  )
  await eventually('a message on the air', async () => {
    const { json } = await station.get<{ deliveries: { state: string }[] }>('/api/deliveries?limit=100')
    return json.deliveries.some(({ state }) => state === 'transmitting')
  })
  const before = Date.now()
  const { code, stderr } = await station.launched.stop()
  t.equal(code, 0)
  t.ok(Date.now() - before < 5500, `stopped in ${Date.now() - before} ms`)
  t.equal(stderr, '', 'nothing to complain about')
  await stream.body?.cancel().catch(() => undefined)
  await t.rejects(fetch(`${station.url}/api/status`), 'nobody answers any more')
})

t.test('SIGHUP reads the configuration again; a broken one is told and the good one stays', async (t) => {
  const cwd = t.testdir(folder())
  const path = join(cwd, 'data', 'config.json')
  const station = await startLookout(t, 'data', { cwd })
  const { launched } = station
  const areas = [{ name: 'South', bbox: [-115, 42, -113, 43] }]
  writeFileSync(path, JSON.stringify({ ...CONFIG, coverage: { ...CONFIG.coverage, areas } }))
  launched.signal('SIGHUP')
  await launched.until('the configuration is read', () => /configuration read again/.test(launched.stderr))
  t.same(await regions(station), ['South'])
  writeFileSync(path, '{ "coverage": nonsense')
  launched.signal('SIGHUP')
  await eventually(
    'the broken file is noticed',
    async () => (await station.get<Status>('/api/status')).json.stale_config
  )
  t.same(await regions(station), ['South'])
  const write = await station.post('/api/notifications/region-routing', MATRIX)
  t.match([write.status, write.text], [409, /config\.json:1:/])
  t.equal(readFileSync(path, 'utf8'), '{ "coverage": nonsense', 'a broken file is never written over')
  t.match((await launched.stop()).code, 0)
})

t.test(
  'at start a broken configuration gives way to its backup, loudly; without one the start is refused with the line',
  async (t) => {
    const cwd = t.testdir({
      data: { 'config.json': '{\n "coverage": oops\n}', 'config.json.bak': JSON.stringify(CONFIG) }
    })
    const station = await startLookout(t, 'data', { cwd })
    t.match((await station.get('/api/status')).json, { stale_config: true })
    t.same(await regions(station), ['North'])
    t.match(station.launched.stderr, /config\.json/)
    t.equal((await station.launched.stop()).code, 0)
    const gone = t.testdir({ data: { 'config.json.bak': JSON.stringify(CONFIG) } })
    const other = await startLookout(t, 'data', { cwd: gone })
    t.match((await other.get('/api/status')).json, { stale_config: true, config_problem: { code: 'missing' } })
    t.same(await regions(other), ['North'])
    t.match((await other.get('/')).text, /config\.json is gone: the last good one is in force/)
    t.equal((await other.launched.stop()).code, 0)
    const alone = t.testdir({ data: { 'config.json': '{\n "coverage": oops\n}' } })
    const refused = await run(t, ['start', '--port', '0', '--data', 'data'], { cwd: alone })
    t.match([refused.code, refused.stdout], [3, ''])
    t.match(refused.stderr, /config\.json:2:14/)
    t.equal(readFileSync(join(alone, 'data', 'config.json'), 'utf8'), '{\n "coverage": oops\n}')
  }
)

t.test('the configuration stays byte for byte what it was after a burst of bad requests', async (t) => {
  const cwd = t.testdir(folder())
  const path = join(cwd, 'data', 'config.json')
  const before = readFileSync(path, 'utf8')
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'error' } })
  const bad: unknown[] = [
    '',
    '{',
    'null',
    '[]',
    '{}',
    { enabled: true },
    { cells: {} },
    { enabled: 'yes', cells: {} },
    { enabled: true, cells: [] },
    { enabled: true, cells: { fire: { North: { mt: 8, mc: null } } } },
    { enabled: true, cells: { fire: { North: { mt: 1.5, mc: null } } } },
    { enabled: true, cells: { fire: { North: { mt: 1, mc: 'x'.repeat(32) } } } },
    { enabled: true, cells: { fire: { North: { mt: 1, min_severity: 'loud' } } } },
    { enabled: true, cells: { nonsense: { North: { mt: 1, mc: null } } } },
    '{"enabled":true,"cells":{"__proto__":{"North":{"mt":1}}}}',
    `{"enabled":true,"cells":${'['.repeat(100_000)}`,
    'x'.repeat(1_200_000)
  ]
  const burst = Array.from({ length: 3 }, () => bad).flat()
  const answers = await Promise.all(
    burst.map((body) =>
      station.post('/api/notifications/region-routing', body).then(
        ({ status }) => status,
        // A body that is far too long may be cut off before the answer is read.
        () => 413
      )
    )
  )
  for (const status of new Set(answers)) t.ok(status >= 400 && status < 500, `refused with ${status}`)
  const stale = await station.post('/api/notifications/region-routing', MATRIX, { 'if-match': '"0000000000000000"' })
  t.equal(stale.status, 412)
  const foreign = await station.post('/api/notifications/region-routing', MATRIX, {
    origin: 'http://elsewhere.example'
  })
  t.equal(foreign.status, 403)
  t.equal(readFileSync(path, 'utf8'), before)
  const good = await station.post('/api/notifications/region-routing', MATRIX)
  t.equal(good.status, 200)
  t.match(JSON.parse(readFileSync(path, 'utf8')), { notifications: { kept_unknown: { 'order ': [2, 1] } } })
  t.equal((await station.launched.stop()).stderr, '', 'bad requests are no errors of ours')
})

t.test(
  'preview makes a sample folder, serves it, takes no events, sends nothing, and uses what it saves',
  async (t) => {
    const cwd = t.testdir({})
    const preview = await running(launch(t, { args: ['preview', 'new-folder', '--port', '0'], cwd }))
    t.match(preview.readyLine, / radios=preview pid=/)
    t.match(preview.launched.stderr, /made .*new-folder with a sample configuration/)
    t.ok(existsSync(join(cwd, 'new-folder', 'config.json')))
    t.same(await regions(preview), ['North', 'Valley', 'Counties'])
    const refused = await preview.post('/api/events', fire('x'))
    t.match([refused.status, refused.text], [503, /preview.*lookout start/])
    t.same((await preview.get('/api/radios')).status, 200)
    const saved = await preview.post<{ revision: string }>('/api/notifications/region-routing', MATRIX)
    t.equal(saved.status, 200)
    const read = await preview.get<{ cells: object }>('/api/notifications/region-routing')
    t.match(read.json, { cells: { weather: { North: { mt: 1 } } } })
    t.equal(read.headers.get('etag'), `"${saved.json.revision}"`)
    const path = join(cwd, 'new-folder', 'config.json')
    const config = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...config, coverage: { ...config.coverage, areas: [] } }))
    t.same(await regions(preview), [], 'a change by hand too')
    t.same((await preview.get<{ deliveries: unknown[] }>('/api/deliveries')).json.deliveries, [])
    t.equal((await preview.launched.stop()).code, 0)
    const again = await running(launch(t, { args: ['preview', 'new-folder', '--port', '0'], cwd }))
    t.notMatch(again.launched.stderr, /sample/, 'a folder that is there is not touched')
    t.equal((await again.launched.stop()).code, 0)
  }
)

t.test('preview beside a running station shows the same folder and changes nothing in its queue', async (t) => {
  const cwd = t.testdir(folder())
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'warn' } })
  const beside = await running(launch(t, { args: ['preview', 'data', '--port', '0', '--log', 'warn'], cwd }))
  await station.post('/api/events', fire('seen'))
  const seen = await beside.get<{ events: { id: string }[] }>('/api/events')
  t.match(seen.json.events, [{ id: 'seen' }])
  t.equal((await beside.launched.stop()).code, 0)
  await eventually('the message is sent', async () => {
    const { json } = await station.get<{ deliveries: { state: string }[] }>('/api/deliveries')
    return json.deliveries.length === 2 && json.deliveries.every(({ state }) => state === 'heard' || state === 'sent')
  })
  t.equal((await station.launched.stop()).stderr, '')
})

t.test('a station goes on when whoever read its output is gone', async (t) => {
  const cwd = t.testdir({})
  const launched = launch(t, { args: ['start', '--port', '0', '--data', 'data'], cwd })
  const station = await running(launched)
  launched.child.stdout?.destroy()
  launched.child.stderr?.destroy()
  for (let index = 0; index < 5; index++) t.equal((await station.post('/api/events', fire(`f${index}`))).status, 202)
  const story = await eventually('the events are stored', async () => {
    const { json } = await station.get<{ events: { id: string }[] }>('/api/events')
    return json.events.length >= 5 && json.events
  })
  t.ok(story.some(({ id }) => id === 'f4'))
  t.equal((await station.get('/api/health/live')).status, 200)
  launched.signal('SIGTERM')
  t.equal((await launched.ended).code, 0)
  t.equal(readyLine(launched.stdout)?.url, station.url)
})

t.test('a token made on the command line works at once, and not any more when it is revoked', async (t) => {
  const cwd = t.testdir(folder())
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'fatal' } })
  // A request that came through a proxy is nobody's own.
  const afar = { 'x-forwarded-for': '192.0.2.7' }
  t.equal((await station.post('/api/events', fire('nobody'), afar)).status, 401)
  const made = await run(t, ['token', 'new', '--scope', 'events', '--data', 'data'], { cwd })
  const bearer = { ...afar, authorization: `Bearer ${made.stdout.trim()}` }
  t.equal((await station.post('/api/events', fire('known'), bearer)).status, 202)
  t.equal((await station.post('/api/notifications/region-routing', MATRIX, bearer)).status, 403, 'events only')
  const [id = ''] = (await run(t, ['token', 'list', '--data', 'data'], { cwd })).stdout.split(' ')
  t.equal((await run(t, ['token', 'revoke', id, '--data', 'data'], { cwd })).code, 0)
  t.equal((await station.post('/api/events', fire('gone'), bearer)).status, 401)
  t.equal((await station.launched.stop()).code, 0)
})

t.test('a restart from the page ends the program as SIGTERM does, where something starts it again', async (t) => {
  const cwd = t.testdir(folder())
  const watched = await startLookout(t, 'data', { cwd, env: { LOOKOUT_RESTARTED_BY: 'a test' } })
  const before = (await watched.get<{ started_at: string }>('/api/status')).json.started_at
  const answer = await fetch(`${watched.url}/api/restart`, { method: 'POST' })
  t.equal(answer.status, 202)
  t.same(await answer.json(), { ok: true, by: 'a test', started_at: before })
  t.match(await watched.launched.ended, { code: 0, signal: null })

  const byHand = await startLookout(t, 'data', { cwd })
  t.equal((await fetch(`${byHand.url}/api/restart`, { method: 'POST' })).status, 409)
  const { started_at } = (await byHand.get<{ started_at: string }>('/api/status')).json
  t.not(started_at, before, 'by which a page sees that it is another process')
})
