import { open } from 'node:fs/promises'

const END_OF_CHAIN = 0xfffffffa
const MAX_SECTORS = 256
/** fEncrypted of the file information block ([MS-DOC] 2.5.2). */
const ENCRYPTED = 0x0100

type Read = (at: number, length: number) => Promise<Buffer>

/** True when a Word 97 file (.doc) is locked with a password. False for anything that is no such file. */
export async function isEncryptedDoc(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const read: Read = async (at, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    }
    const start = await wordStream(read)
    const block = start === null ? null : await read(start, 12)
    if (block === null || block.length < 12 || block.readUInt16LE(0) !== 0xa5ec) return false
    return (block.readUInt16LE(10) & ENCRYPTED) !== 0
  } finally {
    await handle.close()
  }
}

/** The offset at which the stream `WordDocument` begins in a compound file ([MS-CFB]); null when there is none. */
async function wordStream(read: Read): Promise<number | null> {
  const header = await read(0, 512)
  const shift = header.length < 512 || header.readUInt32BE(0) !== 0xd0cf11e0 ? 0 : header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return null
  const size = 2 ** shift
  let sector = header.readUInt32LE(48)
  for (let steps = 0; steps < MAX_SECTORS && sector < END_OF_CHAIN; steps++) {
    const entries = await read((sector + 1) * size, size)
    for (let at = 0; at + 128 <= entries.length; at += 128) {
      const length = Math.max(2, Math.min(64, entries.readUInt16LE(at + 64)))
      const name = entries.toString('utf16le', at, at + length - 2)
      if (name === 'WordDocument') return (entries.readUInt32LE(at + 116) + 1) * size
    }
    sector = await nextSector(read, header, sector, size)
  }
  return null
}

/** The header names the first 109 sectors of the allocation table; the directory of a document is reached through them. */
async function nextSector(read: Read, header: Buffer, sector: number, size: number): Promise<number> {
  const table = Math.floor((sector * 4) / size)
  if (table >= 109) return END_OF_CHAIN
  const at = header.readUInt32LE(76 + table * 4)
  if (at >= END_OF_CHAIN) return END_OF_CHAIN
  const entry = await read((at + 1) * size + ((sector * 4) % size), 4)
  return entry.length < 4 ? END_OF_CHAIN : entry.readUInt32LE(0)
}
