import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { eventually, type Running, startLookout } from '../helpers/process.ts'

/** Docs: docs/interface.md §6, *Two stations*. Two programs that share a network: the second asks the first over HTTP. */

const SECRET = 'a shared secret of two'
const EVENT = {
  source: 'test',
  family: 'fire',
  severity: 'priority',
  regions: ['North'],
  title: 'Pine Fire',
  expires: '2999-01-01T00:00:00Z'
}
const cells = { fire: { North: { mt: 1 } } }

const configOf = (order: number, more: object, standby: object = {}): string =>
  JSON.stringify({
    notifications: {
      coalesce_seconds: 0,
      standby: { enabled: true, order, secret: SECRET, peers: ['!0000004d'], ...standby },
      region_routes: { enabled: true, cells },
      ...more
    }
  })

/** All that a station tells of how it came to what it does with the alert. */
const traceOf = async (station: Running): Promise<string> =>
  JSON.stringify((await station.get('/api/events/a/trace')).json)

t.test('the second asks the first by HTTP, believes it by the secret alone, and waits no longer', async (t) => {
  // Somebody else who answers on the port of a station.
  const stranger = createServer((_, res) => res.end('{"words":[],"proof":"yes"}')).listen(0, '127.0.0.1')
  t.teardown(() => stranger.close())
  await new Promise((resolve) => stranger.once('listening', resolve))
  const cwd = t.testdir({ one: { 'config.json': configOf(1, { enabled: false }) }, two: {}, three: {} })
  const one = await startLookout(t, 'one', { cwd, args: ['--no-demo'] })
  const places = (address: string): object => ({ addresses: [{ order: 1, address }] })
  writeFileSync(`${cwd}/two/config.json`, configOf(2, {}, places(one.url)))
  const port = (stranger.address() as AddressInfo).port
  writeFileSync(`${cwd}/three/config.json`, configOf(2, {}, places(`http://127.0.0.1:${port}`)))
  const [two, three] = await Promise.all(
    ['two', 'three'].map((name) => startLookout(t, name, { cwd, args: ['--no-demo'] }))
  )
  if (two === undefined || three === undefined) throw new Error('there are two')

  const stateOf = async (station: Running): Promise<string | undefined> =>
    (await station.post<{ addresses: { state: string }[] }>('/api/standby/try', {})).json.addresses[0]?.state
  t.equal(await stateOf(two), 'answers')
  t.equal(await stateOf(three), 'disbelieved')

  t.equal((await two.post('/api/events', { ...EVENT, id: 'a' })).status, 202)
  t.equal((await three.post('/api/events', { ...EVENT, id: 'a' })).status, 202)
  await eventually('the wait ends', async () => /over the network/.test(await traceOf(two)))
  t.notMatch(await traceOf(three), /over the network/, 'nobody is believed without the secret')
  t.equal((await two.get<{ addresses: { state: string }[] }>('/api/standby')).json.addresses[0]?.state, 'answers')
})
