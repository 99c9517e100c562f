import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { demoConfig, demoEventsAt, demoSteps } from '../../src/warning/feeds/demo/demo.ts'
import { eventually, ndjson, type Running, run, startLookout } from '../helpers/process.ts'

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url))
const QUIET = { LOOKOUT_LOG: 'warn' }

interface Taken {
  at: number
  radio: string
  channel: string | number
  text: string
  identity: { packetId?: number; senderTimestamp?: number }
}
interface Deliveries {
  deliveries: { transport: string; state: string; attempts: number }[]
}

const taken = (file: string): Taken[] => (existsSync(file) ? ndjson<Taken>(readFileSync(file, 'utf8')) : [])
const deliveries = async (station: Running): Promise<Deliveries['deliveries']> =>
  (await station.get<Deliveries>('/api/deliveries?limit=200')).json.deliveries

/** The events of the demo as their feeds' parsers read them, one a line, each sent when its step is due. */
async function demoLines(startMs: number): Promise<string> {
  const steps = await demoSteps(DEMO, { startMs, runId: 'a test' })
  const events = steps.flatMap((step) => {
    const at = startMs + step.atSeconds * 1000
    return demoEventsAt(step, at).map((event) => ({ ...event, sent_at: new Date(at).toISOString() }))
  })
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

t.test('the demo of two minutes, played again into the same folder, sends nothing twice', async (t) => {
  const cwd = t.testdir({
    'config.json': JSON.stringify(await demoConfig(DEMO)),
    'demo.ndjson': await demoLines(Date.parse('2026-07-01T18:00:00Z'))
  })
  const args = ['replay', 'demo.ndjson', '--config', 'config.json', '--data', 'kept']
  const first = await run(t, args, { cwd })
  const lines = ndjson<{ text: string; kind: string; transport: string; channel: unknown; thread_id: string }>(
    first.stdout
  )
  t.equal(first.code, 0)
  t.ok(lines.length >= 12, `${lines.length} messages`)
  for (const kind of ['new', 'update', 'cancel'])
    t.ok(
      lines.some((line) => line.kind === kind),
      `one is ${kind}`
    )
  const news = lines
    .filter(({ kind }) => kind === 'new')
    .map((line) => `${line.transport}:${line.channel} ${line.thread_id}`)
  t.equal(new Set(news).size, news.length, 'new once per thread and channel')
  const second = await run(t, args, { cwd })
  t.same([second.code, second.stdout], [0, ''])
  t.match(second.stderr, / 0 with messages, 0 silent, \d+ known already/)
})

t.test('a folder that has seen the demo knows it after a restart, however the program ended', async (t) => {
  const cwd = t.testdir({})
  const log = join(cwd, 'air.jsonl')
  const env = { ...QUIET, LOOKOUT_AIR_LOG: log }
  const first = await startLookout(t, 'data', { cwd, env })
  await eventually(
    'the tornado warning on both networks',
    () => new Set(taken(log).map(({ radio }) => radio)).size === 2
  )
  await first.launched.kill()
  const second = await startLookout(t, 'data', { cwd, env })
  await second.launched.until('the warning is known', () => /known .*was here before/.test(second.launched.stdout))
  t.match(second.launched.stdout, /This folder has seen it, so nothing is sent twice: --demo-again/)
  t.equal((await second.launched.stop()).code, 0)
  const said = taken(log)
  for (const one of said) {
    const same = said.filter(
      ({ radio, channel, text }) => radio === one.radio && channel === one.channel && text === one.text
    )
    t.equal(new Set(same.map(({ identity }) => JSON.stringify(identity))).size, 1, `one identity: ${one.text}`)
  }
})

const CONFIG = {
  notifications: {
    coalesce_seconds: 0,
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3, mc: 'north' } } } }
  }
}
const fire = (id: string, severity: string): object => ({
  id,
  source: 'test',
  family: 'fire',
  severity,
  title: `Fire ${id}`,
  regions: ['North']
})

interface Cut {
  second: Running
  said: Taken[]
  id: string
}

/** Kills a program while MeshCore has a text on the air and starts it again. On a busy machine a kill may come too late: then the next. */
async function cutOff(t: Test, severity: string): Promise<Cut> {
  for (let attempt = 1; attempt <= 8; attempt++) {
    const cwd = t.testdir({ data: { 'config.json': JSON.stringify(CONFIG) } })
    const log = join(cwd, 'air.jsonl')
    const env = { ...QUIET, LOOKOUT_AIR_LOG: log }
    const id = `alpha${attempt}`
    const first = await startLookout(t, 'data', { cwd, env })
    t.equal((await first.post('/api/events', fire(id, severity))).status, 202)
    await eventually('the text on the air', () => taken(log).some(({ radio }) => radio === 'sim-mc'))
    await first.launched.kill()
    const second = await startLookout(t, 'data', { cwd, env })
    const rows = await eventually('both messages are closed', async () => {
      const list = await deliveries(second)
      return list.every(({ state }) => ['sent', 'heard', 'unconfirmed', 'sent_unknown'].includes(state)) && list
    })
    const mc = rows.find(({ transport }) => transport === 'mc')
    const said = taken(log).filter(({ radio }) => radio === 'sim-mc')
    if (mc?.state === 'sent_unknown' || (mc?.attempts ?? 0) > 1) return { second, said, id }
    await second.launched.stop()
  }
  throw new Error('no kill found a text on the air')
}

const ONCE_MORE = 'killed with a message on the air: critical is offered again as the same packet, priority is not'

t.test(ONCE_MORE, async (t) => {
  for (const severity of ['critical', 'priority']) {
    const { second, said, id } = await cutOff(t, severity)
    t.equal(new Set(said.map(({ identity }) => identity.senderTimestamp)).size, 1, 'one identity')
    t.equal(said.length, severity === 'critical' ? 2 : 1)
    const rows = await deliveries(second)
    t.equal(rows.length, 2)
    const state = rows.find(({ transport }) => transport === 'mc')?.state
    t.equal(state === 'sent_unknown', severity === 'priority', `it may have been heard: ${state}`)
    const repeat = await second.post('/api/events', fire(id, severity))
    t.match(repeat.json, { accepted: 0, duplicates: 1 }, 'posting it again changes nothing')
    t.equal((await second.launched.stop()).code, 0)
    t.match(second.launched.stderr, /"msg":"messages were cut off while transmitting"/)
  }
})
