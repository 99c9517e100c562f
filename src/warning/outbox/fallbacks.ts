import type { AlertWords } from '../../model/content.ts'
import { type DeliveryState, didArrive, didNotArrive } from '../../model/delivery.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { Alarm } from '../../platform/clock/alarm.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { UNANSWERED } from './again.ts'
import { type Delivery, isOnHold, type NewMessage, queueDeadline } from './delivery.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'
import { MAX_REFUSALS } from './turn.ts'

/** The time for which a radio may be away before its fallback is sent. */
const HELD_MS = 30_000
/** A radio that never says whether it was heard: after this long nobody was. */
const NO_WORD_MS = 5 * 60_000

export interface FallbackOptions {
  db: Database
  ledger: Ledger
  outbox: Outbox
  clock: Clock
  /** The reason why nothing more is said of the event (`silenced`, `notifications_off`), or null. */
  blocked: (event: LookoutEvent) => string | null
  /** A message was added to the outbox. */
  onSent: () => void
  onError: (error: unknown) => void
}

type End = { kind: 'send' | 'drop'; reason: string; why: Reason }
type Verdict = { kind: 'wait'; until: number | null } | End
type PrimaryVerdict = Verdict | { kind: 'arrived' }

interface WaitingFallback {
  id: number
  threadId: string
  channelKey: string
  seq: number
  planned: AlertWords & NewMessage
  primaries: string[]
  expiresAt: number
}

/** Messages that wait until the other network does not get through (the option `fallback` of a cell). Durable. */
export class Fallbacks {
  readonly #o: FallbackOptions
  readonly #db: Database
  readonly #alarm: Alarm
  readonly #threads = new Set<string>()

  constructor(options: FallbackOptions) {
    this.#o = options
    this.#db = options.db
    this.#alarm = new Alarm(options.clock, () => this.#check(), options.onError)
  }

  start(): void {
    this.#alarm.start()
    for (const { threadId } of this.#waiting()) this.#threads.add(threadId)
    if (this.#threads.size > 0) this.#alarm.by(this.#o.clock.now())
  }

  stop(): void {
    this.#alarm.stop()
  }

  /** Part of the transaction of the decision. A newer message of the thread takes the place of one that still waits. */
  add(event: LookoutEvent, seq: number, fallback: Pick<WaitingFallback, 'planned' | 'primaries'>): void {
    const now = this.#o.clock.now()
    const { planned, primaries } = fallback
    const channelKey = `${planned.transport}:${planned.channel}`
    const before = this.#waiting().find(
      (waiting) => waiting.threadId === event.thread_id && waiting.channelKey === channelKey
    )
    if (before !== undefined) this.#close(before, 'replaced')
    const regions = [...new Set([...(before?.planned.regions ?? []), ...planned.regions])]
    this.#db
      .sql(
        `INSERT INTO stand_ins (thread_id, channel_key, seq, planned, primaries, state, expires_at, changed_at)
         VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)`
      )
      .run(
        event.thread_id,
        channelKey,
        seq,
        JSON.stringify({ ...planned, regions, newPlacesOnly: planned.newPlacesOnly && before === undefined }),
        JSON.stringify([...new Set([...(before?.primaries ?? []), ...primaries])]),
        queueDeadline(event, now),
        now
      )
    this.#db.afterCommit(() => {
      this.#threads.add(event.thread_id)
      this.#alarm.by(now)
    })
  }

  /** Something became of a message: its fallback may be needed now, or not any more. */
  changed({ threadId }: Pick<Delivery, 'threadId'>): void {
    if (this.#threads.has(threadId)) this.#alarm.by(this.#o.clock.now())
  }

  prune(before: number): void {
    this.#db.sql("DELETE FROM stand_ins WHERE state <> 'waiting' AND changed_at < ?").run(before)
  }

  #waiting(): WaitingFallback[] {
    return this.#db.sql("SELECT * FROM stand_ins WHERE state = 'waiting' ORDER BY id").all().map(fallbackFromRow)
  }

  #check(): void {
    const now = this.#o.clock.now()
    let sent = 0
    let next: number | null = null
    this.#threads.clear()
    this.#db.transaction(() => {
      for (const waiting of this.#waiting()) {
        const verdict = this.#judge(waiting, now)
        if (verdict.kind === 'wait') {
          this.#threads.add(waiting.threadId)
          const at = Math.min(verdict.until ?? waiting.expiresAt, waiting.expiresAt)
          next = Math.min(next ?? at, at)
        } else if (this.#end(waiting, verdict)) sent++
      }
    })
    if (next !== null) this.#alarm.by(Math.max(next, now + 1))
    if (sent > 0) this.#o.onSent()
  }

  /** Answers whether a message went into the outbox. */
  #end(waiting: WaitingFallback, { kind, reason, why }: End): boolean {
    const { ledger, outbox } = this.#o
    const stored = ledger.get(waiting.seq)
    const sends = kind === 'send' && stored !== null
    this.#close(waiting, reason)
    const channel = waiting.channelKey
    ledger.note(waiting.seq, { stage: 'fallback', outcome: sends ? 'send' : 'skip', reason, ...why, channel })
    if (!sends) return false
    const mark = `VIA ${waiting.planned.transport.toUpperCase()}`
    outbox.add(stored.event, waiting.seq, { ...waiting.planned, path: 'fallback', mark, mergeInto: null, atOnce: true })
    return true
  }

  #close({ id }: WaitingFallback, reason: string): void {
    this.#db
      .sql("UPDATE stand_ins SET state = 'done', reason = ?, changed_at = ? WHERE id = ?")
      .run(reason, this.#o.clock.now(), id)
  }

  #judge(waiting: WaitingFallback, now: number): Verdict {
    const { channelKey, primaries } = waiting
    const at = { channel: channelKey }
    if (this.#o.ledger.goesOn(waiting.threadId, now) === null)
      return { kind: 'drop', reason: 'over', why: because('fallback_over', at) }
    if (waiting.expiresAt <= now) return { kind: 'drop', reason: 'expired', why: because('fallback_too_late', at) }
    const verdicts = primaries.map((key) => this.#judgePrimary(waiting.threadId, key, now))
    const send = verdicts.find((verdict): verdict is End => verdict.kind === 'send')
    const event = send === undefined ? undefined : this.#o.ledger.get(waiting.seq)?.event
    const blocked = event === undefined ? null : this.#o.blocked(event)
    if (blocked !== null)
      return {
        kind: 'drop',
        reason: blocked,
        why: because('fallback_blocked', { ...at, why: blocked.replace('_', ' ') })
      }
    if (send !== undefined) return send
    const waits = verdicts.filter((verdict) => verdict.kind === 'wait')
    if (waits.length === 0)
      return { kind: 'drop', reason: 'heard', why: because('fallback_not_needed', { ...at, primaries }) }
    const until = waits.flatMap((wait) => wait.until ?? [])
    return { kind: 'wait', until: until.length === 0 ? null : Math.min(...until) }
  }

  #judgePrimary(threadId: string, key: string, now: number): PrimaryVerdict {
    const row = this.#db
      .sql(
        `SELECT state, reason, sent_at, unanswered,
           (SELECT count(*) FROM delivery_steps WHERE delivery_id = deliveries.id AND change = 'refuse') AS refusals,
           (SELECT max(at) FROM delivery_steps WHERE delivery_id = deliveries.id AND state = 'held') AS held_at
         FROM deliveries WHERE thread_id = ? AND channel_key = ? AND state <> 'merged' ORDER BY id DESC LIMIT 1`
      )
      .get(threadId, key)
    const state = String(row?.['state'] ?? 'suppressed') as DeliveryState
    const at = { channel: key }
    const given = row?.['reason'] === null || row === undefined ? null : String(row['reason'])
    const fallBack = (reason: string, why: Reason): Verdict => ({ kind: 'send', reason, why })
    const after = (since: unknown, ms: number, verdict: Verdict): Verdict => {
      const at = (since === null || since === undefined ? now : Number(since)) + ms
      // Further ahead than the whole wait: the clock was set back meanwhile.
      return at <= now || at > now + ms ? verdict : { kind: 'wait', until: at }
    }
    if (didNotArrive(state)) return fallBack(state, primaryEnded(at, state, given))
    if (state === 'queued' && Number(row?.['refusals']) >= MAX_REFUSALS)
      return fallBack('refused', primaryRefused(at, given))
    if (state === 'queued' && Number(row?.['unanswered']) >= UNANSWERED)
      return fallBack('unanswered', because('primary_unanswered', at))
    if (state === 'held' && isOnHold({ state, reason: String(row?.['reason']) })) return { kind: 'wait', until: null }
    if (state === 'held') {
      return after(row?.['held_at'], HELD_MS, fallBack('radio_down', primaryHeld(at, given)))
    }
    if (state === 'sent')
      return after(row?.['sent_at'], NO_WORD_MS, fallBack('no_word', because('primary_unheard', at)))
    if (didArrive(state) || state === 'suppressed' || state === 'stood_down') return { kind: 'arrived' }
    return { kind: 'wait', until: null }
  }
}

interface At {
  channel: string
}

function primaryEnded(at: At, state: string, reason: string | null): Reason {
  return reason === null
    ? because('primary_ended', { ...at, state })
    : because('primary_ended_as', { ...at, state, reason })
}

function primaryRefused(at: At, reason: string | null): Reason {
  return reason === null ? because('primary_refused', at) : because('primary_refused_as', { ...at, reason })
}

function primaryHeld(at: At, reason: string | null): Reason {
  const held = { ...at, seconds: HELD_MS / 1000 }
  return reason === null ? because('primary_held', held) : because('primary_held_as', { ...held, reason })
}

function fallbackFromRow(row: Row): WaitingFallback {
  return {
    id: Number(row['id']),
    threadId: String(row['thread_id']),
    channelKey: String(row['channel_key']),
    seq: Number(row['seq']),
    planned: storedJson(row['planned']) as WaitingFallback['planned'],
    primaries: storedJson(row['primaries']) as string[],
    expiresAt: Number(row['expires_at'])
  }
}
