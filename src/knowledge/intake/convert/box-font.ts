import type { Substitute } from './substitute.ts'

/** Codes of one font of one-byte codes; 0 stays unused. */
const CODES = 255
/** Height of the embedded fonts above the line, in parts of their size: boxes stand on the same line. */
export const ASCENT = 0.928

interface Font {
  id: string
  ref: PDFKit.PDFKitReference
  signs: string[]
}

/**
 * Draws characters which the embedded font lacks as boxes that carry the character: Type 3 fonts (ISO 32000-1, 9.6.5) with a
 * ToUnicode map. Not seen, but found, copied and extracted.
 */
export class BoxFont implements Substitute {
  readonly #doc: PDFKit.PDFDocument
  readonly #fonts: Font[] = []
  readonly #codes = new Map<string, { font: Font; code: number }>()
  #drawn = 0

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc
  }

  /** The number of boxes there are. */
  get drawn(): number {
    return this.#drawn
  }

  /** Width of `text` in points. */
  width(text: string, size: number): number {
    return [...text].length * size
  }

  /** Draws boxes with their upper left corner at (x, y). */
  draw(text: string, at: { x: number; y: number; size: number }): void {
    const { height } = this.#doc.page
    const baseline = height - at.y - ASCENT * at.size
    let x = at.x
    for (const sign of text) {
      const { font, code } = this.#code(sign)
      this.#doc.page.fonts[font.id] = font.ref
      const hex = code.toString(16).padStart(2, '0')
      this.#doc.addContent(
        `q 1 0 0 -1 0 ${number(height)} cm BT 1 0 0 1 ${number(x)} ${number(baseline)} Tm /${font.id} ${number(at.size)} Tf <${hex}> Tj ET Q`
      )
      x += at.size
      this.#drawn += 1
    }
  }

  /** Writes the fonts; nothing may be drawn afterwards. */
  end(): void {
    for (const { ref, signs } of this.#fonts) {
      const box = this.#doc.ref({})
      box.end('1000 0 d0 40 w 120 0 760 760 re S')
      const unicode = this.#doc.ref({})
      unicode.end(toUnicode(signs))
      Object.assign(ref.data, {
        Type: 'Font',
        Subtype: 'Type3',
        FontBBox: [0, 0, 1000, 1000],
        FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
        CharProcs: { box },
        Encoding: { Type: 'Encoding', Differences: [1, ...signs.map(() => 'box')] },
        FirstChar: 1,
        LastChar: signs.length,
        Widths: signs.map(() => 1000),
        Resources: {},
        ToUnicode: unicode
      })
      ref.end('')
    }
  }

  #code(sign: string): { font: Font; code: number } {
    let found = this.#codes.get(sign)
    if (found === undefined) {
      let font = this.#fonts.at(-1)
      if (font === undefined || font.signs.length === CODES) {
        font = { id: `Box${this.#fonts.length + 1}`, ref: this.#doc.ref({}), signs: [] }
        this.#fonts.push(font)
      }
      font.signs.push(sign)
      found = { font, code: font.signs.length }
      this.#codes.set(sign, found)
    }
    return found
  }
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** ToUnicode map of codes 1 to n (ISO 32000-1, 9.10.3), at most 100 to a block. */
function toUnicode(signs: readonly string[]): string {
  const lines = signs.map((sign, index) => {
    const code = (index + 1).toString(16).padStart(2, '0')
    return `<${code}> <${Buffer.from(sign, 'utf16le').swap16().toString('hex')}>`
  })
  const blocks: string[] = []
  for (let at = 0; at < lines.length; at += 100) {
    const block = lines.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Boxes def
/CMapType 2 def
1 begincodespacerange
<00> <ff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
