/** A long list that takes no heap: what is older is kept as bytes, so that it does not hide what the program itself holds. */
export class Chronicle<Entry> {
  #recent: Entry[] = []
  readonly #packed: Buffer[] = []

  add(entry: Entry): void {
    this.#recent.push(entry)
  }

  /** The number of entries that are not packed yet. */
  get recent(): number {
    return this.#recent.length
  }

  pack(): void {
    if (this.#recent.length > 0) this.#packed.push(Buffer.from(JSON.stringify(this.#recent)))
    this.#recent = []
  }

  /** Everything, oldest first. */
  all(): Entry[] {
    const packed = this.#packed.flatMap((bytes) => JSON.parse(bytes.toString()) as Entry[])
    return [...packed, ...this.#recent]
  }
}
