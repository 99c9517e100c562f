import { type LookoutEvent, nowhere } from '../../model/event.ts'
import { type Database, openMemory } from '../../platform/database/database.ts'
import { StorageError } from '../../platform/database/storage-fault.ts'
import { isNoEnd } from './content-sql.ts'
import type { Heard } from './heard-log.ts'
import { Ledger } from './ledger.ts'
import { lastRowid, RecordedChanges } from './recorded-changes.ts'
import { copyRows, isIn, tablesOf, type Wanted } from './rescue.ts'
import { ledgerMigrations } from './schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** `critical` and above, as stored beside the name. */
const GRAVE = 2
/** Of a damaged table: a warning waits for the first, nobody for the rest. */
const FIRST_QUESTIONS = 60
const QUESTIONS = 2000
/** A warning waits for them; what they leave is read within the next moments, and the log and the file are asked until then. */
const FIRST_ROWS = 12
const WAITING_GRAVE = `state IN ('queued', 'held') AND rank >= ${GRAVE}`
/** A row that waits below that is told when storing works again: the disk has it. */
const NOT_WAITING = `(state NOT IN ('queued', 'held') OR rank >= ${GRAVE})`

/** In these words, or the index `deliveries_in_force` does not serve: without it all of the table is read while a warning waits. */
const TOLD = `${isNoEnd()} AND state NOT IN ('merged', 'suppressed', 'expired', 'failed')`

/** A piece has no index by its time: its number is behind that of the first message since then. */
const SINCE_MESSAGE = 'id > (SELECT id FROM deliveries WHERE created_at > ? ORDER BY created_at LIMIT 1)'

/**
 * The rows that must be known before the next warning is decided, and those that are due: some hundreds, because a
 * warning waits for them. Of tables that are named in neither list everything is taken at once: they are small.
 */
function wantedFirst(now: number): Wanted[] {
  const day = now - DAY_MS
  return [
    {
      table: 'events',
      where: "severity IN ('critical', 'immediate') AND received_at > ?",
      values: [now - 2 * DAY_MS],
      newest: { by: 'received_at', limit: FIRST_ROWS }
    },
    { table: 'events', newest: { by: 'seq', limit: 1 } },
    // Those that may leave within the next minute; the others follow while they do.
    { table: 'deliveries', where: WAITING_GRAVE, newest: { by: 'rank', limit: FIRST_ROWS } },
    { table: 'deliveries', where: "state = 'transmitting'" },
    {
      table: 'deliveries',
      where: `changed_at > ? AND ${NOT_WAITING}`,
      values: [now - HOUR_MS],
      newest: { by: 'changed_at', limit: FIRST_ROWS }
    },
    {
      table: 'deliveries',
      where: `hazard_ends_at > ? AND rank >= ${GRAVE} AND ${TOLD} AND ${NOT_WAITING}`,
      values: [now],
      newest: { by: 'hazard_ends_at', limit: FIRST_ROWS }
    },
    { table: 'deliveries', where: NOT_WAITING, newest: { by: 'id', limit: 1 } },
    { table: 'delivery_pieces', where: SINCE_MESSAGE, values: [day], newest: { by: 'id', limit: FIRST_ROWS } },
    {
      table: 'dedup',
      where: 'seen_at > ?',
      values: [now - 2 * DAY_MS],
      newest: { by: 'seen_at', limit: 5 * FIRST_ROWS }
    },
    { table: 'airtime', where: 'at > ?', values: [now - HOUR_MS] },
    // Whoever acknowledges or asks names a code.
    {
      table: 'thread_codes',
      where: 'seen_at > ?',
      values: [now - 2 * DAY_MS],
      newest: { by: 'seen_at', limit: 5 * FIRST_ROWS }
    },
    { table: 'acks', where: 'at > ?', values: [day], newest: { by: 'id', limit: 100 } },
    { table: 'acks', newest: { by: 'id', limit: 1 } },
    { table: 'follow_ups', where: "state = 'open'" },
    { table: 'stand_ins', where: "state = 'waiting'" },
    { table: 'stand_ins', newest: { by: 'id', limit: 1 } },
    { table: 'commands', where: 'at > ?', values: [now - HOUR_MS], newest: { by: 'at', limit: 100 } },
    { table: 'mc_stamps', where: 'used_at > ?', values: [day], newest: { by: 'used_at', limit: 300 } }
  ]
}

/** Large tables that nothing grave depends on within the next seconds. */
const LATER: ReadonlySet<string> = new Set([
  'thread_names',
  'thread_codes',
  'source_polls',
  'source_urls',
  'source_memory'
])

/** Tables that only pages show, and that the log of what was heard has as well. */
const NEVER = ['delivery_steps', 'heard'] as const

/**
 * The further past that the decision and the queues ask for: grave events of the retention so that none is told twice,
 * everything of the last day, what is in force, and all that keeps a message back.
 */
function wanted(now: number): Wanted[] {
  const month = now - 30 * DAY_MS
  const day = now - DAY_MS
  return [
    // Their events first: their words are made of them.
    {
      table: 'events',
      where: `seq IN (SELECT value FROM deliveries, json_each(event_seqs) WHERE ${WAITING_GRAVE})`
    },
    { table: 'deliveries', where: WAITING_GRAVE },
    {
      table: 'events',
      where: "severity IN ('critical', 'immediate') AND received_at > ?",
      values: [month],
      newest: { by: 'received_at', limit: 3000 }
    },
    { table: 'events', where: 'received_at > ?', values: [day], newest: { by: 'received_at', limit: 2000 } },
    {
      table: 'deliveries',
      where: `changed_at > ? AND ${NOT_WAITING}`,
      values: [day],
      newest: { by: 'changed_at', limit: 5000 }
    },
    {
      table: 'deliveries',
      where: `hazard_ends_at > ? AND ${TOLD} AND ${NOT_WAITING}`,
      values: [now]
    },
    { table: 'delivery_pieces', where: SINCE_MESSAGE, values: [now - 2 * DAY_MS], newest: { by: 'id', limit: 5000 } },
    { table: 'dedup', where: 'seen_at > ?', values: [month], newest: { by: 'seen_at', limit: 20_000 } },
    { table: 'thread_names', where: 'seen_at > ?', values: [month] },
    { table: 'acks', where: 'at > ?', values: [month] },
    { table: 'follow_ups', where: "state = 'open' OR changed_at > ?", values: [day] },
    { table: 'commands', where: 'at > ?', values: [day] },
    { table: 'mc_stamps' },
    ...[...LATER].filter((table) => table !== 'thread_names').map((table) => ({ table }))
  ]
}

/** Stands in the list of events for those that cannot be read. */
const IN_PLACE: LookoutEvent = {
  ...{
    id: '',
    source: '',
    revision: '',
    category: '',
    family: '',
    severity: 'routine',
    title: '',
    summary: '',
    body: ''
  },
  ...{
    ...nowhere(),
    onset: null,
    expires: null
  },
  sent_at: new Date(0).toISOString(),
  received_at: new Date(0).toISOString(),
  thread_id: '',
  lifecycle: 'expire',
  region: null,
  regions: [],
  data: {}
}

/** A channel that was told something of an event while nothing could be stored. */
export interface ToldFromMemory {
  threadId: string
  channelKey: string
}

/** A database in memory that goes on from what could be read of the file. */
export interface MemoryCopy {
  db: Database
  /** Something that may matter could not be read. */
  incomplete: boolean
  /** Brings what is not needed at once. Ended early, `return()` lets go of what it holds. */
  rest: () => Generator<undefined, void>
  /** The changes in memory since then. */
  changes: RecordedChanges
  /** Channels that were told something from memory, by thread. */
  told: () => ToldFromMemory[]
  close: () => void
}

let copies = 0

/**
 * `from` is what can still be read, or null. What the next warning depends on is there at once; `rest` brings the other
 * rows, step by step, for as long as `from` is open.
 */
export function copyToMemory(
  from: Database | null,
  { now, remembered }: { now: number; remembered: readonly Heard[] }
): MemoryCopy {
  // By name: what is copied later comes by another connection, which no session records.
  const name = `file:/lookout-${process.pid}-${++copies}?vfs=memdb`
  const db = openMemory(ledgerMigrations, name)
  let incomplete = db.transaction(() => {
    const lost = from === null || copyInto(db, from, now)
    keepNumbers(db, from)
    return lost
  })
  const changes = new RecordedChanges(db)
  const firstOwn = lastRowid(db, 'deliveries')
  // Recorded: a file that has lost them gets them back.
  const remember = (): void =>
    db.transaction(() => {
      for (const one of remembered) know(db, one, now)
    })
  if (incomplete) remember()
  return {
    db,
    changes,
    incomplete,
    *rest() {
      if (from === null) return
      const lost = yield* copyRest(name, from, now)
      if (lost && !incomplete) remember()
      incomplete ||= lost
    },
    told: () =>
      db
        .sql('SELECT DISTINCT thread_id, channel_key FROM deliveries WHERE id > ? AND sent_at IS NOT NULL')
        .all(firstOwn)
        .map((row) => ({ threadId: String(row['thread_id']), channelKey: String(row['channel_key']) })),
    close: () => {
      changes.close()
      db.close()
    }
  }
}

function copyInto(db: Database, from: Database, now: number): boolean {
  let incomplete = false
  const take = (one: Wanted): void => {
    const rows = copyRows(from, db, { ...one, questions: FIRST_QUESTIONS })
    let step = rows.next()
    while (step.done !== true) step = rows.next()
    incomplete ||= step.value.lost
  }
  const parts = wantedFirst(now)
  for (const one of parts) take(one)
  const listed = new Set([...parts.map(({ table }) => table), ...LATER, ...NEVER])
  for (const table of tablesOf(db)) if (!listed.has(table)) take({ table })
  take({ table: 'events', where: 'seq IN (SELECT value FROM json_each(?))', values: [seqsOfOpen(db)] })
  return incomplete
}

/** A little more at each step. What was written meanwhile stays. Answers whether something could not be read. */
function* copyRest(name: string, from: Database, now: number): Generator<undefined, boolean> {
  const into = openMemory(ledgerMigrations, name)
  // A reader of the copy that is under way is waited for between two steps, not within one.
  into.exec('PRAGMA busy_timeout = 0')
  let incomplete = false
  try {
    for (const one of wanted(now)) {
      const rows = copyRows(from, into, { ...one, questions: QUESTIONS })
      let step = rows.next()
      for (; step.done !== true; step = rows.next()) yield undefined
      incomplete ||= step.value.lost
    }
    return incomplete
  } finally {
    into.close()
  }
}

function know(db: Database, { event, decision }: Heard, now: number): void {
  const ledger = new Ledger(db)
  if (ledger.knows(event)) return
  const seq = ledger.add(event)
  if (seq === null || decision === null) return
  ledger.decide(seq, { ...decision, trace: [] })
  for (const { dedup } of decision.sends)
    db.sql('INSERT OR IGNORE INTO dedup VALUES (?, ?, ?, NULL)').run(dedup.source, dedup.key, now)
}

/** The events of what waits or flies: its words are made of them. */
function seqsOfOpen(db: Database): string {
  const rows = db.sql("SELECT event_seqs FROM deliveries WHERE state IN ('queued', 'held', 'transmitting')").all()
  return JSON.stringify(rows.flatMap((row) => JSON.parse(String(row['event_seqs'])) as number[]))
}

/**
 * Numbers go on behind the last one of the file, which may not have been copied: a message that waits there, or one that cannot
 * be read. What is told from memory must not take the place of another row when it is written down.
 */
function keepNumbers(db: Database, from: Database | null): void {
  const events = lastOf(from, 'events', 'seq')
  if (events > lastRowid(db, 'events')) db.sql(EVENT_IN_PLACE).run(events)
  const deliveries = Math.max(lastOf(from, 'deliveries', 'id'), lastOf(from, 'delivery_pieces', 'id'))
  if (deliveries > lastRowid(db, 'deliveries')) db.sql(DELIVERY_IN_PLACE).run(deliveries)
}

/** More than a station counts in its life, where the file does not say. */
const UNREAD = 2 ** 30

function lastOf(from: Database | null, table: string, column: string): number {
  if (from === null) return UNREAD
  try {
    // A file of an older version that cannot be brought up to this one.
    if (!isIn(from, table)) return 0
    return Number(from.sql(`SELECT max(${column}) AS last FROM ${table}`).get()?.['last'] ?? 0)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return UNREAD
  }
}

/** Rows that only hold a number: of no time, by which nobody lists them, and not counted. */
const EVENT_IN_PLACE = `INSERT INTO events (seq, source, id, revision, thread_id, family, category, severity, lifecycle, sent_at, received_at,
  decision, reason, event, trace) VALUES (?, '', '', '', '', '', '', 'routine', 'expire', 0, 0, 'recorded', '', '${JSON.stringify(IN_PLACE)}', '[]')`
const DELIVERY_IN_PLACE = `INSERT INTO deliveries (id, transport, channel, direct, channel_key, state, kind, path, severity, rank, family, category,
  thread_id, lifecycle, regions, zones, new_places_only, event_seqs, event_ids, material, dedup_source, dedup_key, cooldown, created_at, due_at,
  expires_at, changed_at) VALUES (?, 'mt', '0', 0, '', 'merged', 'new', 'reply', 'routine', 0, '', '', '', 'new', '[]', '[]', 0, '[]', '[]', '',
  '', '', '[]', 0, 0, 0, 0)`
