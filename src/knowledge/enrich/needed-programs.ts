import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'

interface NeededProgram {
  /** Debian package that brings it. */
  package: string
  use: Reason
}

/** Programs of the system that documents are read with. None of them is needed to start. */
export const NEEDED_PROGRAMS = {
  pdftotext: { package: 'poppler-utils', use: because('use_pdftotext') },
  pdfinfo: { package: 'poppler-utils', use: because('use_pdfinfo') },
  pdftoppm: { package: 'poppler-utils', use: because('use_pdftoppm') },
  pdfimages: { package: 'poppler-utils', use: because('use_pdfimages') },
  tesseract: { package: 'tesseract-ocr', use: because('use_tesseract') },
  soffice: { package: 'libreoffice-writer-nogui', use: because('use_soffice') },
  catdoc: { package: 'catdoc', use: because('use_catdoc') },
  mobitool: { package: 'libmobi-tools', use: because('use_mobitool') },
  'ebook-convert': { package: 'calibre', use: because('use_ebook_convert') }
} as const satisfies Record<string, NeededProgram>

export type NeededProgramName = keyof typeof NEEDED_PROGRAMS

/** `sudo apt install …` for these programs. */
export function installHint(names: readonly NeededProgramName[]): string {
  return `sudo apt install ${[...new Set(names.map((name) => NEEDED_PROGRAMS[name].package))].join(' ')}`
}

/** AppError `missing`: the work waits, nothing is lost, and goes on once the program is installed. */
export function missingProgram(name: NeededProgramName): AppError {
  const { use } = NEEDED_PROGRAMS[name]
  return new AppError('missing', because('program_needed', { program: name, use, install: installHint([name]) }))
}
