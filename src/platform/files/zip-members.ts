import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Entry, Options, RandomAccessReader, ZipFile } from 'yauzl'
import { exportsOf } from '../process/exports-of.ts'

/** The record at the end of an archive, and the longest comment behind it (APPNOTE 6.3, §4.3.16). */
const [END, END_BYTES, MAX_COMMENT] = ['PK\x05\x06', 22, 65_535]
/** Bytes behind an archive that are none of its own: a line feed of a mail, zeros that fill a block. */
const MOST_BEHIND = 4096

/**
 * Opens a zip whose members are read one by one, with {@link membersOf}; close it yourself. A few bytes that something has put behind it are left
 * out. The reader is loaded at the first call.
 */
export async function openZip(path: string, options: Pick<Options, 'strictFileNames'> = {}): Promise<ZipFile> {
  const yauzl = exportsOf(await import('yauzl'))
  const given = { ...options, lazyEntries: true, autoClose: false }
  const length = await lengthBeforeRest(path)
  return new Promise((resolve, reject) => {
    const opened = (error: Error | null, zip: ZipFile): void => (error ? reject(error) : resolve(zip))
    if (length === null) yauzl.open(path, given, opened)
    else yauzl.fromRandomAccessReader(readerOf(path, yauzl.RandomAccessReader), length, given, opened)
  })
}

function readerOf(path: string, Reader: typeof RandomAccessReader): RandomAccessReader {
  class FileReader extends Reader {
    override _readStreamForRange(start: number, end: number): Readable {
      return createReadStream(path, { start, end: end - 1 })
    }
  }
  return new FileReader()
}

/** The length of an archive that has a few bytes behind it; null when the file ends where it does. */
async function lengthBeforeRest(path: string): Promise<number | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, END_BYTES + MAX_COMMENT + MOST_BEHIND))
    await file.read(tail, 0, tail.length, size - tail.length)
    const at = tail.lastIndexOf(END, Math.max(0, tail.length - END_BYTES), 'latin1')
    if (at < 0 || at + END_BYTES > tail.length) return null
    const rest = tail.length - at - END_BYTES - tail.readUInt16LE(at + 20)
    return rest > 0 && rest <= MOST_BEHIND ? size - rest : null
  } finally {
    await file.close()
  }
}

export async function* membersOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      zip.once('entry', resolve)
      zip.once('end', () => resolve(null))
      zip.once('error', reject)
      zip.readEntry()
    })
    zip.removeAllListeners('entry').removeAllListeners('end').removeAllListeners('error')
    if (entry === null) return
    yield entry
  }
}

/** A member unpacked. The stream ends with an error when there is more of it than the zip's directory says. */
export function streamOf(zip: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream & AsyncIterable<Buffer>> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error)
      else resolve(stream)
    })
  })
}
