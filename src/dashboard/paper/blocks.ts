import { flowText } from '../../knowledge/intake/convert/block.ts'
import { type Element, elementsOf, readTree } from '../../knowledge/intake/convert/html-tree.ts'

/** A piece of text in one look. */
export interface Span {
  text: string
  look: 'plain' | 'bold' | 'quiet'
}

/** Lines as the markup breaks them; each may be broken again where it is too long. */
export type Flow = Span[][]

export type PaperBlock =
  | { kind: 'heading'; level: number; flow: Flow }
  | { kind: 'paragraph'; flow: Flow; note: boolean }
  | { kind: 'item'; flow: Flow }
  /** Boxes of a form: a name and what is filled in. */
  | { kind: 'boxes'; boxes: { name: string; flow: Flow }[] }
  | { kind: 'table'; heads: string[]; rows: Flow[][] }

const BOLD = new Set(['b', 'strong', 'th', 'h1', 'h2', 'h3', 'h4'])
/** Names of our style sheet for what stands back. */
const QUIET = new Set(['quiet', 'bytes', 'why'])
/** Marks that nobody may overlook. */
const MARKS = new Set(['demo', 'severity'])
/** It is for the screen alone, or for whoever cannot see it. */
const UNPRINTED = new Set(['noprint', 'hidden'])

/** The parts of a page that go on paper, in their order. */
export function blocksOf(html: string): PaperBlock[] {
  const blocks: PaperBlock[] = []
  gather(readTree(html).root, blocks)
  return blocks
}

function gather(parent: Element, blocks: PaperBlock[]): void {
  for (const child of parent.children) {
    if (typeof child === 'string') {
      if (flowText(child) !== '')
        blocks.push({ kind: 'paragraph', flow: [[{ text: child, look: 'plain' }]], note: false })
    } else if (!isUnprinted(child)) {
      const block = blockOf(child)
      if (block === null) gather(child, blocks)
      else blocks.push(block)
    }
  }
}

function blockOf(element: Element): PaperBlock | null {
  const { tag } = element
  if (/^h[1-4]$/.test(tag)) return { kind: 'heading', level: Number(tag[1]), flow: flowOf(element) }
  if (tag === 'p') return { kind: 'paragraph', flow: flowOf(element), note: classesOf(element).includes('banner') }
  if (tag === 'li') return { kind: 'item', flow: flowOf(element) }
  if (tag === 'dl') return { kind: 'boxes', boxes: all(element, 'div').map(boxOf) }
  if (tag === 'table') return tableOf(element)
  return null
}

function boxOf(box: Element): { name: string; flow: Flow } {
  const [name] = all(box, 'dt')
  const [value] = all(box, 'dd')
  return { name: name === undefined ? '' : plain(flowOf(name)), flow: value === undefined ? [] : flowOf(value) }
}

function tableOf(table: Element): PaperBlock {
  return {
    kind: 'table',
    heads: all(table, 'th').map((head) => plain(flowOf(head))),
    rows: all(table, 'tr')
      .map((row) => all(row, 'td').map(flowOf))
      .filter((cells) => cells.length > 0)
  }
}

const all = (element: Element, tag: string): Element[] => [...elementsOf(element)].filter((one) => one.tag === tag)

export const plain = (flow: Flow): string =>
  flowText(flow.map((line) => line.map(({ text }) => text).join('')).join(' '))

function flowOf(element: Element): Flow {
  const lines: Flow = [[]]
  fill(element, 'plain', lines)
  return lines.map(tidy).filter((line) => line.length > 0)
}

function fill(element: Element, look: Span['look'], lines: Flow): void {
  for (const child of element.children) {
    if (typeof child === 'string') lines.at(-1)?.push({ text: child, look })
    else if (child.tag === 'br') lines.push([])
    else if (!isUnprinted(child)) fill(child, lookOf(child, look), lines)
  }
}

function lookOf(element: Element, around: Span['look']): Span['look'] {
  const classes = classesOf(element)
  if (BOLD.has(element.tag) || classes.some((name) => MARKS.has(name))) return 'bold'
  return classes.some((name) => QUIET.has(name)) ? 'quiet' : around
}

/** Blanks as a browser sets them: one between words, none at either end of a line. */
function tidy(line: Span[]): Span[] {
  const spans: Span[] = []
  let afterBlank = true
  for (const { text, look } of line) {
    const flowing = flowText(`|${text}|`).slice(1, -1)
    const rest: string = afterBlank ? flowing.trimStart() : flowing
    if (rest === '') continue
    spans.push({ text: rest, look })
    afterBlank = rest.endsWith(' ')
  }
  const last = spans.at(-1)
  if (last !== undefined) last.text = last.text.trimEnd()
  return spans.filter(({ text }) => text !== '')
}

const classesOf = ({ attributes }: Element): string[] => (attributes['class'] ?? '').split(' ')

function isUnprinted(element: Element): boolean {
  return 'hidden' in element.attributes || classesOf(element).some((name) => UNPRINTED.has(name))
}
