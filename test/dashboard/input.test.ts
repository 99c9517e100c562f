import { connect } from 'node:net'
import t from 'tap'
import { FROM_AFAR, fire, station } from './harness.ts'

const EVENTS = '/api/events'
const MATRIX = '/api/notifications/region-routing'
const JSON_TYPE = { 'content-type': 'application/json' }

/** The state that must not have changed after a refusal: the file, and the list of events. */
async function fingerprint({ file, ask }: Awaited<ReturnType<typeof station>>): Promise<string> {
  return `${file()} ${(await ask(EVENTS)).text}`
}

t.test('a body that is no JSON is refused by kind, on every route that takes one, and nothing is stored', async (t) => {
  const made = await station(t, { config: { station: { name: 'before' } } })
  const before = await fingerprint(made)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const cases: [string, { raw: string | Buffer; headers: Record<string, string> }, number][] = [
    ['broken JSON', { raw: '{"enabled": true,', headers: JSON_TYPE }, 400],
    ['NaN', { raw: '{"lat": NaN}', headers: JSON_TYPE }, 400],
    ['a lone quote', { raw: `"${'\\"'.repeat(300_000)}`, headers: JSON_TYPE }, 400],
    ['not UTF-8', { raw: Buffer.from([0x22, 0xff, 0x22]), headers: JSON_TYPE }, 400],
    ['100000 levels', { raw: deep, headers: JSON_TYPE }, 400],
    ['2 MB', { raw: `"${'x'.repeat(2_000_000)}"`, headers: JSON_TYPE }, 413],
    ['one byte more than 1 MiB', { raw: `"${'x'.repeat(1_048_575)}"`, headers: JSON_TYPE }, 413],
    ['a form', { raw: 'enabled=true', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['plain text', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415],
    ['no type', { raw: '{}', headers: {} }, 415],
    ['another charset', { raw: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } }, 415],
    ['compressed', { raw: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }, 415]
  ]
  for (const path of [EVENTS, MATRIX, `${MATRIX}/explain`]) {
    for (const [name, question, status] of cases) {
      const answer = await made.ask({ method: 'POST', path, ...question })
      t.equal(answer.status, status, `${name} at ${path}`)
      t.match(answer.body, { status, type: 'about:blank' })
    }
  }
  t.equal(await fingerprint(made), before)
})

t.test('broken JSON is told with line and column', async (t) => {
  const { ask } = await station(t)
  const { body } = await ask({ method: 'POST', path: MATRIX, raw: '{\n  "enabled": yes\n}', headers: JSON_TYPE })
  t.match(body.detail, /line 2, column 14/)
})

t.test('JSON is taken under every name it has', async (t) => {
  const { ask } = await station(t)
  for (const type of [
    'application/json',
    'application/json; charset=UTF-8',
    'Application/JSON;charset="utf-8"',
    'application/geo+json'
  ])
    t.equal(
      (await ask({ path: EVENTS, raw: JSON.stringify(fire), headers: { 'content-type': type } })).status,
      202,
      type
    )
  t.equal(
    (await ask({ path: EVENTS, raw: `\ufeff${JSON.stringify(fire)}`, headers: JSON_TYPE })).status,
    202,
    'a byte order mark'
  )
})

t.test('a wrong event is 422 with the pointer to what is wrong; of an array nothing is taken', async (t) => {
  const made = await station(t)
  const before = await fingerprint(made)
  const cases: [string, unknown, string][] = [
    ['a text', 'fire', ''],
    ['null', null, ''],
    ['nothing in it', {}, '/id'],
    ['an empty id', { ...fire, id: ' ' }, '/id'],
    ['a number as id', { ...fire, id: 7 }, '/id'],
    ['no title', { ...fire, title: undefined }, '/title'],
    ['an unknown family', { ...fire, family: 'lava' }, '/family'],
    ['an unknown category without family', { ...fire, family: undefined, category: 'lava' }, '/category'],
    ['an unknown severity', { ...fire, severity: 'urgent' }, '/severity'],
    ['a latitude of 91', { ...fire, lat: 91, lon: 0 }, '/lat'],
    ['NaN as text', { ...fire, lat: 'NaN', lon: 0 }, '/lat'],
    ['NaN as null inside of a circle', { ...fire, circle: { lat: null, lon: 0, radius_km: 1 } }, '/circle/lat'],
    ['a negative radius', { ...fire, circle: { lat: 0, lon: 0, radius_km: -1 } }, '/circle/radius_km'],
    ['a box of three', { ...fire, bbox: [1, 2, 3] }, '/bbox/3'],
    ['a time without zone', { ...fire, sent_at: '2026-07-01T12:00:00' }, '/sent_at'],
    ['regions as text', { ...fire, regions: 'North' }, '/regions']
  ]
  for (const [name, event, path] of cases) {
    const alone = await made.ask({ path: EVENTS, body: event })
    t.equal(alone.status, 422, name)
    t.ok(
      alone.body.errors.some((issue: { path: string }) => issue.path === path),
      `${name}: ${JSON.stringify(alone.body.errors)}`
    )
    const among = await made.ask({ path: EVENTS, body: [fire, event, fire] })
    t.equal(among.status, 422, `${name}, among others`)
    t.ok(
      among.body.errors.some((issue: { path: string }) => issue.path === `/1${path}`),
      `${name}: ${JSON.stringify(among.body.errors)}`
    )
  }
  t.equal((await made.ask({ path: EVENTS, body: [[fire]] })).body.errors[0].path, '/0')
  t.equal((await made.ask({ method: 'POST', path: EVENTS })).status, 422, 'no body at all')
  const many = await made.ask({ path: EVENTS, body: Array.from({ length: 501 }, (_, n) => ({ ...fire, id: `m${n}` })) })
  t.match([many.status, many.body.detail], [422, /at most 500/])
  const wrong = await made.ask({ path: EVENTS, body: Array.from({ length: 500 }, () => ({})) })
  t.ok(wrong.status === 422 && wrong.body.errors.length < 200, 'not every one of 1500 refusals is told')
  t.equal(await fingerprint(made), before)
})

t.test('a polygon is taken as long as it fits into 1 MiB; 200000 corners do not', async (t) => {
  const { ask } = await station(t)
  const polygon = (corners: number) => {
    const ring = Array.from({ length: corners }, (_, n) => [Math.cos(n / corners) * 10, Math.sin(n / corners) * 10])
    return { ...fire, id: `p${corners}`, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } }
  }
  t.equal((await ask({ path: EVENTS, body: polygon(20_000) })).status, 202)
  t.equal((await ask({ path: EVENTS, body: polygon(200_000) })).status, 413)
})

t.test('a chunked body is counted while it arrives, and the refusal is readable', async (t) => {
  const { service } = await station(t)
  const socket = connect(service.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const answered = new Promise((resolve) => socket.on('data', resolve))
  socket.write(
    `POST ${EVENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  )
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  for (let n = 0; n < 20; n++) socket.write(chunk)
  await answered
  t.match(text, /^HTTP\/1\.1 413 /)
  socket.destroy()
})

t.test('a client that asks first is told to go on, or is refused before it sends', async (t) => {
  const { service } = await station(t)
  const talk = async (length: number, path: string, body: string): Promise<string> => {
    const socket = connect(service.port, '127.0.0.1')
    let text = ''
    const ended = new Promise((resolve) => socket.on('close', resolve))
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`
    )
    socket.on('data', (piece) => {
      text += piece
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
      else if (!text.startsWith('HTTP/1.1 100')) socket.end()
    })
    await ended
    return text
  }
  const body = JSON.stringify(fire)
  t.match(await talk(Buffer.byteLength(body), EVENTS, body), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 /)
  t.match(await talk(2_000_000, EVENTS, ''), /^HTTP\/1\.1 413 /)
  t.match(await talk(10, '/api/geocode', ''), /^HTTP\/1\.1 404 /)
})

t.test('headers of more than 16 kB are refused', async (t) => {
  const { ask } = await station(t)
  t.equal((await ask({ path: '/api/health', headers: { 'x-long': 'x'.repeat(17_000) } })).status, 431)
})

t.test(
  'a guest sends no JSON whose lists and names take long to read; the largest map he may try passes',
  async (t) => {
    const { ask } = await station(t)
    const preview = '/api/coverage/preview'
    const many = (count: number, one: (n: number) => string): string =>
      Array.from({ length: count }, (_, n) => one(n)).join(',')
    const cases = [
      ['lists', `{"areas":[${many(300_000, () => '[]')}]}`],
      ['names', `{"areas":[{${many(80_000, (n) => `"k${n}":1`)}}]}`],
      ['values', `{"areas":[${many(400_000, () => '1')}]}`]
    ] as const
    for (const [name, coverage] of cases) {
      const raw = `{"coverage":${coverage}}`
      t.ok(raw.length < 1024 * 1024)
      const headers = { ...JSON_TYPE, ...FROM_AFAR }
      t.match(await ask({ method: 'POST', path: preview, raw, headers }), { status: 413 }, name)
      t.not((await ask({ method: 'POST', path: preview, raw, headers: JSON_TYPE })).status, 413, 'the operator may')
    }
    const ring = Array.from({ length: 19_900 }, (_, n) => [Math.cos(n / 3168), Math.sin(n / 3168)])
    const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    const body = { coverage: { areas: [{ name: 'A', geometry }] } }
    t.equal((await ask({ path: preview, body, headers: FROM_AFAR })).status, 200)
  }
)
