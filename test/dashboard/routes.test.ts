import t from 'tap'
import { readTarget } from '../../src/dashboard/server/path.ts'
import { ask, type Question, station } from './harness.ts'

const REMOVED = [
  '/api/config',
  '/api/traffic/flow/8/41/90.png',
  '/api/place/node/123',
  '/api/place/wikidata/Q42',
  '/api/wiki-enrich',
  '/api/wiki-rewrite',
  '/api/landclass',
  '/api/geocode',
  '/api/geocode?q=boise',
  '/api/reverse',
  '/api/reverse/43.6/-116.2',
  '/api/address_book/lookup',
  '/api/address_book/list',
  '/api/contacts',
  '/api/contacts/7',
  '/api/contacts/export.csv',
  '/api/auth/whoami',
  '/api/offroute',
  '/api/mvum',
  '/nav-i',
  '/nav-i/map',
  '/nav-i/a/b/c.html',
  '/deleted-contacts',
  '/deleted-contacts/7'
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const DISGUISES: ((path: string) => string)[] = [
  (path) => path,
  (path) => path.replace(/(\?|$)/, '/$1'),
  (path) => path.replace(/(\?|$)/, '//$1'),
  (path) => `/${path}`,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.slice(0, 1) + path.slice(1).replaceAll('/', '%2F'),
  (path) => path.toUpperCase(),
  (path) => `${path}%00`,
  (path) => `/api/..${path}`,
  (path) => `${path}/%zz`
]
const TRIMMINGS: [string, Partial<Question>][] = [
  ['without headers', {}],
  ['with a wrong origin', { headers: { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' } }],
  ['with an unknown host', { headers: { host: 'evil.example' } }],
  ['with a false token', { headers: { authorization: 'Bearer nonsense' } }],
  ['with an identity nobody trusts', { headers: { 'x-idp-username': 'root', 'x-forwarded-for': '1.2.3.4' } }],
  ['asking for a page', { headers: { accept: 'text/html' } }],
  ['with an unknown expectation', { headers: { expect: 'the-unexpected' } }],
  ['with a broken body of another type', { raw: '{"a', headers: { 'content-type': 'text/plain' } }]
]

t.test(
  'a removed route is as unknown as any other path: 404 and one body, whatever the method, headers or spelling',
  async (t) => {
    const { service, ask } = await station(t)
    const unknown = await ask('/there/never/was/such/a/path')
    t.equal(unknown.status, 404)
    t.match(unknown.body, { type: 'about:blank', title: 'Not Found', status: 404, errors: [] })
    t.equal(unknown.body.error, unknown.body.detail)
    t.equal(unknown.headers['content-type'], 'application/problem+json; charset=utf-8')
    const wrong: string[] = []
    const check = async (name: string, question: Question): Promise<void> => {
      const answer = await ask(question)
      const same = answer.status === 404 && (question.method === 'HEAD' || answer.text === unknown.text)
      if (!same || answer.headers.location !== undefined) wrong.push(`${name}: ${answer.status}`)
    }
    for (const path of REMOVED) {
      for (const method of METHODS) await check(`${method} ${path}`, { method, path })
      for (const disguise of DISGUISES) await check(`GET ${disguise(path)}`, { path: disguise(path) })
      for (const [name, extra] of TRIMMINGS) await check(`POST ${path} ${name}`, { method: 'POST', path, ...extra })
    }
    t.same(wrong, [])
    t.ok(service.port > 0)
  }
)

t.test('a body of 2 MB to a removed route is a 404, not a 413', async (t) => {
  const { ask } = await station(t)
  const answer = await ask({
    path: '/api/geocode',
    raw: Buffer.alloc(2_000_000, 32),
    headers: { 'content-type': 'application/json' }
  })
  t.equal(answer.status, 404)
})

/** As browsers ask for the address that somebody typed or followed. */
const OPENED = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'upgrade-insecure-requests': '1' }

t.test(
  'who opens an unknown address in a browser reads in his language that there is none, and the way back',
  async (t) => {
    const { ask } = await station(t)
    const unknown = await ask({ path: '/nowhere', headers: OPENED })
    t.equal(unknown.status, 404)
    t.match(unknown.headers, { 'content-type': 'text/html; charset=utf-8', 'content-language': 'en' })
    t.match(unknown.text, /<html lang="en"[\s\S]*<h1>No such page<\/h1>\s*<p>There is nothing at this address\.<\/p>/)
    t.match(unknown.text, /<a [^>]*href="\/">Overview<\/a>/)
    const german = await ask({ path: '/nowhere', headers: { ...OPENED, 'accept-language': 'de' } })
    t.match(
      german.text,
      /<html lang="de"[\s\S]*<h1>Diese Seite gibt es nicht<\/h1>\s*<p>Unter dieser Adresse gibt es nichts\./
    )
    for (const path of ['/nav-i', '/deleted-contacts/7', '/%zz', '//nowhere'])
      t.match(await ask({ path, headers: OPENED }), { status: 404, text: unknown.text }, path)
    const foreign = await ask({ path: '/nowhere', headers: { ...OPENED, host: 'evil.example' } })
    t.equal(foreign.text, unknown.text, 'and nothing of the station, under whatever name it was asked')
  }
)

t.test('programs get the problem document at every unknown address, and everybody below /api', async (t) => {
  const { ask } = await station(t)
  for (const question of [
    { path: '/nowhere' },
    { path: '/nowhere', headers: { accept: 'text/html' } },
    { path: '/api/nowhere', headers: OPENED },
    { path: '/nowhere', method: 'POST', headers: OPENED }
  ])
    t.match(
      (await ask(question)).headers,
      { 'content-type': 'application/problem+json; charset=utf-8' },
      JSON.stringify(question)
    )
})

t.test('there is no catch-all page: only listed pages answer', async (t) => {
  const { ask } = await station(t)
  for (const path of [
    '/index.html',
    '/mesh-a',
    '/mesh-b',
    '/mesh-c/routing',
    '/settings/x',
    '/static',
    '/static/',
    '/web/style.css',
    '/docs/none',
    '/api',
    '/api/',
    '/favicon.ico'
  ])
    t.equal((await ask({ path, headers: { accept: 'text/html' } })).status, 404, path)
})

t.test(
  'every listed page and read route answers, with HEAD, with one trailing slash and percent-encoded too',
  async (t) => {
    const { ask } = await station(t)
    const paths = [
      '/alerts',
      '/mesh-a/routing',
      '/mesh-b/routing',
      '/docs/api',
      '/api/notifications/regions',
      '/api/notifications/families',
      '/api/notifications/region-routing'
    ]
    paths.push(
      '/api/events',
      '/api/deliveries',
      '/api/radios',
      '/api/status',
      '/api/profile',
      '/api/health',
      '/api/health/live',
      '/api/health/ready',
      '/metrics',
      '/api/openapi.json',
      '/static/style.css',
      '/static/pages/overview/script.js'
    )
    for (const path of paths) {
      const plain = await ask(path)
      t.equal(plain.status, 200, path)
      t.ok(plain.text.length > 0, `${path} has a body`)
      t.equal((await ask(`${path}/`)).status, 200, `${path}/`)
      t.equal((await ask(`${path}//`)).status, 404, `${path}//`)
      t.equal((await ask(path.replace('s', '%73'))).status, 200, `${path} encoded`)
      const head = await ask({ method: 'HEAD', path })
      t.equal(head.status, 200, `HEAD ${path}`)
      t.equal(head.text, '')
      t.equal(head.headers['content-type'], plain.headers['content-type'])
    }
    t.equal((await ask('/')).status, 200)
    for (const path of ['/notifications', '/notifications/', '/notifications/routing']) {
      const answer = await ask(path)
      t.same([answer.status, answer.headers.location], [302, '/mesh-a/routing'], path)
    }
  }
)

t.test(
  'a wrong method on a known path is 405 and names the right ones, before rights and body are looked at',
  async (t) => {
    const { ask } = await station(t, { config: { http: { trusted_proxies: ['10.0.0.1'] } } })
    const cases: [string, string, string][] = [
      ['DELETE', '/api/events', 'GET, HEAD, POST'],
      ['PUT', '/api/notifications/region-routing', 'GET, HEAD, POST'],
      ['OPTIONS', '/api/notifications/region-routing/explain', 'POST'],
      ['GET', '/api/notifications/region-routing/backtest', 'POST'],
      ['POST', '/api/status', 'GET, HEAD'],
      ['POST', '/', 'GET, HEAD'],
      ['POST', '/static/style.css', 'GET, HEAD'],
      ['POST', '/notifications', 'GET, HEAD']
    ]
    for (const [method, path, allow] of cases) {
      const answer = await ask({ method, path, headers: { origin: 'http://evil.example' } })
      t.same([answer.status, answer.headers.allow], [405, allow], `${method} ${path}`)
      t.match(answer.body, { status: 405, title: 'Method Not Allowed' })
    }
  }
)

t.test('a request target is read by RFC 9112: path, query, absolute form', async (t) => {
  const cases: [string, string | null][] = [
    ['/', '/'],
    ['/a', '/a'],
    ['/a/', '/a'],
    ['/a//', null],
    ['//a', null],
    ['//', null],
    ['/a?b=/c', '/a'],
    ['/a/?b', '/a'],
    ['/%61', '/a'],
    ['/a%2Fb', '/a%2Fb'],
    ['/a%zz', null],
    ['*', null],
    ['', null],
    ['http://host:1/a?x', '/a'],
    ['http://host', '/'],
    ['http://host?x=1', '/'],
    ['/a#b', '/a']
  ]
  for (const [url, want] of cases) t.equal(readTarget(url)?.path ?? null, want, url)
  t.equal(readTarget('/a?limit=5')?.query.get('limit'), '5')
})

t.test('every answer says that nothing foreign may run, be framed or guessed', async (t) => {
  const { ask } = await station(t)
  for (const path of ['/', '/api/status', '/static/style.css', '/nothing/here']) {
    const { headers } = await ask(path)
    t.match(headers['content-security-policy'], /default-src 'self'.*frame-ancestors 'none'/, path)
    t.match(headers, { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' }, path)
  }
})

t.test('only names of this machine are answered to, so that no web page can rebind its own name to it', async (t) => {
  const { service, ask } = await station(t, {
    config: { http: { allowed_hosts: ['lookout.example', 'Other.Example:9000'] } }
  })
  const cases: [string, number][] = [
    [`127.0.0.1:${service.port}`, 200],
    ['[::1]:8080', 200],
    ['192.168.7.9', 200],
    ['localhost', 200],
    ['LOCALHOST.:80', 200],
    ['lookout.local:8080', 200],
    ['lookout.example', 200],
    ['lookout.example:1234', 200],
    ['other.example:9000', 200],
    ['other.example:9001', 403],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['local', 403],
    ['127.1', 403],
    ['a b', 403]
  ]
  for (const [host, status] of cases)
    t.equal((await ask({ path: '/api/status', headers: { host } })).status, status, host)
})

t.test('static files come with a tag, and a wrong range or a path out of the folder does no harm', async (t) => {
  const { ask } = await station(t)
  const style = await ask('/static/style.css')
  t.match(style.headers['content-type'], /text\/css/)
  const tag = String(style.headers.etag)
  t.equal((await ask({ path: '/static/style.css', headers: { 'if-none-match': tag } })).status, 304)
  for (const range of ['bytes=9-2', 'bytes=abc', 'bytes=999999999-'])
    t.equal((await ask({ path: '/static/style.css', headers: { range } })).status, 200, range)
  for (const path of [
    '/static/../package.json',
    '/static/%2e%2e/package.json',
    '/static/..%2fpackage.json',
    '/static/style'
  ])
    t.equal((await ask(path)).status, 404, path)
})

t.test('a port that is taken is said in plain words', async (t) => {
  const { service, context } = await station(t)
  const { startHttp } = await import('../../src/dashboard/http-server.ts')
  await t.rejects(startHttp(context, { host: '127.0.0.1', port: service.port }), {
    code: 'unavailable',
    message: /cannot listen on 127\.0\.0\.1/
  })
})

t.test('a bug is a 500 that tells nothing, and a line in the log that tells all', async (t) => {
  const { service, logged } = await station(t, {
    context: {
      radios: () => {
        throw new Error('secret detail')
      }
    }
  })
  const answer = await ask(service.port, { path: '/api/radios' })
  t.equal(answer.status, 500)
  t.notMatch(answer.text, /secret detail/)
  t.match(logged.join(''), /secret detail/)
})
