import type { Metadata } from '../catalogue/document.ts'
import { hasNoName } from './person-names.ts'

/** Longest fact that is kept; a longer one is a paragraph that got into the wrong place. */
const MAX_FACT = 300
/** Titles of programs and scanners, not of books: they never vote. */
const JUNK_TITLES = [
  /^(?:microsoft (?:word|powerpoint|excel)|powerpoint presentation|word document)\b/i,
  /^(?:untitled|unknown|no title|title|document|doc|scan|scanned?[ _-]?(?:document|image)?|image|img|file|book|page|new|copy|output|output|temp|tmp|test|draft|dsc|pdf|none|null|n\/?a)[ _.\-()#]*\d*$/i,
  /^(?:scan|img|image|dsc|doc|fax|xerox|canon|hp ?scan|brw|kmbt|mx|sharp|epson|adobe ?scan|camscanner)[ _-]?[\d_ .-]+$/i,
  /^[0-9a-f]{16,}$/i,
  /^[\d\s._-]+$/,
  /^(?:layout|cover|front ?matter|contents|table of contents|slide|figure|sheet) ?\d*$/i,
  /\.(?:docx?|pdf|indd|qxd|pmd|fm|tif+|jpe?g|png|xls|ppt|p65|eps|cdr|dvi|ps|html?|txt|rtf)$/i,
  /^[\w.+-]*(?:\/|\\)[\w./\\ +-]*$/,
  // The name of a file or of a project: `developers-reference`.
  /^[\p{Ll}\d]+(?:[-_][\p{Ll}\d]+)+$/u
]
const JUNK_AUTHORS =
  /^(?:unknown(?: author)?|anonymous|author|administrator|admin|user|owner|default|none|null|n\/?a|scanner|various|calibre(?: .*)?|microsoft|windows user|pc|home|dell|hp|root|test|my name|preferred customer|valued (?:gateway|customer).*|xp|.*@.*|.*\.(?:com|org|net)\b.*|\d*)$/i
/** Scanners and typesetters write `MIL00012A`: capitals and digits in one word. */
const SCANNER_CODE = /^(?=.*\d)[A-Z0-9_\-.]{5,}$/
const SMALL_WORDS = new Set(
  'a an and as at but by for from in into nor of off on onto or out over per the to up via vs with without'.split(' ')
)

/** One line without control and bidi characters, blanks collapsed; at most 300 characters. */
export function oneFact(text: string): string {
  return (
    text
      .slice(0, 10 * MAX_FACT)
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_FACT)
      // Not half of a character.
      .replace(/[\ud800-\udbff]$/, '')
      .trim()
  )
}

/** Programs put their own name before that of the file, and dates of a build behind it. */
const PROGRAM_PREFIX =
  /^(?:microsoft (?:word|powerpoint|excel|publisher)|sisu:?|openoffice\S*|libreoffice\S*)\s*[-–]\s*/i
const DATE_BEHIND = /(?:\s*\((?:1[5-9]|20)\d\d-\d\d-\d\d\)|,\s+\d{1,2}\s+\p{L}{3,9}\.?\s+(?:1[5-9]|20)\d\d)$/u

/** A title somebody gave, or '' for what a program wrote there. Manual numbers such as `FM 21-76` are titles. */
export function usableTitle(text: string): string {
  const title = oneFact(text).replace(PROGRAM_PREFIX, '').replace(DATE_BEHIND, '').trim()
  if (title.length < 3 || !/\p{L}/u.test(title) || JUNK_TITLES.some((junk) => junk.test(title))) return ''
  if (SCANNER_CODE.test(title) && manualNumber(title) === null) return ''
  return title
}

/** A person or body somebody named, or '' for the account a program ran under. */
export function usableAuthor(text: string): string {
  const author = oneFact(text.replace(/[_]+/g, ' '))
    .replace(/(?:©|\(c\)|\bcopyright\b)[\s\d,–-]*/gi, ' ')
    .replace(/<[^<>]*@[^<>]*>|(?<!\S)\S+@\S+/g, ' ')
    .replace(/\(\p{Ll}[\p{Ll}\p{N}_.-]*\)/gu, ' ')
    .replace(/\s+([,;]|$)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;]+|[\s,;]+$/g, '')
    .replace(/^(?:by|author:?)\s+/i, '')
  return author.length < 2 || !/\p{L}/u.test(author) || JUNK_AUTHORS.test(author) || isAccount(author) ? '' : author
}

/** `jenki300`, `brianc`, `NAL User`: somebody logged in, nobody signed. */
function isAccount(author: string): boolean {
  if (/\b(?:user|admin|account|owner|student|laptop|desktop|pc)\s*\d*$/i.test(author)) return true
  return !/\s/.test(author) && /^\p{Ll}[\p{Ll}\p{N}._-]*$|\d{2}/u.test(author)
}

/** Four digits, 1500 to 2099; '' when there are none. Of several the first. */
export function yearIn(text: string): string {
  return /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/.exec(text)?.[0] ?? ''
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const EDITION =
  /(?<![\p{L}\p{N}])(?:(\d{1,2})\s?(?:st|nd|rd|th)|(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth))(?:[\s_]+(revised|enlarged|international))?[\s_]+(?:edition|edn|ed)(?![\p{L}\p{N}])\.?/iu
const NAMED_EDITION =
  /(?<![\p{L}\p{N}])(revised(?: and (?:expanded|updated|enlarged))?|expanded|updated|enlarged|anniversary|international|student)[\s_]+(?:edition|edn|ed)(?![\p{L}\p{N}])\.?/iu
const NUMBERED_EDITION = /(?<![\p{L}\p{N}])(?:edition|edn|ed)\.?[\s_]+(\d{1,2})(?![\p{L}\p{N}])/iu

/** An edition in one spelling (`2nd edition`, `Revised edition`) and the words that said so. */
export function editionIn(text: string): { edition: string; words: string } | null {
  const counted = EDITION.exec(text)
  if (counted !== null) {
    const number =
      counted[1] === undefined ? ORDINALS.indexOf((counted[2] ?? '').toLowerCase()) + 1 : Number(counted[1])
    return number < 1 ? null : { edition: `${ordinal(number)} edition`, words: counted[0] }
  }
  const numbered = NUMBERED_EDITION.exec(text)
  if (numbered !== null && Number(numbered[1]) > 0)
    return { edition: `${ordinal(Number(numbered[1]))} edition`, words: numbered[0] }
  const named = NAMED_EDITION.exec(text)
  if (named === null) return null
  const name = (named[1] ?? '').toLowerCase()
  return { edition: `${name.charAt(0).toUpperCase()}${name.slice(1)} edition`, words: named[0] }
}

function ordinal(number: number): string {
  const teen = number % 100 >= 11 && number % 100 <= 13
  return `${number}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}

const SERIES = 'FM|TM|ATP|ADP|ADRP|ATTP|TC|ST|STP|MCWP|MCRP|FMFM|FMFRP|GTA|NAVEDTRA|NTRP|AFM|AFH|AFPAM|JP|DA PAM|TB|SH'
const MANUAL = new RegExp(
  `(?<![\\p{L}\\p{N}])(${SERIES})[\\s_.-]*(\\d{1,3}(?:[-_.]\\d+[A-Z]?)+(?:[-_.&]+[0-9A-Z]{1,4})*|\\d{4,5})(?![\\p{L}\\p{N}])`,
  'iu'
)

/** The number of a military manual in one spelling: `fm_21-76` is `FM 21-76`, `TM9-2320-280-10` is `TM 9-2320-280-10`. */
export function manualNumber(text: string): { number: string; words: string } | null {
  const found = MANUAL.exec(text)
  if (found === null) return null
  const digits = (found[2] ?? '').toUpperCase().replace(/_/g, '-')
  return { number: `${(found[1] ?? '').toUpperCase()} ${digits}`, words: found[0] }
}

/** Title case for a name that is all small or all capital letters, its manual number aside; any other is left as written. */
export function titleCased(text: string): string {
  const manual = manualNumber(text)
  const letters = text.replace(manual?.words ?? '', '').replace(/[^\p{L}]/gu, '')
  if (letters !== letters.toLowerCase() && letters !== letters.toUpperCase()) return text
  const cased = text
    .toLowerCase()
    .split(' ')
    .map((word, at) =>
      at > 0 && SMALL_WORDS.has(word) ? word : word.replace(/\p{L}/u, (first) => first.toUpperCase())
    )
    .join(' ')
  return manual === null ? cased : cased.replace(new RegExp(escaped(manual.words), 'i'), manual.number)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const NAME_PART = String.raw`(?:\p{Lu}\.?|\p{Lu}\.(?:\s?\p{Lu}\.)+|(?:Mc|Mac|O['’]|D['’])?\p{Lu}[\p{Ll}\p{M}'’]+(?:-\p{Lu}[\p{Ll}\p{M}]+)?|de|van|von|der|den|la|le|di|da|del|bin|al|Jr\.?|Sr\.?|II|III|MD|Ph\.?D\.?)`
const FULL_NAME = new RegExp(`^${NAME_PART}(?:,?\\s${NAME_PART}){1,4}$`, 'u')
/** Words that stand in titles and hardly ever in names. */
const TITLE_WORD =
  /\b(?:the|a|an|and|of|for|to|in|on|with|how|guide|manual|handbook|book|basics?|introduction|complete|practical|survival|first|aid|field|home|repair|medicine|cooking|gardening|building|water|power|engineering|farming|food|radio|skills?|techniques?|history|encyclopedia|vol|volume|part|army|navy|department|press|university)\b/i

/** True when this reads like one to four people: `Patrice Lewis`, `Lewis, P.`, `A. Smith & B. Jones`. */
export function looksLikeName(text: string): boolean {
  const people = text.split(/\s*(?:;|&|\band\b)\s*/).filter((part) => part !== '')
  if (people.length === 0 || people.length > 4) return false
  return people.every((person) => FULL_NAME.test(person.trim()) && !TITLE_WORD.test(person) && !hasNoName(person))
}

/** The form in which two voters' words are compared: no case, accents, punctuation or repeated blanks. */
export function comparable(field: keyof Metadata, text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  // `Lewis, Patrice` and `Patrice Lewis` are one person.
  return field === 'author' ? plain.split(' ').sort().join(' ') : plain
}
