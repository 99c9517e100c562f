import { sha256Hex } from '../../platform/bytes/hash.ts'
import { PROVIDERS, type Provider } from './providers.ts'

/** A key as it stands in the file. */
export interface Key {
  provider: Provider
  /** First 8 hex digits of SHA-256 of the key: the same wherever it stands (contract §10). */
  id: string
  value: string
}

/** `GEMINI_KEY_2=…`, `GEMINI_KEY=…`; a shell's `export` before it is accepted. */
const LINE = /^(\s*(?:export\s+)?([A-Z][A-Z0-9]*)_KEY(?:_(\d{1,6}))?\s*=\s*)(.*)$/
const MAX_KEYS = 200

interface KeyLine {
  /** Everything up to the value. */
  head: string
  provider: Provider
  /** Null: without a number. */
  number: number | null
  value: string
}

export function keyId(value: string): string {
  return sha256Hex(value).slice(0, 8)
}

/**
 * The shown form of a key: over 16 characters first 8 … last 4; 9–16 first 4 … last 2; else nothing of it (contract
 * §10).
 */
export function maskKey(value: string): string {
  if (value.length > 16) return `${value.slice(0, 8)}...${value.slice(-4)}`
  return value.length > 8 ? `${value.slice(0, 4)}...${value.slice(-2)}` : '****'
}

/** The keys in the text of an environment file, in its order; of the same key twice the first counts. At most 200. */
export function keysIn(text: string): Key[] {
  const keys = new Map<string, Key>()
  for (const line of linesOf(text)) {
    const { provider, value } = readLine(line) ?? {}
    if (provider === undefined || value === undefined || value === '' || keys.size >= MAX_KEYS) continue
    const id = keyId(value)
    if (!keys.has(id)) keys.set(id, { provider, id, value })
  }
  return [...keys.values()]
}

/** The text with one more key: its number is the one after the highest of its provider, and no other line changes. */
export function withKey(text: string, provider: Provider, value: string): string {
  const numbers = linesOf(text).flatMap((line) => {
    const found = readLine(line)
    return found?.provider === provider ? [found.number ?? 0] : []
  })
  const added = `${provider.toUpperCase()}_KEY_${Math.max(0, ...numbers) + 1}=${written(value)}`
  const end = endOf(text)
  const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`
  return `${before}${added}${end}`
}

/** The text with another key in the place of one: name and number stay. Further lines with the old key go. */
export function withReplaced(text: string, id: string, value: string): string {
  let done = false
  return changed(text, id, ({ head }) => {
    const first = !done
    done = true
    return first ? `${head}${written(value)}` : null
  })
}

/** The text without a key: its line goes, those of others keep their numbers. */
export function withoutKey(text: string, id: string): string {
  return changed(text, id, () => null)
}

function changed(text: string, id: string, change: (line: KeyLine) => string | null): string {
  // Each line with its own end, so that a file of mixed ends keeps them.
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  return lines
    .map((whole) => {
      const end = /\r?\n?$/.exec(whole)?.[0] ?? ''
      const found = readLine(whole.slice(0, whole.length - end.length))
      if (found === null || found.value === '' || keyId(found.value) !== id) return whole
      const next = change(found)
      return next === null ? '' : next + end
    })
    .join('')
}

function readLine(line: string): KeyLine | null {
  const [, head = '', name = '', number, rest = ''] = LINE.exec(line.replace(/^\uFEFF/, '')) ?? []
  const provider = PROVIDERS.find((one) => one.toUpperCase() === name)
  if (provider === undefined) return null
  return { head, provider, number: number === undefined ? null : Number(number), value: unquoted(rest.trim()) }
}

/** Quotes around a value are not part of it; without quotes, neither is a comment behind it. */
function unquoted(rest: string): string {
  const [, , quoted] = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(rest) ?? []
  return (quoted ?? rest.replace(/(?<!\s)\s+#.*$/, '')).trim()
}

/** In quotes where another reader of such files would see a comment or a variable. */
function written(value: string): string {
  return /[#$&;|<>()*?!~]/.test(value) ? `'${value}'` : value
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/)
}

function endOf(text: string): string {
  return /\r\n/.test(text) ? '\r\n' : '\n'
}
