import { because } from '../../model/reason.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { WarningConfig } from '../settings.ts'
import type { Delivery } from './delivery.ts'
import { type NetworkOutcome, networkText, sendOverNetwork, settingsOf } from './network-send.ts'
import { OneFlight } from './one-flight.ts'
import type { Outbox } from './outbox.ts'
import { eventsOf, type RowSources } from './row-text.ts'
import { AT_ONCE, type Waiting } from './waiting.ts'

export interface NetworkQueueOptions {
  outbox: Outbox
  waiting: Waiting
  clock: Clock
  config: () => WarningConfig
  sources: Pick<RowSources, 'ledger'>
  store: (work: () => void) => void
  onError: (error: unknown, delivery: Delivery) => void
}

const TRANSPORTS = ['webhook', 'ntfy', 'email'] as const
/** Below `critical`; above, a message ends with an answer or with its event (contract §6). */
const MAX_ATTEMPTS = 6
const LONGEST_PAUSE_MS = { urgent: 120_000, other: 600_000 } as const
const CLOSE_WAIT_MS = 2000

/** Sends e-mail, webhooks and ntfy, one at a time and beside the radios, which never wait for it. Contract §5. */
export class NetworkQueue {
  readonly #o: NetworkQueueOptions
  readonly #flight: OneFlight
  #running = false
  #abandoned = false

  constructor(options: NetworkQueueOptions) {
    this.#o = options
    this.#flight = new OneFlight(options.clock, () => this.wake())
  }

  start(): void {
    this.#running = true
    this.wake()
  }

  wake(): void {
    if (!this.#running || this.#flight.busy) return
    this.#flight.calm()
    const now = this.#o.clock.now()
    const delivery = this.#next(now)
    if (delivery === null) this.#wakeAtNextDue(now)
    else this.#flight.begin(this.#transmit(delivery), (error) => this.#o.onError(error, delivery))
  }

  /** Waits for the one under way, but not for a server that does not answer: its row stays `transmitting` for the next start. */
  async close(): Promise<void> {
    this.#running = false
    await this.#flight.close(CLOSE_WAIT_MS)
    this.#abandoned = true
  }

  #next(now: number): Delivery | null {
    const { enabled } = this.#o.config().notifications
    for (const transport of TRANSPORTS) {
      // The rest of a long backlog follows before anything else of it is sent.
      if (!enabled && this.#o.waiting.switchOff(transport) === AT_ONCE) return null
      const delivery = this.#o.waiting.next(transport, now)
      if (delivery !== null) return delivery
    }
    return null
  }

  #wakeAtNextDue(now: number): void {
    const due = TRANSPORTS.map((transport) => this.#o.waiting.nextDueAt(transport)).filter((at) => at !== null)
    if (due.length > 0) this.#flight.wakeIn(Math.min(...due) - now)
  }

  async #transmit(delivery: Delivery): Promise<void> {
    const { outbox, clock, config } = this.#o
    const event = eventsOf(delivery, this.#o.sources).at(-1)
    const settings = settingsOf(String(delivery.channel), config())
    if (event === undefined || settings === null) {
      const step = because('no_destination', { destination: String(delivery.channel) })
      outbox.apply(delivery.id, 'fail', { reason: 'unknown_destination', step })
      return
    }
    const { subject, text } = networkText(delivery, event)
    outbox.apply(delivery.id, 'hand_over', {
      reason: null,
      step: because('sending_by', { transport: delivery.transport }),
      patch: {
        parts: JSON.stringify([`${subject}\n\n${text}`]),
        bytes: Buffer.byteLength(text),
        attempts: delivery.attempts + 1,
        first_sent_at: delivery.firstSentAt ?? clock.now()
      }
    })
    const outcome = await sendOverNetwork(delivery, event, settings)
    if (this.#abandoned) return
    this.#o.store(() => this.#settle({ ...delivery, attempts: delivery.attempts + 1 }, outcome, clock.now()))
  }

  #settle(delivery: Delivery, outcome: NetworkOutcome, now: number): void {
    const { outbox } = this.#o
    const urgent = isAtLeast(delivery.severity, 'critical')
    if (outcome.kind === 'sent') {
      outbox.guards.arm(delivery, now)
      outbox.apply(delivery.id, 'left', { reason: null, step: because('server_took'), patch: { sent_at: now } })
    } else if (outcome.retry && (urgent ? now < delivery.expiresAt : delivery.attempts < MAX_ATTEMPTS)) {
      const longest = urgent ? LONGEST_PAUSE_MS.urgent : LONGEST_PAUSE_MS.other
      const dueAt = now + Math.min(longest, 5000 * 2 ** Math.min(30, delivery.attempts - 1))
      const step = because('server_refused_for_now', { said: outcome.reason })
      outbox.apply(delivery.id, 'try_again', { reason: 'server_unavailable', step, patch: { due_at: dueAt } })
    } else {
      outbox.apply(delivery.id, 'fail', {
        reason: 'server_refused',
        step: because('server_refused', { said: outcome.reason })
      })
    }
  }
}
