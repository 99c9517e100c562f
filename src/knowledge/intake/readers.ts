import { extname } from 'node:path'
import { firstPagesText } from '../enrich/extract.ts'
import { EXTRACT_LIMITS } from '../enrich/extract-tools.ts'
import { pdfFacts } from '../enrich/pdf-facts.ts'
import { readTextFile } from '../enrich/read-text.ts'
import { transcriptPages } from '../enrich/transcript.ts'
import { convertToPdf } from './convert/convert.ts'
import type { SourceReaders } from './read-source.ts'

/** Reads files with the programs of this machine and our own parsers, all of them in bounded processes of their own. */
export const systemReaders: SourceReaders = {
  convert: convertToPdf,
  facts: (path, signal) => pdfFacts(path, { signal }),
  firstText: async (path, pages, signal) => {
    const isTranscript = ['.vtt', '.srt'].includes(extname(path))
    if (!isTranscript) return firstPagesText(path, pages, { signal })
    const found = transcriptPages(await readTextFile(path, EXTRACT_LIMITS.transcriptBytes, { signal })).slice(0, pages)
    return found.map(({ text }) => text).join('\f')
  }
}
