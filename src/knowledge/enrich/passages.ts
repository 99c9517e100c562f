import { type Block, blocksOf, isDivision } from './blocks.ts'
import { splitSentences } from './sentences.ts'

/** Characters. A passage is filled up to the first; a fragment joined to it may take it to the second. */
const FILL = 1050
export const MAX_PASSAGE = 1200
/** Shorter ones are joined to a neighbour. */
const TINY = 120
/** A heading, or the end of a page, ends a passage that has this much. */
const ENOUGH = 350

/** A piece of the text itself, small enough to be shown and to be searched. */
export interface Passage {
  text: string
  firstPage: number
  lastPage: number
  /** The heading it stands under; empty before the first one. */
  heading: string
}

/**
 * Cuts the text of pages into passages of at most 1200 characters: between paragraphs where possible, else between
 * sentences, else between words. Tables and lists stay whole where they fit. No word is lost, none comes twice, the order
 * stays. `heading`: the one that was in force before the first page.
 */
export function passagesOf(pages: readonly { number: number; text: string }[], heading = ''): Passage[] {
  const blocks = withoutRunningHeads(pages.flatMap(blocksOf))
  const builder = new Builder(heading)
  for (const block of blocks) builder.add(block)
  return joinTiny(builder.end())
}

class Builder {
  readonly #done: Passage[] = []
  #text = ''
  #first = 0
  #last = 0
  /** Of the passage that is being filled, and of what comes next. */
  #heading: string
  #next: string
  /** The passage has nothing but headings so far: what comes next belongs to them. */
  #onlyHeadings = true

  constructor(heading: string) {
    this.#heading = heading
    this.#next = heading
  }

  add(block: Block): void {
    if (block.kind === 'heading') this.#addHeading(block)
    else {
      if (block.page !== this.#last && this.#mayEndWithPage()) this.#cut()
      this.#addBody(block)
    }
  }

  end(): Passage[] {
    this.#cut()
    return this.#done
  }

  /** With a sentence, if there is enough; and before a third page, whose text would be cited with the first one's number. */
  #mayEndWithPage(): boolean {
    if (this.#onlyHeadings) return false
    if (this.#first !== this.#last) return this.#text.length >= TINY
    return this.#text.length >= ENOUGH && /[.!?:;)\]"”’|]$/.test(this.#text)
  }

  #addHeading(block: Block): void {
    if (!this.#onlyHeadings && this.#text.length >= ENOUGH) this.#cut()
    const title = block.text.replace(/^#{1,6} /, '')
    if (this.#onlyHeadings) this.#heading = title
    this.#next = title
    if (!this.#fits(block.text, '\n\n')) this.#cut()
    this.#append(block.text, block.page, '\n\n')
  }

  #addBody(block: Block): void {
    const isWorthFilling = block.kind === 'prose' || block.text.length > FILL
    if (!this.#fits(block.text, '\n\n') && (this.#text.length >= ENOUGH || !(isWorthFilling || this.#onlyHeadings)))
      this.#cut()
    const isWhole = this.#fits(block.text, '\n\n')
    const within = block.kind === 'lines' ? '\n' : ' '
    let separator = '\n\n'
    for (const piece of isWhole ? [block.text] : pieces(block.text, FILL, within)) {
      if (!this.#fits(piece, separator)) this.#cut()
      this.#append(piece, block.page, separator)
      this.#onlyHeadings = false
      separator = within
    }
  }

  #fits(text: string, separator: string): boolean {
    return (this.#text === '' ? 0 : this.#text.length + separator.length) + text.length <= FILL
  }

  #append(text: string, page: number, separator: string): void {
    if (this.#text === '') this.#first = page
    this.#text = this.#text === '' ? text : this.#text + separator + text
    this.#last = page
  }

  #cut(): void {
    if (this.#text !== '') {
      const { text, firstPage, lastPage } = { text: this.#text, firstPage: this.#first, lastPage: this.#last }
      this.#done.push({ text, firstPage, lastPage, heading: this.#heading })
    }
    this.#text = ''
    this.#onlyHeadings = true
    this.#heading = this.#next
  }
}

/** Lines of a table, sentences of a paragraph, or, of one that is longer than `most`, words; of a longer word, characters. */
function pieces(text: string, most: number, within: string): string[] {
  const parts = within === '\n' ? text.split('\n') : splitSentences(text).map((sentence) => sentence.trim())
  return parts.filter((part) => part !== '').flatMap((part) => (part.length <= most ? [part] : cutWords(part, most)))
}

function cutWords(text: string, most: number): string[] {
  const cut: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap((each) => cutCharacters(each, most))) {
    if (line !== '' && line.length + 1 + word.length > most) {
      cut.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? cut : [...cut, line]
}

/** Never between the two halves of a character. */
function cutCharacters(word: string, most: number): string[] {
  const cut: string[] = []
  let rest = word
  while (rest.length > most) {
    const code = rest.charCodeAt(most - 1)
    const at = code >= 0xd800 && code <= 0xdbff ? most - 1 : most
    cut.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...cut, rest]
}

/** A fragment goes with the passage after it, which it probably begins, else with the one before. */
function joinTiny(passages: readonly Passage[]): Passage[] {
  const joined: Passage[] = []
  for (const passage of passages) {
    const before = joined.at(-1)
    const isSmall = passage.text.length < TINY || (before?.text.length ?? TINY) < TINY
    if (before === undefined || !isSmall || before.text.length + 2 + passage.text.length > MAX_PASSAGE)
      joined.push(passage)
    else {
      joined[joined.length - 1] = {
        text: `${before.text}\n\n${passage.text}`,
        firstPage: before.firstPage,
        lastPage: passage.lastPage,
        heading: before.text.length < TINY ? passage.heading : before.heading
      }
    }
  }
  return joined
}

/** A line on three pages or more is no heading, but the head of every page. It stays in the text. */
function withoutRunningHeads(blocks: readonly Block[]): Block[] {
  const pages = new Map<string, Set<number>>()
  for (const { kind, text, page } of blocks) {
    if (kind !== 'heading') continue
    const key = runningKey(text)
    pages.set(key, (pages.get(key) ?? new Set()).add(page))
  }
  const isRunning = (text: string): boolean => (pages.get(runningKey(text))?.size ?? 0) >= 3
  return blocks.map((block) =>
    block.kind === 'heading' && isRunning(block.text) ? { ...block, kind: 'prose' } : block
  )
}

/** Heads of pages differ in the number of the page. The number of a chapter is what it is about. */
function runningKey(text: string): string {
  const line = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')
  return (isDivision(text) ? line : line.replace(/\p{N}+/gu, '')).replace(/\s+/g, ' ').trim()
}
