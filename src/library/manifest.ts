import { readFile } from 'node:fs/promises'
import { errorCode, writeFileAtomic } from '../lib/atomic-file.ts'
import { archiveName } from './citation.ts'
import type { LibrarySource } from './source.ts'

/** A source that is not registered though its file is here, and why. */
export interface LeftOut {
  source: LibrarySource
  reason: string
}

/** What the library server is to serve. */
export interface Manifest {
  books: readonly LibrarySource[]
  leftOut: readonly LeftOut[]
  /** `library.xml`. */
  text: string
}

/**
 * Every present source, oldest first. The server knows a book by its id and by its name: of two archives with the same one
 * it would serve either, so the later is left out.
 */
export function manifestOf(sources: readonly LibrarySource[]): Manifest {
  const books: LibrarySource[] = []
  const leftOut: LeftOut[] = []
  const present = sources.filter(({ state }) => state === 'present').sort((a, b) => a.id - b.id)
  for (const source of present) {
    const twin = books.find((book) => book.uuid === source.uuid)
    const namesake = books.find((book) => archiveName(book.filename) === archiveName(source.filename))
    if (twin !== undefined) leftOut.push({ source, reason: `it is the same archive as ${twin.filename}` })
    else if (namesake !== undefined)
      leftOut.push({ source, reason: `the server cannot tell its name from ${namesake.filename}: rename the file` })
    else books.push(source)
  }
  return { books, leftOut, text: libraryXml(books) }
}

/**
 * `library.xml` as kiwix-serve reads it (libkiwix, Book::updateFromXml): paths relative to the file, sizes in KiB. No icons:
 * they would make the file grow by 1 to 3 KB a book.
 */
function libraryXml(books: readonly LibrarySource[]): string {
  const lines = books.map((book) => {
    const attributes = {
      id: book.uuid,
      path: book.filename,
      title: book.title,
      description: book.description,
      language: book.language,
      date: new Date(book.mtime).toISOString().slice(0, 10),
      articleCount: String(book.articleCount),
      size: String(Math.ceil(book.sizeBytes / 1024))
    }
    const pairs = Object.entries(attributes).map(([name, value]) => `${name}="${escapeAttribute(value)}"`)
    return `  <book ${pairs.join(' ')}/>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<library version="20110515">\n${lines.join('')}</library>\n`
}

/** XML 1.0 has no way to write most control characters: they go. */
function escapeAttribute(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  )
}

/** Replaces the file whole, and only when it says something else. True: it was written. @throws as `writeFileAtomic`. */
export async function writeManifest(path: string, { text }: Pick<Manifest, 'text'>): Promise<boolean> {
  if ((await readOrNull(path)) === text) return false
  await writeFileAtomic(path, text)
  return true
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
