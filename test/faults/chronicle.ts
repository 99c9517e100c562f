/** A long list that takes no heap: what is older is kept as bytes, so that it does not hide what the program itself holds. */
export class Chronicle<Entry> {
  readonly #recent: Entry[] = []
  readonly #packed: Buffer[] = []

  add(entry: Entry): void {
    this.#recent.push(entry)
  }

  /** The number of entries that are not packed yet. */
  get recent(): number {
    return this.#recent.length
  }

  /** True when one of those that are not packed yet is such. */
  some(is: (entry: Entry) => boolean): boolean {
    return this.#recent.some(is)
  }

  /** An entry that is not over may change yet; those after it keep their place. */
  pack(isOver: (entry: Entry) => boolean = () => true): void {
    const open = this.#recent.findIndex((entry) => !isOver(entry))
    const over = this.#recent.splice(0, open === -1 ? this.#recent.length : open)
    if (over.length > 0) this.#packed.push(Buffer.from(JSON.stringify(over)))
  }

  /** Everything, oldest first. */
  all(): Entry[] {
    const packed = this.#packed.flatMap((bytes) => JSON.parse(bytes.toString()) as Entry[])
    return [...packed, ...this.#recent]
  }
}
