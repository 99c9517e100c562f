import { compoundKind, zipKind } from './containers.ts'
import { hasControl, isText } from './plain-text.ts'
import { type Bytes, type IntakeType, UPLOAD_TYPES, type UploadType } from './upload-type.ts'

export type Sniffed = { type: IntakeType } | { type: null; looksLike: string }

/** So much of a file says what it may be. Bytes. */
export const HEAD_BYTES = 4096
/** Readers take the header of a PDF within so many bytes (PDF reference 1.7, appendix H, note 13). */
const PDF_WITHIN = 1024

/** First bytes → what the file is, in words. Only what people are likely to send by mistake. */
const KNOWN: readonly [at: number, magic: string, name: string][] = [
  [0, '\x89PNG', 'a picture (PNG)'],
  [0, '\xff\xd8\xff', 'a picture (JPEG)'],
  [0, 'GIF8', 'a picture (GIF)'],
  [8, 'WEBP', 'a picture (WebP)'],
  [0, 'II*\0', 'a picture (TIFF)'],
  [0, 'MM\0*', 'a picture (TIFF)'],
  [4, 'ftyp', 'a video (MP4)'],
  [0, '\x1a\x45\xdf\xa3', 'a video (Matroska)'],
  [0, 'OggS', 'a sound file (Ogg)'],
  [0, 'ID3', 'a sound file (MP3)'],
  [0, 'fLaC', 'a sound file (FLAC)'],
  [0, 'RIFF', 'a sound or video file (RIFF)'],
  [0, 'ZIM\x04', 'a ZIM archive, which belongs into the library'],
  [0, '\x1f\x8b', 'a compressed file (gzip)'],
  [0, '7z\xbc\xaf\x27\x1c', 'a 7-Zip archive'],
  [0, 'Rar!', 'a RAR archive'],
  [0, '\xfd7zXZ', 'a compressed file (xz)'],
  [0, 'BZh', 'a compressed file (bzip2)'],
  [0, '\x28\xb5\x2f\xfd', 'a compressed file (Zstandard)'],
  [257, 'ustar', 'a tar archive'],
  [0, '\x7fELF', 'a program'],
  [0, 'MZ', 'a program'],
  [0, 'SQLite format 3', 'a database (SQLite)'],
  [0, 'AT&TFORM', 'a DjVu document'],
  [0, '%!PS', 'a PostScript document'],
  [0, '{\\rtf', 'a Rich Text document (RTF)'],
  [60, 'TEXtREAd', 'a PalmDOC e-book'],
  [0, 'ITSF', 'a Windows help file (CHM)']
]

/**
 * What a file is by its content, whatever its name says. The name decides only where content can be read in two ways: a text
 * that speaks of `%PDF-`, or of HTML, is a text when it is called `.txt`.
 */
export async function sniff(file: Bytes, filename: string): Promise<Sniffed> {
  const head = await file.read(0, HEAD_BYTES)
  const refused = refusedByHead(head, filename)
  if (refused !== null) return { type: null, looksLike: refused }
  if (begins(head, 0, '%PDF-')) return { type: '.pdf' }
  if (begins(head, 60, 'BOOKMOBI')) return { type: '.mobi' }
  if (begins(head, 0, 'PK\x03\x04')) return named(await zipKind(file))
  if (begins(head, 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return named(await compoundKind(file))
  if (hasLatePdf(head) && !isCalled(filename, '.txt')) return { type: '.pdf' }
  if (!(await isText(file))) return hasLatePdf(head) ? { type: '.pdf' } : { type: null, looksLike: 'binary data' }
  return { type: textType(head) }
}

/** Says at the first bytes that the rest need not be sent; null when they may begin something that is taken. */
export function refusedByHead(head: Buffer, filename: string): string | null {
  const known = KNOWN.find(([at, magic]) => begins(head, at, magic))
  if (known !== undefined && isReally(head, known[1]) && !hasLatePdf(head)) return known[2]
  const isPage = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i.test(head.toString('latin1'))
  return isPage && !isCalled(filename, '.txt') ? 'a web page (HTML)' : null
}

/**
 * What an upload claims to be by its name and is not, in words; null when nothing speaks against it. Any text may be read as
 * a text, so one under the name of another format is what a broken download leaves; the other formats say by themselves what
 * they are, and a wrong name among them does no harm.
 */
export function refusedByName(filename: string, type: IntakeType): string | null {
  const [, ending] = /(\.(?=\d*[a-z])[a-z0-9]{1,5})$/i.exec(filename.trim().toLowerCase()) ?? []
  if (ending === undefined) return null
  if (!UPLOAD_TYPES.some((known) => known === ending)) return `a ${ending} file`
  return type === '.txt' && ending !== '.txt' ? `a plain text, and is called ${ending}` : null
}

/** Some of these letters may begin a text as well. */
const isReally = (head: Buffer, magic: string): boolean => hasControl(head) || /[^ -~]|^\{\\rtf|^%!PS/.test(magic)

function named(found: UploadType | { looksLike: string }): Sniffed {
  return typeof found === 'string' ? { type: found } : { type: null, looksLike: found.looksLike }
}

function textType(head: Buffer): IntakeType {
  const start = head.toString('utf8').replace(/^\ufeff/, '')
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(start)) return '.vtt'
  // The SubRip format has no magic: a number, then a line of two times.
  return /^\s*\d+\s*\r?\n\s*\d{1,3}:\d\d:\d\d[,.]\d{1,3}\s*-->\s*\d/.test(start) ? '.srt' : '.txt'
}

const hasLatePdf = (head: Buffer): boolean => /%PDF-\d\.\d/.test(head.toString('latin1', 0, PDF_WITHIN))

const begins = (head: Buffer, at: number, magic: string): boolean =>
  head.toString('latin1', at, at + magic.length) === magic

const isCalled = (filename: string, extension: string): boolean => filename.toLowerCase().endsWith(extension)
