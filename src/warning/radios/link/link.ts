import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'

/**
 * A byte stream to a device: one object per attempt, opened once and closed once. A link that failed is thrown away,
 * because a closed serial port object cannot be opened again reliably.
 */
export interface Link {
  /** The target of the link, for people: `tcp 192.0.2.7:4403`. */
  readonly label: string
  /** Rejects with an AppError that says why the device cannot be reached. */
  open(): Promise<void>
  /** Resolves when the bytes left this process, which does not mean that the device read them. Rejects when the link is gone. */
  write(bytes: Uint8Array): Promise<void>
  /** The answer unsubscribes. */
  onData(listener: (bytes: Uint8Array) => void): () => void
  /** Told at most once, with the reason, when an open link is lost; not for our own `close`. */
  onClose(listener: (reason: Reason) => void): () => void
  /** Safe at any time and more than once. Never rejects. */
  close(): Promise<void>
}

/** The error that a write to a link that is gone rejects with. */
export function notOpen(link: string): AppError {
  return new AppError('unavailable', because('link_not_open', { link }))
}

/** A source of links: what the configuration says about one radio. */
export interface LinkSource {
  readonly kind: 'serial' | 'tcp' | 'memory'
  readonly label: string
  /** A new link, not open yet. */
  make(): Link
  /** True when the device can be opened now. Only where that can be seen without opening it: a device file. */
  present?(): Promise<boolean>
}

/** The listeners of one link, and the promise that a loss is told once. */
export class LinkListeners {
  readonly #data = new Set<(bytes: Uint8Array) => void>()
  readonly #close = new Set<(reason: Reason) => void>()
  #over = false

  /** False from the first loss, or from our own close, on. */
  get live(): boolean {
    return !this.#over
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.#data.add(listener)
    return () => this.#data.delete(listener)
  }

  onClose(listener: (reason: Reason) => void): () => void {
    this.#close.add(listener)
    return () => this.#close.delete(listener)
  }

  received(bytes: Uint8Array): void {
    if (this.#over) return
    for (const listener of [...this.#data]) listener(bytes)
  }

  lost(reason: Reason): void {
    if (this.#over) return
    const listeners = [...this.#close]
    this.silence()
    for (const listener of listeners) listener(reason)
  }

  /** After our own close nothing is told any more. */
  silence(): void {
    this.#over = true
    this.#data.clear()
    this.#close.clear()
  }
}
