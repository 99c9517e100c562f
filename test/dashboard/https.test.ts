import { createServer } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { HttpsPort } from '../../src/dashboard/server/https-port.ts'
import { because } from '../../src/model/reason.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { AppError } from '../../src/platform/errors.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { findProgram } from '../../src/platform/process/programs.ts'
import type { KeyPair } from '../../src/platform/tls/certificate.ts'
import { type KeyPairs, OwnPairs } from '../../src/platform/tls/key-pairs.ts'
import { FROM_AFAR, NOW, type Station, station } from './harness.ts'

/** The second port (contract §10): the same answers by TLS, under the same limits; HTTP goes on whatever becomes of it. */

const without = findProgram('openssl') === null ? { skip: 'openssl is not installed' } : {}
const MINUTE = 60_000

async function newPair(t: Test): Promise<KeyPair> {
  const pairs = new OwnPairs({ folder: t.testdir({}), names: () => ['lookout.local', '10.42.0.1'], time: () => null })
  return (await pairs.current(new AbortController().signal)).pair
}

interface Secured extends Station {
  https: HttpsPort
  clock: VirtualClock
  port: () => number
  offer: (offered: KeyPair | AppError) => void
  lines: string[]
  /** The address from which comes what comes next. */
  from: (address: string) => void
}

async function secured(
  t: Test,
  first: KeyPair | AppError,
  { port = 0, config = {} }: { port?: number; config?: unknown } = {}
): Promise<Secured> {
  let offered = first
  let address = '127.0.0.1'
  const clock = new VirtualClock(NOW)
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  const pairs: KeyPairs = {
    current: async () => {
      if (offered instanceof AppError) throw offered
      return { pair: offered, problem: null }
    }
  }
  const https = new HttpsPort({ host: '127.0.0.1', port, pairs, clock, log })
  const s = await station(t, { config, https, addressOf: () => address })
  await https.look()
  return {
    ...s,
    https,
    clock,
    lines,
    offer: (next) => {
      offered = next
    },
    port: () => (https.state.state === 'on' ? https.state.port : 0),
    from: (next) => {
      address = next
    }
  }
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Of the certificate that the other end showed. */
  fingerprint: string
}

/** One request by TLS on a connection of its own. */
function askSecurely(
  port: number,
  path: string,
  { headers = {}, form }: { headers?: Record<string, string>; form?: Record<string, string> } = {}
): Promise<Answer> {
  const body = form === undefined ? undefined : new URLSearchParams(form).toString()
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, agent: false, rejectUnauthorized: false }
    const method = body === undefined ? 'GET' : 'POST'
    const asked = request({ ...options, method, headers: { ...type, ...headers } }, (res) => {
      // It is gone once the answer has ended.
      const { fingerprint256: fingerprint } = (res.socket as ReturnType<typeof connect>).getPeerCertificate()
      let text = ''
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text, fingerprint }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

t.test('both ports answer; the cookie of a sign-in by HTTPS is for HTTPS alone', without, async (t) => {
  const s = await secured(t, await newPair(t))
  t.equal((await askSecurely(s.port(), '/api/health/live')).status, 200)
  t.equal((await s.ask('/api/health/live')).status, 200)
  t.equal((await askSecurely(s.port(), '/alerts')).status, 200)
  t.match(JSON.parse((await askSecurely(s.port(), '/api/session')).text), { how: 'loopback', encrypted: true })
  const handedOn = await askSecurely(s.port(), '/api/session', { headers: FROM_AFAR })
  t.match(JSON.parse(handedOn.text), { how: 'none' }, 'who sits elsewhere is no operator for the sake of TLS')

  const code = await s.context.sessions.newClaim()
  const claimed = await askSecurely(s.port(), '/sign-in', {
    headers: FROM_AFAR,
    form: { code: code ?? '', passphrase: 'correct horse' }
  })
  t.equal(claimed.status, 303)
  const cookie = claimed.headers['set-cookie']?.[0] ?? ''
  t.match(cookie, /^__Host-lookout_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure$/)
  const [own = ''] = cookie.split(';')
  const session = await askSecurely(s.port(), '/api/session', { headers: { ...FROM_AFAR, cookie: own } })
  t.match(JSON.parse(session.text), {
    how: 'session',
    can_write: true,
    encrypted: true,
    https: { state: 'on', port: s.port() }
  })

  const plain = await s.ask({
    method: 'POST',
    path: '/sign-in',
    raw: 'passphrase=correct+horse',
    headers: { ...FROM_AFAR, 'content-type': 'application/x-www-form-urlencoded' }
  })
  t.match(plain.headers['set-cookie']?.[0], /^lookout_session=(?!.*Secure)/, 'a browser takes it beside the other')
  const both = `${plain.headers['set-cookie']?.[0]?.split(';')[0]}; ${own}`
  const out = await askSecurely(s.port(), '/sign-out', { headers: { ...FROM_AFAR, cookie: both }, form: { back: '/' } })
  t.match(out.headers['set-cookie']?.[0], /^__Host-lookout_session=; .*Max-Age=0; Secure$/)
  const after = await askSecurely(s.port(), '/api/session', { headers: { ...FROM_AFAR, cookie: own } })
  t.match(JSON.parse(after.text), { how: 'none' })
})

t.test(
  'over HTTP the sign-in page offers HTTPS under the name it was asked by; over HTTPS it warns of nothing',
  without,
  async (t) => {
    const pair = await newPair(t)
    const s = await secured(t, pair)
    for (const [host, shown] of [
      ['lookout.local:8080', 'lookout.local'],
      ['10.42.0.1', '10.42.0.1'],
      ['[fd00::1]:8080', '[fd00::1]']
    ] as const) {
      const { text } = await s.ask({ path: '/sign-in?back=/radios', headers: { host } })
      t.match(text, `href="https://${shown}:${s.port()}/sign-in?back=%2Fradios"`)
      t.match(text, 'not encrypted')
      t.match(text, pair.facts.fingerprint)
    }
    const { text } = await askSecurely(s.port(), '/sign-in', { headers: FROM_AFAR })
    t.notMatch(text, 'not encrypted')
    t.match(text, pair.facts.fingerprint)
    const evil = await s.ask({ path: '/sign-in', headers: { host: 'evil.example' } })
    t.equal(evil.status, 403)
  }
)

t.test('without HTTPS everything is as it was; a failure is told to those who can mend it', async (t) => {
  const s = await station(t)
  t.match((await s.ask('/api/session')).body, { encrypted: false, https: { state: 'off', port: null, problem: null } })
  const failing = await secured(
    t,
    new AppError('missing', because('of_file', { file: '/etc/x.pem', said: because('tls_no_key') }))
  )
  t.equal(failing.https.state.state, 'failed')
  t.match((await failing.ask('/api/session')).body.https, { state: 'failed', problem: /\/etc\/x\.pem/ })
  t.notMatch((await failing.ask({ path: '/api/session', headers: FROM_AFAR })).text, '/etc/x.pem')
  t.match((await failing.ask('/sign-in')).text, '/etc/x.pem')
  t.notMatch((await failing.ask({ path: '/sign-in', headers: FROM_AFAR })).text, /x\.pem|HTTPS:/)
  t.equal(failing.lines.filter((line) => line.includes('no HTTPS')).length, 1)
})

t.test(
  'a new certificate is used within a minute, without a restart; a lost one is told once and found again',
  without,
  async (t) => {
    const [one, two] = [await newPair(t), await newPair(t)]
    const s = await secured(t, one)
    const before = await askSecurely(s.port(), '/api/health/live')
    t.equal(before.fingerprint, one.facts.fingerprint)
    s.offer(two)
    await s.clock.runTo(NOW + MINUTE)
    await s.https.look()
    t.equal((await askSecurely(s.port(), '/api/health/live')).fingerprint, two.facts.fingerprint)
    t.equal(s.lines.filter((line) => line.includes('HTTPS with the certificate')).length, 2)
    await s.https.look()
    t.equal(s.lines.filter((line) => line.includes('HTTPS with the certificate')).length, 2, 'each once')
    t.equal(s.clock.waiting, 1, 'it looks once a minute')
  }
)

t.test('a port that is taken is told; HTTP goes on, and HTTPS begins when it is free', without, async (t) => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const s = await secured(t, await newPair(t), { port })
  t.match(s.https.state, { state: 'failed', reason: { code: 'cannot_listen' } })
  t.equal((await s.ask('/api/health/live')).status, 200)
  await new Promise((resolve) => other.close(resolve))
  await s.clock.runTo(NOW + MINUTE)
  await s.https.look()
  t.match(s.https.state, { state: 'on', port })
  t.equal((await askSecurely(port, '/api/health/live')).status, 200)
})

/** A connection by TLS; false when the station cut it off. */
function shakeHands(t: Test, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    t.teardown(() => socket.destroy())
    socket.once('secureConnect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

t.test('one address holds its share of connections on both ports together', without, async (t) => {
  const s = await secured(t, await newPair(t), { config: { http: { connections_per_address: 6 } } })
  s.from('10.42.0.7')
  const plain: Socket[] = []
  for (let n = 0; n < 3; n++) {
    const socket = connectPlain(s.service.port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    await new Promise((resolve) => {
      socket.once('data', resolve)
      socket.write('GET /api/health/live HTTP/1.1\r\nHost: 10.42.0.1\r\n\r\n')
    })
    plain.push(socket)
  }
  for (let n = 0; n < 3; n++) t.equal(await shakeHands(t, s.port()), true)
  t.equal(await shakeHands(t, s.port()), false, 'one more is cut off')
  s.from('10.42.0.8')
  t.equal(await shakeHands(t, s.port()), true, 'another address has its own')
})

t.test('handshakes of one address have a rate, for each costs the thread that holds the radios', without, async (t) => {
  const s = await secured(t, await newPair(t), { config: { http: { connections_per_address: 512 } } })
  s.from('10.42.0.7')
  let taken = 0
  while (taken < 100 && (await shakeHands(t, s.port()))) taken++
  t.equal(taken, 40)
  s.from('10.42.0.8')
  t.equal(await shakeHands(t, s.port()), true, 'another address is not held up')
  s.from('127.0.0.1')
  for (let n = 0; n < 50; n++) if (!(await shakeHands(t, s.port()))) t.fail('this machine has no rate')
})

t.test('who speaks plainly to it, or not at all, harms nobody', without, async (t) => {
  const s = await secured(t, await newPair(t))
  for (const words of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\x00', '\0'.repeat(1000)]) {
    const socket = connectPlain(s.port(), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(words)
    if (words.startsWith('GET')) await new Promise((resolve) => socket.once('close', resolve))
    else socket.destroy()
  }
  t.equal((await askSecurely(s.port(), '/api/health/live')).status, 200)
})
