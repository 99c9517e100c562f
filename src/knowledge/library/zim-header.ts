import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { ArchiveFile, readU64 } from './zim-file.ts'

const MAGIC = 0x044d495a
const HEADER_BYTES = 80
const CHECKSUM_BYTES = 16
const NONE = 0xffffffff
const MAX_MIME_BYTES = 1024 * 1024
/** The header of the first archives was shorter, and had no checksum. */
const SHORT_HEADER_BYTES = 72
/** The position of a list that an archive does not have. */
const NO_LIST = Number.POSITIVE_INFINITY

/** The fixed part of an archive (openZIM: ZIM file format). Offsets are positions in the file. */
export interface ZimHeader {
  /** 36 characters, lower case, as the library server prints it. */
  uuid: string
  /** Everything that is read stands in `C`, as archives since 2021 have it; older ones have `A`, `I`, `-`. */
  isNewScheme: boolean
  entryCount: number
  clusterCount: number
  pathListAt: number
  /** Null: newer archives have their list of titles as an entry only. */
  titleListAt: number | null
  clusterListAt: number
  mimeListAt: number
  /** Where content ends: at the checksum, or at the end of the file. */
  contentEnd: number
  /** Index of the entry to begin with. */
  mainEntry: number | null
}

/** @throws AppError `bad-input` when it is no archive, a damaged one or one cut off; `unsupported` when it is too new. */
export function readHeader(file: ArchiveFile): ZimHeader {
  const bytes = file.readUpTo(0, HEADER_BYTES, because('zim_header'))
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== MAGIC) throw notZim()
  if (bytes.length < HEADER_BYTES) throw cutOff(HEADER_BYTES - bytes.length)
  const [major, minor] = [bytes.readUInt16LE(4), bytes.readUInt16LE(6)]
  if (major !== 5 && major !== 6) throw new AppError('unsupported', because('zim_version', { major, minor }))
  const main = bytes.readUInt32LE(64)
  const checksumAt = readU64(bytes, 72)
  const header: ZimHeader = {
    uuid: uuidText(bytes.subarray(8, 24)),
    isNewScheme: major === 6 && minor >= 1,
    entryCount: bytes.readUInt32LE(24),
    clusterCount: bytes.readUInt32LE(28),
    pathListAt: readU64(bytes, 32),
    titleListAt: bytes.readBigUInt64LE(40) === 2n ** 64n - 1n ? null : readU64(bytes, 40),
    clusterListAt: readU64(bytes, 48),
    mimeListAt: readU64(bytes, 56),
    contentEnd: file.size,
    mainEntry: main === NONE ? null : main
  }
  if (header.mimeListAt === HEADER_BYTES) {
    checkEnd(file, checksumAt)
    header.contentEnd = checksumAt
  }
  checkSense(header)
  checkLists(file, header)
  return header
}

/** The checksum is the last thing of an archive: where it is not, something is missing, or does not belong there. */
function checkEnd({ size }: ArchiveFile, checksumAt: number): void {
  const end = checksumAt + CHECKSUM_BYTES
  if (end > size) throw cutOff(end - size)
  if (end < size) throw new AppError('bad-input', because('zim_checksum_misplaced'))
}

/** The library of the format asks the same of a header before it opens an archive (libzim: Fileheader::sanity_check). */
function checkSense({ entryCount, clusterCount, mimeListAt, ...lists }: ZimHeader): void {
  const { pathListAt, titleListAt, clusterListAt } = lists
  const isSound =
    (entryCount === 0) === (clusterCount === 0) &&
    clusterCount <= entryCount &&
    (mimeListAt === HEADER_BYTES || mimeListAt === SHORT_HEADER_BYTES) &&
    Math.min(pathListAt, clusterListAt, titleListAt ?? NO_LIST) >= mimeListAt
  if (!isSound) throw new AppError('bad-input', because('zim_header_wrong'))
}

function checkLists(file: ArchiveFile, header: ZimHeader): void {
  const lists: [Reason, number | null, number][] = [
    [because('zim_list_paths'), header.pathListAt, header.entryCount * 8],
    [because('zim_list_titles'), header.titleListAt, header.entryCount * 4],
    [because('zim_list_clusters'), header.clusterListAt, header.clusterCount * 8]
  ]
  for (const [what, at, length] of lists)
    if (at !== null && at + length > file.size) throw new AppError('bad-input', because('zim_lies_outside', { what }))
}

function cutOff(count: number): AppError {
  const missing = Number.isFinite(count) ? because('zim_bytes_are', { count }) : because('zim_end_is')
  return new AppError('bad-input', because('zim_cut_off', { missing }))
}

/** The id at the beginning of a file, whether the rest of it can be used or not; null when it does not begin as an archive. */
export function claimedUuid(path: string): string | null {
  let file: ArchiveFile | null = null
  try {
    file = ArchiveFile.open(path)
    const bytes = file.read(0, 24, because('zim_header'))
    return bytes.readUInt32LE(0) === MAGIC ? uuidText(bytes.subarray(8)) : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  } finally {
    file?.close()
  }
}

function notZim(): AppError {
  return new AppError('bad-input', because('not_a_zim'))
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The media types entries refer to by number; their list ends before `end`. @throws AppError `bad-input`. */
export function readMimeTypes(file: ArchiveFile, at: number, end: number): string[] {
  const length = Math.min(MAX_MIME_BYTES, end - at)
  if (length <= 0) throw new AppError('bad-input', because('zim_types_endless'))
  const bytes = file.readUpTo(at, length, because('zim_list_types'))
  const types: string[] = []
  for (let from = 0; ; ) {
    const stop = bytes.indexOf(0, from)
    if (stop === -1) throw new AppError('bad-input', because('zim_types_endless'))
    if (stop === from) return types
    types.push(bytes.toString('utf8', from, stop))
    from = stop + 1
  }
}
