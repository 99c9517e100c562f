import t from 'tap'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §13: "sent" is said only of what was on the air. */

const cells = { fire: { North: { mt: 3, mc: 'north' }, South: { mt: 5 } } }
const refusal = { refuseNext: { code: 'TOO_LARGE', retry: false } }

function resultsOf(s: Station): string[] {
  const stored = s.core.ledger.list({ limit: 50 })
  const results = s.core.ledger.results.ofEvents(stored)
  return stored.map((one) => {
    const { state, reason, channels } = results.get(one.seq) ?? { state: '?', reason: null, channels: [] }
    return `${one.event.id} ${state} ${reason ?? ''} ${channels.join(' ')}`.replace(/ +/g, ' ').trim()
  })
}

t.test('an event was sent when every message was on the air, in part when only some were', async (t) => {
  const s = await station(t, { config: withMatrix(cells) })
  await s.post({ id: 'both', severity: 'immediate' })
  await s.run(60)
  s.mt.setFault(refusal)
  await s.post({ id: 'half', severity: 'immediate', title: 'Other' })
  await s.run(60)
  s.mt.setFault(refusal)
  await s.post({ id: 'none', severity: 'immediate', title: 'Third', regions: ['South'] })
  await s.run(60)
  await s.post({ id: 'nowhere', severity: 'immediate', regions: ['East'] })
  t.same(resultsOf(s), [
    'nowhere none',
    'none failed too_large',
    'half partly too_large mc:north',
    'both sent mt:3 mc:north'
  ])
})

t.test('what waits or is held was not sent', async (t) => {
  const s = await station(t, { config: withMatrix(cells), noRadios: true })
  await s.post({ id: 'held', severity: 'immediate' })
  await s.run(5)
  t.same(resultsOf(s), ['held held no_radio'])
  const waits = await station(t, { config: { ...withMatrix(cells, { coalesce_seconds: 20 }) } })
  await waits.post({ id: 'waits', severity: 'routine' })
  t.same(resultsOf(waits), ['waits waiting coalescing'])
})

t.test('of an alert people were told on a channel once one of its messages was on the air there', async (t) => {
  const s = await station(t, { config: withMatrix(cells) })
  const of = () => s.core.ledger.results.ofThreads(['test:a', 'test:nobody'])
  await s.post({ id: 'a', severity: 'critical', revision: '1', regions: ['South'] })
  await s.run(60)
  s.mt.setFault(refusal)
  await s.post({ id: 'a', severity: 'immediate', revision: '2', regions: ['South'] })
  await s.run(60)
  t.match(of().get('test:a'), { state: 'sent', channels: ['mt:5'] })
  t.match(of().get('test:nobody'), { state: 'none', channels: [] })
})
