import { join } from 'node:path'
import t from 'tap'
import { because } from '../../../src/model/reason.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { type Database, openDatabase, openMemory } from '../../../src/platform/database/database.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { deliveryFromRow } from '../../../src/warning/outbox/delivery.ts'
import { DeliveryList } from '../../../src/warning/outbox/delivery-list.ts'
import { Ledger } from '../../../src/warning/outbox/ledger.ts'
import { Outbox } from '../../../src/warning/outbox/outbox.ts'
import { copyRows } from '../../../src/warning/outbox/rescue.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { SourceStore } from '../../../src/warning/outbox/source-store.ts'
import { LedgerStorage } from '../../../src/warning/outbox/storage.ts'
import { Waiting } from '../../../src/warning/outbox/waiting.ts'
import { saidSteps, storedSteps } from '../../../src/warning/routing/said-trace.ts'

/** Steps of the schema of the last version whose rows were told apart by their sentences. */
const BY_SENTENCES = 15
/** Those of the version before a start looked up what had no answer. */
const WITHOUT_AGAIN = 17
/** Those of the version that told a digest by its category, and a test by the name of its run. */
const BY_NAMES = 19

t.test('refusals and merged messages of an older version have their codes after it was opened', async (t) => {
  const path = join(t.testdir({}), 'lookout.db')
  const old = await openDatabase({
    path,
    migrations: ledgerMigrations.slice(0, BY_SENTENCES),
    synchronous: 'NORMAL'
  })
  const columns = old
    .sql("SELECT name, type FROM pragma_table_info('deliveries') WHERE \"notnull\" = 1 OR name IN ('id', 'reason')")
    .all()
    .map(({ name, type }) => ({ name: String(name), value: type === 'TEXT' ? '' : 0 }))
  const put = (id: number, state: string, reason: string): void => {
    const row = columns.map(({ name, value }) => ({ id, state, reason })[name] ?? value)
    const names = columns.map(({ name }) => name)
    old.sql(`INSERT INTO deliveries (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(...row)
  }
  put(1, 'queued', 'queue_full')
  put(2, 'merged', 'merged into 1')
  const step = old.sql('INSERT INTO delivery_steps VALUES (?, ?, ?, ?, ?)')
  step.run(1, 10, 'queued', null, 'accepted')
  step.run(1, 20, 'queued', 'queue_full', 'refused: the queue is full; tried again later')
  step.run(1, 30, 'held', 'radio_down', 'refused: a sentence of another state')
  step.run(2, 10, 'merged', 'merged into 1', 'joined message 1')
  old.close()

  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.same(
    db
      .sql('SELECT at, change FROM delivery_steps WHERE change IS NOT NULL')
      .all()
      .map((row) => ({ ...row })),
    [{ at: 20, change: 'refuse' }]
  )
  const reasons = (table: string): unknown[] =>
    db
      .sql(`SELECT reason FROM ${table} WHERE state = 'merged'`)
      .all()
      .map(({ reason }) => reason)
  t.same(reasons('deliveries'), ['merged'])
  t.same(reasons('delivery_steps'), ['merged'])
  t.same(
    new DeliveryList(db, () => 0).steps(1).map(({ step }) => step),
    [
      because('accepted'),
      because('note', { text: 'refused: the queue is full; tried again later' }),
      because('note', { text: 'refused: a sentence of another state' })
    ],
    'a sentence without a code is kept as a note'
  )
  db.close()
})

t.test(
  'steps rescued from a damaged file of an older version keep their sentences; unreadable ones are left out',
  async (t) => {
    const old = openMemory([...ledgerMigrations.slice(0, BY_SENTENCES)], join(t.testdir({}), 'old.db'))
    old.sql('INSERT INTO delivery_steps VALUES (?, ?, ?, ?, ?)').run(1, 10, 'queued', null, 'accepted')
    const db = openMemory(ledgerMigrations)
    for (const _ of copyRows(old, db, { table: 'delivery_steps' }));
    const steps = new DeliveryList(db, () => 0).steps(1)
    t.same(
      steps.map(({ step }) => step),
      [because('note', { text: 'accepted' })]
    )

    const newer = openMemory(ledgerMigrations, join(t.testdir({}), 'newer.db'))
    const put = newer.sql(
      "INSERT INTO delivery_steps (delivery_id, at, state, code, params) VALUES (2, ?, 'queued', 'accepted', ?)"
    )
    put.run(10, '{}')
    put.run(20, '{turned bits')
    const again = openMemory(ledgerMigrations)
    for (const _ of copyRows(newer, again, { table: 'delivery_steps' }));
    t.equal(new DeliveryList(again, () => 0).steps(2).length, 1)
    for (const one of [old, newer, db, again]) one.close()
  }
)

t.test('a trace whose steps held sentences is read: each is a note, and new steps stand beside them', async (t) => {
  const ledger = new Ledger(openMemory(ledgerMigrations))
  const event = parseEventInput(
    { id: 'old', source: 's', family: 'fire', title: 'Fire' },
    { now: 0, families: new Set(['fire']) }
  )
  const seq = ledger.add(event) ?? 0
  const before = [
    { stage: 'inhibit', outcome: 'skip', reason: 'inhibited', detail: 'Fire is in force', region: 'North', by: 'Fire' },
    { stage: 'plan', outcome: 'stop', reason: 'no_route', code: 'a code of tomorrow', params: {} },
    'no step'
  ]
  ledger.decide(seq, { kind: 'send', reason: 'planned', trace: before })
  const channel = 'mc:north'
  const over = because('fallback_over', { channel })
  ledger.note(seq, { stage: 'fallback', outcome: 'skip', reason: 'over', ...over, channel })
  const steps = saidSteps(storedSteps(ledger.get(seq)?.trace ?? []), 'de')
  t.same(
    steps.map(({ detail, region, channel }) => ({ detail, region, channel })),
    [
      { detail: 'Fire is in force', region: 'North', channel: undefined },
      { detail: 'a code of tomorrow', region: undefined, channel: undefined },
      { detail: 'MeshCore-Kanal north wird nicht gebraucht: das Ereignis ist vorbei', region: undefined, channel }
    ]
  )
})

function waiting(db: Database): Waiting {
  const outbox = new Outbox({
    db,
    now: () => 0,
    coalesceSeconds: () => 20,
    heldBecause: () => null,
    onChange: () => undefined
  })
  return new Waiting(db, outbox)
}

t.test(
  'a database of before finds what had no answer without reading all that waits, and offers only that anew',
  async (t) => {
    const path = join(t.testdir({}), 'lookout.db')
    const old = await openDatabase({
      path,
      migrations: ledgerMigrations.slice(0, WITHOUT_AGAIN),
      synchronous: 'NORMAL'
    })
    const columns = old
      .sql("SELECT name, type FROM pragma_table_info('deliveries') WHERE \"notnull\" = 1 OR name IN ('id')")
      .all()
      .map(({ name, type }) => ({ name: String(name), value: type === 'TEXT' ? '' : 0 }))
    const names = columns.map(({ name }) => name)
    const put = old.sql(`INSERT INTO deliveries (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    const rows = [
      { id: 1, state: 'queued', unanswered: 2 },
      { id: 2, state: 'queued', unanswered: 0 },
      { id: 3, state: 'held', unanswered: 1 }
    ]
    for (const row of rows)
      put.run(...columns.map(({ name, value }) => Object.entries(row).find(([key]) => key === name)?.[1] ?? value))
    old.close()

    const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
    t.same(waiting(db).recover(77), { offeredAgain: 0, closed: 0 })
    const due = db.sql('SELECT id, due_at FROM deliveries ORDER BY id').all()
    t.same(
      due.map((row) => [row['id'], row['due_at']]),
      [
        [1, 77],
        [2, 0],
        [3, 0]
      ]
    )
    db.close()
  }
)
interface OldRow {
  id: number
  state: string
  kind?: string
  path: string
  category?: string
  dedup_key?: string
  parts?: string
  merged_into?: number
}

/** Rows as the version before stored them: of every kind that it knew, told, waiting and held. */
const OLD_ROWS: OldRow[] = [
  { id: 1, state: 'sent', path: 'matrix', category: 'fire' },
  { id: 2, state: 'queued', kind: 'update', path: 'fallback', category: 'fire' },
  { id: 3, state: 'sent', kind: 'cancel', path: 'cancel', category: 'fire' },
  { id: 4, state: 'queued', path: 'digest', category: 'digest_cooldown' },
  { id: 5, state: 'sent', path: 'digest', category: 'digest_summary' },
  { id: 6, state: 'sent', path: 'digest', category: 'digest_quiet_hours' },
  { id: 7, state: 'sent', path: 'digest', category: 'digest' },
  { id: 8, state: 'merged', path: 'matrix', category: 'fire', merged_into: 4 },
  { id: 9, state: 'queued', path: 'reply', category: 'reply', dedup_key: 'mt:1', parts: '["PONG"]' },
  { id: 10, state: 'sent', path: 'broadcast', dedup_key: 'morning:2026-06-24T06:00:mt', parts: '["Good morning"]' },
  {
    id: 11,
    state: 'sent',
    path: 'broadcast',
    dedup_key: 'test:2026-06-24T06:00:mc',
    parts: '["a schedule named test"]'
  },
  { id: 12, state: 'queued', path: 'broadcast', dedup_key: 'test:base:3:1782288000000', parts: '["TEST base"]' },
  { id: 13, state: 'held', path: 'notice', dedup_key: 'storage:1:mt', parts: '["LOOKOUT disk full"]' }
]
const NEW_CONTENTS = [
  { kind: 'alert', says: 'new', path: 'matrix' },
  { kind: 'alert', says: 'update', path: 'fallback' },
  { kind: 'end' },
  { kind: 'digest', of: 'cooldown' },
  { kind: 'digest', of: 'summary' },
  { kind: 'digest', of: 'quiet_hours' },
  { kind: 'digest', of: 'quiet_hours' },
  { kind: 'alert', says: 'new', path: 'matrix' },
  { kind: 'reply' },
  { kind: 'broadcast' },
  { kind: 'broadcast' },
  { kind: 'test' },
  { kind: 'notice' }
]

function putOldRows(db: Database, rows: readonly OldRow[]): void {
  const columns = db
    .sql(
      "SELECT name, type FROM pragma_table_info('deliveries') WHERE \"notnull\" = 1 OR name IN ('id', 'parts', 'merged_into')"
    )
    .all()
    .map(({ name, type }) => ({ name: String(name), type }))
  const names = columns.map(({ name }) => name)
  const put = db.sql(`INSERT INTO deliveries (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  const lists = ['regions', 'zones', 'event_seqs', 'event_ids', 'cooldown', 'identities']
  const given = {
    transport: 'mt',
    channel: '3',
    channel_key: 'mt:3',
    kind: 'new',
    severity: 'routine',
    lifecycle: 'new'
  }
  const none = { parts: null, merged_into: null, ...Object.fromEntries(lists.map((name) => [name, '[]'])) }
  for (const row of rows) {
    const values = new Map<string, string | number | null>(
      Object.entries({ ...none, ...given, thread_id: `t${row.id}`, created_at: row.id, expires_at: 99, ...row })
    )
    put.run(
      ...columns.map(({ name, type }) => values.get(name) ?? (values.has(name) ? null : type === 'TEXT' ? '' : 0))
    )
  }
}

t.test(
  'messages of the version before have their kind after the file was opened, and none of them is sent anew',
  async (t) => {
    const path = join(t.testdir({}), 'lookout.db')
    const old = await openDatabase({ path, migrations: ledgerMigrations.slice(0, BY_NAMES), synchronous: 'NORMAL' })
    putOldRows(old, OLD_ROWS)
    old.close()

    const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
    const rows = db.sql('SELECT * FROM deliveries ORDER BY id').all().map(deliveryFromRow)
    t.same(
      rows.map(({ content }) => content),
      NEW_CONTENTS
    )
    t.same(
      rows.map(({ state }) => state),
      OLD_ROWS.map(({ state }) => state),
      'nothing waits that did not wait before'
    )
    t.same(
      new DeliveryList(db, () => 0).list({ limit: 50 }).deliveries.map(({ id, path: way }) => [id, way]),
      OLD_ROWS.map((row) => [row.id, row.id === 12 ? 'test' : row.path]).reverse(),
      'the history is read as before'
    )
    t.same(
      db
        .sql('SELECT DISTINCT category FROM deliveries WHERE digest_of IS NOT NULL')
        .all()
        .map(({ category }) => category),
      ['']
    )
    db.close()
  }
)

t.test(
  'messages rescued from a damaged file of the version before have their kind; one of no kind is left out',
  (t) => {
    const old = openMemory([...ledgerMigrations.slice(0, BY_NAMES)], join(t.testdir({}), 'old.db'))
    putOldRows(old, [...OLD_ROWS, { id: 14, state: 'queued', path: 'matrjx' }])
    const db = openMemory(ledgerMigrations)
    let lost = false
    const steps = copyRows(old, db, { table: 'deliveries' })
    for (let step = steps.next(); ; step = steps.next())
      if (step.done === true) {
        lost = step.value.lost
        break
      }
    const rows = db.sql('SELECT * FROM deliveries ORDER BY id').all().map(deliveryFromRow)
    t.same(
      rows.map(({ content }) => content),
      NEW_CONTENTS
    )
    t.equal(lost, true, 'and it is known that something is missing')
    for (const one of [old, db]) one.close()
    t.end()
  }
)

t.test('why a source failed, a sentence of an older version, is read as a note', async (t) => {
  const db = openMemory(ledgerMigrations)
  const store = new SourceStore(db)
  const put = db.sql('INSERT INTO source_polls VALUES (?, ?, 0)')
  put.run('old', JSON.stringify({ kind: 'usgs', error: 'example.org answered 500' }))
  put.run('new', JSON.stringify({ kind: 'usgs', error: because('read_unexpectedly') }))
  put.run('well', JSON.stringify({ kind: 'usgs', error: null }))
  t.same(
    ['old', 'new', 'well'].map((name) => store.state(name)?.error),
    [because('note', { text: 'example.org answered 500' }), because('read_unexpectedly'), null]
  )
  db.close()
})

t.test(
  'a large file of an older version is told of before it is rewritten, and after, with the time it took',
  async (t) => {
    const path = join(t.testdir({}), 'lookout.db')
    const old = await openDatabase({ path, migrations: ledgerMigrations.slice(0, BY_SENTENCES), synchronous: 'NORMAL' })
    old.transaction(() => {
      const step = old.sql('INSERT INTO delivery_steps VALUES (?, ?, ?, ?, ?)')
      for (let n = 0; n < 60_000; n++) step.run(n, n, 'sent', null, 'left the radio')
    })
    old.close()
    const told: [object, string][] = []
    const log = { warn: (facts: object, words: string) => told.push([facts, words]), error: () => t.fail('an error') }
    const open = async (): Promise<void> => {
      const none = (): void => undefined
      const options = { path, clock: new VirtualClock(0), log: log as never, onFailed: none, onReturned: none }
      const storage = await LedgerStorage.open(options)
      storage.close()
    }
    await open()
    t.match(told, [
      [{ megabytes: Number }, /warnings wait until it is done/],
      [{ megabytes: Number, seconds: Number }, /in the form of this version/]
    ])
    await open()
    t.equal(told.length, 2, 'once')
  }
)
