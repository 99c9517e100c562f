import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Reason } from '../../model/reason.ts'
import { LANGUAGES, type Language } from '../../model/words/languages.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import { FEEDS } from '../../warning/feeds/settings.ts'
import { findPageFolder, findWebFolder } from '../server/assets.ts'

/** Each in its own tongue: who cannot read the page finds it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** A text written out in the source, or one of several; not whatever a string may hold. */
type Written<T extends string> = string extends T ? never : T

/**
 * The language of a page. Words of others (titles, names, file names, what a feed or a node says) are shown as they are and
 * never come here: a title that equals a key would be changed, and what it costs to look for its sentence is the stranger's choice.
 */
export interface Translate {
  /** A text of the page, `{name}` replaced. The types take it only where it is written out, so that no data gets in. */
  <T extends string>(text: Written<T>, values?: Record<string, string | number>): string
  /** A name or description out of the program's own tables: settings, families, domains. Others' names come back as they are only by luck. */
  term: (text: string) => string
  /** Says why something waits or failed. */
  reason: (reason: Reason) => string
}

/**
 * The language the reader asked for: the cookie `lang` before the settings of the browser (RFC 9110 §12.5.4); else
 * English.
 */
export function languageOf({ cookie, 'accept-language': accepted }: IncomingHttpHeaders): Language {
  const chosen = /(?:^|;\s*)lang=([a-z]{2})\b/.exec(cookie ?? '')?.[1]
  const wanted = (accepted ?? '')
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { tag: tag.trim().slice(0, 2).toLowerCase(), quality: Number(quality ?? 1) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
  return [chosen, ...wanted].flatMap((tag) => LANGUAGES.find((language) => language === tag) ?? [])[0] ?? 'en'
}

interface Catalogue {
  words: Readonly<Record<string, string>>
  /** Changes with the words: part of their address, so that a browser may keep them for ever. */
  revision: string
}

const NOTHING: Catalogue = { words: {}, revision: '' }
const catalogues = new Map<Language, Catalogue>()

/** The words of a language, whose keys are the English texts; none for English. Read once, when somebody asks for it. */
export function wordsOf(language: Language): Catalogue['words'] {
  return catalogueOf(language).words
}

/** The address at which a script finds the words of a language; null for English. */
export function wordsAddress(language: Language): string | null {
  return language === 'en' ? null : `/i18n/${language}.json?v=${catalogueOf(language).revision}`
}

export function catalogueOf(language: Language): Catalogue {
  if (language === 'en') return NOTHING
  const known = catalogues.get(language)
  if (known !== undefined) return known
  const folder = join(findWebFolder(import.meta.dirname), 'i18n')
  const words = readWords(folder, language)
  const catalogue = { words, revision: revisionOf(words) }
  catalogues.set(language, catalogue)
  return catalogue
}

/** `<language>.json` first, then what several pages share in `parts/`, each page in its folder, and each kind of source in its own (German). */
function readWords(folder: string, language: Language): Record<string, string> {
  const pages = findPageFolder(import.meta.dirname)
  const files = [
    join(folder, `${language}.json`),
    ...(language === 'de' ? filesBelow(join(folder, 'parts'), /\.json$/) : []),
    ...filesBelow(pages, new RegExp(`/${language}\\.json$`))
  ]
  const words: Record<string, string> = {}
  for (const file of files) Object.assign(words, JSON.parse(readFileSync(file, 'utf8')))
  if (language === 'de') for (const { german } of FEEDS) Object.assign(words, german)
  return words
}

/** In a fixed order: of two translations of one text, the later counts. */
function filesBelow(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => wanted.test(path))
    .sort()
}

export function translator(language: Language): Translate {
  const { words } = catalogueOf(language)
  const term = (text: string): string => (Object.hasOwn(words, text) ? (words[text] ?? text) : text)
  const say = (text: string, values?: Record<string, string | number>): string => {
    const said = term(text)
    if (values === undefined) return said
    return said.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
  }
  return Object.assign(say, { term, reason: (said: Reason) => sentenceOf(said, language) })
}
