import { because, type Reason } from '../../model/reason.ts'
import { compoundKind, zipKind } from './containers.ts'
import { hasControl, isText } from './plain-text.ts'
import { type Bytes, type IntakeType, UPLOAD_TYPES, type UploadType } from './upload-type.ts'

export type Sniffed = { type: IntakeType } | { type: null; looksLike: Reason }

/** So much of a file says what it may be. Bytes. */
export const HEAD_BYTES = 4096
/** Readers take the header of a PDF within so many bytes (PDF reference 1.7, appendix H, note 13). */
const PDF_WITHIN = 1024

/** First bytes → what the file is. Only what people are likely to send by mistake. */
const KNOWN: readonly [at: number, magic: string, looksLike: Reason][] = [
  [0, '\x89PNG', because('looks_png')],
  [0, '\xff\xd8\xff', because('looks_jpeg')],
  [0, 'GIF8', because('looks_gif')],
  [8, 'WEBP', because('looks_webp')],
  [0, 'II*\0', because('looks_tiff')],
  [0, 'MM\0*', because('looks_tiff')],
  [4, 'ftyp', because('looks_mp4')],
  [0, '\x1a\x45\xdf\xa3', because('looks_matroska')],
  [0, 'OggS', because('looks_ogg')],
  [0, 'ID3', because('looks_mp3')],
  [0, 'fLaC', because('looks_flac')],
  [0, 'RIFF', because('looks_riff')],
  [0, 'ZIM\x04', because('looks_zim')],
  [0, '\x1f\x8b', because('looks_gzip')],
  [0, '7z\xbc\xaf\x27\x1c', because('looks_7zip')],
  [0, 'Rar!', because('looks_rar')],
  [0, '\xfd7zXZ', because('looks_xz')],
  [0, 'BZh', because('looks_bzip2')],
  [0, '\x28\xb5\x2f\xfd', because('looks_zstd')],
  [257, 'ustar', because('looks_tar')],
  [0, '\x7fELF', because('looks_program')],
  [0, 'MZ', because('looks_program')],
  [0, 'SQLite format 3', because('looks_sqlite')],
  [0, 'AT&TFORM', because('looks_djvu')],
  [0, '%!PS', because('looks_postscript')],
  [0, '{\\rtf', because('looks_rtf')],
  [60, 'TEXtREAd', because('looks_palmdoc')],
  [0, 'ITSF', because('looks_chm')]
]

/**
 * The type of a file by its content, whatever its name says. The name decides only where content can be read in two
 * ways: a text that speaks of `%PDF-`, or of HTML, is a text when it is called `.txt`.
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
  if (!(await isText(file)))
    return hasLatePdf(head) ? { type: '.pdf' } : { type: null, looksLike: because('looks_binary') }
  return { type: textType(head) }
}

/** Says at the first bytes that the rest need not be sent; null when they may begin something that is taken. */
export function refusedByHead(head: Buffer, filename: string): Reason | null {
  const known = KNOWN.find(([at, magic]) => begins(head, at, magic))
  if (known !== undefined && isReally(head, known[1]) && !hasLatePdf(head)) return known[2]
  const isPage = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i.test(head.toString('latin1'))
  return isPage && !isCalled(filename, '.txt') ? because('looks_html') : null
}

/**
 * The type an upload claims to be by its name and is not, in words; null when nothing speaks against it. Any text may
 * be read as a text, so one under the name of another format is what a broken download leaves; the other formats say by
 * themselves what they are, and a wrong name among them does no harm.
 */
export function refusedByName(filename: string, type: IntakeType): Reason | null {
  const [, ending] = /(\.(?=\d*[a-z])[a-z0-9]{1,5})$/i.exec(filename.trim().toLowerCase()) ?? []
  if (ending === undefined) return null
  if (!UPLOAD_TYPES.some((known) => known === ending)) return because('looks_like_ending', { ending })
  return type === '.txt' && ending !== '.txt' ? because('looks_text_named', { ending }) : null
}

/** Some of these letters may begin a text as well. */
const isReally = (head: Buffer, magic: string): boolean => hasControl(head) || /[^ -~]|^\{\\rtf|^%!PS/.test(magic)

function named(found: UploadType | { looksLike: Reason }): Sniffed {
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
