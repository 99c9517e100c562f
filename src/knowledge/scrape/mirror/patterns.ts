/** A pattern is judged by so many pages at a time. */
const WINDOW = 12
/** Fewer pages of these that bring something new say that the others will not either. */
const FEWEST_NEW = 3
/** A page brings something new with so many words that no page of its pattern had. */
const NEW_WORDS = 3
const MOST_WORDS_OF_PAGE = 2000
const LETTERS_OF_PAGE = 200_000
/** Of all patterns together: numbers of 32 bits. Beyond, nothing is judged any more, and nothing is left out for it. */
const MOST_WORDS = 500_000
const LEAST_SHARE = 10

const ID = /(?<![\p{L}\p{N}])(?=[0-9-]*[a-f])(?=[a-f-]*\d)[0-9a-f-]{8,}(?![\p{L}\p{N}])/giu
const MONTH =
  /(?<!\p{L})(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)(?!\p{L})/giu

/**
 * The pattern of an address: numbers, dates, ids and the values of parameters make no difference, such as
 * `example.org/calendar/#-#?day=*`. `path` is as `decoded` gives it.
 */
export function patternOf({ host, searchParams }: URL, path: string): string {
  const plain = path.replace(ID, '#').replace(MONTH, '#').replace(/\d+/g, '#')
  const names = [...new Set(searchParams.keys())].sort().map((name) => `${name.replace(/\d+/g, '#')}=*`)
  return `${host.replace(/^www\./, '')}${plain}${names.length === 0 ? '' : `?${names.join('&')}`}`
}

interface Known {
  fetched: number
  words: Set<number>
  /** Of the last pages: whether each brought something new. */
  news: boolean[]
}

/** The patterns of a crawl's pages: how many pages each has had, and whether they still say something new. */
export class Patterns {
  readonly #known = new Map<string, Known>()
  readonly #share: number
  #words = 0
  #chained = 0

  /** `percent` of `maxPages` is what a pattern has before all others have had their turn; 100 is all of them. */
  constructor({ maxPages, percent }: { maxPages: number; percent: number }) {
    this.#share = percent >= 100 ? Number.POSITIVE_INFINITY : Math.max(LEAST_SHARE, (maxPages * percent) / 100)
  }

  /** A page of it was asked for, whatever came. `isChained`: only pages of its own kind lead to it. */
  fetched(pattern: string, isChained: boolean): void {
    this.#of(pattern).fetched++
    if (isChained) this.#chained++
  }

  count(pattern: string): number {
    return this.#known.get(pattern)?.fetched ?? 0
  }

  isFull(pattern: string): boolean {
    return this.count(pattern) >= this.#share
  }

  /** Patterns that lead to each other are one trap: together they have what one may have. */
  get areChainsFull(): boolean {
    return this.#chained >= this.#share
  }

  /** The last pages of it brought nothing new. */
  isExhausted(pattern: string): boolean {
    const news = this.#known.get(pattern)?.news ?? []
    return news.length >= WINDOW && news.filter((isNew) => isNew).length < FEWEST_NEW
  }

  /** A page of it was read. Numbers say nothing: a calendar has a new one on each page. */
  read(pattern: string, html: string): void {
    if (this.#share === Number.POSITIVE_INFINITY) return
    const known = this.#of(pattern)
    if (this.#words >= MOST_WORDS) {
      known.news.length = 0
      return
    }
    let fresh = 0
    for (const word of wordsOf(html)) {
      if (known.words.has(word)) continue
      known.words.add(word)
      this.#words++
      fresh++
    }
    known.news.push(fresh >= NEW_WORDS)
    if (known.news.length > WINDOW) known.news.shift()
  }

  #of(pattern: string): Known {
    const found = this.#known.get(pattern) ?? { fetched: 0, words: new Set(), news: [] }
    this.#known.set(pattern, found)
    return found
  }
}

function* wordsOf(html: string): Iterable<number> {
  const text = html.slice(0, LETTERS_OF_PAGE).replace(/<[^<>]*>/g, ' ')
  let count = 0
  for (const [word] of text.matchAll(/\p{L}{3,}/gu)) {
    if (++count > MOST_WORDS_OF_PAGE) return
    yield digest(word.toLowerCase())
  }
}

/** FNV-1a. */
function digest(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
