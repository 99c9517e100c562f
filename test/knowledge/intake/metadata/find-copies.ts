import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { Catalogue } from '../../../../src/knowledge/catalogue/catalogue.ts'
import type { Page } from '../../../../src/knowledge/catalogue/document.ts'
import { knowledgeMigrations } from '../../../../src/knowledge/catalogue/schema.ts'
import { CopyCheck } from '../../../../src/knowledge/enrich/copy-check.ts'
import { extractPages } from '../../../../src/knowledge/enrich/extract.ts'
import { fingerprint } from '../../../../src/knowledge/enrich/simhash.ts'
import { sketchOf } from '../../../../src/knowledge/enrich/text-sketch.ts'
import { isConverted, type SourceReaders } from '../../../../src/knowledge/intake/read-source.ts'
import { JobStore } from '../../../../src/knowledge/jobs/store.ts'
import { openDatabase } from '../../../../src/platform/database/database.ts'
import { nameFile } from './name-file.ts'

/** Files taken in one after another, as `dispatch` and `extract` do it: for each, the place of the file it is held as a copy of, or null. */
export async function copiesAmong(files: readonly string[], readers: SourceReaders): Promise<(number | null)[]> {
  const db = await openDatabase({ path: ':memory:', migrations: knowledgeMigrations, synchronous: 'NORMAL' })
  const folder = await mkdtemp(join(tmpdir(), 'lookout-copies-'))
  try {
    const jobs = new JobStore({ db, now: () => 0 })
    const catalogue = new Catalogue({ db, jobs, now: () => 0 })
    const held: (number | null)[] = []
    for (const [at, file] of files.entries()) held.push(await take(file, { at, catalogue, readers, folder }))
    return held
  } finally {
    db.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function take(
  file: string,
  { at, catalogue, readers, folder }: { at: number; catalogue: Catalogue; readers: SourceReaders; folder: string }
): Promise<number | null> {
  const { title, author, year } = await nameFile(file, readers)
  const kind = file.endsWith('.txt') ? 'text' : 'pdf'
  const source = await readable(file, { readers, folder })
  const id = catalogue.add(
    {
      hash: String(at).padStart(64, '0'),
      kind,
      filename: file,
      title,
      author,
      edition: '',
      year,
      source: 'folder',
      category: '',
      sizeBytes: 1,
      status: 'queued'
    },
    []
  )
  const doc = catalogue.byId(id)
  if (doc === null) throw new Error(`${file} is not in the catalogue`)
  const shelf = { put: (pages: readonly Page[]) => catalogue.putPages(id, pages), page: () => null }
  await extractPages({ source, kind, workFolder: folder, shelf, ocr: { enabled: false, languages: [] } })
  const texts = catalogue.pages(id).map(({ text }) => text)
  const { textHash, simhash } = fingerprint(texts)
  const sketch = sketchOf(texts)
  const copied = new CopyCheck(catalogue, doc, { textHash, simhash, sketch }).find()
  catalogue.setSketch(id, sketch)
  catalogue.update(id, { textHash, simhash })
  return copied === null ? null : Number(copied.hash)
}

async function readable(
  file: string,
  { readers, folder }: { readers: SourceReaders; folder: string }
): Promise<string> {
  const extension = extname(file)
  if (!isConverted(extension)) return file
  const { signal } = new AbortController()
  return (await readers.convert({ source: file, extension, workFolder: folder, signal, onProgress: () => undefined }))
    .pdf
}
