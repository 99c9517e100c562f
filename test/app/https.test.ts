import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findProgram } from '../../src/platform/process/programs.ts'
import { eventually, launch, type Running, run, startLookout } from '../helpers/process.ts'

/** HTTPS by a certificate that the station makes itself (contract §10): the built program with the real openssl. */

t.setTimeout(300_000)

const without = findProgram('openssl') === null ? { skip: 'openssl is not installed' } : {}
/** Above the 5 s it has: node needs a moment to be gone, and the machine may be busy. */
const MOST_MS = 6000

function folder(t: Test, tls: object): { data: string; bin: string } {
  const made = t.testdir({ data: { 'config.json': JSON.stringify({ http: { tls } }) }, bin: {} })
  return { data: join(made, 'data'), bin: join(made, 'bin') }
}

const start = (t: Test, data: string, env: Record<string, string> = {}): Promise<Running> =>
  startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'info', ...env } })

interface Secure {
  port: number
  fingerprint: string
}

/** As the log tells it: whoever reads it holds it against what the browser shows. */
function secure({ launched }: Running): Promise<Secure> {
  return launched.until('HTTPS', () => {
    const line = launched.stderr.split('\n').find((one) => one.includes('HTTPS with the certificate'))
    if (line === undefined) return null
    const { port, msg } = JSON.parse(line) as { port: number; msg: string }
    return { port, fingerprint: msg.split(' ').at(-1) ?? '' }
  })
}

/** By a client that trusts this certificate alone, and calls the station by a name. */
function ask(port: number, servername: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        servername,
        ca,
        path: '/api/health/live',
        agent: false,
        headers: { host: servername }
      },
      (res) => {
        res.resume().on('end', () => resolve(res.statusCode ?? 0))
      }
    )
    asked.on('error', reject)
    asked.end()
  })
}

t.test('the station makes its certificate, keeps it over a restart, and doctor shows the same', without, async (t) => {
  const { data } = folder(t, { port: 0 })
  const first = await start(t, data)
  const { port, fingerprint } = await secure(first)
  const file = join(data, 'tls.pem')
  t.equal(statSync(file).mode & 0o777, 0o600)
  const ca = readFileSync(file, 'utf8').replace(/-----BEGIN PRIVATE KEY.*END PRIVATE KEY-----/s, '')
  for (const name of ['lookout.local', 'lookout.lan', 'localhost']) t.equal(await ask(port, name, ca), 200, name)
  await t.rejects(ask(port, 'elsewhere.example', ca), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  t.equal((await first.get('/api/health/live')).status, 200, 'HTTP stays')
  t.match((await first.get('/api/session')).json, { encrypted: false, https: { state: 'on', port, fingerprint } })
  t.equal((await first.launched.stop()).code, 0)
  const doctor = await run(t, ['doctor', '--data', data, '--json'])
  const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; state: string; detail: string }[] }
  t.match(
    findings.find(({ check }) => check === 'HTTPS'),
    { state: 'ok', detail: fingerprint }
  )
  t.equal((await secure(await start(t, data))).fingerprint, fingerprint)
})

/** An openssl that gets as far as the key. */
function slowOpenssl(bin: string): string {
  const file = join(bin, 'openssl')
  writeFileSync(file, '#!/bin/sh\necho key > key.pem\nexec sleep 600\n')
  chmodSync(file, 0o755)
  return `${bin}:${process.env['PATH'] ?? ''}`
}

const workshops = (data: string): string[] =>
  readdirSync(data).filter((name) => name.startsWith('.tls-') && existsSync(join(data, name, 'key.pem')))

t.test(
  'killed between key and certificate: nothing of it is used, and the next start makes both',
  without,
  async (t) => {
    const { data, bin } = folder(t, { port: 0 })
    const killed = await start(t, data, { PATH: slowOpenssl(bin) })
    await eventually('the key is there', () => workshops(data).length > 0)
    t.equal((await killed.get('/api/session')).status, 200)
    t.match((await killed.get('/api/session')).json, { https: { state: 'starting' } })
    await killed.launched.kill()
    t.equal(workshops(data).length, 1)
    const next = await start(t, data)
    const { port } = await secure(next)
    t.same(workshops(data), [])
    t.equal(await ask(port, 'lookout.local', readFileSync(join(data, 'tls.pem'), 'utf8')), 200)
  }
)

t.test(
  'SIGTERM while the certificate is being made ends the program in time, and leaves nothing of it',
  without,
  async (t) => {
    const { data, bin } = folder(t, { port: 0 })
    const { launched } = await start(t, data, { PATH: slowOpenssl(bin) })
    await eventually('the key is there', () => workshops(data).length > 0)
    const begun = performance.now()
    const { code, stderr } = await launched.stop()
    const took = performance.now() - begun
    t.equal(code, 0)
    t.ok(took < MOST_MS, `ended in ${Math.round(took)} ms`)
    t.notMatch(stderr, /"level":(?:50|60)|unexpected error/)
    t.same(workshops(data), [])
  }
)

t.test('without openssl the station says what to install, and HTTP goes on', async (t) => {
  const { data, bin } = folder(t, { port: 0 })
  const hill = await start(t, data, { PATH: bin })
  await hill.launched.until('what is missing', () => hill.launched.stderr.includes('install it (package openssl)'))
  t.equal((await hill.get('/api/health/live')).status, 200)
  t.match((await hill.get('/api/session')).json, { https: { state: 'failed', problem: /package openssl/ } })
  t.match(
    (await run(t, ['doctor', '--data', data], { env: { PATH: bin } })).stdout,
    /warn +HTTPS +openssl is not installed/
  )
})

t.test('a broken certificate of somebody else is told with its file, and HTTP goes on', async (t) => {
  const { data } = folder(t, { port: 0, certificate_file: 'station.pem', key_file: 'key.pem' })
  for (const name of ['station.pem', 'key.pem']) writeFileSync(join(data, name), 'half of it')
  const hill = await start(t, data)
  await hill.launched.until('what is wrong', () => hill.launched.stderr.includes('no HTTPS: '))
  t.match(hill.launched.stderr, /station\.pem.*the file holds no certificate/)
  t.equal((await hill.get('/api/health/live')).status, 200)
  t.equal(existsSync(join(data, 'tls.pem')), false, 'nobody is given another certificate than was wanted')
})

t.test('a certificate without its key is refused as a setting', async (t) => {
  const { data } = folder(t, { port: 8443, certificate_file: 'station.pem' })
  const { stdout, stderr } = await run(t, ['check-config', '--data', data])
  t.match(`${stdout}${stderr}`, /http\/tls.*a certificate and its key belong together/)
  t.equal((await launch(t, { args: ['start', '--port', '0', '--data', data] }).ended).code, 3)
})
