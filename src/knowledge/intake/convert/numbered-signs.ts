import { ASCENT } from './box-font.ts'
import type { Substitute } from './substitute.ts'

/** Size of the numbers, in parts of that of the text. */
const SMALL = 0.75

/**
 * Writes characters that no font has as their Unicode numbers in brackets: `[6D25]`. Read on paper, looked up anywhere; the characters themselves
 * are what is copied and found (ISO 32000-1, 14.9.4, replacement text).
 */
export class NumberedSigns implements Substitute {
  readonly #doc: PDFKit.PDFDocument
  #drawn = 0

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc
  }

  get drawn(): number {
    return this.#drawn
  }

  width(text: string, size: number): number {
    return (this.#doc.font('regular').fontSize(1000).widthOfString(numbers(text)) / 1000) * size * SMALL
  }

  draw(text: string, { x, y, size }: { x: number; y: number; size: number }): void {
    this.#doc.markContent('Span', { actual: text })
    this.#doc.font('regular').fontSize(size * SMALL)
    this.#doc.text(numbers(text), x, y + size * ASCENT, { lineBreak: false, baseline: 'alphabetic' })
    this.#doc.endMarkedContent()
    this.#drawn += [...text].length
  }

  end(): void {
    // Nothing of it waits.
  }
}

const numbers = (text: string): string =>
  [...text].map((sign) => `[${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`).join('')
