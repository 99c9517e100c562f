import { because, type Reason } from '../../../model/reason.ts'
import { type Link, LinkListeners, type LinkSource, notOpen } from './link.ts'

/** The far side of a memory link: what a device sees of one connection. */
export interface MemoryEnd {
  write(bytes: Uint8Array): void
  /** Ends the connection from the device's side. */
  close(reason?: Reason): void
  onData(listener: (bytes: Uint8Array) => void): void
  /** Told when our side closed the link. */
  onClose(listener: () => void): void
}

/**
 * Links inside one process, without delay: for tests and for devices that live in the program. `accept` is called for every
 * link opened; what it throws is the reason why the device cannot be reached.
 */
export function memorySource(accept: (end: MemoryEnd) => void, label = 'memory'): LinkSource {
  return { kind: 'memory', label, make: () => new MemoryLink(accept, label) }
}

class MemoryLink implements Link {
  readonly label: string
  readonly #accept: (end: MemoryEnd) => void
  readonly #near = new LinkListeners()
  readonly #far = new LinkListeners()
  #open = false

  constructor(accept: (end: MemoryEnd) => void, label: string) {
    this.#accept = accept
    this.label = label
  }

  async open(): Promise<void> {
    this.#accept({
      write: (bytes) => this.#near.received(bytes),
      close: (reason = because('radio_hung_up')) => {
        this.#far.silence()
        this.#near.lost(reason)
      },
      onData: (listener) => this.#far.onData(listener),
      onClose: (listener) => this.#far.onClose(listener)
    })
    this.#open = true
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#open || !this.#near.live) throw notOpen(this.label)
    this.#far.received(bytes)
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.#near.onData(listener)
  }

  onClose(listener: (reason: Reason) => void): () => void {
    return this.#near.onClose(listener)
  }

  async close(): Promise<void> {
    this.#near.silence()
    this.#far.lost(because('closed'))
  }
}
