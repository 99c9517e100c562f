import type { SourceMemory } from '../source.ts'
import type { FeedStore } from './feed-store.ts'

/** Reads what is stored; keeps changes to itself until `changes` are saved with what they belong to. */
export class BufferedMemory implements SourceMemory {
  readonly #store: Pick<FeedStore, 'recall' | 'recallAll' | 'recallKeys'>
  readonly #source: string
  #changes = new Map<string, unknown>()

  constructor(store: Pick<FeedStore, 'recall' | 'recallAll' | 'recallKeys'>, source: string) {
    this.#store = store
    this.#source = source
  }

  get(key: string): unknown {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#store.recall(this.#source, key)
  }

  /** Takes a copy: what the reader does to its value afterwards is not remembered. */
  set(key: string, value: unknown): void {
    this.#changes.set(key, structuredClone(value))
  }

  delete(key: string): void {
    this.#changes.set(key, undefined)
  }

  entries(prefix: string): [key: string, value: unknown][] {
    const all = new Map(this.#store.recallAll(this.#source, prefix))
    for (const [key, value] of this.#changes) if (key.startsWith(prefix)) all.set(key, value)
    return [...all].filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
  }

  keys(prefix: string): string[] {
    const all = new Set(this.#store.recallKeys(this.#source, prefix))
    const known = all.size
    for (const [key, value] of this.#changes) {
      if (value === undefined) all.delete(key)
      else if (key.startsWith(prefix)) all.add(key)
    }
    return all.size > known ? [...all].sort() : [...all]
  }

  /** Takes the changes to save; `undefined` removes an entry. Answers the changes so far and begins anew. */
  takeChanges(): ReadonlyMap<string, unknown> {
    const changes = this.#changes
    this.#changes = new Map()
    return changes
  }

  get changed(): boolean {
    return this.#changes.size > 0
  }
}
