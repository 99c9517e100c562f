import t from 'tap'
import { saidSteps } from '../../../src/warning/routing/said-trace.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const cell = { mt: 3, mc: 'north-fire' }
const config = withMatrix({ fire: { North: { ...cell, fallback: true } } })
const urgent = { id: 'a', severity: 'critical', title: 'Pine Fire', expires: '2026-06-02T06:00:00Z' }

const told = (s: Station): string[] =>
  s.deliveries().map(({ path, transport, state }) => `${path} ${transport} ${state}`)
const trace = (s: Station, seq: number | null): { stage: string; reason: string; outcome: string }[] =>
  (s.core.ledger.get(seq ?? 0)?.trace ?? []) as { stage: string; reason: string; outcome: string }[]

t.test('the first network is heard: the other stays silent, and the trace says so', async (t) => {
  const s = await station(t, { config })
  const { decision, seq } = await s.post(urgent)
  t.match(
    decision?.trace.find(({ reason }) => reason === 'held_back'),
    { stage: 'plan', outcome: 'note', channel: 'mc:north-fire' }
  )
  t.match(
    saidSteps(decision?.trace ?? []).find(({ stage }) => stage === 'matrix'),
    {
      detail: 'fire × North → Meshtastic channel 3, else MeshCore channel north-fire'
    }
  )
  await s.run(3600)
  t.same(told(s), ['matrix mt heard'])
  t.equal(s.mc.sentCount, 0)
  t.match(trace(s, seq).at(-1), { stage: 'fallback', outcome: 'skip', reason: 'heard' })
})

t.test('nobody heard: the other network takes over, marked', async (t) => {
  const s = await station(t, { config, neighbours: 0 })
  const { seq } = await s.post({ ...urgent, severity: 'priority' })
  await s.run(600)
  t.match(told(s), ['matrix mt unconfirmed', /^fallback mc/])
  t.match(s.mc.airLog[0]?.text, /^Lookout: VIA MC .*Pine Fire/)
  t.equal(s.mc.airLog[0]?.channel, 'north-fire')
  t.match(
    trace(s, seq).find(({ stage }) => stage === 'fallback'),
    { outcome: 'send', reason: 'unconfirmed' }
  )
  await s.run(3600)
  t.equal(s.mc.sentCount, 1, 'once')
})

t.test('critical is repeated on its own network first, while it may', async (t) => {
  const s = await station(t, { config, neighbours: 0 })
  await s.post(urgent)
  await s.run(1800)
  const first = s.mc.airLog[0]?.at ?? 0
  t.ok(s.mt.airLog.length > 1)
  t.ok(s.mt.airLog.every(({ at }) => at < first))
})

t.test('parts of a long text are no refusals: it is repeated on its own network first as well', async (t) => {
  const s = await station(t, { config: { ...config, messages: { max_parts: 3 } }, neighbours: 0 })
  const { seq } = await s.post({ ...urgent, summary: 'Long summary '.repeat(30) })
  await s.run(3600)
  t.equal(s.mt.airLog.length, 6, 'three parts, twice')
  t.ok(s.mt.airLog.every(({ at }) => at < (s.mc.airLog[0]?.at ?? 0)))
  t.match(
    trace(s, seq).find(({ stage }) => stage === 'fallback'),
    { outcome: 'send', reason: 'unconfirmed' }
  )
})

t.test('the radio is away: after 30 seconds the other network takes over', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ down: true })
  const { seq } = await s.post(urgent)
  await s.run(29)
  t.equal(s.mc.sentCount, 0)
  await s.run(10)
  t.equal(s.mc.sentCount, 1)
  t.match(told(s), ['matrix mt held', /^fallback mc/])
  t.match(
    trace(s, seq).find(({ stage }) => stage === 'fallback'),
    { outcome: 'send', reason: 'radio_down' }
  )
})

t.test('a radio that comes back in time keeps the message', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ down: true })
  await s.post(urgent)
  await s.run(15)
  s.mt.setFault({ down: false })
  await s.run(600)
  t.same(told(s), ['matrix mt heard'])
})

t.test('a refusal for good is a reason as well', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ refuseNext: { code: 'TOO_LARGE', retry: false } })
  await s.post(urgent)
  await s.run(60)
  t.match(told(s), ['matrix mt failed', /^fallback mc/])
})

t.test('a refusal that goes on is a reason too, while the message itself waits for its end', async (t) => {
  const s = await station(t, { config })
  const send = s.mt.send.bind(s.mt)
  s.mt.send = (message) => {
    s.mt.setFault({ refuseNext: { code: 'DUTY_CYCLE_LIMIT', retry: true } })
    return send(message)
  }
  await s.post({ ...urgent, severity: 'critical' })
  await s.run(120)
  t.match(told(s), ['matrix mt queued', /^fallback mc/])
})

t.test('an event that is over needs nobody to stand in', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ down: true })
  const { seq } = await s.post(urgent)
  await s.run(10)
  await s.post({ ...urgent, revision: '2', lifecycle: 'cancel' })
  await s.run(120)
  t.equal(s.mc.sentCount, 0)
  t.match(
    trace(s, seq).find(({ stage }) => stage === 'fallback'),
    { reason: 'over' }
  )
})

t.test('what waits to stand in outlives a restart; after the wait that was stored nobody has heard it', async (t) => {
  const s = await station(t, { config, neighbours: 0, databasePath: `${t.testdir()}/db` })
  const { seq } = await s.post({ ...urgent, severity: 'priority' })
  await s.run(1)
  const r = await s.restart()
  t.same(told(r), ['matrix mt sent'], 'its radio will never say what became of it')
  await r.run(10)
  t.equal(r.mc.sentCount, 0)
  await r.run(290)
  t.match(r.mc.airLog, [{ text: /VIA MC/ }])
  t.match(
    trace(r, seq).find(({ stage }) => stage === 'fallback'),
    { reason: 'unconfirmed' }
  )
})

t.test('a newer message takes the place of the one that waits, with the regions of both', async (t) => {
  const cells = { fire: { North: { ...cell, fallback: true }, South: { ...cell, fallback: true } } }
  const s = await station(t, { config: withMatrix(cells) })
  s.mt.setFault({ down: true })
  await s.post(urgent)
  await s.post({ ...urgent, revision: '2', regions: ['South'] })
  await s.run(60)
  t.equal(s.mc.sentCount, 1)
  t.match(
    s.deliveries().find(({ path }) => path === 'fallback'),
    { regions: ['North', 'South'] }
  )
})

t.test('the channel that stood in is told of the cancel', async (t) => {
  const s = await station(t, { config })
  s.mt.setFault({ down: true })
  await s.post(urgent)
  await s.run(60)
  await s.post({ ...urgent, revision: '2', lifecycle: 'cancel' })
  await s.run(60)
  t.match(
    s.mc.airLog.map(({ text }) => text),
    [/VIA MC/, /CANCEL/]
  )
})

t.test('mc_first is the same the other way round', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { ...cell, fallback: 'mc_first' } } }) })
  await s.post(urgent)
  await s.run(60)
  t.same(told(s), ['matrix mc heard'])
  s.mc.setFault({ down: true })
  await s.post({ ...urgent, id: 'b', title: 'Oak Fire' })
  await s.run(60)
  t.match(s.mt.airLog[0]?.text, /^VIA MT .*Oak Fire/)
})

t.test(
  'a channel that another cell feeds at once is not held back; without both channels there is nothing to stand in',
  async (t) => {
    const cells = { fire: { North: { ...cell, fallback: true }, South: { mt: 5, mc: 'north-fire' } } }
    const s = await station(t, { config: withMatrix(cells) })
    await s.post({ ...urgent, regions: ['North', 'South'] })
    await s.run(60)
    t.same(
      s.deliveries().map(({ channel, regions }) => [channel, regions]),
      [
        [3, ['North']],
        ['north-fire', ['North', 'South']],
        [5, ['South']]
      ]
    )
    const alone = await station(t, { config: withMatrix({ fire: { North: { mt: null, mc: 'x', fallback: true } } }) })
    await alone.post(urgent)
    await alone.run(60)
    t.same(told(alone), ['matrix mc heard'])
  }
)

t.test('explain lists what would stand in, and for what', async (t) => {
  const s = await station(t, { config })
  const { event } = await s.post({ id: 'x', regions: ['Nowhere'] })
  const { messages } = s.core.explain({ ...event, id: 'y', thread_id: 'y', regions: ['North'] })
  t.match(messages, [{ transport: 'mt' }, { transport: 'mc', stands_in_for: ['mt:3'] }])
  t.notOk('stands_in_for' in (messages[0] ?? {}))
})
