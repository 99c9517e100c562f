import t from 'tap'
import { familyKeys } from '../../../src/model/families.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { station, withMatrix } from '../../helpers/station.ts'

t.test('an event that cannot be stored costs nobody else their own, although they share a commit', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3, mc: null } } }) })
  const { ledger } = s.core
  const add = ledger.add.bind(ledger)
  ledger.add = (event) => {
    if (event.id === 'bad') throw new Error('the store refuses it')
    return add(event)
  }
  const arrival = (id: string) => {
    const input = { id, source: 'test', title: id, family: 'fire', severity: 'critical', regions: ['North'] }
    return { event: parseEventInput(input, { now: s.clock.now(), families: familyKeys({}) }) }
  }
  const outcomes = Promise.allSettled([
    s.core.accept([arrival('one')]),
    s.core.accept([arrival('bad')]),
    s.core.accept([arrival('two'), arrival('three')])
  ])
  await s.run(60)
  t.strictSame(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled']
  )
  t.strictSame(
    ledger.list({ limit: 10 }).map(({ event }) => event.id),
    ['three', 'two', 'one']
  )
  t.equal(s.onAir().length, 3)
})
