import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { filesIn, type Run, runOffice } from './convert-tools.ts'

/**
 * Converts by LibreOffice, each run with a profile of its own: two with one profile collide. It exits with 0 whatever happened:
 * only the file counts. @throws AppError `bad-input` when there is none
 */
export async function byLibreOffice(run: Run, source: string): Promise<string> {
  const out = join(run.folder, 'office')
  await mkdir(out, { recursive: true })
  const profile = pathToFileURL(join(run.folder, 'profile')).href
  const how = ['--headless', '--norestore', '--nolockcheck', '--nodefault']
  const what = ['--convert-to', 'pdf:writer_pdf_Export', '--outdir', out, source]
  await runOffice(run, source, { command: 'soffice', args: [`-env:UserInstallation=${profile}`, ...how, ...what] })
  return onlyPdf(out, 'LibreOffice')
}

/** Converts by calibre, when its owner installed it. @throws AppError `bad-input` when no file came out */
export async function byCalibre(run: Run, source: string): Promise<string> {
  const out = join(run.folder, 'calibre')
  await mkdir(out, { recursive: true })
  await runOffice(run, source, {
    command: 'ebook-convert',
    args: [source, join(out, 'book.pdf'), '--paper-size', 'a4'],
    env: { QT_QPA_PLATFORM: 'offscreen', QTWEBENGINE_CHROMIUM_FLAGS: '--no-sandbox' }
  })
  return onlyPdf(out, 'calibre')
}

async function onlyPdf(folder: string, converter: string): Promise<string> {
  const [pdf] = await filesIn(folder, ['.pdf'])
  if (pdf === undefined) throw new AppError('bad-input', because('converter_could_not_read', { converter }))
  return pdf
}
