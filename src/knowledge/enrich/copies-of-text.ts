import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Metadata, Page } from '../catalogue/document.ts'
import { comparedWords, sharedShingles } from './simhash.ts'
import { commonOf, sketchOf, type TextSketch } from './text-sketch.ts'

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
/** Characters in which a document says of which version it is. */
const FRONT = 3000
const VERSION = /(?:\bversion|\brelease|\bedition|\brev(?:ision)?\.?|\bv\.?)\s*:?\s*(\d+(?:\.\d+)*)/gi
/** Characters around a version in which a licence would be named. */
const AROUND = 120
const OF_A_LICENCE = /\b(?:licen[cs]es?|gpl|gfdl|fdl|cc-?by|at your option)\b/i

export interface TextFacts {
  textHash: string | null
  simhash: string | null
  sketch: TextSketch
  pages: readonly Page[]
}

/** The part of a text that is compared. */
export const sketchOfPages = (pages: readonly Page[]): TextSketch => sketchOf(pages.map(({ text }) => text))

/**
 * The document with the same text, or with nearly the same one of about the same length, whatever its format. Another version,
 * edition or volume of a work is none, however little has changed. Null: there is none.
 */
export function copyOf(catalogue: Catalogue, doc: Document, facts: TextFacts): Document | null {
  const { textHash, simhash } = facts
  if (textHash === null || simhash === null) return null
  const near = catalogue.similar(simhash, textHash, doc.hash)
  const isThere = near !== null && !catalogue.isBeingRemoved(near.id)
  if (isThere && near.textHash === textHash) return near
  const found = catalogue
    .alike(facts.sketch, doc.hash)
    .find(({ document, sketch }) => isCopy(catalogue, { doc, ...facts }, { document, sketch }))
  if (found !== undefined) return found.document
  return isThere && isNear(catalogue, { doc, ...facts }, near) ? near : null
}

type Asked = TextFacts & { doc: Document }

function isCopy(
  catalogue: Catalogue,
  { doc, sketch: mine, pages }: Asked,
  { document, sketch }: { document: Document; sketch: TextSketch }
): boolean {
  if (catalogue.isBeingRemoved(document.id)) return false
  const [few, many] = [Math.min(mine.words, sketch.words), Math.max(mine.words, sketch.words)]
  if (few < MIN_WORDS || many - few > SIMILAR_LENGTH * many) return false
  const least = areNamesakes(doc, document) ? SHARED_OF_NAMESAKE : SHARED
  return commonOf(mine, sketch).both >= least && isOneEdition(catalogue, { doc, pages }, document)
}

/** Documents read before there were sketches have a fingerprint alone; their pages tell. */
function isNear(catalogue: Catalogue, { doc, pages }: Asked, near: Document): boolean {
  const theirs = catalogue.pages(near.id)
  const [mine, other] = [wordsOf(pages), wordsOf(theirs)]
  if (Math.min(mine, other) < MIN_WORDS || Math.abs(mine - other) > SIMILAR_LENGTH * Math.max(mine, other)) return false
  return (
    sharedShingles(texts(pages), texts(theirs)) >= SHARED_BY_FINGERPRINT &&
    isOneEdition(catalogue, { doc, pages }, near)
  )
}

/** Nothing that both say of their version, edition, volume or year speaks against it. */
function isOneEdition(
  catalogue: Catalogue,
  { doc, pages }: { doc: Document; pages: readonly Page[] },
  other: Document
): boolean {
  if (doc.edition !== '' && other.edition !== '' && doc.edition !== other.edition) return false
  if (doc.year !== '' && other.year !== '' && Math.abs(Number(doc.year) - Number(other.year)) > YEARS_OF_ONE_EDITION)
    return false
  const [numbers, others] = [numbersIn(doc.title), numbersIn(other.title)]
  if (numbers !== '' && others !== '' && numbers !== others) return false
  const [version, theirs] = [versionIn(pages), versionIn(catalogue.pages(other.id, { from: 1, to: 3 }))]
  return version === '' || theirs === '' || version === theirs
}

/** `Volume 2`, `(v1.8)`, `2019`: the numbers of a title, in order. */
const numbersIn = (title: string): string => (title.match(/\d+(?:\.\d+)*/g) ?? []).join(' ')

/** The first version that the first pages name, that of a licence aside. */
function versionIn(pages: readonly Page[]): string {
  const front = texts(pages.slice(0, 3)).join('\n').slice(0, FRONT)
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

function wordsOf(pages: readonly Page[]): number {
  return texts(pages).reduce((sum, text) => sum + comparedWords(text).length, 0)
}

function texts(pages: readonly Page[]): string[] {
  return pages.map(({ text }) => text)
}
