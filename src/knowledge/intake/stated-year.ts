/** A document says when it was made: in its copyright notice, by a date on its title page, or by the words before a year. */
const LAST_YEAR = /(?<![\d.])((?:1[5-9]|20)\d\d)(?!\d)/g
/** TeX's sign becomes a lone c in the text of a page. */
const MARK =
  /(?:©|\(c\)|copyright(?:ed)?\b(?!\s+(?:law|act|holder|owner|notice|statement|page|office|convention|format))|copr\.)/i
/** The notice of a licence, not of the work. */
const OTHERS_NOTICE = /everyone is permitted to copy/i
const [NOTICE_REACH, NEXT_REACH] = [140, 40]
/** Lines between two notices of one block. */
const NOTICE_GAP = 3
/** Further down, a notice is that of something the text speaks of. */
const NOTICE_LINES = 120
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DATES = [
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:\d{1,2}(?:st|nd|rd|th)?[\s-]+(?:of\s+)?)?${MONTH}\.?[\s,-]{0,3}(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?((?:1[5-9]|20)\d\d)(?!\d)`,
    'giu'
  ),
  /(?<!\d)((?:19|20)\d\d)[-/](?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12]\d|3[01])(?!\d)/g,
  /(?<!\d)(?:0?[1-9]|[12]\d|3[01])[./](?:0?[1-9]|1[0-2])[./]((?:19|20)\d\d)(?!\d)/g
]
/** A line that is a whole date, wherever it stands. */
const ALONE = new RegExp(
  String.raw`^(?:(?:19|20)\d\d-[01]\d-[0-3]\d|(?:\w+day,?\s+)?(?:\d{1,2}(?:st|nd|rd|th)?\s+)?${MONTH}\.?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?:1[5-9]|20)\d\d\.?)$`,
  'i'
)
const MADE =
  /(?:published|publication date|printed|first edition|reprinted|revised|revision|issued|journal of [\p{L} ]+|updated|last modified|ratified|dated?:?|version|release[d]?|compiled|built|draft|effective)[^\n]{0,40}?(?<![\d.])((?:1[5-9]|20)\d\d)(?![\d.]\d)/iu
const PRINTED =
  /\b(?:published|printed|first edition|reprinted|issued)\b[^\n]{0,30}?(?<![\d.])((?:1[5-9]|20)\d\d)(?!\d)/i
const CHANGED =
  /\b(?:last (?:updated|modified|changed|revised|edited)|updated|published|posted)\b.{0,30}?(?<![\d.])((?:19|20)\d\d)(?!\d)/i
const LONE_YEARS = /^(?:(?:1[5-9]|20)\d\d\s*[-–—,]\s*)?((?:1[5-9]|20)\d\d)\.?$/
const [LONGEST_DATE_LINE, FRONT_LINES] = [110, 60]

/** The year that the first pages give, lines in order, those of title pages apart; '' when they give none. */
export function statedYear(lines: readonly string[], front: readonly string[] = lines): string {
  const dates = lines.filter((line) => ALONE.test(line))
  return noticeYear(lines) || dateYear(front) || dateYear(dates) || madeYear(lines)
}

/** The last year of the first block of copyright notices: `© 1990, 1995–2001` is of 2001. */
export function noticeYear(lines: readonly string[]): string {
  const years: string[] = []
  let last = -1
  for (const at of lines.slice(0, NOTICE_LINES).keys()) {
    if (last >= 0 && at - last > NOTICE_GAP) break
    const said = noticeOn(lines, at)
    years.push(...said)
    if (said.length > 0) last = at
  }
  return years.sort().at(-1) ?? ''
}

/** The years of the notice on a line. A list of years may go on in the next line, and the mark may stand behind them. */
function noticeOn(lines: readonly string[], at: number): string[] {
  const [line = '', next = ''] = lines.slice(at, at + 2)
  const found = MARK.exec(line)
  if (found === null || OTHERS_NOTICE.test(`${line} ${next}`)) return []
  const after = line.slice(found.index, found.index + NOTICE_REACH)
  const goesOn = /[\d,–-]\s*$/.test(after) || !/\d/.test(after)
  const told = yearsIn(goesOn ? `${after} ${next.slice(0, NEXT_REACH)}` : after)
  return told.length > 0 ? told : yearsBefore(lines, at, found.index)
}

/** `1995 © B. Beutel`; where TeX draws a ring around the c, the page has `c 1995` on the line above. */
function yearsBefore(lines: readonly string[], at: number, index: number): string[] {
  const above = /^c\s+\d{4}/.test(lines[at - 1] ?? '') ? (lines[at - 1] ?? '') : ''
  return yearsIn(`${above} ${(lines[at] ?? '').slice(Math.max(0, index - 30), index)}`)
}

const yearsIn = (text: string): string[] => [...text.matchAll(LAST_YEAR)].map(([, year = '']) => year)

/** A date that stands on a line of the title page; of several on a line the last. */
export function dateYear(lines: readonly string[]): string {
  for (const line of lines.slice(0, FRONT_LINES)) {
    const alone = LONE_YEARS.exec(line)?.[1]
    if (alone !== undefined) return alone
    if (line.length > LONGEST_DATE_LINE) continue
    const found = DATES.flatMap((shape) => [...line.matchAll(shape)])
      .sort((a, b) => a.index - b.index)
      .at(-1)
    if (found !== undefined && isDateLine(line, found[0])) return found[1] ?? ''
  }
  return ''
}

/** The date is what the line is for: little else stands on it, or a word says what happened then. */
function isDateLine(line: string, date: string): boolean {
  const rest = line
    .replace(date, ' ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
  if (
    rest.length <= 28 ||
    /^(?:version|release|revision|draft|edition|last|updated|published|date|washington)\b/i.test(rest)
  )
    return true
  return /(?:version|release|revision|updated|published|publication date|modified|compiled|processed|built|dated|ratified|headquarters|[\s,]dc\b)/i.test(
    line
  )
}

/** The year in which somebody says it was changed last, as web pages do. */
export function changeYear(lines: readonly string[]): string {
  for (const line of lines) {
    const found = line.length > LONGEST_DATE_LINE ? undefined : CHANGED.exec(line)?.[1]
    if (found !== undefined) return found
  }
  return ''
}

/** In running text only the words of printers count. */
function madeYear(lines: readonly string[]): string {
  for (const line of lines) {
    const found = (line.length > LONGEST_DATE_LINE ? PRINTED : MADE).exec(line)?.[1]
    if (found !== undefined) return found
  }
  return ''
}
