/** Typographic punctuation costs 2-3 bytes a piece and feeds are full of it. */
const ASCII_FOR: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/gu, '-'],
  [/[\u2018-\u201B\u2032\u2035\u02BC\u00B4]/gu, "'"],
  [/[\u201C-\u201F\u2033\u2036\u00AB\u00BB]/gu, '"'],
  [/\u2026/gu, '...'],
  [/[\u2022\u00B7\u2027\u25CF\u25AA]/gu, '*'],
  [/[\u2044\u2215]/gu, '/'],
  [/\u00D7/gu, 'x']
]

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    deg: '\u00B0',
    ndash: '-',
    mdash: '-',
    hellip: '...',
    lsquo: "'",
    rsquo: "'",
    ldquo: '"',
    rdquo: '"'
  })
)

/** Latin letters that have no decomposition. */
const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
    þ: 'th',
    Þ: 'Th',
    ı: 'i'
  })
)

export interface SanitiseOptions {
  /** Also write accented Latin letters without their accents. */
  fold?: boolean
}

function codePoint(value: number): string {
  return value > 0 && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff) ? String.fromCodePoint(value) : ' '
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,30}));/g, (_all, decimal, hex, name) => {
    if (decimal !== undefined) return codePoint(Number.parseInt(decimal, 10))
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16))
    return ENTITIES.get(String(name).toLowerCase()) ?? ' '
  })
}

/** Colours of a terminal: without the escape character, which goes with the controls, `[31m` would stay. */
const TERMINAL = /\p{Cc}\[[\d;?]{1,20}[mHJK]/gu
const PLAIN = /^[\x20-\x7E\n\r\t]*$/
const MAYBE_TERMINAL = /[\n\r\t]\[/
/** The content of these is no text, up to so many characters. */
const CODE = /<(script|style)\b[^<>]{0,200}>/gi
const MOST_CODE = 5000

// A tag begins with a letter or a slash: `wind < 5 mph and > 3` is text.
function stripMarkup(text: string): string {
  const tags = /<(?:\/?[a-zA-Z]|!)[^<>]*>/g
  return withoutCode(decodeEntities(withoutCode(text).replace(tags, ' '))).replace(tags, ' ')
}

/** Each end is looked for once: a text of nothing but openings costs what its length does. */
function withoutCode(text: string): string {
  const ends = { script: endsOf(text, /<\/script\s*>/gi), style: endsOf(text, /<\/style\s*>/gi) }
  let written = ''
  let from = 0
  for (const { 0: tag, 1: name = '', index } of text.matchAll(CODE)) {
    if (index < from) continue
    const inside = index + tag.length
    const end = ends[name.toLowerCase() === 'script' ? 'script' : 'style'](inside)
    if (end === null || end.index - inside > MOST_CODE) continue
    written += `${text.slice(from, index)} `
    from = end.index + end[0].length
  }
  return written + text.slice(from)
}

/** Answers the first match from a place on; the places asked for go up. */
function endsOf(text: string, pattern: RegExp): (from: number) => RegExpExecArray | null {
  let next: RegExpExecArray | null | undefined
  return (from) => {
    if (next === undefined || (next !== null && next.index < from)) {
      pattern.lastIndex = from
      next = pattern.exec(text)
    }
    return next
  }
}

/** Latin letters without their marks. */
export function foldLatin(text: string): string {
  return text.replace(/\p{Script=Latin}\p{M}*/gu, (letter) => {
    const base = letter.normalize('NFKD').replace(/\p{M}/gu, '')
    return LATIN.get(base) ?? base
  })
}

/**
 * One line of plain text in NFC: no mark-up, control, bidi, zero-width or private characters, no lone surrogates; ASCII
 * punctuation; blanks collapsed. At most four combining marks stand on a letter, so that one grapheme cannot fill a packet.
 */
export function cleanText(text: string, options: SanitiseOptions = {}): string {
  let line = text.includes('<') || text.includes('&') ? stripMarkup(text) : text
  // Most text is plain, and needs none of the tables below.
  if (PLAIN.test(line) && !MAYBE_TERMINAL.test(line)) return line.replace(/\s+/g, ' ').trim()
  line = line
    .replace(TERMINAL, '')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\uFFF9-\uFFFD]/gu, '')
    .normalize('NFC')
  for (const [pattern, ascii] of ASCII_FOR) line = line.replace(pattern, ascii)
  if (options.fold === true) line = foldLatin(line)
  return line
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .replace(/(^| )[\p{M} ]+/gu, '$1')
    .trim()
}

/** `cleanText` that also never begins with `/`, `!` or `@`, to which bots on the mesh react. */
export function sanitise(text: string, options: SanitiseOptions = {}): string {
  return cleanText(text, options).replace(/^[/!@ ]+/, '')
}
