import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { errorText } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Upload } from '../catalogue/document.ts'
import type { UploadStore } from '../catalogue/uploads.ts'
import type { JobStore } from '../jobs/store.ts'
import { type IntakeFileSystem, intakeFileSystem } from './file-moves.ts'
import { cleanCategory, cleanName, cleanTitle } from './names.ts'
import type { Shelver } from './shelve.ts'
import { TRANSCRIPT_TYPES, UPLOAD_TYPES } from './upload-type.ts'
import { rejectedFolder, SIDECAR, type Workbench, workFolder } from './workbench.ts'

interface Parts {
  catalogue: Catalogue
  uploads: UploadStore
  jobs: JobStore
  shelver: Shelver
  bench: Workbench
  log: Pick<Log, 'info' | 'warn'>
  fs?: IntakeFileSystem
}

/** The result of a look at the folders. */
export interface Reconciled {
  /** Records made anew from a file and its sidecar. */
  rebuilt: number
  /** Folders that nobody could account for, kept in `rejected/`. */
  aside: number
  /** The number of removed leftovers of files that are filed. */
  cleared: number
  /** Files under way whose job was gone. */
  requeued: number
}

/**
 * At start of the worker, before any job (U6): moves that a crash left open are finished or taken back; every folder below
 * `processing/` belongs to a record that goes on, or gets one from its sidecar, or goes to `rejected/` with the reason; every
 * record under way has its job. Nothing of a catalogued document is removed while its file is not on the shelf.
 */
export async function reconcile(parts: Parts): Promise<Reconciled> {
  const done: Reconciled = { rebuilt: 0, aside: 0, cleared: 0, requeued: 0 }
  await parts.shelver.recover()
  const { bench, log, fs = intakeFileSystem } = parts
  for (const name of await folderNames(fs, bench.absolute('processing'))) {
    try {
      const what = await lookAt(parts, name, fs)
      if (what !== null) done[what] += 1
    } catch (error) {
      // One folder that cannot be read stops nobody else (U5).
      log.warn({ err: error, folder: `processing/${name}` }, `a folder could not be put in order: ${errorText(error)}`)
    }
  }
  for (const state of ['pending', 'processing'] as const) {
    for (const { hash, size } of parts.uploads.list({ state, limit: -1 })) {
      if (parts.jobs.get('dispatch', hash) !== null) continue
      parts.jobs.add('dispatch', hash, { weight: size })
      done.requeued += 1
    }
  }
  return done
}

async function lookAt(parts: Parts, name: string, fs: IntakeFileSystem): Promise<keyof Reconciled | null> {
  const { catalogue, uploads, bench, shelver } = parts
  if (!/^[0-9a-f]{64}$/.test(name)) return aside(parts, name, because('folder_unknown'))
  const document = catalogue.byHash(name)
  const upload = uploads.get(name)
  if (document !== null && document.hash === name) {
    // A probable copy stands here until somebody decides.
    if (document.path === null || document.path.startsWith(`${workFolder(name)}/`)) return null
    // OCR goes on with what it has read.
    if (document.status === 'queued' || document.status === 'extracting') return null
    if ((await shelver.filesOf(document)).length === 0) return null
    await bench.clear(name)
    return 'cleared'
  }
  if (upload?.state === 'pending' || upload?.state === 'processing') return null
  if (upload !== null && upload.state !== 'filed') {
    await bench.putAside(name)
    return 'aside'
  }
  return rebuild(parts, name, fs)
}

/** The record of a file whose row is gone, from what lies beside it. */
async function rebuild(parts: Parts, hash: string, fs: IntakeFileSystem): Promise<keyof Reconciled> {
  const { bench, uploads } = parts
  const names = await fs.readdir(bench.absolute(workFolder(hash)))
  const source = names.find((name) => /^source\.[a-z0-9]+$/.test(name))
  const extension = extname(source ?? '')
  const types: readonly string[] = [...UPLOAD_TYPES, ...TRANSCRIPT_TYPES]
  if (source === undefined || !types.includes(extension)) return aside(parts, hash, because('folder_without_document'))
  const path = `${workFolder(hash)}/${source}`
  if ((await bench.hashOf(path)) !== hash) return aside(parts, hash, because('file_changed_on_disk'))
  const sidecar = await readSidecar(bench.absolute(`${workFolder(hash)}/${SIDECAR}`))
  const text = (key: string): string => (typeof sidecar[key] === 'string' ? sidecar[key] : '')
  if (uploads.get(hash) !== null) uploads.forget(hash)
  uploads.add({
    hash,
    filename: cleanName(text('original_filename') || source),
    extension,
    size: await bench.sizeOf(path),
    category: cleanCategory(text('category')),
    title: cleanTitle(text('title')),
    source: text('source') || 'folder',
    source_type: text('source_type'),
    sidecar
  })
  parts.log.info({ hash }, 'the record of a file was made again from its sidecar')
  return 'rebuilt'
}

async function readSidecar(path: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return {}
    throw error
  }
}

async function aside({ bench, uploads, log }: Parts, name: string, reason: Reason): Promise<'aside'> {
  await bench.putAside(name)
  log.warn(
    { folder: rejectedFolder(name), reason: sentenceOf(reason) },
    'a folder nobody could account for was put aside'
  )
  if (/^[0-9a-f]{64}$/.test(name)) uploads.put(lostUpload(name, reason))
  return 'aside'
}

function lostUpload(hash: string, reason: Reason): Omit<Upload, 'receivedAt' | 'changedAt'> {
  const empty = { category: '', title: '', source: 'folder', source_type: '', sidecar: {} }
  return { ...empty, hash, filename: '', extension: '', size: 0, state: 'rejected', reason, duplicateOf: null }
}

async function folderNames(fs: IntakeFileSystem, path: string): Promise<string[]> {
  try {
    return await fs.readdir(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
