import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

const NODE = '!a1b2c3d4'
const cells = { fire: { North: { mt: 3, mc: null } } }

function escalating(steps: Record<string, unknown>[], more: Record<string, unknown> = {}): Record<string, unknown> {
  const escalation = { fire: { steps } }
  return withMatrix(more['cells'] ?? cells, { escalation, ...more })
}

const urgent = { id: 'a', severity: 'critical', title: 'Pine Fire', expires: '2026-06-02T06:00:00Z' }
const paths = (s: Station): string[] =>
  s.deliveries().map(({ path, transport, channel }) => `${path} ${transport}:${channel}`)
const codeOf = (s: Station, thread: string): string => s.core.ledger.codes.known(thread) ?? ''

t.test('repeat: the same text once more on its channels, marked RPT, under a new identity', async (t) => {
  const s = await station(t, { config: escalating([{ after_seconds: 300, type: 'repeat' }]) })
  const { threadId, seq } = await s.post(urgent)
  await s.run(299)
  t.equal(s.mt.sentCount, 1, 'not before its time')
  await s.run(60)
  const [first, second] = s.mt.airLog
  t.match(first?.text, new RegExp(` #${codeOf(s, threadId)}$`), 'an alert that escalates carries its code')
  t.equal(second?.text, `RPT ${first?.text}`)
  t.equal(second?.channel, 3)
  t.not(second?.identity.packetId, first?.identity.packetId)
  t.same(paths(s), ['matrix mt:3', 'escalation mt:3'])
  const trace = (s.core.ledger.get(seq ?? 0)?.trace ?? []) as { stage: string }[]
  t.match(trace.at(-1), { stage: 'escalation', outcome: 'send', reason: 'repeat', channel: 'mt:3' })
  t.match(s.core.reactions.followUp(threadId), { state: 'done', reason: 'steps_done', steps_taken: 1, next_at: null })
  await s.run(3600)
  t.equal(s.mt.sentCount, 2, 'each step is taken once')
})

t.test('steps follow one another: other network, then named nodes by direct message', async (t) => {
  const steps = [
    { after_seconds: 60, type: 'other_network' },
    { after_seconds: 120, type: 'dm', node_ids: [NODE], contacts: ['Ann'] }
  ]
  // The cell got its MC channel after the alert had gone out on MT alone.
  const s = await station(t, { config: escalating(steps) })
  await s.post(urgent)
  await s.run(30)
  s.setConfig(escalating(steps, { cells: { fire: { North: { mt: 3, mc: 'north-fire' } } } }))
  await s.run(40)
  t.same(paths(s), ['matrix mt:3', 'escalation mc:north-fire'])
  t.match(s.mc.airLog[0]?.text, /^Lookout: VIA MC .*Pine Fire/)
  await s.run(100)
  t.equal(s.deliveries().length, 2, 'the second step waits from the first on')
  await s.run(60)
  t.same(paths(s).slice(2), [`escalation mt:${NODE}`, 'escalation mc:Ann'])
  t.equal(s.mt.airLog.at(-1)?.to, NODE)
  t.equal(s.mc.airLog.at(-1)?.to, 'Ann')
})

t.test('other_network: nothing goes to a network that the matrix is switched off for', async (t) => {
  const steps = [{ after_seconds: 60, type: 'other_network' }]
  const wide = { fire: { North: { mt: 3, mc: 'north-fire' } } }
  const region_routes = { enabled: true, mc_enabled: false, cells: wide }
  const s = await station(t, { config: escalating(steps, { cells: wide, region_routes }) })
  const { seq } = await s.post(urgent)
  await s.run(90)
  t.same(paths(s), ['matrix mt:3'])
  const trace = (s.core.ledger.get(seq ?? 0)?.trace ?? []) as { stage: string }[]
  t.match(trace.at(-1), { stage: 'escalation', outcome: 'skip', reason: 'nothing_to_send' })
})

t.test('a webhook step posts to its destination; a name that is none is told in the trace', async (t) => {
  const server = createServer()
  const received = new Promise<string>((resolve) => {
    server.on('request', (req, res) => {
      let body = ''
      req.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      req.on('end', () => {
        res.end()
        resolve(body)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const steps = [
    { after_seconds: 10, type: 'webhook', destination: 'nobody' },
    { after_seconds: 10, type: 'webhook', destination: 'ops' }
  ]
  const destinations = { ops: { type: 'webhook', webhook_url: url } }
  const s = await station(t, { config: escalating(steps, { destinations }) })
  const { seq } = await s.post(urgent)
  await s.run(25)
  t.match(JSON.parse(await received), { event_type: 'fire', source_event: { title: 'Pine Fire' } })
  t.same(paths(s), ['matrix mt:3', 'escalation webhook:destination:ops'])
  const reasons = ((s.core.ledger.get(seq ?? 0)?.trace ?? []) as { stage: string; reason: string }[])
    .filter(({ stage }) => stage === 'escalation')
    .map(({ reason }) => reason)
  t.same(reasons, ['unknown_destination', 'nothing_to_send', 'webhook'])
})

t.test('an acknowledgement by radio stops it, and takes back a step that still waits', async (t) => {
  const s = await station(t, {
    config: {
      ...(escalating([
        { after_seconds: 60, type: 'repeat' },
        { after_seconds: 60, type: 'repeat' }
      ]) as object),
      commands: { admins: [NODE] }
    }
  })
  const { threadId } = await s.post(urgent)
  await s.run(30)
  s.mt.receive({ from: NODE, text: `!ack ${codeOf(s, threadId)} on my way` })
  await s.run(600)
  t.match(s.mt.airLog.at(-1)?.text, /acknowledged .* Escalation stopped\./)
  t.same(paths(s), ['matrix mt:3', `reply mt:${NODE}`])
  t.match(s.core.reactions.followUp(threadId), { state: 'done', reason: 'acknowledged' })

  const held = await station(t, { config: escalating([{ after_seconds: 60, type: 'dm', node_ids: [NODE] }]) })
  const posted = await held.post(urgent)
  held.mt.setFault({ down: true })
  await held.run(90)
  t.equal(held.deliveries().at(-1)?.state, 'held')
  held.core.reactions.acknowledge(posted.threadId, { author: 'Ann', name: 'Ann', reason: '' })
  t.match(held.deliveries().at(-1), { state: 'suppressed', reason: 'acknowledged' }, 'what still waits is taken back')
})

t.test('cancel, end by time, silence and the master switch stop it', async (t) => {
  const steps = [{ after_seconds: 60, type: 'repeat' }]
  const ways: [string, (s: Station) => Promise<unknown> | undefined][] = [
    ['over', (s) => s.post({ ...urgent, revision: '2', lifecycle: 'cancel' })],
    ['over', (s) => s.post({ ...urgent, revision: '2', lifecycle: 'expire' })],
    [
      'silenced',
      (s) => {
        const now = s.clock.now()
        const matcher = { family: 'fire', region: null, threadId: null, includesImmediate: false }
        s.core.reactions.silences.add({ ...matcher, author: 'Ann', reason: '', from: now, until: now + 3_600_000 })
        return undefined
      }
    ],
    [
      'notifications_off',
      (s) => {
        s.setConfig(escalating(steps, { enabled: false }))
        return undefined
      }
    ],
    [
      'not_configured',
      (s) => {
        s.setConfig(withMatrix(cells))
        return undefined
      }
    ]
  ]
  for (const [reason, stop] of ways) {
    const s = await station(t, { config: escalating(steps) })
    const { threadId } = await s.post(urgent)
    await s.run(20)
    await stop(s)
    await s.run(120)
    t.notOk(
      s.deliveries().some(({ path }) => path === 'escalation'),
      reason
    )
    t.match(s.core.reactions.followUp(threadId), { state: 'done', reason })
  }
  const short = await station(t, { config: escalating(steps) })
  const { threadId } = await short.post({ ...urgent, expires: '2026-06-01T18:00:30Z' })
  await short.run(120)
  t.match(short.core.reactions.followUp(threadId), { reason: 'over' }, 'its time is over')
})

t.test('a follow-up outlives a restart, and what fell due meanwhile happens at once', async (t) => {
  const steps = [
    { after_seconds: 60, type: 'repeat' },
    { after_seconds: 60, type: 'repeat' }
  ]
  const s = await station(t, { config: escalating(steps), databasePath: `${t.testdir()}/db` })
  const { threadId } = await s.post(urgent)
  await s.run(10)
  const r = await s.restart({ between: () => s.clock.runTo(s.clock.now() + 300_000) })
  await r.run(5)
  t.match(r.core.reactions.followUp(threadId), { state: 'open', steps_taken: 1 })
  await r.run(70)
  t.same(paths(r), ['matrix mt:3', 'escalation mt:3', 'escalation mt:3'])
  t.match(
    r.mt.airLog.map(({ text }) => text),
    [/^RPT \S/, /^RPT (?!RPT)/],
    'a repeat of a repeat is marked once'
  )
})

t.test('only what goes out and is grave enough is followed up; a raise starts again after an ack', async (t) => {
  const s = await station(t, { config: escalating([{ after_seconds: 60, type: 'repeat' }]) })
  const quiet = await s.post({ ...urgent, id: 'q', severity: 'priority' })
  t.equal(s.core.reactions.followUp(quiet.threadId), null)
  const unrouted = await s.post({ ...urgent, id: 'u', regions: ['Nowhere'] })
  t.equal(s.core.reactions.followUp(unrouted.threadId), null)
  const { threadId } = await s.post(urgent)
  await s.run(20)
  s.core.reactions.acknowledge(threadId, { author: 'Ann', name: 'Ann', reason: '' })
  await s.post({ ...urgent, revision: '2', title: 'Pine Fire grows' })
  t.match(
    s.core.reactions.followUp(threadId),
    { state: 'done', reason: 'acknowledged' },
    'an update asks for no new ack'
  )
  await s.run(20)
  await s.post({ ...urgent, revision: '3', severity: 'immediate' })
  t.match(s.core.reactions.followUp(threadId), { state: 'open', steps_taken: 0 })
})

t.test('codes in texts: never, only where something follows, or always', async (t) => {
  const steps = [{ after_seconds: 600, type: 'repeat' }]
  const expected: [string, boolean, boolean][] = [
    ['never', false, false],
    ['escalating', true, false],
    ['always', true, true]
  ]
  for (const [codes, onCritical, onRoutine] of expected) {
    const config = { ...(escalating(steps) as object), messages: { codes } }
    const s = await station(t, { config })
    await s.post(urgent)
    await s.post({ id: 'r', title: 'Smoke seen' })
    await s.run(60)
    const texts = s.mt.airLog.map(({ text }) => text)
    const ends = (part: string): boolean => / #[0-9A-Z]{4}$/.test(texts.find((text) => text.includes(part)) ?? '')
    t.same([ends('Pine'), ends('Smoke')], [onCritical, onRoutine], codes)
    t.ok(texts.every((text) => Buffer.byteLength(text) <= 140))
  }
})

t.test('a long text keeps its code, and its repeat fits', async (t) => {
  const config = {
    ...(escalating([{ after_seconds: 60, type: 'repeat' }]) as object),
    messages: { mt_bytes: 80, target_bytes: 80 }
  }
  const s = await station(t, { config })
  await s.post({ ...urgent, title: 'Ä very long title '.repeat(20) })
  await s.run(120)
  t.equal(s.mt.airLog.length, 2)
  for (const { text, bytes } of s.mt.airLog) {
    t.match(text, / #[0-9A-Z]{4}$/)
    t.ok(bytes <= 80, `${bytes}`)
  }
  t.match(s.mt.airLog[1]?.text, /^RPT /)
})

t.test('a clock that is set back keeps no step, no stand-in and no person waiting', async (t) => {
  const cells = { fire: { North: { mt: 3, mc: 'n', fallback: true } } }
  const config = escalating([{ after_seconds: 60, type: 'dm', node_ids: [NODE] }], { cells })
  const s = await station(t, { config, databasePath: `${t.testdir()}/db` })
  for (let count = 0; count < 6; count++) s.mt.receive({ text: '!help' })
  await s.run(60)
  s.mt.setFault({ down: true })
  const { threadId } = await s.post({ ...urgent, expires: '2026-06-03T00:00:00Z' })
  await s.run(1)
  const back = await s.restart({ clock: new VirtualClock(START - 5 * 3_600_000) })
  back.mt.receive({ text: '!help' })
  await back.run(120)
  t.match(back.core.reactions.followUp(threadId), { state: 'done', reason: 'steps_done' })
  t.equal(back.deliveries().filter(({ path, text }) => path === 'reply' && text?.startsWith('Ask:')).length, 7)
})
