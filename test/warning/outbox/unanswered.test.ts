import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { handedTo, report, unanswering } from '../../helpers/handed.ts'
import { inWords } from '../../helpers/in-words.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** The end of a text whose fate is not known: contract §6. */

const MINUTE_MS = 60_000
const mtOnly = withMatrix({ fire: { North: { mt: 3 } } })
const mcOnly = withMatrix({ fire: { North: { mc: 'north' } } })
const networks = [
  ['mt', mtOnly],
  ['mc', mcOnly]
] as const

const file = (t: Test, name = 'lookout'): string => join(t.testdir({}), `${name}.db`)
/** In force for an hour from the beginning of the test. */
const hour = (s: Station): string => new Date(s.clock.now() + 60 * MINUTE_MS).toISOString()
const stateOf = (s: Station): { state: string | undefined; reason: string | null | undefined } => {
  const [first] = s.deliveries()
  return { state: first?.state, reason: first?.reason }
}

t.test('a radio that does not answer is offered an immediate until it answers, however often that is', async (t) => {
  for (const [network, config] of networks) {
    const s = await station(t, { config })
    const fault = unanswering(s[network])
    const handed = handedTo(s[network], s)
    await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
    await s.run(9 * 60)
    t.ok(handed.length > 5, `${network}: ${handed.length} times`)
    t.equal(new Set(handed.map(({ identity }) => JSON.stringify(identity))).size, 1, 'of one identity for ten minutes')
    t.equal(new Set(handed.map(({ text }) => text)).size, 1, 'and byte for byte the same')
    t.match(inWords(stateOf(s)), { state: 'queued', reason: 'resend' })
    fault.mended = true
    await s.run(121)
    t.match(stateOf(s), { state: 'heard' }, 'said as soon as it answers')
    t.equal(s[network].sentCount, 1)
  }
})

t.test('the pause between two tries doubles up to two minutes', async (t) => {
  const s = await station(t, { config: mtOnly })
  unanswering(s.mt)
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'critical', expires: hour(s) })
  await s.run(30 * 60)
  const gaps = handed.slice(1).map(({ at }, index) => (at - (handed[index]?.at ?? 0)) / 1000)
  t.ok((gaps[0] ?? 99) < 10, `${gaps[0]} s at first`)
  t.ok(
    gaps.every((gap, index) => gap <= 124 && gap >= Math.min(119, 1.1 * (gaps[index - 1] ?? 0))),
    gaps.join(' ')
  )
  t.ok(gaps.slice(-5).every((gap) => gap >= 120))
})

t.test('after ten minutes it is said with a new identity and the mark RPT, while the event is in force', async (t) => {
  for (const [network, config] of networks) {
    const s = await station(t, { config })
    const fault = unanswering(s[network])
    const handed = handedTo(s[network], s)
    await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
    await s.run(12 * 60)
    const [first] = handed
    const last = handed.at(-1)
    t.not(
      JSON.stringify(last?.identity),
      JSON.stringify(first?.identity),
      `${network}: receivers may have forgotten it`
    )
    t.equal(last?.text, `RPT ${first?.text}`, 'the same words behind the mark')
    fault.mended = true
    await s.run(3 * 60)
    t.match(stateOf(s), { state: 'heard' })
    t.match(s.onAir(), [/RPT /])
    t.equal(s[network].sentCount, 1)
  }
})

t.test('the trying ends with the event, and with its cancel', async (t) => {
  const s = await station(t, { config: mtOnly })
  unanswering(s.mt)
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
  await s.run(59 * 60)
  t.match(stateOf(s), { state: 'queued' })
  await s.run(2 * 60)
  const tries = handed.length
  await s.run(20 * 60)
  t.equal(handed.length, tries)
  t.match(inWords(stateOf(s)), { state: 'sent_unknown', reason: 'queue_deadline' }, 'it may have been heard')

  const c = await station(t, { config: mtOnly })
  const fault = unanswering(c.mt)
  const given = handedTo(c.mt, c)
  await c.post({ id: 'a', revision: '1', severity: 'immediate', expires: hour(c) })
  await c.run(60)
  await c.post({ id: 'a', revision: '2', severity: 'immediate', lifecycle: 'cancel' })
  fault.mended = true
  const before = given.length
  await c.run(5 * 60)
  t.match(inWords(stateOf(c)), { state: 'sent_unknown', reason: 'ended' })
  t.ok(
    given.slice(before).every(({ text }) => text.startsWith('CANCEL')),
    'a warning never follows its end'
  )
})

t.test('what was told since in its place is not followed by an older text of unknown fate', async (t) => {
  const s = await station(t, { config: mtOnly })
  const fault = unanswering(s.mt)
  await s.post({ id: 'a', thread_id: 'T', title: 'First words', severity: 'critical', expires: hour(s) })
  await s.run(3 * 60)
  await s.post({
    id: 'b',
    thread_id: 'T',
    title: 'Later words',
    severity: 'immediate',
    lifecycle: 'update',
    expires: hour(s)
  })
  fault.mended = true
  await s.run(10 * 60)
  t.match(s.onAir(), [/Later words/], 'the newer one alone')
  t.match(inWords(stateOf(s)), { state: 'sent_unknown', reason: 'ended' })
})

t.test(
  'the radio is suspect while texts stay unanswered, a problem of the station, and ready once it answers',
  async (t) => {
    const s = await station(t, { config: mtOnly })
    const fault = unanswering(s.mt)
    const mt = () => s.core.radioStatus().find(({ network }) => network === 'mt')
    await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
    await s.run(5)
    t.match(mt(), { state: 'ready' }, 'one answer may get lost')
    await s.run(60)
    t.match(inWords(mt()), { state: 'suspect', reason: /does not answer/ })
    fault.mended = true
    await s.run(3 * 60)
    t.match(mt(), { state: 'ready', reason: null })
  }
)

t.test('the doubt about a radio survives a restart with the text it left unanswered', async (t) => {
  const s = await station(t, { config: mtOnly, databasePath: file(t) })
  unanswering(s.mt)
  await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
  await s.run(60)
  const second = await s.restart()
  t.match(
    second.core.radioStatus().find(({ network }) => network === 'mt'),
    { state: 'suspect' }
  )
  await second.run(10)
  t.match(stateOf(second), { state: 'heard' })
})

t.test('another network takes over from a radio that does not answer, and the first goes on trying', async (t) => {
  const cells = { fire: { North: { mt: 3, mc: 'north', fallback: true } } }
  const config = withMatrix(cells)
  const s = await station(t, { config })
  unanswering(s.mt)
  await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
  await s.run(60)
  t.match(s.onAir(), [/^mc:north .*VIA MC/])
  t.match(inWords(stateOf(s)), { state: 'queued', reason: 'resend' })
})

t.test('a phone that takes the node away three times in half a minute ends no immediate', async (t) => {
  for (const [network, config] of networks) {
    const s = await station(t, { config })
    const handed = handedTo(s[network], s)
    for (let loss = 0; loss < 3; loss++) {
      if (loss === 0) await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
      while (handed.length <= loss) await s.run(0.1)
      s[network].setFault({ down: true })
      await s.run(5)
      s[network].setFault({ down: false })
    }
    await s.run(5 * 60)
    t.match(stateOf(s), { state: /^(heard|unconfirmed)$/ }, network)
    t.ok(s[network].sentCount > 0)
    t.equal(new Set(handed.map(({ identity }) => JSON.stringify(identity))).size, 1)
    t.ok(handed.length >= 4)
  }
})

t.test('a radio that is back is offered at once what it left unanswered', async (t) => {
  const s = await station(t, { config: mtOnly })
  const fault = unanswering(s.mt)
  await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
  await s.run(5 * 60)
  s.mt.setFault({ down: true })
  await s.run(1)
  fault.mended = true
  s.mt.setFault({ down: false })
  await s.run(5)
  t.match(stateOf(s), { state: 'heard' })
})

t.test('a power cut while it is on its way: said with RPT after 11 and 45 minutes, while it is in force', async (t) => {
  for (const [network, config] of networks) {
    for (const minutes of [1, 11, 45, 70]) {
      const s = await station(t, { config, databasePath: file(t, `${network}-${minutes}`) })
      const handed = handedTo(s[network], s)
      const taken = s[network].send.bind(s[network])
      s[network].send = (message) => {
        void taken(message)
        return new Promise(() => undefined)
      }
      await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
      await s.run(2)
      t.equal(handed.length, 1)
      const later = new VirtualClock(s.clock.now() + minutes * MINUTE_MS)
      const next = await s.restart({ clock: later })
      await next.run(30)
      const air = next[network].airLog
      const what = `${network}, ${minutes} minutes without power`
      if (minutes === 70) {
        t.equal(air.length, 0, `${what}: it is over`)
        t.match(stateOf(next), { state: 'sent_unknown' })
        continue
      }
      t.equal(air.length, 1, what)
      t.match(stateOf(next), { state: 'heard' })
      t.equal(/RPT /.test(air[0]?.text ?? ''), minutes > 10, air[0]?.text ?? '')
      t.equal(JSON.stringify(air[0]?.identity) === JSON.stringify(handed[0]?.identity), minutes < 10)
    }
  }
})

t.test('below critical a text of unknown fate is not said again', async (t) => {
  const s = await station(t, { config: mtOnly })
  unanswering(s.mt)
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'priority', expires: hour(s) })
  await s.run(30 * 60)
  t.equal(handed.length, 1)
  t.match(inWords(stateOf(s)), { state: 'sent_unknown', reason: 'no_answer' })
})

t.test('the wait for a neighbour goes on after a restart: nobody heard, and it is tried again', async (t) => {
  for (const [network, config] of networks) {
    const first = await station(t, { config, neighbours: 0, databasePath: file(t, network) })
    const handed = handedTo(first[network], first)
    await first.post({ id: 'a', severity: 'immediate', expires: hour(first) })
    while (stateOf(first).state !== 'sent') await first.run(0.1)
    const second = await first.restart({ clock: new VirtualClock(first.clock.now() + 8000) })
    const again = handedTo(second[network], second)
    await second.run(5 * 60)
    t.ok(again.length >= 1, `${network}: ${again.length} tries more`)
    t.same(again[0]?.identity, handed[0]?.identity, 'as the same packet')
    t.match(inWords(stateOf(second)), { state: 'unconfirmed', reason: 'nobody_heard' })
  }
})

t.test('no row stays sent for ever: below critical too it is closed as unconfirmed after a restart', async (t) => {
  const first = await station(t, { config: mtOnly, neighbours: 0, databasePath: file(t) })
  await first.post({ id: 'a', severity: 'priority' })
  while (stateOf(first).state !== 'sent') await first.run(0.1)
  const second = await first.restart()
  await second.run(5 * 60)
  t.match(inWords(second.deliveries()), [{ state: 'unconfirmed', reason: 'nobody_heard', attempts: 1 }])
})

t.test('after a restart the other network takes over from what was sent and heard by nobody', async (t) => {
  const config = withMatrix({ fire: { North: { mt: 3, mc: 'north', fallback: true } } })
  const first = await station(t, { config, neighbours: 0, databasePath: file(t) })
  await first.post({ id: 'a', severity: 'priority' })
  while (stateOf(first).state !== 'sent') await first.run(0.1)
  const second = await first.restart()
  await second.run(5 * 60)
  t.match(second.onAir(), [/^mc:north .*VIA MC/])
})

t.test('a late word about an earlier try ends the trying', async (t) => {
  const s = await station(t, { config: mtOnly })
  unanswering(s.mt)
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'immediate', expires: hour(s) })
  await s.run(60)
  report(s.mt, handed[0]?.identity, { kind: 'heard' })
  const tries = handed.length
  t.match(stateOf(s), { state: 'heard' })
  await s.run(10 * 60)
  t.equal(handed.length, tries)
  t.match(
    s.core.radioStatus().find(({ network }) => network === 'mt'),
    { state: 'ready' }
  )
})

t.test('a wrong clock of an hour puts no next try off for years', async (t) => {
  const s = await station(t, { config: mtOnly, databasePath: file(t) })
  const fault = unanswering(s.mt)
  await s.post({ id: 'a', severity: 'critical', expires: '2050-01-01T00:00:00Z' })
  await s.run(60)
  const ahead = await s.restart({ clock: new VirtualClock(Date.parse('2036-06-01T18:00:00Z')) })
  unanswering(ahead.mt)
  await ahead.run(60)
  fault.mended = true
  const right = await ahead.restart({ clock: new VirtualClock(s.clock.now() + MINUTE_MS) })
  await right.run(3 * 60)
  t.match(stateOf(right), { state: 'heard' })
})
