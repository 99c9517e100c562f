import { because } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Network, Radio } from '../radios/radio.ts'
import type { AirtimeAhead } from './airtime-ahead.ts'
import { AirtimeBudget } from './airtime-budget.ts'
import { AirtimePlans, type Planned } from './airtime-plans.ts'
import { Identities } from './identities.ts'
import { UNHEARD } from './outcomes.ts'
import type { RadioQueueOptions } from './queue-options.ts'
import { RadioQueue } from './radio-queue.ts'
import { Receipts } from './receipts.ts'

export interface RadioQueuesOptions
  extends Omit<RadioQueueOptions, 'radio' | 'receipts' | 'airtime' | 'identities' | 'store' | 'read'> {
  db: Database
  radios: readonly Radio[]
}

const NETWORKS = ['mt', 'mc'] as const
const NAMES: Readonly<Record<Network, string>> = { mt: 'Meshtastic', mc: 'MeshCore' }

/** The queues of all radios, with what each of them keeps. */
export class RadioQueues {
  readonly #o: RadioQueuesOptions
  readonly #receipts: Receipts
  readonly #airtime = new Map<string, AirtimeBudget>()
  #queues: readonly RadioQueue[] = []
  readonly #dropped = new Set<RadioQueue>()

  constructor(options: RadioQueuesOptions) {
    this.#o = options
    this.#receipts = new Receipts(options.db, options.outbox)
  }

  /** Takes up what the last run left. Radios connect in their own time. */
  start(now: number): void {
    this.#receipts.restore(now)
    this.#queues = this.#o.radios.map((radio) => this.#queueOf(radio, now))
    for (const queue of this.#queues) queue.start()
    this.#holdWithoutRadio()
  }

  /** A radio that was chosen while the station runs: what waits for its network goes on when it is ready. */
  take(radio: Radio, now: number): void {
    const queue = this.#queueOf(radio, now)
    this.#queues = [...this.#queues, queue]
    queue.start()
  }

  /**
   * No text is handed to this radio any more. `closed` closes it, which ends the text on its way; what became of that is stored before
   * this resolves, and what waits is held until the network has a radio again.
   */
  async drop({ description: { id } }: Radio, closed: () => Promise<void>): Promise<void> {
    const queue = this.#queues.find(({ radio }) => radio === id)
    this.#queues = this.#queues.filter((one) => one !== queue)
    if (queue === undefined) return closed()
    this.#dropped.add(queue)
    await queue.retire(closed)
    this.#dropped.delete(queue)
    this.#holdWithoutRadio()
  }

  #queueOf(radio: Radio, now: number): RadioQueue {
    const { db } = this.#o
    const airtime = new AirtimeBudget(db, radio.description, now)
    this.#airtime.set(radio.description.id, airtime)
    radio.recall?.({ advertAt: airtime.advertAt() })
    radio.onOtherAirtime?.((spent) => airtime.spendOther(spent))
    this.#listen(radio)
    const identities = new Identities(db, radio.description)
    const store: RadioQueueOptions['store'] = (work) => db.transaction(work)
    const read: RadioQueueOptions['read'] = (work) => db.guarded(work)
    return new RadioQueue({ ...this.#o, radio, receipts: this.#receipts, airtime, identities, store, read })
  }

  /** At each beginning of a conversation with a radio what waits for other stations is listened for anew. */
  #listen(radio: Radio): void {
    let listening = ''
    const changed = (): void => {
      if (radio.health().state !== 'ready' || radio.session() === listening) return
      listening = radio.session()
      const { db, standby } = this.#o
      db.transaction(() => standby.listensAnew(radio.description.network))
    }
    radio.onChange(changed)
    changed()
  }

  #holdWithoutRadio(): void {
    for (const network of NETWORKS) {
      if (this.#queues.some((queue) => queue.network === network)) continue
      const why = because('no_radio_configured', { network: NAMES[network] })
      while (this.#o.waiting.hold(network, 'no_radio', why) > 0);
    }
  }

  /** The loop of each radio. */
  get loops(): readonly RadioQueue[] {
    return this.#queues
  }

  wake(): void {
    for (const queue of this.#queues) queue.wake()
  }

  /** See `RadioQueue.resume`. */
  resume(): void {
    for (const queue of this.#queues) queue.resume()
  }

  /** As `wake`, inside of the transaction that stores what is to be sent. It costs nobody an event when that fails. */
  prepare(): void {
    const { db, onError } = this.#o
    for (const queue of this.#queues) {
      if (queue.rests) continue
      const error = db.attempt(() => queue.prepare((launch) => db.afterCommit(launch)))
      if (error !== null) onError(error, null)
    }
  }

  /** Closes what was listened for long enough, also what a radio has sent that is no longer configured. */
  listened(): void {
    const { waiting, outbox, clock } = this.#o
    for (const queue of this.#queues) queue.listened()
    for (const network of NETWORKS) {
      if (this.#queues.some((queue) => queue.network === network)) continue
      for (const { id } of waiting.listened(network, clock.now())) outbox.apply(id, 'unheard', UNHEARD)
    }
  }

  /** See `Outcomes.silentSince`. */
  silentSince({ description }: Radio): number | null {
    return this.#queues.find(({ network }) => network === description.network)?.silentSince() ?? null
  }

  airtimeOf(radio: Radio, now: number): ReturnType<AirtimeBudget['summary']> {
    return this.#budgetOf(radio, now).summary(now)
  }

  /** True while something that is no news may leave: the radio is ready and answers, nothing waits, half of the hour's airtime is left. */
  hasRoom(network: Network, now: number): boolean {
    const radio = this.#o.radios.find(({ description }) => description.network === network)
    if (radio === undefined || radio.health().state !== 'ready' || this.silentSince(radio) !== null) return false
    const { used_seconds: used, budget_seconds: budget } = this.airtimeOf(radio, now)
    return this.#o.waiting.open(network) === 0 && used <= budget / 2
  }

  /** The texts that will be on the air, as far as anybody can tell. */
  airtimeAhead(radio: Radio, planned: readonly Planned[], now: number): Promise<AirtimeAhead> {
    const spent = this.#budgetOf(radio, now).entries(now)
    return new AirtimePlans(this.#o.db).of({ description: radio.description, spent, planned, now })
  }

  #budgetOf({ description }: Radio, now: number): AirtimeBudget {
    return this.#airtime.get(description.id) ?? new AirtimeBudget(this.#o.db, description, now)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues, ...this.#dropped].map((queue) => queue.close()))
  }
}
