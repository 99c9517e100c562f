import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Block, type BookFacts, flowText, publishedIn, textLength, visibleText } from './block.ts'
import { BOOK_LIMITS } from './limits.ts'
import { isRightToLeft, linesOf, seenOrder } from './line-breaker.ts'
import { Outline } from './outline.ts'
import { type PictureLoader, PictureShelf } from './picture-shelf.ts'
import { type FontName, TextPainter } from './text-painter.ts'

const PAGE = { width: 595.28, height: 841.89, margin: 56 }
const WIDTH = PAGE.width - 2 * PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin
const BODY_SIZE = 10.5
const HEADING_SIZES = [20, 16, 13.5, 12, 11, 10.5]
const INDENT = 16
/** Bytes that may wait for the disk before the writer waits too. */
const WAITING_BYTES = 512 * 1024

interface Style {
  font: FontName
  size: number
  left: number
  above: number
  marker?: string
}

export interface WrittenPdf {
  pages: number
  /** Characters of the blocks that were written, blanks not counted. */
  textLength: number
  warnings: Reason[]
}

/**
 * Lays blocks out on A4 pages and streams them to a file. The text is complete and in order; the look is plain. The same
 * blocks give the same bytes. Memory does not grow with the number of pages by more than their directory.
 */
export class PdfWriter {
  readonly #doc: PDFKit.PDFDocument
  readonly #written: Promise<void>
  readonly #painter: TextPainter
  readonly #outline: Outline
  readonly #pictures: PictureShelf
  #y = 0
  #pages = 0
  #textLength = 0

  private constructor(doc: PDFKit.PDFDocument, path: string, pictures: PictureLoader) {
    this.#doc = doc
    this.#pictures = new PictureShelf(doc, pictures)
    this.#painter = new TextPainter(doc)
    this.#outline = new Outline(doc.outline)
    this.#written = pipeline(doc, createWriteStream(path))
    // The failure is told when the file is closed; until then nobody else listens.
    this.#written.catch(() => undefined)
  }

  static async open(options: { path: string; facts: BookFacts; pictures?: PictureLoader }): Promise<PdfWriter> {
    const PDFDocument = (await import('pdfkit')).default
    const { title, author, year = '' } = options.facts
    const doc = new PDFDocument({
      autoFirstPage: false,
      size: 'A4',
      margin: 0,
      pdfVersion: '1.7',
      info: {
        Producer: 'Lookout',
        Creator: 'Lookout',
        // The true date would give every run other bytes, and the same book another hash.
        CreationDate: new Date(0),
        ...(title === '' ? {} : { Title: title }),
        ...(author === '' ? {} : { Author: author }),
        // The dates of the PDF itself are those of its making.
        ...(year === '' ? {} : { Subject: publishedIn(year) })
      }
    })
    return new PdfWriter(doc, options.path, options.pictures ?? (async () => null))
  }

  /** @throws AppError `too-large` when the text or the number of pages passes the limits. */
  async add(block: Block): Promise<void> {
    switch (block.kind) {
      case 'heading':
        return this.#heading(block.level, block.text)
      case 'paragraph':
        return this.#flow(block.text, { font: 'regular', size: BODY_SIZE, left: 0, above: 6 })
      case 'quote':
        return this.#flow(block.text, { font: 'regular', size: BODY_SIZE, left: INDENT, above: 6 })
      case 'item': {
        const left = INDENT * Math.min(block.depth, 8)
        return this.#flow(block.text, { font: 'regular', size: BODY_SIZE, left, above: 3, marker: block.marker })
      }
      case 'preformatted':
        return this.#preformatted(block.text)
      case 'row':
        return this.#flow(block.cells.join(' | '), {
          font: block.header ? 'bold' : 'regular',
          size: BODY_SIZE - 1,
          left: 0,
          above: 3
        })
      case 'picture':
        return this.#picture(block.source, block.description)
      case 'new-page':
        this.#y = PAGE.height
    }
  }

  /** Ends the file and says what is in it. A document without text gets one empty page. */
  async close(): Promise<WrittenPdf> {
    if (this.#pages === 0) await this.#newPage()
    this.#painter.end()
    this.#doc.end()
    await this.#written
    return { pages: this.#pages, textLength: this.#textLength, warnings: this.#warnings() }
  }

  /** Gives the file up, so that nothing waits for it any more. */
  abandon(): void {
    this.#doc.destroy()
  }

  #warnings(): Reason[] {
    const warnings: Reason[] = []
    const { unknown: count } = this.#painter
    if (count > 0) {
      warnings.push(because('characters_not_in_font', { count }))
    }
    if (this.#pictures.leftOut > 0) warnings.push(because('pictures_left_out', { count: this.#pictures.leftOut }))
    if (this.#outline.cut) warnings.push(because('outline_ends', { count: BOOK_LIMITS.outlineEntries }))
    return warnings
  }

  async #heading(level: number, text: string): Promise<void> {
    const size = HEADING_SIZES[Math.min(Math.max(level, 1), 6) - 1] ?? BODY_SIZE
    const title = flowText(text)
    if (title === '') return
    // A heading at the foot of a page belongs to the next one.
    if (this.#pages === 0 || this.#y + size * 2 + BODY_SIZE * 4 > BOTTOM) await this.#newPage()
    this.#outline.add(level, title)
    await this.#flow(title, { font: 'bold', size, left: 0, above: size * 0.9 })
  }

  async #flow(raw: string, style: Style): Promise<void> {
    const text = flowText(raw)
    if (text === '') return
    this.#count(text)
    const rightToLeft = isRightToLeft(text)
    const available = WIDTH - style.left
    const width = (piece: string): number => this.#painter.width(piece, style.font, style.size)
    if (this.#y > PAGE.margin) this.#y += style.above
    let first = true
    for (const line of linesOf(text, available, width)) {
      const y = await this.#nextLine(style.size)
      const seen = seenOrder(line, rightToLeft).trimEnd()
      const x = PAGE.margin + style.left + (rightToLeft ? Math.max(0, available - width(seen)) : 0)
      if (first && style.marker !== undefined) this.#marker(style.marker, y, style)
      this.#painter.line(seen, { x, y, font: style.font, size: style.size })
      first = false
    }
  }

  #marker(marker: string, y: number, style: Style): void {
    const x =
      PAGE.margin + Math.max(0, style.left - Math.max(12, this.#painter.width(`${marker} `, style.font, style.size)))
    this.#painter.line(marker, { x, y, font: style.font, size: style.size })
  }

  async #preformatted(raw: string): Promise<void> {
    const text = visibleText(raw).replace(/\t/g, '    ')
    this.#count(text)
    const size = BODY_SIZE - 2
    if (this.#y > PAGE.margin) this.#y += 6
    for (const row of text.split('\n')) {
      const lines = [...linesOf(row, WIDTH, (piece) => this.#painter.width(piece, 'mono', size))]
      for (const line of lines.length === 0 ? [['']] : lines) {
        const y = await this.#nextLine(size)
        this.#painter.line(line.join('').trimEnd(), { x: PAGE.margin, y, font: 'mono', size })
      }
    }
  }

  async #picture(source: string, description: string): Promise<void> {
    const picture = await this.#pictures.get(source)
    if (picture !== null) {
      // A picture of 96 dots per inch at its natural size, at most the page.
      const scale = Math.min(0.75, WIDTH / picture.width, (BOTTOM - PAGE.margin) / picture.height)
      const height = picture.height * scale
      if (this.#pages === 0 || this.#y + 8 + height > BOTTOM) await this.#newPage()
      const y = this.#y === PAGE.margin ? this.#y : this.#y + 8
      this.#doc.image(picture.image, PAGE.margin, y, { width: picture.width * scale, height })
      this.#y = y + height + 4
    }
    await this.#flow(description, { font: 'regular', size: BODY_SIZE - 1.5, left: 0, above: 2 })
  }

  #count(text: string): void {
    this.#textLength += textLength(text)
    if (this.#textLength > BOOK_LIMITS.textLength) {
      throw new AppError('too-large', because('text_too_long_for_book', { limit: BOOK_LIMITS.textLength }))
    }
  }

  async #nextLine(size: number): Promise<number> {
    const height = size * 1.4
    if (this.#pages === 0 || this.#y + height > BOTTOM) await this.#newPage()
    const y = this.#y
    this.#y += height
    return y
  }

  async #newPage(): Promise<void> {
    if (this.#pages >= BOOK_LIMITS.pages) {
      throw new AppError('too-large', because('book_too_many_pages', { limit: BOOK_LIMITS.pages }))
    }
    await this.#drained()
    this.#doc.addPage()
    this.#pages += 1
    this.#y = PAGE.margin
    const text = String(this.#pages)
    const size = BODY_SIZE - 2
    const x = (PAGE.width - this.#painter.width(text, 'regular', size)) / 2
    // The number is seen, but it is no text of the document: it is left out of what is extracted.
    this.#doc.markContent('Span', { actual: ' ' })
    this.#painter.line(text, { x, y: PAGE.height - PAGE.margin * 0.6, font: 'regular', size })
    this.#doc.endMarkedContent()
  }

  /** The layout runs at once; without a pause the whole file would wait in memory. */
  async #drained(): Promise<void> {
    while (this.#doc.readableLength > WAITING_BYTES && !this.#doc.destroyed) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
