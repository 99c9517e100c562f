import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ASCENT, BoxFont } from './box-font.ts'
import { codePointsOf } from './font-coverage.ts'
import { hasRightToLeft } from './line-breaker.ts'
import type { Substitute } from './substitute.ts'

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
  /** The name of its font; null for what is in none. */
  font: string | null
}

/** A font of this machine for what ours lack. */
export interface OtherFont {
  path: string
  /** Which of a file of several (`.ttc`). */
  postscriptName: string | null
  coverage: ReadonlySet<number>
}

/** Measures and writes lines of text in the embedded DejaVu fonts, in others what they lack, and what none has by its substitute: boxes, unless said. */
export class TextPainter {
  readonly #doc: PDFKit.PDFDocument
  readonly #faces = new Map<FontName, Face>()
  readonly #others: readonly (Pick<OtherFont, 'coverage'> & { name: string })[]
  readonly #substitute: Substitute

  constructor(
    doc: PDFKit.PDFDocument,
    { others = [], substitute = new BoxFont(doc) }: { others?: readonly OtherFont[]; substitute?: Substitute } = {}
  ) {
    this.#doc = doc
    this.#substitute = substitute
    for (const [name, file] of Object.entries(FILES)) doc.registerFont(name, fileOf(file))
    this.#others = others.map(({ path, postscriptName, coverage }, at) => {
      const name = `other-${at}`
      doc.registerFont(name, path, postscriptName ?? undefined)
      return { name, coverage }
    })
  }

  /** Characters that are in no font, so far. */
  get unknown(): number {
    return this.#substitute.drawn
  }

  /** Width of a piece of a line in points. */
  width(piece: string, font: FontName, size: number): number {
    const face = this.#face(font)
    let width = face.widths.get(piece)
    if (width === undefined) {
      width = 0
      for (const run of this.#runsOf(piece, font)) width += this.#runWidth(run)
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
    for (const run of this.#runsOf(text, at.font)) {
      if (run.font === null) this.#substitute.draw(run.text, { x, y: at.y, size: at.size })
      else this.#known(run.text, { ...at, x, font: run.font })
      x += this.#runWidth(run) * at.size
    }
  }

  /** Letters of another font stand on the same line, however tall they are. */
  #known(text: string, { x, y, font, size }: { x: number; y: number; font: string; size: number }): void {
    const isOwn = font in FILES
    const on = isOwn ? {} : { baseline: 'alphabetic' as const }
    this.#doc.font(font).fontSize(size)
    this.#doc.text(text, x, isOwn ? y : y + ASCENT * size, { lineBreak: false, ...on })
  }

  /** Completes the fonts; nothing may be drawn afterwards. */
  end(): void {
    this.#substitute.end()
  }

  #runWidth({ text, font }: Run): number {
    if (font === null) return this.#substitute.width(text, 1)
    return this.#doc.font(font).fontSize(1000).widthOfString(text) / 1000
  }

  #runsOf(text: string, own: FontName): Run[] {
    const { coverage } = this.#face(own)
    const runs: Run[] = []
    for (const sign of text) {
      const code = sign.codePointAt(0) ?? 0
      const font = coverage.has(code) ? own : this.#otherFont(code)
      const run = runs.at(-1)
      if (run !== undefined && run.font === font) run.text += sign
      else runs.push({ text: sign, font })
    }
    return runs
  }

  #otherFont(code: number): string | null {
    if (this.#face('regular').coverage.has(code)) return 'regular'
    return this.#others.find((one) => one.coverage.has(code))?.name ?? null
  }

  #face(name: FontName): Face {
    let face = this.#faces.get(name)
    if (face === undefined) {
      face = { coverage: ownCoverage(name), widths: new Map(), cached: 0 }
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

/** The characters that an embedded font has. */
export function ownCoverage(name: FontName): ReadonlySet<number> {
  return codePointsOf(readFileSync(fileOf(FILES[name])))
}

const fileOf = (name: string): string => createRequire(import.meta.url).resolve(name)
