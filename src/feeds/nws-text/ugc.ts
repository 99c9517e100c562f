/** The line that says where: `AZZ101-NVZ461>466-111745-`, perhaps over several lines (NWS Directive 10-1702). */
export interface UgcLine {
  /** `AZZ101`, `NVZ461` …; a whole state is `COZ000` or `COZALL`. */
  codes: string[]
  /** `DDHHMM`: when the product is to be forgotten. */
  expires: string
  /** Index of the line behind it. */
  after: number
}

const MAX_CODES = 2000
const MAX_LINES = 60
const START = /^[A-Z]{2}[CZ](?:\d{3}|ALL)[->]/
const END = /-(\d{6})-?$/

/** The first UGC line of a segment, or null. A line that does not end in an expiration time is none. */
export function findUgc(lines: readonly string[]): UgcLine | null {
  const first = lines.findIndex((line) => START.test(line))
  if (first < 0) return null
  let joined = ''
  for (let at = first; at < Math.min(lines.length, first + MAX_LINES); at++) {
    const line = (lines[at] ?? '').trim()
    if (!/^[A-Z0-9>-]+$/.test(line)) return null
    joined += line
    const expires = END.exec(joined)?.[1]
    if (expires !== undefined) {
      const codes = expand(joined.slice(0, joined.length - (END.exec(joined)?.[0].length ?? 0)))
      return codes === null ? null : { codes, expires, after: at + 1 }
    }
  }
  return null
}

/** `NVZ461>466` means every number from 461 to 466; a number alone is of the state and kind before it. */
function expand(text: string): string[] | null {
  const codes = new Set<string>()
  let prefix = ''
  for (const part of text.split('-')) {
    const match = /^([A-Z]{2}[CZ])?(\d{3}|ALL)(?:>(?:[A-Z]{2}[CZ])?(\d{3}))?$/.exec(part)
    if (match === null) return null
    const [, named, from = '', to] = match
    prefix = named ?? prefix
    if (prefix === '') return null
    for (const number of to === undefined ? [from] : rangeOf(from, to)) codes.add(prefix + number)
    if (codes.size > MAX_CODES) return null
  }
  return [...codes]
}

function rangeOf(from: string, to: string): string[] {
  const length = Math.max(0, Number(to) - Number(from) + 1)
  return Array.from({ length }, (_, step) => String(Number(from) + step).padStart(3, '0'))
}
