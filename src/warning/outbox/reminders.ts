import { because } from '../../model/reason.ts'
import { Alarm } from '../../platform/clock/alarm.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { PlannedSend, TraceStep } from '../routing/decision.ts'
import { channelKey } from '../routing/keys.ts'
import { planReminders, reminderFor } from '../routing/remind.ts'
import type { WarningConfig } from '../settings.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'
import type { EventPlaces } from './row-text.ts'
import type { StoredEvent } from './stored-event.ts'

export interface RemindersOptions {
  db: Database
  ledger: Pick<Ledger, 'active' | 'note'>
  outbox: Outbox
  clock: Clock
  config: () => WarningConfig
  places: EventPlaces
  /** False while a radio of this network is not ready, something waits for it, or half of the hour's airtime is spent. */
  hasRoom: (network: 'mt' | 'mc') => boolean
  /** A message was added to the outbox. */
  onSent: () => void
  onError: (error: unknown) => void
}

const EVERY_MS = 60_000
/** Alerts that are looked at, the gravest first. */
const MOST = 100

/**
 * The station says again what goes on (docs/interface.md §6): one message a minute and network at most, and only while nothing else waits for
 * that network, so that no news waits for it. Nothing is stored but its messages: their times say when the next is due.
 */
export class Reminders {
  readonly #o: RemindersOptions
  readonly #alarm: Alarm

  constructor(options: RemindersOptions) {
    this.#o = options
    this.#alarm = new Alarm(options.clock, () => this.#look(), options.onError)
  }

  start(): void {
    this.#alarm.start()
    this.#alarm.by(this.#o.clock.now() + EVERY_MS)
  }

  stop(): void {
    this.#alarm.stop()
  }

  #look(): void {
    const { db, clock, config, onSent } = this.#o
    this.#alarm.by(clock.now() + EVERY_MS)
    const { notifications } = config()
    if (!notifications.enabled || notifications.reminders.length === 0) return
    const free = new Set((['mt', 'mc'] as const).filter((network) => this.#o.hasRoom(network)))
    if (free.size === 0) return
    if (db.transaction(() => this.#remind(free)) > 0) onSent()
  }

  /** Answers how many messages were added: one for each free network at most. */
  #remind(free: Set<string>): number {
    let sent = 0
    for (const stored of this.#o.ledger.active(this.#o.clock.now(), MOST)) {
      if (free.size === 0) break
      const { sends, hours } = this.#due(stored)
      for (const send of sends) {
        if (!free.delete(send.transport)) continue
        this.#o.outbox.add(stored.event, stored.seq, { ...send, atOnce: true })
        this.#o.ledger.note(stored.seq, said(send, hours))
        sent++
      }
    }
    return sent
  }

  /** The rule is asked once: a minute later it may be another one. */
  #due({ event }: StoredEvent): { sends: PlannedSend[]; hours: number } {
    const { outbox, config, clock } = this.#o
    const { notifications, station } = config()
    const now = clock.now()
    const asked = { event, notifications, timezone: station.timezone, now }
    // Most events are meant for no reminder: their messages are not read.
    const reminder = reminderFor(asked)
    if (reminder === null) return { sends: [], hours: 0 }
    const carried = outbox.guards.carried(event.thread_id)
    const silences = outbox.guards.silences(now)
    const inForce = () => outbox.guards.inForce(now)
    const { regionsOf } = this.#o.places.where(event)
    const saidAt = (id: number): number => this.#saidAt(id)
    const sends = planReminders({ ...asked, reminder, carried, silences, inForce, regionsOf, saidAt })
    return { sends, hours: reminder.every_hours }
  }

  /** The time of the digest, for an alert that one told. */
  #saidAt(id: number): number {
    const row = this.#o.db
      .sql(
        `SELECT max(coalesce(d.sent_at, 0), coalesce(m.sent_at, 0), d.created_at) AS at
         FROM deliveries d LEFT JOIN deliveries m ON m.id = d.merged_into WHERE d.id = ?`
      )
      .get(id)
    return Number(row?.['at'] ?? 0)
  }
}

function said(send: PlannedSend, hours: number): TraceStep {
  const channel = channelKey(send)
  const why = because('still_goes_on', { channel, hours })
  return { stage: 'reminder', outcome: 'send', reason: 'still_goes_on', ...why, channel }
}
