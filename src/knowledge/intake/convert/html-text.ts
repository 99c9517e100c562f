import { type Element, elementsOf } from './html-tree.ts'

const BLOCKS = new Set(
  'address article blockquote body caption center dd details div dl dt fieldset figcaption figure form header hgroup hr html main p section summary footer aside nav optgroup legend'.split(
    ' '
  )
)
const LISTS = new Set(['ul', 'ol', 'menu'])
const HEADING = /^h([1-6])$/
/** Longer cells are columns of a page's layout, not of a table. */
const MAX_CELL = 400

/**
 * The text of an element as somebody would write it down: paragraphs with blank lines between, headings after `#`, lists with
 * their marks, tables as rows of `cell | cell`, preformatted text line by line.
 */
export function textOf(root: Element): string {
  const writer = new Writer()
  writer.element(root)
  return writer.text()
}

/** A line in its parts: to look at the end of one string that grows by each word costs the square of its length. */
class Line {
  #parts: string[] = []

  /** Words with single blanks between them. */
  add(words: string): void {
    const isAfterBlank = /^$|\s$/.test(this.#parts.at(-1)?.slice(-1) ?? '')
    const added = isAfterBlank ? words.trimStart() : words
    if (added !== '') this.#parts.push(added)
  }

  break(): void {
    for (let last = this.#parts.pop(); last !== undefined; last = this.#parts.pop()) {
      const words = last.trimEnd()
      if (words === '') continue
      this.#parts.push(words)
      break
    }
    this.#parts.push('\n')
  }

  /** The whole, and begins anew. */
  take(): string {
    const line = this.#parts.join('').replace(/ *\n */g, '\n')
    this.#parts = []
    return line.trim()
  }
}

class Writer {
  readonly #blocks: string[] = []
  readonly #line = new Line()
  /** Lists that are open; their next number, or null for a mark. */
  readonly #lists: (number | null)[] = []
  /** The mark that the next line begins with. */
  #mark = ''
  #isInList = false

  text(): string {
    this.#flush()
    return this.#blocks
      .join('')
      .replace(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  element(element: Element): void {
    const level = HEADING.exec(element.tag)?.[1]
    if (level !== undefined) this.#heading(element, Number(level))
    else if (element.tag === 'br') this.#line.break()
    else if (element.tag === 'pre') this.#block(() => this.#preformatted(element))
    else if (element.tag === 'table') this.#block(() => this.#table(element))
    else if (LISTS.has(element.tag)) this.#list(element)
    else if (element.tag === 'li') this.#item(element)
    else if (BLOCKS.has(element.tag)) this.#block(() => this.#children(element))
    else this.#children(element)
  }

  #children(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.#words(child)
      else this.element(child)
    }
  }

  #words(text: string): void {
    this.#line.add(text.replace(/[\u200b\ufeff\u00ad]/g, '').replace(/[\s\u00a0]+/g, ' '))
  }

  #block(write: () => void): void {
    this.#flush()
    write()
    this.#flush()
  }

  #flush(): void {
    const line = this.#line.take()
    if (line === '') return
    this.#blocks.push(this.#isInList ? `\n${this.#mark}${line}` : `\n\n${line}`)
    this.#mark = this.#mark.replace(/\S/g, ' ')
  }

  #heading(element: Element, level: number): void {
    this.#block(() => {
      const before = this.#blocks.length
      this.#children(element)
      this.#flush()
      const text = this.#blocks.splice(before).join(' ').replace(/\s+/g, ' ').trim()
      if (text !== '') this.#blocks.push(`\n\n${'#'.repeat(level)} ${text}\n\n`)
    })
  }

  #list(element: Element): void {
    this.#flush()
    const { tag, attributes } = element
    const first = Number(attributes['start'] ?? 1)
    const isOutermost = this.#lists.length === 0
    if (isOutermost) this.#blocks.push('\n')
    const mark = this.#mark
    this.#lists.push(tag === 'ol' ? (Number.isSafeInteger(first) ? first : 1) : null)
    this.#isInList = true
    this.#children(element)
    this.#flush()
    this.#lists.pop()
    this.#mark = mark
    this.#isInList = this.#lists.length > 0
    if (isOutermost) this.#blocks.push('\n')
  }

  #item(element: Element): void {
    this.#flush()
    const number = this.#lists.at(-1)
    const indent = '  '.repeat(Math.max(0, Math.min(5, this.#lists.length - 1)))
    this.#mark = `${indent}${typeof number === 'number' ? `${number}.` : '-'} `
    if (typeof number === 'number') this.#lists[this.#lists.length - 1] = number + 1
    const isListed = this.#isInList
    this.#isInList = true
    this.#children(element)
    this.#flush()
    this.#isInList = isListed
    this.#mark = indent
  }

  #preformatted(element: Element): void {
    const raw = rawText(element).replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd()
    if (raw.trim() !== '') this.#blocks.push(`\n\n${raw}\n\n`)
  }

  /** A table of long cells, of one column, or with tables in it, is a layout: its cells are read one after the other. */
  #table(table: Element): void {
    const rows = rowsOf(table)
    if (rows.length === 0) {
      this.#children(table)
      return
    }
    const caption = table.children.find((child) => typeof child === 'object' && child.tag === 'caption')
    if (typeof caption === 'object') this.#block(() => this.#children(caption))
    // Looked at first: a table within a table within a table would be written twice at each level.
    const isNested = rows.flat().some((cell) => [...elementsOf(cell)].some(({ tag }) => tag === 'table'))
    const cells = isNested ? [] : rows.map((row) => row.map((cell) => new Writer().cell(cell)))
    const isLayout = cells.every((row) => row.length < 2) || cells.flat().some((cell) => cell.length > MAX_CELL)
    if (isNested || isLayout) {
      for (const cell of rows.flat()) this.#block(() => this.#children(cell))
      return
    }
    const lines = cells.filter((row) => row.some((cell) => cell !== '')).map((row) => row.join(' | '))
    if (lines.length > 0) this.#blocks.push(`\n\n${lines.join('\n')}\n\n`)
  }

  /** The text of a cell, on one line. */
  cell(element: Element): string {
    this.#children(element)
    return this.text()
      .replace(/\s+/g, ' ')
      .replace(/\s*\|\s*/g, ' ')
  }
}

/** Rows of this table alone; those of a table in a cell belong to that cell. */
function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = []
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      if (child.tag === 'tr')
        rows.push(
          child.children.filter((cell) => typeof cell === 'object').filter(({ tag }) => tag === 'td' || tag === 'th')
        )
      else if (child.tag === 'td' || child.tag === 'th') rows.push([child])
      else if (/^(?:thead|tbody|tfoot)$/.test(child.tag)) visit(child)
    }
  }
  visit(table)
  return rows
}

function rawText(element: Element): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : child.tag === 'br' ? '\n' : rawText(child)))
    .join('')
}
