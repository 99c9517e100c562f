import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { backPath } from '../../src/dashboard/server/back.ts'
import { SignInLimit } from '../../src/dashboard/server/sign-in-limit.ts'
import { SessionStore } from '../../src/platform/sessions/session-store.ts'
import { type Answer, FROM_AFAR, type Station, station } from './harness.ts'

const WRITE = '/api/notifications/region-routing'
const matrix = { enabled: true, cells: {} }
/** As a phone on the hotspot is to us: not this machine itself. */
const PHONE = FROM_AFAR

type Headers = Record<string, string>

function submit({ ask }: Pick<Station, 'ask'>, path: string, fields: Record<string, string>, headers: Headers = {}) {
  return ask({
    path,
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...PHONE, ...headers }
  })
}

/** The header that the browser sends back. */
function cookieOf({ headers }: Answer): Headers {
  return { cookie: (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' }
}

async function claimed(t: Parameters<typeof station>[0], options: Parameters<typeof station>[1] = {}) {
  const found = await station(t, options)
  const code = await found.context.sessions.newClaim()
  const answer = await submit(found, '/sign-in', { code, passphrase: 'correct horse', back: '/mesh-a/routing' })
  return { ...found, answer, cookie: cookieOf(answer) }
}

t.test('a claim code in the address is not taken: it would stand in histories and logs of proxies', async (t) => {
  const found = await station(t)
  const code = await found.context.sessions.newClaim()
  const { text } = await found.ask({ path: `/sign-in?code=${code}`, headers: PHONE })
  t.notMatch(text, code)
  t.match(text, '/static/pages/sign-in/script.js', 'the page takes it from behind #')
})

t.test('a claim code is good once, and guesses at it wait as those at the passphrase do', async (t) => {
  const found = await station(t)
  const code = await found.context.sessions.newClaim()
  const guess = (code: string) => submit(found, '/sign-in', { code, passphrase: 'correct horse' })
  const said: number[] = []
  for (let tried = 0; tried < 7; tried++) said.push((await guess(`0000-000${tried}`)).status)
  t.same(said, [401, 401, 401, 401, 401, 429, 429])
  t.equal((await guess(code)).status, 429, 'the right one waits too')
  await found.clock.runTo(found.clock.now() + 61_000)
  t.equal((await guess(code)).status, 303)
  t.equal((await guess(code)).status, 409, 'used up')
  t.notMatch(found.logged.join(), code)
})

t.test('from the claim code to signing out: the life of a session', async (t) => {
  const found = await station(t)
  const { ask, context } = found
  const write = (headers: Headers) => ask({ path: WRITE, body: matrix, headers: { ...PHONE, ...headers } })
  const session = async (headers: Headers) =>
    (await ask({ path: '/api/session', headers: { ...PHONE, ...headers } })).body
  t.equal((await write({})).status, 401)
  t.match((await write({})).body.detail, '/sign-in')
  t.same(await session({}), {
    identity: null,
    how: 'none',
    can_write: false,
    claimed: false,
    sign_in: 'claim_code',
    local_operator: 'on',
    encrypted: false,
    https: { state: 'off', port: null, fingerprint: null, valid_to: null, names: [], problem: null },
    problem: null
  })
  const before = await ask({ path: '/sign-in?back=/mesh-a/routing', headers: PHONE })
  t.equal(before.status, 200)
  t.match(before.text, /There is no claim code at present.*lookout token claim/)
  t.match(before.text, /<input type="hidden" name="back" value="\/mesh-a\/routing">/)

  const code = await context.sessions.newClaim()
  t.match((await ask({ path: '/sign-in', headers: PHONE })).text, /shows the code in its log/)
  const wrong = await submit(found, '/sign-in', { code: '0000-0000', passphrase: 'correct horse' })
  t.equal(wrong.status, 401)
  t.match(wrong.text, /role="alert">This is not the claim code/)
  t.equal(wrong.headers['set-cookie'], undefined)
  const short = await submit(found, '/sign-in', { code, passphrase: 'short' })
  t.equal(short.status, 422)
  t.match(short.text, /at least 8 characters/)
  t.match(short.text, `value="${code}"`, 'the code need not be typed again')

  const claim = await submit(found, '/sign-in', { code, passphrase: 'correct horse', back: '/mesh-a/routing' })
  t.equal(claim.status, 303)
  t.equal(claim.headers.location, '/mesh-a/routing')
  const [, ...flags] = (claim.headers['set-cookie']?.[0] ?? '').split('; ')
  t.same(flags.sort(), ['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Strict'])
  const mine = cookieOf(claim)
  t.match(mine['cookie'], /^lookout_session=[\w-]{43}$/)
  t.equal((await write(mine)).status, 200)
  t.equal((await write({ cookie: `lang=de; ${mine['cookie']}; theme=dark` })).status, 200)
  t.equal((await write({ cookie: `${mine['cookie']}x` })).status, 401)
  t.equal((await write({ cookie: 'lookout_session=' })).status, 401)
  t.match(await session(mine), { identity: 'operator', how: 'session', can_write: true, claimed: true })
  t.match((await ask({ path: '/sign-in', headers: { ...PHONE, ...mine } })).text, /You are signed in as the operator/)

  const again = await submit(found, '/sign-in', { passphrase: 'correct horse' })
  t.equal(again.headers.location, '/')
  const other = cookieOf(again)
  const restarted = new SessionStore({ folder: found.folder, now: () => found.clock.now() })
  t.ok(await restarted.verify(mine['cookie']?.split('=')[1] ?? ''), 'a restart ends nothing')

  await found.clock.runTo(found.clock.now() + 60_000)
  const refused = await submit(found, '/sign-in/passphrase', { current: 'wrong', passphrase: 'battery staple' }, mine)
  t.equal(refused.status, 401)
  const changed = await submit(
    found,
    '/sign-in/passphrase',
    { current: 'correct horse', passphrase: 'battery staple' },
    mine
  )
  t.equal(changed.status, 303)
  const fresh = cookieOf(changed)
  t.equal((await write(other)).status, 401, 'the others have ended')
  t.equal((await write(fresh)).status, 200)
  t.match(
    (await ask({ path: changed.headers.location ?? '', headers: { ...PHONE, ...fresh } })).text,
    /The passphrase is changed/
  )

  const out = await submit(found, '/sign-out', { back: '/' }, fresh)
  t.equal(out.status, 303)
  t.match(out.headers['set-cookie']?.[0], /^lookout_session=; .*Max-Age=0/)
  t.equal((await write(fresh)).status, 401)
  t.equal((await submit(found, '/sign-out', {})).status, 303, 'signing out twice is no mistake')
})

t.test('the cookie is Secure when the browser came by https', async (t) => {
  const { ask } = await claimed(t)
  const signIn = (headers: Headers) =>
    submit({ ask }, '/sign-in', { passphrase: 'correct horse' }, { host: 'lookout.local', ...headers })
  const cases: [Headers, boolean][] = [
    [{}, false],
    [{ origin: 'http://lookout.local' }, false],
    [{ origin: 'https://lookout.local' }, true],
    [{ 'x-forwarded-proto': 'https' }, true]
  ]
  for (const [headers, secure] of cases) {
    const { status, headers: answered } = await signIn(headers)
    t.equal(status, 303, JSON.stringify(headers))
    t.equal(/; Secure/.test(answered['set-cookie']?.[0] ?? ''), secure, JSON.stringify(headers))
  }
})

t.test('guessing is slow: five tries a minute from one address, whatever they say', async (t) => {
  const found = await claimed(t)
  const attempt = (passphrase: string) => submit(found, '/sign-in', { passphrase })
  for (let nth = 2; nth <= 5; nth++) t.equal((await attempt(`guess number ${nth}`)).status, 401)
  const limited = await attempt('correct horse')
  t.equal(limited.status, 429)
  t.equal(limited.headers['retry-after'], '12')
  t.match(limited.text, /Too many tries: wait 12 s/)
  t.equal(limited.headers['set-cookie'], undefined)
  t.equal(
    (await found.ask({ path: WRITE, body: matrix, headers: { ...PHONE, ...found.cookie } })).status,
    200,
    'who is signed in goes on'
  )
  await found.clock.runTo(found.clock.now() + 12_000)
  t.equal((await attempt('correct horse')).status, 303)
})

/** The seconds that an address waits for its try; the clock goes on meanwhile. */
function patience(limit: SignInLimit, clock: { now: number }) {
  return (peer: string, options?: { known: boolean }): number => {
    for (let seconds = 0; ; seconds++) {
      try {
        limit.take(peer, options)
        return seconds
      } catch {
        clock.now += 1000
      }
    }
  }
}

t.test('one address that guesses on waits longer each time, up to a minute', async (t) => {
  const clock = { now: 1_000_000 }
  const waitsFor = patience(new SignInLimit({ now: () => clock.now }), clock)
  const waits = Array.from({ length: 18 }, () => waitsFor('guest'))
  t.same(waits, [0, 0, 0, 0, 0, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 16, 32, 60])
})

t.test(
  'many addresses win nothing: those that guessed wrong wait for all, and new ones come through slowly',
  async (t) => {
    const clock = { now: 1_000_000 }
    const limit = new SignInLimit({ now: () => clock.now })
    const waitsFor = patience(limit, clock)
    for (let nth = 1; nth <= 31; nth++) limit.take(`peer ${nth}`)
    t.throws(() => limit.take('peer 1'), { code: 'rate-limited', headers: { 'Retry-After': '60' } })
    t.throws(
      () => limit.take('peer 32'),
      { code: 'rate-limited', headers: { 'Retry-After': '3' } },
      'twenty new ones at once'
    )
    t.equal(waitsFor('peer 32'), 3)
    clock.now -= 10_000_000
    limit.take('peer 1')
    clock.now += 20_000_000
    limit.take('peer 1')
  }
)

t.test('a phone that makes up IPv6 addresses uses up the first tries of IPv6 alone', async (t) => {
  const clock = { now: 1_000_000 }
  const limit = new SignInLimit({ now: () => clock.now })
  const guess = (nth: number): void => limit.take(`fe80::${nth.toString(16)}`)
  for (let nth = 1; nth <= 31; nth++) guess(nth)
  t.throws(() => guess(32), { code: 'rate-limited' })
  t.doesNotThrow(() => limit.take('192.168.4.7'), 'the operator, by IPv4')
})

t.test('a guest who guesses without end does not keep out the operator, wherever he comes from', async (t) => {
  const clock = { now: 1_000_000 }
  const limit = new SignInLimit({ now: () => clock.now })
  const guess = (): void => {
    for (const guest of ['a', 'b', 'c']) {
      try {
        limit.take(guest)
      } catch {
        // Refused, which costs him nothing: he tries again at once.
      }
    }
  }
  for (let quarter = 0; quarter < 1200; quarter++) {
    guess()
    clock.now += 250
  }
  t.throws(() => limit.take('a'), { code: 'rate-limited' })
  t.doesNotThrow(() => limit.take('a new phone'))
  guess()
  t.doesNotThrow(() => limit.take('his own', { known: true }))
  guess()
  t.doesNotThrow(() => limit.take('his own', { known: true }), 'a slip of the finger is no guess')
})

t.test(
  'an address that somebody has signed in from is known, over restarts, until the passphrase is forgotten',
  async (t) => {
    const found = await claimed(t)
    const again = () => new SessionStore({ folder: found.folder, cost: { n: 2 ** 14, r: 8, p: 1 } })
    t.equal(await again().hasSignedInFrom('127.0.0.1'), true)
    t.equal(await again().hasSignedInFrom('127.0.0.2'), false)
    await again().newClaim({ reset: true })
    t.equal(await again().hasSignedInFrom('127.0.0.1'), false)
  }
)

t.test('another web site can neither write with the cookie nor use the forms', async (t) => {
  const found = await claimed(t)
  const { service, ask, cookie } = found
  const own = { host: `127.0.0.1:${service.port}`, origin: `http://127.0.0.1:${service.port}` }
  const foreign: Headers[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' }
  ]
  const text = readFileSync(join(found.folder, 'session.json'), 'utf8')
  const configuration = found.file()
  for (const headers of foreign) {
    const name = JSON.stringify(headers)
    t.equal((await ask({ path: WRITE, body: matrix, headers: { ...PHONE, ...cookie, ...headers } })).status, 403, name)
    for (const [path, fields] of [
      ['/sign-in', { passphrase: 'correct horse' }],
      ['/sign-in/passphrase', { current: 'correct horse', passphrase: 'evil passphrase' }],
      ['/sign-out', {}]
    ] as const) {
      const answer = await submit(found, path, fields, { ...cookie, ...headers })
      t.equal(answer.status, 403, `${path} ${name}`)
      t.equal(answer.headers['set-cookie'], undefined)
    }
  }
  t.equal(readFileSync(join(found.folder, 'session.json'), 'utf8'), text)
  t.equal(found.file(), configuration)
  t.equal(
    (await submit(found, '/sign-in', { passphrase: 'correct horse' }, { ...own, 'sec-fetch-site': 'same-origin' }))
      .status,
    303
  )
  t.equal(
    (await ask({ path: '/api/session', headers: { ...PHONE, ...cookie, host: 'evil.example' } })).status,
    403,
    'DNS rebinding'
  )
})

t.test('a form is a form, and a small one', async (t) => {
  const found = await claimed(t)
  const raw = (text: string, type = 'application/x-www-form-urlencoded') =>
    found.ask({ path: '/sign-in', raw: text, headers: { ...PHONE, 'content-type': type } })
  t.equal((await raw('{"passphrase":"correct horse"}', 'application/json')).status, 415)
  t.equal((await raw('passphrase=correct+horse', 'text/plain')).status, 415)
  t.equal((await raw(`passphrase=${'x'.repeat(20_000)}`)).status, 413)
  t.equal((await raw(Array.from({ length: 60 }, (_, nth) => `f${nth}=1`).join('&'))).status, 400)
  t.equal((await raw('passphrase=%ff%fe')).status, 401)
  t.equal((await raw('passphrase=correct+horse&passphrase=wrong')).status, 303, 'the first of two counts')
  t.equal(
    (
      await found.ask({
        path: WRITE,
        raw: 'a=1',
        headers: { ...PHONE, ...found.cookie, 'content-type': 'application/x-www-form-urlencoded' }
      })
    ).status,
    415,
    'the API takes JSON only'
  )
  t.equal((await found.ask({ path: '/sign-in', raw: '', headers: PHONE })).status, 401)
})

t.test('signing in leads back to a page of this station, never elsewhere', async (t) => {
  const cases: [string | undefined, string][] = [
    ['/', '/'],
    ['/events?since=1#x', '/events?since=1#x'],
    ['/mesh-a/routing', '/mesh-a/routing'],
    ['/a/../sources', '/sources'],
    [undefined, '/'],
    ['', '/'],
    ['events', '/'],
    ['//evil.example', '/'],
    ['///evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['/./%2e//evil.example', '/'],
    ['http://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/\tx', '/'],
    ['/\r\nSet-Cookie: a=b', '/'],
    ['/ä', '/'],
    [`/${'x'.repeat(2000)}`, '/']
  ]
  for (const [asked, want] of cases) t.equal(backPath(asked), want, JSON.stringify(asked))
  const found = await claimed(t)
  const { headers } = await submit(found, '/sign-in', { passphrase: 'correct horse', back: '//evil.example/x' })
  t.equal(headers.location, '/')
  const { text } = await found.ask({ path: '/sign-in?back=%22%3E%3Cscript%3E', headers: PHONE })
  t.notMatch(text, '"><script>')
})

t.test('behind a trusted proxy only the proxy says who asks', async (t) => {
  const config = { http: { trusted_proxies: ['127.0.0.1'], operators: ['ada'] } }
  const found = await station(t, { config })
  const { ask, context } = found
  const token = await context.sessions.claim(await context.sessions.newClaim(), 'correct horse')
  const cookie = { cookie: `lookout_session=${token}` }
  t.equal((await ask({ path: WRITE, body: matrix, headers: { ...PHONE, ...cookie } })).status, 401, 'no header: nobody')
  const session = async (headers: Headers) => (await ask({ path: '/api/session', headers })).body
  t.match(await session({ ...PHONE, ...cookie }), { identity: null, how: 'none', can_write: false, sign_in: 'proxy' })
  t.match(await session({ 'x-idp-username': 'ada', ...cookie }), { identity: 'ada', how: 'proxy', can_write: true })
  t.match(
    await session({ 'x-idp-username': 'eve', ...cookie }),
    { identity: 'eve', how: 'proxy', can_write: false },
    'the header counts, not the cookie'
  )
  const tried = await submit(found, '/sign-in', { passphrase: 'correct horse' })
  t.equal(tried.status, 403)
  t.equal(tried.headers['set-cookie'], undefined)
  t.match(tried.text, /identity provider/)
  t.notMatch(tried.text, /<input[^>]+type="password"/)
})

t.test(
  'http.operators is about identities of the proxy: the operator of the station and tokens are not limited',
  async (t) => {
    const { ask, cookie, context } = await claimed(t, {
      config: { http: { trusted_proxies: ['10.0.0.1'], operators: ['ada'] } }
    })
    t.equal((await ask({ path: WRITE, body: matrix, headers: { ...PHONE, ...cookie } })).status, 200)
    const { token } = await context.tokens.create({ scope: 'operator', name: 'script' })
    const authorization = `Bearer ${token}`
    t.equal((await ask({ path: WRITE, body: matrix, headers: { authorization } })).status, 200)
    const { body } = await ask({ path: '/api/session', headers: { authorization, ...cookie } })
    t.match(body, { identity: 'script', how: 'token', can_write: true }, 'a token comes before the cookie')
    const events = await context.tokens.create({ scope: 'events', name: 'sensor' })
    t.match((await ask({ path: '/api/session', headers: { authorization: `Bearer ${events.token}` } })).body, {
      how: 'token',
      can_write: false
    })
    t.equal(
      (await ask({ path: WRITE, body: matrix, headers: { ...cookie, authorization: 'Bearer nonsense' } })).status,
      401
    )
  }
)

t.test('the machine itself needs no session, and is told so', async (t) => {
  const { ask } = await station(t)
  t.match((await ask('/api/session')).body, { identity: 'operator', how: 'loopback', can_write: true, claimed: false })
  t.match((await ask('/sign-in')).text, /count as the operator, without signing in/)
})

t.test(
  'a broken session.json: everybody may still read, the page says what to do, and a new claim repairs it',
  async (t) => {
    const found = await claimed(t)
    const { ask, cookie, context } = found
    writeFileSync(join(found.folder, 'session.json'), '{"sessions": [{"ha')
    const headers = { ...PHONE, ...cookie }
    t.equal((await ask({ path: '/', headers })).status, 200)
    t.equal((await ask({ path: WRITE, body: matrix, headers })).status, 401)
    t.match((await ask({ path: '/api/session', headers })).body, { can_write: false, problem: 'lookout token claim' })
    const page = await ask({ path: '/sign-in', headers })
    t.match(page.text, /session\.json cannot be used.*lookout token claim/)
    t.notMatch(page.text, found.folder, 'where the data lies is nobody else’s business')
    const tried = await submit(found, '/sign-in', { passphrase: 'correct horse' })
    t.equal(tried.status, 503)
    t.notMatch(tried.text, found.folder)
    const code = await context.sessions.newClaim()
    t.equal((await submit(found, '/sign-in', { code, passphrase: 'battery staple' })).status, 303)
  }
)

t.test('the page speaks German', async (t) => {
  const { ask } = await station(t)
  t.match(
    (await ask({ path: '/sign-in', headers: { ...PHONE, 'accept-language': 'de' } })).text,
    /<html lang="de"[\s\S]*<h1>Anmelden<[\s\S]*Diese Station übernehmen/
  )
})

t.test('the page warns where a passphrase would cross the network readable, and only there', async (t) => {
  const found = await claimed(t)
  const warned = async (headers: Headers): Promise<boolean> =>
    /This connection is not encrypted/.test((await found.ask({ path: '/sign-in', headers })).text)
  t.equal(await warned(PHONE), true, 'a phone on the hotspot')
  t.equal(await warned({ ...PHONE, ...found.cookie }), true, 'who changes the passphrase')
  t.equal(await warned({ ...PHONE, 'x-forwarded-proto': 'https' }), false, 'behind a proxy that brings HTTPS')
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080'])
    t.equal(await warned({ ...PHONE, host }), false, `${host}: it goes over no network`)
  const refused = await submit(found, '/sign-in', { passphrase: 'wrong horse' })
  t.match(refused.text, 'This connection is not encrypted', 'after a try, too')
  const german = await found.ask({ path: '/sign-in', headers: { ...PHONE, 'accept-language': 'de' } })
  t.match(german.text, 'Diese Verbindung ist nicht verschlüsselt')
})

t.test('the page of the claim says that the card holds the code, while it does', async (t) => {
  const onCard = { there: true }
  const { ask, context } = await station(t, { context: { claimOnCard: async () => onCard.there } })
  const said = async () => (await ask({ path: '/sign-in', headers: FROM_AFAR })).text
  t.notMatch(await said(), 'lookout-claim.txt', 'no code is offered')
  await context.sessions.newClaim()
  t.match(await said(), 'lookout-claim.txt on the boot partition of the card')
  onCard.there = false
  t.notMatch(await said(), 'lookout-claim.txt')
})

t.test('a code that was sent by radio chooses a new passphrase where there is one already', async (t) => {
  const found = await claimed(t)
  const { ask, context } = found
  t.notMatch((await ask('/sign-in')).text, /Choose a new passphrase/)
  const code = await context.sessions.offerOnce()
  t.match((await ask('/sign-in')).text, /Choose a new passphrase[\s\S]*name="code"/)
  const german = await ask({ path: '/sign-in', headers: { 'accept-language': 'de' } })
  t.match(german.text, /Eine neue Passphrase wählen/)
  const renewed = await submit(found, '/sign-in', { code, passphrase: 'battery staple' })
  t.equal(renewed.status, 303)
  t.notMatch((await ask('/sign-in')).text, /Choose a new passphrase/)
})
