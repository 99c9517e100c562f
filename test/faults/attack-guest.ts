import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { config } from '../helpers/storm.ts'

/** The part of `attack.ts` that runs on the other side: a guest who means harm. Answers the number of tries and what came of them. */
export interface Harm {
  tries: number
  effects: string[]
}

export interface Target {
  host: string
  port: number
  until: number
  /** Texts of the configuration that no guest may read. */
  canaries: readonly string[]
}

/** The order a guest is given. */
export interface Order extends Omit<Target, 'until'> {
  name: string
  seconds: number
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Asked {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  agent?: Agent | false
}

/** Status 0: cut off, or no answer in time. */
function ask(
  { host, port }: Target,
  { method = 'GET', path, headers = {}, body, agent = false }: Asked
): Promise<Answer> {
  return new Promise((resolve) => {
    const none = (): void => resolve({ status: 0, headers: {}, text: '' })
    const sent = { ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }), ...headers }
    const req = request({ host, port, method, path, headers: sent, agent, timeout: 20_000 }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.once('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() })
      )
      res.once('error', none)
    })
    req.once('timeout', () => req.destroy())
    req.once('error', none)
    req.end(body)
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
const isDone = (status: number): boolean => status >= 200 && status < 300

/** Connections that begin a request and never end it, opened again as they are closed; with `drip` a byte of it each second. */
async function hold(target: Target, drip: boolean): Promise<Harm> {
  let tries = 0
  const open = new Set<Socket>()
  const more = (): void => {
    const socket = connect(target.port, target.host, () =>
      socket.write('POST /sign-in HTTP/1.1\r\nHost: 198.18.77.1\r\nX-a:')
    )
    tries++
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
  }
  while (Date.now() < target.until) {
    while (open.size < 700) more()
    if (drip) for (const socket of open) socket.write('a')
    await pause(drip ? 1000 : 100)
  }
  for (const socket of open) socket.destroy()
  return { tries, effects: [] }
}

const SINCE = '2020-01-01T00:00:00Z'
const ring = Array.from({ length: 4000 }, (_, n) => [-115 + Math.cos(n / 637), 44 + Math.sin(n / 637)])
const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
const shaped = { id: 'x', source: 'x', family: 'fire', severity: 'critical', title: 'x', geometry, sent_at: SINCE }
const MATRIX = { matrix: config.notifications.region_routes }
const ROUTING = '/api/notifications/region-routing'
const COSTLY: Asked[] = [
  { path: '/api/coverage/preview', body: JSON.stringify({ coverage: config.coverage, days: 14 }) },
  { path: `${ROUTING}/backtest`, body: JSON.stringify({ ...MATRIX, since: SINCE }) },
  { path: `${ROUTING}/explain`, body: JSON.stringify({ event: shaped, ...MATRIX }) },
  { path: '/api/ask', body: JSON.stringify({ question: 'water fire storm radio battery', limit: 10 }) },
  {
    path: '/api/coverage/preview',
    body: `{"coverage":{"areas":[{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}]}}`
  },
  ...['/api/events?limit=500', '/api/deliveries?limit=500&format=csv', '/history?hours=168', '/docs/api', '/'].map(
    (path) => ({ path })
  ),
  ...[
    '/api/events?q=nothing+like+it',
    '/api/metrics/history?type=feeds&hours=168',
    '/mesh-a/routing',
    '/alerts?refresh=1'
  ].map((path) => ({ path }))
]

/** As many at once as there may be connections, without a look at what is answered. */
async function flood(target: Target): Promise<Harm> {
  let tries = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const one = async (n: number): Promise<void> => {
    for (let at = n; Date.now() < target.until; at++) {
      const asked = COSTLY[at % COSTLY.length] ?? { path: '/' }
      const post = asked.body === undefined ? {} : { method: 'POST', headers: JSON_TYPE }
      tries++
      const { status } = await ask(target, { ...asked, ...post, agent })
      if (status === 0) await pause(50)
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, n) => one(n)))
  agent.destroy()
  return { tries, effects: [] }
}

async function streams(target: Target): Promise<Harm> {
  const sockets = Array.from({ length: 200 }, () => {
    const socket = connect(target.port, target.host, () =>
      socket.write('GET /api/stream HTTP/1.1\r\nHost: 198.18.77.1\r\n\r\n')
    )
    return socket.on('error', () => undefined).resume()
  })
  await pause(target.until - Date.now())
  for (const socket of sockets) socket.destroy()
  return { tries: sockets.length, effects: [] }
}

const SILENCE = JSON.stringify({ family: 'fire', duration: '7d', reason: 'x', include_immediate: true })
const FORWARDED = [
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'cf-connecting-ip',
  'true-client-ip',
  'x-client-ip',
  'x-forwarded-host',
  'via'
]
const LOCAL = ['127.0.0.1', '::1', 'localhost', 'for=127.0.0.1', '127.0.0.1, 198.18.77.2']
const HOSTS = [
  'localhost',
  '127.0.0.1',
  '[::1]',
  'lookout.local',
  'evil.local',
  'evil.example',
  '198.18.77.1.nip.io',
  'localhost.',
  '0.0.0.0'
]
const IDS: Record<string, string>[] = [
  ...FORWARDED.flatMap((name) => LOCAL.map((value) => ({ [name]: value }))),
  ...HOSTS.map((host) => ({ host })),
  ...HOSTS.map((host) => ({ host, origin: `http://${host}` })),
  { 'x-idp-username': 'admin' },
  { 'X-IDP-Username': 'admin', 'x-forwarded-for': '127.0.0.1' },
  { authorization: 'Bearer x' },
  { authorization: 'Bearer ' },
  { authorization: 'Basic YWRtaW46YWRtaW4=' },
  { cookie: 'lookout_session=x' },
  { cookie: `lookout_session=${'A'.repeat(43)}` },
  { 'x-http-method-override': 'DELETE' },
  { 'x-original-url': '/api/silences', 'x-rewrite-url': '/api/silences' }
]
const WRITES: Asked[] = [
  { method: 'POST', path: '/api/silences', body: SILENCE },
  {
    method: 'POST',
    path: '/api/events',
    body: JSON.stringify({ id: 'g', source: 'g', family: 'fire', title: 'Forged', severity: 'immediate' })
  },
  { method: 'POST', path: '/api/coverage', body: '{"areas":[]}' },
  { method: 'POST', path: '/api/radios/probe', body: JSON.stringify({ host: '127.0.0.1', port: 22 }) },
  { method: 'POST', path: '/api/radios/probe', body: JSON.stringify({ path: '/dev/null' }) },
  { method: 'POST', path: '/api/radios/probe/stop', body: '{}' },
  { method: 'POST', path: '/api/backup', body: '' },
  { method: 'POST', path: '/api/update/install', body: '{"older":true}' },
  { method: 'POST', path: '/update', body: 'do=take&path=/etc/shadow' },
  {
    method: 'POST',
    path: '/api/first-run',
    body: JSON.stringify({ station: { name: 'Mine' }, radios: { mt: { link: 'tcp', host: '198.18.77.2' } } })
  },
  { method: 'POST', path: '/api/settings', body: '{"set":{"/commands/admins":["!66666666"]}}' },
  { method: 'POST', path: '/api/audit/1/undo', body: '{}' },
  { method: 'POST', path: '/api/exercise/stop', body: '{}' },
  { method: 'POST', path: '/api/standby/try', body: '{}' },
  { method: 'DELETE', path: '/api/library/sources/1' },
  { method: 'POST', path: '/api/upload?filename=a.txt', body: 'Water', headers: { 'content-type': 'text/plain' } },
  { method: 'POST', path: '/api/uploads', headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' } }
]

/** Requests as they are written, which an HTTP library would not send. */
const RAW = [
  'POST /api/silences HTTP/1.1\r\nHost: 198.18.77.1\r\nHost: 127.0.0.1\r\n',
  'POST /api/silences HTTP/1.0\r\n',
  'POST http://127.0.0.1/api/silences HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'GET /api/health/live HTTP/1.1\r\nHost: 198.18.77.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\nPOST /api/silences HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'POST //api/silences HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'POST /api/%73ilences HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For:\r\n 127.0.0.1\r\n'
]

function raw({ host, port }: Target, head: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () =>
      socket.write(
        `${head}Content-Type: application/json\r\nContent-Length: ${SILENCE.length}\r\nConnection: close\r\n\r\n${SILENCE}`
      )
    )
    let text = ''
    socket.setTimeout(3000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(text))
  })
}

async function identities(target: Target): Promise<Harm> {
  const effects: string[] = []
  let tries = 0
  for (const forged of IDS) {
    for (const asked of WRITES) {
      tries++
      const { status } = await ask(target, { ...asked, headers: { ...JSON_TYPE, ...asked.headers, ...forged } })
      if (isDone(status)) effects.push(`${asked.method} ${asked.path} with ${JSON.stringify(forged)}: ${status}`)
    }
    const session = await ask(target, { path: '/api/session', headers: forged })
    if (/"can_write":true/.test(session.text)) effects.push(`${JSON.stringify(forged)} may write`)
    tries++
  }
  for (const head of RAW) {
    tries++
    const answer = await raw(target, head)
    if (/HTTP\/1\.1 20[1-4]/.test(answer)) effects.push(`${head.split('\r\n')[0]}: ${answer.split('\r\n')[0]}`)
  }
  return { tries, effects }
}

const CODES = ['000000', '123456', 'lookout', 'admin', 'password', 'raspberry', 'changeme']

async function guesses(target: Target): Promise<Harm> {
  let tries = 0
  const effects: string[] = []
  while (Date.now() < target.until) {
    const guess = CODES[tries % CODES.length] ?? ''
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const forms = [
      { path: '/sign-in', body: `passphrase=${guess}&back=/` },
      { path: '/sign-in', body: `code=${guess}&passphrase=${guess}${guess}&back=/` },
      { path: '/sign-in/passphrase', body: `current=${guess}&passphrase=${guess}${guess}` }
    ]
    for (const form of forms) {
      tries++
      const { headers } = await ask(target, {
        method: 'POST',
        ...form,
        headers: { ...type, origin: `http://${target.host}:${target.port}` }
      })
      if (/lookout_session=[\w-]{8}/.test(String(headers['set-cookie']))) effects.push(`"${guess}" signed in`)
    }
  }
  return { tries, effects }
}

const TRAVERSALS = [
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/config.json',
  '....//config.json',
  'config.json%00.pmtiles'
]
const ROOTS = ['/', '/static/', '/static/pages/', '/maps/', '/i18n/', '/documents/', '/api/documents/', '/k/']
const PAGES = [
  '/',
  '/day',
  '/field-card',
  '/comms-log',
  '/exercise',
  '/api/exercise',
  '/exercise-report',
  '/mesh-a',
  '/mesh-b',
  '/mesh-a/routing',
  '/api/first-run',
  '/api/radios/candidates',
  '/api/gazetteer/countries',
  '/api/session',
  '/api/audit',
  '/sign-in?code=AAAA-AAAA',
  '/history',
  '/routing',
  '/notifications',
  '/api/notifications',
  '/api/metrics/history?type=radios',
  '/docs',
  '/docs/wiring',
  '/docs/api',
  '/settings',
  '/settings/notifications',
  '/settings/commands',
  '/settings/sources',
  '/settings/radios',
  '/sources',
  '/radios',
  '/update',
  '/backup',
  '/api/backup',
  '/api/update',
  '/events',
  '/deliveries',
  '/audit',
  '/profile',
  '/first-run',
  '/api/settings',
  '/api/settings/schema',
  '/api/sources',
  '/api/radios',
  '/api/status',
  '/api/events?limit=100',
  '/api/deliveries?limit=100',
  '/api/health',
  '/metrics',
  '/api/coverage',
  '/api/notifications/region-routing'
]
/** Whoever is turned away has read nothing: he comes again. */
const TURNED_AWAY = new Set([0, 429, 503])
const AGAIN_MS = 1000
const MOST_TIMES = 20

async function secrets(target: Target): Promise<Harm> {
  const effects: string[] = []
  let tries = 0
  const paths = [...PAGES, ...ROOTS.flatMap((root) => TRAVERSALS.map((path) => `${root}${path}`))]
  for (const path of paths) {
    let answer = await ask(target, { path })
    for (tries++; TURNED_AWAY.has(answer.status) && tries < MOST_TIMES * paths.length; tries++) {
      await pause(AGAIN_MS)
      answer = await ask(target, { path })
    }
    const { status, text } = answer
    if (TURNED_AWAY.has(status) || status >= 500) effects.push(`${path}: ${status}, so nobody knows what it shows`)
    for (const canary of target.canaries) if (text.includes(canary)) effects.push(`${path} shows ${canary}`)
    if (/^root:.*:0:0:/m.test(text)) effects.push(`${path} shows /etc/passwd`)
  }
  return { tries, effects }
}

/** Short attacks again and again while there is time, so that the times of many warnings are told during each. */
export function again<On extends { until: number }>(attack: (on: On) => Promise<Harm>): (on: On) => Promise<Harm> {
  return async (on) => {
    const all: Harm = { tries: 0, effects: [] }
    do {
      const { tries, effects } = await attack(on)
      all.tries += tries
      all.effects.push(...effects)
    } while (Date.now() < on.until)
    return all
  }
}

export const GUEST_ATTACKS: Record<string, (target: Target) => Promise<Harm>> = {
  connections: (target) => hold(target, false),
  'slow loris': (target) => hold(target, true),
  'request flood': flood,
  'live streams': streams,
  identities: again(identities),
  'sign-in': guesses,
  secrets: again(secrets)
}

/** The whole process of a guest: told by its first line what to do, says by its last line what came of it. */
export async function runGuest(): Promise<void> {
  const [chunk] = (await once(process.stdin, 'data')) as [Buffer]
  const { name, seconds, ...target } = JSON.parse(chunk.toString()) as Order
  // A process takes a while to begin: its time counts from here.
  const harm = await GUEST_ATTACKS[name]?.({ ...target, until: Date.now() + seconds * 1000 })
  process.stdout.write(`${JSON.stringify(harm)}\n`, () => process.exit(0))
}
