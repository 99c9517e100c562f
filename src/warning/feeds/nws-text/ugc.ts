/** The line that says where: `AZZ101-NVZ461>466-111745-`, perhaps over several lines (NWS Directive 10-1702). */
export interface UgcLine {
  /** `AZZ101`, `NVZ461` …; a whole state is `COZ000` or `COZALL`. */
  codes: string[]
  /** `DDHHMM`: when the product is to be forgotten. */
  expires: string
  /** Index of the line behind it. */
  after: number
  /** Parts of it that could not be read, and were left out. */
  unread: string[]
}

const MAX_CODES = 2000
const MAX_LINES = 60
const START = /^[A-Z]{2}[CZ](?:\d{3}|ALL)[->]/
const END = /-(\d{6})-?$/
/** A line whose very first code is spoilt still ends as one, at the head of its segment. */
const LIKE_CODES = /^[A-Z]{2,3}\d[A-Z0-9>\-.,;:/ ]*-\d{6}-$/
const FIRST_LINES = 12
/** Characters of such a line. One that a keyboard or a radio spoilt has others too, but no more than a few. */
const LINE = /^[A-Z0-9>-]+$/
const SPOILT = /^(?=.*-)[A-Z0-9>\-.,;:/ ]+$/

/**
 * The first UGC line of a segment, or null. A line that does not end in an expiration time is none. One typo does not lose
 * the rest: parts that cannot be read are left out and named.
 */
export function findUgc(lines: readonly string[]): UgcLine | null {
  const plain = lines.findIndex((line) => START.test(line))
  const first = plain >= 0 ? plain : lines.slice(0, FIRST_LINES).findIndex((line) => LIKE_CODES.test(line))
  if (first < 0) return null
  let joined = ''
  for (let at = first; at < Math.min(lines.length, first + MAX_LINES); at++) {
    const line = (lines[at] ?? '').trim()
    if (!LINE.test(line) && (line.length > 80 || !SPOILT.test(line))) return null
    joined += line
    const end = END.exec(joined)
    if (end === null) continue
    const read = expand(joined.slice(0, end.index))
    return read.codes.length === 0 ? null : { ...read, expires: end[1] ?? '', after: at + 1 }
  }
  return null
}

/** `NVZ461>466` means every number from 461 to 466; a number alone is of the state and kind before it. */
function expand(text: string): { codes: string[]; unread: string[] } {
  const codes = new Set<string>()
  const unread: string[] = []
  let prefix = ''
  for (const part of text.split('-').filter((one) => one !== '')) {
    const [, named, from = '', to] = /^([A-Z]{2}[CZ])?(\d{3}|ALL)(?:>(?:[A-Z]{2}[CZ])?(\d{3}))?$/.exec(part) ?? []
    prefix = named ?? (from === '' ? prefixBehind(part, prefix) : prefix)
    const numbers = from === '' || prefix === '' ? [] : rangeOf(from, to ?? from)
    if (numbers.length === 0) unread.push(part)
    for (const number of numbers.slice(0, MAX_CODES - codes.size)) codes.add(prefix + number)
  }
  return { codes: [...codes], unread }
}

/**
 * The prefix of the bare numbers behind a part that cannot be read: as before, or of what it begins with; '' when
 * nobody knows.
 */
function prefixBehind(part: string, before: string): string {
  return /^\d/.test(part) ? before : (/^[A-Z]{2}[CZ]/.exec(part)?.[0] ?? '')
}

function rangeOf(from: string, to: string): string[] {
  if (from === to) return [from]
  const length = Math.max(0, Number(to) - Number(from) + 1)
  return Array.from({ length }, (_, step) => String(Number(from) + step).padStart(3, '0'))
}
