import t from 'tap'
import { START, station, withMatrix } from '../../helpers/station.ts'

const DAY_MS = 86_400_000
const cells = { fire: { North: { mt: 3, mc: 'north' }, South: { mt: 5, min_severity: 'immediate' } } }

t.test('an event at critical or above that nobody was told of is known, with the reason', async (t) => {
  const made = await station(t, { config: withMatrix(cells) })
  const post = (id: string, more: object) => made.post({ id, severity: 'critical', ...more })
  await post('sent', {})
  await post('no-cell', { regions: ['Elsewhere'] })
  await post('floor', { regions: ['South'] })
  await post('lesser', { regions: ['Elsewhere'], severity: 'priority' })
  await post('end', { regions: ['Elsewhere'], lifecycle: 'cancel' })
  await post('demo', { regions: ['Elsewhere'], data: { demo: true } })
  await made.run(60)
  const { incidents } = made.core.ledger
  const found = () => incidents.untoldSince(made.clock.now() - DAY_MS).map(({ id, reason }) => `${id}: ${reason}`)
  t.same(found(), ['floor: below_min_severity', 'no-cell: no_route'])
  made.core.reactions.acknowledge('test:floor', { author: 'ops', name: 'ops', reason: 'called' })
  t.same(found(), ['no-cell: no_route'], 'somebody has dealt with it')
  await made.run(DAY_MS / 1000)
  t.same(found(), [])
})

t.test('a drill is known as running until its event ends', async (t) => {
  const made = await station(t, { config: withMatrix(cells) })
  const { incidents } = made.core.ledger
  const runs = (): boolean => incidents.isDrillRunning(made.clock.now())
  const until = new Date(START + 600_000).toISOString()
  await made.post({ id: 'drill-of-a-feed', expires: until })
  t.equal(runs(), false, 'nobody began one')
  await made.post({ id: 'drill-1', source: 'drill', severity: 'immediate', data: { drill: true }, expires: until })
  t.equal(runs(), true)
  await made.run(601)
  t.equal(runs(), false)
})

t.test('what concerns nobody here, was told already, is silenced or was only history is no loss', async (t) => {
  const made = await station(t, {
    config: { ...withMatrix(cells), coverage: { areas: [{ name: 'North', bbox: [-115, 43, -114, 44] }] } }
  })
  const north = { lat: 43.5, lon: -114.5, severity: 'critical' }
  await made.post({ ...north, id: 'told', revision: '1' })
  await made.run(60)
  await made.post({ ...north, id: 'told', revision: '2' })
  await made.post({ ...north, id: 'far', lat: 10, lon: 10 })
  await made.post({ ...north, id: 'old' }, { coldStart: true })
  t.same(made.core.ledger.incidents.untoldSince(START - 1), [])
})

t.test(
  'a grave event whose only message failed counts as told to nobody; one that reached a channel does not',
  async (t) => {
    const made = await station(t, { config: withMatrix(cells) })
    const refusal = { refuseNext: { code: 'TOO_LARGE', retry: false } }
    made.mt.setFault(refusal)
    await made.post({ id: 'half', severity: 'immediate' })
    await made.run(30)
    const { incidents } = made.core.ledger
    t.equal(incidents.failedSince(START - 1), 1)
    t.same(incidents.untoldSince(START - 1), [], 'the other network told it')
    made.mt.setFault(refusal)
    await made.post({ id: 'gone', severity: 'immediate', regions: ['South'] })
    await made.run(30)
    t.match(incidents.untoldSince(START - 1), [{ id: 'gone', reason: 'too_large' }])
    t.equal(incidents.failedSince(START - 1), 2)
  }
)
