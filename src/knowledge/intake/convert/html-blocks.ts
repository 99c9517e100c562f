import type { Block } from './block.ts'
import { MOST_OPEN, ShallowParser } from './shallow-parser.ts'

/** Elements that end the paragraph before them and after them. */
const BLOCKS = new Set(
  'address article aside body center dd details div dl dt fieldset figcaption figure footer form header hgroup hr main nav ol p section summary table tbody tfoot thead tr ul li blockquote pre h1 h2 h3 h4 h5 h6 caption mbp:pagebreak'.split(
    ' '
  )
)
/** Elements whose content is not read; EPUB viewers show none of it. */
const SILENT = new Set(['script', 'style', 'head', 'template', 'noscript', 'iframe', 'object', 'math-annotation', 'rp'])
const DEEPEST = 8
/** Line separator (U+2028): what <br> is inside of a text. */
const LINE_BREAK = '\n\u2028'

interface List {
  ordered: boolean
  next: number
}

/**
 * Turns HTML or XHTML, well formed or not, into blocks, in order, as it is fed. Text outside of any block element is a
 * paragraph too: nothing that a reader would see is lost.
 */
export class HtmlBlocks {
  readonly #parser: ShallowParser
  readonly #found: Block[] = []
  readonly #silent: string[] = []
  readonly #lists: List[] = []
  #text = ''
  #heading = 0
  #quotes = 0
  #preformatted = 0
  #item: { depth: number; marker: string } | null = null
  #row: { cells: string[]; header: boolean } | null = null
  #cells = 0
  /** Elements that are open. */
  #depth = 0

  constructor() {
    this.#parser = new ShallowParser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (text) => {
          if (this.#silent.length === 0) this.#text += text
        },
        onclosetag: (name) => this.#close(name)
      },
      // Something silent is opened at any depth: its content would be read.
      (name) => this.#depth > MOST_OPEN && (this.#silent.length > 0 || !SILENT.has(name)),
      { decodeEntities: true, recognizeSelfClosing: true, recognizeCDATA: true, lowerCaseTags: true }
    )
  }

  /** Feeds a piece of markup; the answer is the blocks that are complete. */
  feed(markup: string): Block[] {
    this.#parser.write(markup)
    return this.#found.splice(0)
  }

  /** The markup is over; the answer is what was still open. */
  end(): Block[] {
    this.#parser.end()
    if (this.#cells > 0) {
      this.#cells = 1
      this.#closeCell()
    }
    this.#flushRow()
    this.#flush()
    return this.#found.splice(0)
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#depth++
    if (SILENT.has(name)) this.#silent.push(name)
    if (this.#silent.length > 0) return
    if (name === 'br') this.#text += this.#row === null ? LINE_BREAK : ' '
    else if (name === 'img' || name === 'image' || name === 'svg:image') this.#picture(attributes)
    else if (name === 'td' || name === 'th') this.#openCell(name)
    else if (name === 'rt') this.#text += ' ('
    else if (BLOCKS.has(name)) this.#openBlock(name, attributes)
  }

  #close(name: string): void {
    this.#depth--
    if (SILENT.has(name)) {
      const at = this.#silent.lastIndexOf(name)
      if (at !== -1) this.#silent.splice(at)
      return
    }
    if (this.#silent.length > 0) return
    if (name === 'td' || name === 'th') this.#closeCell()
    else if (name === 'rt') this.#text += ') '
    else if (BLOCKS.has(name)) this.#closeBlock(name)
  }

  #openBlock(name: string, attributes: Record<string, string>): void {
    if (this.#cells > 0) {
      // A block inside of a table cell stays in its row, another table too.
      this.#text += ' '
      return
    }
    this.#flushRow()
    this.#flush()
    if (/^h[1-6]$/.test(name)) this.#heading = Number(name[1])
    else if (name === 'blockquote') this.#quotes += 1
    else if (name === 'pre') this.#preformatted += 1
    else if (name === 'ul' || name === 'ol')
      this.#lists.push({ ordered: name === 'ol', next: Number.parseInt(attributes['start'] ?? '1', 10) || 1 })
    else if (name === 'li') this.#openItem()
    else if (name === 'tr') this.#row = { cells: [], header: true }
    else if (name === 'mbp:pagebreak') this.#found.push({ kind: 'new-page' })
  }

  #closeBlock(name: string): void {
    if (this.#cells > 0) {
      this.#text += ' '
      return
    }
    this.#flushRow()
    this.#flush()
    if (/^h[1-6]$/.test(name)) this.#heading = 0
    else if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1)
    else if (name === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1)
    else if (name === 'ul' || name === 'ol') this.#lists.pop()
    else if (name === 'li') this.#item = null
  }

  #openItem(): void {
    const list = this.#lists.at(-1)
    const marker = list?.ordered === true ? `${list.next}.` : '•'
    if (list !== undefined) list.next += 1
    this.#item = { depth: Math.min(Math.max(1, this.#lists.length), DEEPEST), marker }
  }

  #openCell(name: string): void {
    this.#row ??= { cells: [], header: true }
    if (this.#cells === 0) this.#flush()
    this.#cells += 1
    if (name === 'td') this.#row.header = false
  }

  #closeCell(): void {
    this.#cells = Math.max(0, this.#cells - 1)
    if (this.#cells > 0) {
      // A table inside of a cell: its cells stand in the cell, one after the other.
      this.#text += ' '
      return
    }
    this.#row?.cells.push(this.#text)
    this.#text = ''
  }

  #flushRow(): void {
    const row = this.#row
    this.#row = null
    if (row?.cells.some((cell) => cell.trim() !== '') === true) {
      this.#found.push({ kind: 'row', cells: row.cells.map((cell) => cell.trim()), header: row.header })
    }
  }

  #picture(attributes: Record<string, string>): void {
    const source = attributes['src'] ?? attributes['xlink:href'] ?? attributes['href'] ?? ''
    const description = attributes['alt'] ?? ''
    if (source === '') return
    if (this.#cells === 0) this.#flush()
    this.#found.push({ kind: 'picture', source, description })
  }

  #flush(): void {
    const text = this.#text
    this.#text = ''
    if (text.trim() === '') return
    if (this.#heading > 0) this.#found.push({ kind: 'heading', level: this.#heading, text })
    else if (this.#preformatted > 0) this.#found.push({ kind: 'preformatted', text })
    else this.#found.push(...this.#paragraphs(text))
  }

  /** A line break in running text is a paragraph of its own: verses and addresses keep their lines. */
  #paragraphs(text: string): Block[] {
    const blocks: Block[] = []
    for (const part of text.split(LINE_BREAK)) {
      if (part.trim() === '') continue
      if (this.#item !== null) {
        blocks.push({ kind: 'item', ...this.#item, text: part })
        this.#item.marker = ''
      } else blocks.push({ kind: this.#quotes > 0 ? 'quote' : 'paragraph', text: part })
    }
    return blocks
  }
}
