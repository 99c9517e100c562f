import type { FeedChanges, FeedStore, PollState, Validators } from './feed-store.ts'

/** Remembers as long as it lives: for one look at a source, and for tests. */
export class TransientStore implements FeedStore {
  readonly #states = new Map<string, PollState>()
  readonly #urls = new Map<string, Map<string, Validators>>()
  readonly #memory = new Map<string, Map<string, string>>()

  state(source: string): PollState | null {
    return this.#states.get(source) ?? null
  }

  validators(source: string, url: string): Validators | null {
    return this.#urls.get(source)?.get(url) ?? null
  }

  recall(source: string, key: string): unknown {
    const text = this.#memory.get(source)?.get(key)
    return text === undefined ? undefined : JSON.parse(text)
  }

  recallAll(source: string, prefix: string): [key: string, value: unknown][] {
    return this.recallKeys(source, prefix).map((key) => [key, this.recall(source, key)])
  }

  recallKeys(source: string, prefix: string): string[] {
    return [...(this.#memory.get(source)?.keys() ?? [])].filter((key) => key.startsWith(prefix)).sort()
  }

  save(source: string, { state, urls = new Map(), memory = new Map() }: FeedChanges): void {
    if (state !== undefined) this.#states.set(source, state)
    const known = this.#urls.get(source) ?? new Map<string, Validators>()
    for (const [url, validators] of urls) known.set(url, validators)
    this.#urls.set(source, known)
    const remembered = this.#memory.get(source) ?? new Map<string, string>()
    for (const [key, value] of memory) {
      const text = value === undefined ? undefined : JSON.stringify(value)
      if (text === undefined) remembered.delete(key)
      else remembered.set(key, text)
    }
    this.#memory.set(source, remembered)
  }

  keep(source: string, state: PollState): void {
    this.save(source, { state })
  }

  forget(source: string): void {
    this.#states.delete(source)
    this.#memory.delete(source)
    this.forgetUrls(source)
  }

  forgetUrls(source: string): void {
    this.#urls.delete(source)
  }
}
