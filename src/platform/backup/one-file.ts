import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { because } from '../../model/reason.ts'
import { AppError } from '../errors.ts'
import { isPlainTarPath, TAR_END, tarHeader, tarPadding } from '../files/tar.ts'
import { indexTar, TarFault, type TarPlace } from '../files/tar-index.ts'
import { type Span, sizeIfThere } from './copy.ts'
import {
  type BackedFile,
  type BackupFolder,
  type BackupSource,
  MANIFEST,
  type Manifest,
  manifestOf,
  OBJECTS,
  STAMP
} from './manifest.ts'

/** The folder within the file: unpacked onto a stick it is a folder of backups like any other. */
export const FOLDER_NAME = 'lookout-backups'
/** A library of so many documents is larger than any card. */
const MOST_FILES = 500_000
/** A manifest has some 250 bytes for each file. */
const MOST_MANIFEST_BYTES = 128 * 2 ** 20

interface Entry {
  path: string
  from: string
  size: number
}

/** A backup as one file, such as a phone keeps: a tar archive with the manifest first. */
export interface BackupFile {
  /** `lookout-backup-<stamp>.tar` */
  name: string
  bytes: number
  content: () => AsyncGenerator<Uint8Array>
}

/** @throws AppError `missing` without such a stamp, `bad-input` when a file of it is gone or has another size. */
export async function backupFile(folder: BackupFolder, stamp: string): Promise<BackupFile> {
  const { complete } = await folder.stamps()
  if (!complete.includes(stamp))
    throw new AppError('missing', because('no_such_backup', { stamp, folder: folder.path, complete }))
  const entries = await entriesOf(folder, stamp)
  const at = Date.parse(stamp.replace(/T(\d\d)-(\d\d)-(\d\d)Z.*$/, 'T$1:$2:$3Z'))
  const bytes = entries.reduce((sum, { path, size }) => sum + lengthOf(path, size, at), TAR_END.length)
  return { name: `lookout-backup-${stamp}.tar`, bytes, content: () => contentOf(entries, at) }
}

async function entriesOf(folder: BackupFolder, stamp: string): Promise<Entry[]> {
  const { files } = await folder.manifest(stamp)
  const manifest = folder.manifestPath(stamp)
  const entries = [
    { path: `${FOLDER_NAME}/${stamp}/${MANIFEST}`, from: manifest, size: (await sizeIfThere(manifest)) ?? 0 }
  ]
  const seen = new Set<string>()
  for (const file of files) {
    const path = pathOf(stamp, file)
    // Contents that several files share are in it once.
    if (seen.has(path)) continue
    seen.add(path)
    const from = folder.placeOf(stamp, file)
    if ((await sizeIfThere(from)) !== file.size)
      throw new AppError('bad-input', because('copy_is_damaged', { file: file.path }))
    entries.push({ path, from, size: file.size })
  }
  return entries
}

const pathOf = (stamp: string, { path, hash, stored }: Pick<BackedFile, 'path' | 'hash' | 'stored'>): string =>
  stored === 'objects' ? `${FOLDER_NAME}/${OBJECTS}/${hash}` : `${FOLDER_NAME}/${stamp}/${path}`

async function* contentOf(entries: readonly Entry[], at: number): AsyncGenerator<Uint8Array> {
  for (const { path, from, size } of entries) {
    yield headOf(path, size, at)
    let sent = 0
    if (size > 0)
      for await (const piece of createReadStream(from, { end: size - 1 }) as AsyncIterable<Buffer>) {
        sent += piece.length
        yield piece
      }
    // A stick was pulled out: the length that was announced is not reached, and whoever saves it sees that.
    if (sent !== size) throw new AppError('unavailable', because('copy_is_damaged', { file: path }))
    yield tarPadding(size)
  }
  yield TAR_END
}

const lengthOf = (path: string, size: number, at: number): number =>
  headOf(path, size, at).length + size + tarPadding(size).length

/** A name that the old form cannot say stands before it (POSIX.1-2001, pax). */
function headOf(path: string, size: number, at: number): Buffer {
  if (isPlainTarPath(path)) return tarHeader(path, size, at)
  const record = Buffer.from(paxRecord('path', path))
  const plain = tarHeader('long-name', size, at)
  return Buffer.concat([tarHeader('pax', record.length, at, 'x'), record, tarPadding(record.length), plain])
}

/** `LENGTH key=value\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

/** A backup in one file, read where it lies: nothing is unpacked to look at it. */
export class BackupArchive implements BackupSource {
  readonly path: string
  readonly #places: ReadonlyMap<string, TarPlace>
  readonly #manifests: ReadonlyMap<string, Manifest>

  private constructor(path: string, places: ReadonlyMap<string, TarPlace>, manifests: ReadonlyMap<string, Manifest>) {
    this.path = path
    this.#places = places
    this.#manifests = manifests
  }

  /** @throws AppError `bad-input` when it is no archive, ends too early, or is no backup. */
  static async open(path: string): Promise<BackupArchive> {
    const file = await open(path, 'r')
    try {
      const places = inFolder(await indexTar(file, MOST_FILES))
      const manifests = new Map<string, Manifest>()
      for (const [name, place] of places) {
        const [stamp = '', rest] = name.split('/')
        if (rest === MANIFEST && STAMP.test(stamp)) manifests.set(stamp, await manifestAt(file, name, place))
      }
      return new BackupArchive(path, places, manifests)
    } catch (error) {
      if (!(error instanceof TarFault)) throw error
      throw new AppError('bad-input', faultOf(error), { cause: error })
    } finally {
      await file.close()
    }
  }

  async stamps(): Promise<{ complete: string[] }> {
    return { complete: [...this.#manifests.keys()].sort() }
  }

  async manifest(stamp: string): Promise<Manifest> {
    const found = this.#manifests.get(stamp)
    if (found === undefined) throw new AppError('bad-input', because('backup_file_none'))
    return found
  }

  placeOf(stamp: string, file: Pick<BackedFile, 'path' | 'hash' | 'stored'>): Span | null {
    const place = this.#places.get(pathOf(stamp, file).slice(FOLDER_NAME.length + 1))
    return place === undefined ? null : { path: this.path, ...place }
  }
}

/** Paths below the folder of backups, whatever whoever packed it again has called it. */
function inFolder(places: ReadonlyMap<string, TarPlace>): Map<string, TarPlace> {
  const manifest = [...places.keys()].find((path) => /(?:^|\/)[^/]+Z(?:-\d+)?\/manifest\.json$/.test(path))
  if (manifest === undefined) throw new AppError('bad-input', because('backup_file_none'))
  const before = manifest.split('/').slice(0, -2).join('/')
  const from = before === '' ? 0 : before.length + 1
  return new Map(
    [...places].filter(([path]) => path.startsWith(before)).map(([path, place]) => [path.slice(from), place])
  )
}

async function manifestAt(file: FileHandle, name: string, { at, size }: TarPlace): Promise<Manifest> {
  if (size > MOST_MANIFEST_BYTES) throw new TarFault('odd', name)
  const { buffer } = await file.read(Buffer.alloc(size), 0, size, at)
  return manifestOf(buffer.toString('utf8'), name)
}

function faultOf({ kind, path }: TarFault) {
  if (kind === 'cut') return because('backup_file_cut_off')
  return kind === 'odd' ? because('backup_file_odd', { path }) : because('backup_file_none')
}
