import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../../src/knowledge/library/listen-place.ts'
import { eventually, type Running, startLookout } from '../helpers/process.ts'

/** Debian puts servers where only the path of root looks. */
const PATH = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`
const isRoot = (): boolean => process.getuid?.() === 0
const isInstalled = (program: string): boolean =>
  spawnSync(program, ['-v'], { env: { ...process.env, PATH } }).error === undefined

/** Real proxies as somebody installs them who has read nothing: contract §10, nobody becomes the operator through one. */
interface Proxy {
  name: string
  program: string
  /** Lines of its configuration beside the least it needs; the default is none. */
  config: (at: { port: number; station: number; folder: string }) => string
  args: (file: string, folder: string) => string[]
  /** True when only the user that it runs as tells it from a person: not when the tests run as an ordinary user. */
  needsRoot?: true
}

const nginx = (lines: string): Pick<Proxy, 'program' | 'config' | 'args'> => ({
  program: 'nginx',
  config: ({ port, station, folder }) => `
    ${isRoot() ? 'user www-data;' : ''} pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http {
      access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
      uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${station}; ${lines} } }
    }`,
  args: (file) => ['-c', file, '-g', 'daemon off;']
})

const PROXIES: readonly Proxy[] = [
  { name: 'nginx as it comes', ...nginx('') },
  {
    name: 'nginx with Host and X-Real-IP',
    ...nginx('proxy_set_header Host $http_host; proxy_set_header X-Real-IP $remote_addr;')
  },
  {
    name: 'nginx with HTTP/1.1 and nothing else',
    needsRoot: true,
    ...nginx('proxy_http_version 1.1; proxy_set_header Connection "";')
  },
  {
    name: 'haproxy as it comes, which adds nothing and keeps Host',
    program: 'haproxy',
    needsRoot: true,
    config: ({ port, station }) => `
global
  user haproxy
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend in
  bind 127.0.0.1:${port}
  default_backend station
backend station
  server one 127.0.0.1:${station}
`,
    args: (file) => ['-db', '-f', file]
  },
  {
    name: 'caddy as it comes',
    program: 'caddy',
    config: ({ port, station }) => `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${station}
}
`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file]
  },
  {
    name: 'apache as it comes',
    program: 'apache2',
    config: ({ port, station, folder }) => `
ServerName 127.0.0.1
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
${isRoot() ? 'User www-data\nGroup www-data' : ''}
ProxyPass "/" "http://127.0.0.1:${station}/"
`,
    args: (file) => ['-X', '-f', file]
  }
]

const SIGNS =
  'close, Forwarded, Via, X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Server, X-Real-IP'
const SILENCE = { family: 'fire', duration: '2h', reason: 'drill', include_immediate: true }

for (const proxy of PROXIES) {
  const absent = !isInstalled(proxy.program)
  const skip = absent
    ? `${proxy.program} is not installed`
    : proxy.needsRoot && !isRoot()
      ? 'needs another user'
      : false
  t.test(`${proxy.name}: nobody becomes the operator through it`, { skip }, async (t) => {
    const station = await startLookout(t, 'data', { cwd: t.testdir({ data: {} }), env: { LOOKOUT_LOG: 'fatal' } })
    t.match((await station.get('/api/session')).json, { how: 'loopback', can_write: true })
    const through = await startProxy(t, proxy, station)
    // First of all: what stands in Connection is for the proxy alone (RFC 9110 §7.6.1), which then takes its own signs away.
    const stripped = await request(through, { path: '/api/session', host: 'localhost', connection: SIGNS })
    t.notMatch(stripped, /"can_write":true/, 'signs of the proxy named as its own')
    for (const host of [undefined, '127.0.0.1', 'localhost']) {
      const label = `Host ${host ?? 'of the proxy'}`
      t.match(await request(through, { path: '/api/session', host }), /"can_write":false/, label)
      const answer = await request(through, { path: '/api/silences', host, body: JSON.stringify(SILENCE) })
      t.match(answer, /^HTTP\/1\.[01] 401/, `${label}: a write`)
    }
    const silences = await station.get<{ silences: unknown[] }>('/api/silences')
    t.same(silences.json.silences, [])
    t.equal((await station.launched.stop()).code, 0)
  })
}

t.test('a proxy that gives itself away ends the right of the machine itself, and the station says so', async (t) => {
  const proxy = PROXIES.find(({ program }) => isInstalled(program) && program === 'nginx')
  if (proxy === undefined) {
    t.comment('skipped: nginx not installed')
    return
  }
  const cwd = t.testdir({ data: {} })
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'fatal' } })
  const through = await startProxy(t, proxy, station)
  t.match(await request(through, { path: '/api/health/live' }), /^HTTP\/1\.[01] 200/)
  t.match((await station.get('/api/session')).json, { how: 'none', local_operator: 'proxy_seen' })
  t.equal((await station.post('/api/silences', SILENCE)).status, 401)
  const ready = await station.get<{ problems: { code: string; message: string }[] }>('/api/health/ready')
  t.match(
    ready.json.problems.find(({ code }) => code === 'proxy_unnamed')?.message,
    /HTTP\/1\.0.*http\.trusted_proxies/
  )
  const secret = readFileSync(join(cwd, 'data', 'local.token'), 'utf8').trim()
  t.equal((await station.post('/api/silences', SILENCE, { authorization: `Bearer ${secret}` })).status, 201)
})

async function startProxy(t: Test, proxy: Proxy, { url }: Running): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-proxy-'))
  // Its workers are another user.
  chmodSync(folder, 0o755)
  const port = await freePort('127.0.0.1')
  const file = join(folder, 'proxy.conf')
  writeFileSync(file, proxy.config({ port, station: Number(new URL(url).port), folder }))
  const child = spawn(proxy.program, proxy.args(file, folder), {
    env: { ...process.env, PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  t.teardown(async () => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  })
  await eventually(`${proxy.program} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${proxy.program} ended: ${said}`)
    return listens(port)
  })
  return port
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.setTimeout(1000, () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}

/** A request as any program can make it; fetch would not let us choose Host. */
function request(
  port: number,
  {
    path,
    host = `127.0.0.1:${port}`,
    connection = 'close',
    body
  }: { path: string; host?: string | undefined; connection?: string; body?: string }
): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = [
      `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Connection: ${connection}`
    ]
    if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`))
    socket.setEncoding('utf8').on('data', (part) => {
      answer += String(part)
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
