const RECORD = 4096
const HEADER = 248
const NONE = 0xffffffff

/** A MOBI 6 file: Palm database, uncompressed HTML in UTF-8, title and author as EXTH records. `drm`: only says it is encrypted. */
export function mobiOf(book: { title: string; author: string; html: string; drm?: boolean }): Buffer {
  const text = Buffer.from(book.html)
  const texts: Buffer[] = []
  for (let at = 0; at < text.length; at += RECORD) texts.push(text.subarray(at, at + RECORD))
  const end = Buffer.from([0xe9, 0x8e, 0x0d, 0x0a])
  const records = [headerRecord(book, text.length, texts.length), ...texts, end]
  return Buffer.concat([palmHeader(book.title, records), ...records])
}

function palmHeader(title: string, records: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(78 + 8 * records.length + 2)
  header.write(title.replace(/[^\w]+/g, '_').slice(0, 31), 0, 'latin1')
  header.write('BOOKMOBI', 60, 'latin1')
  header.writeUInt32BE(records.length * 2 + 1, 68)
  header.writeUInt16BE(records.length, 76)
  let offset = header.length
  records.forEach((record, index) => {
    header.writeUInt32BE(offset, 78 + 8 * index)
    header.writeUInt32BE(index * 2, 82 + 8 * index)
    offset += record.length
  })
  return header
}

function exth(entries: readonly [number, string][]): Buffer {
  const records = entries.map(([type, value]) => {
    const data = Buffer.from(value)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(type, 0)
    head.writeUInt32BE(8 + data.length, 4)
    return Buffer.concat([head, data])
  })
  const body = Buffer.concat(records)
  const head = Buffer.alloc(12)
  head.write('EXTH', 0, 'latin1')
  head.writeUInt32BE(12 + body.length, 4)
  head.writeUInt32BE(records.length, 8)
  return Buffer.concat([head, body, Buffer.alloc((4 - (body.length % 4)) % 4)])
}

function headerRecord(
  book: { title: string; author: string; drm?: boolean },
  textLength: number,
  textRecords: number
): Buffer {
  const extra = exth([
    [100, book.author],
    [503, book.title]
  ])
  const name = Buffer.from(book.title)
  const h = Buffer.alloc(HEADER)
  h.writeUInt16BE(1, 0)
  h.writeUInt32BE(textLength, 4)
  h.writeUInt16BE(textRecords, 8)
  h.writeUInt16BE(RECORD, 10)
  h.writeUInt16BE(book.drm === true ? 2 : 0, 12)
  h.write('MOBI', 16, 'latin1')
  const words: [number, number][] = [
    [20, HEADER - 16],
    [24, 2],
    [28, 65_001],
    [32, 1],
    [36, 6],
    [80, textRecords + 1],
    [84, HEADER + extra.length],
    [88, name.length],
    [92, 9],
    [104, 6],
    [108, textRecords + 1],
    [128, 0x40],
    [196, 1],
    [204, 1],
    [212, 1]
  ]
  for (let at = 40; at < 80; at += 4) h.writeUInt32BE(NONE, at)
  for (const at of [164, 168, 172, 200, 208, 224, 232, 236, 244]) h.writeUInt32BE(NONE, at)
  for (const [at, value] of words) h.writeUInt32BE(value, at)
  h.writeUInt16BE(1, 192)
  h.writeUInt16BE(textRecords, 194)
  return Buffer.concat([h, extra, name, Buffer.alloc(4 + ((4 - (name.length % 4)) % 4))])
}
