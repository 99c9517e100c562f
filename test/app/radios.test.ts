import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Network } from '../../src/warning/radios/radio.ts'
import { Peer } from '../helpers/peer.ts'
import { eventually, ndjson, type Running, startLookout } from '../helpers/process.ts'

/** A running station and two radios over TCP: what an operator sees of each step, in the log, the live stream and the API. */

/** A radio that falls silent while it is handed a text; MeshCore has asked three times by then, and needs no suspicion. */
const ORDER = { mt: ['suspect', 'down', 'connecting'], mc: ['down', 'connecting'] } as const

interface Step {
  state: string
  reason: string | null
}

interface Status extends Step {
  id: Network
  since: string
}

/** The steps of each radio as `GET /api/stream` tells them. */
async function liveSteps(t: Test, url: string): Promise<Record<Network, Step[]>> {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/stream`, { signal: abort.signal })
  const steps: Record<Network, Step[]> = { mt: [], mc: [] }
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const data = /^event: radio\ndata: (.*)$/m.exec(message)?.[1]
        if (data === undefined) continue
        const { id, state, reason } = JSON.parse(data) as Status
        // A new channel table is told with the same state.
        if (steps[id].at(-1)?.state !== state || steps[id].at(-1)?.reason !== reason) steps[id].push({ state, reason })
      }
    }
  }
  const reading = read().catch((error: unknown) => {
    if (!abort.signal.aborted) t.fail(`the stream ended: ${error}`)
  })
  t.teardown(async () => {
    abort.abort()
    await reading
  })
  return steps
}

async function shown(station: Running, id: Network, state: string): Promise<Step> {
  return await eventually(`${id} is ${state} in the API`, async () => {
    const { radios } = (await station.get<{ radios: Status[] }>('/api/radios')).json
    const found = radios.find((radio) => radio.id === id)
    return found?.state === state && { state, reason: found.reason }
  })
}

function logged(station: Running, id: Network): Step[] {
  return ndjson<{ radio?: string; state?: string; reason?: string }>(station.launched.stderr)
    .filter(({ radio, state }) => radio === id && state !== undefined)
    .map(({ state = '', reason = null }) => ({ state, reason }))
}

t.test('each step of a radio stands in the log, the live stream and the API, with its reason', async (t) => {
  const peers = { mt: await Peer.start('mt', ['--port', '0']), mc: await Peer.start('mc', ['--port', '0']) }
  t.teardown(() => Promise.all([peers.mt.stop(), peers.mc.stop()]))
  const host = '127.0.0.1'
  const radios = (['mt', 'mc'] as const).map((id) => ({ id, network: id, link: 'tcp', host, port: peers[id].port }))
  const cells = { fire: { North: { mt: 1, mc: 'north-fire' } } }
  const config = { radios, notifications: { coalesce_seconds: 0, region_routes: { enabled: true, cells } } }
  const cwd = t.testdir({ data: { 'config.json': JSON.stringify(config) } })
  const station = await startLookout(t, 'data', { cwd, args: ['--no-demo'] })
  await Promise.all([shown(station, 'mt', 'ready'), shown(station, 'mc', 'ready')])
  const live = await liveSteps(t, station.url)

  await peers.mt.tell({ fault: { silent: true } })
  await peers.mc.tell({ do: 'fault', kind: 'stop' })
  const event = { id: 'a', source: 'test', family: 'fire', severity: 'critical', title: 'Fire', regions: ['North'] }
  t.equal((await station.post('/api/events', event)).status, 202)
  const follow = async (id: Network, states: readonly string[], mend: object): Promise<Step[]> => {
    const steps: Step[] = []
    for (const state of states) steps.push(await shown(station, id, state))
    await peers[id].tell(mend)
    return [...steps, await shown(station, id, 'ready')]
  }
  const [mt, mc] = await Promise.all([follow('mt', ORDER.mt, { mend: true }), follow('mc', ORDER.mc, { do: 'mend' })])

  t.match(mt, [
    { state: 'suspect', reason: /has not answered for 5 s; it is asked again/ },
    { state: 'down', reason: /stopped answering: no answer in 10 s/ },
    { state: 'connecting', reason: /^connecting to tcp 127\.0\.0\.1:\d+; the last try: the radio stopped answering/ },
    { state: 'ready', reason: null }
  ])
  t.match(mc, [
    { state: 'down', reason: /did not answer 3 commands running/ },
    { state: 'connecting', reason: /^connecting to tcp 127\.0\.0\.1:\d+; the last try: / },
    { state: 'ready', reason: null }
  ])
  for (const [id, api] of [
    ['mt', mt],
    ['mc', mc]
  ] as const) {
    await eventually(`${id} is ready in the stream`, () => live[id].at(-1)?.state === 'ready')
    const first = logged(station, id).slice(0, 2)
    t.match(first, [{ state: 'connecting', reason: /^connecting to tcp/ }, { state: 'ready' }], `${id}: first steps`)
    const steps = logged(station, id).slice(2)
    t.same(live[id], steps, `${id}: log and stream tell the same steps and reasons`)
    t.same(
      steps.slice(0, ORDER[id].length).map(({ state }) => state),
      ORDER[id],
      `${id}: in this order`
    )
    for (const step of api) {
      t.ok(
        steps.some(({ state, reason }) => state === step.state && reason === step.reason),
        `${id}: the API showed what was logged: ${step.state} ${step.reason ?? ''}`
      )
    }
  }
  t.equal((await station.launched.stop()).code, 0)
})

t.test(
  'a radio that is chosen while the station runs is connected, and tells what waited, without a restart',
  async (t) => {
    const peer = await Peer.start('mt', ['--port', '0'])
    t.teardown(() => peer.stop())
    const config = {
      notifications: { coalesce_seconds: 0, region_routes: { enabled: true, cells: { fire: { North: { mt: 1 } } } } }
    }
    const cwd = t.testdir({ data: { 'config.json': JSON.stringify(config) } })
    const args = ['--no-demo', '--profile', 'minimal_pi', '--host', '127.0.0.1']
    const station = await startLookout(t, 'data', { cwd, args })
    const secret = readFileSync(join(cwd, 'data', 'local.token'), 'utf8').trim()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
    const post = (path: string, body: object): Promise<Response> =>
      fetch(station.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const event = { id: 'a', source: 'test', family: 'fire', severity: 'critical', title: 'Fire', regions: ['North'] }
    t.equal((await post('/api/events', event)).status, 202)
    const radios = { mt: { link: 'tcp', host: '127.0.0.1', port: peer.port } }
    t.equal((await post('/api/first-run', { radios })).status, 200)
    await shown(station, 'mt', 'ready')
    t.match(await peer.until('transmitted'), { text: /Fire/ })
  }
)
