import { open, stat } from 'node:fs/promises'
import { because } from '../../model/reason.ts'
import { decodeWindows1252 } from '../../platform/bytes/windows-1252.ts'
import { AppError } from '../../platform/errors.ts'
import { EXTRACT_LIMITS } from './extract-tools.ts'

const PAGE_WORDS = 2000
/** A paragraph longer than this is cut at the end of a sentence. */
const LONGEST_PARAGRAPH = PAGE_WORDS * 1.5
/** Characters that count as a word where there are no spaces. */
const LETTERS_OF_A_WORD = 6
/** After a sentence, or after a line. */
const SENTENCE_END = /(?<=[.!?]["')\]]?\s)|(?<=[。！？\n])/u
const HEAD_BYTES = 256 * 1024

/** The text of a file in UTF-8, UTF-16 or Windows-1252 (of which Latin-1 is a part). @throws AppError `too-large` beyond 64 MiB */
export async function readTextFile(path: string, limit: number = EXTRACT_LIMITS.fileBytes): Promise<string> {
  const { size } = await stat(path)
  if (size > limit) throw new AppError('too-large', because('text_too_large', { size, limit }))
  return decodeText(await headBytes(path, size))
}

/** The beginning of a text file, enough for `pages` pages. */
export async function textFileHead(path: string, pages: number): Promise<string> {
  const length = HEAD_BYTES * Math.max(1, pages)
  const bytes = await headBytes(path, length)
  const text = decodeText(bytes, bytes.length === length)
  return cutPages(text).slice(0, pages).join('\f')
}

async function headBytes(path: string, length: number): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Decodes by byte order mark, then by where the zeros are (UTF-16), then as UTF-8 if it is that, else as Windows-1252.
 * `cut`: the bytes may end within a character.
 */
export function decodeText(bytes: Buffer, cut = false): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const wide = utf16Without(bytes.subarray(0, 4096))
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  return isUtf8(bytes, cut) ? new TextDecoder().decode(bytes) : decodeWindows1252(bytes)
}

function isUtf8(bytes: Buffer, cut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
    return true
  } catch {
    return false
  }
}

function utf16Without(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0]
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const most = head.length * 0.3
  if (head.length < 16) return null
  if (odd > most && even === 0) return 'utf-16le'
  return even > most && odd === 0 ? 'utf-16be' : null
}

/** Cuts text into pages: at form feeds, else after about 2000 words, on the border of a paragraph. */
export function cutPages(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split('\f')
    .flatMap((part) => (wordCount(part) > LONGEST_PARAGRAPH ? pack(part) : [part]))
    .filter((page) => page.trim() !== '')
}

function pack(text: string): string[] {
  const pages: string[] = []
  let page: string[] = []
  let words = 0
  for (const paragraph of text.split(/\n[ \t]*\n/).flatMap(sentencesOfLong)) {
    const more = wordCount(paragraph)
    if (words > 0 && words + more > PAGE_WORDS) {
      pages.push(page.join('\n\n'))
      page = []
      words = 0
    }
    page.push(paragraph)
    words += more
  }
  pages.push(page.join('\n\n'))
  return pages
}

/** A paragraph as it is, or one that is too long in pieces of whole sentences. */
function sentencesOfLong(paragraph: string): string[] {
  if (wordCount(paragraph) <= LONGEST_PARAGRAPH) return [paragraph]
  const pieces: string[] = []
  let piece = ''
  let words = 0
  for (const sentence of paragraph.split(SENTENCE_END).flatMap(hardCut)) {
    const more = wordCount(sentence)
    if (words > 0 && words + more > PAGE_WORDS) {
      pieces.push(piece)
      piece = ''
      words = 0
    }
    piece += sentence
    words += more
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

/** A "sentence" that is no sentence, such as a table without ends. */
function hardCut(sentence: string): string[] {
  if (wordCount(sentence) <= PAGE_WORDS) return [sentence]
  const size = PAGE_WORDS * LETTERS_OF_A_WORD
  const signs = [...sentence]
  const pieces: string[] = []
  for (let at = 0; at < signs.length; at += size) pieces.push(signs.slice(at, at + size).join(''))
  return pieces
}

function wordCount(text: string): number {
  const words = text.match(/\S+/g)?.length ?? 0
  return Math.max(words, Math.floor(text.length / (LETTERS_OF_A_WORD * 2)))
}
