import { isRightToLeft, seenOrder } from '../../knowledge/intake/convert/line-breaker.ts'
import { NumberedSigns } from '../../knowledge/intake/convert/numbered-signs.ts'
import { type OtherFont, TextPainter } from '../../knowledge/intake/convert/text-painter.ts'
import type { Flow, PaperBlock, Span } from './blocks.ts'
import { columnWidths, type Measure, wishOf, wrap } from './lines.ts'
import type { Sheet } from './sheet.ts'

const MARGIN = 42
/** Baselines are so many sizes apart. */
const LEADING = 1.35
const TEXT_SIZE = 9.5
const CELL_SIZE = 8.5
const SMALL_SIZE = 7.5
const HEADING_SIZES = [15, 12.5, 11, 10]
/** Between the rule of a box and its text. */
const PAD = 3
const INK = '#000'
const QUIET_INK = '#555'
const RULE = '#999'
/** Lines of a row that no page parts; a page has some 55. */
const MOST_KEPT_TOGETHER = 20
/** Room that a box to be filled in by hand has at least. */
const BOX_HEIGHT = 34

const measureAt =
  (painter: TextPainter, size: number): Measure =>
  (piece, look) =>
    painter.width(piece, look === 'bold' ? 'bold' : 'regular', size)

/** Sets blocks on pages: tables ruled, their heads on every page; what stands at the head and at the foot of each comes last. */
export class PaperLayout {
  readonly #doc: PDFKit.PDFDocument
  readonly #painter: TextPainter
  readonly #sheet: Sheet
  readonly #width: number
  readonly #bottom: number
  readonly #top: number
  #y: number

  /** The document has its first page, and keeps its pages. */
  constructor(doc: PDFKit.PDFDocument, sheet: Sheet, others: readonly OtherFont[]) {
    this.#doc = doc
    this.#painter = new TextPainter(doc, { others, substitute: new NumberedSigns(doc) })
    this.#sheet = sheet
    this.#width = doc.page.width - 2 * MARGIN
    this.#bottom = doc.page.height - MARGIN - SMALL_SIZE * 2
    this.#top = MARGIN + SMALL_SIZE * 2.2
    this.#y = this.#top
    doc.lineWidth(0.5)
  }

  add(block: PaperBlock): void {
    switch (block.kind) {
      case 'heading':
        this.#heading(block.flow, block.level)
        break
      case 'paragraph':
        this.#paragraph(block.flow, { left: block.note ? 8 : 0, isNote: block.note })
        break
      case 'item':
        this.#paragraph(block.flow, { left: 12, marker: '•' })
        break
      case 'boxes':
        this.#boxes(block.boxes)
        break
      case 'table':
        this.#table(block.heads, block.rows)
        break
    }
  }

  /** Writes head and foot of every page and ends the document. */
  end(): void {
    const { start, count } = this.#doc.bufferedPageRange()
    for (let at = 0; at < count; at++) {
      this.#doc.switchToPage(start + at)
      const number = this.#sheet.words.page.replace('{page}', String(at + 1)).replace('{pages}', String(count))
      this.#margin(this.#sheet.head, MARGIN)
      this.#margin(number, this.#doc.page.height - MARGIN - SMALL_SIZE)
    }
    this.#painter.end()
    this.#doc.end()
  }

  /** One line, as much of it as there is room for. */
  #margin(text: string, y: number): void {
    const [line] = wrap([[{ text, look: 'quiet' }]], this.#width, measureAt(this.#painter, SMALL_SIZE))
    if (line !== undefined) this.#line(line, { x: MARGIN, y, size: SMALL_SIZE, width: this.#width })
  }

  #heading(flow: Flow, level: number): void {
    const size = HEADING_SIZES[Math.min(level, HEADING_SIZES.length) - 1] ?? TEXT_SIZE
    this.#y += size * 0.7
    // A heading at the foot of a page belongs to what follows.
    if (this.#y + size * LEADING + CELL_SIZE * 6 > this.#bottom) this.#newPage()
    const bold = flow.map((line) => line.map(({ text }) => ({ text, look: 'bold' as const })))
    for (const line of wrap(bold, this.#width, measureAt(this.#painter, size))) this.#lineBelow(line, { left: 0, size })
    this.#y += size * 0.2
  }

  #paragraph(flow: Flow, { left, marker, isNote = false }: { left: number; marker?: string; isNote?: boolean }): void {
    const size = TEXT_SIZE
    this.#y += size * 0.3
    let first = true
    for (const line of wrap(flow, this.#width - left, measureAt(this.#painter, size))) {
      this.#room(size * LEADING)
      if (first && marker !== undefined)
        this.#line([{ text: marker, look: 'plain' }], { x: MARGIN, y: this.#y, size, width: left })
      if (isNote) this.#rule(MARGIN, this.#y, MARGIN, this.#y + size * LEADING)
      this.#lineBelow(line, { left, size })
      first = false
    }
    this.#y += size * 0.3
  }

  /** Two beside each other, as on the form. */
  #boxes(boxes: readonly { name: string; flow: Flow }[]): void {
    const width = this.#width / 2
    this.#y += TEXT_SIZE * 0.6
    for (let at = 0; at < boxes.length; at += 2) {
      const pair = boxes
        .slice(at, at + 2)
        .map(({ name, flow }) => [
          ...wrap([[{ text: name, look: 'quiet' }]], width - 2 * PAD, measureAt(this.#painter, SMALL_SIZE)),
          ...wrap(flow, width - 2 * PAD, measureAt(this.#painter, TEXT_SIZE))
        ])
      const lines = Math.max(...pair.map(({ length }) => length))
      const height = Math.max(BOX_HEIGHT, lines * TEXT_SIZE * LEADING + 2 * PAD)
      this.#room(height)
      const each = pair.length === 1 ? this.#width : width
      for (const [column, cell] of pair.entries()) {
        const x = MARGIN + column * width
        this.#doc.rect(x, this.#y, each, height).stroke(RULE)
        for (const [row, line] of cell.entries())
          this.#line(line, {
            ...{ x: x + PAD, y: this.#y + PAD + row * TEXT_SIZE * LEADING, width: each - 2 * PAD },
            size: row === 0 ? SMALL_SIZE : TEXT_SIZE
          })
      }
      this.#y += height
    }
    this.#y += TEXT_SIZE * 0.6
  }

  #table(heads: readonly string[], rows: readonly Flow[][]): void {
    const head: Flow[] = heads.map((text) => [[{ text, look: 'bold' }]])
    const measure = measureAt(this.#painter, CELL_SIZE)
    const widths = this.#widths([head, ...rows], measure)
    const linesOf = (row: readonly Flow[]): Span[][][] =>
      row.map((cell, column) => wrap(cell, (widths[column] ?? 0) - 2 * PAD, measure))
    const drawHead = (): void => this.#row(linesOf(head), widths)
    this.#y += CELL_SIZE * 0.3
    if (this.#linesOfRow() < MOST_KEPT_TOGETHER) this.#newPage()
    drawHead()
    for (const row of rows) this.#rowOverPages(linesOf(row), { widths, drawHead })
    this.#y += CELL_SIZE * 0.6
  }

  #widths(rows: readonly Flow[][], measure: Measure): number[] {
    const wishes = (rows[0] ?? []).map((_, column) => {
      const cells = rows.map((row) => row[column] ?? [])
      const { least, most } = wishOf(cells, this.#width, measure)
      return { least: least + 2 * PAD + 1, most: most + 2 * PAD + 1 }
    })
    return columnWidths(wishes, this.#width)
  }

  /** A row stays together, unless its text is a long one: that goes on on the next page. */
  #rowOverPages(cells: Span[][][], { widths, drawHead }: { widths: readonly number[]; drawHead: () => void }): void {
    let rest = cells
    while (rest.some(({ length }) => length > 0)) {
      if (this.#linesOfRow() < Math.min(longest(rest), MOST_KEPT_TOGETHER)) {
        this.#newPage()
        drawHead()
      }
      const fit = this.#linesOfRow()
      const now = rest.map((cell) => cell.slice(0, fit))
      this.#row(now, widths)
      rest = rest.map((cell) => cell.slice(fit))
    }
  }

  /** Lines of a row for which there is room on this page. */
  #linesOfRow(): number {
    return Math.max(0, Math.floor((this.#bottom - this.#y - 2 * PAD) / (CELL_SIZE * LEADING)))
  }

  #row(cells: readonly Span[][][], widths: readonly number[]): void {
    const height = heightOf(cells)
    let x = MARGIN
    for (const [column, lines] of cells.entries()) {
      const width = widths[column] ?? 0
      this.#doc.rect(x, this.#y, width, height).stroke(RULE)
      for (const [at, line] of lines.entries())
        this.#line(line, {
          ...{ x: x + PAD, y: this.#y + PAD + at * CELL_SIZE * LEADING },
          ...{ size: CELL_SIZE, width: width - 2 * PAD }
        })
      x += width
    }
    this.#y += height
  }

  #lineBelow(line: readonly Span[], { left, size }: { left: number; size: number }): void {
    this.#room(size * LEADING)
    this.#line(line, { x: MARGIN + left, y: this.#y, size, width: this.#width - left })
    this.#y += size * LEADING
  }

  #line(spans: readonly Span[], { x, y, size, width }: { x: number; y: number; size: number; width: number }): void {
    const text = spans.map((span) => span.text).join('')
    const seen = seenOrder([text], isRightToLeft(text))
    if (seen !== text) {
      const from = isRightToLeft(text) ? Math.max(0, width - this.#painter.width(seen, 'regular', size)) : 0
      this.#doc.fillColor(INK)
      this.#painter.line(seen, { x: x + from, y, font: 'regular', size })
      return
    }
    let at = x
    for (const { text: piece, look } of spans) {
      const font = look === 'bold' ? 'bold' : 'regular'
      this.#doc.fillColor(look === 'quiet' ? QUIET_INK : INK)
      this.#painter.line(piece.trimEnd(), { x: at, y, font, size })
      at += this.#painter.width(piece, font, size)
    }
  }

  #room(height: number): void {
    if (this.#y + height > this.#bottom) this.#newPage()
  }

  #newPage(): void {
    this.#doc.addPage()
    this.#doc.lineWidth(0.5)
    this.#y = this.#top
  }

  #rule(x: number, y: number, toX: number, toY: number): void {
    this.#doc.moveTo(x, y).lineTo(toX, toY).stroke(INK)
  }
}

const longest = (cells: readonly Span[][][]): number => Math.max(1, ...cells.map(({ length }) => length))

const heightOf = (cells: readonly Span[][][]): number => longest(cells) * CELL_SIZE * LEADING + 2 * PAD
