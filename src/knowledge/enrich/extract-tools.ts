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
  /** Of a text file as it was sent. */
  fileBytes: 64 * MIB,
  infoMs: 30_000,
  /** For pdftotext: this, and some for every page. */
  textMs: 60_000,
  textMsPerPage: 200,
  memoryBytes: 384 * MIB,
  ocrPageMs: 180_000,
  ocrMemoryBytes: 768 * MIB,
  ocrFolderBytes: 256 * MIB
} as const
