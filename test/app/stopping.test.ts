import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually, type Launched, launch, readyLine, startLookout } from '../helpers/process.ts'

/** Contract §12: SIGTERM ends the program within 5 s with 0, whatever it is doing. */

const CONFIG = JSON.stringify({ station: { name: 'Test station' } })

async function stopped(t: Test, launched: Launched): Promise<void> {
  const before = Date.now()
  const { code, signal, stderr } = await launched.stop()
  t.same([code, signal], [0, null])
  t.ok(Date.now() - before < 5500, `stopped in ${Date.now() - before} ms`)
  t.notMatch(stderr, /database is not open|"level":(?:50|60)|unexpected error/)
}

t.test('asked to end at any step of its start, the station ends with 0 and complains of nothing', async (t) => {
  for (const file of ['lookout.lock', 'knowledge.db', 'lookout.db', 'metrics.db', 'session.json']) {
    const cwd = t.testdir({ data: { 'config.json': CONFIG } })
    const launched = launch(t, { cwd, args: ['start', '--port', '0', '--data', 'data', '--log', 'info'] })
    await eventually(`${file} is made`, () => existsSync(join(cwd, 'data', file)) || launched.over)
    await stopped(t, launched)
  }
})

t.test('a claim code that is still being made holds nothing up', async (t) => {
  const cwd = t.testdir({ data: { 'config.json': CONFIG } })
  const launched = launch(t, { cwd, args: ['start', '--port', '0', '--data', 'data', '--log', 'info'] })
  await launched.until('the ready line', () => readyLine(launched.stdout))
  await stopped(t, launched)
})

t.test('a server that does not answer holds nothing up', async (t) => {
  let asked = 0
  const silent = createServer(() => void asked++)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.closeAllConnections())
  t.teardown(() => silent.close())
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const config = {
    notifications: {
      coalesce_seconds: 0,
      toggles: { fire: { enabled: true, min_severity: 'routine', destinations: ['ops'] } },
      destinations: { ops: { type: 'webhook', webhook_url: url } }
    }
  }
  const cwd = t.testdir({ data: { 'config.json': JSON.stringify(config) } })
  const station = await startLookout(t, 'data', { cwd })
  const event = { id: 'a', source: 'test', family: 'fire', title: 'Fire', severity: 'critical', lat: 44.5, lon: -114 }
  t.equal((await station.post('/api/events', event)).status, 202)
  await eventually('the server is asked', () => asked > 0)
  await stopped(t, station.launched)
})
