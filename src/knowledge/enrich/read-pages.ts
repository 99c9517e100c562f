import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Document } from '../catalogue/document.ts'
import type { Guess } from '../encoding/guess.ts'
import type { JobTools } from '../jobs/job.ts'
import { type Extracted, extractPages } from './extract.ts'
import { EXTRACT_LIMITS, type ExtractTools, systemTools } from './extract-tools.ts'
import type { OcrSettings } from './ocr.ts'
import type { PageShelf } from './page-shelf.ts'
import { readTextFile } from './read-text.ts'
import { transcriptPages } from './transcript.ts'

export interface PageReaderParts {
  /** The data folder. */
  folder: string
  ocr: () => OcrSettings
  tools?: ExtractTools
  /** Of the encoding of a text. */
  guess?: Guess
}

/**
 * Reads the pages of the file of a document, whatever its kind. What OCR has read stays in `processing/<hash>/extract` until
 * all is read, so that a long scan goes on where it stopped. @throws AppError as `extractPages`, `invalid` without a file.
 */
export function pageReader({
  folder,
  ocr,
  tools = systemTools,
  guess
}: PageReaderParts): (document: Document, shelf: PageShelf, job: JobTools) => Promise<Extracted> {
  const given = guess === undefined ? {} : { guess }
  return async ({ hash, kind, path, filename }, shelf, { signal, progress }) => {
    if (path === null) throw new AppError('invalid', because('no_stored_file', { filename }))
    const source = join(folder, path)
    if (kind === 'transcript') {
      const pages = transcriptPages(await readTextFile(source, EXTRACT_LIMITS.transcriptBytes, { signal, ...given }))
      shelf.put(pages)
      return { pageCount: pages.length, ocrPages: 0, warnings: [] }
    }
    const workFolder = join(folder, 'processing', hash, 'extract')
    await makeBelow(folder, workFolder)
    const found = await extractPages({
      source,
      kind: kind === 'pdf' ? 'pdf' : 'text',
      workFolder,
      shelf,
      ocr: ocr(),
      signal,
      onProgress: progress,
      tools,
      ...given
    })
    // The folder of a document that is not filed yet holds its file.
    const isFiled = !path.startsWith('processing/')
    await rm(isFiled ? dirname(workFolder) : workFolder, { recursive: true, force: true })
    return found
  }
}
