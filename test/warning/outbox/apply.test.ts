import t from 'tap'
import { after, DELIVERY_CHANGES, DELIVERY_STATES, GRAVE_ONLY, UNTOLD_ONLY } from '../../../src/model/delivery.ts'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { because } from '../../../src/model/reason.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { ImpossibleChange } from '../../../src/warning/outbox/change-sql.ts'
import type { Delivery } from '../../../src/warning/outbox/delivery.ts'
import { Outbox } from '../../../src/warning/outbox/outbox.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'

/** One stored row, put into any state by hand. */
async function outboxWith(
  severity: 'routine' | 'critical',
  onChange: (row: Delivery) => void = () => undefined
): Promise<{ outbox: Outbox; put: (state: string) => void; told: () => void; state: () => unknown }> {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const outbox = new Outbox({
    db,
    now: () => 1_000,
    coalesceSeconds: () => 0,
    heldBecause: () => null,
    onChange
  })
  const id = outbox.addText({
    kind: 'reply',
    transport: 'mt',
    channel: 1,
    direct: false,
    text: 'x',
    key: 'k',
    expiresAt: 9_000
  })
  const rank = { routine: 0, critical: 2 } satisfies Partial<Record<LookoutEvent['severity'], number>>
  return {
    outbox,
    put: (state) =>
      db
        .sql('UPDATE deliveries SET state = ?, severity = ?, rank = ? WHERE id = ?')
        .run(state, severity, rank[severity], id),
    told: () => db.sql('UPDATE deliveries SET sent_at = 1 WHERE id = ?').run(id),
    state: () => outbox.get(id)?.state
  }
}

const why = { reason: null, step: because('note', { text: 'a test' }) }

t.test('a row moves as the table says, and an impossible change throws and leaves it as it was', async (t) => {
  for (const severity of ['routine', 'critical'] as const) {
    const { outbox, put, state } = await outboxWith(severity)
    for (const before of DELIVERY_STATES)
      for (const change of DELIVERY_CHANGES) {
        const forbidden = severity === 'routine' && GRAVE_ONLY.has(change)
        const next = forbidden ? null : after(before, change)
        for (const apply of [() => outbox.apply(1, change, why), () => outbox.applyAll([1], change, why)]) {
          put(before)
          if (next === null) t.throws(apply, ImpossibleChange, `${severity} ${before}: no ${change}`)
          else apply()
          t.equal(state(), next ?? before, `${severity} ${before} ${change}`)
        }
      }
  }
})

t.test(
  'what may have been heard is neither withdrawn nor overdue, however long it waits to be said again',
  async (t) => {
    const { outbox, put, told, state } = await outboxWith('critical')
    told()
    for (const change of UNTOLD_ONLY) {
      put('queued')
      t.throws(() => outbox.apply(1, change, why), ImpossibleChange, change)
      t.equal(state(), 'queued')
    }
    outbox.apply(1, 'leave_unconfirmed', why)
    t.equal(state(), 'unconfirmed')
  }
)

t.test('of several rows none moves when one cannot', async (t) => {
  const { outbox, put } = await outboxWith('routine')
  put('sent')
  const second = outbox.addText({
    kind: 'reply',
    transport: 'mt',
    channel: 1,
    direct: false,
    text: 'y',
    key: 'l',
    expiresAt: 9_000
  })
  t.throws(() => outbox.applyAll([second, 1], 'hold', why), ImpossibleChange)
  t.equal(outbox.get(second)?.state, 'queued')
  t.equal(outbox.get(1)?.state, 'sent')
})

t.test('a row that is gone meanwhile is no failure', async (t) => {
  const { outbox } = await outboxWith('routine')
  outbox.apply(77, 'hold', why)
  outbox.applyAll([77, 1], 'hold', why)
  t.equal(outbox.get(1)?.state, 'held')
})

t.test('whoever follows the messages hears at once that one speaks of fewer regions than before', async (t) => {
  const told: string[][] = []
  const { outbox, put } = await outboxWith('routine', ({ regions }) => told.push([...regions]))
  put('queued')
  told.length = 0
  outbox.keepRegions(1, ['North'])
  t.same(told, [['North']])
})
