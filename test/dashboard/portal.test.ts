import t from 'tap'
import { type Answer, type Station, station } from './harness.ts'

/** A phone that joins the hotspot asks its maker's address whether it has the Internet; there every name is the station (contract §11). */

const APPLE = '<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>'
/** By family: what is asked, and the answer by which the phone stays content. */
const PROBES: readonly (readonly [family: string, host: string, path: string, status: number, body: string])[] = [
  ['Android', 'connectivitycheck.gstatic.com', '/generate_204', 204, ''],
  ['Android', 'www.google.com', '/gen_204', 204, ''],
  ['Android', 'connect.rom.miui.com', '/generate_204', 204, ''],
  ['Android', 'connectivitycheck.platform.hicloud.com', '/generate_204', 204, ''],
  ['Apple', 'captive.apple.com', '/hotspot-detect.html', 200, APPLE],
  ['Apple', 'www.apple.com', '/library/test/success.html', 200, APPLE],
  ['Windows', 'www.msftconnecttest.com', '/connecttest.txt', 200, 'Microsoft Connect Test'],
  ['Windows', 'www.msftncsi.com', '/ncsi.txt', 200, 'Microsoft NCSI'],
  ['Firefox', 'detectportal.firefox.com', '/success.txt?ipv4', 200, 'success\n'],
  ['Linux', 'nmcheck.gnome.org', '/check_network_status.txt', 200, 'NetworkManager is online\n'],
  ['Linux', 'network-test.debian.org', '/nm', 200, 'NetworkManager is online\n'],
  ['Linux', 'connectivity-check.ubuntu.com', '/', 200, 'NetworkManager is online\n']
]
const BOARD = 'http://lookout.lan/alerts?joined=1'

const onHotspot = (t: Parameters<typeof station>[0], from = (): string => '10.42.0.23'): Promise<Station> =>
  station(t, { addressOf: from, hotspotAddress: '127.0.0.1' })

const probe = (hill: Station, host: string, path: string, method = 'GET'): Promise<Answer> =>
  hill.ask({ method, path, headers: { host } })

/** Presses the button on the board. */
const stay = (hill: Station): Promise<Answer> =>
  hill.ask({
    method: 'POST',
    path: '/alerts/continue',
    headers: {
      host: 'lookout.lan',
      origin: 'http://lookout.lan',
      'content-type': 'application/x-www-form-urlencoded'
    },
    raw: ''
  })

t.test('twelve probes of five families lead to the board, until somebody says "Stay connected"', async (t) => {
  const hill = await onHotspot(t)
  for (const [family, host, path] of PROBES) {
    const { status, headers } = await probe(hill, host, path)
    t.same([status, headers.location, headers['cache-control']], [302, BOARD, 'no-store'], `${family}: ${host}${path}`)
  }
  const board = await hill.ask({ path: '/alerts?joined=1', headers: { host: 'lookout.lan' } })
  t.equal(board.status, 200)
  t.match(board.text, /<form method="post" action="\/alerts\/continue">/)
  t.notMatch(board.text, /http-equiv="refresh"/, 'which would close the window of the phone')

  const pressed = await stay(hill)
  t.same([pressed.status, pressed.headers.location], [303, '/alerts'])
  for (const [family, host, path, status, body] of PROBES) {
    const answer = await probe(hill, host, path)
    t.same([answer.status, answer.text], [status, body], `${family}: ${host}${path}`)
  }
})

t.test('each phone is let go by itself, and for twelve hours', async (t) => {
  let from = '10.42.0.23'
  const hill = await onHotspot(t, () => from)
  await stay(hill)
  const [, host, path] = PROBES[0] ?? ['', '', '']
  t.equal((await probe(hill, host, path)).status, 204)
  from = '10.42.0.24'
  t.equal((await probe(hill, host, path)).status, 302, 'another phone')
  from = '10.42.0.23'
  hill.clock.set(hill.clock.now() + 12 * 3_600_000 + 1)
  t.equal((await probe(hill, host, path)).status, 302, 'half a day later')
})

t.test('any other name leads to the board too, and gives nothing of ours away', async (t) => {
  const hill = await onHotspot(t)
  for (const path of ['/', '/api/events?limit=1', '/settings', '/static/style.css']) {
    const { status, headers, text } = await probe(hill, 'news.example', path)
    t.same([status, headers.location], [302, BOARD], path)
    t.ok(text.length < 100)
  }
  t.equal((await probe(hill, 'news.example', '/api/events', 'POST')).status, 403, 'no change under a foreign name')
  t.equal((await stay(hill)).status, 303)
  t.equal((await probe(hill, 'news.example', '/api/events')).status, 302, 'not after that either')
})

t.test('its own names are asked as always', async (t) => {
  const hill = await onHotspot(t)
  for (const host of ['lookout.lan', 'lookout.local', '10.42.0.1']) {
    t.equal((await probe(hill, host, '/alerts')).status, 200, host)
    t.equal((await probe(hill, host, '/generate_204')).status, 404, `${host}: no address of ours`)
  }
})

t.test('where the request comes another way, a foreign name is refused as before', async (t) => {
  const hill = await station(t, { addressOf: () => '192.168.1.7' })
  t.equal((await probe(hill, 'captive.apple.com', '/alerts')).status, 403)
  t.equal((await probe(hill, 'captive.apple.com', '/hotspot-detect.html')).status, 404)
})

t.test('the address that DHCP names tells whether a phone is held (RFC 8908)', async (t) => {
  const hill = await onHotspot(t)
  const ask = (): Promise<Answer> => hill.ask({ path: '/api/captive-portal', headers: { host: 'lookout.lan' } })
  const before = await ask()
  t.equal(before.headers['content-type'], 'application/captive+json')
  t.same(JSON.parse(before.text), { captive: true, 'user-portal-url': BOARD })
  await stay(hill)
  t.equal(JSON.parse((await ask()).text).captive, false)
})

t.test('nobody is let go by another web site', async (t) => {
  const hill = await onHotspot(t)
  const { status } = await hill.ask({
    method: 'POST',
    path: '/alerts/continue',
    headers: {
      host: 'lookout.lan',
      origin: 'http://news.example',
      'content-type': 'application/x-www-form-urlencoded'
    },
    raw: ''
  })
  t.equal(status, 403)
})
