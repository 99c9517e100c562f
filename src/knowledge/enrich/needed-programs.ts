import { AppError } from '../../platform/errors.ts'

interface NeededProgram {
  /** Debian package that brings it. */
  package: string
  use: string
}

/** Programs of the system that documents are read with. None of them is needed to start. */
export const NEEDED_PROGRAMS = {
  pdftotext: { package: 'poppler-utils', use: 'reads the text of PDF files' },
  pdfinfo: { package: 'poppler-utils', use: 'reads the facts of PDF files' },
  pdftoppm: { package: 'poppler-utils', use: 'draws scanned pages for reading' },
  pdfimages: { package: 'poppler-utils', use: 'finds the pictures of scanned pages' },
  tesseract: { package: 'tesseract-ocr', use: 'reads scanned pages' },
  soffice: { package: 'libreoffice-writer-nogui', use: 'converts .doc and .docx files' },
  catdoc: { package: 'catdoc', use: 'reads the text of .doc files' },
  mobitool: { package: 'libmobi-tools', use: 'unpacks .mobi files' },
  'ebook-convert': { package: 'calibre', use: 'converts .epub and .mobi files' }
} as const satisfies Record<string, NeededProgram>

export type NeededProgramName = keyof typeof NEEDED_PROGRAMS

/** `sudo apt install …` for these programs. */
export function installHint(names: readonly NeededProgramName[]): string {
  return `sudo apt install ${[...new Set(names.map((name) => NEEDED_PROGRAMS[name].package))].join(' ')}`
}

/** AppError `missing`: the work waits, nothing is lost, and goes on once the program is installed. */
export function missingProgram(name: NeededProgramName): AppError {
  const { use } = NEEDED_PROGRAMS[name]
  return new AppError('missing', `${name} is not installed; it ${use}. Install it: ${installHint([name])}`)
}
