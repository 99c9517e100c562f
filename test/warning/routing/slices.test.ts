import { join } from 'node:path'
import t from 'tap'
import { openReadOnlyDatabase } from '../../../src/platform/database/database-read-only.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import type { Arrival } from '../../../src/warning/routing/accepted.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §6, *Warnings before work*: a batch is stored in slices, and what is immediate goes before all that waits. */

const cells = { fire: { North: { mt: 1, mc: 'north' } } }
const config = { ...withMatrix(cells), coverage: { areas: [{ name: 'North', bbox: [-115, 43, -114, 44] }] } }

function arrival(id: string, patch: Record<string, unknown> = {}): Arrival {
  const ring = Array.from({ length: 200 }, (_, n) => [-114.5 + Math.cos(n / 32) / 4, 43.5 + Math.sin(n / 32) / 4])
  const input = {
    id,
    source: 'test',
    title: `Fire ${id}`,
    family: 'fire',
    severity: 'routine',
    geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
    ...patch
  }
  return { event: parseEventInput(input, { now: START, families: new Set(['fire']) }) }
}

const batch = (count: number, name = 'e'): Arrival[] => Array.from({ length: count }, (_, n) => arrival(`${name}${n}`))

function decided(s: Station): string[] {
  const order: string[] = []
  s.core.observers.on('decided', ({ id }) => order.push(id))
  return order
}

t.test('a batch is stored in slices: others have their turn in between', async (t) => {
  const s = await station(t, { config })
  let turns = 0
  const stored: number[] = []
  const { ledger } = s.core
  const add = ledger.add.bind(ledger)
  ledger.add = (event, decided) => {
    stored.push(turns)
    return add(event, decided)
  }
  let ended = false
  const count = (): void => {
    turns++
    if (!ended) setImmediate(count)
  }
  count()
  const accepting = s.core.accept(batch(400))
  await s.clock.runTo(s.clock.now())
  const accepted = await accepting
  ended = true
  t.equal(accepted.length, 400)
  t.same(
    accepted.map(({ id }) => id),
    batch(400).map(({ event }) => event.id),
    'answered in the order they came'
  )
  t.ok(new Set(stored).size > 2, `${new Set(stored).size} turns of the loop between the first and the last`)
})

t.test('an immediate event is stored before what waits, in a slice of its own', async (t) => {
  const s = await station(t, { config })
  const order = decided(s)
  const accepting = [s.core.accept(batch(450)), s.core.accept([arrival('now', { severity: 'immediate' })])]
  await s.clock.runTo(s.clock.now())
  await Promise.all(accepting)
  t.equal(order[0], 'now', 'both came in the same turn')

  order.length = 0
  const storm = s.core.accept(batch(450, 'f'))
  await s.clock.runTo(s.clock.now())
  const urgent = s.core.accept([arrival('later', { severity: 'immediate' })])
  const before = s.core.ledger.list({ limit: 1000 }).length - 451
  await s.clock.runTo(s.clock.now())
  await urgent
  await storm
  t.equal(order.indexOf('later'), before, 'it was the next one, whatever was left of the storm')
  t.equal(order.length, 451)
})

t.test('of one batch the immediate ones are stored first, and all are answered together', async (t) => {
  const s = await station(t, { config })
  const order = decided(s)
  const accepting = s.core.accept([...batch(100), arrival('now', { severity: 'immediate' })])
  await s.clock.runTo(s.clock.now())
  const accepted = await accepting
  t.equal(order[0], 'now')
  t.equal(accepted[100]?.id, 'now')
})

t.test('nothing of one alert is told out of turn: what waits of its thread is stored with it, before it', async (t) => {
  const s = await station(t, { config })
  const order = decided(s)
  const thread = { thread_id: 'river' }
  const accepting = s.core.accept([
    ...batch(100),
    arrival('first', thread),
    arrival('second', { ...thread, severity: 'immediate', lifecycle: 'update' })
  ])
  await s.clock.runTo(s.clock.now())
  await accepting
  t.same(order.slice(0, 2), ['first', 'second'])
})

t.test(
  'one broken event fails its own batch: others are stored, and what was stored of it is known when it comes again',
  async (t) => {
    const s = await station(t, { config })
    const order = decided(s)
    const broken = batch(5, 'b')
    // No JSON: the store throws.
    Object.assign(broken[3]?.event.data ?? {}, { nws: { big: 1n } })
    const failing = t.rejects(s.core.accept(broken), TypeError)
    const others = s.core.accept(batch(5, 'o'))
    await s.clock.runTo(s.clock.now())
    await failing
    t.equal((await others).filter(({ duplicate }) => !duplicate).length, 5)
    t.notOk(order.includes('b3'))
    t.notOk(order.includes('b4'), 'its caller sends all of it again')
    const again = s.core.accept(batch(5, 'b'))
    await s.clock.runTo(s.clock.now())
    t.same(
      (await again).map(({ duplicate }) => duplicate),
      [true, true, true, false, false]
    )
  }
)

t.test('slices share a commit, and nobody is told of an event before another process can read it', async (t) => {
  const databasePath = join(t.testdir({}), 'lookout.db')
  const s = await station(t, { config, databasePath })
  const other = await openReadOnlyDatabase(databasePath)
  t.teardown(() => other.close())
  const count = (): number => Number(other.sql('SELECT count(*) AS n FROM events').get()?.['n'])
  const seen: number[] = []
  let told = 0
  s.core.observers.on('decided', () => {
    told++
    if (seen.at(-1) !== count()) seen.push(count())
    if (count() < told) t.fail(`${told} were told, ${count()} are stored`)
  })
  let slices = 0
  const { ledger } = s.core
  const knows = ledger.knows.bind(ledger)
  let turn = 0
  let last = -1
  ledger.knows = (event) => {
    if (turn !== last) slices++
    last = turn
    return knows(event)
  }
  let ended = false
  const next = (): void => {
    turn++
    if (!ended) setImmediate(next)
  }
  next()
  const accepting = s.core.accept(batch(400))
  await s.clock.runTo(s.clock.now())
  await accepting
  ended = true
  t.equal(told, 400)
  t.ok(seen.length < slices, `${seen.length} commits of ${slices} slices`)
})

t.test('whoever reads amid a storm finds stored what was decided, and it is told in the next turn', async (t) => {
  const s = await station(t, { config })
  const order = decided(s)
  const storm = s.core.accept(batch(450))
  let most = 0
  let ended = false
  const look = (): void => {
    if (ended) return
    const stored = ledger.list({ limit: 1000 }).length
    most = Math.max(most, stored - order.length)
    setImmediate(look)
  }
  const { ledger } = s.core
  setImmediate(look)
  await s.clock.runTo(s.clock.now())
  t.equal((await storm).length, 450)
  ended = true
  t.ok(most > 0, 'it read between two slices')
  t.same(
    order,
    batch(450).map(({ event }) => event.id),
    'each was told once, in order'
  )
})

t.test(
  'an event that cannot be stored, late in a storm, costs nobody else their own and changes no order',
  async (t) => {
    const s = await station(t, { config })
    const order = decided(s)
    const bad = arrival('bad')
    // No JSON: the store throws.
    Object.assign(bad.event.data, { nws: { big: 1n } })
    const before = s.core.accept(batch(300))
    const failing = t.rejects(s.core.accept([bad]), TypeError)
    const after = s.core.accept(batch(100, 'f'))
    await s.clock.runTo(s.clock.now())
    await failing
    const accepted = [...(await before), ...(await after)]
    t.equal(accepted.filter(({ duplicate }) => duplicate).length, 0)
    t.same(
      order,
      [...batch(300), ...batch(100, 'f')].map(({ event }) => event.id)
    )
  }
)
