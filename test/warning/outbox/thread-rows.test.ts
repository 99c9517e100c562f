import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { because } from '../../../src/model/reason.ts'
import type { Severity } from '../../../src/model/severity.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { Remembered } from '../../../src/platform/database/remembered.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import type { NewDelivery } from '../../../src/warning/outbox/delivery.ts'
import { GuardStore } from '../../../src/warning/outbox/guard-store.ts'
import { Outbox } from '../../../src/warning/outbox/outbox.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'

/** The memory of rows says the same as the file, whatever happens to them. */

const NOW = Date.UTC(2026, 6, 11, 21)

function event(thread: string, number: number, severity: Severity): LookoutEvent {
  const input = {
    id: `${thread}.${number}`,
    source: 'test',
    thread_id: thread,
    title: 'Fire',
    family: 'fire',
    category: 'wildfire_incident',
    severity,
    zones: [`IDC00${number % 3}`]
  }
  return parseEventInput(input, { now: NOW, families: new Set(['fire']) })
}

function planned(channel: number, mergeInto: number | null, { id, thread_id }: LookoutEvent): NewDelivery {
  return {
    transport: 'mt',
    channel,
    direct: false,
    kind: mergeInto === null ? 'new' : 'update',
    regions: [`R${id.length % 3}`],
    newPlacesOnly: false,
    path: 'matrix',
    dedup: { source: 'test', key: `${thread_id}#${id}|mt:${channel}` },
    cooldown: [{ family: 'fire', category: 'wildfire_incident', region: 'R', gravity: null }],
    mergeInto,
    material: `material ${id}`
  }
}

const STEPS = [
  'say',
  'say',
  'say',
  'hold',
  'free',
  'give up',
  'send',
  'withdraw',
  'narrow',
  'digest',
  'fail',
  'by hand'
] as const
const LIVES = fc.array(
  fc.record({
    step: fc.constantFrom(...STEPS),
    thread: fc.constantFrom('a', 'b', 'c'),
    joins: fc.constantFrom('a', 'b', 'c'),
    channel: fc.integer({ min: 1, max: 2 }),
    severity: fc.constantFrom('priority' as const, 'critical' as const)
  }),
  { minLength: 10, maxLength: 30 }
)
type Step = typeof LIVES extends fc.Arbitrary<(infer One)[]> ? One : never

/** One step in a life, in a transaction as everything is; what is impossible in this state is left out. */
function take(db: Database, outbox: Outbox, { step, thread, joins, channel, severity }: Step, number: number): void {
  const key = `mt:${channel}`
  const waits = outbox.guards.carried(joins).findLast((row) => row.channelKey === key && row.state === 'waiting')
  const row = waits === undefined ? null : outbox.get(waits.id)
  if (step === 'say' || row === null) {
    const said = event(thread, number, severity)
    outbox.add(said, number, planned(channel, waits?.id ?? null, said))
    return
  }
  const why = { reason: 'test', step: because('way_free') }
  if (step === 'hold') outbox.hold(row.id, 'cooldown', NOW + 1000)
  else if (step === 'free') outbox.release(row.id, NOW)
  else if (step === 'give up') outbox.apply(row.id, 'suppress', why)
  else if (step === 'withdraw') outbox.withdraw(row.id, 'test')
  else if (step === 'narrow') outbox.withdraw(row.id, 'test', ['R1'])
  else if (step === 'digest') outbox.addDigest([row], 'cooldown', NOW)
  else if (step === 'by hand') db.outdate()
  else if (row.state === 'queued')
    outbox.apply(row.id, 'hand_over', { ...why, patch: { parts: '["text"]', first_sent_at: NOW } })
}

t.test('after every step of random lives a thread carries what its rows say', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'OFF' })
  const rules = { db, now: () => NOW, coalesceSeconds: () => 60, heldBecause: () => null, onChange: () => undefined }
  const outbox = new Outbox(rules)
  let number = 0
  const check = (life: readonly Step[]): void => {
    for (const table of ['deliveries', 'dedup', 'delivery_steps']) db.exec(`DELETE FROM ${table}`)
    for (const one of life) {
      const failing = one.step === 'fail'
      try {
        db.transaction(() => {
          take(db, outbox, failing ? { ...one, step: 'say' } : one, ++number)
          if (failing) throw new Error('undone')
        })
      } catch (error) {
        if (!failing) throw error
      }
      db.transaction(() => {
        const read = new GuardStore(db)
        for (const thread of ['a', 'b', 'c'])
          if (JSON.stringify(outbox.guards.carried(thread)) !== JSON.stringify(read.carried(thread)))
            t.same(outbox.guards.carried(thread), read.carried(thread), `after ${one.step}`)
      })
    }
  }
  fc.assert(fc.property(LIVES, check), { numRuns: 60, seed: 7 })
  t.pass('all of them agree')
  db.close()
})

t.test('a row that is joined is not read again, and has what it was last', async (t) => {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'OFF' })
  const rules = { db, now: () => NOW, coalesceSeconds: () => 60, heldBecause: () => null, onChange: () => undefined }
  const outbox = new Outbox(rules)
  db.transaction(() => {
    t.same(outbox.guards.carried('a'), [])
    const id = outbox.add(event('a', 1, 'priority'), 1, planned(1, null, event('a', 1, 'priority')))
    outbox.add(event('a', 2, 'priority'), 2, planned(1, id, event('a', 2, 'priority')))
    t.same(outbox.guards.rows.waiting('a', id), outbox.get(id), 'the remembered row is the stored one')
    t.equal(outbox.guards.carried('a')[0]?.pieces.length, 2)
  })
  db.close()
})

t.test('what is remembered is forgotten with whatever may have changed it', async (t) => {
  const path = join(t.testdir(), 'remembered.db')
  const migrations = ['CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT) STRICT;']
  const db = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
  const remembered = new Remembered<string>(db, 2)
  const known = (): string | undefined => db.transaction(() => remembered.get('a'))
  const keep = (): void => db.transaction(() => remembered.set('a', 'one'))

  keep()
  t.equal(known(), 'one', 'by the next transaction')
  t.equal(remembered.get('a'), undefined, 'by nobody outside of one')
  db.exec("INSERT INTO facts VALUES ('b', '')")
  t.equal(known(), undefined, 'after a change outside of a transaction')
  keep()
  const other = await openDatabase({ path, migrations, synchronous: 'NORMAL' })
  other.exec("INSERT INTO facts VALUES ('c', '')")
  t.equal(known(), undefined, 'after a change by another connection')
  keep()
  t.throws(() =>
    db.transaction(() => {
      remembered.set('a', 'two')
      throw new Error('undone')
    })
  )
  t.equal(known(), undefined, 'after a rollback')
  keep()
  db.transaction(() => {
    t.match(
      db.attempt(() => db.exec('no statement')),
      Error
    )
    t.equal(remembered.get('a'), undefined, 'after a part of a transaction was undone')
  })
  db.transaction(() => {
    for (const key of ['a', 'b', 'c']) remembered.set(key, key)
    t.same([remembered.get('a'), remembered.get('c')], [undefined, 'c'], 'no more than was agreed')
    remembered.set('d', 'd')
    t.same([remembered.get('b'), remembered.get('c')], [undefined, 'c'], 'what was asked for outlasts what was not')
    for (const key of ['d', 'c']) remembered.get(key)
    remembered.set('e', 'e')
    t.same([remembered.get('e'), remembered.get('d')], ['e', 'd'], 'where all were, the oldest goes')
    for (const key of ['one', 'two', 'd']) remembered.set(key, 'd')
    remembered.get('d')
    for (let round = 0; round < 100; round++) {
      remembered.set(`new ${round}`, 'new')
      if (remembered.get('d') !== 'd') t.fail(`what is asked for each time is gone after ${round} others`)
    }
    t.same([remembered.get('new 98'), remembered.get('new 99')], [undefined, 'new'], 'however many came since')
  })
  other.close()
  db.close()
})
