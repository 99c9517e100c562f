import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { describeApi } from '../../src/dashboard/server/openapi.ts'
import { json } from '../../src/dashboard/server/reply.ts'
import { get, type Route } from '../../src/dashboard/server/route.ts'
import { faultOf, tableOfRoutes } from '../helpers/answer-check.ts'
import { fire, radio, station } from './harness.ts'

/** Rows of the API; pages and files are none. */
const rows = tableOfRoutes().filter(({ summary }) => summary !== '')
const nameOf = ({ method, path }: Route): string => `${method} ${path}`
/** Answers of resumable uploads are header fields. */
const isTus = ({ path }: Route): boolean =>
  /^\/api\/(?:library\/|update\/|backup\/|knowledge\/models\/:name\/)?uploads\b/.test(path)

t.test('every row of the API says in words and by a schema or a media type what it answers', async (t) => {
  for (const row of rows) {
    t.not(row.about, '', `${nameOf(row)} says what it is about`)
    t.ok(row.answer !== null || row.media.length > 0 || isTus(row), `${nameOf(row)} says what it answers`)
  }
})

t.test('OpenAPI shows the schema of every JSON answer', async (t) => {
  const { paths } = await describeApi(rows, '1')
  for (const row of rows.filter(({ answer }) => answer !== null)) {
    const operation = paths[row.path.replace(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()]
    const status = row.stream?.statuses[0]?.[0] ?? String(row.done[0])
    const content = operation?.responses[status]?.['content'] as Record<string, { schema: object }> | undefined
    t.ok(Object.keys(content?.['application/json']?.schema ?? {}).length > 0, nameOf(row))
  }
})

t.test(
  'every list without a parameter answers what its schema says, on a station with an event and radios',
  async (t) => {
    const { ask } = await station(t, {
      config: { coverage: { areas: [{ name: 'North', circle: { lat: 44, lon: -114, radius_km: 30 } }] } },
      radios: [radio()]
    })
    await ask({ path: '/api/events', body: fire })
    const asked = {
      '/api/atlas/search': '?q=ada',
      '/api/gazetteer': '?country=US&q=ada',
      '/api/gazetteer/near': '?lat=44&lon=-114',
      '/api/zones/outlines': '?codes=IDC013',
      '/api/search': '?q=ada',
      '/api/backup/file': '?folder=/media/none&stamp=2026-11-28T00-00-00Z'
    }
    for (const { path } of rows.filter((row) => row.method === 'GET' && !row.path.includes(':'))) {
      // The stream never ends; the test of live updates reads it.
      if (path === '/api/stream') continue
      const { status } = await ask(`${path}${new Map(Object.entries(asked)).get(path) ?? ''}`)
      t.ok([200, 400, 404, 503].includes(status), `${path}: ${status}`)
    }
  }
)

t.test('every row refuses with a problem document: who may not, what is malformed, what is not there', async (t) => {
  const { ask } = await station(t)
  for (const row of rows.filter((one) => one.method !== 'HEAD' && one.method !== 'OPTIONS')) {
    const path = row.path.replace(/:\w+/g, 'nothing')
    if (row.access === 'operator' || row.access === 'events') {
      const { status } = await ask({ method: row.method, path, headers: { authorization: 'Bearer nonsense' } })
      t.ok([401, 403].includes(status), `${nameOf(row)} to a stranger: ${status}`)
    }
    if (row.body !== null) {
      const type = { 'content-type': 'application/json' }
      const { status } = await ask({ method: row.method, path, raw: '{"', headers: type })
      t.equal(status, 400, `${nameOf(row)} with half a body`)
    } else if (row.path.includes(':') && row.stream === undefined)
      t.ok(
        [row.done[0], 404, 409].includes((await ask({ method: row.method, path })).status),
        `${nameOf(row)} of nothing`
      )
  }
})

/** True when a path as a test writes it may be that of a row: `${BASE}/1/retry` stands for any that ends so. */
function mayAsk(written: string, row: Route): boolean {
  const [first = '', ...rest] = written.split('/')
  const segments = row.path.split('/').slice(-rest.length)
  const isWhole = first === '' && rest.length === row.path.split('/').length - 1
  return (isWhole || first !== '') && segments.every((segment, at) => segment.startsWith(':') || segment === rest[at])
}

t.test('every row is asked by a test whose answers are held to its schema', async (t) => {
  const folder = import.meta.dirname
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const written = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/['"`]((?:\$\{[^}]*\})?\/(?:\$\{[^}]*\}|[^'"`\n?])*)/g)].map(([, path = '']) => path)
    )
  )
  for (const row of rows)
    t.ok(
      [...written].some((path) => mayAsk(path, row)),
      `${nameOf(row)}: its path in test/dashboard`
    )
})

t.test('a row whose schema does not tell the truth is found', async (t) => {
  const row = get('/api/x', {
    summary: 'x',
    about: 'x',
    answer: v.object({ ok: v.boolean() }),
    handle: () => json({ ok: true })
  })
  const said = (body: unknown, status = 200, type = 'application/json; charset=utf-8'): string | null =>
    faultOf(row, { status, headers: { 'content-type': type }, body, text: JSON.stringify(body) })
  t.equal(said({ ok: true }), null)
  t.match(said({ ok: 'yes' }), /GET \/api\/x answered 200: ok /)
  t.match(said({ ok: true, more: { deep: 1 } }), /does not name \/more/)
  t.match(said({}), /ok /)
  t.match(said({ ok: true }, 201), /its row says 200/)
  t.match(said('text', 200, 'text/plain'), /as text\/plain/)
  t.match(said({ message: 'no' }, 404), /not as a problem document/)
  t.match(said({ title: 'no' }, 404, 'application/problem+json'), /no problem document/)
})
