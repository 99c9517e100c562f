/** One polygon of a shapefile: its ring and the fields of its row. */
export interface ShapeRow {
  ring: [x: number, y: number][]
  fields: Record<string, string>
}

/** A shapefile of polygons (ESRI white paper, 1998), as small as it gets. */
export function shapefile(rows: readonly ShapeRow[]): { shp: Buffer; dbf: Buffer } {
  const records = rows.map(({ ring }, index) => {
    const body = Buffer.alloc(48 + 16 * ring.length)
    body.writeInt32LE(5, 0)
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
    for (const [at, value] of box.entries()) body.writeDoubleLE(value, 4 + 8 * at)
    body.writeInt32LE(1, 36)
    body.writeInt32LE(ring.length, 40)
    ring.forEach(([x, y], at) => {
      body.writeDoubleLE(x, 48 + 16 * at)
      body.writeDoubleLE(y, 56 + 16 * at)
    })
    const head = Buffer.alloc(8)
    head.writeInt32BE(index + 1, 0)
    head.writeInt32BE(body.length / 2, 4)
    return Buffer.concat([head, body])
  })
  const header = Buffer.alloc(100)
  header.writeInt32BE(9994, 0)
  header.writeInt32BE((100 + records.reduce((sum, { length }) => sum + length, 0)) / 2, 24)
  header.writeInt32LE(1000, 28)
  header.writeInt32LE(5, 32)
  return { shp: Buffer.concat([header, ...records]), dbf: dbase(rows.map(({ fields }) => fields)) }
}

function dbase(rows: readonly Record<string, string>[]): Buffer {
  const names = Object.keys(rows[0] ?? {})
  const width = 20
  const header = Buffer.alloc(33 + 32 * names.length)
  header[0] = 3
  header.writeInt32LE(rows.length, 4)
  header.writeInt16LE(header.length, 8)
  header.writeInt16LE(1 + width * names.length, 10)
  names.forEach((name, at) => {
    header.write(name, 32 + 32 * at, 'latin1')
    header.write('C', 32 + 32 * at + 11, 'latin1')
    header[32 + 32 * at + 16] = width
  })
  header[header.length - 1] = 0x0d
  const lines = rows.map((row) => ` ${names.map((name) => (row[name] ?? '').padEnd(width)).join('')}`)
  return Buffer.concat([header, Buffer.from(`${lines.join('')}\u001a`, 'latin1')])
}

/** A zip of stored members (APPNOTE 6.3). */
export function zip(members: Record<string, Buffer>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const file = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(file.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, file, content])
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, entry, file]))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(locals.length, 8)
  end.writeUInt16LE(locals.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

/** That of node:zlib is younger than the oldest Node this runs on. */
function crc32(content: Buffer): number {
  let crc = 0xffffffff
  for (const byte of content) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
