import t from 'tap'
import { Peer } from '../helpers/peer.ts'
import { eventually, startLookout } from '../helpers/process.ts'

/** The program itself on two radios over TCP, as an operator plays an exercise while something real happens. Docs: docs/promises.md. */

const CIRCLE = { lat: 43.6, lon: -116.2, radius_km: 30 }
const CELL = { North: { mt: 1, mc: 'north' } }
const FIRE = {
  id: 'f',
  source: 'test',
  family: 'fire',
  title: 'Pine Fire',
  severity: 'immediate',
  lat: 43.6,
  lon: -116.2,
  expires: '2999-01-01T00:00:00Z'
}
const DAM = {
  at: 0,
  event: { name: 'dam', family: 'weather', region: 'North', severity: 'immediate', words: 'The mill dam breaks' }
}

t.test(
  'a warning in an exercise rings and is marked first, people are answered, and the log tells both apart',
  async (t) => {
    const mt = await Peer.start('mt', ['--port', '0', '--name', 'Hill'])
    const mc = await Peer.start('mc', ['--port', '0', '--name', 'Hill', '--channels', 'north', '--contacts', 'bob'])
    t.teardown(() => Promise.all([mt.stop(), mc.stop()]))
    const config = {
      station: { timezone: 'UTC' },
      radios: (['mt', 'mc'] as const).map((id) => {
        const { port } = id === 'mt' ? mt : mc
        return { id, network: id, link: 'tcp', host: '127.0.0.1', port }
      }),
      coverage: { region_tagging: true, areas: [{ name: 'North', circle: CIRCLE }] },
      notifications: {
        coalesce_seconds: 0,
        mt_alert: { packet: 'beside', bell: true },
        mt_waypoints: { enabled: true },
        region_routes: { enabled: true, cells: { fire: CELL, weather: CELL } }
      }
    }
    const cwd = t.testdir({ data: { 'config.json': JSON.stringify(config) } })
    const station = await startLookout(t, 'data', { cwd, args: ['--no-demo'] })
    await eventually('its radios are ready', async () => {
      const { radios } = (await station.get<{ radios: { state: string }[] }>('/api/radios')).json
      return radios.every(({ state }) => state === 'ready')
    })
    const begun = await station.post('/api/exercise', { title: 'Dam', injects: [DAM] })
    t.equal(begun.status, 202, begun.text)
    t.equal((await station.post('/api/events', FIRE)).status, 202)
    const real = ({ text }: Record<string, unknown>): boolean => /Pine Fire/.test(String(text))
    await mt.until('transmitted', (event) => event['port'] === 8 && real(event))
    await mc.until('transmitted', real)
    const packets = mt.events.filter(({ event, port }) => event === 'transmitted' && port === 11)
    t.ok(packets[0] !== undefined && real(packets[0]), 'the packet of the drill waits for that of the warning')
    t.ok(mt.events.some(({ event, text }) => event === 'transmitted' && String(text).endsWith('\u0007')))

    await mt.tell({ text: { from: 77, to: 11, text: '!alerts', pki: true, publicKey: '4d'.repeat(32) } })
    await mc.tell({ do: 'direct', from: 'bob', text: '!catchup' })
    await mt.until('transmitted', (event) => event['to'] === 77 && real(event))
    await mc.until('transmitted', (event) => event['to'] === 'bob' && real(event))

    t.equal((await station.post('/api/exercise/stop', {})).status, 200)
    const { entries } = (
      await station.get<{ entries: { direction: string; drill: boolean; message: string }[] }>('/api/comms-log')
    ).json
    const sent = entries.filter(({ direction }) => direction === 'out')
    t.ok(sent.some(({ drill }) => drill) && sent.some(({ drill }) => !drill))
    for (const { drill, message } of sent) t.equal(drill, /DRILL|EXERCISE/.test(message), message)
    t.match((await station.get('/exercise-report')).text, /mill dam breaks/)
    for (const paper of ['comms-log', 'exercise-report'])
      t.match((await station.get(`/api/${paper}?format=pdf`)).text, /^%PDF-1\.7/, `${paper} by the program itself`)
  }
)
