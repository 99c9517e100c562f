import t from 'tap'
import { isListed, isLoopback, plainAddress } from '../../src/dashboard/server/addresses.ts'
import { isSameOrigin } from '../../src/dashboard/server/hosts.ts'
import { RateLimit } from '../../src/dashboard/server/rate-limit.ts'
import { fire, station } from './harness.ts'

const WRITE = '/api/notifications/region-routing'
const matrix = { enabled: true, cells: {} }

t.test('addresses are compared without zone, and IPv4 inside of IPv6 as IPv4', async (t) => {
  t.equal(plainAddress('::ffff:10.0.0.1'), '10.0.0.1')
  t.equal(plainAddress('::ffff:0a00:0001'), '10.0.0.1')
  t.equal(plainAddress('fe80::1%eth0'), 'fe80::1')
  t.equal(plainAddress('localhost'), '')
  t.equal(plainAddress(undefined), '')
  const loopback: [string, boolean][] = [
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    ['::2', false],
    ['', false]
  ]
  for (const [address, want] of loopback) t.equal(isLoopback(address), want, address)
  const listed: [string, string[], boolean][] = [
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['10.0.0.1', ['10.0.0.1'], true],
    ['10.0.0.2', ['10.0.0.1'], false],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['::1', ['::1'], true],
    ['10.0.0.1', ['proxy.example', '10.0.0.1/x', '10.0.0.1/99', ''], false],
    ['', ['0.0.0.0/0', '::/0'], false],
    ['10.0.0.1', [], false]
  ]
  for (const [address, entries, want] of listed) t.equal(isListed(address, entries), want, `${address} in ${entries}`)
})

t.test('who may write: the identity table of the contract', async (t) => {
  const nobody = { config: {} }
  const proxied = { config: { http: { trusted_proxies: ['127.0.0.0/8'] } } }
  const picky = { config: { http: { trusted_proxies: ['127.0.0.1'], operators: ['ada'] } } }
  const foreign = { config: { http: { trusted_proxies: ['10.0.0.1'] } } }
  const cases: [string, { config: unknown }, Record<string, string | string[]>, number][] = [
    ['directly from this machine', nobody, {}, 200],
    ['from this machine through a proxy that says Forwarded', nobody, { forwarded: 'for=1.2.3.4' }, 401],
    ['… X-Forwarded-For', nobody, { 'x-forwarded-for': '1.2.3.4' }, 401],
    ['… X-Forwarded-Proto', nobody, { 'x-forwarded-proto': 'https' }, 401],
    ['… Via', nobody, { via: '1.1 proxy' }, 401],
    ['with an identity header and no trusted proxy', nobody, { 'x-idp-username': 'ada' }, 401],
    ['with an empty identity header', nobody, { 'x-idp-username': '' }, 401],
    ['from this machine when a trusted proxy is configured', proxied, {}, 401],
    [
      'with an identity from the trusted proxy',
      proxied,
      { 'x-idp-username': 'ada', 'x-forwarded-for': '1.2.3.4' },
      200
    ],
    ['with an empty identity from the trusted proxy', proxied, { 'x-idp-username': ' ' }, 401],
    ['with two identities', proxied, { 'x-idp-username': ['ada', 'eve'] }, 401],
    ['with an identity from an address that is not the proxy', foreign, { 'x-idp-username': 'ada' }, 401],
    ['as one of the operators', picky, { 'x-idp-username': 'ada' }, 200],
    ['as somebody else', picky, { 'x-idp-username': 'eve' }, 403],
    ['with a false token, even from this machine', nobody, { authorization: 'Bearer lookout_nonsense' }, 401],
    ['with another kind of credential', nobody, { authorization: 'Basic YTpi' }, 200],
    [
      'with an unknown bearer beside a trusted identity',
      proxied,
      { 'x-idp-username': 'ada', authorization: 'Bearer ey.j.wt' },
      200
    ]
  ]
  for (const [name, options, headers, status] of cases) {
    await t.test(name, async (t) => {
      const { ask } = await station(t, options)
      const answer = await ask({ path: WRITE, body: matrix, headers })
      t.equal(answer.status, status)
      if (status === 401) t.match(answer.headers['www-authenticate'], /Bearer/)
      if (status >= 400) t.match(answer.body, { status, type: 'about:blank' })
      t.equal((await ask({ path: WRITE, headers })).status, 200, 'reading stays open')
    })
  }
})

t.test('a name beyond ASCII is the same in UTF-8, as identity providers send it, and in ISO 8859-1', async (t) => {
  const { ask } = await station(t, {
    config: { http: { trusted_proxies: ['127.0.0.1'], operators: ['Łukasz', 'Zoë'] } }
  })
  // A body of bytes, or Node would write the header in UTF-8 by itself.
  const raw = Buffer.from(JSON.stringify(matrix))
  for (const [name, encoding] of [
    ['Łukasz', 'utf8'],
    ['Zoë', 'utf8'],
    ['Zoë', 'latin1']
  ] as const) {
    const headers = {
      'content-type': 'application/json',
      'x-idp-username': Buffer.from(name, encoding).toString('latin1')
    }
    t.equal((await ask({ path: WRITE, raw, headers })).status, 200, `${name} in ${encoding}`)
  }
})

t.test('a token of scope events sends events and nothing else; one of scope operator does both', async (t) => {
  const { ask, context } = await station(t, { config: { http: { trusted_proxies: ['10.0.0.1'] } } })
  const events = await context.tokens.create({ scope: 'events', name: 'sensor' })
  const operator = await context.tokens.create({ scope: 'operator' })
  const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
  t.equal((await ask({ path: '/api/events', body: fire, headers: as(events) })).status, 202)
  t.equal((await ask({ path: WRITE, body: matrix, headers: as(events) })).status, 403)
  t.equal((await ask({ path: '/api/events', body: fire, headers: as(operator) })).status, 202)
  t.equal((await ask({ path: WRITE, body: matrix, headers: as(operator) })).status, 200)
  t.equal((await ask({ path: '/api/events', body: fire })).status, 401)
  await context.tokens.revoke(events.id)
  t.equal((await ask({ path: '/api/events', body: fire, headers: as(events) })).status, 401)
})

t.test('origins are compared with the port', async (t) => {
  const cases: [string, string, boolean][] = [
    ['http://box.local:8080', 'box.local:8080', true],
    ['http://box.local:8081', 'box.local:8080', false],
    ['http://box.local', 'box.local:80', true],
    ['https://box.local', 'box.local', true],
    ['https://box.local:443', 'box.local', true],
    ['https://BOX.local', 'box.local', true],
    ['http://[::1]:80', '[::1]', true],
    ['http://evil.example', 'box.local', false],
    ['null', 'box.local', false],
    ['http://box.local/path', 'box.local', false],
    ['file://', 'box.local', false]
  ]
  for (const [origin, host, want] of cases) t.equal(isSameOrigin(origin, host), want, `${origin} at ${host}`)
})

t.test('writes that another web site makes a browser send are refused, whoever is signed in', async (t) => {
  const { ask, service, file } = await station(t)
  const host = `127.0.0.1:${service.port}`
  const before = file()
  const cases: [Record<string, string>, number][] = [
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: `http://127.0.0.1:${service.port + 1}` }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: `http://${host}` }, 422],
    [{ 'sec-fetch-site': 'none' }, 422],
    [{}, 422]
  ]
  for (const [headers, status] of cases)
    t.equal((await ask({ path: WRITE, body: {}, headers })).status, status, JSON.stringify(headers))
  t.equal(file(), before)
})

t.test('behind a trusted proxy that changes Host, the forwarded name is the one that counts', async (t) => {
  const { ask } = await station(t, { config: { http: { trusted_proxies: ['127.0.0.1'] } } })
  const headers = { 'x-idp-username': 'ada', 'x-forwarded-host': 'box.example', origin: 'https://box.example' }
  t.equal((await ask({ path: WRITE, body: matrix, headers })).status, 200)
  t.equal(
    (await ask({ path: WRITE, body: matrix, headers: { ...headers, origin: 'https://evil.example' } })).status,
    403
  )
})

t.test('explain and back-test store nothing: open without signing in, but limited in rate', async (t) => {
  const { ask, clock } = await station(t, { config: { http: { trusted_proxies: ['10.0.0.1'] } } })
  const question = { path: `${WRITE}/backtest`, body: { matrix, since: '2026-06-24T00:00:00Z' } }
  for (let nth = 1; nth <= 10; nth++) t.equal((await ask(question)).status, 200, `back-test ${nth}`)
  const refused = await ask(question)
  t.equal(refused.status, 429)
  t.equal(refused.headers['retry-after'], '1')
  await clock.runTo(clock.now() + 2000)
  t.equal((await ask(question)).status, 200)
  await clock.runTo(clock.now() + 1000)
  t.equal((await ask({ path: `${WRITE}/explain`, body: { event: fire } })).status, 200)
})

t.test('each peer has a bucket of its own, and only so many are remembered', async (t) => {
  let now = 0
  const limit = new RateLimit({ now: () => now, capacity: 2, perSecond: 1 })
  limit.take('a', 1)
  limit.take('a', 1)
  t.throws(() => limit.take('a', 1), { code: 'rate-limited' })
  limit.take('b', 2)
  now = 1000
  limit.take('a', 1)
  t.throws(() => limit.take('a', 1), { code: 'rate-limited' })
  for (let peer = 0; peer < 1000; peer++) limit.take(`peer ${peer}`, 1)
  limit.take('a', 2)
  now = -1_000_000
  t.throws(() => limit.take('a', 1), { code: 'rate-limited' }, 'a clock set back fills no bucket')
})
