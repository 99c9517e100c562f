import { because, type ReasonCode } from '../../model/reason.ts'
import { refusedAt } from '../../platform/errors.ts'

export const MOST_PATTERNS = 20
export const PATTERN_LENGTH = 200
export const MOST_STARS = 8
/** The form's box of them: every line, and its end. */
export const PATTERNS_TEXT = MOST_PATTERNS * (PATTERN_LENGTH + 2)

/**
 * The patterns somebody wrote for the paths of a site. Wildcards, no regular expressions: what can be written can be matched
 * in the time its length says. @throws AppError `invalid`.
 */
export function readPatterns(lines: readonly string[], where: string): string[] {
  const patterns = [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))]
  if (patterns.length > MOST_PATTERNS)
    throw refusedAt(where, 'invalid', because('too_many_patterns', { limit: MOST_PATTERNS }))
  for (const pattern of patterns) {
    const fault = faultOf(pattern)
    if (fault !== null) throw refusedAt(where, 'invalid', because(fault, { pattern: pattern.slice(0, PATTERN_LENGTH) }))
  }
  return patterns
}

function faultOf(pattern: string): PatternFault | null {
  if (!/^[/*]/.test(pattern)) return 'pattern_no_path'
  if (pattern.length > PATTERN_LENGTH || pattern.split('*').length - 1 > MOST_STARS) return 'pattern_too_long'
  if (/[\s#\\\p{Cc}]/u.test(pattern)) return 'pattern_letters'
  return /^[/*]+$/.test(pattern) && pattern.includes('*') ? 'pattern_means_all' : null
}

type PatternFault = Extract<
  ReasonCode,
  'pattern_no_path' | 'pattern_too_long' | 'pattern_letters' | 'pattern_means_all'
>

/** The path of an address, with its query, in the letters people write. */
function pathOf({ pathname, search }: URL): string {
  return plain(`${pathname}${search}`)
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** True for addresses that one of the patterns fits. A slash at the end of a path makes no difference. */
export function fitsAny(patterns: readonly string[]): (url: URL) => boolean {
  const wanted = patterns.map((pattern) => withoutSlash(plain(pattern)).split('*'))
  return (url) => {
    const path = pathOf(url)
    const bare = withoutSlash(path)
    return wanted.some((parts) => fits(parts, path) || (bare !== path && fits(parts, bare)))
  }
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** The leftmost place of each part in turn is the right one: no way back is ever needed. */
function fits(parts: readonly string[], path: string): boolean {
  const [first = '', ...others] = parts
  if (!path.startsWith(first)) return false
  if (others.length === 0) return path.length === first.length
  const last = others.pop() ?? ''
  let at = first.length
  for (const part of others) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}

/** The scope of a crawl, as the start of an address. */
export interface AddressScope {
  first: URL
  scope: 'host' | 'prefix' | 'domain'
}

/** The same as a regular expression of JavaScript over whole addresses, for a crawler that takes one. Empty without patterns. */
export function excludeExpression(patterns: readonly string[]): string {
  return patterns.length === 0 ? '' : `^https?://[^/?#]+(?:${expressionsOf(patterns)})`
}

/** Addresses of the scope that one of the patterns fits. Empty without patterns. */
export function includeExpression(patterns: readonly string[], { first, scope }: AddressScope): string {
  if (patterns.length === 0) return ''
  const host = escaped(first.host.replace(/^www\./, ''))
  const folder = first.pathname.slice(0, first.pathname.lastIndexOf('/') + 1)
  const below = scope === 'domain' ? '(?:[^/?#]+\\.)?' : '(?:www\\.)?'
  const prefix = scope === 'prefix' ? `(?=${escaped(folder)})` : ''
  return `^https?://${below}${host}${prefix}(?:${expressionsOf(patterns)})`
}

function expressionsOf(patterns: readonly string[]): string {
  let groups = 0
  return patterns
    .map((pattern) => {
      const parts = withoutSlash(encoded(pattern)).split('*').map(escaped)
      const [first = '', ...others] = parts
      if (others.length === 0) return `${first}/?$`
      const last = others.pop() ?? ''
      // A look ahead that is taken back as it was found gives no way back: whatever the address, its length is the cost.
      const between = others.filter((part) => part !== '').map((part) => `(?=(.*?${part}))\\${++groups}`)
      return `${first}${between.join('')}${last === '' ? '' : `.*${last}/?$`}`
    })
    .join('|')
}

/** As a browser asks for it. */
function encoded(pattern: string): string {
  const url = new URL(`http://x.invalid${pattern.startsWith('/') ? '' : '/'}${pattern}`)
  const path = `${url.pathname}${url.search}`
  return pattern.startsWith('/') ? path : path.slice(1)
}

function escaped(text: string): string {
  return text.replace(/[-/\\^$+?.()|[\]{}]/g, '\\$&')
}
