import { piecesOf } from '../../knowledge/intake/convert/line-breaker.ts'
import type { Flow, Span } from './blocks.ts'

/** Width of a piece of text in points. */
export type Measure = (piece: string, look: Span['look']) => number

/** Lines of at most this width. What is longer than a line by itself is cut between two characters. */
export function wrap(flow: Flow, available: number, measure: Measure): Span[][] {
  return flow.flatMap((line) => [...fillLines(line, available, measure)])
}

function* fillLines(spans: readonly Span[], available: number, measure: Measure): Generator<Span[]> {
  let line: Span[] = []
  let used = 0
  for (const { text, look } of piecesWithin(spans, available, measure)) {
    if (line.length > 0 && used + measure(text.trimEnd(), look) > available) {
      yield line
      line = []
      used = 0
    }
    used += measure(text, look)
    const before = line.at(-1)
    if (before?.look === look) before.text += text
    else line.push({ text, look })
  }
  if (line.length > 0) yield line
}

function* piecesWithin(spans: readonly Span[], available: number, measure: Measure): Generator<Span> {
  for (const { text, look } of spans) {
    for (const piece of piecesOf(text)) {
      if (measure(piece.trimEnd(), look) <= available) yield { text: piece, look }
      else for (const part of cut(piece, (some) => measure(some, look) <= available)) yield { text: part, look }
    }
  }
}

const graphemes = new Intl.Segmenter()

function* cut(piece: string, fits: (part: string) => boolean): Generator<string> {
  let part = ''
  for (const { segment } of graphemes.segment(piece)) {
    if (part !== '' && !fits(part + segment)) {
      yield part
      part = ''
    }
    part += segment
  }
  if (part !== '') yield part
}

/** The room that a column needs for its longest piece, and for its longest line unbroken. Points. */
export interface Wish {
  least: number
  most: number
}

/** No single piece may claim more of a row than this: the longest are cut. */
const LARGEST_LEAST = 0.25
/** A column with more text than this wraps in any case: what it would need unbroken is no measure for the others. */
const LARGEST_MOST = 0.4

export function wishOf(cells: readonly Flow[], width: number, measure: Measure): Wish {
  const wish: Wish = { least: 0, most: 0 }
  for (const line of cells.flat()) {
    let length = 0
    for (const { text, look } of line) {
      length += measure(text, look)
      for (const piece of piecesOf(text)) wish.least = Math.max(wish.least, measure(piece.trimEnd(), look))
    }
    wish.most = Math.max(wish.most, length)
  }
  const least = Math.min(wish.least, width * LARGEST_LEAST)
  return { least, most: Math.max(least, Math.min(wish.most, width * LARGEST_MOST)) }
}

/** Widths of columns that fill a row: each at least what it needs, the rest shared by what they could use (CSS 2.1 §17.5.2.2). */
export function columnWidths(wishes: readonly Wish[], width: number): number[] {
  const sum = (of: (wish: Wish) => number): number => wishes.reduce((all, wish) => all + of(wish), 0)
  const [least, most] = [sum((wish) => wish.least), sum((wish) => wish.most)]
  if (least >= width) return wishes.map((wish) => (wish.least * width) / least)
  if (most <= width) return wishes.map((wish) => (most === 0 ? width / wishes.length : (wish.most * width) / most))
  return wishes.map((wish) => wish.least + ((width - least) * (wish.most - wish.least)) / (most - least))
}
