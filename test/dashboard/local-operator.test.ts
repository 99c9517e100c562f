import { readFileSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { LocalOperator } from '../../src/dashboard/server/local-operator.ts'
import { endsOf, listeningPorts, peerUid } from '../../src/platform/net/local-connections.ts'
import { LocalSecret } from '../../src/platform/sessions/local-secret.ts'
import { FROM_AFAR, type Station, station } from './harness.ts'

const WRITE = '/api/notifications/region-routing'
const matrix = { enabled: true, cells: {} }
const allowed = { on: () => true }

const write = async ({ ask }: Pick<Station, 'ask'>, headers: Record<string, string> = {}): Promise<number> =>
  (await ask({ path: WRITE, body: matrix, headers })).status

/** Headers of proxies that stand in front of stations. */
const SIGNS: Record<string, string>[] = [
  { forwarded: 'for=1.2.3.4' },
  { 'x-forwarded-for': '1.2.3.4' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'station.example' },
  { 'x-real-ip': '1.2.3.4' },
  { via: '1.1 proxy' },
  { 'cf-connecting-ip': '1.2.3.4' },
  { 'true-client-ip': '1.2.3.4' },
  { 'x-client-ip': '1.2.3.4' },
  { 'x-envoy-external-address': '1.2.3.4' },
  { 'x-idp-username': 'ada' }
]

for (const sign of SIGNS) {
  const [name = ''] = Object.keys(sign)
  t.test(
    `the first ${name} from this machine ends its right until the next start, whatever it asked for`,
    async (t) => {
      const found = await station(t)
      t.equal(await write(found), 200)
      t.equal((await found.ask({ path: '/no/such/page', headers: sign })).status, 404)
      t.equal(found.context.local.proxySign, name)
      t.equal(await write(found), 401)
      t.match((await found.ask('/api/session')).body, { how: 'none', can_write: false, local_operator: 'proxy_seen' })
      t.match((await found.ask('/sign-in')).text, new RegExp(`came through a proxy \\(${name}\\)`))
    }
  )
}

t.test('a request in HTTP/1.0, as a default nginx makes, is a guest and ends the right of this machine', async (t) => {
  const found = await station(t)
  const body = JSON.stringify(matrix)
  const lines = [
    `POST ${WRITE} HTTP/1.0`,
    `Host: 127.0.0.1:${found.service.port}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body
  ]
  t.match(await raw(found.service.port, lines.join('\r\n')), /^HTTP\/1\.[01] 401/)
  t.equal(found.context.local.proxySign, 'HTTP/1.0')
  t.equal(await write(found), 401)
})

t.test('only a connection of this machine can end its right: a guest cannot lock anybody out', async (t) => {
  const local = new LocalOperator(allowed)
  const headers = { 'x-forwarded-for': '1.2.3.4' }
  local.look({ headers, httpVersion: '1.0', socket: { remoteAddress: '10.42.0.17' } })
  t.equal(local.proxySign, null)
  local.look({ headers, httpVersion: '1.1', socket: { remoteAddress: '::ffff:127.0.0.1' } })
  t.equal(local.proxySign, 'x-forwarded-for')
})

t.test('a proxy that is configured is no surprise: no problem is told of it', async (t) => {
  const local = new LocalOperator(allowed)
  local.look({ headers: { via: '1.1 proxy' }, httpVersion: '1.1', socket: { remoteAddress: '::1' } })
  t.equal(local.unnamedProxy({ trusted_proxies: [] }), 'via')
  t.equal(local.unnamedProxy({ trusted_proxies: ['127.0.0.1'] }), null)
  t.equal(local.state({ trusted_proxies: ['127.0.0.1'] }), 'proxy_configured')
})

t.test(
  'the right holds for literal loopback names only, so that no page in a browser can take it by a name of its own',
  async (t) => {
    const found = await station(t, { config: { http: { allowed_hosts: ['evil.example'] } } })
    const { port } = found.service
    const own = hostname().toLowerCase().split('.')[0] ?? ''
    const cases: [string, number][] = [
      [`localhost:${port}`, 200],
      ['LOCALHOST', 200],
      [`127.0.0.1:${port}`, 200],
      ['127.8.9.1', 200],
      ['[::1]', 200],
      ['10.42.0.1', 401],
      ['[2001:db8::1]', 401],
      ['lookout.local', 401],
      ['lookout.lan', 401],
      [own, 401],
      [`${own}.local`, 401],
      ['evil.example', 401],
      ['evil.local', 403],
      ['localhost.evil.example', 403],
      ['127.0.0.1.nip.io', 403]
    ]
    for (const [host, status] of cases) t.equal(await write(found, { host }), status, host)
  }
)

t.test('the setting ends the right, and its page says what a script uses instead', async (t) => {
  const found = await station(t, { config: { http: { local_operator: false } } })
  t.equal(await write(found), 401)
  t.match((await found.ask('/api/session')).body, { how: 'none', local_operator: 'off' })
  t.match((await found.ask('/sign-in')).text, /local\.token/)
})

t.test('a program of a service on this machine, such as a proxy that adds nothing, has no right', async (t) => {
  const cases: [number | null, number][] = [
    [33, 401],
    [999, 401],
    [61_200, 401],
    [65_534, 401],
    [0, 200],
    [1000, 200],
    [process.getuid?.() ?? null, 200],
    [null, 200]
  ]
  for (const [user, status] of cases) {
    const found = await station(t, { context: { local: new LocalOperator({ ...allowed, userOf: async () => user }) } })
    t.equal(await write(found), status, `user ${user}`)
  }
})

t.test('the user of the program at the other end is read from the system', async (t) => {
  const server = createServer()
  t.teardown(() => server.close())
  for (const host of ['127.0.0.1', '::', '::1']) {
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const theirs = new Promise<ReturnType<typeof endsOf>>((resolve) =>
      server.once('connection', (socket) => resolve(endsOf(socket, (text) => text.replace('::ffff:', ''))))
    )
    const client = connect(port, host === '::' ? '127.0.0.1' : host)
    const ends = await theirs
    t.ok(ends !== null)
    if (ends !== null && process.platform === 'linux') {
      t.equal(await peerUid(ends), process.getuid?.(), host)
      t.ok((await listeningPorts()).has(port))
    }
    if (ends !== null) t.equal(await peerUid(ends, async () => ''), null, 'where the system tells nothing')
    client.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
})

t.test(
  'the secret of the start opens the station to programs of this machine that may read the data folder',
  async (t) => {
    const folder = t.testdir({})
    const secret = new LocalSecret(folder)
    await secret.publish()
    const path = join(folder, 'local.token')
    t.equal(statSync(path).mode & 0o777, 0o600)
    const bearer = { authorization: `Bearer ${readFileSync(path, 'utf8').trim()}` }
    const local = new LocalOperator({ on: () => false, secret: (text) => secret.matches(text) })
    const found = await station(t, { context: { local } })
    t.equal(await write(found), 401)
    t.equal(await write(found, { authorization: 'Bearer lookout_local_nonsense' }), 401)
    t.equal(await write(found, bearer), 200)
    t.equal(await write(found, { ...bearer, ...FROM_AFAR }), 200, 'by whatever name it calls the station')
    const text = bearer.authorization.slice('Bearer '.length)
    t.equal(new LocalSecret(folder).matches(text), false, 'the next start has another')
    const guest = { headers: {}, httpVersion: '1.1', socket: { remoteAddress: '10.42.0.17' } }
    t.equal(local.knows(text, guest), false, 'from elsewhere it is worth nothing')
    await secret.withdraw()
    t.throws(() => statSync(path), { code: 'ENOENT' })
  }
)

function raw(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setEncoding('utf8').on('data', (part) => {
      answer += String(part)
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
