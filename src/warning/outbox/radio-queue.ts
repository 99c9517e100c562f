import { hasPacketBeside, isAlertPacket, rung } from '../../model/alarm.ts'
import { because, type Reason } from '../../model/reason.ts'
import { type Loop, Pulse } from '../../platform/clock/pulse.ts'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import type { Network, PacketIdentity, RadioMessage, SendOutcome } from '../radios/radio.ts'
import { asRepeat, isForgotten, REPEAT } from './again.ts'
import type { AlarmAnswer } from './alarms.ts'
import type { Delivery } from './delivery.ts'
import { OneFlight } from './one-flight.ts'
import { Outcomes } from './outcomes.ts'
import { Pace } from './pace.ts'
import type { RadioQueueOptions } from './queue-options.ts'
import { composeRow } from './row-text.ts'
import { channelProblem, isClosedInstead, whyWait } from './turn.ts'
import { AT_ONCE } from './waiting.ts'

const CLOSE_WAIT_MS = 2000
/** A channel that was missing this short a time ago is missing. */
const TABLE_FRESH_MS = 30_000

/** Beside the time on the air: an answer of the radio, and another that it lives. The port promises an end (`Radio.send`). */
const FLIGHT_MS = 16_000
const FLIGHT_AIRTIMES = 3
/** A node that answers everything, and never says that the text has left, is given up by its driver before this. */
const LONGEST_FLIGHT_MS = 75_000
/** Forty names are asked for one by one. */
const TABLE_MS = 30_000

/** One text as it is stored before the radio hears of it: `transmitting`, with its identity. */
interface Flight {
  delivery: Delivery
  text: string
  /** It leaves as another packet of Meshtastic than a text. */
  as: Pick<RadioMessage, 'alert' | 'waypoint'>
  cost: number
  identity: PacketIdentity
  startedAt: number
}

/** The words that are due, with what they cost in time on the air (ms) and how they ring. */
interface Offered {
  text: string
  cost: number
  ring: AlarmAnswer
}

/** Sends one radio's waiting messages: one in flight, by severity and age, paced, inside the airtime budget. Contract §6. */
export class RadioQueue implements Loop {
  readonly pulse = new Pulse()
  readonly #o: RadioQueueOptions
  readonly #unsubscribe: (() => void)[] = []
  readonly #pace: Pace
  readonly #outcomes: Outcomes
  readonly #flight: OneFlight
  /** The fate of the last text, where that could not be stored yet. */
  #owed: (() => void) | null = null
  #cancelFollowing: () => void = () => undefined
  #tableReadAt = Number.NEGATIVE_INFINITY
  #closed = false
  #abandoned = false

  constructor(options: RadioQueueOptions) {
    this.#o = options
    this.#pace = new Pace(options.radio.description.network)
    this.#flight = new OneFlight(options.clock, () => this.wake())
    this.#outcomes = new Outcomes({ ...options, hold: () => this.#follow(), wake: () => this.wake() })
  }

  get name(): string {
    return `radio ${this.#o.radio.description.id}`
  }

  /** Not on the air, it lives, and looks again at what waits: a wake-up that was lost costs seconds. */
  tick(): void {
    if (this.#flight.busy) return
    this.pulse.beat()
    if (!this.#flight.isTimed) this.wake()
  }

  get network(): Network {
    return this.#o.radio.description.network
  }

  /** Its id. */
  get radio(): string {
    return this.#o.radio.description.id
  }

  start(): void {
    const { radio, receipts, waiting, airtime, clock } = this.#o
    this.#unsubscribe.push(radio.onChange(() => this.#radioChanged()))
    this.#unsubscribe.push(radio.onReceipt((receipt) => this.#outcomes.received(receipt)))
    const { id } = radio.description
    const lastAt = receipts.lastHandedOverAt(id, clock.now())
    if (lastAt !== null) this.#pace.resume(lastAt)
    for (const row of waiting.cutOff.filter((one) => one.radio === id))
      airtime.spend(clock.now(), airtime.costOf(row, row.parts?.[row.nextPart] ?? ''), row.content.kind === 'reply')
    this.#radioChanged()
    this.listened()
  }

  /**
   * As `wake`, inside of a transaction: the message, its identity and that it is on its way are one commit, because a slow card takes
   * seconds for each. The radio has it `afterCommit`, and never when that fails.
   */
  prepare(afterCommit: (launch: () => void) => void): void {
    if (this.#closed || this.#flight.busy) return
    const flight = this.#turn()
    if (flight !== null) afterCommit(() => this.#launch(flight))
  }

  /** Nothing can begin now, whatever waits: a text is on its way, or the pause after the last one is not over. */
  get rests(): boolean {
    return this.#closed || this.#flight.busy || this.#pace.soonest(this.#o.clock.now()) > 0
  }

  /** Another storage is in use: what waits there for a radio that is back goes on. */
  resume(): void {
    this.#radioChanged()
  }

  /** Closes what was listened for long enough. */
  listened(): void {
    this.#outcomes.listened()
  }

  /** See `Outcomes.silentSince`. */
  silentSince(): number | null {
    return this.#outcomes.silentSince()
  }

  /** Something was added or became due. */
  wake(): void {
    if (this.#closed || this.#flight.busy || !this.#paid()) return
    this.#flight.calm()
    const flight = this.#o.read(() => this.#turn())
    if (flight !== null) this.#launch(flight)
  }

  /**
   * No further message is started. Waits for the one in flight, but not for ever: what is still on the air then stays
   * `transmitting` in the file, and the next start knows what to do with it.
   */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelFollowing()
    await this.#flight.close(CLOSE_WAIT_MS)
    this.#abandoned = true
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  /**
   * The radio is taken away while the station runs: nothing else begins, and the text on its way is stored as what became of it. `closed`
   * closes the radio, which settles that text (`Radio.close`), so that nothing stays on its way for ever.
   */
  async retire(closed: () => Promise<void>): Promise<void> {
    this.#closed = true
    this.#cancelFollowing()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await closed()
    await this.#flight.close(CLOSE_WAIT_MS)
    this.#abandoned = true
  }

  #radioChanged(): void {
    this.#follow()
    this.wake()
  }

  /** The waiting rows follow the state of the radio: of a long backlog a slice at a time, until all of it has. */
  #follow(): void {
    this.#cancelFollowing()
    const { radio, airtime, waiting, clock } = this.#o
    const ready = radio.health().state === 'ready'
    if (ready) airtime.learn(radio.description)
    const moved = ready ? waiting.release(this.network, clock.now()) : this.#hold()
    if (moved < AT_ONCE) return
    this.#cancelFollowing = clock.after(1, () => this.#radioChanged())
  }

  #hold(): number {
    const { state, reason } = this.#o.radio.health()
    const radio = this.#o.radio.description.id
    const step = because('radio_not_ready', { radio, state, said: reason ?? because('not_ready') })
    return this.#o.waiting.hold(this.network, 'radio_down', step)
  }

  /** The next message, stored as `transmitting`; null when none may go now, and then the queue knows when to look again. */
  #turn(): Flight | null {
    const { waiting, radio, clock } = this.#o
    if (radio.health().state !== 'ready' || this.#owed !== null) return null
    const now = clock.now()
    if (!this.#o.enabled() && waiting.switchOff(this.network) === AT_ONCE) return this.#later(1)
    // A storm wakes the queue with every commit: the pause is asked first, for it costs nothing.
    const rest = this.#pace.soonest(now)
    if (rest > 0) return this.#later(rest)
    // A backlog's end comes in slices: what is overdue must not be taken for what is next meanwhile.
    if (waiting.expireOverdue(now) === AT_ONCE) return this.#later(1)
    const delivery = waiting.next(this.network, now)
    if (delivery === null) {
      const dueAt = waiting.nextDueAfter(this.network, now)
      return dueAt === null ? null : this.#later(dueAt - now)
    }
    const pause = this.#pace.wait(delivery, now)
    return pause > 0 ? this.#later(pause) : this.#offer(delivery, now)
  }

  #later(ms: number): null {
    this.#flight.wakeIn(ms)
    return null
  }

  #offer(delivery: Delivery, now: number): Flight | null {
    const { radio, outbox, waiting, airtime, alarms, standby } = this.#o
    const blocked = delivery.direct ? null : channelProblem(radio, delivery.channel)
    if (blocked !== null && this.#readsTable(now)) return null
    if (blocked !== null) {
      waiting.failChannel(delivery, now, { ...blocked, radio: radio.description.id })
      return this.#later(1)
    }
    const isClosed = isClosedInstead(delivery, { ...this.#o, now }) || this.#isOutdatedPacket(delivery)
    if (isClosed || standby.comesFirst(delivery, radio.description)) return this.#later(1)
    const due = isForgotten(delivery, now) ? this.#asRepeat(delivery) : delivery
    const parts = due.parts ?? this.#composed(due)
    if (parts === null) return this.#later(1)
    const ring = alarms.of(due, radio.description.id, now)
    const text = rung(parts[due.nextPart] ?? '', ring.alarm, due.nextPart)
    const cost = airtime.costOf(due, text)
    const pause = Math.max(this.#pace.leastWait(cost, now), alarms.waitMs(due, this.radio, now))
    if (pause > 0) return this.#later(pause)
    const wait = whyWait(due, { radio, airtime, cost, replyShare: this.#o.replyShare(), now })
    if (wait === null) return this.#transmitting(due, parts, { text, cost, ring })
    if (due.reason !== wait.reason) outbox.apply(due.id, 'wait', wait)
    // A graver one may become due meanwhile.
    return this.#later(Math.min(wait.ms, (waiting.nextDueAfter(this.network, now) ?? Number.POSITIVE_INFINITY) - now))
  }

  /** An alert packet must not ring for what its channel was told something newer of. */
  #isOutdatedPacket({ id, content, origin }: Delivery): boolean {
    if (content.kind !== 'alert_packet') return false
    const { outbox, waiting } = this.#o
    const of = origin === null ? null : outbox.get(origin)
    if (of !== null && !waiting.isOutdated(of)) return false
    outbox.apply(id, 'suppress', { reason: 'superseded', step: because('packet_outdated') })
    return true
  }

  /** A channel may have been set up on the radio since its table was read: it is read again before anything fails for it. */
  #readsTable(now: number): boolean {
    const { radio, clock } = this.#o
    if (radio.readChannels === undefined || Math.abs(now - this.#tableReadAt) < TABLE_FRESH_MS) return false
    this.pulse.beat(TABLE_MS)
    this.#fly(
      radio.readChannels().finally(() => {
        this.#tableReadAt = clock.now()
      })
    )
    return true
  }

  /** By now receivers may have forgotten the packet: the same words go as a new one, which says that it is a repeat. */
  #asRepeat(delivery: Delivery): Delivery {
    const { outbox } = this.#o
    const patch = asRepeat(delivery, this.#compose({ ...delivery, mark: REPEAT }, delivery))
    outbox.apply(delivery.id, 'renew', { reason: 'repeat', step: because('renewed'), patch })
    return outbox.get(delivery.id) ?? delivery
  }

  /** The text in parts that each fit one packet. `again`: the row that is said once more, with its own words where they fit. */
  #compose(delivery: Delivery, again: Delivery | null = null): string[] {
    const { radio, sources, clock } = this.#o
    return composeRow(delivery, sources, { description: radio.description, nowMs: clock.now(), again })
  }

  /** Null when there is nothing to say, or no text can be made: closed, so that the messages behind it go on. */
  #composed(delivery: Delivery): string[] | null {
    try {
      const parts = this.#compose(delivery)
      if (parts.length > 0) return this.#o.waiting.closeIfSaid(delivery, parts, this.#o.clock.now()) ? null : parts
      this.#o.outbox.apply(delivery.id, 'suppress', { reason: 'ended', step: because('nothing_left') })
      return null
    } catch (error) {
      // A failure to read is no fault of the message: it is tried again where the storage goes on.
      if (storageFaultOf(error) !== null) throw error
      this.#o.onError(error, delivery)
      this.#o.outbox.apply(delivery.id, 'fail', { reason: 'no_text', step: because('no_text') })
      return null
    }
  }

  /** The identity is stored before the radio hears of it (contract §6). */
  #transmitting(delivery: Delivery, parts: string[], { text, cost, ring }: Offered): Flight {
    const { radio, outbox, clock, identities, store, waypoints } = this.#o
    const { alarm } = ring
    const startedAt = clock.now()
    return store(() => {
      const identity = delivery.identity ?? identities.fresh(startedAt)
      const ofParts = parts.map((_, part) =>
        part === delivery.nextPart ? identity : (delivery.identities[part] ?? null)
      )
      outbox.apply(delivery.id, 'hand_over', {
        reason: null,
        step: handedOver(delivery, ring, this.#o.alarms.mostADay),
        patch: {
          ...(alarm === null ? {} : { alarm }),
          radio: radio.description.id,
          simulated: radio.description.simulated ? 1 : 0,
          session: radio.session(),
          parts: JSON.stringify(parts),
          bytes: Buffer.byteLength(parts.join('')),
          identity: JSON.stringify(identity),
          identities: JSON.stringify(ofParts),
          attempts: delivery.attempts + 1,
          first_sent_at: delivery.identity === null ? startedAt : (delivery.firstSentAt ?? startedAt)
        }
      })
      // Of one commit with the text: what a crash cuts off has both or neither, and neither twice.
      if (delivery.alarm === null && hasPacketBeside(alarm)) outbox.addAlertPacket(delivery, parts[0] ?? '')
      waypoints.follow(delivery)
      const waypoint = waypoints.of(delivery)
      const as = waypoint === null ? { alert: isAlertPacket(alarm, delivery.nextPart) } : { waypoint }
      return { delivery, text, as, cost, identity, startedAt }
    })
  }

  #launch(flight: Flight): void {
    this.#fly(this.#transmit(flight), flight.delivery)
  }

  #fly(work: Promise<void>, delivery: Delivery | null = null): void {
    this.#flight.begin(work, (error) => this.#o.onError(error, delivery))
  }

  async #transmit(flight: Flight): Promise<void> {
    const { clock, store, airtime } = this.#o
    const { delivery, cost, startedAt } = flight
    const outcome = await this.#handOver(flight)
    if (this.#abandoned) return
    const now = clock.now()
    this.#pace.left(now, { tookMs: now - startedAt, airtimeMs: cost })
    this.#owed = () =>
      store(() => {
        if (outcome.kind !== 'refused') airtime.spend(now, cost, delivery.content.kind === 'reply')
        this.#outcomes.settle(delivery, outcome, { now, cost })
      })
    this.#pay()
  }

  /** A driver that throws has a fault, and the text may have been on the air all the same. */
  async #handOver({ delivery, text, as, identity, cost }: Flight): Promise<SendOutcome> {
    const { radio, receipts, clock, onError } = this.#o
    const { id, channel, direct, nextPart } = delivery
    receipts.expect(radio.description.id, identity, { id, part: nextPart })
    const until = clock.now() + LONGEST_FLIGHT_MS
    const working = (): void => {
      if (clock.now() < until) this.pulse.beat(FLIGHT_MS + FLIGHT_AIRTIMES * cost)
    }
    working()
    const message = { channel, text, identity, ...as }
    try {
      return await radio.send(direct ? { ...message, to: String(channel), channel: 0 } : message, working)
    } catch (error) {
      onError(error, delivery)
      return { kind: 'unknown', reason: because('driver_failed') }
    }
  }

  /** Stores what became of the last text. What cannot be stored now is kept, and nothing else is sent before it is. */
  #pay(): void {
    this.#owed?.()
    this.#owed = null
  }

  #paid(): boolean {
    try {
      this.#pay()
    } catch {
      // Told when it failed first; the disk may be full for hours.
      this.#flight.wakeIn()
    }
    return this.#owed === null
  }
}

/** The step of the hand-over: of a message that is to ring, how it does or why it does not. */
function handedOver({ identity, attempts, content }: Delivery, { alarm, why }: AlarmAnswer, most: number): Reason {
  if (identity !== null) return because('handed_over_again')
  if (attempts > 0 || content.kind === 'alert_packet') return because('handed_over')
  if (why === 'capped') return because('handed_over_capped', { most })
  if (why === 'close') return because('handed_over_close')
  if (alarm === null) return because('handed_over')
  if (hasPacketBeside(alarm)) return because('handed_over_beside')
  return because(isAlertPacket(alarm, 0) ? 'handed_over_instead' : 'handed_over_bell')
}
