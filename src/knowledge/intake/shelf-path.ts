import { DOMAINS, type Metadata, UNSORTED } from '../catalogue/document.ts'

/** Below the data folder (contract §12). */
export const SHELF = 'library'
/** Of a whole name with its ending. */
const MAX_CHARS = 120
const MAX_BYTES = 255
/** Room for the longest ending, `.docx`. */
const ENDING = 6
const MAX_AUTHOR = 50
/** Names of devices on Windows, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i

/** Folder of a domain below the data folder: only the 18 domains have one, everything else stands in `Unsorted` (R4). */
export function shelfFolder(domain: string): string {
  const known: readonly string[] = DOMAINS
  const name = known.includes(domain) ? domain : UNSORTED
  return `${SHELF}/${name.replace(/&/g, 'and').replace(/ /g, '-')}`
}

/**
 * The readable name of a filed document without its ending: `Title — Author (Year)` and then `suffix`. Legal on Windows,
 * exFAT and ext4, with any known ending at most 120 characters and 255 bytes, cut at the end of a word; without a usable
 * title, the first 12 digits of the hash.
 */
export function shelfName(facts: Omit<Metadata, 'edition'> & { hash: string }, suffix = ''): string {
  const room = { chars: MAX_CHARS - ENDING - suffix.length, bytes: MAX_BYTES - ENDING - bytes(suffix) }
  const title = legal(facts.title)
  const author = legal(facts.author)
  const year = /^\d{4}$/.test(facts.year) ? ` (${facts.year})` : ''
  const tail = title !== '' && author !== '' && [...author].length <= MAX_AUTHOR ? ` — ${author}${year}` : year
  const head = cut(title, { chars: room.chars - [...tail].length, bytes: room.bytes - bytes(tail) })
  if (head === '') return `${facts.hash.slice(0, 12)}${suffix}`
  const name = trimmed(`${head}${tail}`)
  return `${RESERVED.test(name) ? '_' : ''}${name}${suffix}`
}

/** Characters that some file system refuses, that are not seen or that turn the direction of writing are dropped. */
function legal(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s*:\s+/g, ' - ')
    .replace(/[/\\|:]+/g, '-')
    .replace(/[<>"?*]+/g, ' ')
    .replace(/\s+/g, ' ')
  return trimmed(plain.normalize('NFC'))
}

/** No blank, dot or hyphen at the ends: `..` is no name, and Windows drops dots and blanks at the end. */
function trimmed(text: string): string {
  return text.replace(/^[\s.\-–—]+|[\s.\-–—]+$/gu, '')
}

/** At the end of a word where that leaves half of it. */
function cut(text: string, room: { chars: number; bytes: number }): string {
  let kept = ''
  let size = 0
  let count = 0
  for (const char of text) {
    size += bytes(char)
    count += 1
    if (size > room.bytes || count > room.chars) {
      const word = kept.lastIndexOf(' ')
      return trimmed(word > kept.length / 2 ? kept.slice(0, word) : kept)
    }
    kept += char
  }
  return kept
}

function bytes(text: string): number {
  return Buffer.byteLength(text)
}
