import t from 'tap'
import { Peer } from '../helpers/peer.ts'
import { eventually, type Running, startLookout } from '../helpers/process.ts'

/** Docs: docs/interface.md §6, *Two stations*. Two programs, each with two radios over TCP; what one transmits the other's node receives. */

const SECRET = 'a shared secret of two'
const EVENT = {
  source: 'test',
  family: 'fire',
  severity: 'critical',
  regions: ['North'],
  expires: '2999-01-01T00:00:00Z'
}
const cells = { fire: { North: { mt: 1, mc: 'north-fire' } } }

interface Row {
  transport: string
  state: string
  reason: string | null
  text: string | null
}

t.test('over both networks the second hears the first, keeps it over a kill, and says nothing', async (t) => {
  const nodes = await Promise.all(
    (['first', 'second'] as const).map(async (name) => ({
      mt: await Peer.start('mt', ['--port', '0', '--name', name]),
      mc: await Peer.start('mc', ['--port', '0', '--name', name])
    }))
  )
  t.teardown(() => Promise.all(nodes.flatMap(({ mt, mc }) => [mt.stop(), mc.stop()])))
  const [first, second] = nodes
  if (first === undefined || second === undefined) throw new Error('there are two')
  const radiosOf = (peers: typeof first): object[] =>
    (['mt', 'mc'] as const).map((id) => ({ id, network: id, link: 'tcp', host: '127.0.0.1', port: peers[id].port }))
  const configOf = (peers: typeof first, order: number): string =>
    JSON.stringify({
      radios: radiosOf(peers),
      notifications: {
        coalesce_seconds: 0,
        standby: { enabled: true, order, secret: SECRET, peers: ['!0000004d', 'first', 'second'] },
        region_routes: { enabled: true, cells }
      }
    })
  const cwd = t.testdir({
    one: { 'config.json': configOf(first, 1) },
    two: { 'config.json': configOf(second, 2) }
  })
  const one = await startLookout(t, 'one', { cwd, args: ['--no-demo'] })
  const two = await startLookout(t, 'two', { cwd, args: ['--no-demo'] })
  await Promise.all([one, two].map(ready))

  t.equal((await one.post('/api/events', { ...EVENT, id: 'a', title: 'Pine Fire' })).status, 202)
  const mt = await first.mt.until('transmitted')
  const mc = await first.mc.until('transmitted')
  t.match(mt['text'], /Pine Fire.* #\w{4}\.\w{5}$/)
  await second.mt.tell({ text: { from: 77, text: mt['text'], channel: 1 } })
  const words = String(mc['text']).replace(/^first: /, '')
  const slot = Number(mc['slot'] ?? 1)
  await second.mc.tell({ do: 'text', slot, from: 'first', text: words })
  const heard = async (station: Running): Promise<number> =>
    (await station.get<{ heard: unknown[] }>('/api/standby')).json.heard.length
  await eventually('both texts are heard', async () => (await heard(two)) === 2)

  await two.launched.kill()
  const again = await startLookout(t, 'two', { cwd, args: ['--no-demo'] })
  await ready(again)
  t.equal(await heard(again), 2, 'the kill forgot nothing')
  t.equal((await again.post('/api/events', { ...EVENT, id: 'a', title: 'Pine Fire' })).status, 202)
  const rows = await eventually('both messages are closed', async () => {
    const found = (await again.get<{ deliveries: Row[] }>('/api/deliveries')).json.deliveries
    return found.length === 2 && found.every(({ state }) => state === 'stood_down') && found
  })
  t.same(rows.map(({ transport }) => transport).sort(), ['mc', 'mt'])
  t.same(
    second.mt.events.filter(({ event }) => event === 'transmitted'),
    []
  )
  t.same(
    second.mc.events.filter(({ event }) => event === 'transmitted'),
    []
  )
})

async function ready(station: Running): Promise<unknown> {
  return await eventually('its radios are ready', async () => {
    const { radios } = (await station.get<{ radios: { state: string }[] }>('/api/radios')).json
    return radios.length === 2 && radios.every(({ state }) => state === 'ready')
  })
}
