import { isSame, type Reason } from '../../model/reason.ts'
import type { HttpContext, RadioStatus } from './context.ts'

const REMEMBERED = 100

/** One change of a radio's state. Times are RFC 3339. */
export interface RadioChange {
  at: string
  state: RadioStatus['state']
  reason: Reason | null
}

/** The last 100 changes of state of each radio since the start, by listening: enough to see why a link comes and goes. */
export class RadioLog {
  readonly #changes = new Map<string, RadioChange[]>()
  readonly #unsubscribe: () => void

  constructor({ observers }: Pick<HttpContext, 'observers'>) {
    this.#unsubscribe = observers.on('radio', (status) => this.#note(status))
  }

  /** Newest first. */
  of(id: string): readonly RadioChange[] {
    return [...(this.#changes.get(id) ?? [])].reverse()
  }

  close(): void {
    this.#unsubscribe()
  }

  /** A radio is told of more often than its state changes: receipts, channels, telemetry. */
  #note({ id, state, reason, since }: RadioStatus): void {
    const changes = this.#changes.get(id) ?? []
    const last = changes.at(-1)
    if (last?.state === state && isSame(last.reason, reason)) return
    this.#changes.set(id, [...changes, { at: since, state, reason }].slice(-REMEMBERED))
  }
}
