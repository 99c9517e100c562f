import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { findWebFolder } from './assets.ts'

/** English texts are their own keys; the others have a file `web/i18n/<language>.json`. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** A text in the language of a page, `{name}` replaced. */
export type Translate = (text: string, values?: Record<string, string | number>) => string

/** What the reader asked for: the cookie `lang` before the settings of the browser (RFC 9110 §12.5.4); else English. */
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
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
  return [chosen, ...wanted].flatMap((tag) => LANGUAGES.find((language) => language === tag) ?? [])[0] ?? 'en'
}

const catalogues = new Map<Language, Readonly<Record<string, string>>>()

/** The words of a language; none for English. Read once, when somebody asks for it. */
export function wordsOf(language: Language): Readonly<Record<string, string>> {
  if (language === 'en') return {}
  const known = catalogues.get(language)
  if (known !== undefined) return known
  const file = join(findWebFolder(import.meta.dirname), 'i18n', `${language}.json`)
  const words: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  catalogues.set(language, words)
  return words
}

export function translator(language: Language): Translate {
  const words = wordsOf(language)
  return (text, values = {}) => {
    const said = Object.hasOwn(words, text) ? (words[text] ?? text) : text
    return said.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
  }
}
