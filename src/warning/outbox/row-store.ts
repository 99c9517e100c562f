import { wordsOf } from '../../model/content.ts'
import { severityRank } from '../../model/severity.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { type Delivery, type DigestMember, deliveryFromRow, storedContent } from './delivery.ts'
import type { RowPlan } from './row-plan.ts'

/**
 * A row as it begins; `id` is the next of `RowNumbers`. Each field in the order in which it is read back, and spelt out: spreads make
 * an object that grows field by field.
 */
export function beginRow(
  plan: RowPlan,
  row: Pick<Delivery, 'id' | 'state' | 'reason' | 'dueAt' | 'code' | 'mergedInto'>,
  createdAt: number
): Delivery {
  return {
    id: row.id,
    transport: plan.transport,
    channel: plan.channel,
    direct: plan.direct,
    channelKey: plan.channelKey,
    radio: null,
    state: row.state,
    reason: row.reason,
    content: plan.content,
    severity: plan.severity,
    family: plan.family,
    category: plan.category,
    threadId: plan.threadId,
    lifecycle: plan.lifecycle,
    regions: plan.regions,
    zones: plan.zones,
    newPlacesOnly: plan.newPlacesOnly,
    eventSeqs: plan.eventSeqs,
    eventIds: plan.eventIds,
    material: plan.material,
    dedup: plan.dedup,
    cooldown: plan.cooldown,
    parts: plan.parts,
    nextPart: 0,
    identity: null,
    identities: [],
    session: null,
    unanswered: 0,
    unheard: 0,
    renewed: 0,
    bytes: plan.bytes,
    attempts: 0,
    heardBy: 0,
    simulated: false,
    demo: plan.demo,
    mergedInto: row.mergedInto,
    code: row.code,
    mark: plan.mark,
    origin: plan.origin,
    alarm: null,
    createdAt,
    dueAt: row.dueAt,
    expiresAt: plan.expiresAt,
    hazardEndsAt: plan.hazardEndsAt,
    firstSentAt: null,
    sentAt: null
  }
}

const INSERT = `INSERT INTO deliveries (id, transport, channel, direct, channel_key, state, reason, kind, path, severity, rank, family, category, thread_id, lifecycle,
  regions, zones, new_places_only, event_seqs, event_ids, material, dedup_source, dedup_key, cooldown, merged_into, created_at, due_at, expires_at,
  hazard_ends_at, changed_at, code, mark, origin, demo, digest_of, parts, bytes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Stores a row as `beginRow` made it. */
export function insertRow(db: Database, row: Delivery, now: number): void {
  const { kind, path } = wordsOf(row.content)
  db.sql(INSERT).write(
    row.id,
    row.transport,
    String(row.channel),
    row.direct ? 1 : 0,
    row.channelKey,
    row.state,
    row.reason,
    kind,
    path,
    row.severity,
    severityRank(row.severity),
    row.family,
    row.category,
    row.threadId,
    row.lifecycle,
    JSON.stringify(row.regions),
    JSON.stringify(row.zones),
    row.newPlacesOnly ? 1 : 0,
    JSON.stringify(row.eventSeqs),
    JSON.stringify(row.eventIds),
    row.material,
    row.dedup.source,
    row.dedup.key,
    JSON.stringify(row.cooldown),
    row.mergedInto,
    row.createdAt,
    row.dueAt,
    row.expiresAt,
    row.hazardEndsAt,
    now,
    row.code,
    row.mark,
    row.origin,
    row.demo ? 1 : 0,
    row.content.kind === 'digest' ? row.content.of : null,
    row.parts === null ? null : JSON.stringify(row.parts),
    row.bytes
  )
}

/** Fields of a waiting row that a further event may change, by column. */
const CHANGING = {
  event_seqs: 'eventSeqs',
  event_ids: 'eventIds',
  regions: 'regions',
  zones: 'zones',
  cooldown: 'cooldown',
  severity: 'severity',
  new_places_only: 'newPlacesOnly',
  lifecycle: 'lifecycle',
  due_at: 'dueAt',
  expires_at: 'expiresAt',
  hazard_ends_at: 'hazardEndsAt'
} as const satisfies Record<string, keyof Delivery>
const COLUMNS = Object.entries(CHANGING).map(([column, field], at) => ({ column, field, bit: 1 << at }))
/** The statements of `changeRow`, by the columns that one changes: a bit each. */
const updates = new Map<number, string>()

/** The fields of a waiting row once it has taken over a further event. */
export type TakenOver = Pick<Delivery, (typeof CHANGING)[keyof typeof CHANGING]>

/** The row with what it takes over: spelt out as `beginRow` is, for the same reason. */
export function rowWith(row: Delivery, taken: TakenOver): Delivery {
  return {
    id: row.id,
    transport: row.transport,
    channel: row.channel,
    direct: row.direct,
    channelKey: row.channelKey,
    radio: row.radio,
    state: row.state,
    reason: row.reason,
    content: row.content,
    severity: taken.severity,
    family: row.family,
    category: row.category,
    threadId: row.threadId,
    lifecycle: taken.lifecycle,
    regions: taken.regions,
    zones: taken.zones,
    newPlacesOnly: taken.newPlacesOnly,
    eventSeqs: taken.eventSeqs,
    eventIds: taken.eventIds,
    material: row.material,
    dedup: row.dedup,
    cooldown: taken.cooldown,
    parts: row.parts,
    nextPart: row.nextPart,
    identity: row.identity,
    identities: row.identities,
    session: row.session,
    unanswered: row.unanswered,
    unheard: row.unheard,
    renewed: row.renewed,
    bytes: row.bytes,
    attempts: row.attempts,
    heardBy: row.heardBy,
    simulated: row.simulated,
    demo: row.demo,
    mergedInto: row.mergedInto,
    code: row.code,
    mark: row.mark,
    origin: row.origin,
    alarm: row.alarm,
    createdAt: row.createdAt,
    dueAt: taken.dueAt,
    expiresAt: taken.expiresAt,
    hazardEndsAt: taken.hazardEndsAt,
    firstSentAt: row.firstSentAt,
    sentAt: row.sentAt
  }
}

/**
 * Stores what a row that waits took over from a further event: only what differs, because each column has its indexes. Lists that
 * gained nothing are the same lists (`union`, `joinCooldowns`): nobody writes both out to compare them. `changed_at` tells of states:
 * the piece has a row with a time of its own.
 */
export function changeRow(db: Database, before: Delivery, row: Delivery): void {
  let columns = 0
  const values: SqlValue[] = []
  for (const { field, bit } of COLUMNS) {
    if (row[field] === before[field]) continue
    columns |= bit
    values.push(stored(row[field]))
    if (field === 'severity') values.push(severityRank(row.severity))
  }
  if (columns === 0) return
  values.push(row.id)
  db.sql(updateOf(columns)).write(...values)
}

function updateOf(columns: number): string {
  const known = updates.get(columns)
  if (known !== undefined) return known
  const changed = COLUMNS.filter(({ bit }) => (columns & bit) !== 0).flatMap(({ column, field }) =>
    field === 'severity' ? [`${column} = ?`, 'rank = ?'] : [`${column} = ?`]
  )
  const text = `UPDATE deliveries SET ${changed.join(', ')} WHERE id = ?`
  updates.set(columns, text)
  return text
}

function stored(value: readonly unknown[] | string | number | boolean | null): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === null || typeof value !== 'object' ? value : JSON.stringify(value)
}

/** Those rows that are there, by their id. */
export function rowsOf(db: Database, ids: readonly number[]): Map<number, Delivery> {
  const rows = db.sql('SELECT * FROM deliveries WHERE id IN (SELECT value FROM json_each(?))').all(JSON.stringify(ids))
  return new Map(rows.map(deliveryFromRow).map((row) => [row.id, row]))
}

/** The rows a digest tells of, the gravest first, by what it tells of them. */
export function membersOf(db: Database, digestId: number): DigestMember[] {
  const asked =
    'SELECT thread_id, kind, path, digest_of, severity, regions, event_seqs FROM deliveries WHERE merged_into = ? ORDER BY rank DESC, id'
  return db
    .sql(asked)
    .all(digestId)
    .map((row) => ({
      threadId: String(row['thread_id']),
      content: storedContent(row),
      severity: String(row['severity']) as Delivery['severity'],
      regions: storedJson(row['regions']) as string[],
      eventSeqs: storedJson(row['event_seqs']) as number[]
    }))
}
