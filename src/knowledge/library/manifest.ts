import { readFile } from 'node:fs/promises'
import { because, type Reason } from '../../model/reason.ts'
import { errorCode, writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { archiveName } from './citation.ts'
import type { LibrarySource } from './source.ts'

/** A source that is not registered though its file is here, and why. */
export interface LeftOut {
  source: LibrarySource
  reason: Reason
}

/** The list of books that the library server is to serve. */
export interface Manifest {
  books: readonly LibrarySource[]
  leftOut: readonly LeftOut[]
  /** `library.xml`. */
  text: string
}

/**
 * Every present source whose file is whole, oldest first. The server knows a book by its id and by its name: of two archives
 * with the same one it would serve either, so the later is left out.
 */
export function manifestOf(
  sources: readonly LibrarySource[],
  fileOf: (filename: string) => ArchiveForm = () => 'whole'
): Manifest {
  const books: LibrarySource[] = []
  const leftOut: LeftOut[] = []
  const present = sources.filter(({ state }) => state === 'present').sort((a, b) => a.id - b.id)
  for (const source of present) {
    const reason = NOT_SERVED[fileOf(source.filename)] ?? clashOf(source, books)
    if (reason === null) books.push(source)
    else leftOut.push({ source, reason })
  }
  return { books, leftOut, text: libraryXml(books) }
}

/** The form of an archive in the folder: one file, several (`.zimaa`, `.zimab` …), or not at all. */
export type ArchiveForm = 'whole' | 'parts' | 'gone'

const NOT_SERVED: Readonly<Record<ArchiveForm, Reason | null>> = {
  whole: null,
  // kiwix-serve 3.3.0 lists an archive in parts, and answers 500 for each of its pages.
  parts: because('archive_in_parts'),
  gone: because('archive_not_in_folder')
}

function clashOf({ uuid, filename }: LibrarySource, books: readonly LibrarySource[]): Reason | null {
  const twin = books.find((book) => book.uuid === uuid)
  if (twin !== undefined) return because('same_archive_as', { file: twin.filename })
  const namesake = books.find((book) => archiveName(book.filename) === archiveName(filename))
  if (namesake === undefined) return null
  return because('archive_name_alike', { file: namesake.filename })
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

/** XML 1.0 has no way to write most control characters, nor half a surrogate pair: they go. */
function escapeAttribute(text: string): string {
  return text
    .replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
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
