import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  name: string
  data: Buffer | string
  /** Deflate instead of store. */
  deflate?: boolean
  /** Size written into the headers instead of the true one. */
  claimedSize?: number
  /** Marks the member as encrypted (ZipCrypto) without encrypting it. */
  encrypted?: boolean
}

interface Packed {
  header: Buffer
  name: Buffer
  body: Buffer
}

/** A zip file (APPNOTE 6.3) with the members in the order given; no dates, so that the same input gives the same bytes. */
export function zipOf(members: readonly ZipMember[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const member of members) {
    const packed = pack(member)
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), packed.header, packed.name, packed.body])
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 0, 'latin1')
    entry.writeUInt16LE(20, 4)
    packed.header.copy(entry, 6)
    entry.writeUInt32LE(offset, 42)
    central.push(entry, packed.name)
    local.push(file)
    offset += file.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

/** The 26 bytes which the local header and the directory share, from "version needed" to the lengths. */
function pack(member: ZipMember): Packed {
  const data = Buffer.from(member.data)
  const body = member.deflate === true ? deflateRawSync(data, { level: 9 }) : data
  const name = Buffer.from(member.name)
  const header = Buffer.alloc(26)
  header.writeUInt16LE(20, 0)
  header.writeUInt16LE(0x0800 | (member.encrypted === true ? 1 : 0), 2)
  header.writeUInt16LE(member.deflate === true ? 8 : 0, 4)
  header.writeUInt16LE(0x21, 8)
  header.writeUInt32LE(crc32(data), 10)
  header.writeUInt32LE(body.length, 14)
  header.writeUInt32LE(member.claimedSize ?? data.length, 18)
  header.writeUInt16LE(name.length, 22)
  return { header, name, body }
}
