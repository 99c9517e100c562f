import { link, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { errorCode, syncFolder } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { namesIn } from '../../platform/files/names-in.ts'
import {
  checkSpace,
  explained,
  type FreeBytes,
  freeBytes,
  type Part,
  removeCutOff,
  removeFile,
  storePart
} from '../intake/parts.ts'
import { archiveName } from './citation.ts'
import type { LibrarySource } from './source.ts'
import type { LibrarySources } from './sources.ts'
import { ArchiveFile } from './zim-file.ts'
import { readHeader } from './zim-header.ts'

/** `ZIM\x04`, little-endian: the first bytes of every archive. */
const MAGIC = 0x044d495a
const LONGEST_NAME = 200

interface Options {
  /** The folder of the archives. */
  folder: string
  sources: Pick<LibrarySources, 'list' | 'setState'>
  minFreeBytes: () => number
  /** An archive is in its place: it can be looked at. */
  onArrival: (filename: string) => void
  free?: FreeBytes
}

/** An archive that has arrived. */
export interface Arrived {
  filename: string
  uuid: string
}

/**
 * Takes archives in: bytes of any size to disk, looked at, then put into the folder under a name of their own. A file that is
 * there is never overwritten; nothing is left of one that is refused.
 */
export class ArchiveReceiver {
  readonly #options: Options
  /** Archives are as large as they are: the space is the limit. */
  readonly settings = { maxBytes: Number.POSITIVE_INFINITY }

  constructor(options: Options) {
    this.#options = options
  }

  /** The folder in which bytes under way are kept; on the file system of the archives. */
  get partsFolder(): string {
    return join(this.#options.folder, '.parts')
  }

  /** @throws AppError `no-space` when so many bytes more would leave less than the floor. */
  readonly checkSpace = async (wanted: number): Promise<void> => {
    const { minFreeBytes, free = freeBytes } = this.#options
    await makeBelow(dirname(this.#options.folder), this.partsFolder)
    await checkSpace(this.partsFolder, wanted, minFreeBytes(), free)
  }

  /**
   * The name a file gets here: small letters, as the library server has it in its addresses. That of a damaged file is free: the
   * new one takes its place. @throws AppError `invalid` without a name, `conflict` when there is one that the server cannot
   * tell from it.
   */
  async nameFor(filename: string): Promise<string> {
    const name = cleanArchiveName(filename)
    const { sources, folder } = this.#options
    if (this.#damaged(name) !== undefined) return name
    const taken = sources
      .list()
      .find((source) => source.state !== 'missing' && archiveName(source.filename) === archiveName(name))
    const hint = taken?.state === 'removing' ? because('being_removed_try_again') : null
    const file = taken?.filename ?? (await archivesIn(folder)).find((other) => archiveName(other) === archiveName(name))
    if (file !== undefined)
      throw new AppError(
        'conflict',
        hint === null ? because('archive_name_taken', { file }) : because('archive_name_taken_hint', { file, hint })
      )
    return name
  }

  /** The bytes of one upload, for `accept` or `drop`. @throws AppError as `storePart` does, and `unsupported` for no archive. */
  store(content: AsyncIterable<Uint8Array>, { announced = 0 } = {}): Promise<Part> {
    const { minFreeBytes, free = freeBytes } = this.#options
    const limits = { maxBytes: null, minFreeBytes: minFreeBytes(), announced, look: this.refuseHead }
    return storePart(content, this.partsFolder, limits, free)
  }

  drop(part: Pick<Part, 'path'>): Promise<void> {
    return removeFile(part.path)
  }

  /** @throws AppError `unsupported` when these are not the first bytes of an archive, `invalid` when there are none. */
  readonly refuseHead = (head: Buffer): void => {
    if (head.length === 0) throw new AppError('invalid', because('upload_empty'))
    if (head.length < 4 || head.readUInt32LE(0) !== MAGIC)
      throw new AppError('unsupported', because('no_zim_first_bytes'))
  }

  /** The UUID of an archive that is whole, from its header alone. @throws AppError `unsupported`, `invalid` when it is cut off. */
  readonly identify = async (path: string): Promise<string> => {
    await this.#checkHead(path)
    const file = ArchiveFile.open(path)
    try {
      return readHeader(file).uuid
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad-input')
        throw new AppError('invalid', because('archive_unusable', { said: reasonOf(error) }))
      throw error
    } finally {
      file.close()
    }
  }

  /**
   * Puts the stored bytes in their place. When it throws they are where they were. @throws AppError `unsupported`, `invalid`,
   * `conflict` when its name is taken or the same archive is here.
   */
  readonly accept = async ({ path }: Pick<Part, 'path'>, { filename }: { filename: string }): Promise<Arrived> => {
    const uuid = await this.identify(path)
    const { sources, folder, onArrival } = this.#options
    const twin = sources.list().find((source) => source.uuid === uuid && source.state === 'present')
    if (twin !== undefined) throw new AppError('conflict', because('archive_here_already', { file: twin.filename }))
    const name = await this.nameFor(filename)
    const damaged = this.#damaged(name)
    try {
      if (damaged === undefined) await putInPlace(path, join(folder, name))
      else await this.#replace(damaged, path)
      await syncFolder(folder)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw new AppError('conflict', because('archive_name_there', { file: name }))
      throw explained(error)
    }
    onArrival(name)
    return { filename: name, uuid }
  }

  #damaged(name: string): LibrarySource | undefined {
    return this.#options.sources.list().find(({ state, filename }) => state === 'damaged' && filename === name)
  }

  /** The damaged file goes in the same step: nobody could use it, and whoever sends its name anew wants it gone. */
  async #replace({ id, filename }: LibrarySource, path: string): Promise<void> {
    const { sources, folder } = this.#options
    await rename(path, join(folder, filename))
    sources.setState(id, 'missing', because('archive_changed'))
  }

  /** Removes what an upload under way left when the program was killed: for the start, before anything comes in. */
  sweep(): Promise<number> {
    return removeCutOff(this.#options.folder)
  }

  async #checkHead(path: string): Promise<void> {
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
      this.refuseHead(buffer.subarray(0, bytesRead))
    } finally {
      await handle.close()
    }
  }
}

/**
 * `WikiMed (2026).zim` → `wikimed_2026.zim`: what is left is the same in the folder, in the server and in an address.
 * @throws AppError `invalid` when nothing is left.
 */
export function cleanArchiveName(filename: string): string {
  const base = filename.split(/[/\\]/).at(-1) ?? ''
  const stem = base
    .replace(/\.zim$/i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '_')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, LONGEST_NAME)
  if (stem === '') throw new AppError('invalid', because('archive_needs_name'))
  return `${stem}.zim`
}

/** In one step, and never over a file that is there. File systems without links (exFAT) get a copy of their own name first. */
async function putInPlace(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error))) throw error
    await (await open(to, 'wx')).close()
    await rename(from, to)
    return
  }
  await removeFile(from)
}

async function archivesIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => /\.zim(?:[a-z]{2})?$/i.test(name))
}
