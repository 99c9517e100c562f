import t from 'tap'
import type { HoldReason } from '../../../src/model/content.ts'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { because } from '../../../src/model/reason.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { type HeldOptions, HeldRows } from '../../../src/warning/outbox/held.ts'
import { Ledger } from '../../../src/warning/outbox/ledger.ts'
import { Outbox } from '../../../src/warning/outbox/outbox.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { Waiting } from '../../../src/warning/outbox/waiting.ts'

/** Contract §6, *Warnings before work*: what is asked all the time costs no more after thousands of messages than after some. */

const NOW = Date.parse('2026-07-01T12:00:00Z')
const HOUR_MS = 3_600_000

function event(n: number): LookoutEvent {
  const input = {
    id: `e${n}`,
    source: 'test',
    family: 'fire',
    severity: n % 5 === 0 ? 'priority' : 'routine',
    title: `Fire ${n}`,
    regions: ['North'],
    expires: new Date(NOW + 6 * HOUR_MS).toISOString()
  }
  return parseEventInput(input, { now: NOW, families: new Set(['fire']) })
}

interface Stored {
  db: Database
  ledger: Ledger
  outbox: Outbox
}

/** That many events, each of a thread of its own, each with a message; `hold`: why they may not go yet. */
async function stored(count: number, hold?: { reason: HoldReason; until: number }): Promise<Stored> {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const ledger = new Ledger(db)
  const outbox = new Outbox({
    db,
    now: () => NOW,
    coalesceSeconds: () => 0,
    heldBecause: () => null,
    onChange: () => undefined
  })
  db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const one = event(n)
      const seq = ledger.add(one) ?? 0
      ledger.decide(seq, { kind: 'send', reason: 'cell', trace: [] })
      outbox.add(one, seq, {
        transport: 'mt',
        channel: 3,
        direct: false,
        kind: 'new',
        regions: ['North'],
        newPlacesOnly: false,
        path: 'matrix',
        dedup: { source: 'test', key: `${n}` },
        cooldown: [],
        mergeInto: null,
        material: '',
        ...(hold === undefined ? {} : { hold })
      })
    }
  })
  return { db, ledger, outbox }
}

/** Milliseconds of the processor: the least of some, as others use this machine too. */
function costOf(work: () => unknown): number {
  const costs = Array.from({ length: 7 }, () => {
    const begun = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}

/** So much more than after a sixteenth of it, and a millisecond for what takes next to none. */
const FEW_TIMES = 4

t.test('what is in force, and what has failed, is found as fast after a long storm as after a short one', async (t) => {
  const short = await stored(500)
  const long = await stored(8000)
  const questions: Record<string, (of: Stored) => unknown> = {
    'in force': ({ ledger }) => ledger.active(NOW, 20),
    'failed messages': ({ ledger }) => ledger.incidents.failedSince(NOW - HOUR_MS)
  }
  for (const [name, ask] of Object.entries(questions)) {
    const [few, many] = [costOf(() => ask(short)), costOf(() => ask(long))]
    t.ok(many < FEW_TIMES * few + 1, `${name}: ${few} ms, ${many} ms`)
  }
  t.same(
    long.ledger.active(NOW, 3).map(({ event: { id } }) => id),
    ['e7995', 'e7990', 'e7985'],
    'worst first, then the newest'
  )
})

t.test('a warning that nothing here can place is told of, however much came after it', async (t) => {
  const { db, ledger } = await stored(1)
  const add = (n: number, reason: string): void => {
    const seq = ledger.add({ ...event(n), severity: 'priority' }) ?? 0
    ledger.decide(seq, { kind: 'suppress', reason, trace: [] })
  }
  db.transaction(() => {
    add(1, 'unplaced')
    for (let n = 2; n < 1000; n++) add(n, 'outside')
  })
  t.match(ledger.incidents.unplacedSince(NOW - HOUR_MS), [{ id: 'e1', told: false }])
})

t.test('thousands of messages change their state a slice at a time, the gravest first', async (t) => {
  const { db, outbox } = await stored(1000)
  const waiting = new Waiting(db, outbox)
  const moved: number[] = []
  for (let rows = 1; rows > 0; moved.push(rows)) rows = waiting.hold('mt', 'radio_down', because('way_free'))
  t.ok(Math.max(...moved) <= 150, `${moved}`)
  t.equal(
    moved.reduce((sum, rows) => sum + rows, 0),
    1000
  )
  t.ok(waiting.release('mt', NOW) <= 150)
  const free = db.sql("SELECT DISTINCT severity FROM deliveries WHERE state = 'queued'").all()
  t.same(
    free.map(({ severity }) => severity),
    ['priority']
  )
  t.equal(waiting.switchOff('mt'), 150)
  t.equal(
    waiting.switchOn(() => null),
    150
  )
  t.ok(waiting.expireOverdue(NOW + 24 * HOUR_MS) <= 150)
})

const GO: HeldOptions['ask'] = ({ regions }) => ({ kind: 'go', regions })

t.test('what was held for a night is asked few rows at a time, and told in one text all the same', async (t) => {
  const { db, outbox } = await stored(300, { reason: 'quiet_hours', until: NOW })
  let asked = 0
  const ask: HeldOptions['ask'] = (row) => {
    asked++
    return GO(row)
  }
  const held = new HeldRows({ db, outbox, ask, fitting: (rows) => rows, cooldownMs: () => 0 })
  const steps: number[] = []
  for (const _ of held.steps(NOW, false)) {
    steps.push(asked)
    asked = 0
  }
  t.ok(Math.max(...steps) <= 20, `${steps}`)
  const states = db.sql('SELECT state, count(*) AS n FROM deliveries GROUP BY state ORDER BY state').all()
  t.strictSame(
    states.map(({ state, n }) => [state, n]),
    [
      ['merged', 300],
      ['queued', 1]
    ]
  )
})

t.test('what was withdrawn between two steps is not told', async (t) => {
  const { db, outbox } = await stored(60, { reason: 'quiet_hours', until: NOW })
  const held = new HeldRows({ db, outbox, ask: GO, fitting: (rows) => rows, cooldownMs: () => 0 })
  const steps = held.steps(NOW, false)
  steps.next()
  outbox.withdraw(1, 'cancelled')
  for (const _ of steps);
  t.equal(outbox.get(1)?.state, 'suppressed')
  t.equal(outbox.membersOf(61).length, 59)
})

t.test('at the end of a cooldown only what one text may hold is read; the rest waits on', async (t) => {
  const { db, outbox } = await stored(2000, { reason: 'cooldown', until: NOW })
  let asked = 0
  const ask: HeldOptions['ask'] = (row) => {
    asked++
    return GO(row)
  }
  const fitting: HeldOptions['fitting'] = (rows) => rows.slice(0, 5)
  const held = new HeldRows({ db, outbox, ask, fitting, cooldownMs: () => 300_000 })
  t.ok(held.release(NOW, false))
  t.ok(asked <= 40, `${asked} asked`)
  const told = outbox.membersOf(2001)
  t.same(
    told.map(({ severity }) => severity),
    Array.from({ length: 5 }, () => 'priority'),
    'the gravest first'
  )
  const rest = db.sql("SELECT count(*) AS n FROM deliveries WHERE state = 'held' AND due_at = ?").get(NOW + 300_000)
  t.equal(rest?.['n'], 1995)
  t.notOk(held.release(NOW, false), 'none is due before the next end')
})
