import { createHash } from 'node:crypto'
import { because } from '../../../model/reason.ts'
import type { RadioMessage, Receipt, SendOutcome } from '../radio.ts'
import { directText, resetPath } from './commands.ts'
import type { Refusal } from './exchange.ts'
import { type HandOver, handOver, leaving, refused, refusedBy } from './hand-over.ts'
import type { Contact, Message } from './messages.ts'
import type { Session } from './session.ts'
import type { Timers } from './timers.ts'

/** The receiving app knows attempts 0 to 3 apart. */
const ATTEMPTS = 4
const DIRECT_FAILURES = 2
/** Added to the node's own estimate, which starts when it takes the text. */
const ACK_MARGIN_MS = 1000
const ACKS_REMEMBERED = 32

export interface DirectTextsOptions {
  timers: Timers
  now: () => number
  report: (receipt: Omit<Receipt, 'at'>) => void
  /** A further attempt, of this time on the air, was given to the node. */
  attempted: (airtimeMs: number) => void
}

export interface DirectSend {
  contact: Contact
  timestamp: number
  message: RadioMessage
  airtimeMs: number
}

type Taken = Extract<Message, { kind: 'sent' }>

/** One direct text until it is acknowledged or given up. */
interface Flight extends DirectSend {
  /** The firmware gives each attempt a tag of its own; any of them proves delivery. */
  tags: number[]
  directFailures: number
  /** The time at which the last attempt is overdue. */
  dueAt: number
  flood: boolean
}

/** Direct texts: the node sends once, so the retries are ours, with the same timestamp and the next attempt's number. */
export class DirectTexts {
  readonly #o: DirectTextsOptions
  readonly #acks: number[] = []
  readonly #waiting = new Set<() => void>()

  constructor(options: DirectTextsOptions) {
    this.#o = options
  }

  /** Settles when the first attempt has left; the others and the receipt follow. Never rejects for a radio reason. */
  async send(session: Session, send: DirectSend): Promise<SendOutcome> {
    const flight: Flight = { ...send, tags: [], directFailures: 0, dueAt: 0, flood: true }
    const given = await this.#attempt(session, flight, 0)
    if ('outcome' in given) return given.outcome
    const { now } = this.#o
    const outcome = await leaving(session, { airtimeMs: send.airtimeMs, now, proven: () => this.#acked(flight) })
    if (outcome.kind !== 'sent') return outcome
    // The node's estimate does not count what was waiting in it before ours.
    flight.dueAt = Math.max(flight.dueAt, now() + given.taken.timeoutMs)
    void this.#follow(session, flight)
    return outcome
  }

  /** An acknowledgement came, for one of ours or not. */
  confirmed(ackTag: number): void {
    this.#acks.push(ackTag)
    if (this.#acks.length > ACKS_REMEMBERED) this.#acks.shift()
    for (const look of [...this.#waiting]) look()
  }

  async #attempt(session: Session, flight: Flight, attempt: number): Promise<HandOver<Taken>> {
    const { contact, timestamp, message } = flight
    const payload = directText({ attempt, timestamp, key: contact.key, text: message.text })
    const answer = (m: Message): Taken | undefined => (m.kind === 'sent' ? m : undefined)
    const given = await handOver(session, { name: 'SEND_TXT_MSG', payload, answer }, refusalOf)
    if (
      'taken' in given &&
      given.taken.ackTag !== ackTagOf({ attempt, timestamp, text: message.text, key: session.node.self.key })
    ) {
      // The tag is made of what the node read: something else is on the air.
      return {
        outcome: { kind: 'unknown', reason: because('took_other_words') }
      }
    }
    if ('taken' in given) {
      flight.tags.push(given.taken.ackTag)
      flight.flood = given.taken.flood
      flight.dueAt = this.#o.now() + given.taken.timeoutMs + ACK_MARGIN_MS
    }
    return given
  }

  async #follow(session: Session, flight: Flight): Promise<void> {
    const { timers, report } = this.#o
    const { message, contact } = flight
    const { identity } = message
    // Whoever sent learns the outcome first.
    await new Promise<void>((resolve) => timers.after(1, resolve, resolve))
    for (let attempt = 1; ; attempt++) {
      const end = await this.#acknowledged(flight)
      if (end === 'closed') return
      if (end === 'acked') {
        report({ identity, kind: 'delivered', by: contact.name })
        return
      }
      if (attempt === ATTEMPTS || session.ended) break
      await this.#again(session, flight, attempt)
    }
    const count = flight.tags.length
    const reason = count === 1 ? because('no_ack_once') : because('no_ack_in', { count })
    report({ identity, kind: 'unconfirmed', reason, silent: true })
  }

  /** A known path that failed twice is forgotten, and the mesh is flooded. */
  async #again(session: Session, flight: Flight, attempt: number): Promise<void> {
    if (!flight.flood) flight.directFailures++
    if (!flight.flood && flight.directFailures === DIRECT_FAILURES) {
      const answer = (m: Message): true | undefined => (m.kind === 'ok' ? true : undefined)
      await handOver(session, { name: 'RESET_PATH', payload: resetPath(flight.contact.key), answer }, refusedBy)
    }
    const given = await this.#attempt(session, flight, attempt)
    if ('taken' in given || given.outcome.kind === 'unknown') this.#o.attempted(flight.airtimeMs)
    // Not taken: the next one waits as long as this one would have.
    if ('outcome' in given) flight.dueAt = this.#o.now() + ACK_MARGIN_MS * 2 ** attempt
  }

  #acked({ tags }: Flight): boolean {
    return tags.some((tag) => this.#acks.includes(tag))
  }

  #acknowledged(flight: Flight): Promise<'acked' | 'overdue' | 'closed'> {
    if (this.#acked(flight)) return Promise.resolve('acked')
    return new Promise((resolve) => {
      const finish = (end: 'acked' | 'overdue' | 'closed'): void => {
        this.#waiting.delete(look)
        cancel()
        resolve(end)
      }
      const look = (): void => {
        if (this.#acked(flight)) finish('acked')
      }
      let cancel = (): void => undefined
      this.#waiting.add(look)
      cancel = this.#o.timers.after(
        Math.max(0, flight.dueAt - this.#o.now()),
        () => finish('overdue'),
        () => finish('closed')
      )
    })
  }
}

/** The tag by which the firmware knows the acknowledgement of a direct text: of the text, its time and attempt, and the sender's key. */
function ackTagOf({
  attempt,
  timestamp,
  text,
  key
}: {
  attempt: number
  timestamp: number
  text: string
  key: Uint8Array
}): number {
  const head = Buffer.alloc(5)
  head.writeUInt32LE(timestamp)
  head[4] = attempt & 3
  return createHash('sha256').update(head).update(text).update(key).digest().readUInt32LE()
}

/** Error 3 means too long or a full pool; the length was checked before. */
function refusalOf(refusal: Refusal): Extract<SendOutcome, { kind: 'refused' }> {
  if (refusal.kind === 'error' && refusal.code === 2) {
    return refused('UNKNOWN_CONTACT', false, because('contact_gone'))
  }
  if (refusal.kind === 'error' && refusal.code === 3) {
    return refused('POOL_FULL', true, because('pool_full_direct'))
  }
  return refusedBy(refusal)
}
