import type { AlertPath } from '../../model/content.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { isAtLeast, severityRank } from '../../model/severity.ts'
import { Alarm } from '../../platform/clock/alarm.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { TraceStep } from '../routing/decision.ts'
import type { Escalation, EscalationStep } from '../routing/settings.ts'
import type { NewDelivery } from './delivery.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'
import type { StoredEvent } from './stored-event.ts'

/** One escalation in `GET /api/events/:id/trace`. Times are RFC 3339. */
export interface FollowUpView {
  state: 'open' | 'done'
  /**
   * The reason for its end: `acknowledged`, `over`, `silenced`, `steps_done`, `not_configured`, `notifications_off`.
   */
  reason: string | null
  /** Steps taken so far. */
  steps_taken: number
  next_at: string | null
}

/** The result of one step of an alert: messages, and a line of trace for each, or for why there is none. */
export interface StepPlan {
  sends: NewDelivery[]
  trace: TraceStep[]
}

export interface FollowUpOptions {
  db: Database
  ledger: Ledger
  outbox: Outbox
  clock: Clock
  /** The escalation of the event's family, if there is one. */
  escalationOf: (event: LookoutEvent) => Escalation | undefined
  plan: (event: LookoutEvent, step: EscalationStep, number: number) => StepPlan
  /** The reason why the event must not be followed up any more (`silenced`, `notifications_off`), or null. */
  blocked: (event: LookoutEvent) => string | null
  /** A message was added to the outbox. */
  onSent: () => void
  onError: (error: unknown) => void
}

interface FollowUp {
  threadId: string
  rank: number
  step: number
  dueAt: number
  state: 'open' | 'done'
  reason: string | null
}

/** A row made this far in the future was made before the clock was set back: its step waits no longer. */
const CLOCK_SLACK_MS = 60_000
/** After these ends a new message of the thread starts from the first step again. */
const REOPENS = new Set(['over', 'not_configured', 'notifications_off', 'silenced'])

/**
 * The steps after an alert that nobody acknowledges: one durable row per thread, with its next step and when it is due.
 */
export class FollowUps {
  readonly #o: FollowUpOptions
  readonly #db: Database
  readonly #alarm: Alarm

  constructor(options: FollowUpOptions) {
    this.#o = options
    this.#db = options.db
    this.#alarm = new Alarm(options.clock, () => this.#check(), options.onError)
  }

  start(): void {
    this.#alarm.start()
    this.#arm()
  }

  stop(): void {
    this.#alarm.stop()
  }

  /** Part of the transaction of the decision: an alert that goes out begins a follow-up, one that is over ends it. */
  decided(event: LookoutEvent, sends: boolean): void {
    const now = this.#o.clock.now()
    if (event.lifecycle === 'cancel' || event.lifecycle === 'expire') {
      if (this.#o.ledger.goesOn(event.thread_id, now) === null) this.end(event.thread_id, 'over')
      return
    }
    const escalation = this.#o.escalationOf(event)
    const [first] = escalation?.steps ?? []
    if (!sends || escalation === undefined || first === undefined) return
    if (!isAtLeast(event.severity, escalation.min_severity)) return
    const rank = severityRank(event.severity)
    const known = this.#of(event.thread_id)
    if (known !== null && !startsAgain(known, rank)) return
    this.#db
      .sql(
        `INSERT INTO follow_ups VALUES (?, ?, 0, ?, 'open', NULL, ?) ON CONFLICT (thread_id) DO UPDATE SET
           rank = excluded.rank, step = 0, due_at = excluded.due_at, state = 'open', reason = NULL, changed_at = excluded.changed_at`
      )
      .run(event.thread_id, rank, now + first.after_seconds * 1000, now)
    this.#db.afterCommit(() => this.#arm())
  }

  /** Nothing more follows. Steps that still wait for a radio are taken back. Answers whether a follow-up was open. */
  end(threadId: string, reason: string): boolean {
    return this.#db.transaction(() => {
      const { changes } = this.#db
        .sql("UPDATE follow_ups SET state = 'done', reason = ?, changed_at = ? WHERE thread_id = ? AND state = 'open'")
        .run(reason, this.#o.clock.now(), threadId)
      const waiting = this.#db
        .sql("SELECT id FROM deliveries WHERE thread_id = ? AND path = ? AND state IN ('queued', 'held')")
        .all(threadId, 'escalation' satisfies AlertPath)
      for (const row of waiting) this.#o.outbox.withdraw(Number(row['id']), reason)
      return Number(changes) > 0
    })
  }

  view(threadId: string): FollowUpView | null {
    const found = this.#of(threadId)
    if (found === null) return null
    const { state, reason, step, dueAt } = found
    return { state, reason, steps_taken: step, next_at: state === 'open' ? new Date(dueAt).toISOString() : null }
  }

  prune(before: number): void {
    this.#db.sql("DELETE FROM follow_ups WHERE state = 'done' AND changed_at < ?").run(before)
  }

  #of(threadId: string): FollowUp | null {
    const row = this.#db.sql('SELECT * FROM follow_ups WHERE thread_id = ?').get(threadId)
    return row === undefined ? null : followUpFromRow(row)
  }

  #arm(): void {
    const now = this.#o.clock.now()
    const row = this.#db
      .sql("SELECT min(iif(changed_at > ?, 0, due_at)) AS due FROM follow_ups WHERE state = 'open'")
      .get(now + CLOCK_SLACK_MS)
    if (row !== undefined && row['due'] !== null) this.#alarm.by(Number(row['due']))
  }

  #check(): void {
    const now = this.#o.clock.now()
    let sent = 0
    this.#db.transaction(() => {
      const due = this.#db.sql(
        "SELECT * FROM follow_ups WHERE state = 'open' AND (due_at <= ? OR changed_at > ?) ORDER BY rank DESC, due_at"
      )
      for (const row of due.all(now, now + CLOCK_SLACK_MS)) sent += this.#take(followUpFromRow(row), now)
    })
    this.#arm()
    if (sent > 0) this.#o.onSent()
  }

  /** Takes one step, or ends the follow-up. Answers how many messages that made. */
  #take({ threadId, step }: FollowUp, now: number): number {
    const stored = this.#o.ledger.goesOn(threadId, now)
    const steps = stored === null ? [] : (this.#o.escalationOf(stored.event)?.steps ?? [])
    const current = steps[step]
    if (stored === null) {
      this.end(threadId, 'over')
      return 0
    }
    const stop = current === undefined ? 'not_configured' : this.#o.blocked(stored.event)
    if (current === undefined || stop !== null) {
      this.end(threadId, stop ?? 'not_configured')
      this.#o.ledger.note(stored.seq, stopped(stop ?? 'not_configured'))
      return 0
    }
    const count = this.#send(stored, current, step + 1)
    const next = steps[step + 1]
    const [state, reason] = next === undefined ? ['done', 'steps_done'] : ['open', null]
    this.#db
      .sql('UPDATE follow_ups SET step = ?, due_at = ?, state = ?, reason = ?, changed_at = ? WHERE thread_id = ?')
      .run(step + 1, now + (next?.after_seconds ?? 0) * 1000, String(state), reason ?? null, now, threadId)
    return count
  }

  #send({ event, seq }: StoredEvent, step: EscalationStep, number: number): number {
    const { sends, trace } = this.#o.plan(event, step, number)
    for (const send of sends) this.#o.outbox.add(event, seq, { ...send, atOnce: true })
    for (const line of trace) this.#o.ledger.note(seq, line)
    return sends.length
  }
}

function startsAgain({ state, reason, rank }: FollowUp, newRank: number): boolean {
  if (state === 'open') return false
  return newRank > rank || REOPENS.has(reason ?? '')
}

function stopped(reason: string): TraceStep {
  const why = because('follow_up_ended', { why: reason.replaceAll('_', ' ') })
  return { stage: 'escalation', outcome: 'stop', reason, ...why }
}

function followUpFromRow(row: Row): FollowUp {
  return {
    threadId: String(row['thread_id']),
    rank: Number(row['rank']),
    step: Number(row['step']),
    dueAt: Number(row['due_at']),
    state: row['state'] === 'open' ? 'open' : 'done',
    reason: row['reason'] === null ? null : String(row['reason'])
  }
}
