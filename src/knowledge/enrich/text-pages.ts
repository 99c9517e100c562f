const PAGE_WORDS = 2000
/** A paragraph longer than this is cut at the end of a sentence. */
const LONGEST_PARAGRAPH = PAGE_WORDS * 1.5
/** Characters that count as a word where there are no spaces. */
const LETTERS_OF_A_WORD = 6
/** A longer run of letters is no word. */
const LONGEST_WORD = 100
/** After a sentence, or after a line. */
const SENTENCE_END = /(?<=[.!?]["')\]]?\s)|(?<=[。！？\n])/u
const PARAGRAPH_END = /\n[ \t]*\n/
/** Characters that are held back until the end of their page has come: a score of pages, whatever the text. */
const HELD = 256 * 1024

/** Cuts text into pages: at form feeds, else after about 2000 words, on the border of a paragraph. */
export function cutPages(text: string): string[] {
  const cutter = new PageCutter()
  return [...cutter.add(text), ...cutter.end()]
}

/** `cutPages` of a text that comes in pieces: holds a few pages of it at a time, also where no line ever ends. */
export class PageCutter {
  /** Of the part behind the last form feed, what no page was made of yet. */
  #held = ''
  /** Its beginning is a page of a longer part: what is left of that is one too, however short. */
  #isPacked = false;

  /** The pages that are complete. */
  *add(piece: string): Generator<string> {
    const text = this.#held + piece
    // The other half of this line end may come with the next piece.
    const cut = text.endsWith('\r') ? text.length - 1 : text.length
    const parts = text.slice(0, cut).replace(/\r\n?/g, '\n').split('\f')
    for (const part of parts.slice(0, -1)) yield* this.#whole(part)
    this.#held = parts.at(-1) ?? ''
    if (this.#held.length > HELD) yield* this.#beginning()
    this.#held += text.slice(cut)
  }

  *end(): Generator<string> {
    yield* this.#whole(this.#held.replace(/\r$/, '\n'))
    this.#held = ''
  }

  *#whole(part: string): Generator<string> {
    const pages = this.#isPacked || wordCount(part) > LONGEST_PARAGRAPH ? pack(part) : [part]
    this.#isPacked = false
    yield* pages.filter(isFilled)
  }

  /** All pages but the last, which the rest of its text belongs to. A paragraph that has not ended waits, unless it is all there is. */
  *#beginning(): Generator<string> {
    const end = lastParagraphEnd(this.#held)
    const pages = pack(end === -1 ? this.#held : this.#held.slice(0, end))
    const last = pages.pop() ?? ''
    this.#held = last + (end === -1 ? '' : this.#held.slice(end))
    this.#isPacked = true
    yield* pages.filter(isFilled)
  }
}

function isFilled(text: string): boolean {
  return /\S/.test(text)
}

/** In the second half: before it there is too little to be packed. */
function lastParagraphEnd(text: string): number {
  const from = Math.floor(text.length / 2)
  const end = text.lastIndexOf('\n\n')
  return end > from ? end : -1
}

function pack(text: string): string[] {
  const pages: string[] = []
  let page: string[] = []
  let words = 0
  for (const paragraph of text.split(PARAGRAPH_END).filter(isFilled).flatMap(sentencesOfLong)) {
    const more = wordCount(paragraph)
    if (words > 0 && words + more > PAGE_WORDS) {
      pages.push(page.join('\n\n'))
      page = []
      words = 0
    }
    page.push(paragraph)
    words += more
  }
  pages.push(page.join('\n\n'))
  return pages
}

/** A paragraph as it is, or one that is too long in pieces of whole sentences. */
function sentencesOfLong(paragraph: string): string[] {
  if (wordCount(paragraph) <= LONGEST_PARAGRAPH) return [paragraph]
  const pieces: string[] = []
  let piece = ''
  let words = 0
  for (const sentence of paragraph.split(SENTENCE_END).flatMap(hardCut)) {
    const more = wordCount(sentence)
    if (words > 0 && words + more > PAGE_WORDS) {
      pieces.push(piece)
      piece = ''
      words = 0
    }
    piece += sentence
    words += more
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

/** A "sentence" that is no sentence, such as a table without ends: between words where there are any. */
function hardCut(sentence: string): string[] {
  if (wordCount(sentence) <= PAGE_WORDS) return [sentence]
  const size = PAGE_WORDS * LETTERS_OF_A_WORD
  const pieces: string[] = []
  for (let at = 0; at < sentence.length; ) {
    const end = at + size >= sentence.length ? sentence.length : cutNear(sentence, at + size)
    pieces.push(sentence.slice(at, end))
    at = end
  }
  return pieces
}

/** The place before `at` where a cut hurts least: at a blank, else never between the two halves of a character. */
function cutNear(text: string, at: number): number {
  for (let back = 0; back < LONGEST_WORD; back++) if (isBlankCode(text.charCodeAt(at - back))) return at - back
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

/** Counted sign by sign: a list of all words would be larger than the text. */
function wordCount(text: string): number {
  let words = 0
  let wasBlank = true
  for (let at = 0; at < text.length; at++) {
    const isBlank = isBlankCode(text.charCodeAt(at))
    if (wasBlank && !isBlank) words++
    wasBlank = isBlank
  }
  return Math.max(words, Math.floor(text.length / (LETTERS_OF_A_WORD * 2)))
}

/** True for the same characters as `\s`. */
function isBlankCode(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}
