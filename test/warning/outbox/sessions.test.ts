import { join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { handedTo, report } from '../../helpers/handed.ts'
import { note } from '../../helpers/in-words.ts'
import { station, withMatrix } from '../../helpers/station.ts'

/** The packet that a Meshtastic text is when it is said again: contract §6. People read a new packet a second time. */

const config = withMatrix({ fire: { North: { mt: 3 } } })
const urgent = { id: 'a', severity: 'critical', expires: '2026-06-01T19:00:00Z' }
const ids = (handed: readonly { identity: { packetId?: number } }[]): (number | undefined)[] =>
  handed.map(({ identity }) => identity.packetId)

t.test(
  'a client session that is lost before the acknowledgement: the same packet goes again, and is read once',
  async (t) => {
    const s = await station(t, { config })
    const handed = handedTo(s.mt, s)
    await s.post(urgent)
    while (s.deliveries()[0]?.state !== 'sent') await s.run(0.01)
    s.mt.setFault({ down: 'a phone has taken the node' })
    await s.run(1)
    s.mt.setFault({ down: false })
    await s.run(5 * 60)
    t.equal(handed.length, 2)
    t.equal(new Set(ids(handed)).size, 1)
    t.equal(handed[1]?.text, handed[0]?.text)
    t.equal(
      s.mt.airLog.reduce((sum, { receivedTimes }) => sum + receivedTimes, 0),
      1,
      'shown to people once'
    )
    t.match(s.deliveries(), [{ state: 'heard' }], 'and the fresh acknowledgement says so')
  }
)

t.test('error 5 on the same client session: one new packet, and no third', async (t) => {
  const s = await station(t, { config, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post(urgent)
  await s.run(20 * 60)
  t.equal(handed.length, 2)
  t.equal(new Set(ids(handed)).size, 2)
  t.match(s.deliveries(), [{ state: 'unconfirmed', attempts: 2 }])
})

t.test('error 5 of a packet that an earlier session was handed is no reason for a new one', async (t) => {
  const s = await station(t, { config, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post(urgent)
  while (s.deliveries()[0]?.state !== 'sent') await s.run(0.01)
  s.mt.setFault({ down: true })
  s.mt.setFault({ down: false })
  report(s.mt, handed[0]?.identity, { kind: 'unconfirmed', reason: note('MAX_RETRANSMIT') })
  while (handed.length < 2) await s.run(1)
  t.equal(handed[1]?.identity.packetId, handed[0]?.identity.packetId)
  await s.run(20 * 60)
  t.equal(new Set(ids(handed)).size, 2, 'one new packet once this session itself says so')
  t.equal(handed.length, 3)
})

t.test(
  'no word at all on a session that stands: the node would swallow the same packet, and a new one is read twice',
  async (t) => {
    const s = await station(t, { config, neighbours: 0 })
    const handed = handedTo(s.mt, s)
    await s.post(urgent)
    while (s.deliveries()[0]?.state !== 'sent') await s.run(0.01)
    report(s.mt, handed[0]?.identity, { kind: 'unconfirmed', silent: true })
    t.match(s.deliveries(), [{ state: 'unconfirmed' }])
    await s.run(20)
    t.equal(handed.length, 1)
  }
)

t.test('after a restart the same packet goes again, whatever the old session had to tell', async (t) => {
  const first = await station(t, { config, neighbours: 0, databasePath: join(t.testdir({}), 'lookout.db') })
  const before = handedTo(first.mt, first)
  await first.post(urgent)
  while (first.deliveries()[0]?.state !== 'sent') await first.run(0.01)
  const second = await first.restart({ clock: new VirtualClock(first.clock.now() + 5000) })
  const after = handedTo(second.mt, second)
  await second.run(3 * 60)
  t.equal(after[0]?.identity.packetId, before[0]?.identity.packetId)
})

t.test('what the radio never saw is no refusal of its own: an earlier try stays the same packet', async (t) => {
  const s = await station(t, { config })
  const handed = handedTo(s.mt, s)
  s.mt.setFault({ silentNext: 'on-air' })
  await s.post(urgent)
  while (s.deliveries()[0]?.reason !== 'resend') await s.run(0.1)
  s.mt.setFault({ refuseNext: { code: 'NOT_CONNECTED', retry: true } })
  while (handed.length < 3) await s.run(0.5)
  t.equal(new Set(ids(handed)).size, 1)
})

t.test('after a refusal of the radio itself the retry is a new packet', async (t) => {
  const s = await station(t, { config })
  const handed = handedTo(s.mt, s)
  s.mt.setFault({ silentNext: 'discarded' })
  await s.post(urgent)
  while (s.deliveries()[0]?.reason !== 'resend') await s.run(0.1)
  s.mt.setFault({ refuseNext: { code: 'RATE_LIMIT_EXCEEDED', retry: true } })
  while (handed.length < 3) await s.run(0.5)
  t.equal(handed[1]?.identity.packetId, handed[0]?.identity.packetId)
  t.not(handed[2]?.identity.packetId, handed[1]?.identity.packetId)
})

t.test('every part of a long text goes again as the packet it was', async (t) => {
  const s = await station(t, { config: { ...config, messages: { max_parts: 3 } }, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ ...urgent, summary: 'Long summary '.repeat(30) })
  while (s.deliveries()[0]?.state !== 'sent') await s.run(0.01)
  s.mt.setFault({ down: true })
  s.mt.setFault({ down: false })
  report(s.mt, handed.at(-1)?.identity, { kind: 'unconfirmed', silent: true })
  t.match(s.deliveries(), [{ state: 'queued', reason: 'nobody_heard' }])
  while (handed.length < 6) await s.run(1)
  t.same(ids(handed.slice(3)), ids(handed.slice(0, 3)))
  t.equal(new Set(ids(handed)).size, 3)
})

t.test('error 5 of a long text: one new round, each part a new packet', async (t) => {
  const s = await station(t, { config: { ...config, messages: { max_parts: 3 } }, neighbours: 0 })
  const handed = handedTo(s.mt, s)
  await s.post({ ...urgent, summary: 'Long summary '.repeat(30) })
  await s.run(20 * 60)
  t.equal(handed.length, 6)
  t.equal(new Set(ids(handed)).size, 6)
})
