import { BOOK_LIMITS } from './limits.ts'

const LONGEST_TITLE = 120

/** The part of the library's outline that is used. */
interface OutlineNode {
  addItem(title: string): OutlineNode
}

/** The tree of headings which readers show beside the pages. */
export class Outline {
  readonly #root: OutlineNode
  #open: { level: number; node: OutlineNode }[] = []
  #entries = 0

  constructor(root: OutlineNode) {
    this.#root = root
  }

  /** Headings were left out because there were too many. */
  get cut(): boolean {
    return this.#entries > BOOK_LIMITS.outlineEntries
  }

  /** Puts a heading below the last one of a higher level; it leads to the page now being written. */
  add(level: number, title: string): void {
    this.#entries += 1
    if (this.cut) return
    this.#open = this.#open.filter((entry) => entry.level < level)
    const above = this.#open.at(-1)?.node ?? this.#root
    const signs = [...title]
    const text = signs.length > LONGEST_TITLE ? `${signs.slice(0, LONGEST_TITLE - 1).join('')}…` : title
    this.#open.push({ level, node: above.addItem(text) })
  }
}
