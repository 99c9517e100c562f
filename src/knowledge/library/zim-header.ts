import { because, type Reason } from '../../model/reason.ts'
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
  const bytes = file.read(0, HEADER_BYTES, because('zim_header'))
  if (bytes.readUInt32LE(0) !== MAGIC) throw notZim()
  const [major, minor] = [bytes.readUInt16LE(4), bytes.readUInt16LE(6)]
  if (major !== 5 && major !== 6) throw new AppError('unsupported', because('zim_version', { major, minor }))
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
    const missing = Number.isFinite(checksumAt)
      ? because('zim_bytes_are', { count: checksumAt + CHECKSUM_BYTES - file.size })
      : because('zim_end_is')
    throw new AppError('bad-input', because('zim_cut_off', { missing }))
  }
  const lists: [Reason, number, number][] = [
    [because('zim_list_paths'), header.pathListAt, header.entryCount * 8],
    [because('zim_list_clusters'), header.clusterListAt, header.clusterCount * 8],
    [because('zim_list_types'), header.mimeListAt, 1]
  ]
  for (const [name, at, length] of lists) {
    if (at + length > file.size) throw new AppError('bad-input', because('zim_lies_outside', { what: name }))
  }
}

function notZim(): AppError {
  return new AppError('bad-input', because('not_a_zim'))
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The media types entries refer to by number. @throws AppError `bad-input`. */
export function readMimeTypes(file: ArchiveFile, at: number): string[] {
  const bytes = file.readUpTo(at, MAX_MIME_BYTES, because('zim_list_types'))
  const types: string[] = []
  for (let from = 0; ; ) {
    const end = bytes.indexOf(0, from)
    if (end === -1) throw new AppError('bad-input', because('zim_types_endless'))
    if (end === from) return types
    types.push(bytes.toString('utf8', from, end))
    from = end + 1
  }
}
