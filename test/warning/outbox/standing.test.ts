import t from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { goingOn } from '../../../src/warning/outbox/going-on.ts'
import { Ledger } from '../../../src/warning/outbox/ledger.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'

const SENT = Date.parse('2026-01-10T06:00:00Z')
const HOUR = 3_600_000

/** The same row of numbers each time. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

async function randomLedger(seed: number) {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'OFF' })
  const ledger = new Ledger(db)
  const any = chance(seed)
  const threads = Array.from({ length: 60 }, (_, n) => `thread ${n}`)
  for (let n = 0; n < 400; n++) {
    const sent = SENT + any(30) * HOUR
    const lifecycle = ['new', 'update', 'update', 'cancel', 'expire'][any(5)]
    const input = {
      ...{ id: `${n}`, source: 'x', title: 'x', family: ['weather', 'avalanche'][any(2)], lifecycle },
      ...{ thread_id: threads[any(60)], severity: ['routine', 'priority', 'critical'][any(3)] },
      sent_at: new Date(sent).toISOString(),
      ...(any(2) === 0 ? { expires: new Date(sent + any(40) * HOUR).toISOString() } : {}),
      zones: any(2) === 0 ? [] : ['IDZ001', 'IDZ002'].slice(any(2)),
      same: any(4) === 0 ? ['016013'] : [],
      data: { ...(any(3) === 0 ? { until_further_notice: true } : {}), ...(any(5) === 0 ? { demo: true } : {}) }
    }
    ledger.add(parseEventInput(input, { now: sent, families: new Set(['weather', 'avalanche']) }))
  }
  return { db, ledger, threads }
}

t.test('a thread judged by columns goes on exactly when its whole messages say so', async (t) => {
  for (const seed of [1, 2, 3]) {
    const { db, ledger, threads } = await randomLedger(seed)
    for (let hour = 0; hour < 80; hour += 7) {
      const now = SENT + hour * HOUR
      const newest = threads.map((thread) => goingOn(ledger.thread(thread).reverse(), now).at(-1)?.seq ?? null)
      t.same(
        threads.map((thread) => ledger.goesOn(thread, now)?.seq ?? null),
        newest,
        `seed ${seed}, hour ${hour}`
      )
      t.same(
        [...ledger.over([...threads, 'unknown'], now)].sort(),
        [...threads.filter((_, n) => newest[n] === null), 'unknown'].sort()
      )
    }
    db.close()
  }
})

t.test('of each list the newest event that is stored decides, also where later ones are pruned', async (t) => {
  const { db, ledger } = await randomLedger(4)
  db.sql('DELETE FROM events WHERE seq % 3 = 0').run()
  const lists = [[1, 2], [1, 3], [3], [], [4, 7, 9], [5]]
  const told = lists.map((seqs) => {
    const stored = seqs.flatMap((seq) => ledger.get(seq) ?? []).at(-1)
    if (stored === undefined) return null
    const { thread_id, severity, data } = stored.event
    return { seq: stored.seq, thread_id, severity, demo: data['demo'] === true }
  })
  t.same(ledger.heads(lists), told)
  t.same(told[2], null)
  db.close()
})
