import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import type { Upload } from '../../../../src/knowledge/catalogue/document.ts'
import { UNSORTED } from '../../../../src/knowledge/catalogue/document.ts'
import { guessEncoding } from '../../../../src/knowledge/encoding/guess.ts'
import { decodePage } from '../../../../src/knowledge/encoding/page.ts'
import { classify } from '../../../../src/knowledge/intake/classify.ts'
import { readPage } from '../../../../src/knowledge/intake/convert/html-role.ts'
import { isConverted, readSource, type SourceReaders } from '../../../../src/knowledge/intake/read-source.ts'
import { SECOND_LOOK_PAGES } from '../../../../src/knowledge/intake/second-look.ts'
import { factsOfPage } from '../../../../src/knowledge/intake/take-page.ts'

export interface Named {
  title: string
  author: string
  year: string
  domain: string
  /** voter → what it said. */
  said: Readonly<Record<string, object>>
}

/** The facts that the intake finds for a file under its own name, without a language model; nobody says more about it. */
export async function nameFile(file: string, readers: SourceReaders, now = Date.now()): Promise<Named> {
  const folder = await mkdtemp(join(tmpdir(), 'lookout-named-'))
  try {
    return extname(file) === '.html'
      ? await namePage(file, readers, now)
      : await nameUpload(file, readers, { folder, now })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function nameUpload(
  file: string,
  readers: SourceReaders,
  { folder, now }: { folder: string; now: number }
): Promise<Named> {
  const upload = uploadOf(basename(file), {})
  const { signal } = new AbortController()
  const { extension } = upload
  const path = isConverted(extension)
    ? (await readers.convert({ source: file, extension, workFolder: folder, signal, onProgress: () => undefined })).pdf
    : file
  return named(upload, { path, readers, now })
}

/** As a page that was fetched: its text becomes a file, what it says of itself a sidecar. */
async function namePage(file: string, readers: SourceReaders, now: number): Promise<Named> {
  const page = readPage(await decodePage(await readFile(file), 'text/html', guessEncoding))
  const facts = factsOfPage(page, { url: `https://example.org/${basename(file)}`, category: '' })
  const text = { ...readers, firstText: async () => page.text }
  const said = { source: facts.source, source_type: facts.sourceType, ...facts.more }
  return named({ ...uploadOf(facts.filename, said), title: facts.title }, { path: 'page.txt', readers: text, now })
}

async function named(
  upload: Upload,
  { path, readers, now }: { path: string; readers: SourceReaders; now: number }
): Promise<Named> {
  const { signal } = new AbortController()
  const { metadata, provenance, text } = await readSource(
    { upload, path },
    { readers, model: null, videoPlatform: 'video', signal, now }
  )
  const { title, author, year } = metadata
  let { domain } = classify({ title, text })
  if (domain === UNSORTED) {
    const more = await readers.firstText(path, SECOND_LOOK_PAGES, signal)
    domain = classify({ title, text: more }).domain
  }
  return { title, author, year, domain, said: provenance.said }
}

function uploadOf(filename: string, sidecar: Record<string, unknown>): Upload {
  const source_type = String(sidecar['source_type'] ?? 'pdf')
  return {
    hash: '0'.repeat(64),
    filename,
    extension: extname(filename),
    size: 0,
    title: '',
    category: '',
    source: String(sidecar['source'] ?? 'dashboard_upload'),
    source_type,
    sidecar
  } as Upload
}
