import { isPlace, type People, peopleIn, teamIn } from './person-names.ts'
import { oneFact } from './title-text.ts'

/**
 * `heading`: underlined or marked as one. `plain`: may be a title. `people`: may be authors (or a title of two words).
 * `place`: addresses and places of work. `aside`: versions, dates, notices. `end`: running text, a table of contents, an abstract.
 */
export type LineKind = 'heading' | 'plain' | 'people' | 'team' | 'place' | 'aside' | 'end'

export interface FrontLine {
  text: string
  kind: LineKind
  /** Lines with no empty line between them are of one block. */
  block: number
  people: People | null
}

const [MAX_LINES, MAX_READ] = [60, 400]
const PROSE = 80
const RULE = /^\W*[=\-~*_#^+]{4,}\W*$/
/** Across the page, not below a heading. */
const LINE_ACROSS = /_{4,}/
/** A page number, a lone sign. */
const NOTHING = /^(?:[^\p{L}]*|[ivxlc]{1,5}|\p{L})$/u
const END =
  /^(?:(?:short |table of )?contents|abstract|summary|synopsis|preface|foreword|acknowledg(?:e)?ments?|introduction|(?:chapter|part|section) (?:\d+|one|[ivx]+)\b.*|1\.?\s+introduction|revision history|dear\b.*)$/i
const LEADERS = /(?:\.\s?){5,}/
const ASIDE =
  /^(?:(?:\(|for (?:the )?|software |document |program |draft )?(?:version|release|revision|rev\.?|edition|volume|vol\.?|page|chapter|part|section|v|no\.?)\s*(?:[\d.(:$]|[ivx]+\b|$)|for .{0,30}\bversion\b|(?:updated|revised|published|printed|compiled|processed|built|last \w+|effective|dated?)\b.{0,60}\d|(?:publication|publisher|copyright|©|\(c\)|isbn|issn|doi\b|all rights|department of|headquarters|distribution|approved for|washington|dedicat|for my|the project gutenberg|produced by|illustrated by|translated by|software developed|organi[sz]ational|prepared (?:for|by)|program title|contract no|date:?$|draft\b|to:|from:|subject:|by:?$|this page|visitors|status:|keywords?:|licen[cs]e|c?c:|reply-to:|message-id:|submitted by|supersede|-----begin)|.{0,30}\b(?:[1-9]\w* )?edition\b.{0,12}$|.{0,40}\bcopyright (?:©|\(c\)))/i
/** `LifeLines Version 3.0.61` below a title; as the first line it is the title. */
const WITH_VERSION = /^.{0,30}\b(?:version|release)\s+v?[\d.]+\W*$/i
const CLASSIFIED =
  /^\W*(?:un)?classified\W*$|^\W*(?:confidential|restricted|for official use only|internal use only|draft)\W*$/i
const ADDRESS =
  /\bP\.?\s?O\.? Box\b|^\d{4,6}(?:\s\p{Lu}{2})?\s\p{Lu}|\b[A-Z]{2}\s\d{5}(?:-\d{4})?$|^(?:www\.|https?:|ftp:|e-?mail|tel[.:]|phone|fax|website\b)|^\W*(?:\S+@\S+|\S+\.(?:com|org|net|edu|html?|de|uk)(?:\/\S*)?|(?:https?|ftp):\S+)\W*$/iu
const DATE_ALONE =
  /^\W*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)\w*,?\s+)?(?:\d{1,2}(?:st|nd|rd|th)?\W+)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\W+)?(?:\d{1,2}(?:st|nd|rd|th)?\W+)?(?:1[5-9]|20)\d\d\b.{0,12}$|^\W*\d{1,2}[./]\d{1,2}[./]\d{2,4}\W*$/iu
const MARKED = /^(#{1,6}) +(?=\S)/
const KEYWORD_FILE = /^\W*(?:-\*-.*-\*-|\$(?:id|date|revision)\b.*|\.\.\s.*|:\w+:.*|<\?xml.*|%.*)$/i

/** The lines at the top of a page, each with what it seems to be, up to the first that is no part of a title page. */
export function frontLines(page: string): FrontLine[] {
  const lines: FrontLine[] = []
  let block = 0
  for (const raw of page.split('\n', MAX_READ)) {
    const text = withoutLinks(oneFact(raw))
    if (text === '') block += 1
    else if (RULE.test(text)) {
      if (!LINE_ACROSS.test(text)) underline(lines, block)
      block += 1
    } else if (!NOTHING.test(text) || DATE_ALONE.test(text))
      lines.push({ text: text.replace(MARKED, ''), block, ...kindOf(text, lines.length === 0) })
    if (lines.length === MAX_LINES) break
  }
  return marked(lines)
}

/** Without the marks of a text browser around what was a link or a picture, and those of a comment in a program. */
function withoutLinks(line: string): string {
  return line
    .replace(/^(?:\/\/|\/\*+|;+)\s+/, '')
    .replace(/\[\d{1,3}\](?=\S)/g, '')
    .replace(/\[[\w-]+\.(?:gif|png|jpe?g)\]/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A rule right below a line makes it a heading. */
function underline(lines: FrontLine[], block: number): void {
  const last = lines.at(-1)
  if (last?.block === block && (last.kind === 'plain' || last.kind === 'people')) last.kind = 'heading'
}

function kindOf(text: string, isFirst: boolean): Pick<FrontLine, 'kind' | 'people'> {
  if (MARKED.test(text)) return { kind: 'heading', people: null }
  if (END.test(text) || LEADERS.test(text)) return { kind: 'end', people: null }
  if (CLASSIFIED.test(text) || DATE_ALONE.test(text) || ASIDE.test(text) || KEYWORD_FILE.test(text))
    return { kind: 'aside', people: null }
  if (!isFirst && WITH_VERSION.test(text)) return { kind: 'aside', people: null }
  if (ADDRESS.test(text)) return { kind: 'place', people: null }
  const people = peopleIn(text)
  if (people !== null) return { kind: 'people', people }
  if (teamIn(text) !== '') return { kind: 'team', people: null }
  // The first line is a title, whatever it is about.
  if (!isFirst && isPlace(text) && !/\b(?:manual|guide|handbook|introduction)\b/i.test(text))
    return { kind: 'place', people: null }
  if (text.length > PROSE && /[.!?:]["'”’»)]*$/.test(text)) return { kind: 'end', people: null }
  return { kind: 'plain', people: null }
}

/** A block of long lines is running text: the title page ends there. */
function marked(lines: readonly FrontLine[]): FrontLine[] {
  const front: FrontLine[] = []
  for (const [at, line] of lines.entries()) {
    const together = runOf(lines, at)
    const isFirst = at === 0 || lines[at - 1]?.block !== line.block
    const text = together.map((one) => one.text).join(' ')
    const isRunning = isFirst && line.kind === 'plain' && isProse(text, together.length)
    if (line.kind === 'end' || isRunning) {
      // One short sentence among the lines of a title page is a remark.
      const isRemark = line.kind !== 'end' && at > 0 && text.length <= PROSE
      if (!isRemark) return [...front, { ...line, kind: 'end' }]
      front.push({ ...line, kind: 'aside' })
    } else front.push(line)
  }
  return front
}

/** The plain lines from here on that no empty line parts. */
function runOf(lines: readonly FrontLine[], from: number): FrontLine[] {
  const { block } = lines[from] ?? { block: -1 }
  const rest = lines.slice(from)
  const end = rest.findIndex((line) => line.block !== block || line.kind !== 'plain')
  return rest.slice(0, end < 0 ? undefined : Math.max(1, end))
}

function isProse(text: string, lines: number): boolean {
  const sentence = /[\p{Ll})][.!?;]["'”’)]*(?:\s|$)/u.test(text)
  if (sentence && (text.length > PROSE || lines === 1)) return true
  return text.length > 3 * PROSE && lines > 2 && /[,.;]/.test(text)
}
