import { join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import type { Radio, RadioDetails } from '../../../src/warning/radios/radio.ts'
import { rewriteRows } from '../../helpers/rewrite-rows.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

/** Delivery to the radios: contract §6. */

const mtOnly = { fire: { North: { mt: 3 } } }

function file(t: { testdir: () => string }): string {
  return join(t.testdir(), 'lookout.db')
}

t.test('a restart repeats nothing that was sent and forgets nothing that waits', async (t) => {
  const config = { notifications: { coalesce_seconds: 20, region_routes: { enabled: true, cells: mtOnly } } }
  const first = await station(t, { config, databasePath: file(t) })
  await first.post({ id: 'a' })
  await first.run(60)
  await first.post({ id: 'b', category: 'wildfire_declared' })
  t.equal(first.deliveries().at(-1)?.state, 'queued')
  const second = await first.restart()
  t.equal((await second.post({ id: 'a' })).duplicate, true)
  t.equal(
    (await second.post({ id: 'a2', thread_id: 'test:a', title: 'event a' })).decision?.reason,
    'duplicate',
    'the thread is known too'
  )
  await second.run(60)
  t.same(second.onAir().length, 1, 'b went out after the restart, a did not')
  t.equal(second.deliveries().length, 2)
})

t.test('the cooldown survives a restart', async (t) => {
  const first = await station(t, { config: withMatrix(mtOnly), databasePath: file(t) })
  await first.post({ id: 'a' })
  await first.run(60)
  const second = await first.restart()
  t.equal((await second.post({ id: 'b' })).decision?.reason, 'cooldown')
})

t.test(
  'cut off while transmitting: critical and above is offered again with the same identity, the rest is closed',
  async (t) => {
    for (const { severity, state } of [
      { severity: 'critical', state: 'heard' },
      { severity: 'priority', state: 'sent_unknown' }
    ]) {
      const path = join(t.testdir(), `${severity}.db`)
      const first = await station(t, { config: withMatrix(mtOnly), databasePath: path })
      await first.post({ id: severity, severity })
      await first.run(30)
      const second = await first.restart({
        // A kill leaves this: the row says transmitting and carries its identity.
        between: () => rewriteRows(path, "UPDATE deliveries SET state = 'transmitting'")
      })
      const identity = (await rewriteRows(path, 'SELECT identity FROM deliveries'))?.['identity']
      await second.run(120)
      t.same(
        second.deliveries().map((delivery) => delivery.state),
        [state],
        severity
      )
      t.same(
        second.mt.airLog.map((entry) => entry.identity),
        severity === 'critical' ? [JSON.parse(String(identity))] : [],
        'the same packet identity, or nothing'
      )
    }
  }
)

t.test('a crash longer than ten minutes ago is said with RPT: receivers may have forgotten the packet', async (t) => {
  const path = file(t)
  const first = await station(t, { config: withMatrix(mtOnly), databasePath: path })
  await first.post({ id: 'a', severity: 'critical' })
  await first.run(11 * 60)
  const left = "UPDATE deliveries SET state = 'transmitting', sent_at = NULL, next_part = 0"
  const second = await first.restart({ between: () => rewriteRows(path, left) })
  await second.run(120)
  t.match(second.deliveries(), [{ state: 'heard', attempts: 2 }])
  t.match(second.onAir(), [/^mt:3 RPT /])
})

t.test('after an explicit refusal the retry takes a new identity; an unknown outcome keeps it', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  s.mt.setFault({ refuseNext: { code: 'RATE_LIMIT_EXCEEDED', retry: true } })
  const seen: (number | undefined)[] = []
  spy(s.mt, seen)
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(60)
  t.equal(seen.length, 2)
  t.not(seen[0], seen[1], 'new after a refusal')
  s.mt.setFault({ silentNext: 'discarded' })
  await s.post({ id: 'b', severity: 'critical' })
  await s.run(60)
  t.equal(seen.length, 4)
  t.equal(seen[2], seen[3], 'same when nobody knows')
  t.equal(s.deliveries().at(-1)?.attempts, 2)
})

function spy(radio: Radio, seen: (number | undefined)[]): void {
  const send = radio.send.bind(radio)
  radio.send = (message) => {
    seen.push(message.identity.packetId)
    return send(message)
  }
}

t.test('an unknown outcome below critical is closed as sent_unknown: it may have been heard', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  s.mt.setFault({ silentNext: 'on-air' })
  await s.post({ id: 'a', severity: 'priority' })
  await s.run(60)
  t.match(s.deliveries(), [{ state: 'sent_unknown', reason: 'no_answer', attempts: 1 }])
})

t.test('one channel fails, the other succeeds; the failed one gives its place back', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3, mc: 'n' } } }) })
  s.mt.setFault({ refuseNext: { code: 'NO_CHANNEL', retry: false } })
  await s.post({ id: 'a', thread_id: 'T', severity: 'critical' })
  await s.run(60)
  t.match(s.deliveries(), [{ transport: 'mt', state: 'failed', reason: 'no_channel' }, { transport: 'mc' }])
  await s.post({ id: 'b', thread_id: 'T', severity: 'critical', title: 'event a' })
  await s.run(60)
  t.equal(s.mt.sentCount, 1, 'sent when the source tells it again')
  t.equal(s.mc.sentCount, 1, 'and only there')
})

t.test('a channel that was set up on the radio meanwhile is found before a message fails for it', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mc: 'valley' } } }) })
  const names = ['north']
  let reads = 0
  s.mc.channels = () => names.map((name) => ({ id: name, name, enabled: true }))
  Object.assign(s.mc, {
    readChannels: async () => {
      reads++
      if (reads === 1) names.push('valley')
    }
  })
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(60)
  t.match(s.deliveries(), [{ state: 'heard', channel: 'valley' }])
  t.equal(reads, 1)
  names.pop()
  for (const id of ['b', 'c', 'd']) await s.post({ id, severity: 'critical', title: `another ${id}` })
  await s.run(20)
  t.equal(s.deliveries().filter(({ state, reason }) => state === 'failed' && reason === 'no_channel').length, 3)
  t.equal(reads, 2, 'one look serves all of them')
})

t.test('a channel the radio does not have is told, never guessed', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3, mc: 'n' } } }) })
  s.mt.channels = () => [{ id: 3, name: 'three', enabled: false }]
  s.mc.channels = () => []
  await s.post({ id: 'a' })
  await s.run(30)
  t.match(s.deliveries(), [
    { state: 'failed', reason: 'channel_disabled' },
    { state: 'failed', reason: 'no_channel' }
  ])
  t.equal(s.mt.sentCount + s.mc.sentCount, 0)
  t.match(
    s.core.radioStatus().map(({ missing_channels }) => missing_channels),
    [[{ channel: 3, problem: 'channel_disabled' }], [{ channel: 'n', problem: 'no_channel' }]]
  )
})

t.test('no radio, or a radio that is down: held with the reason, released when it is back', async (t) => {
  const none = await station(t, { config: withMatrix(mtOnly), noRadios: true })
  await none.post({ id: 'a' })
  t.match(none.deliveries(), [{ state: 'held', reason: 'no_radio' }])
  const s = await station(t, { config: withMatrix(mtOnly) })
  s.mt.setFault({ down: 'unplugged' })
  await s.post({ id: 'a', severity: 'critical' })
  t.match(s.deliveries(), [{ state: 'held', reason: 'radio_down' }])
  s.mt.setFault({ down: false })
  await s.run(60)
  t.equal(s.mt.sentCount, 1)
})

t.test('waiting has an end: 30 minutes below critical, the end of the event from critical on', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly), noRadios: true })
  await s.post({ id: 'a', severity: 'priority', category: 'wildfire_declared' })
  await s.post({ id: 'b', severity: 'critical', expires: new Date(s.clock.now() + 3_600_000).toISOString() })
  await s.post({ id: 'c', severity: 'critical' })
  await s.run(31 * 60)
  t.same(
    s.deliveries().map(({ state }) => state),
    ['expired', 'held', 'held']
  )
  await s.run(30 * 60)
  t.same(
    s.deliveries().map(({ state }) => state),
    ['expired', 'expired', 'held']
  )
  await s.run(61 * 60)
  t.same(
    s.deliveries().map(({ state }) => state),
    ['expired', 'expired', 'expired']
  )
})

t.test(
  'order: severity, then age; one in flight; at least 3 s between MT texts and 2 s between MC texts',
  async (t) => {
    const cells = { fire: { North: { mt: 3, mc: 'n' } } }
    const s = await station(t, { config: withMatrix(cells, { toggles: { fire: { cooldown_seconds: 0 } } }) })
    s.mt.setFault({ down: true })
    s.mc.setFault({ down: true })
    const severities = ['routine', 'priority', 'routine', 'immediate', 'critical', 'immediate']
    for (const [index, severity] of severities.entries()) await s.post({ id: `e${index}`, severity })
    s.mt.setFault({ down: false })
    s.mc.setFault({ down: false })
    await s.run(120)
    for (const radio of [s.mt, s.mc]) {
      t.same(
        radio.airLog.map(({ text }) => /event e(\d)/.exec(text)?.[1]),
        ['3', '5', '4', '1', '0', '2'],
        radio.description.id
      )
      const gaps = radio.airLog.slice(1).map(({ at }, index) => at - (radio.airLog[index]?.at ?? 0))
      t.ok(
        gaps.every((gap) => gap >= (radio === s.mt ? 3000 : 2000)),
        `gaps ${gaps.join(' ')}`
      )
    }
  }
)

t.test('routine and priority leave four times their own time-on-air free', async (t) => {
  const s = await station(t, {
    config: withMatrix({ fire: { North: { mc: 'n' } } }, { toggles: { fire: { cooldown_seconds: 0 } } })
  })
  const long =
    'a very long description of what was seen up there on the ridge by the lookout this morning, in many words'
  for (const id of ['a', 'b']) await s.post({ id, title: `${long} ${id}` })
  await s.run(120)
  const [first, second] = s.mc.airLog
  t.ok(first !== undefined && second !== undefined)
  const airtime = s.core.radioStatus().find(({ network }) => network === 'mc')?.airtime.used_seconds ?? 0
  t.ok((second?.at ?? 0) - (first?.at ?? 0) >= (4 * airtime * 1000) / 2, 'four times the mean of the two')
})

t.test('what nobody repeated is unconfirmed, which is no failure; a repeat is counted', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  await s.post({ id: 'a' })
  await s.run(120)
  t.match(s.deliveries(), [{ state: 'heard', heard_by: 1 }])
})

t.test('every step of a delivery is kept and told, and the trace of the event names every cell', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 }, East: { mt: 3 } } }) })
  const { seq } = await s.post({ id: 'a', regions: ['North', 'East', 'West'] })
  await s.run(60)
  const [delivery] = s.deliveries()
  t.same(
    s.core.deliveries.steps(delivery?.id ?? 0).map(({ state }) => state),
    ['queued', 'transmitting', 'sent', 'heard']
  )
  const stored = s.core.ledger.get(seq ?? 0)
  const cells = stored?.trace.filter(
    (step) => (step as { stage: string }).stage === 'matrix' && 'region' in (step as object)
  )
  t.equal(cells?.length, 3)
  t.equal(s.core.deliveries.ofEvent(seq ?? 0).length, 1)
})

t.test('the reserve of the hourly airtime is for immediate alone', async (t) => {
  const s = await station(t, {
    config: withMatrix({ fire: { North: { mt: 3 } } }, { toggles: { fire: { cooldown_seconds: 0 } } })
  })
  // A legal limit of one per mille: 2.5 s of budget an hour, of which half a second is reserved.
  s.mt.description.modem.dutyCycle = 0.001
  for (let index = 0; index < 60; index++) await s.post({ id: `e${index}`, severity: 'critical' })
  await s.run(600)
  const sent = s.mt.sentCount
  t.ok(sent > 3 && sent < 60, `${sent} of 60 fitted`)
  t.ok(s.deliveries().some(({ state, reason }) => state === 'queued' && reason === 'airtime'))
  await s.post({ id: 'now', severity: 'immediate' })
  await s.run(30)
  t.equal(s.mt.sentCount, sent + 1)
  t.match(s.mt.airLog.at(-1)?.text, /now/)
})

t.test('critical that nobody repeated is tried again with a new identity, once at most; routine is not', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly), neighbours: 0 })
  const seen: (number | undefined)[] = []
  spy(s.mt, seen)
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(900)
  t.equal(new Set(seen).size, 2)
  t.match(s.deliveries(), [{ state: 'unconfirmed', attempts: 2 }])
  await s.post({ id: 'b', severity: 'priority' })
  await s.run(900)
  t.match(s.deliveries()[1], { state: 'unconfirmed', attempts: 1 })
})

t.test('a busy channel is left to the graver messages: 25 % holds routine, 40 % all below critical', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly, { toggles: { fire: { cooldown_seconds: 0 } } }) })
  let busy = 0.3
  withDetails(s.mt, () => ({ ...noDetails, channelUtilization: busy }))
  await s.post({ id: 'routine' })
  await s.post({ id: 'priority', severity: 'priority' })
  await s.run(60)
  t.same(
    s.mt.airLog.map(({ text }) => /event (\w+)/.exec(text)?.[1]),
    ['priority']
  )
  t.match(s.deliveries()[0], { state: 'queued', reason: 'channel_busy' })
  busy = 0.5
  await s.post({ id: 'priority2', severity: 'priority' })
  await s.post({ id: 'critical', severity: 'critical' })
  await s.run(60)
  t.equal(s.mt.sentCount, 2)
  busy = 0
  await s.run(60)
  t.equal(s.mt.sentCount, 4)
})

t.test('the radio’s own airtime counts: at 70 % of the legal limit only immediate goes', async (t) => {
  const s = await station(t, { config: withMatrix(mtOnly) })
  s.mt.description.modem.dutyCycle = 0.1
  withDetails(s.mt, () => ({ ...noDetails, airUtilization: 0.075 }))
  await s.post({ id: 'critical', severity: 'critical' })
  await s.post({ id: 'immediate', severity: 'immediate' })
  await s.run(60)
  t.equal(s.mt.sentCount, 1)
  t.match(s.deliveries()[0], { state: 'queued', reason: 'airtime' })
})

t.test('a clock that is set back keeps nothing waiting and no region silent', async (t) => {
  const path = file(t)
  const first = await station(t, { config: withMatrix(mtOnly), databasePath: path })
  await first.post({ id: 'a' })
  await first.run(60)
  first.mt.setFault({ down: true })
  await first.post({ id: 'b', severity: 'critical', category: 'wildfire_declared' })
  const back = await first.restart({ clock: new VirtualClock(START - 5 * 3_600_000) })
  await back.run(60)
  t.equal(back.mt.sentCount, 1, 'b did not wait five hours')
  t.equal((await back.post({ id: 'c' })).decision?.kind, 'send', 'and the cooldown of a is not five hours long')
})

const noDetails = {
  firmware: null,
  batteryPercent: null,
  batteryMillivolts: null,
  channelUtilization: null,
  airUtilization: null,
  queueLength: null,
  nodes: []
}

function withDetails(radio: Radio, details: () => RadioDetails): void {
  radio.details = details
}

t.test('notifications that are switched off hold what waits; on again, what is still worth sending goes', async (t) => {
  const config = withMatrix({ fire: { North: { mt: 3, mc: 'north' } } })
  const off = withMatrix({ fire: { North: { mt: 3, mc: 'north' } } }, { enabled: false })
  const s = await station(t, { config })
  for (const id of ['a', 'b', 'c', 'd']) await s.post({ id, severity: 'critical' })
  await s.run(1)
  s.setConfig(off)
  const before = s.onAir().length
  await s.run(60)
  t.equal(s.onAir().length, before, 'nothing more is sent')
  const held = s.deliveries().filter(({ state }) => state === 'held')
  t.ok(held.length > 0)
  t.match(
    held,
    held.map(() => ({ reason: 'notifications_off' }))
  )
  s.mt.setFault({ down: true })
  await s.run(60)
  s.mt.setFault({ down: false })
  await s.run(60)
  t.equal(s.onAir().length, before, 'neither after a break of the radio')
  s.core.addText({
    kind: 'reply',
    transport: 'mt',
    channel: 3,
    direct: false,
    text: 'PONG',
    key: 'k',
    expiresAt: s.clock.now() + 60_000
  })
  await s.run(10)
  t.match(
    s.onAir().filter((line) => line.includes('PONG')),
    ['mt:3 PONG'],
    'a person who asks is answered'
  )
  s.setConfig(config)
  await s.run(120)
  t.equal(s.onAir().length, 9)
})

t.test('what waits for further pieces says so no longer than it does', async (t) => {
  const config = withMatrix({ fire: { North: { mt: 3 } } }, { coalesce_seconds: 20 })
  const s = await station(t, { config })
  for (let i = 0; i < 20; i++) await s.post({ id: `a${i}` })
  t.ok(s.deliveries().every(({ reason }) => reason === 'coalescing'))
  await s.run(30)
  const waiting = s.deliveries().filter(({ state }) => state === 'queued')
  t.ok(waiting.length > 5)
  t.ok(waiting.every(({ reason }) => reason === 'pacing'))
})
