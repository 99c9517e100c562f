import type { Entry, Options, ZipFile } from 'yauzl'
import { exportsOf } from '../process/exports-of.ts'

/** Opens a zip whose members are read one by one, with {@link membersOf}; close it yourself. The reader is loaded at the first call. */
export async function openZip(path: string, options: Pick<Options, 'strictFileNames'> = {}): Promise<ZipFile> {
  const { open } = exportsOf(await import('yauzl'))
  return new Promise((resolve, reject) => {
    open(path, { ...options, lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) reject(error)
      else resolve(zip)
    })
  })
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
