import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page } from '../catalogue/document.ts'

/** The place of the pages of a document while it is read: none of them need be in memory. */
export interface PageShelf {
  /** Adds pages, or puts them in the place of those of their numbers. */
  put: (pages: readonly Page[]) => void
  page: (number: number) => Page | null
}

/** A page is stored with others: a disk is asked to sync once for all of them. */
const PAGES_AT_ONCE = 64
const LETTERS_AT_ONCE = 512 * 1024

export function pageOf(number: number, text: string, method: string): Page {
  return { number, text, method: text === '' ? 'none' : method, startSeconds: null }
}

/** Stores pages a few at a time, and lets others have their turn in between. */
export class PageWriter {
  readonly #shelf: PageShelf
  #waiting: Page[] = []
  #letters = 0
  count = 0

  constructor(shelf: PageShelf) {
    this.#shelf = shelf
  }

  /** The next page. */
  async add(text: string, method: string): Promise<Page> {
    const page = pageOf(++this.count, text, method)
    this.#waiting.push(page)
    this.#letters += text.length
    if (this.#waiting.length >= PAGES_AT_ONCE || this.#letters >= LETTERS_AT_ONCE) {
      this.end()
      await nextTurn()
    }
    return page
  }

  end(): void {
    this.#shelf.put(this.#waiting)
    this.#waiting = []
    this.#letters = 0
  }
}
