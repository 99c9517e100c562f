import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import type { Delivery } from '../warning/outbox/delivery.ts'
import type { Accepted } from '../warning/routing/accepted.ts'
import type { ReadFeed } from './verb.ts'

interface Told {
  title: string
  id: string
  why: string
}

/** The end of a replay in words: what was read, what was sent, and for every other event why it was not. */
export class ReplaySummary {
  readonly #language: Language
  readonly #files: string[] = []
  readonly #silent: Told[] = []
  readonly #states = new Map<number, Delivery>()
  #events = 0
  #duplicates = 0
  #withMessages = 0
  #skipped = new Map<string, number>()

  constructor(language: Language) {
    this.#language = language
  }

  file(name: string, feed: ReadFeed): void {
    this.#files.push(`${name}: ${feed.kind}, ${feed.events.length} events, ${feed.skipped.length} skipped`)
    for (const { reason } of feed.skipped) {
      const said = sentenceOf(reason, this.#language)
      this.#skipped.set(said, (this.#skipped.get(said) ?? 0) + 1)
    }
  }

  decided({ event, decision, duplicate }: Accepted): void {
    this.#events++
    if (duplicate || decision === null) this.#duplicates++
    else if (decision.sends.length > 0) this.#withMessages++
    else {
      const last = decision.trace.findLast(({ outcome }) => outcome === 'stop' || outcome === 'skip')
      this.#silent.push({
        title: event.title,
        id: event.id,
        why: `${decision.reason}: ${last === undefined ? '' : sentenceOf(last, this.#language)}`
      })
    }
  }

  delivery(delivery: Delivery): void {
    this.#states.set(delivery.id, delivery)
  }

  text(): string {
    const lines = [...this.#files]
    for (const [reason, count] of this.#skipped) lines.push(`  ${count} × skipped: ${reason}`)
    lines.push(
      `${this.#events} events: ${this.#withMessages} with messages, ${this.#silent.length} silent, ${this.#duplicates} known already`
    )
    for (const [state, count] of this.#counts()) lines.push(`  ${count} × ${state}`)
    for (const delivery of this.#states.values()) {
      if (!['failed', 'expired', 'suppressed'].includes(delivery.state)) continue
      lines.push(
        `not sent  ${delivery.channelKey}  ${delivery.eventIds.join(' ')}  ${delivery.state}: ${delivery.reason ?? ''}`
      )
    }
    for (const { id, title, why } of this.#silent) lines.push(`silent  ${id}  ${title}  — ${why}`)
    return `${lines.join('\n')}\n`
  }

  #counts(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { state } of this.#states.values())
      counts.set(`messages ${state}`, (counts.get(`messages ${state}`) ?? 0) + 1)
    return counts
  }
}
