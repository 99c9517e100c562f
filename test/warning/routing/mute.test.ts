import t from 'tap'
import { station, withMatrix } from '../../helpers/station.ts'

/** Contract §4 rule 12: a cell that is off and mute matches, decides alone and sends nothing. */

const policy = {
  toggles: {
    fire: {
      enabled: true,
      min_severity: 'routine',
      broadcast_channel: 6,
      severity_channels: { immediate: ['mesh_broadcast'], priority: ['mesh_broadcast'] }
    }
  }
}
const matrix = (north: object, more: object = {}) =>
  withMatrix({ fire: { North: { mt: 3, ...north }, South: { mt: 5 }, ...more } }, policy)

t.test('a muted cell is authoritative and silent; one that is only off lets the policy broadcast', async (t) => {
  const s = await station(t, { config: matrix({ enabled: false, mute: true }) })
  const muted = await s.post({ id: 'a', severity: 'immediate' })
  t.match(muted.decision, { kind: 'suppressed', reason: 'muted', sends: [] })
  t.match(
    muted.decision?.trace.filter(({ stage }) => stage === 'matrix'),
    [{ reason: 'muted', region: 'North', outcome: 'skip' }, { reason: 'authoritative' }]
  )
  s.setConfig(matrix({ enabled: false }))
  t.match((await s.post({ id: 'b', severity: 'immediate' })).decision, {
    kind: 'send',
    sends: [{ channel: 6, path: 'toggle' }]
  })
})

t.test('a muted region does not silence its neighbour', async (t) => {
  const s = await station(t, { config: matrix({ enabled: false, mute: true }) })
  const { decision } = await s.post({ id: 'a', severity: 'immediate', regions: ['North', 'South'] })
  t.match(decision?.sends, [{ channel: 5, regions: ['South'] }])
  t.equal(decision?.sends.length, 1)
})

t.test('a floor that somebody could lower is named before a mute', async (t) => {
  const s = await station(t, {
    config: matrix({ enabled: false, mute: true }, { South: { mt: 5, min_severity: 'immediate' } })
  })
  const { decision } = await s.post({ id: 'a', severity: 'priority', regions: ['North', 'South'] })
  t.equal(decision?.reason, 'below_min_severity')
})

t.test('an end still goes where the beginning went, and is no loss that nobody was told', async (t) => {
  const s = await station(t, { config: matrix({}) })
  await s.post({ id: 'a', severity: 'immediate', revision: '1' })
  await s.run(30)
  s.setConfig(matrix({ enabled: false, mute: true }))
  t.match((await s.post({ id: 'a', severity: 'immediate', lifecycle: 'cancel', revision: '2' })).decision, {
    kind: 'send',
    sends: [{ kind: 'cancel', channel: 3 }]
  })
  await s.post({ id: 'b', severity: 'immediate' })
  t.same(s.core.ledger.incidents.untoldSince(0), [])
})

t.test('explain and back-test say that the cell is muted', async (t) => {
  const config = matrix({ enabled: false, mute: true })
  const s = await station(t, { config })
  const { event } = await s.post({ id: 'a', severity: 'immediate' })
  const answer = s.core.explain({ ...event, id: 'c', thread_id: 'test:c' })
  t.match(answer, { outcome: 'suppressed', reason: 'muted', messages: [] })
  t.match(
    answer.cells.find(({ region }) => region === 'North'),
    { state: 'suppressed', reason: 'muted' }
  )
  const routes = {
    enabled: true,
    cells: { fire: { North: { mt: 3, mc: null, min_severity: 'routine' as const, enabled: false, mute: true } } }
  }
  const report = await s.core.backtest(routes, s.clock.now() - 1000, s.clock.now() + 1000)
  t.match(report, { events: 1, messages: 0, silent: { muted: 1 } })
})
