import { join } from 'node:path'
import t, { type Test } from 'tap'
import { because } from '../../../src/model/reason.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import type { DeliveryFilter } from '../../../src/warning/outbox/delivery-list.ts'
import { GuardStore } from '../../../src/warning/outbox/guard-store.ts'
import { Ledger } from '../../../src/warning/outbox/ledger.ts'
import { copyToMemory } from '../../../src/warning/outbox/memory-copy.ts'
import { Outbox } from '../../../src/warning/outbox/outbox.ts'
import { salvageHere } from '../../../src/warning/outbox/salvage.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** A piece of a waiting message of its own thread is a narrow row behind it, and for everybody a message like others (src/warning/outbox/pieces.ts). */

const config = withMatrix({ fire: { North: { mt: 3 }, South: { mt: 5 } } }, { coalesce_seconds: 60 })
const OPTIONS = { migrations: ledgerMigrations, synchronous: 'NORMAL' } as const
/** Steps of the schema before pieces had a table of their own. */
const WIDE = 24

/** A thread `x` of three messages, the second and third of which join the first, amid two of other threads. */
async function joined(t: Test, databasePath = ':memory:'): Promise<Station> {
  const s = await station(t, { config, databasePath })
  await s.post({ id: 'x1', thread_id: 'x', title: 'Smoke at the mill' })
  await s.post({ id: 'y1', thread_id: 'y', title: 'Fire at the pass', regions: ['South'] })
  await s.post({ id: 'x2', thread_id: 'x', title: 'Smoke at the bridge', severity: 'priority' })
  await s.post({ id: 'x3', thread_id: 'x', title: 'Smoke at the ford' })
  await s.post({ id: 'z1', thread_id: 'z', title: 'Fire at the lake', regions: ['South'] })
  return s
}

const count = (db: Database, table: string): number => Number(db.sql(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
const shown = (s: Station, filter: Partial<DeliveryFilter> = {}): string[] =>
  s.core.deliveries
    .list({ limit: 100, ...filter })
    .deliveries.map(({ id, state, event_ids }) => `${id} ${state} ${event_ids}`)

t.test('a piece is no row among the messages, and stands in their list by its number', async (t) => {
  const s = await joined(t)
  t.equal(count(s.core.storage.db, 'deliveries'), 3)
  t.equal(count(s.core.storage.db, 'delivery_pieces'), 2)
  const all = ['5 queued z1', '4 merged x3', '3 merged x2', '2 queued y1', '1 queued x1,x2,x3']
  t.same(shown(s), all)
  t.same(shown(s, { thread: 'x' }), [all[1], all[2], all[4]])
  t.same(shown(s, { state: 'merged' }), [all[1], all[2]])
  t.same(shown(s, { state: 'queued' }), [all[0], all[3], all[4]])
  t.same(shown(s, { channel: 'mt:3' }), [all[1], all[2], all[4]])
  t.same(shown(s, { channel: 'mt:3', transport: 'mc' }), [])
  t.same(shown(s, { since: s.clock.now(), toAll: true, cursor: 4 }), all.slice(2))
  const first = s.core.deliveries.list({ limit: 2 })
  t.equal(first.next, 4)
  t.same([...first.deliveries, ...s.core.deliveries.list({ limit: 9, cursor: 4 }).deliveries].length, 5, 'page by page')
  t.equal(s.core.deliveries.list({ limit: 2, state: 'merged' }).next, null)
  t.same(s.core.waiting.counts(), { queued: 3, merged: 2 })
})

t.test('a piece has its own level, family, places and words, and the step by which it joined', async (t) => {
  const s = await joined(t)
  const seq = s.core.ledger.find('x2')[0]?.seq ?? 0
  const messages = s.core.deliveries.ofEvent(seq)
  t.match(messages, [
    { id: 1, state: 'queued', merged_into: null },
    {
      id: 3,
      state: 'merged',
      reason: 'merged',
      merged_into: 1,
      severity: 'priority',
      event_ids: ['x2'],
      channel: 3,
      text: null
    }
  ])
  const at = new Date(START).toISOString()
  t.same(s.core.deliveries.steps(3), [{ at, state: 'merged', reason: 'merged', step: because('joined', { id: 1 }) }])
  await s.run(120)
  t.match(s.core.deliveries.list({ limit: 9, state: 'merged' }).deliveries, [
    { id: 4, sent_at: null, attempts: 0, heard_by: 0, radio: null, text: null, simulated: false },
    { id: 3, sent_at: null }
  ])
})

t.test('what a piece has said is not said again, before and after a restart', async (t) => {
  const s = await joined(t, join(t.testdir({}), 'lookout.db'))
  await s.run(120)
  const again = { thread_id: 'x', title: 'Smoke at the ford' }
  t.match(await s.post({ ...again, id: 'x4' }), { decision: { reason: 'duplicate' } })
  const next = await s.restart()
  t.match(await next.post({ ...again, id: 'x5' }), { decision: { reason: 'duplicate' } })
  t.match(
    await next.post({ ...again, id: 'x6', title: 'Smoke at the mill' }),
    { decision: { kind: 'send' } },
    'the last words count'
  )
})

/** The file as the version before had it: what joined is a row among the messages. */
async function asBefore(path: string): Promise<void> {
  const db = await openDatabase({ path, ...OPTIONS })
  db.exec(`
    CREATE TRIGGER deliveries_added AFTER INSERT ON deliveries BEGIN
      INSERT OR IGNORE INTO delivery_counts VALUES (NEW.transport, NEW.state, 0);
      UPDATE delivery_counts SET n = n + 1 WHERE transport = NEW.transport AND state = NEW.state;
    END;
    INSERT INTO deliveries (id, transport, channel, direct, channel_key, state, reason, kind, path, severity, rank, family, category, thread_id, lifecycle,
      regions, zones, new_places_only, event_seqs, event_ids, material, dedup_source, dedup_key, cooldown, merged_into, created_at, due_at, expires_at,
      hazard_ends_at, changed_at, code)
    SELECT p.id, d.transport, d.channel, d.direct, d.channel_key, 'merged', 'merged', p.kind, p.path, p.severity, 0, p.family, d.category, d.thread_id,
      p.lifecycle, p.regions, p.zones, d.new_places_only, p.event_seqs, p.event_ids, p.material, d.dedup_source, d.dedup_key || p.id, '[]', d.id,
      p.created_at, p.created_at, d.expires_at, d.hazard_ends_at, p.created_at, d.code
    FROM delivery_pieces AS p JOIN deliveries AS d ON d.id = p.merged_into;
    DELETE FROM delivery_pieces;
    DROP TABLE delivery_pieces;
    DROP INDEX deliveries_alarm;
    ALTER TABLE deliveries DROP COLUMN alarm;
    DROP INDEX delivery_steps_air;
    DROP INDEX deliveries_untold;
    DROP TABLE peer_tags;
    PRAGMA user_version = ${WIDE};`)
  db.close()
}

t.test('a data folder of the version before keeps its lists, queue and guards, and sends nothing twice', async (t) => {
  t.match(ledgerMigrations[WIDE], /CREATE TABLE delivery_pieces/, 'the step that made the table')
  const path = join(t.testdir({}), 'lookout.db')
  const old = await joined(t, path)
  await old.post({ id: 'w1', thread_id: 'w', title: 'Smoke at the pond' })
  await old.post({ id: 'w2', thread_id: 'w', title: 'Smoke at the well' })
  const before = { list: shown(old), counts: old.core.waiting.counts() }
  const s = await old.restart({ between: () => asBefore(path) })
  t.equal(count(s.core.storage.db, 'delivery_pieces'), 0)
  t.same({ list: shown(s), counts: s.core.waiting.counts() }, before)
  t.match(await s.post({ id: 'x5', thread_id: 'x', title: 'Smoke at the weir' }), { decision: { kind: 'send' } })
  t.same(shown(s)[0], '8 merged x5', 'numbers go on')
  t.equal(count(s.core.storage.db, 'delivery_pieces'), 1, 'behind a message of the old file')
  await s.run(120)
  t.equal(s.onAir().length, 4, 'one message for each thread')
  t.match(await s.post({ id: 'x6', thread_id: 'x', title: 'Smoke at the weir' }), { decision: { reason: 'duplicate' } })
  t.match(
    await s.post({ id: 'w3', thread_id: 'w', title: 'Smoke at the well' }),
    { decision: { reason: 'duplicate' } },
    'the words of what joined in the old file count'
  )
  t.equal(s.onAir().length, 4)
})

t.test('retention takes pieces with their messages, some at a time and none before', async (t) => {
  const s = await station(t, { config })
  for (let thread = 0; thread < 150; thread++)
    for (const title of ['one', 'two', 'three'])
      await s.post({ id: `${thread} ${title}`, thread_id: `t${thread}`, title })
  const { db } = s.core.storage
  const later = START + 31 * 86_400_000
  const days = { events: 30, deliveries: 30, traces: 14 }
  while (s.core.ledger.prune(later, days));
  t.equal(count(db, 'delivery_pieces'), 300, 'their messages wait')
  db.exec("UPDATE deliveries SET state = 'expired'")
  t.ok(s.core.ledger.prune(later, days), 'more than one step')
  t.equal(count(db, 'delivery_pieces'), 100)
  const left = 'SELECT count(*) AS n FROM delivery_pieces WHERE merged_into NOT IN (SELECT id FROM deliveries)'
  t.equal(db.sql(left).get()?.['n'], 0)
  while (s.core.ledger.prune(later, days));
  t.equal(count(db, 'deliveries') + count(db, 'delivery_pieces'), 0)
  t.same(s.core.waiting.counts(), {})
})

t.test('the copy in memory has the words of pieces, and its numbers go on behind the last of them', async (t) => {
  const s = await joined(t)
  const { db } = s.core.storage
  db.exec("UPDATE deliveries SET state = 'heard' WHERE id = 1")
  db.exec('DELETE FROM deliveries WHERE id = 5')
  const copy = copyToMemory(db, { now: s.clock.now(), remembered: [] })
  t.teardown(() => copy.close())
  for (const _ of copy.rest());
  const words = (one: Database): unknown =>
    new GuardStore(one).carried('x').map(({ pieces }) => pieces.map(({ material }) => material))
  t.same(words(copy.db), words(db))
  const outbox = new Outbox({
    db: copy.db,
    now: () => s.clock.now(),
    coalesceSeconds: () => 0,
    heldBecause: () => null,
    onChange: () => undefined
  })
  const text = {
    kind: 'reply',
    transport: 'mt',
    channel: 1,
    direct: false,
    text: 'a',
    key: 'a',
    expiresAt: START
  } as const
  t.equal(outbox.addText(text), 5, 'a piece has number 4')
})

t.test('of a file that is salvaged pieces are kept and counted, but those whose message is lost', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'lookout.db')
  const s = await joined(t, path)
  s.core.storage.db.exec('DELETE FROM deliveries WHERE id = 1; UPDATE delivery_pieces SET merged_into = 2 WHERE id = 3')
  await s.restart({
    between: async () => {
      await salvageHere(path, join(folder, 'new.db'))
      const db = await openDatabase({ path: join(folder, 'new.db'), ...OPTIONS })
      t.same(
        db
          .sql('SELECT id, merged_into FROM delivery_pieces')
          .all()
          .map(({ id, merged_into: into }) => [id, into]),
        [[3, 2]]
      )
      t.same(
        db
          .sql('SELECT state, n FROM delivery_counts WHERE n > 0 ORDER BY state')
          .all()
          .map(({ state, n }) => [state, n]),
        [
          ['merged', 1],
          ['queued', 2]
        ]
      )
      db.close()
    }
  })
})

t.test('what an end that joined another has ended is not in force', async (t) => {
  const db = await openDatabase({ path: ':memory:', ...OPTIONS })
  t.teardown(() => db.close())
  const outbox = new Outbox({
    db,
    now: () => START,
    coalesceSeconds: () => 60,
    heldBecause: () => null,
    onChange: () => undefined
  })
  const ledger = new Ledger(db)
  const say = (id: string, kind: 'new' | 'cancel', mergeInto: number | null = null): number => {
    const expires = new Date(START + 3_600_000).toISOString()
    const input = {
      id,
      source: 'test',
      thread_id: 'x',
      title: id,
      family: 'fire',
      category: 'fire',
      expires,
      sent_at: new Date(START).toISOString()
    }
    const event = parseEventInput(input, { now: START, families: new Set(['fire']) })
    const where = {
      transport: 'mt',
      channel: 1,
      direct: false,
      path: kind === 'new' ? 'matrix' : 'cancel',
      kind
    } as const
    const plan = {
      regions: [],
      newPlacesOnly: false,
      dedup: { source: 'test', key: id },
      cooldown: [],
      mergeInto,
      material: id
    }
    return outbox.add(event, ledger.add(event) ?? 0, { ...where, ...plan } as Parameters<Outbox['add']>[2])
  }
  const inForce = (): number => outbox.guards.inForce(START).length
  say('one', 'new')
  t.equal(inForce(), 1)
  const end = say('end', 'cancel')
  t.equal(inForce(), 0)
  say('two', 'new')
  t.equal(inForce(), 1)
  say('end of two', 'cancel', end)
  t.equal(inForce(), 0)
  t.end()
})
