import { join } from 'node:path'
import t from 'tap'
import { because } from '../../../src/model/reason.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import type { Receipt } from '../../../src/warning/radios/radio.ts'
import type { SimulatedRadio } from '../../../src/warning/radios/simulated.ts'
import { mtTextAirtimeMs } from '../../../src/warning/radios/time-on-air.ts'
import { handedTo, report } from '../../helpers/handed.ts'
import { note } from '../../helpers/in-words.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'

/** Packet identities and pauses over refusals, restarts and clocks: contract §6 and the pitfalls of the firmware. */

const mtOnly = withMatrix({ fire: { North: { mt: 3 } } })
const mcOnly = withMatrix({ fire: { North: { mc: 'north' } } })

t.test('a late refusal is tried again with a new identity, unless the radio knows that no try can help', async (t) => {
  const cases: [string, Omit<Receipt, 'identity' | 'at'>, { sends: number; state: string; reason: string | null }][] = [
    ['nothing said', { kind: 'refused' }, { sends: 2, state: 'sent', reason: null }],
    ['it can help', { kind: 'refused', retry: true }, { sends: 2, state: 'sent', reason: null }],
    ['no key', { kind: 'refused', retry: false }, { sends: 1, state: 'failed', reason: 'refused' }]
  ]
  for (const [name, receipt, { sends, state, reason }] of cases) {
    const s = await station(t, { config: mtOnly, neighbours: 0 })
    const handed = handedTo(s.mt, s)
    await s.post({ id: 'a', severity: 'critical' })
    await s.run(1)
    t.match(s.deliveries(), [{ state: 'sent' }])
    report(s.mt, handed[0]?.identity, { ...receipt, reason: note('PKI_SEND_FAIL_PUBLIC_KEY') })
    await s.run(5)
    t.equal(handed.length, sends, name)
    t.match(s.deliveries(), [{ state, reason }], name)
    t.equal(new Set(handed.map(({ identity }) => identity.packetId)).size, sends, 'each try of its own identity')
    t.equal(new Set(handed.map(({ text }) => text)).size, 1, 'each try with the same words')
  }
})

t.test('nobody heard it: tried again, but not when the addressee itself said that it never can', async (t) => {
  for (const [retry, sends] of [
    [undefined, 2],
    [false, 1]
  ] as const) {
    const s = await station(t, { config: mtOnly, neighbours: 0 })
    const handed = handedTo(s.mt, s)
    await s.post({ id: 'a', severity: 'critical' })
    await s.run(1)
    const receipt = {
      kind: 'unconfirmed',
      reason: because('answered_error', { node: '!0000000c', error: 39 })
    } as const
    report(s.mt, handed[0]?.identity, retry === undefined ? receipt : { ...receipt, retry })
    t.match(s.deliveries(), [retry === undefined ? { state: 'queued' } : { state: 'unconfirmed' }])
    await s.run(40)
    t.equal(handed.length, sends, `retry ${retry}`)
  }
})

t.test('after a restart the pause between two texts goes on: the node counts from the last one it got', async (t) => {
  for (const [network, config, gap] of [
    ['mt', mtOnly, 3000],
    ['mc', mcOnly, 2000]
  ] as const) {
    const first = await station(t, { config, databasePath: join(t.testdir(), `${network}.db`) })
    const before = handedTo(first[network], first)
    await first.post({ id: 'a', severity: 'critical' })
    await first.run(0.5)
    const quick = new VirtualClock(first.clock.now() + 200)
    const second = await first.restart({ clock: quick })
    const after = handedTo(second[network], second)
    await second.post({ id: 'b', severity: 'immediate' })
    await second.run(10)
    t.same([before.length, after.length], [1, 1], network)
    const pause = (after[0]?.at ?? 0) - (before[0]?.at ?? 0)
    t.ok(pause >= gap && pause < gap + 1000, `${network}: ${pause} ms`)
  }
})

t.test(
  'two texts of one second have two timestamps on MeshCore, and none is used twice, also over a restart and a clock set back',
  async (t) => {
    const path = join(t.testdir(), 'lookout.db')
    const first = await station(t, { config: mcOnly, databasePath: path })
    const handed = handedTo(first.mc, first)
    await first.post({ id: 'a', severity: 'critical', title: 'Same words' })
    await first.post({ id: 'b', severity: 'critical', title: 'Same words' })
    await first.run(60)
    t.equal(handed.length, 2)
    const second = await first.restart({ clock: new VirtualClock(START) })
    const later = handedTo(second.mc, second)
    for (const id of ['c', 'd']) await second.post({ id, severity: 'critical', title: 'Same words' })
    await second.run(60)
    t.equal(later.length, 2)
    const stamps = [...handed, ...later].map(({ identity }) => identity.senderTimestamp ?? 0)
    t.equal(new Set(stamps).size, 4, stamps.join(' '))
  }
)

t.test('every part of a long text is sent, whoever hears the first one meanwhile', async (t) => {
  const config = { ...mtOnly, messages: { max_parts: 3 } }
  for (const neighbours of [1, 0]) {
    const s = await station(t, { config, neighbours })
    const handed = handedTo(s.mt, s)
    await s.post({ id: 'a', severity: 'priority', summary: 'Long summary '.repeat(30) })
    await s.run(90)
    t.match(
      handed.map(({ text }) => text),
      [/ 1\/3$/, / 2\/3$/, / 3\/3$/],
      `neighbours ${neighbours}`
    )
    t.match(s.deliveries(), [{ state: neighbours === 1 ? 'heard' : 'unconfirmed', attempts: 3, sent_at: String }])
  }
})

t.test('a part that is refused late goes again, not the ones after it alone', async (t) => {
  const s = await station(t, { config: { ...mtOnly, messages: { max_parts: 3 } }, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'priority', summary: 'Long summary '.repeat(30) })
  await s.run(1)
  report(s.mt, handed[0]?.identity, { kind: 'refused', reason: note('DUTY_CYCLE_LIMIT') })
  await s.run(90)
  t.match(
    handed.map(({ text }) => text),
    [/ 1\/3$/, / 1\/3$/, / 2\/3$/, / 3\/3$/]
  )
})

t.test('a text that was told in part counts as told when the rest of it is refused: its end is told', async (t) => {
  const s = await station(t, { config: { ...mtOnly, messages: { max_parts: 3 } }, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'priority', summary: 'Long summary '.repeat(30) })
  await s.run(1)
  s.mt.setFault({ refuseNext: { code: 'NO_CHANNEL', retry: false } })
  await s.run(20)
  t.match(s.deliveries(), [{ state: 'sent_unknown', reason: 'no_channel' }])
  const before = handed.length
  await s.post({ id: 'a', severity: 'priority', revision: '2', lifecycle: 'cancel' })
  await s.run(60)
  t.equal(handed.length, before + 1, 'its end is told')
})

t.test('a text whose fate was not known is told as sent once somebody is heard repeating it', async (t) => {
  for (const severity of ['critical', 'priority']) {
    const s = await station(t, { config: mtOnly })
    const handed = handedTo(s.mt, s)
    s.mt.setFault({ silentNext: 'discarded' })
    await s.post({ id: 'a', severity })
    while (s.deliveries()[0]?.state === 'queued' && s.deliveries()[0]?.reason !== 'resend') await s.run(0.1)
    while (s.deliveries()[0]?.state === 'transmitting') await s.run(0.1)
    report(s.mt, handed[0]?.identity, { kind: 'heard' })
    t.match(s.deliveries(), [{ state: 'heard', sent_at: String, heard_by: 1 }], severity)
    await s.run(60)
    t.equal(handed.length, 1, 'it is not sent again')
    t.equal((await s.post({ id: 'b', severity: 'priority' })).decision?.reason, 'cooldown', 'it counts')
  }
})

t.test(
  'a refusal that lasts costs no grave message: it waits for the end of it, and a routine one is given up',
  async (t) => {
    for (const [severity, state] of [
      ['critical', 'heard'],
      ['routine', 'failed']
    ] as const) {
      const s = await station(t, { config: mtOnly })
      const handed = handedTo(s.mt, s)
      const until = s.clock.now() + 20 * 60_000
      const send = s.mt.send.bind(s.mt)
      s.mt.send = (message) => {
        if (s.clock.now() < until) s.mt.setFault({ refuseNext: { code: 'DUTY_CYCLE_LIMIT', retry: true } })
        return send(message)
      }
      await s.post({ id: 'a', severity })
      await s.run(25 * 60)
      t.match(s.deliveries(), [{ state }], severity)
      t.equal(
        new Set(handed.map(({ identity }) => identity.packetId)).size,
        handed.length,
        'each try of its own identity'
      )
      t.ok(handed.length < 40, `${handed.length} tries`)
    }
  }
)

/** Every later text is refused until this is called again with false. */
function refusing(radio: SimulatedRadio): { refuse: boolean } {
  const fault = { refuse: true }
  const send = radio.send.bind(radio)
  radio.send = (message) => {
    if (fault.refuse) radio.setFault({ refuseNext: { code: 'DUTY_CYCLE_LIMIT', retry: true } })
    return send(message)
  }
  return fault
}

t.test('a warning that is refused after its end was told is not said again', async (t) => {
  const s = await station(t, { config: mtOnly, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'critical', revision: '1' })
  await s.run(2)
  await s.post({ id: 'a', severity: 'critical', revision: '2', lifecycle: 'cancel' })
  await s.run(5)
  t.equal(handed.length, 2, 'the warning and its end')
  report(s.mt, handed[0]?.identity, { kind: 'refused', reason: note('NO_INTERFACE') })
  await s.run(120)
  t.ok(
    handed.slice(2).every(({ text }) => text.startsWith('CANCEL')),
    'nothing but its end is said again'
  )
  t.match(s.deliveries()[0], { state: 'suppressed', reason: 'ended' })
})

t.test('what was on the air once stays told when it is refused as it is repeated: its end is told too', async (t) => {
  for (const retry of [true, false]) {
    const s = await station(t, { config: mtOnly, neighbours: 0 })
    const handed = handedTo(s.mt, s)
    await s.post({ id: 'a', severity: 'critical', revision: '1', expires: '2026-06-01T22:00:00Z' })
    await s.run(1)
    report(s.mt, handed[0]?.identity, { kind: 'unconfirmed' })
    s.mt.setFault({ refuseNext: { code: 'DUTY_CYCLE_LIMIT', retry } })
    while (handed.length < 2) await s.run(1)
    t.match(s.deliveries(), [{ state: retry ? 'queued' : 'unconfirmed', reason: 'duty_cycle_limit' }])
    const cancel = await s.post({ id: 'a', severity: 'critical', revision: '2', lifecycle: 'cancel' })
    t.equal(cancel.decision?.sends.length, 1, 'its end is told')
    await s.run(10)
    t.match(s.deliveries()[0], { state: 'unconfirmed' })
    t.match(handed.at(-1)?.text, /cancel/i)
  }
})

t.test('what was on the air and waits to be repeated is not called expired, and stays told', async (t) => {
  const s = await station(t, { config: mtOnly, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'critical', revision: '1', expires: '2026-06-01T18:05:00Z' })
  await s.run(1)
  report(s.mt, handed[0]?.identity, { kind: 'unconfirmed' })
  t.match(s.deliveries(), [{ state: 'queued', reason: 'nobody_heard' }])
  s.mt.setFault({ down: true })
  await s.run(10 * 60)
  t.match(s.deliveries(), [{ state: 'unconfirmed', reason: 'queue_deadline', sent_at: String }])
})

t.test(
  'an attempt of unknown fate is offered as the same packet within ten minutes only, later with RPT',
  async (t) => {
    const s = await station(t, { config: mtOnly, neighbours: 0 })
    const handed = handedTo(s.mt, s)
    s.mt.setFault({ silentNext: 'discarded' })
    await s.post({ id: 'a', severity: 'critical' })
    while (s.deliveries()[0]?.reason !== 'resend') await s.run(0.1)
    s.mt.setFault({ down: true })
    await s.run(11 * 60)
    s.mt.setFault({ down: false })
    await s.run(60)
    const [first, second] = handed
    t.not(second?.identity.packetId, first?.identity.packetId)
    t.equal(second?.text, `RPT ${first?.text}`)
  }
)

t.test('refused for longer than ten minutes, then cut off: the last attempt is offered again', async (t) => {
  const s = await station(t, { config: mtOnly, databasePath: join(t.testdir(), 'lookout.db') })
  const fault = refusing(s.mt)
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(15 * 60)
  fault.refuse = false
  const handed = handedTo(s.mt, s)
  s.mt.send = (message) => {
    handed.push({ ...message, at: s.clock.now() })
    return new Promise(() => undefined)
  }
  while (handed.length === 0) await s.run(1)
  const second = await s.restart()
  await second.run(10)
  t.same(
    second.mt.airLog.map(({ identity }) => identity),
    handed.map(({ identity }) => identity)
  )
})

t.test('a repeat of an earlier try that is heard while the next one flies ends the trying', async (t) => {
  const s = await station(t, { config: mtOnly, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(1)
  report(s.mt, handed[0]?.identity, { kind: 'unconfirmed' })
  while (handed.length < 2) await s.run(0.01)
  t.match(s.deliveries(), [{ state: 'transmitting' }])
  report(s.mt, handed[0]?.identity, { kind: 'heard' })
  await s.run(120)
  t.equal(handed.length, 2)
  t.match(s.deliveries(), [{ state: 'heard', heard_by: 1 }])
})

t.test('airtime: what nobody repeated was sent three times by the firmware', async (t) => {
  for (const neighbours of [0, 1]) {
    const s = await station(t, { config: mtOnly, neighbours })
    await s.post({ id: 'a', severity: 'priority' })
    await s.run(60)
    const mt = s.core.radioStatus().find(({ network }) => network === 'mt')
    t.equal(mt?.airtime.used_seconds, Math.round(s.mt.airtimeUsedMs() / 100) / 10, `${neighbours} neighbours`)
  }
})

t.test('what nobody repeated is not said again once its channel was told something newer of it', async (t) => {
  const both = { severity: 'critical', zones: ['IDZ001', 'IDZ002'], thread_id: 'one', expires: '2026-06-01T22:00:00Z' }
  const cases: [string, Record<string, unknown>, number][] = [
    ['nothing newer', { source: 'other', thread_id: 'other' }, 2],
    ['the end in one of its zones', { lifecycle: 'cancel', zones: ['IDZ001'] }, 1],
    ['news of all of it', { lifecycle: 'update', severity: 'immediate' }, 1],
    ['news of one of its zones', { lifecycle: 'update', severity: 'immediate', zones: ['IDZ002'] }, 2]
  ]
  for (const [name, next, times] of cases) {
    const s = await station(t, { config: mtOnly, neighbours: 0 })
    const handed = handedTo(s.mt, s)
    await s.post({ ...both, id: 'a', title: 'First words' })
    await s.run(5)
    const [text] = handed.map((message) => message.text)
    await s.post({ ...both, id: 'b', title: 'Later words', summary: 'changed', ...next })
    await s.run(300)
    t.equal(handed.filter((message) => message.text === text).length, times, name)
    t.match(s.deliveries()[0], { state: 'unconfirmed' })
  }
})

t.test('an end that nobody repeated is not said again once the warning goes on', async (t) => {
  const s = await station(t, { config: mtOnly, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ id: 'a', severity: 'critical', revision: '1' })
  await s.run(5)
  await s.post({ id: 'a', severity: 'critical', revision: '2', lifecycle: 'cancel' })
  await s.run(5)
  await s.run(1)
  await s.post({ id: 'a', severity: 'immediate', revision: '3', lifecycle: 'update', summary: 'again' })
  await s.run(300)
  t.equal(handed.filter(({ text }) => text.startsWith('CANCEL')).length, 1)
})

t.test('airtime: a text that a crash cut off may have been on the air, and is booked', async (t) => {
  for (const [severity, times] of [
    ['priority', 1],
    ['critical', 2]
  ] as const) {
    const s = await station(t, { config: mtOnly, databasePath: join(t.testdir(), `${severity}.db`) })
    s.mt.send = () => new Promise(() => undefined)
    await s.post({ id: 'a', severity })
    await s.run(10)
    t.match(s.deliveries(), [{ state: 'transmitting' }])
    const second = await s.restart()
    await second.run(10)
    const [row] = second.deliveries()
    const cost = mtTextAirtimeMs(row?.bytes ?? 0, second.mt.description.modem)
    const used = second.core.radioStatus().find(({ network }) => network === 'mt')?.airtime.used_seconds
    t.equal(used, Math.round((times * Math.ceil(cost)) / 100) / 10, severity)
  }
})

t.test('after a clock that was ten years ahead MeshCore timestamps follow the true clock again', async (t) => {
  const path = join(t.testdir({}), 'lookout.db')
  const stamped = async (clock: number, before: Awaited<ReturnType<typeof station>> | null, id: string) => {
    const next = new VirtualClock(clock)
    const s =
      before === null
        ? await station(t, { config: mcOnly, databasePath: path, clock: next })
        : await before.restart({ clock: next })
    const handed = handedTo(s.mc, s)
    await s.post({ id, severity: 'critical', title: 'Same words', sent_at: new Date(clock).toISOString() })
    await s.run(30)
    return { s, stamp: handed[0]?.identity.senderTimestamp ?? 0 }
  }
  const seconds = (time: number): number => Math.floor(time / 1000)
  const begun = await stamped(START, null, 'a')
  t.equal(begun.stamp, seconds(START))
  const ahead = await stamped(Date.parse('2036-06-01T18:00:00Z'), begun.s, 'b')
  t.equal(ahead.stamp, seconds(Date.parse('2036-06-01T18:00:00Z')))
  const right = await stamped(START + 120_000, ahead.s, 'c')
  t.equal(right.stamp, seconds(START + 120_000), 'at once, and after a restart')
  const again = await stamped(START, right.s, 'd')
  t.equal(again.stamp, seconds(START) + 1, 'never one that was used')
  const unset = await stamped(Date.parse('1970-01-01T00:05:00Z'), again.s, 'e')
  t.ok(unset.stamp > seconds(START), 'a clock that was never set is not believed')
})
