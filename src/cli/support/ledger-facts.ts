import { DELIVERY_STATES } from '../../model/delivery.ts'
import { REASON_PARAMS } from '../../model/reason.ts'
import { BUILTIN_FAMILIES, SEVERITIES } from '../../model/vocabulary.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { Config } from '../../settings/schema.ts'
import { KNOWN_KINDS, sourceName } from '../../warning/feeds/settings.ts'
import { SourceStore } from '../../warning/outbox/source-store.ts'

const DAY_MS = 86_400_000

/** How many rows share these words. */
type Counted = Record<string, string | number>

export interface LedgerFacts {
  /** Messages that wait or fly, by network, state and reason. */
  queue: Counted[]
  /** Messages whose last change was within 24 h, by network, state and reason. */
  last_day: Counted[]
  /** Messages that failed within 24 h, by the code of the step that ended them. */
  failed_last_day: Counted[]
  /** Events of the last 24 h, by family, severity, decision and reason. */
  events_last_day: Counted[]
  oldest_waiting: string | null
  last_sent: string | null
}

/** The content of a column of words, as far as it is a word: lower-case letters and `_`. A damaged row may hold anything. */
const wordOf = (value: unknown): string => {
  if (value === null) return ''
  const text = String(value)
  return /^[a-z]{1,30}(?:_[a-z]{1,30}){0,6}$/.test(text) ? text : '(other)'
}
const oneOf =
  (words: readonly string[]) =>
  (value: unknown): string =>
    words.includes(String(value)) ? String(value) : '(other)'
const codeOf = (value: unknown): string => (Object.hasOwn(REASON_PARAMS, String(value)) ? String(value) : '(other)')
const timeOf = (value: unknown): string | null =>
  typeof value === 'number' && Math.abs(value) < 8.64e15 ? new Date(value).toISOString() : null

type Reading = Readonly<Record<string, (value: unknown) => string>>

/** Each row by its allowed words; rows that read the same by then are one. */
function counted(rows: readonly Row[], reading: Reading): Counted[] {
  const sums = new Map<string, Counted>()
  for (const row of rows) {
    const words = Object.fromEntries(Object.entries(reading).map(([column, read]) => [column, read(row[column])]))
    const key = JSON.stringify(words)
    sums.set(key, { ...words, count: Number(sums.get(key)?.['count'] ?? 0) + Number(row['n']) })
  }
  return [...sums.values()]
}

const DELIVERY: Reading = { transport: wordOf, state: oneOf(DELIVERY_STATES), reason: wordOf }

/** Counts of messages and events: words of the program and numbers alone, no text, channel, person or place. `now`: epoch milliseconds. */
export function ledgerFacts(db: Database, { config, now }: { config: Config | null; now: number }): LedgerFacts {
  const since = now - DAY_MS
  const families = oneOf([...BUILTIN_FAMILIES, ...Object.keys(config?.families ?? {})])
  const of = (what: string, where: string, ...values: number[]): Row[] =>
    db.sql(`SELECT ${what}, count(*) AS n FROM ${where} GROUP BY ${what}`).all(...values)
  return {
    queue: counted(
      of('transport, state, reason', "deliveries WHERE state IN ('queued', 'held', 'transmitting')"),
      DELIVERY
    ),
    last_day: counted(of('transport, state, reason', 'deliveries WHERE changed_at >= ?', since), DELIVERY),
    failed_last_day: counted(
      of(
        'd.transport, s.code',
        "deliveries AS d JOIN delivery_steps AS s ON s.delivery_id = d.id AND s.state = 'failed' WHERE d.state = 'failed' AND d.changed_at >= ?",
        since
      ),
      { transport: wordOf, code: codeOf }
    ),
    events_last_day: counted(of('family, severity, decision, reason', 'events WHERE received_at >= ?', since), {
      family: families,
      severity: oneOf(SEVERITIES),
      decision: wordOf,
      reason: wordOf
    }),
    oldest_waiting: timeOf(
      db.sql("SELECT min(created_at) AS at FROM deliveries WHERE state IN ('queued', 'held')").get()?.['at']
    ),
    last_sent: timeOf(db.sql('SELECT max(sent_at) AS at FROM deliveries WHERE changed_at >= ?').get(since)?.['at'])
  }
}

export interface SourceFacts {
  kind: string
  /** The place in `sources` of the configuration, from 0; null: it is on by the profile, or not configured any more. */
  index: number | null
  last_ok: string | null
  last_attempt: string | null
  last_change: string | null
  stale_since: string | null
  failures: number
  items: number
  /** The code of the last failure. */
  error: string | null
}

/** The polled sources that the ledger remembers, and those of the configuration that it does not; never their names and addresses. */
export function sourceFacts(db: Database, config: Config | null): SourceFacts[] {
  const store = new SourceStore(db)
  const kinds = oneOf(KNOWN_KINDS.map(({ kind }) => kind))
  const configured = (config?.sources ?? []).map(sourceName)
  const remembered = db
    .sql('SELECT source FROM source_polls ORDER BY source')
    .all()
    .map((row) => String(row['source']))
  const never = configured.filter((name) => !remembered.includes(name))
  return [...remembered, ...never].map((name) => {
    const state = store.state(name)
    const index = configured.indexOf(name)
    return {
      kind: kinds(state?.kind ?? config?.sources[index]?.kind),
      index: index === -1 ? null : index,
      last_ok: timeOf(state?.lastOk),
      last_attempt: timeOf(state?.lastAttempt),
      last_change: timeOf(state?.lastChange),
      stale_since: timeOf(state?.staleSince),
      failures: Number(state?.failures ?? 0),
      items: Number(state?.items ?? 0),
      error: state?.error ? codeOf(state.error.code) : null
    }
  })
}
