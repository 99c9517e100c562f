import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Metadata, Page } from '../catalogue/document.ts'
import { comparedWords, type Fingerprint, Shingles } from './simhash.ts'
import { commonOf, type TextSketch } from './text-sketch.ts'

/** Texts whose lengths differ by more than this are no copies of each other, however alike. */
const SIMILAR_LENGTH = 0.2
/** Shorter texts have too few shingles to be told apart; only the same text counts. */
const MIN_WORDS = 50
/**
 * Less in common are two documents with the same phrases, not one document twice. One work as PDF, EPUB and text has 0.71 to 1.00
 * in common (Debian's manuals), a translation that keeps its listings up to 0.68.
 */
const SHARED = 0.75
/** Under the same title and author less will do: tables and lists are read in another order from another format. */
const SHARED_OF_NAMESAKE = 0.5
/** Documents that were read before there were sketches have a fingerprint alone, and need more in common. */
const SHARED_BY_FINGERPRINT = 0.8
/** A notice and a title page of one edition may name two years. */
const YEARS_OF_ONE_EDITION = 1
const PAGES_AT_ONCE = 20
/** Characters in which a document says of which version it is. */
const FRONT = 3000
const VERSION = /(?:\bversion|\brelease|\bedition|\brev(?:ision)?\.?|\bv\.?)\s*:?\s*(\d+(?:\.\d+)*)/gi
/** Characters around a version in which a licence would be named. */
const AROUND = 120
const OF_A_LICENCE = /\b(?:licen[cs]es?|gpl|gfdl|fdl|cc-?by|at your option)\b/i

/** The part of a text that is compared. */
export interface TextFacts extends Pick<Fingerprint, 'textHash' | 'simhash'> {
  sketch: TextSketch
}

/**
 * Finds the document with the same text, or with nearly the same one of about the same length, whatever its format. Another version,
 * edition or volume of a work is none, however little has changed. Both texts are stored; they are read page by page.
 */
export class CopyCheck {
  readonly #catalogue: Catalogue
  readonly #doc: Document
  readonly #facts: TextFacts
  /** By the id of the other document: their pages alone tell it of documents that were read before there were sketches. */
  readonly #verdicts = new Map<number, boolean>()

  constructor(catalogue: Catalogue, doc: Document, facts: TextFacts) {
    this.#catalogue = catalogue
    this.#doc = doc
    this.#facts = facts
  }

  /** Reads what `find` will want to know, while others have their turn. */
  async prepare(signal: AbortSignal): Promise<void> {
    const near = this.#near()
    if (near === null || near.textHash === this.#facts.textHash || this.#alike() !== null) return
    const mine = await shinglesOf(this.#catalogue, this.#doc.id, signal)
    this.#verdicts.set(near.id, areNear(mine, await shinglesOf(this.#catalogue, near.id, signal)))
  }

  /** For the transaction that stores the text: whoever came meanwhile is seen as well. */
  find(): Document | null {
    const near = this.#near()
    if (near !== null && near.textHash === this.#facts.textHash) return near
    const alike = this.#alike()
    if (alike !== null || near === null) return alike
    const isNear = this.#verdicts.get(near.id) ?? this.#compared(near.id)
    return isNear && isOneEdition(this.#catalogue, this.#doc, near) ? near : null
  }

  /** By the fingerprint of the whole. */
  #near(): Document | null {
    const { textHash, simhash } = this.#facts
    if (textHash === null || simhash === null) return null
    const found = this.#catalogue.similar(simhash, textHash, this.#doc.hash)
    return found === null || this.#catalogue.isBeingRemoved(found.id) ? null : found
  }

  /** By what the sketches have in common. */
  #alike(): Document | null {
    const { textHash, sketch: mine } = this.#facts
    if (textHash === null) return null
    const found = this.#catalogue
      .alike(mine, this.#doc.hash)
      .find(({ document, sketch }) => this.#isCopy(document, sketch))
    return found?.document ?? null
  }

  #isCopy(other: Document, sketch: TextSketch): boolean {
    const { sketch: mine } = this.#facts
    if (this.#catalogue.isBeingRemoved(other.id) || !areOfOneLength(mine, sketch)) return false
    const least = areNamesakes(this.#doc, other) ? SHARED_OF_NAMESAKE : SHARED
    return commonOf(mine, sketch).both >= least && isOneEdition(this.#catalogue, this.#doc, other)
  }

  #compared(otherId: number): boolean {
    const [mine, theirs] = [new Shingles(), new Shingles()]
    for (const { text } of this.#catalogue.eachPage(this.#doc.id)) mine.add(text)
    for (const { text } of this.#catalogue.eachPage(otherId)) theirs.add(text)
    return areNear(mine, theirs)
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

const areNear = (mine: Shingles, theirs: Shingles): boolean =>
  areOfOneLength(mine, theirs) && mine.sharedWith(theirs) >= SHARED_BY_FINGERPRINT

function areOfOneLength(one: { words: number }, other: { words: number }): boolean {
  const [few, many] = [Math.min(one.words, other.words), Math.max(one.words, other.words)]
  return few >= MIN_WORDS && many - few <= SIMILAR_LENGTH * many
}

/** Nothing that both say of their version, edition, volume or year speaks against it. */
function isOneEdition(catalogue: Catalogue, doc: Document, other: Document): boolean {
  if (doc.edition !== '' && other.edition !== '' && doc.edition !== other.edition) return false
  if (doc.year !== '' && other.year !== '' && Math.abs(Number(doc.year) - Number(other.year)) > YEARS_OF_ONE_EDITION)
    return false
  const [numbers, others] = [numbersIn(doc.title), numbersIn(other.title)]
  if (numbers !== '' && others !== '' && numbers !== others) return false
  const [version, theirs] = [doc, other].map(({ id }) => versionIn(catalogue.pages(id, { from: 1, to: 3 })))
  return !version || !theirs || version === theirs
}

/** `Volume 2`, `(v1.8)`, `2019`: the numbers of a title, in order. */
const numbersIn = (title: string): string => (title.match(/\d+(?:\.\d+)*/g) ?? []).join(' ')

/** The first version that the first pages name, that of a licence aside. */
function versionIn(pages: readonly Page[]): string {
  const front = pages
    .map(({ text }) => text)
    .join('\n')
    .slice(0, FRONT)
  for (const found of front.matchAll(VERSION)) {
    const around = front.slice(Math.max(0, found.index - AROUND), found.index + AROUND)
    if (!OF_A_LICENCE.test(around)) return found[1] ?? ''
  }
  return ''
}

function areNamesakes(one: Metadata, other: Metadata): boolean {
  const [title, author] = [folded(one.title), folded(one.author)]
  return title !== '' && title === folded(other.title) && author !== '' && author === folded(other.author)
}

const folded = (text: string): string => comparedWords(text).join(' ')
