import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import t from 'tap'
import type { LiveTopics } from '../../src/dashboard/server/context.ts'
import { Live } from '../../src/dashboard/server/live.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { Observers } from '../../src/platform/observers.ts'
import { note } from '../helpers/in-words.ts'
import { FROM_AFAR, fire, radio, send, station } from './harness.ts'

/** A live stream, read piece by piece. */
async function listen(
  port: number,
  headers: Record<string, string> = {}
): Promise<{ text: () => string; until: (pattern: RegExp) => Promise<string>; status: number; end: () => void }> {
  return new Promise((resolve, reject) => {
    const req = get({ port, host: '127.0.0.1', path: '/api/stream', agent: false, headers }, (res) => {
      let text = ''
      let wake = (): void => undefined
      res.on('data', (chunk) => {
        text += chunk
        wake()
      })
      res.on('error', () => undefined)
      const until = async (pattern: RegExp): Promise<string> => {
        while (!pattern.test(text)) await new Promise<void>((done) => (wake = done))
        return text
      }
      resolve({ text: () => text, until, status: res.statusCode ?? 0, end: () => req.destroy() })
    })
    req.on('error', reject)
  })
}

t.test('the live stream tells what happens, and a client that comes back gets what it missed', async (t) => {
  const made = await station(t)
  const { ask, service, observers, clock } = made
  const first = await listen(service.port)
  t.match(await first.until(/: connected/), /^retry: 3000\n/)
  await ask({ path: '/api/events', body: [fire, fire] })
  const told = await first.until(/event: decided\ndata: .*\n\n/)
  t.equal(told.match(/event: decided/g)?.length, 1, 'a repeat is no news')
  const id = /id: (\S+)/.exec(told)?.[1] ?? ''
  send(made, 1)
  observers.tell('radio', radio())
  observers.tell('config', { revision: 'r', stale: false })
  t.match(await first.until(/event: config/), /event: delivery\ndata: \{"id":1,/)
  await clock.runTo(clock.now() + 15_000)
  await first.until(/: still here/)
  first.end()
  const second = await listen(service.port, { 'last-event-id': id })
  const missed = await second.until(/event: config/)
  t.match(missed, /event: delivery[\s\S]*event: radio[\s\S]*event: config/)
  t.notMatch(missed, /event: decided/)
  second.end()
  for (const unknown of ['other-1', `${id.split('-')[0]}-9999`, `${id.split('-')[0]}-x`]) {
    const third = await listen(service.port, { 'last-event-id': unknown })
    t.match(await third.until(/event: reset/), /event: reset/, unknown)
    third.end()
  }
  for (let n = 0; n < 600; n++) observers.tell('config', { revision: String(n), stale: false })
  const fourth = await listen(service.port, { 'last-event-id': id })
  t.match(await fourth.until(/event: reset/), /event: reset/, 'what is too old is not remembered')
  fourth.end()
})

t.test('nothing is written out while nobody listens', async (t) => {
  const { service, observers, clock } = await station(t)
  let written = 0
  const news = (revision: string) => ({
    revision,
    stale: false,
    toJSON: () => {
      written++
      return { revision }
    }
  })
  observers.tell('config', news('before anybody came'))
  t.equal(written, 0)
  const first = await listen(service.port)
  await first.until(/event: beat/)
  observers.tell('config', news('one'))
  const id = /id: (\S+)/.exec(await first.until(/"one"/))?.[1] ?? ''
  t.equal(written, 1, 'once, however many listen')
  first.end()
  for (;;) {
    // The server hears of the end of the connection in its own time.
    const before = written
    observers.tell('config', news('two'))
    if (written === before) break
    await new Promise(setImmediate)
  }
  const before = written
  const second = await listen(service.port, { 'last-event-id': id })
  t.notMatch(await second.until(/"two"/), /before anybody came|"one"/)
  t.ok(written > before, 'who comes back gets what was missed')
  second.end()
  await clock.runTo(clock.now())
})

t.test('no more than 64 clients listen, and one that does not read is dropped', async (t) => {
  const { service, ask, observers } = await station(t)
  const clients = []
  for (let n = 0; n < 64; n++) clients.push(await listen(service.port))
  t.match(await ask('/api/stream'), { status: 503, body: { detail: /64 clients/ } })
  t.match((await ask('/metrics')).text, /lookout_stream_clients 64\n/)
  for (const client of clients) client.end()
  const lazy = connect(service.port, '127.0.0.1')
  await new Promise((resolve) => lazy.once('connect', resolve))
  lazy.pause()
  lazy.write('GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const clientsNow = async (): Promise<number> =>
    Number(/lookout_stream_clients (\d+)/.exec((await ask('/metrics')).text)?.[1])
  while ((await clientsNow()) !== 1) await new Promise(setImmediate)
  const gone = new Promise((resolve) => lazy.once('close', resolve))
  lazy.on('error', () => undefined)
  for (let n = 0; n < 200 && (await clientsNow()) === 1; n++) {
    for (let k = 0; k < 10; k++) observers.tell('config', { revision: 'x'.repeat(20_000), stale: false })
  }
  t.equal(await clientsNow(), 0)
  lazy.resume()
  await gone
})

t.test('closing ends the listener and the live streams', async (t) => {
  const { service, ask } = await station(t)
  t.equal((await ask('/api/health')).body.status, 'live')
  const socket = connect(service.port, '127.0.0.1')
  const ended = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  socket.write('GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  await service.close()
  t.match(await ended, /: connected/)
  await t.rejects(ask('/api/health'))
})

t.test('closing lets a request under way finish, for two seconds and no longer', async (t) => {
  const gates: (() => void)[] = []
  const acceptEvents = () => new Promise<[]>((resolve) => gates.push(() => resolve([])))
  const { service, ask, clock } = await station(t, { context: { acceptEvents } })
  const underWay = async (count: number): Promise<void> => {
    while (gates.length < count) await new Promise(setImmediate)
  }
  // One after the other: of two at once either may come first.
  const quick = ask({ path: '/api/events', body: fire })
  await underWay(1)
  const cut = t.rejects(ask({ path: '/api/events', body: fire }), 'cut off after two seconds')
  await underWay(2)
  const closed = service.close()
  gates[0]?.()
  t.equal((await quick).status, 202)
  await clock.runTo(clock.now() + 2000)
  await closed
  await cut
})

t.test('whatever happens in one step is one write to each client, in order', async (t) => {
  const observers = new Observers<LiveTopics>((error) => t.fail(String(error)))
  const live = new Live({ observers, clock: systemClock })
  let writes = 0
  const server = createServer((req, res) => {
    const write = res.write.bind(res)
    res.write = (chunk: string) => {
      writes++
      return write(chunk)
    }
    live.open(undefined).takeOver(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clients = [await listen(port), await listen(port)]
  for (const client of clients) await client.until(/: connected/)
  writes = 0
  for (let n = 0; n < 100; n++) observers.tell('config', { revision: `r${n}.`, stale: false })
  for (const client of clients) {
    const text = await client.until(/r99\./)
    t.strictSame(
      [...text.matchAll(/"revision":"r(\d+)\."/g)].map(([, n]) => Number(n)),
      Array.from({ length: 100 }, (_, n) => n)
    )
    client.end()
  }
  t.equal(writes, 2)
  live.close()
  server.close()
})

t.test(
  'the stream of a guest says that a radio is down, not where it is, and of addresses scheme and host',
  async (t) => {
    const s = await station(t)
    const guest = await listen(s.service.port, FROM_AFAR)
    const operator = await listen(s.service.port)
    for (const one of [guest, operator]) await one.until(/: connected/)
    s.observers.tell('radio', radio({ state: 'down', reason: note('connect ECONNREFUSED 192.168.77.9:4403') }))
    await s.ask({ path: '/api/events', body: { ...fire, title: 'See https://me:pw@a.example/topic-93' } })
    const heard = await guest.until(/event: decided\ndata: .*\n\n/)
    t.match(heard, /"state":"down".*connect ECONNREFUSED"/)
    t.match(heard, /See https:\/\/a\.example"/)
    t.notMatch(heard, /192\.168|pw@|topic-93/)
    const told = await operator.until(/event: decided\ndata: .*\n\n/)
    t.match(told, /192\.168\.77\.9[\s\S]*topic-93/)
    guest.end()
    operator.end()
  }
)
