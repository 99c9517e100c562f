import type { Metadata } from '../catalogue/document.ts'
import {
  editionIn,
  looksLikeName,
  manualNumber,
  oneFact,
  titleCased,
  usableAuthor,
  usableTitle,
  yearIn
} from './title-text.ts'

const MAX_NAME = 400
const EXTENSION = /\.(?:pdf|txt|epub|docx?|mobi|azw3?|vtt|srt|html?|rtf|djvu|md)$/i
/** The sites that files were fetched from say nothing of the book. */
const SITES =
  /\b(?:z[ -]?lib(?:rary)?(?:\.(?:org|sk|io|is|net))?|1lib(?:\.\w{2,4})?|b-?ok(?:\.(?:org|cc|xyz|lat))|lib(?:rary)?gen(?:esis)?(?:\.\w{2,3})?|anna['’]?s[ -_]archive(?:\.\w{2,4})?|pdf ?drive(?:\.com|\.net)?|dokumen\.?pub|vdoc\.?pub|epdf(?:\.(?:pub|tips|mx))?|ebook-?dl|ebook3000|it-ebooks(?:\.info)?|allitebooks(?:\.\w+)?|avxho?me?(?:\.\w{2})?|bookfi(?:\.net)?|bookzz(?:\.org)?|scribd(?:\.com)?|oceanofpdf(?:\.com)?|free-?ebooks?(?:\.\w+)?|archive\.org|ia[-_]scan|wow! ?ebook|sanet\.\w{2}|vk\.com|torrent|demonoid|kickass)\b/gi
const ADDRESS = /\b(?:https?:\/\/)?(?:www\.)?[a-z0-9-]+\.(?:com|org|net|info|cc|io|biz|ru|to)\b(?:\/\S*)?/gi
const NUMBERS =
  /\b(?:isbn(?:-?1[03])?[ :_-]*)?97[89][- ]?(?:\d[- ]?){9}\d\b|\bisbn(?:-?1[03])?[ :_-]*[\dX -]{10,17}|\b[0-9a-f]{32,64}\b|\bmd5[ :_-]*[0-9a-f]+\b/gi
const LABELS =
  /[([{]\s*(?:pdf|epub|mobi|ebook|e-book|retail|scan(?:ned)?|ocr(?:ed)?|searchable|bookmarked|true ?pdf|hq|hd|full|free(?: download)?|final|copy|english|en|eng|repost|\d{1,2}|v\d[\d.]*)\s*[)\]}]/gi

/**
 * The facts in a file's name about the book in it; empty where it says nothing. Pure: the same name gives the same
 * facts.
 */
export function parseFilename(name: string): Metadata {
  let rest = withoutSites(spaced(oneFact(name.slice(0, MAX_NAME)).replace(EXTENSION, '')))
  const found = editionIn(rest)
  if (found !== null) rest = rest.replace(found.words, ' ')
  const dashed = rest.split(/\s+--\s+/)
  const { year, text } = takeYear(dashed.slice(0, 2).join(' - '))
  const { title, author } = split(tidy(text))
  return {
    title: usableTitle(titleCased(withManual(title))),
    author: usableAuthor(author),
    edition: found?.edition ?? '',
    year: year === '' ? yearIn(dashed.slice(2).join(' ')) : year
  }
}

/** Underscores, plus signs, dots and hyphens that stand for blanks. A name with blanks keeps its dots and hyphens. */
function spaced(name: string): string {
  const underscored = name.replace(/%20|[_+]+/g, ' ')
  if (/\s/.test(underscored.trim())) return underscored
  if (/\p{L}-\p{L}+-\p{L}/u.test(underscored)) return underscored.replace(/(?<!\d)-|-(?!\d)/g, ' ')
  // `Root.Cellaring.2nd.ed` but not `v1.2` nor `FM 4-25.11`.
  return /\p{L}\.\p{L}/u.test(underscored) ? underscored.replace(/(?<!\d)\.|\.(?!\d)/g, ' ') : underscored
}

function withoutSites(name: string): string {
  return name
    .replace(NUMBERS, ' ')
    .replace(/[([{][^()[\]{}]*[)\]}]/g, (group) => (isSite(group) ? ' ' : group))
    .replace(SITES, ' ')
    .replace(ADDRESS, ' ')
    .replace(LABELS, ' ')
}

function isSite(group: string): boolean {
  return new RegExp(SITES.source, 'i').test(group) || new RegExp(ADDRESS.source, 'i').test(group)
}

const BRACKETED_YEAR = /[([{,]\s*(?:[^()[\]{}]{0,60}?[\s,])?((?:1[5-9]|20)\d\d)\s*(?:[,;][^()[\]{}]{0,60})?[)\]}]/
const LAST_YEAR = /(?:[\s,._-]+)((?:19|20)\d\d)\s*$/

/** A year in brackets, else one at the end. A year inside of a title (`Cabins of 1910 and after`) is part of it. */
function takeYear(text: string): { year: string; text: string } {
  for (const shape of [BRACKETED_YEAR, LAST_YEAR]) {
    const found = shape.exec(text)
    const rest = found === null ? '' : text.replace(found[0], ' ')
    // `1984.pdf` is a title, not a year without one.
    if (found !== null && /\p{L}/u.test(rest)) return { year: found[1] ?? '', text: rest }
  }
  return { year: '', text }
}

/** Empty brackets, blanks and separators at the ends go. */
function tidy(text: string): string {
  return text
    .replace(/[([{]\s*[)\]}]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–—_,.;:~]+|[\s\-–—_,;:~.]+$/g, '')
    .trim()
}

/** `Title - Author`, `Author - Title`, `Title (Author)`, `Title by Author`; a part that is no name stays in the title. */
function split(text: string): { title: string; author: string } {
  const by = /^(.{3,}?)\s+by\s+(.+)$/i.exec(text)
  if (by !== null && looksLikeName(tidy(by[2] ?? ''))) return { title: tidy(by[1] ?? ''), author: tidy(by[2] ?? '') }
  const bracket = /^(.{3,}?)\s*[([]([^()[\]]+)[)\]]$/.exec(text)
  if (bracket !== null && looksLikeName(tidy(bracket[2] ?? '')))
    return { title: tidy(bracket[1] ?? ''), author: tidy(bracket[2] ?? '') }
  return splitAtDash(text)
}

function splitAtDash(text: string): { title: string; author: string } {
  const parts = text.split(/\s+[-–—]\s+/).map(tidy)
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (parts.length < 2) return { title: text, author: '' }
  const names = { first: looksLikeName(first), last: looksLikeName(last) }
  // With a name on both sides the usual order counts: the title first.
  if (names.last) return { title: parts.slice(0, -1).join(' - '), author: last }
  if (names.first) return { title: parts.slice(1).join(' - '), author: first }
  return { title: parts.join(' - '), author: '' }
}

function withManual(title: string): string {
  const manual = manualNumber(title)
  return manual === null ? title : title.replace(manual.words, manual.number)
}
