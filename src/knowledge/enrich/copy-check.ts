import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document } from '../catalogue/document.ts'
import { type Fingerprint, Shingles } from './simhash.ts'

/** Texts whose lengths differ by more than this are no copies of each other, however alike. */
const SIMILAR_LENGTH = 0.2
/** Shorter texts have too few shingles to be told apart; only the same text counts. */
const MIN_WORDS = 50
/** Less in common are two documents with the same phrases, not one document twice. */
const SHARED = 0.8
const PAGES_AT_ONCE = 20

/** Finds the document with the same text, or with nearly the same one of about the same length. The texts are read page by page. */
export class CopyCheck {
  readonly #catalogue: Catalogue
  readonly #doc: Pick<Document, 'id' | 'hash'>
  readonly #print: Pick<Fingerprint, 'textHash' | 'simhash'>
  /** By the id of the other document. */
  readonly #verdicts = new Map<number, boolean>()

  constructor(
    catalogue: Catalogue,
    doc: Pick<Document, 'id' | 'hash'>,
    print: Pick<Fingerprint, 'textHash' | 'simhash'>
  ) {
    this.#catalogue = catalogue
    this.#doc = doc
    this.#print = print
  }

  /** Reads what `find` will want to know, while others have their turn. */
  async prepare(signal: AbortSignal): Promise<void> {
    const other = this.#suspect()
    if (other === null || other.textHash === this.#print.textHash) return
    const mine = await shinglesOf(this.#catalogue, this.#doc.id, signal)
    this.#verdicts.set(other.id, areCopies(mine, await shinglesOf(this.#catalogue, other.id, signal)))
  }

  /** For the transaction that stores the text: whoever came meanwhile is seen as well. */
  find(): Document | null {
    const other = this.#suspect()
    if (other === null || other.textHash === this.#print.textHash) return other
    const isCopy = this.#verdicts.get(other.id) ?? this.#compared(other.id)
    return isCopy ? other : null
  }

  #suspect(): Document | null {
    const { textHash, simhash } = this.#print
    if (textHash === null || simhash === null) return null
    const found = this.#catalogue.similar(simhash, textHash, this.#doc.hash)
    return found === null || this.#catalogue.isBeingRemoved(found.id) ? null : found
  }

  #compared(otherId: number): boolean {
    const [mine, theirs] = [new Shingles(), new Shingles()]
    for (const { text } of this.#catalogue.eachPage(this.#doc.id)) mine.add(text)
    for (const { text } of this.#catalogue.eachPage(otherId)) theirs.add(text)
    return areCopies(mine, theirs)
  }
}

async function shinglesOf(catalogue: Catalogue, id: number, signal: AbortSignal): Promise<Shingles> {
  const shingles = new Shingles()
  for (const { number, text } of catalogue.eachPage(id)) {
    shingles.add(text)
    if (number % PAGES_AT_ONCE !== 0) continue
    await nextTurn()
    signal.throwIfAborted()
  }
  return shingles
}

function areCopies(mine: Shingles, theirs: Shingles): boolean {
  const isLong = Math.min(mine.words, theirs.words) >= MIN_WORDS
  const isNear = Math.abs(mine.words - theirs.words) <= SIMILAR_LENGTH * Math.max(mine.words, theirs.words)
  return isLong && isNear && mine.sharedWith(theirs) >= SHARED
}
