import { because, type Reason } from '../../model/reason.ts'
import type { Bytes, UploadType } from './upload-type.ts'

type Found = UploadType | { looksLike: Reason }

const END_BYTES = 22
const MAX_COMMENT = 65_535
/** More names than that no document has; what is looked for stands at the front. */
const MAX_DIRECTORY = 4 * 1024 * 1024

/** The kind of a ZIP archive by the names in its central directory (APPNOTE 6.3, §4.3.12, §4.3.16). */
export async function zipKind(file: Bytes): Promise<Found> {
  const names = await zipNames(file)
  if (names === null) return { looksLike: because('looks_zip_damaged') }
  const has = (name: string): boolean => names.has(name)
  if (has('META-INF/container.xml')) return '.epub'
  if (has('[Content_Types].xml') && hasBelow(names, 'word/document')) return '.docx'
  if (hasBelow(names, 'xl/')) return { looksLike: because('looks_spreadsheet') }
  if (hasBelow(names, 'ppt/')) return { looksLike: because('looks_presentation') }
  if (has('mimetype') && has('content.xml')) return { looksLike: because('looks_opendocument') }
  return { looksLike: because('looks_zip') }
}

const hasBelow = (names: ReadonlySet<string>, start: string): boolean =>
  [...names].some((name) => name.startsWith(start))

async function zipNames(file: Bytes): Promise<Set<string> | null> {
  const tailSize = Math.min(file.size, END_BYTES + MAX_COMMENT)
  const tail = await file.read(file.size - tailSize, tailSize)
  const end = tail.lastIndexOf('PK\x05\x06', tail.length - END_BYTES, 'latin1')
  if (end < 0) return null
  const size = Math.min(tail.readUInt32LE(end + 12), MAX_DIRECTORY)
  const directory = await file.read(tail.readUInt32LE(end + 16), size)
  const names = new Set<string>()
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50; ) {
    const length = directory.readUInt16LE(at + 28)
    names.add(directory.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return names.size === 0 ? null : names
}

/** No document has a longer directory; a ring in the chain ends here as well. */
const MAX_SECTORS = 256
const END_OF_CHAIN = 0xfffffffa

/** The kind of a compound file by the names of its streams ([MS-CFB] §2.2, §2.6). */
export async function compoundKind(file: Bytes): Promise<Found> {
  const names = await streamNames(file)
  if (names.has('WordDocument')) return '.doc'
  if (names.has('EncryptedPackage')) return { looksLike: because('looks_office_locked') }
  if (names.has('Workbook') || names.has('Book')) return { looksLike: because('looks_spreadsheet') }
  if (names.has('PowerPoint Document')) return { looksLike: because('looks_presentation') }
  return { looksLike: because('looks_old_office') }
}

async function streamNames(file: Bytes): Promise<Set<string>> {
  const names = new Set<string>()
  const header = await file.read(0, 512)
  const shift = header.length < 512 ? 0 : header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return names
  const size = 2 ** shift
  let sector = header.readUInt32LE(48)
  for (let steps = 0; steps < MAX_SECTORS && sector < END_OF_CHAIN; steps++) {
    const entries = await file.read((sector + 1) * size, size)
    for (let at = 0; at + 128 <= entries.length; at += 128) names.add(entryName(entries, at))
    sector = await nextSector(file, header, { sector, size })
  }
  return names
}

/** 64 bytes of UTF-16LE, and their number in use with the closing zero. */
function entryName(entries: Buffer, at: number): string {
  const length = Math.min(64, entries.readUInt16LE(at + 64))
  return length < 2 ? '' : entries.toString('utf16le', at, at + length - 2)
}

/** The allocation table says which sector follows; the header names the first 109 sectors of that table. */
async function nextSector(
  file: Bytes,
  header: Buffer,
  { sector, size }: { sector: number; size: number }
): Promise<number> {
  const perSector = size / 4
  const tableIndex = Math.floor(sector / perSector)
  if (tableIndex >= 109) return END_OF_CHAIN
  const tableSector = header.readUInt32LE(76 + tableIndex * 4)
  if (tableSector >= END_OF_CHAIN) return END_OF_CHAIN
  const entry = await file.read((tableSector + 1) * size + (sector % perSector) * 4, 4)
  return entry.length < 4 ? END_OF_CHAIN : entry.readUInt32LE(0)
}
