import { createHash, type Hash } from 'node:crypto'
import { because, type Reason } from '../../model/reason.ts'
import { isInside } from '../backup/manifest.ts'
import { AppError } from '../errors.ts'
import { MANIFEST, type ReleaseFile, SIGNATURE } from './release.ts'

/** A bundle as its archive says: nothing of it is on the disk. */
export interface StreamedBundle {
  /** The one folder that everything lies in. */
  folder: string
  manifest: Buffer
  signature: Buffer
  /** In the order of their names, without the manifest and its signature. */
  files: ReleaseFile[]
  /** Unpacked. */
  bytes: number
}

const BLOCK = 512
const MOST_BYTES = 2 ** 30
const MOST_FILES = 50_000
/** A manifest of some thousand files has a megabyte. */
const MOST_KEPT = 8 * 2 ** 20
const LONGEST_NAME = 4096
const FILE = new Set(['0', '\0'])
const FOLDER = '5'
const LONG_NAME = 'L'
const MODES = new Set([0o644, 0o755])

interface Member {
  path: string
  type: string
  mode: number
  size: number
}

/**
 * Reads a tar archive (the form of GNU, tar(5)) without unpacking it: one folder with plain files and folders in it, each of
 * mode 0644 or 0755, for that is what a bundle holds. Whatever else root would unpack (links, devices, other rights, paths that leave
 * the folder) is refused before. @throws AppError `bad-input` when it is no such archive or ends too early, `too-large`.
 */
export async function readBundleStream(content: AsyncIterable<Uint8Array>): Promise<StreamedBundle> {
  const reader = new BlockReader(content)
  const bundle = new Gathered()
  let longName: string | null = null
  for (;;) {
    const header = await reader.take(BLOCK)
    if (header.every((byte) => byte === 0)) break
    const member = memberOf(header, longName)
    longName = null
    if (member.type === LONG_NAME) {
      if (member.size > LONGEST_NAME) throw refused(because('bundle_no_archive'))
      longName = textOf(await reader.take(padded(member.size)))
      continue
    }
    await bundle.add(member, reader)
  }
  // Of what follows nothing is unpacked; but the program that decompresses must be able to end.
  await reader.drain()
  return bundle.whole()
}

class Gathered {
  readonly #files: ReleaseFile[] = []
  readonly #seen = new Set<string>()
  #folder: string | null = null
  #manifest: Buffer | null = null
  #signature: Buffer | null = null
  #bytes = 0

  async add(member: Member, reader: BlockReader): Promise<void> {
    const full = member.path.replace(/\/$/, '')
    if (!isInside(full)) throw refused(because('bundle_leaves_folder', { path: full }))
    const [top = '', ...rest] = full.split('/')
    this.#folder ??= top
    if (top !== this.#folder) throw refused(because('bundle_leaves_folder', { path: full }))
    const isFolder = member.type === FOLDER
    if (!isFolder && !FILE.has(member.type)) throw refused(because('bundle_odd_member', { path: full }))
    if (isFolder ? member.mode !== 0o755 : !MODES.has(member.mode))
      throw refused(because('bundle_odd_member', { path: full }))
    if (isFolder) return
    const path = rest.join('/')
    // A second one of the same name would take the place of the first when it is unpacked.
    if (path === '' || this.#seen.has(path)) throw refused(because('bundle_odd_member', { path: full }))
    this.#seen.add(path)
    this.#bytes += member.size
    if (this.#bytes > MOST_BYTES || this.#seen.size > MOST_FILES) throw tooLarge()
    if (path === MANIFEST) this.#manifest = await kept(member.size, reader)
    else if (path === SIGNATURE) this.#signature = await kept(member.size, reader)
    else {
      const hash = createHash('sha256')
      await reader.hash(member.size, hash)
      const executable = (member.mode & 0o111) !== 0
      this.#files.push({ path, size: member.size, sha256: hash.digest('hex'), executable })
    }
  }

  whole(): StreamedBundle {
    const [folder, manifest, signature] = [this.#folder, this.#manifest, this.#signature]
    if (folder === null || manifest === null || signature === null) throw refused(because('bundle_no_archive'))
    const files = this.#files.sort((a, b) => (a.path < b.path ? -1 : 1))
    return { folder, manifest, signature, files, bytes: this.#bytes }
  }
}

async function kept(size: number, reader: BlockReader): Promise<Buffer> {
  if (size > MOST_KEPT) throw tooLarge()
  return (await reader.take(padded(size))).subarray(0, size)
}

function memberOf(header: Buffer, longName: string | null): Member {
  if (header.toString('latin1', 257, 262) !== 'ustar' || sumOf(header) !== octal(header, 148, 8))
    throw refused(because('bundle_no_archive'))
  const type = header.toString('latin1', 156, 157)
  const path = longName ?? textOf(header.subarray(0, 100))
  return { path, type, mode: octal(header, 100, 8), size: octal(header, 124, 12) }
}

/** The checksum is taken with blanks in its own place. */
function sumOf(header: Buffer): number {
  let sum = 8 * 32
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

function octal(header: Buffer, at: number, length: number): number {
  const text = textOf(header.subarray(at, at + length)).trim()
  if (!/^[0-7]{1,12}$/.test(text)) throw refused(because('bundle_no_archive'))
  return Number.parseInt(text, 8)
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK

const refused = (reason: Reason): AppError => new AppError('bad-input', reason)
const tooLarge = (): AppError => new AppError('too-large', because('bundle_too_large'))

/** Blocks of a stream, however its pieces are cut. */
class BlockReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #left: Buffer = Buffer.alloc(0)
  #any = false

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#pieces = content[Symbol.asyncIterator]()
  }

  /** @throws AppError `bad-input` when there are not so many bytes any more. */
  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    await this.#walk(size, (piece) => void parts.push(piece))
    return Buffer.concat(parts)
  }

  /** Hashes so many bytes and passes what fills their last block. */
  async hash(size: number, hash: Hash): Promise<void> {
    await this.#walk(size, (piece) => void hash.update(piece))
    await this.#walk(padded(size) - size, () => undefined)
  }

  async drain(): Promise<void> {
    this.#left = Buffer.alloc(0)
    while (await this.#more());
  }

  async #walk(size: number, take: (piece: Buffer) => void): Promise<void> {
    for (let wanted = size; wanted > 0; ) {
      if (this.#left.length === 0 && !(await this.#more()))
        throw refused(because(this.#any ? 'bundle_cut_off' : 'bundle_no_archive'))
      const piece = this.#left.subarray(0, wanted)
      this.#left = this.#left.subarray(piece.length)
      wanted -= piece.length
      take(piece)
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next()
    if (done === true) return false
    this.#any = true
    this.#left = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return true
  }
}
