import { findProgram } from '../../platform/process/programs.ts'
import { runBounded } from '../../platform/process/run.ts'

/** The finding and running of programs; tests put others in. */
export interface ExtractTools {
  find: (name: string) => string | null
  run: typeof runBounded
}

export const systemTools: ExtractTools = { find: findProgram, run: runBounded }

const MIB = 1024 * 1024

/** Bounds of one document's text and of the programs that get it. */
export const EXTRACT_LIMITS = {
  pages: 20_000,
  textBytes: 64 * MIB,
  /** Of a text file as it was sent; what it costs is time. */
  fileBytes: 256 * MIB,
  /** Form feeds end pages too, and may be all there is. */
  textPages: 100_000,
  /** Captions are read whole; those of a day are 3 MB. */
  transcriptBytes: 8 * MIB,
  /** Characters on one page of a PDF: a large map with all its names has some hundred thousand. */
  pageLetters: 4 * MIB,
  infoMs: 30_000,
  /** For pdftotext: this, and some for every page. */
  textMs: 60_000,
  textMsPerPage: 200,
  memoryBytes: 384 * MIB,
  ocrPageMs: 180_000,
  ocrMemoryBytes: 768 * MIB,
  ocrFolderBytes: 256 * MIB
} as const
