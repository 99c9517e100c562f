import { posix } from 'node:path'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { noticeYear } from '../stated-year.ts'
import { yearIn } from '../title-text.ts'
import { type BookFacts, flowText } from './block.ts'
import type { SafeZip } from './safe-zip.ts'
import { MOST_OPEN, ShallowParser } from './shallow-parser.ts'

/** The package document (OPF) of an EPUB. */
export interface EpubBook extends BookFacts {
  /** Members of the archive in the order of reading. */
  chapters: string[]
  warnings: Reason[]
}

/** Obfuscation of fonts is no protection of the text (EPUB 3.3, 4.2.6.3; Adobe's own). */
const FONT_OBFUSCATION = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])
const READABLE = new Set(['application/xhtml+xml', 'text/html', 'application/xml', 'text/xml', 'image/svg+xml'])
/** No member has a longer name; to work out where thousands of steps upwards lead costs their square. */
const MOST_NAME = 4096
const MARKUP_NAME = /\.(xhtml|html?|xml|svg)$/i

/** Reads container, encryption and package. Tolerant of sloppy XML. @throws AppError `invalid` encrypted, `bad-input` nothing to read. */
export async function readEpub(zip: SafeZip): Promise<EpubBook> {
  await refuseEncrypted(zip)
  const opf = await packagePath(zip)
  const markup = opf === null ? null : await zip.text(opf)
  const book = markup === null || opf === null ? null : parsePackage(markup, opf, zip)
  if (book !== null && book.chapters.length > 0) return book
  const chapters = zip.names.filter((name) => /\.(xhtml|html?)$/i.test(name)).sort((a, b) => (a < b ? -1 : 1))
  if (chapters.length === 0) throw new AppError('bad-input', because('epub_no_chapter'))
  const warnings = [because('epub_no_contents')]
  return { title: book?.title ?? '', author: book?.author ?? '', year: book?.year ?? '', chapters, warnings }
}

async function refuseEncrypted(zip: SafeZip): Promise<void> {
  const markup = await zip.text('META-INF/encryption.xml')
  if (markup === null) return
  let encrypted = false
  // EncryptedKey has a method of its own; only the one of the data counts, and any that is no font's is a lock.
  walk(markup, (name, attributes) => {
    if (name === 'encryptionmethod' && !FONT_OBFUSCATION.has(attributes['algorithm'] ?? '')) encrypted = true
  })
  if (encrypted) {
    throw new AppError('invalid', because('book_locked'))
  }
}

async function packagePath(zip: SafeZip): Promise<string | null> {
  const container = await zip.text('META-INF/container.xml')
  let found: string | null = null
  walk(container ?? '', (name, attributes) => {
    if (name === 'rootfile') found ??= attributes['full-path'] ?? null
  })
  const path: string | null = found
  if (path !== null && zip.has(path)) return path
  return zip.names.find((name) => name.toLowerCase().endsWith('.opf')) ?? null
}

function parsePackage(markup: string, opf: string, zip: SafeZip): EpubBook {
  const manifest = new Map<string, { path: string; type: string }>()
  const spine: string[] = []
  const facts = { title: '', author: '', year: '' }
  const rights = { year: '' }
  walk(
    markup,
    (name, attributes) => {
      if (name === 'item') {
        const path = memberPath(opf, attributes['href'] ?? '')
        manifest.set(attributes['id'] ?? '', { path, type: attributes['media-type'] ?? '' })
      } else if (name === 'itemref') spine.push(attributes['idref'] ?? '')
    },
    (name, text) => {
      if (name === 'title' && facts.title === '') facts.title = flowText(text)
      // An EPUB may name the days of its making and of its changes as well; the first is that of the book.
      if (name === 'date' && facts.year === '') facts.year = yearIn(text)
      if (name === 'rights' && rights.year === '') rights.year = noticeYear([`© ${flowText(text)}`])
      if (name === 'creator' && text.trim() !== '') {
        facts.author = facts.author === '' ? flowText(text) : `${facts.author}, ${flowText(text)}`
      }
    }
  )
  const chapters = new Set<string>()
  let missing = 0
  for (const id of spine) {
    const item = manifest.get(id)
    if (item !== undefined && zip.has(item.path) && isReadable(item)) chapters.add(item.path)
    else missing += 1
  }
  const warnings = missing === 0 ? [] : [because('epub_chapters_missing', { count: missing })]
  return { ...facts, year: facts.year || rights.year, chapters: [...chapters], warnings }
}

function isReadable({ path, type }: { path: string; type: string }): boolean {
  return READABLE.has(type) || MARKUP_NAME.test(path)
}

/** A reference of a member to another, as a name in the archive; without its fragment. */
export function memberPath(from: string, reference: string): string {
  const bare = reference.replace(/[?#].*$/s, '')
  if (bare.length > MOST_NAME) return bare
  let decoded = bare
  try {
    decoded = decodeURIComponent(bare)
  } catch {
    // A percent sign that is none.
  }
  return posix.normalize(posix.join(posix.dirname(from), decoded))
}

/** Calls `open` for every element (lower case, without prefix) and `text` with what stands in it. */
function walk(
  markup: string,
  open: (name: string, attributes: Record<string, string>) => void,
  text: (name: string, text: string) => void = () => undefined
): void {
  let inside = ''
  let depth = 0
  const parser = new ShallowParser(
    {
      onopentag(name, attributes) {
        depth++
        inside = ''
        open(localName(name), attributes)
      },
      ontext(piece) {
        inside += piece
      },
      onclosetag(name) {
        depth--
        text(localName(name), inside)
        inside = ''
      }
    },
    () => depth > MOST_OPEN,
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true }
  )
  parser.end(markup)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
