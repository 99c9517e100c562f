import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { Shares } from '../../src/dashboard/server/shares.ts'
import { FROM_AFAR, type Station, station } from './harness.ts'

/** One phone that holds or asks all it can leaves the others their share, and this machine its own (contract §10). */

const PHONE = '10.42.0.7'
const OTHER = '10.42.0.8'

interface Hotspot extends Station {
  /** The address from which comes what comes next. */
  from: (address: string) => void
}

async function hotspot(t: Test, config: unknown = {}): Promise<Hotspot> {
  let address = '127.0.0.1'
  const s = await station(t, { config, addressOf: () => address })
  return {
    ...s,
    from: (next) => {
      address = next
    }
  }
}

/** A request that never ends, as a phone holds it; answers when the station has taken or refused the connection. */
async function hold(t: Test, s: Station): Promise<{ socket: Socket; isOpen: boolean }> {
  const socket = connect(s.service.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => undefined)
  const ended = once(socket, 'close').then(() => false)
  await Promise.race([once(socket, 'connect'), ended])
  // A connection that was refused ends before it is answered.
  socket.write('GET /api/health/live HTTP/1.1\r\nHost: 10.42.0.1\r\n\r\nGET / HTTP/1.1\r\nX-a:')
  const isOpen = await Promise.race([once(socket, 'data').then(() => true), ended])
  return { socket, isOpen }
}

t.test('one address holds 32 connections; the others and this machine are answered all the while', async (t) => {
  const s = await hotspot(t)
  s.from(PHONE)
  const sockets: Socket[] = []
  for (let n = 0; n < 32; n++) {
    const { socket, isOpen } = await hold(t, s)
    sockets.push(socket)
    if (!isOpen) t.fail(`connection ${n + 1} is one of its share`)
  }
  t.equal((await hold(t, s)).isOpen, false, 'one more is cut off')
  for (const address of [OTHER, '127.0.0.1', '::1']) {
    s.from(address)
    t.equal((await s.ask('/api/health/live')).status, 200, address)
  }
  s.from(PHONE)
  const [first] = sockets
  first?.destroy()
  const isFree = async (): Promise<boolean> => (await hold(t, s)).isOpen
  let again = false
  for (let n = 0; n < 50 && !again; n++) again = await isFree()
  t.ok(again, 'what it gives back it may have again')
})

t.test('the share is a setting', async (t) => {
  const s = await hotspot(t, { http: { connections_per_address: 6 } })
  s.from(PHONE)
  for (let n = 0; n < 6; n++) t.equal((await hold(t, s)).isOpen, true)
  t.equal((await hold(t, s)).isOpen, false)
})

class Line extends EventEmitter {
  cut = false
  readonly address: string

  constructor(address: string) {
    super()
    this.address = address
  }
  destroy(): void {
    this.cut = true
  }
}

function shares(trusted_proxies: readonly string[] = []): { take: (address: string) => Line } {
  const made = new Shares({
    now: () => 0,
    limits: () => ({ connections: 32, trusted_proxies }),
    addressOf: (socket) => (socket as unknown as Line).address
  })
  return {
    take: (address) => {
      const line = new Line(address)
      made.admit(line as unknown as Socket)
      return line
    }
  }
}

t.test('many addresses together leave this machine sixteen of the 512', async (t) => {
  const { take } = shares()
  const lines = Array.from({ length: 600 }, (_, n) => take(`10.42.${n % 200}.2`))
  t.equal(lines.filter(({ cut }) => !cut).length, 496)
  t.equal(take('127.0.0.1').cut, false)
  lines.find(({ cut }) => !cut)?.emit('close')
  t.equal(take('10.43.0.1').cut, false, 'one that ends makes room')
  t.equal(take('10.43.0.1').cut, true)
})

t.test(
  'phones of one network of IPv6 have a share each; trusted proxies and this machine are held to no share',
  async (t) => {
    const { take } = shares(['10.9.0.0/16'])
    const held = Array.from({ length: 40 }, () => take('fe80::1'))
    t.equal(held.filter(({ cut }) => !cut).length, 32)
    t.equal(take('fe80::2').cut, false, 'another phone')
    for (const address of ['10.9.1.1', '127.0.0.1', '127.8.0.1', '::1'])
      t.equal(Array.from({ length: 100 }, () => take(address)).filter(({ cut }) => cut).length, 0, address)
  }
)

t.test(
  'one address asks 240 times at once and then 20 times a second; the operator as often as he likes',
  async (t) => {
    const s = await hotspot(t)
    const ask = () => s.ask({ path: '/api/health/live', headers: FROM_AFAR })
    s.from(PHONE)
    for (let n = 0; n < 240; n++) if ((await ask()).status !== 200) t.fail(`request ${n + 1}`)
    const refused = await ask()
    t.same([refused.status, refused.headers['retry-after']], [429, '1'])
    t.equal((await s.ask({ path: '/static/style.css', headers: FROM_AFAR })).status, 200, 'files cost nothing')
    s.from(OTHER)
    t.equal((await ask()).status, 200, 'another address')
    s.from('127.0.0.1')
    t.equal((await ask()).status, 200, 'this machine')
    s.from(PHONE)
    t.equal((await s.ask('/api/health/live')).status, 200, 'the operator')
    await s.clock.runTo(s.clock.now() + 1000)
    for (let n = 0; n < 20; n++) if ((await ask()).status !== 200) t.fail(`request ${n + 1} of the next second`)
    t.equal((await ask()).status, 429)
  }
)

t.test('one address has eight live streams, all strangers together 56 of 64', async (t) => {
  const s = await hotspot(t)
  const open = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(s.service.port, '127.0.0.1', () => {
        socket.write('GET /api/stream HTTP/1.1\r\nHost: 10.42.0.1\r\n\r\n')
      })
      t.teardown(() => socket.destroy())
      socket.once('data', (bytes) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1])))
      socket.once('error', reject)
    })
  for (let phone = 0; phone < 7; phone++) {
    s.from(`10.42.1.${phone}`)
    for (let n = 0; n < 8; n++) if ((await open()) !== 200) t.fail(`stream ${n + 1} of phone ${phone}`)
    if (phone === 0) t.equal(await open(), 503, 'the ninth of one address')
  }
  s.from('10.42.2.1')
  t.equal(await open(), 503, 'of strangers there are 56')
  s.from('127.0.0.1')
  for (let n = 0; n < 8; n++) t.equal(await open(), 200, 'the rest is kept for this machine')
  t.equal(await open(), 503)
})
