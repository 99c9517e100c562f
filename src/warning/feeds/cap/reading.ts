import type { LookoutEvent } from '../../../model/event.ts'
import type { SkippedItem } from '../feed.ts'
import { textsOf } from '../reading/json.ts'
import { eachInTurn } from '../reading/steps.ts'
import { childText, type Element } from '../reading/xml.ts'
import type { ReadTools, SourceReading } from '../source.ts'
import type { IndexFormat } from './index-read.ts'
import { CapMemory } from './memory.ts'
import { type CapOptions, readAlertElement } from './parse.ts'
import { refusalOf, type Wanted } from './select.ts'

/** The reading habits of one kind of CAP source. */
export interface CapProfile {
  kind: string
  format: IndexFormat
  wanted: Wanted
  details: 'never' | 'when_needed' | 'always'
  maxDetails: number
  read: Pick<CapOptions, 'language' | 'defaultExpiresHours' | 'category'> & { level?: NonNullable<CapOptions['level']> }
}

type ReadingTools = Pick<ReadTools, 'source' | 'receivedAt' | 'memory'>

/** One poll or one recorded body in the making: events and reasons, in the order of sending at the end. */
export class CapReading {
  readonly memory: CapMemory
  readonly #profile: CapProfile
  readonly #tools: ReadingTools
  readonly #events: LookoutEvent[] = []
  readonly skipped: SkippedItem[] = []

  constructor(profile: CapProfile, tools: ReadingTools) {
    this.#profile = profile
    this.#tools = tools
    this.memory = new CapMemory(tools.memory, tools.receivedAt)
  }

  /** Reads one alert. Nothing is remembered before `finish`. */
  take(alert: Element): void {
    const { source, receivedAt } = this.#tools
    const { events, skipped } = readAlertElement(alert, { ...this.#profile.read, receivedAt, source })
    this.skipped.push(...skipped)
    const identifier = childText(alert, 'identifier')
    for (const event of events) this.#sort(event, identifier)
  }

  #sort(event: LookoutEvent, identifier: string): void {
    const concerns = textsOf(event.data['references']).some((earlier) => this.memory.toldAs(earlier) !== null)
    const reason = refusalOf(event, this.#profile.wanted, concerns)
    if (reason !== null) this.skipped.push({ id: event.id, reason })
    else this.#events.push(this.#revised(event, identifier))
  }

  /** Some senders keep the identifier and change the alert; its time of sending tells. CAP 1.2 wants a new one. */
  #revised(event: LookoutEvent, identifier: string): LookoutEvent {
    const before = this.memory.toldAs(identifier)
    if (before === null || event.sent_at <= before) return event
    return { ...event, revision: event.sent_at, lifecycle: event.lifecycle === 'new' ? 'update' : event.lifecycle }
  }

  /** The events that were read, oldest first: of competing updates the last one sent has the last word. */
  *finish(items: number, updated: string | null): Generator<void, SourceReading> {
    yield* eachInTurn(this.#events, (event) => {
      const identifier = event.id.replace(/#\d+$/, '')
      this.memory.told(identifier, event.sent_at)
    })
    const events = this.#events
      .map((event, order) => ({ event, order }))
      .sort((a, b) => compare(a.event.sent_at, b.event.sent_at) || a.order - b.order)
      .map(({ event }) => event)
    return { kind: this.#profile.kind, events, skipped: this.skipped, updated, items }
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
