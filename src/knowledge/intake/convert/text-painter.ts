import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BoxFont } from './box-font.ts'
import { codePointsOf } from './font-coverage.ts'
import { hasRightToLeft } from './line-breaker.ts'

export type FontName = 'regular' | 'bold' | 'mono'

const FILES: Record<FontName, string> = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  mono: 'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'
}
/** Characters of measured words after which what was measured is forgotten; a novel has some 300,000. */
const CACHED_CHARACTERS = 600_000

interface Face {
  coverage: ReadonlySet<number>
  /** Widths at size 1. */
  widths: Map<string, number>
  cached: number
}

interface Run {
  text: string
  known: boolean
}

/** Measures and writes lines of text in the embedded DejaVu fonts, and as boxes what they lack. */
export class TextPainter {
  readonly #doc: PDFKit.PDFDocument
  readonly #faces = new Map<FontName, Face>()
  readonly #boxes: BoxFont

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc
    this.#boxes = new BoxFont(doc)
  }

  /** Characters drawn as boxes so far. */
  get boxes(): number {
    return this.#boxes.drawn
  }

  /** Width of a piece of a line in points. */
  width(piece: string, font: FontName, size: number): number {
    const face = this.#face(font)
    let width = face.widths.get(piece)
    if (width === undefined) {
      width = 0
      for (const run of runsOf(piece, face.coverage)) width += this.#runWidth(run, font)
      this.#remember(face, piece, width)
    }
    return width * size
  }

  /** Draws one line, its words as they are seen from left to right, with its upper left corner at (x, y). */
  line(text: string, at: { x: number; y: number; font: FontName; size: number }): void {
    if (!hasRightToLeft(text)) {
      this.#word(text, at)
      return
    }
    // Shaping turns a word with its space around: each word is put where it belongs by itself.
    let { x } = at
    for (const word of text.split(' ')) {
      this.#word(word, { ...at, x })
      x += this.width(word, at.font, at.size) + this.width(' ', at.font, at.size)
    }
  }

  #word(text: string, at: { x: number; y: number; font: FontName; size: number }): void {
    let { x } = at
    for (const run of runsOf(text, this.#face(at.font).coverage)) {
      if (run.known) this.#doc.font(at.font).fontSize(at.size).text(run.text, x, at.y, { lineBreak: false })
      else this.#boxes.draw(run.text, { x, y: at.y, size: at.size })
      x += this.#runWidth(run, at.font) * at.size
    }
  }

  /** Completes the fonts; nothing may be drawn afterwards. */
  end(): void {
    this.#boxes.end()
  }

  #runWidth(run: Run, font: FontName): number {
    if (!run.known) return this.#boxes.width(run.text, 1)
    return this.#doc.font(font).fontSize(1000).widthOfString(run.text) / 1000
  }

  #face(name: FontName): Face {
    let face = this.#faces.get(name)
    if (face === undefined) {
      const file = createRequire(import.meta.url).resolve(FILES[name])
      this.#doc.registerFont(name, file)
      face = { coverage: codePointsOf(readFileSync(file)), widths: new Map(), cached: 0 }
      this.#faces.set(name, face)
    }
    return face
  }

  #remember(face: Face, piece: string, width: number): void {
    face.cached += piece.length
    if (face.cached > CACHED_CHARACTERS) {
      face.cached = 0
      face.widths.clear()
      this.#forgetLayouts()
    }
    face.widths.set(piece, width)
  }

  /** The library keeps the layout of every word for ever; a file of a million different words would not fit. */
  #forgetLayouts(): void {
    const font: unknown = Reflect.get(this.#doc, '_font')
    if (typeof font === 'object' && font !== null && 'layoutCache' in font) font.layoutCache = Object.create(null)
  }
}

function runsOf(text: string, coverage: ReadonlySet<number>): Run[] {
  const runs: Run[] = []
  for (const sign of text) {
    const run = runs.at(-1)
    const known = coverage.has(sign.codePointAt(0) ?? 0)
    if (run !== undefined && run.known === known) run.text += sign
    else runs.push({ text: sign, known })
  }
  return runs
}
