import { execFileSync } from 'node:child_process'
import { printSheet } from '../../src/dashboard/paper/print.ts'
import type { HttpContext } from '../../src/dashboard/server/context.ts'
import { ownProgram } from '../../src/platform/process/own-program.ts'
import { runnable } from './runnable.ts'

const { flags: execArgv, file: entry } = runnable('test/helpers/paper-entry.ts')

/** PDFs are set in a real process of their own. */
export const printApart: HttpContext['print'] = (sheet, signal) =>
  printSheet(sheet, signal, ownProgram(['work', 'print:page'], { entry, execArgv }))

/** The text of a PDF as anybody copies it: lines as they stand, pages parted by form feeds. */
export function textOfPdf(pdf: Buffer, ...options: string[]): string {
  return execFileSync('pdftotext', ['-enc', 'UTF-8', ...options, '-', '-'], {
    input: pdf,
    maxBuffer: 2 ** 26
  }).toString('utf8')
}
