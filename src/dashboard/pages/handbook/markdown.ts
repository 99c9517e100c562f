import { type Content, type Html, html } from '../frame/html.ts'

/**
 * Draws the part of Markdown that our own pages of docs/ are written in: headings, paragraphs, lists of one level with what hangs below
 * an entry, tables, code, bold, emphasis and links (CommonMark 0.31, tables of GFM 0.29). Text is escaped whatever it is; a link to
 * another page of docs/ becomes one to the page that shows it, by `linkOf`, and plain text where none does.
 */
export function drawMarkdown(text: string, linkOf: (target: string) => string | null): Html {
  const blocks = blocksOf(text.replaceAll('\r\n', '\n').split('\n'))
  return html`${blocks.map((block) => drawBlock(block, linkOf))}`
}

type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[][] }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'paragraph'; text: string }

const FENCE = /^\s*```/
const HEADING = /^(#{1,4}) (.+)$/
const ITEM = /^(?:[-*]|(\d+)\.) +(.*)$/
const RULE = /^\|?[\s:|-]+\|[\s:|-]*$/

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    if (isNothing(line)) at++
    else if (FENCE.test(line)) at = takeCode(lines, at, blocks)
    else if (HEADING.test(line)) at = takeHeading(line, at, blocks)
    else if (line.startsWith('|')) at = takeTable(lines, at, blocks)
    else if (ITEM.test(line)) at = takeList(lines, at, blocks)
    else at = takeParagraph(lines, at, blocks)
  }
  return blocks
}

function takeHeading(line: string, at: number, blocks: Block[]): number {
  const [, signs = '#', text = ''] = HEADING.exec(line) ?? []
  blocks.push({ kind: 'heading', level: signs.length, text })
  return at + 1
}

const isNothing = (line: string): boolean => line.trim() === '' || line.startsWith('<!--')

function takeCode(lines: readonly string[], from: number, blocks: Block[]): number {
  const end = lines.findIndex((line, at) => at > from && FENCE.test(line))
  const to = end < 0 ? lines.length : end
  blocks.push({ kind: 'code', text: lines.slice(from + 1, to).join('\n') })
  return to + 1
}

function takeTable(lines: readonly string[], from: number, blocks: Block[]): number {
  let to = from
  while ((lines[to] ?? '').startsWith('|')) to++
  const rows = lines.slice(from, to).filter((line) => !RULE.test(line))
  blocks.push({ kind: 'table', rows: rows.map(cellsOf) })
  return to
}

/** A bar within code is no border. */
function cellsOf(row: string): string[] {
  const cells = row.trim().replace(/^\|/, '').replace(/\|$/, '')
  return cells.split(/(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Lines that are set in below an entry belong to it. */
function takeList(lines: readonly string[], from: number, blocks: Block[]): number {
  const ordered = ITEM.exec(lines[from] ?? '')?.[1] !== undefined
  const items: string[][] = []
  let at = from
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const item = ITEM.exec(line)
    const goesOn = line.trim() === '' ? /^\s{2}/.test(lines[at + 1] ?? '') : /^\s{2}/.test(line)
    if (item !== null) items.push([item[2] ?? ''])
    else if (goesOn) items.at(-1)?.push(line.replace(/^ {2,3}/, ''))
    else break
  }
  blocks.push({ kind: 'list', ordered, items })
  return at
}

function takeParagraph(lines: readonly string[], from: number, blocks: Block[]): number {
  let to = from + 1
  while (to < lines.length && !startsBlock(lines[to] ?? '')) to++
  blocks.push({
    kind: 'paragraph',
    text: lines
      .slice(from, to)
      .map((line) => line.trim())
      .join(' ')
  })
  return to
}

const startsBlock = (line: string): boolean =>
  line.trim() === '' || line.startsWith('|') || HEADING.test(line) || FENCE.test(line) || ITEM.test(line)

type LinkOf = (target: string) => string | null

function drawBlock(block: Block, linkOf: LinkOf): Content {
  switch (block.kind) {
    case 'heading':
      return heading(block, linkOf)
    case 'code':
      return html`<pre tabindex="0"><code>${block.text}</code></pre>\n`
    case 'paragraph':
      return html`<p>${drawInline(block.text, linkOf)}</p>\n`
    case 'list':
      return list(block, linkOf)
    case 'table':
      return table(block.rows, linkOf)
  }
}

/** The page has its title already: the text of a file begins below it. */
function heading({ level, text }: { level: number; text: string }, linkOf: LinkOf): Html | null {
  if (level === 1) return null
  const [id, content] = [anchorOf(text), drawInline(text, linkOf)]
  return level === 2 ? html`<h2 id="${id}">${content}</h2>\n` : html`<h3 id="${id}">${content}</h3>\n`
}

/** The name that links to a heading use, as where these files are read elsewhere: `Who may …` is `#who-may-`. */
export function anchorOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').toLowerCase()
  return words
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

function list({ ordered, items }: { ordered: boolean; items: string[][] }, linkOf: LinkOf): Html {
  const entries = items.map(([first = '', ...rest]) => {
    const below = blocksOf([first, ...rest])
    const [alone] = below
    const content =
      below.length === 1 && alone?.kind === 'paragraph'
        ? drawInline(alone.text, linkOf)
        : below.map((block) => drawBlock(block, linkOf))
    return html`<li>${content}</li>\n`
  })
  return ordered ? html`<ol>${entries}</ol>\n` : html`<ul>${entries}</ul>\n`
}

function table([head = [], ...rows]: string[][], linkOf: LinkOf): Html {
  // On a phone a row is a block, and its later cells need the name of their column.
  const cells = (row: readonly string[]): Html[] =>
    row.map((cell, n) => html`<td data-head="${head[n] ?? ''}">${drawInline(cell, linkOf)}</td>`)
  const titles = head.map((cell) => html`<th scope="col">${drawInline(cell, linkOf)}</th>`)
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${titles}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>\n`
}

/** Not `em`: tables draw that as a fault. */
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^)\s]+)\)/g

function drawInline(text: string, linkOf: LinkOf): Content {
  const parts: Content[] = []
  let end = 0
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, bold, emphasis, words = '', target = ''] = found
    parts.push(text.slice(end, found.index))
    end = found.index + whole.length
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (bold !== undefined) parts.push(html`<b>${drawInline(bold, linkOf)}</b>`)
    else if (emphasis !== undefined) parts.push(html`<i>${drawInline(emphasis, linkOf)}</i>`)
    else parts.push(link(words, target, linkOf))
  }
  parts.push(text.slice(end))
  return parts
}

function link(words: string, target: string, linkOf: LinkOf): Content {
  const address = linkOf(target)
  const content = drawInline(words, () => null)
  return address === null ? content : html`<a href="${address}">${content}</a>`
}
