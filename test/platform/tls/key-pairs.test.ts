import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { AppError } from '../../../src/platform/errors.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { readPair } from '../../../src/platform/tls/certificate.ts'
import { GivenPairs, OWN_PAIR_FILE, OwnPairs, readOwnPair } from '../../../src/platform/tls/key-pairs.ts'
import { ownNames } from '../../../src/platform/tls/own-names.ts'

/** The key and the certificate of HTTPS (contract §10), made by the real openssl. */

const DAY = 86_400_000
const without = findProgram('openssl') === null ? { skip: 'openssl is not installed' } : {}
const signal = new AbortController().signal
const NAMES = ['hill', 'hill.local', 'lookout.local', '127.0.0.1', '::1', '10.42.0.1']

interface Made {
  folder: string
  pairs: OwnPairs
  set: (state: { names?: string[]; time?: number | null }) => void
}

function made(t: Test, { path }: { path?: string } = {}): Made {
  const folder = t.testdir({})
  const state: { names: string[]; time: number | null } = { names: NAMES, time: Date.now() }
  const pairs = new OwnPairs({
    folder,
    names: () => state.names,
    time: () => state.time,
    ...(path === undefined ? {} : { path })
  })
  return { folder, pairs, set: (next) => Object.assign(state, next) }
}

async function refused(t: Test, work: Promise<unknown>, code: string): Promise<void> {
  try {
    await work
    t.fail('it was taken')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    t.equal(error.reason.code, code)
  }
}

t.test(
  'the station makes a certificate for its names and addresses, readable by its owner alone',
  without,
  async (t) => {
    const { folder, pairs } = made(t)
    const { pair, problem } = await pairs.current(signal)
    t.equal(problem, null)
    const read = new X509Certificate(pair.certificate)
    for (const name of ['hill', 'hill.local', 'lookout.local']) t.equal(read.checkHost(name), name)
    for (const address of ['127.0.0.1', '10.42.0.1']) t.equal(read.checkIP(address), address)
    t.equal(read.checkHost('elsewhere.example'), undefined)
    t.equal(read.ca, false, 'whoever trusts it trusts no certificate that its key might sign')
    t.ok(read.verify(read.publicKey))
    const days = (pair.facts.validTo - pair.facts.validFrom) / DAY
    t.ok(days > 800 && days <= 825, `${days} days: phones take no more than 825`)
    t.equal(statSync(join(folder, OWN_PAIR_FILE)).mode & 0o777, 0o600)
    t.same(readdirSync(folder), [OWN_PAIR_FILE], 'nothing is left of the making')
    t.equal((await readOwnPair(folder))?.facts.fingerprint, pair.facts.fingerprint)
    t.equal((await pairs.current(signal)).pair, pair, 'the same as long as nothing has changed')
  }
)

t.test('it is made anew for a further name, and before it ends; the names of before stay', without, async (t) => {
  const { pairs, set } = made(t)
  const first = (await pairs.current(signal)).pair
  set({ names: NAMES.slice(0, 4) })
  t.equal((await pairs.current(signal)).pair, first, 'an address that has gone is no reason')
  set({ names: [...NAMES.slice(0, 4), '192.168.1.20'] })
  const second = (await pairs.current(signal)).pair
  t.not(second.facts.fingerprint, first.facts.fingerprint)
  const read = new X509Certificate(second.certificate)
  for (const address of ['192.168.1.20', '10.42.0.1']) t.equal(read.checkIP(address), address)
  set({ time: second.facts.validTo - 31 * DAY })
  t.equal((await pairs.current(signal)).pair, second)
  set({ time: null })
  t.equal((await pairs.current(signal)).pair, second, 'a clock that nobody has set ends no certificate')
  set({ time: second.facts.validFrom - DAY / 2 })
  t.equal((await pairs.current(signal)).pair, second, 'nor does one that is set back by some hours')
  set({ time: second.facts.validFrom - 2 * DAY })
  const third = (await pairs.current(signal)).pair
  t.not(third, second, 'one that begins the day after tomorrow is no good')
  set({ time: third.facts.validTo - 29 * DAY })
  t.not((await pairs.current(signal)).pair, third)
})

t.test('a damaged file, and one of which the key is another, are made anew', without, async (t) => {
  for (const damage of [
    (text: string) => text.slice(0, 200),
    (text: string) => `\0${text.replaceAll('M', 'N')}`,
    () => ''
  ]) {
    const { folder, pairs } = made(t)
    const { pair } = await pairs.current(signal)
    const file = join(folder, OWN_PAIR_FILE)
    writeFileSync(file, damage(readFileSync(file, 'utf8')))
    t.equal(await readOwnPair(folder), null)
    const again = new OwnPairs({ folder, names: () => NAMES, time: () => Date.now() })
    t.not((await again.current(signal)).pair.facts.fingerprint, pair.facts.fingerprint)
    t.not(await readOwnPair(folder), null)
  }
})

t.test('what a kill left between key and certificate is removed, and was never used', without, async (t) => {
  const { folder, pairs } = made(t)
  mkdirSync(join(folder, '.tls-abc123'))
  writeFileSync(join(folder, '.tls-abc123', 'key.pem'), 'half a key')
  const { pair } = await pairs.current(signal)
  t.same(readdirSync(folder), [OWN_PAIR_FILE])
  t.match(pair.certificate, /BEGIN CERTIFICATE/)
})

t.test('without openssl it says what to install; a certificate that is there is used on', without, async (t) => {
  const { folder, pairs } = made(t, { path: '/nowhere' })
  await refused(t, pairs.current(signal), 'tls_needs_openssl')
  t.same(readdirSync(folder), [])
  await new OwnPairs({ folder, names: () => NAMES, time: () => Date.now() }).current(signal)
  const other = new OwnPairs({ folder, names: () => [...NAMES, 'new.local'], time: () => Date.now(), path: '/nowhere' })
  const { pair, problem } = await other.current(signal)
  t.equal(problem?.code, 'tls_needs_openssl')
  t.ok(pair.facts.names.includes('hill'))
})

t.test('an openssl that fails is told by its last words, and leaves nothing', async (t) => {
  const bin = t.testdir({ bin: { openssl: '#!/bin/sh\necho one >&2\necho the last words >&2\nexit 1\n' }, data: {} })
  chmodSync(join(bin, 'bin', 'openssl'), 0o755)
  const folder = join(bin, 'data')
  const pairs = new OwnPairs({ folder, names: () => NAMES, time: () => null, path: join(bin, 'bin') })
  try {
    await pairs.current(signal)
    t.fail('it was taken')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    t.match(error.message, /the last words/)
  }
  t.same(readdirSync(folder), [])
})

t.test('files of somebody else are read anew; a broken one is told, and what was good stays', without, async (t) => {
  const { folder, pairs: own } = made(t)
  const one = (await own.current(signal)).pair
  const two = (await made(t).pairs.current(signal)).pair
  const [certificate, key] = [join(folder, 'station.pem'), join(folder, 'key.pem')]
  const given = new GivenPairs(folder, { certificate: 'station.pem', key: 'key.pem' })
  await refused(t, given.current(), 'of_file')
  writeFileSync(certificate, `${one.certificate}${two.certificate}`)
  writeFileSync(key, two.key)
  await refused(t, given.current(), 'of_file')
  writeFileSync(key, one.key)
  const { pair } = await given.current()
  t.equal(
    pair.facts.fingerprint,
    one.facts.fingerprint,
    'the first certificate is the own, the rest leads to whoever vouches'
  )
  t.equal((await given.current()).pair, pair)
  writeFileSync(certificate, 'nothing of the kind')
  t.match(await given.current(), {
    pair,
    problem: { code: 'of_file', params: { file: certificate, said: { code: 'tls_no_certificate' } } }
  })
  writeFileSync(certificate, two.certificate)
  t.match(await given.current(), { pair, problem: { params: { said: { code: 'tls_not_its_key' } } } })
  writeFileSync(key, two.key)
  t.match(await given.current(), { pair: { facts: { fingerprint: two.facts.fingerprint } }, problem: null })
})

t.test('what is no key, or no certificate, says so', (t) => {
  for (const [key, certificate, code] of [
    ['', '', 'tls_no_certificate'],
    ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'hello', 'tls_no_certificate']
  ] as const) {
    try {
      readPair(key, certificate)
      t.fail('it was taken')
    } catch (error) {
      t.equal(error instanceof AppError ? error.reason.code : null, code)
    }
  }
  t.end()
})

t.test('the names of this machine: no link of IPv6, nothing that openssl would read as more than a name', (t) => {
  const names = ownNames(
    ['Lookout.local', 'station.example.org', 'a,DNS:evil.example', 'new\nline', '*.example', '192.0.2.7'],
    {
      hostname: () => 'Hill.lan',
      networkInterfaces: () => ({
        lo: [facts('127.0.0.1', true)],
        wlan0: [facts('192.168.1.20', false), facts('10.42.0.1', false)]
      })
    }
  )
  t.same(names, [
    ...['hill.lan', 'hill', 'hill.local', 'lookout.local', 'station.example.org', '192.0.2.7'],
    ...['localhost', '127.0.0.1', '::1', '10.42.0.1', '192.168.1.20']
  ])
  t.end()
})

function facts(address: string, internal: boolean) {
  return { address, internal, family: 'IPv4' as const, netmask: '255.0.0.0', mac: '00:00:00:00:00:00', cidr: null }
}
