import { AppError } from '../../platform/errors.ts'
import { type ArchiveFile, readU64 } from './zim-file.ts'

const MAGIC = 0x044d495a
const HEADER_BYTES = 80
const CHECKSUM_BYTES = 16
const NONE = 0xffffffff
const MAX_MIME_BYTES = 1024 * 1024

/** The fixed part of an archive (openZIM: ZIM file format). Offsets are positions in the file. */
export interface ZimHeader {
  /** 36 characters, lower case, as the library server prints it. */
  uuid: string
  /** Everything that is read stands in `C`, as archives since 2021 have it; older ones have `A`, `I`, `-`. */
  isNewScheme: boolean
  entryCount: number
  clusterCount: number
  pathListAt: number
  clusterListAt: number
  mimeListAt: number
  /** Index of the entry to begin with. */
  mainEntry: number | null
}

/** @throws AppError `bad-input` when it is no archive, a damaged one or one cut off; `unsupported` when it is too new. */
export function readHeader(file: ArchiveFile): ZimHeader {
  if (file.size < HEADER_BYTES) throw notZim()
  const bytes = file.read(0, HEADER_BYTES, 'the header')
  if (bytes.readUInt32LE(0) !== MAGIC) throw notZim()
  const [major, minor] = [bytes.readUInt16LE(4), bytes.readUInt16LE(6)]
  if (major !== 5 && major !== 6)
    throw new AppError('unsupported', `the archive has version ${major}.${minor}; versions 5 and 6 can be read`)
  const main = bytes.readUInt32LE(64)
  const header: ZimHeader = {
    uuid: uuidText(bytes.subarray(8, 24)),
    isNewScheme: major === 6 && minor >= 1,
    entryCount: bytes.readUInt32LE(24),
    clusterCount: bytes.readUInt32LE(28),
    pathListAt: readU64(bytes, 32),
    clusterListAt: readU64(bytes, 48),
    mimeListAt: readU64(bytes, 56),
    mainEntry: main === NONE ? null : main
  }
  checkWhole(file, header, readU64(bytes, 72))
  return header
}

function checkWhole(file: ArchiveFile, header: ZimHeader, checksumAt: number): void {
  const hasChecksum = header.mimeListAt >= HEADER_BYTES && checksumAt !== 0
  if (hasChecksum && checksumAt + CHECKSUM_BYTES > file.size) {
    const missing = Number.isFinite(checksumAt) ? `${checksumAt + CHECKSUM_BYTES - file.size} bytes are` : 'its end is'
    throw new AppError('bad-input', `the archive is cut off: ${missing} missing; download or copy it again`)
  }
  const lists: [string, number, number][] = [
    ['the list of paths', header.pathListAt, header.entryCount * 8],
    ['the list of clusters', header.clusterListAt, header.clusterCount * 8],
    ['the list of media types', header.mimeListAt, 1]
  ]
  for (const [name, at, length] of lists) {
    if (at + length > file.size)
      throw new AppError('bad-input', `the archive is damaged or cut off: ${name} lies outside of the file`)
  }
}

function notZim(): AppError {
  return new AppError('bad-input', 'this is no ZIM archive')
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The media types entries refer to by number. @throws AppError `bad-input`. */
export function readMimeTypes(file: ArchiveFile, at: number): string[] {
  const bytes = file.readUpTo(at, MAX_MIME_BYTES, 'the list of media types')
  const types: string[] = []
  for (let from = 0; ; ) {
    const end = bytes.indexOf(0, from)
    if (end === -1) throw new AppError('bad-input', 'the archive is damaged: its list of media types does not end')
    if (end === from) return types
    types.push(bytes.toString('utf8', from, end))
    from = end + 1
  }
}
