import { Parser } from 'htmlparser2'

/** The content of a page for a reader. */
export interface ArticleText {
  /** `<title>`, else the first heading; may be empty. */
  title: string
  text: string
}

/** No text of the article: what surrounds it, what is run or only drawn. */
const LEFT_OUT = new Set(
  'nav footer script style header aside noscript template svg iframe object embed audio video canvas button select textarea annotation annotation-xml'.split(
    ' '
  )
)
const BLOCKS = new Set(
  'address article blockquote body caption center dd details div dl dt fieldset figcaption figure form hgroup hr html li main menu ol p pre section summary ul'.split(
    ' '
  )
)
const HEADING = /^h([1-6])$/
/** A longer cell is a column of a page's layout. */
const MAX_CELL = 400
/** Tables within tables beyond this are read as one text. */
const MAX_TABLES = 20
/** Characters; the longest articles have one million. */
const MAX_TEXT = 4_000_000
/** The parser's time grows with the depth of a page: elements nobody closed, so many of them, are closed by us. */
const MAX_DEPTH = 2000
const CHUNK = 8192
const LINE_BREAK = '\u2028'

type Kind = 'text' | 'heading' | 'item' | 'row'
interface Block {
  kind: Kind
  text: string
}

interface Table {
  /** The list that the words of the table go to. */
  outer: Block[]
  row: string[] | null
  isInCell: boolean
}

/**
 * The text of an article as somebody would write it down: paragraphs with blank lines between, headings after `#`, lists line
 * by line, tables as rows of `cell | cell`; without navigation, margins and scripts. Well formed or not, in one go, bounded.
 */
export function articleText(html: string): ArticleText {
  const writer = new Writer()
  let parser = parserFor(writer)
  for (let at = 0; at < html.length; ) {
    const piece = html.slice(at, at + CHUNK)
    // Ends with a tag, where there is one: a parser that is ended within it would take the rest for text.
    const end = piece.lastIndexOf('>') + 1 || piece.length
    parser.write(piece.slice(0, end))
    at += end
    if (writer.depth <= MAX_DEPTH) continue
    parser.end()
    parser = parserFor(writer)
  }
  parser.end()
  return writer.result()
}

function parserFor(writer: Writer): Parser {
  return new Parser(
    {
      onopentag: (tag, attributes) => writer.open(tag, attributes),
      ontext: (text) => writer.words(text),
      onclosetag: (tag) => writer.close(tag)
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true }
  )
}

class Writer {
  /** Elements that are open. */
  depth = 0
  readonly #all: Block[] = []
  #blocks = this.#all
  readonly #tables: Table[] = []
  #line = ''
  #length = 0
  #kind: Kind = 'text'
  #level = 0
  #mark = ''
  #lists = 0
  #preformatted = 0
  /** Elements open within what is left out. */
  #hidden = 0
  #title: string | null = null
  #isInTitle = false
  #firstHeading = ''

  open(tag: string, attributes: Record<string, string>): void {
    this.depth++
    if (this.#hidden > 0 || isLeftOut(tag, attributes)) {
      this.#hidden++
      return
    }
    const level = HEADING.exec(tag)?.[1]
    if (tag === 'title') this.#isInTitle = this.#title === null
    else if (tag === 'br') this.#line += this.#preformatted > 0 ? '\n' : LINE_BREAK
    else if (level !== undefined) this.#begin('heading', Number(level))
    else if (tag === 'table') this.#openTable()
    else if (tag === 'tr') this.#endRow()
    else if (tag === 'td' || tag === 'th') this.#openCell()
    else if (BLOCKS.has(tag)) this.#openBlock(tag)
  }

  words(text: string): void {
    if (this.#hidden > 0) return
    if (this.#isInTitle) this.#title = `${this.#title ?? ''}${text}`.slice(0, 1000)
    else if (this.#length < MAX_TEXT) {
      this.#line += text.slice(0, MAX_TEXT - this.#length)
      this.#length += text.length
    }
  }

  close(tag: string): void {
    this.depth--
    if (this.#hidden > 0) {
      this.#hidden--
      return
    }
    if (tag === 'title') this.#isInTitle = false
    else if (HEADING.test(tag)) this.#flush()
    else if (tag === 'table') this.#closeTable()
    else if (tag === 'tr') this.#endRow()
    else if (tag === 'td' || tag === 'th') this.#endCell()
    else if (BLOCKS.has(tag)) this.#closeBlock(tag)
  }

  result(): ArticleText {
    while (this.#tables.length > 0) this.#closeTable()
    this.#flush()
    return { title: tidy(this.#title ?? '') || this.#firstHeading, text: joined(this.#all) }
  }

  #begin(kind: Kind, level = 0): void {
    this.#flush()
    this.#kind = kind
    this.#level = level
  }

  #openBlock(tag: string): void {
    this.#begin('text')
    if (tag === 'ul' || tag === 'ol' || tag === 'menu') this.#lists++
    else if (tag === 'pre') this.#preformatted++
    else if (tag === 'li' || tag === 'dt' || tag === 'dd') {
      this.#kind = 'item'
      const indent = '  '.repeat(Math.min(4, Math.max(0, this.#lists - 1)))
      this.#mark = tag === 'li' ? `${indent}- ` : tag === 'dd' ? '  ' : ''
    }
  }

  #closeBlock(tag: string): void {
    this.#flush()
    if (tag === 'ul' || tag === 'ol' || tag === 'menu') this.#lists = Math.max(0, this.#lists - 1)
    else if (tag === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1)
  }

  #flush(): void {
    const line = this.#preformatted > 0 ? this.#line.replace(/^\n+|\s+$/g, '') : tidy(this.#line)
    this.#line = ''
    const [kind, mark] = [this.#kind, this.#mark]
    if (line === '') return
    this.#kind = 'text'
    this.#mark = ''
    if (kind !== 'heading') this.#blocks.push({ kind, text: `${mark}${line}` })
    else {
      if (this.#firstHeading === '') this.#firstHeading = line
      this.#blocks.push({ kind, text: `${'#'.repeat(this.#level)} ${line.replace(/\n/g, ' ')}` })
    }
  }

  #openTable(): void {
    this.#begin('text')
    if (this.#tables.length < MAX_TABLES) this.#tables.push({ outer: this.#blocks, row: null, isInCell: false })
  }

  #openCell(): void {
    this.#endCell()
    this.#flush()
    const table = this.#tables.at(-1)
    if (table === undefined) return
    table.row ??= []
    table.isInCell = true
    this.#blocks = []
  }

  /** Short text is a cell; anything more is read where it stands. */
  #endCell(): void {
    this.#flush()
    const table = this.#tables.at(-1)
    if (table?.isInCell !== true) return
    const blocks = this.#blocks
    table.isInCell = false
    this.#blocks = table.outer
    const text = blocks
      .map((block) => block.text)
      .join(' ')
      .replace(/\s*[|\n]\s*/g, ' ')
    const isCell = text.length <= MAX_CELL && blocks.every(({ kind }) => kind === 'text' || kind === 'item')
    if (isCell) table.row?.push(text)
    else {
      this.#writeRow(table)
      table.row = []
      for (const block of blocks) table.outer.push(block)
    }
  }

  #endRow(): void {
    this.#endCell()
    const table = this.#tables.at(-1)
    if (table === undefined) return
    this.#writeRow(table)
    table.row = null
  }

  #writeRow({ row, outer }: Table): void {
    const cells = row ?? []
    const filled = cells.filter((cell) => cell !== '')
    if (filled.length === 0) return
    outer.push(cells.length === 1 ? { kind: 'text', text: filled[0] ?? '' } : { kind: 'row', text: cells.join(' | ') })
  }

  #closeTable(): void {
    this.#endRow()
    const table = this.#tables.pop()
    if (table !== undefined) this.#blocks = table.outer
  }
}

function isLeftOut(tag: string, attributes: Record<string, string>): boolean {
  if (LEFT_OUT.has(tag) || 'hidden' in attributes) return true
  // The "edit" beside each heading of a wiki.
  return attributes['class']?.includes('mw-editsection') === true
}

/** One blank between words, none around line breaks, no invisible signs. */
function tidy(line: string): string {
  return line
    .replace(/[\u200b\ufeff\u00ad]|[^\P{Cc}\s]/gu, '')
    .replace(/[^\S\u2028]+/g, ' ')
    .replace(/ *\u2028[ \u2028]*/g, '\n')
    .trim()
}

function joined(blocks: readonly Block[]): string {
  const parts: string[] = []
  let before: Kind | null = null
  for (const { kind, text } of blocks) {
    if (before !== null) parts.push(kind === before && (kind === 'item' || kind === 'row') ? '\n' : '\n\n')
    parts.push(text)
    before = kind
  }
  return parts.join('')
}
