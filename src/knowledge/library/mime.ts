/** The parts of a media type: `Text/HTML; charset=UTF-8` → `text/html` and `utf-8`. */
export interface Mime {
  essence: string
  charset: string | null
}

const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** RFC 9110, §8.3.1: the type, and its charset when it names one. */
export function parseMime(text: string): Mime {
  const [essence = ''] = text.split(';')
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(text)?.[1] ?? null
  return { essence: essence.trim().toLowerCase(), charset: charset?.toLowerCase() ?? null }
}

/** A page of text, whatever parameters stand behind the type (Z6). */
export function isPage(mime: string): boolean {
  return PAGES.has(parseMime(mime).essence)
}

/** Types follow on a semicolon, and so do their parameters: only what looks like a type begins a new one. */
const NEXT_TYPE = /;(?=\s*[\w.+-]+\/[\w.+*-]+\s*[;=])/
const COUNTED = /^(.*)=(\d{1,12})\s*;?\s*$/s

/**
 * Pages by the archive's own `Counter` (`text/html=5;text/html; charset=utf-8=2;image/png=9`); null when it says nothing
 * that can be read.
 */
export function countedPages(counter: string): number | null {
  let sum = 0
  let isRead = false
  for (const part of counter.split(NEXT_TYPE)) {
    const [, type = '', count = ''] = COUNTED.exec(part.trim()) ?? []
    if (count === '') continue
    isRead = true
    if (isPage(type)) sum += Number(count)
  }
  return isRead ? sum : null
}
