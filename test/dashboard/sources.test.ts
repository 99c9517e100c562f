import t from 'tap'
import { AppError } from '../../src/platform/errors.ts'
import { blankStatus, type SourceStatus } from '../../src/warning/feeds/status.ts'
import { inWords, note } from '../helpers/in-words.ts'
import { FROM_AFAR, station } from './harness.ts'

const quakes: SourceStatus = {
  ...blankStatus({
    name: 'quakes',
    kind: 'usgs',
    mode: 'poll',
    enabled: true,
    state: 'ok',
    reason: null,
    about: 'Earthquakes.'
  }),
  last_ok: '2026-07-01T11:59:00.000Z',
  items: 40,
  requests: 7,
  bytes: 1234,
  events: 3,
  next_due: '2026-07-01T12:00:00.000Z',
  interval_seconds: 60
}
const alerts: SourceStatus = {
  ...blankStatus({
    name: 'nws',
    kind: 'nws',
    mode: 'poll',
    enabled: true,
    state: 'blocked',
    reason: note('set station.contact'),
    about: 'Alerts.'
  })
}
const kinds = [{ kind: 'nws', mode: 'poll' as const, title: 'NWS alerts', about: 'Alerts.', state: 'in use' as const }]

function sources(orders: string[] = []) {
  return {
    list: () => [quakes, alerts],
    kinds: () => kinds,
    poll: (name: string) => {
      orders.push(name)
      if (name === 'quakes' && orders.length === 1) return { asked: true as const }
      if (name === 'quakes')
        return {
          asked: false as const,
          why: 'early',
          reason: note('quakes may not be asked again so soon'),
          waitMs: 41_200
        }
      if (name === 'nws')
        return { asked: false as const, why: 'blocked', reason: note('set station.contact'), waitMs: 0 }
      throw new AppError('not-found', note(`no source is named "${name}"`))
    }
  }
}

t.test('sources are told with everything the dashboard needs, and every kind there is', async (t) => {
  const { ask } = await station(t, { context: { sources: sources() } })
  const { status, body } = await ask('/api/sources')
  t.equal(status, 200)
  t.same(body, { sources: inWords([quakes, alerts]), kinds })
})

t.test('a source is asked on demand: 202, 429 while it is too soon, 409 when it may not be asked, 404', async (t) => {
  const orders: string[] = []
  const { ask } = await station(t, { context: { sources: sources(orders) } })
  const poll = (name: string) => ask({ method: 'POST', path: `/api/sources/${name}/poll` })
  t.match(await poll('quakes'), { status: 202, body: { ok: true, source: { name: 'quakes' } } })
  t.match(await poll('quakes'), {
    status: 429,
    headers: { 'retry-after': '42' },
    body: { detail: /so soon: 42 s to go/ }
  })
  t.match(await poll('nws'), { status: 409, body: { detail: /set station\.contact/ } })
  t.match(await poll('volcano'), { status: 404, body: { detail: /"volcano"/ } })
  t.same(orders, ['quakes', 'quakes', 'nws', 'volcano'])
  t.equal((await ask('/api/sources/quakes/poll')).status, 405)
  t.equal((await ask('/api/sources/quakes')).status, 404)
})

t.test('only an operator may ask a source', async (t) => {
  const orders: string[] = []
  const { ask } = await station(t, { context: { sources: sources(orders) } })
  for (const headers of [FROM_AFAR, { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }]) {
    const { status } = await ask({ method: 'POST', path: '/api/sources/quakes/poll', headers })
    t.ok([401, 403].includes(status), String(status))
  }
  t.same(orders, [])
})

t.test('in a preview nobody is asked', async (t) => {
  const poll = (): never => {
    throw new AppError('unavailable', note('this is a preview: it asks nobody.'))
  }
  const { ask } = await station(t, { context: { sources: { ...sources(), poll } } })
  t.match(await ask({ method: 'POST', path: '/api/sources/quakes/poll' }), { status: 503, body: { detail: /preview/ } })
})

t.test('sources are in the metrics', async (t) => {
  const { ask } = await station(t, { context: { sources: sources() } })
  const { text } = await ask('/metrics')
  for (const line of [
    'lookout_source_up{source="quakes",kind="usgs"} 1',
    'lookout_source_up{source="nws",kind="nws"} 0',
    'lookout_source_last_ok_seconds{source="quakes",kind="usgs"} 1782907140',
    'lookout_source_requests_total{source="quakes",kind="usgs"} 7',
    'lookout_source_bytes_total{source="quakes",kind="usgs"} 1234',
    'lookout_source_events_total{source="quakes",kind="usgs"} 3'
  ])
    t.ok(text.includes(`${line}\n`), line)
  t.notMatch(text, /last_ok_seconds\{source="nws"/, 'never is no time')
})

t.test('the live stream tells of sources', async (t) => {
  const { service, observers } = await station(t, { context: { sources: sources() } })
  const stop = new AbortController()
  const response = await fetch(`http://127.0.0.1:${service.port}/api/stream`, { signal: stop.signal })
  observers.tell('source', quakes)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('event: source')) break
  }
  stop.abort()
  t.match(text, /event: source\ndata: \{"name":"quakes"/)
})
