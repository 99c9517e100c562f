import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AirEntry } from '../../../src/warning/radios/simulated-air.ts'
import { rewriteRows } from '../../helpers/rewrite-rows.ts'
import { type Station, type StationOptions, station, withMatrix } from '../../helpers/station.ts'
import { bench } from '../radios/meshtastic/bench.ts'

/** docs/interface.md §6, *Alert packets*. */

const cells = { fire: { North: { mt: 3, mc: 'n' }, South: { mt: 4 }, West: { mt: 5 } } }
const configOf = (mt_alert: object) => withMatrix(cells, { mt_alert })
const opened = (t: Test, mt_alert: object, more: StationOptions = {}): Promise<Station> =>
  station(t, { config: configOf(mt_alert), ...more })

/** How each text on the air of Meshtastic left, with its channel. */
const onAir = ({ mt }: Station): string[] =>
  mt.airLog.map(({ channel, alert, text }: AirEntry) => {
    const bell = text.endsWith('\u0007') ? ' bell' : ''
    return `${channel} ${alert === true ? 'alert' : 'text'}${bell}`
  })
const stepsOf = (s: Station, id: number): string[] => s.core.deliveries.steps(id).map(({ step }) => step.code)
const rows = (s: Station): string[] => s.deliveries().map(({ path, channel, state }) => `${path} ${channel} ${state}`)

t.test('off by default: immediate danger is a plain text', async (t) => {
  const s = await opened(t, {})
  await s.post({ id: 'a', severity: 'immediate' })
  await s.run(60)
  t.same(onAir(s), ['3 text'])
  t.same(rows(s), ['matrix 3 heard', 'matrix n heard'])
})

t.test('beside: the text leaves first, then the same words as an alert packet with a proof of its own', async (t) => {
  const s = await opened(t, { packet: 'beside' })
  await s.post({ id: 'a', severity: 'immediate' })
  await s.run(60)
  t.same(onAir(s), ['3 text', '3 alert'])
  const [text, packet] = s.mt.airLog
  t.equal(packet?.text, text?.text)
  t.not(packet?.identity.packetId, text?.identity.packetId)
  t.same(rows(s), ['matrix 3 heard', 'matrix n heard', 'alert_packet 3 heard'])
  t.ok(stepsOf(s, 1).includes('handed_over_beside'))
  t.equal(s.mc.sentCount, 1, 'MeshCore has nothing like it, and nothing is pretended there')
})

t.test('instead: the alert packet is the message, and the bell is in its words', async (t) => {
  const s = await opened(t, { packet: 'instead', bell: true })
  await s.post({ id: 'a', severity: 'immediate' })
  await s.run(60)
  t.same(onAir(s), ['3 alert bell'])
  t.notOk(s.mc.airLog[0]?.text.includes('\u0007'))
  t.same(rows(s), ['matrix 3 heard', 'matrix n heard'])
  t.notOk(s.deliveries()[0]?.text?.includes('\u0007'), 'pages show the words')
  t.ok(stepsOf(s, 1).includes('handed_over_instead'))
})

t.test('only immediate danger rings: not what is less, and not an end', async (t) => {
  const s = await opened(t, { packet: 'beside', bell: true })
  await s.post({ id: 'a', severity: 'critical' })
  await s.run(60)
  await s.post({ id: 'b', severity: 'immediate', regions: ['South'] })
  await s.run(60)
  await s.post({ id: 'b', severity: 'immediate', regions: ['South'], revision: '2', lifecycle: 'cancel' })
  await s.run(60)
  t.same(onAir(s), ['3 text', '4 text bell', '4 alert', '4 text'])
})

t.test('a reminder of immediate danger does not ring: it is no news', async (t) => {
  const config = withMatrix(cells, {
    mt_alert: { packet: 'beside', bell: true },
    reminders: [{ min_severity: 'immediate', every_hours: 1, start: '00:00', end: '00:00' }]
  })
  const s = await station(t, { config })
  await s.post({ id: 'a', severity: 'immediate', expires: '2026-06-02T18:00:00Z' })
  await s.run(62 * 60)
  t.same(onAir(s), ['3 text bell', '3 alert', '3 text'])
  t.equal(s.deliveries().filter(({ path }) => path === 'reminder').length, 2)
})

t.test(
  'each channel rings so many times in 24 hours, counted from the database: a restart does not begin anew',
  async (t) => {
    const databasePath = join(t.testdir(), 'lookout.db')
    const first = await opened(t, { packet: 'beside', per_day: 2 }, { databasePath })
    for (const id of ['a', 'b']) {
      await first.post({ id, severity: 'immediate' })
      await first.run(60)
    }
    t.same(onAir(first), ['3 text', '3 alert', '3 text', '3 alert'])
    const second = await first.restart()
    await second.post({ id: 'c', severity: 'immediate' })
    await second.run(60)
    await second.post({ id: 'd', severity: 'immediate', regions: ['South'] })
    await second.run(60)
    t.same(onAir(second), ['3 text', '4 text', '4 alert'], 'the other channel has a share of its own')
    const capped = second.deliveries().find(({ event_ids: ids, transport }) => ids.includes('c') && transport === 'mt')
    t.ok(stepsOf(second, capped?.id ?? 0).includes('handed_over_capped'))
    await second.run(86_400)
    await second.post({ id: 'e', severity: 'immediate' })
    await second.run(60)
    t.same(onAir(second).slice(3), ['3 text', '3 alert'])
  }
)

t.test('a drill rings, and takes no ring from what is real, nor what is real from it', async (t) => {
  const s = await opened(t, { bell: true, per_day: 2 })
  const drill = { category: 'drill', severity: 'immediate', data: { drill: true } }
  for (const id of ['d1', 'd2', 'd3']) {
    await s.post({ ...drill, id })
    await s.run(60)
  }
  t.same(onAir(s), ['3 text bell', '3 text bell', '3 text'])
  for (const id of ['a', 'b', 'c']) {
    await s.post({ id, severity: 'immediate' })
    await s.run(60)
  }
  t.same(onAir(s).slice(3), ['3 text bell', '3 text bell', '3 text'])
})

t.test('alert packets of a radio are 10 s apart, as the firmware drops closer ones without a word', async (t) => {
  const s = await opened(t, { packet: 'beside' })
  await s.post({ id: 'a', severity: 'immediate', regions: ['North', 'South', 'West'] })
  await s.run(90)
  const alerts = s.mt.airLog.filter(({ alert }) => alert === true)
  t.equal(alerts.length, 3)
  for (const [index, { at }] of alerts.entries())
    if (index > 0) t.ok(at - (alerts[index - 1]?.at ?? at) >= 10_000, 'none is dropped')
  t.ok(
    onAir(s)
      .slice(0, 3)
      .every((one) => one.endsWith('text')),
    'the texts wait for none of them'
  )
  t.notMatch(rows(s).join(), /sent_unknown/)
})

t.test('instead: a second warning within 10 s does not wait, and leaves as text', async (t) => {
  const s = await opened(t, { packet: 'instead' })
  await s.post({ id: 'a', severity: 'immediate' })
  await s.post({ id: 'b', severity: 'immediate', regions: ['South'] })
  await s.run(60)
  t.same(onAir(s), ['3 alert', '4 text'])
  const second = s.deliveries().find(({ channel }) => channel === 4)
  t.ok(stepsOf(s, second?.id ?? 0).includes('handed_over_close'))
  const [first, next] = s.mt.airLog
  t.ok((next?.at ?? 0) - (first?.at ?? 0) < 6000)
})

t.test('an alert packet that waits delays no warning, and its airtime is counted', async (t) => {
  const s = await opened(t, { packet: 'beside' })
  await s.post({ id: 'a', severity: 'immediate', regions: ['North', 'South'] })
  await s.run(12)
  t.equal(s.deliveries().filter(({ path, state }) => path === 'alert_packet' && state === 'queued').length, 1)
  await s.post({ id: 'b', severity: 'critical', regions: ['West'], expires: '2026-06-02T00:00:00Z' })
  await s.run(7)
  t.ok(onAir(s).includes('5 text'), 'it left while the packet waited')
  await s.run(60)
  t.equal(onAir(s).at(-1), '4 alert')
  const booked = s.core.storage.db.sql('SELECT count(*) AS n FROM airtime WHERE radio = ?').get(s.mt.description.id)
  t.equal(booked?.['n'], s.mt.sentCount, 'each packet on the air is booked')
})

t.test('an alert packet does not ring for what its channel was told the end of', async (t) => {
  const s = await opened(t, { packet: 'beside' })
  await s.post({ id: 'a', severity: 'immediate', regions: ['North', 'South'] })
  await s.run(12)
  await s.post({ id: 'a', severity: 'immediate', regions: ['North', 'South'], revision: '2', lifecycle: 'cancel' })
  await s.run(90)
  t.match(
    s.deliveries().filter(({ path }) => path === 'alert_packet'),
    [{ state: 'heard' }, { state: 'suppressed', reason: 'superseded' }]
  )
})

t.test('a kill while the alert packet flies: it is never sent twice, and the text stays as it was', async (t) => {
  const databasePath = join(t.testdir(), 'lookout.db')
  const first = await opened(t, { packet: 'beside' }, { databasePath })
  await first.post({ id: 'a', severity: 'immediate' })
  await first.run(60)
  const second = await first.restart({
    between: () => rewriteRows(databasePath, "UPDATE deliveries SET state = 'transmitting' WHERE path = 'alert_packet'")
  })
  await second.run(300)
  t.same(onAir(second), [])
  t.match(
    second.deliveries().map(({ path, state }) => `${path} ${state}`),
    ['matrix heard', 'matrix heard', 'alert_packet sent_unknown']
  )
})

t.test('a kill while the text flies: it is offered again as the same packet, and rings once', async (t) => {
  const databasePath = join(t.testdir(), 'lookout.db')
  const first = await opened(t, { packet: 'beside', bell: true }, { databasePath })
  first.mt.setFault({ silentNext: 'discarded' })
  await first.post({ id: 'a', severity: 'immediate' })
  const second = await first.restart({
    between: () => rewriteRows(databasePath, "UPDATE deliveries SET state = 'transmitting' WHERE id = 1")
  })
  await second.run(60)
  t.same([...onAir(first), ...onAir(second)].sort(), ['3 alert', '3 text bell'])
  t.equal(second.deliveries().filter(({ path }) => path === 'alert_packet').length, 1)
})

t.test('instead: a kill while it flies: it is given again when the firmware takes an alert packet again', async (t) => {
  const databasePath = join(t.testdir(), 'lookout.db')
  const first = await opened(t, { packet: 'instead' }, { databasePath })
  first.mt.setFault({ silentNext: 'discarded' })
  await first.post({ id: 'a', severity: 'immediate' })
  const second = await first.restart({
    between: () => rewriteRows(databasePath, "UPDATE deliveries SET state = 'transmitting' WHERE id = 1")
  })
  await second.run(5)
  t.same(onAir(second), [], 'within 10 s it would be dropped without a word')
  await second.run(5)
  t.same(onAir(second), ['3 alert'])
  t.equal(rows(second)[0], 'matrix 3 heard')
})

t.test('over the wire a Meshtastic node sends both, and each is proved by the repeat of a neighbour', async (t) => {
  const { radio, node, clock, close } = await bench()
  const config = withMatrix({ fire: { North: { mt: 1 } } }, { mt_alert: { packet: 'beside', bell: true } })
  const s = await station(t, { config, radios: [radio], clock })
  await s.post({ id: 'a', severity: 'immediate' })
  await s.run(60)
  t.same(
    node.transmitted.map(({ port = 1, channel, text }) => [port, channel, text.endsWith('\u0007')]),
    [
      [1, 1, true],
      [11, 1, false]
    ]
  )
  t.same(rows(s), ['matrix 1 heard', 'alert_packet 1 heard'])
  await close()
})
