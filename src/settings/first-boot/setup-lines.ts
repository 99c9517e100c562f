import { because, type Reason } from '../../model/reason.ts'

/** More than anybody writes into it by hand. */
export const MOST_SETUP_BYTES = 64 * 1024

/** Keys of `lookout-setup.txt` as the sample writes them, with what else people write for them; all as `plainKey` makes them. */
const KEYS = {
  name: ['station', 'station name', 'stationsname'],
  country: ['land'],
  language: ['sprache'],
  place: ['town', 'ort'],
  'radius km': ['radius'],
  areas: ['area', 'gebiete', 'gebiet'],
  'wifi name': ['wifi', 'ssid', 'wifi ssid', 'wlan', 'wlan name'],
  'wifi passphrase': [
    'passphrase',
    'pass phrase',
    'password',
    'psk',
    'wifi pass phrase',
    'wifi password',
    'wlan passphrase',
    'wlan passwort',
    'passwort'
  ],
  meshtastic: ['mt'],
  meshcore: ['mc'],
  profile: ['profil']
} as const

export type SetupKey = keyof typeof KEYS
export const SETUP_KEYS: readonly SetupKey[] = Object.keys(KEYS).filter((key) => key in KEYS) as SetupKey[]

const KEY_OF: ReadonlyMap<string, SetupKey> = new Map(
  SETUP_KEYS.flatMap((key) => [key, ...KEYS[key]].map((word): [string, SetupKey] => [word, key]))
)

/** A line `key = value` with something behind the sign. */
export interface SetupLine {
  key: SetupKey
  value: string
  /** Counts from 1. */
  line: number
  /** The bytes behind the sign, without the end of the line; null where the file is UTF-16, which is not edited in place. */
  bytes: { at: number; length: number } | null
}

export interface SetupText {
  lines: readonly SetupLine[]
  notes: readonly Reason[]
}

/**
 * Reads the text file that somebody wrote on any computer: with a byte order mark or without, UTF-8, UTF-16 or Windows-1252, any end
 * of line, any case, quotes round values, `:` for `=`. Lines that begin with `#` or `;` are notes. Each line that cannot be used
 * gives a reason; the last of several lines with one key counts.
 */
export function readSetupText(file: Uint8Array): SetupText {
  if (file.length > MOST_SETUP_BYTES)
    return { lines: [], notes: [because('setup_too_large', { most: MOST_SETUP_BYTES / 1024 })] }
  const notes: Reason[] = []
  const found = new Map<SetupKey, SetupLine>()
  for (const [index, { text, at }] of linesOf(file).entries()) {
    const read = readLine(text, { line: index + 1, at })
    if (read === null) continue
    if ('code' in read) notes.push(read)
    else {
      if (found.has(read.key)) notes.push(because('setup_twice', { line: read.line, key: read.key }))
      found.set(read.key, read)
    }
  }
  return { lines: [...found.values()], notes }
}

/** Null for a line that says nothing. */
function readLine(text: string, { line, at }: { line: number; at: number | null }): SetupLine | Reason | null {
  if (/^\s*(?:[#;]|$)/.test(text)) return null
  const sign = signOf(text)
  if (sign < 0) return because('setup_no_value_sign', { line })
  const typed = text.slice(0, sign).trim()
  const key = KEY_OF.get(plainKey(typed))
  if (key === undefined) return because('setup_unknown_key', { line, key: typed.slice(0, 40), known: [...SETUP_KEYS] })
  const behind = text.slice(sign + 1)
  const value = unquoted(behind.trim())
  if (value === '') return null
  const bytes =
    at === null ? null : { at: at + Buffer.byteLength(text.slice(0, sign + 1)), length: Buffer.byteLength(behind) }
  return { key, value, line, bytes }
}

/** A colon is the sign only where there is no `=`, or where what stands before it is a key: `areas: NUTS3:DE212`. */
function signOf(text: string): number {
  const [equals, colon] = [text.indexOf('='), text.indexOf(':')]
  if (colon >= 0 && (equals < 0 || colon < equals) && KEY_OF.has(plainKey(text.slice(0, colon)))) return colon
  return equals < 0 ? colon : equals
}

/** `Wi-Fi_Name` is `wifi name`. */
function plainKey(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/\bwi fi\b/g, 'wifi')
}

function unquoted(value: string): string {
  return (/^(["'„“”‚‘’])(.*)(["'“”‘’])$/su.exec(value)?.[2] ?? value).trim()
}

/** Lines with the byte at which each begins; null where bytes and characters do not go together. */
function linesOf(file: Uint8Array): { text: string; at: number | null }[] {
  const [first, second] = file
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const text = new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(file)
    return text.split(/\r\n|\r|\n/).map((line) => ({ text: line, at: null }))
  }
  const mark = first === 0xef && second === 0xbb && file[2] === 0xbf ? 3 : 0
  const body = Buffer.from(file.subarray(mark))
  const lines: { text: string; at: number | null }[] = []
  // Both ends of a line are one byte in all of these encodings.
  for (const { 0: line, index } of body.toString('latin1').matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    const bytes = Buffer.from(line.replace(/[\r\n]+$/, ''), 'latin1')
    const text = bytes.toString('utf8')
    const isUtf8 = Buffer.from(text, 'utf8').equals(bytes)
    // An old editor of Windows: its letters are one byte each, ours would be two.
    lines.push(isUtf8 ? { text, at: mark + index } : { text: new TextDecoder('windows-1252').decode(bytes), at: null })
  }
  return lines
}
