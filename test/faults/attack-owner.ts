import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sampleEpub } from '../helpers/documents.ts'
import { eventually, type Running } from '../helpers/process.ts'
import { zipOf } from '../helpers/zip.ts'
import { again, type Harm } from './attack-guest.ts'
import type { PeerRadios } from './peer-radios.ts'

/** Strangers bring harm by other ways than a request of their own: addresses and files the operator is given, feeds, the mesh. */
export interface Inside {
  station: Running
  data: string
  token: string
  radios: PeerRadios
  files: Hostile[]
  until: number
  /** Posts an immediate event; answers a word of it. */
  probe: () => Promise<string>
}

interface Answer {
  status: number
  text: string
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function ask({ station, token }: Inside, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) }
  const response = await fetch(`${station.url}${path}`, { ...init, headers, signal: AbortSignal.timeout(60_000) })
  return { status: response.status, text: await response.text() }
}

const post = (inside: Inside, path: string, body: unknown): Promise<Answer> =>
  ask(inside, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const HOSTS = (port: number): string[] => [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0', '[::1]', '[::]'].map(
    (host) => `${host}:${port}`
  ),
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'localhost.',
    'LOCALHOST'
  ].map((host) => `${host}:${port}`),
  ...[
    'ip6-localhost',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    'user@127.0.0.1',
    '8.8.8.8@127.0.0.1'
  ].map((host) => `${host}:${port}`),
  ...[
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '198.18.77.1',
    '224.0.0.1',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]'
  ]
]
const SCHEMES = (port: number): string[] => [
  ...[
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    `gopher://127.0.0.1:${port}/`,
    'data:text/plain,x',
    'javascript:alert(1)',
    'http:///',
    'http://'
  ],
  ...[`http:\\\\127.0.0.1:${port}\\`, `//127.0.0.1:${port}/`, `http://127.0.0.1:${port}#@example.org/`]
]

/** Addresses inside of our network, wherever the station fetches what it is told. */
async function addresses(inside: Inside): Promise<Harm> {
  let called = 0
  const listener = createServer((_, res) => {
    called++
    res.end('x')
  })
  await new Promise<void>((resolve) => listener.listen(0, resolve))
  const { port } = listener.address() as AddressInfo
  const effects: string[] = []
  let tries = 0
  for (const url of [...HOSTS(port).map((host) => `http://${host}/`), ...SCHEMES(port)])
    for (const path of ['/api/ingest/url', '/api/scraper/submit']) {
      tries++
      const { status } = await post(inside, path, { url })
      if (status >= 200 && status < 300) effects.push(`${path} takes ${url}`)
    }
  await pause(500)
  if (called > 0) effects.push(`${called} calls reached a listener of this machine`)
  listener.close()
  return { tries, effects }
}

const SCRIPTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</script><script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202e<b onmouseover=alert(1)>'
]
const READ = [
  '/',
  '/alerts',
  '/events',
  '/deliveries',
  '/radios',
  '/mesh-a/routing',
  '/audit',
  '/sources',
  '/catalogue',
  '/api/events?limit=50'
]

/** Words of strangers, in events and from the mesh, on every page that shows some. */
async function scripts(inside: Inside): Promise<Harm> {
  const effects: string[] = []
  let tries = 0
  for (const [n, words] of SCRIPTS.entries()) {
    const event = {
      id: `s${n}${words}`,
      source: 'strange',
      family: 'fire',
      severity: 'routine',
      title: words,
      summary: words,
      lat: 44,
      lon: -115
    }
    await post(inside, '/api/events', { ...event, url: words, data: { [words]: words }, regions: [words] })
    await inside.radios.tellMeshtastic({ text: { from: 0x5000 + n, text: `!alerts ${words}`, channel: 1 } })
    tries += 2
  }
  for (const path of [...READ, ...SCRIPTS.map((words, n) => `/events/${encodeURIComponent(`s${n}${words}`)}`)]) {
    tries++
    const response = await fetch(`${inside.station.url}${path}`)
    const text = await response.text()
    if (!(response.headers.get('content-type') ?? '').includes('html')) continue
    const bare = text.match(/<script>alert|<img src=x|<svg\/onload|<b onmouseover|href="javascript:/i)
    if (bare !== null) effects.push(`${path} holds ${bare[0]}`)
    const policy = response.headers.get('content-security-policy') ?? ''
    if (!/(?:default|script)-src 'self'/.test(policy) || /script-src[^;]*unsafe/.test(policy))
      effects.push(`${path} has no policy of scripts`)
  }
  return { tries, effects }
}

const NAMES = [
  '../../escaped.txt',
  '..\\..\\escaped.txt',
  '/tmp/lookout-escaped.txt',
  'a\u0000b.txt',
  '-o.txt',
  '@escaped.txt',
  'con.txt',
  `${'n'.repeat(5000)}.txt`
]

interface Hostile {
  what: string
  name: string
  body: Uint8Array<ArrayBuffer>
}

/** Files that are made to harm whoever opens them; made before anything is timed. */
export function hostileFiles(): Hostile[] {
  const mimetype = { name: 'mimetype', data: Buffer.from('application/epub+zip') }
  const bomb = zipOf([mimetype, { name: 'a.xhtml', data: Buffer.alloc(150_000_000), deflate: true }])
  const climbing = zipOf([mimetype, { name: '../../../escaped.txt', data: Buffer.from('x') }])
  const nothing = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20_000_000, '[')])
  const handbook = (n: number): Buffer => Buffer.from(`Water handbook ${n}. ${'Boil it. '.repeat(50)}`)
  const files: [what: string, name: string, body: Buffer][] = [
    ['a bomb of zeros', 'bomb.epub', bomb],
    ['an archive that climbs', 'slip.epub', climbing],
    ['entities', 'xxe.epub', sampleEpub([{ title: 'A', paragraphs: ['&xxe;'] }])],
    ['a PDF of 20 MB of nothing', 'huge.pdf', nothing],
    ['deep JSON', 'deep.txt', Buffer.from('['.repeat(2_000_000))],
    ...NAMES.map((name, n): [string, string, Buffer] => [`the name ${name.slice(0, 20)}`, name, handbook(n)])
  ]
  return files.map(([what, name, body]) => ({ what, name, body: new Uint8Array(body) }))
}

const CHUNK = 'application/offset+octet-stream'

/** Resumable uploads that are begun, continued and joined as the protocol forbids; each is refused, and holds no more than it said. */
async function tusMisuse(inside: Inside): Promise<Harm> {
  const effects: string[] = []
  let tries = 0
  const tus = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    tries++
    const init = { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body === undefined ? {} : { body }) }
    const response = await fetch(`${inside.station.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${inside.token}`, ...init.headers },
      signal: AbortSignal.timeout(60_000)
    })
    await response.arrayBuffer()
    return response
  }
  const expect = (what: string, { status }: { status: number }, statuses: readonly number[]): void => {
    if (!statuses.includes(status)) effects.push(`tus, ${what}: ${status}`)
  }
  const begun = await tus('POST', '/api/uploads', {
    'upload-length': '100',
    'upload-metadata': `filename ${btoa('a.txt')}`
  })
  const place = new URL(begun.headers.get('location') ?? '/', inside.station.url).pathname
  for (const offset of ['1', '50', '101', '-1', '1e1', 'x', '99999999999999999999'])
    expect(
      `offset ${offset}`,
      await tus('PATCH', place, { 'upload-offset': offset, 'content-type': CHUNK }, 'x'),
      [400, 409]
    )
  const more = { 'upload-offset': '0', 'content-type': CHUNK }
  expect('more bytes than it said', await tus('PATCH', place, more, 'x'.repeat(5000)), [400, 409, 413, 422])
  const at = Number((await tus('HEAD', place, {})).headers.get('upload-offset') ?? '0')
  if (at > 100) effects.push(`tus: ${at} of 100 bytes`)
  expect('2 PB', await tus('POST', '/api/uploads', { 'upload-length': '2000000000000000' }), [400, 413, 507])
  const joined = { 'upload-concat': `final;${place} /api/uploads/../../session.json`, 'upload-length': '9' }
  const final = await tus('POST', '/api/uploads', joined)
  if (final.status === 201 && final.headers.get('upload-offset') !== '0') effects.push('tus: uploads were joined')
  for (const id of ['..%2f..%2fsession.json', '%2e%2e', 'a%00b', 'x'.repeat(5000)])
    expect(`the id ${id.slice(0, 20)}`, await tus('DELETE', `/api/uploads/${id}`, {}), [400, 404, 414, 431])
  const many: string[] = []
  for (let n = 0; n < 300; n++) {
    const { status, headers } = await tus('POST', '/api/uploads', { 'upload-length': '1000000' })
    if (status === 201) many.push(headers.get('location') ?? '')
    else if (status >= 500 && status !== 503 && status !== 507) effects.push(`tus, begun ${n}: ${status}`)
  }
  if (many.length > 100) effects.push(`tus: ${many.length} uploads begun at once`)
  for (const one of [...many, place, final.headers.get('location') ?? place])
    await tus('DELETE', new URL(one, inside.station.url).pathname, {})
  return { tries, effects }
}

async function files(inside: Inside): Promise<Harm> {
  const effects: string[] = []
  let tries = 0
  for (const { what, name, body } of inside.files) {
    tries++
    const init = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body }
    const { status } = await ask(inside, `/api/upload?filename=${encodeURIComponent(name)}`, init)
    if (status >= 500 && status !== 503 && status !== 507) effects.push(`${what}: ${status}`)
  }
  const deep = await ask(inside, '/api/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '['.repeat(500_000)
  })
  if (deep.status !== 400) effects.push(`deep JSON: ${deep.status}`)
  for (const length of ['-1', '1e9', '99999999999999999', 'x', '', '0x10']) {
    tries++
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': length }
    const { status } = await ask(inside, '/api/uploads', { method: 'POST', headers })
    if (status >= 500 && status !== 507) effects.push(`tus length ${length}: ${status}`)
  }
  const misused = await tusMisuse(inside)
  tries += misused.tries
  effects.push(...misused.effects)
  await pause(Math.max(0, inside.until - Date.now()))
  const places = [
    join(inside.data, '..', 'escaped.txt'),
    join(inside.data, '..', '..', 'escaped.txt'),
    '/tmp/lookout-escaped.txt',
    '/escaped.txt'
  ]
  for (const place of places) if (existsSync(place)) effects.push(`${place} was written`)
  return { tries: tries + 1, effects }
}

const ADMIN = 0xa1b2c3d4
/** Of the peer that stands for the radio. */
const COMMANDS = [
  '!silence fire 7d maintenance',
  '!silence all 7d',
  '!alerts',
  '!help',
  '!status',
  '!ack',
  '!silence emergency 7d x'
]
/** Without a key, with one that proves nothing, with another one truly, and with the right one on an open channel. */
const FORGED_KEYS = [
  {},
  { publicKey: 'ab'.repeat(32) },
  { pki: true, publicKey: 'ab'.repeat(32) },
  { publicKey: 'cd'.repeat(32) }
]
/** Meshtastic's `Routing` with `error_reason` NONE, on its port. */
const RECEIPT = { text: '\u0018\u0000', port: 5 }

/** The key of the admin's own node. */
const TRUE_KEY = 'cd'.repeat(32)

/**
 * The same order, truly encrypted with the key of the admin: it has its effect, or nobody knows whether the forged ones arrived at all.
 * The silence is ended again.
 */
async function control(inside: Inside, when: string): Promise<string[]> {
  const truly = { from: ADMIN, to: 11, pki: true, publicKey: TRUE_KEY, text: '!silence weather 1h control' }
  await inside.radios.tellMeshtastic({ text: truly })
  const id = await eventually('the silence of the admin', async () => {
    const { silences } = JSON.parse((await ask(inside, '/api/silences')).text) as { silences: { id: number }[] }
    return silences[0]?.id
  }).catch(() => null)
  if (id === null) return [`${when}: an order that was truly the admin's had no effect`]
  await ask(inside, `/api/silences/${id}`, { method: 'DELETE' })
  return []
}

/** Orders and receipts under other people's ids. */
async function mesh(inside: Inside): Promise<Harm> {
  const { radios } = inside
  let tries = 0
  // His key is the one that is known from now on.
  const effects = await control(inside, 'before')
  await radios.tellMeshtastic({ change: { neighbours: 0 } })
  // Between two of those whose time is told: a radio pauses after a text.
  await pause(3000)
  const word = await inside.probe()
  const id = await eventually('the probe is on the air', () => radios.packetOf(word))
  for (let from = 0x66666660; from < 0x66666668; from++, tries++)
    await radios.tellMeshtastic({ text: { from, ...RECEIPT, requestId: id } })
  const code = /\b[0-9A-Z]{4}\b/.exec((await ask(inside, '/api/deliveries?limit=20')).text)?.[0] ?? 'AAAA'
  for (let n = 0; Date.now() < inside.until || n < COMMANDS.length * 3; n++, tries++) {
    const text = `${COMMANDS[n % COMMANDS.length]}${n % COMMANDS.length === 5 ? ` ${code}` : ''}`
    const from = n % 3 === 0 ? ADMIN : 0x70000000 + n
    const key = FORGED_KEYS[n % FORGED_KEYS.length]
    await radios.tellMeshtastic({ text: { from, text, ...(n % 3 === 2 ? { channel: 1 } : { to: 11 }), ...key } })
    await pause(150)
  }
  await pause(1000)
  const silences = JSON.parse((await ask(inside, '/api/silences')).text) as { silences: unknown[] }
  if (silences.silences.length > 0) effects.push(`${silences.silences.length} silences`)
  else effects.push(...(await control(inside, 'afterwards')))
  const { deliveries } = JSON.parse((await ask(inside, '/api/deliveries?limit=100&transport=mt')).text) as {
    deliveries: { text: string | null; state: string; heard_by: number | null }[]
  }
  const told = deliveries.find(({ text }) => text?.includes(word) === true)
  if (told === undefined || told.state === 'heard' || Number(told.heard_by) > 0)
    effects.push(`a forged receipt made it ${told?.state}`)
  await radios.tellMeshtastic({ change: { neighbours: 1 } })
  return { tries, effects }
}

export const OTHER_ATTACKS: Record<string, (inside: Inside) => Promise<Harm>> = {
  'addresses inside': again(addresses),
  'scripts in words': again(scripts),
  'hostile files': files,
  'forged mesh': mesh
}
