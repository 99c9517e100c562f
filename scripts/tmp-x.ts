/**
 * Reads every PDF of a folder twice, by the program's own reader, with OCR and without, and tells each page that differs, with the words
 * that changed: of digital PDFs there should be none. The folder is the owner's: manuals, books, leaflets.
 *
 *   node --import=tsx scripts/bench-pages.ts FOLDER [--json FILE] [--help]
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from '../src/knowledge/catalogue/document.ts'
import { extractPages } from '../src/knowledge/enrich/extract.ts'
import { type ExtractTools, systemTools } from '../src/knowledge/enrich/extract-tools.ts'
import { AppError, reasonOf } from '../src/platform/errors.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' }, json: { type: 'string' } }
})
const [folder] = positionals
if (values.help || folder === undefined) {
  process.stdout.write(`node --import=tsx scripts/bench-pages.ts FOLDER [--json FILE]
Reads every PDF of FOLDER with OCR and without. Tells the pages sent to OCR, the words it changed, and the seconds.
exit codes: 0 at most 0.5 % of the pages sent and no word changed · 1 else
`)
  process.exit(values.help ? 0 : 1)
}

const MOST_SENT = 0.005

interface Reading {
  /** Of every page, by its number less one; null for a file that was refused, with the reason. */
  texts: readonly string[] | null
  refused: string
  /** Runs of tesseract over a page. */
  sent: number
  seconds: number
}

const work = mkdtempSync(join(tmpdir(), 'lookout-pages-'))
const rows: { file: string; pages: number; sent: number; changed: number; seconds: number; plain: number }[] = []
try {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.pdf'))) rows.push(await compared(name))
} finally {
  rmSync(work, { recursive: true, force: true })
}
const total = (pick: (row: (typeof rows)[number]) => number): number => rows.reduce((sum, row) => sum + pick(row), 0)
const [pages, sent, changed] = [total((row) => row.pages), total((row) => row.sent), total((row) => row.changed)]
console.log(
  `${rows.length} files, ${pages} pages: ${sent} sent to OCR (${((sent / pages) * 100).toFixed(2)} %), ${changed} words changed, ` +
    `${total((row) => row.seconds).toFixed(0)} s, ${total((row) => row.plain).toFixed(0)} s without OCR`
)
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows))
// The guardian of the programs that ran waits for as long as this process lives.
process.exitCode = (sent <= pages * MOST_SENT && changed === 0 ? 0 : 1)

async function compared(name: string): Promise<(typeof rows)[number]> {
  const source = join(folder ?? '', name)
  const plain = await read(source, false)
  const ocr = await read(source, true)
  const changedWords = (plain.texts ?? []).map((text, at) => differing(text, ocr.texts?.[at] ?? ''))
  const changed = changedWords.reduce((sum, count) => sum + count, 0)
  if (ocr.sent > 0 || changed > 0 || ocr.texts === null) {
    const where = changedWords.flatMap((count, at) => (count > 0 ? [`p${at + 1}: ${count}`] : []))
    console.log(`${name}: ${ocr.sent} sent, ${changed} words changed ${where.join(', ')} ${ocr.refused}`)
  }
  const count = Math.max(plain.texts?.length ?? 1, ocr.texts?.length ?? 1)
  return { file: name, pages: count, sent: ocr.sent, changed, seconds: ocr.seconds, plain: plain.seconds }
}

async function read(source: string, enabled: boolean): Promise<Reading> {
  let sent = 0
  const tools: ExtractTools = {
    find: systemTools.find,
    run: (run) => {
      if (run.command === 'tesseract' && run.args.includes('page.png')) sent++
      return systemTools.run(run)
    }
  }
  const own = mkdtempSync(join(work, 'file-'))
  const started = performance.now()
  const seconds = (): number => (performance.now() - started) / 1000
  try {
    const ocr = { enabled, languages: ['eng'] }
    const pages: Page[] = []
    const shelf = {
      put: (read: readonly Page[]) => {
        for (const page of read) pages[page.number - 1] = page
      },
      page: (number: number) => pages[number - 1] ?? null
    }
    await extractPages({ source, kind: 'pdf', workFolder: own, shelf, ocr, tools })
    return { texts: pages.map(({ text }) => text), refused: '', sent, seconds: seconds() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { texts: null, refused: `(${reasonOf(error).code})`, sent, seconds: seconds() }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** Words of the plain text that the other does not have, counted with how often they stand there. */
function differing(plain: string, other: string): number {
  const counts = new Map<string, number>()
  for (const word of other.split(/\s+/)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let missing = 0
  for (const word of plain.split(/\s+/).filter((one) => one !== '')) {
    const left = counts.get(word) ?? 0
    if (left === 0) missing++
    else counts.set(word, left - 1)
  }
  return missing
}
setTimeout(()=>console.log(process.getActiveResourcesInfo()),4000).unref()
