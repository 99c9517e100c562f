import { crc32, deflateSync } from 'node:zlib'

/** Tile types of the PMTiles header, version 3. */
export const MVT = 1
export const PNG = 2

/** A PMTiles archive (specification version 3) with one tile: 0/0/0, nothing compressed. */
export function pmtiles(tile: Buffer, type: number, attribution = ''): Buffer {
  const directory = Buffer.from([1, 0, 1, ...varint(tile.length), 1])
  const metadata = Buffer.from(JSON.stringify({ attribution }))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 0)
  header[7] = 3
  const sections = [directory.length, metadata.length, 0, tile.length]
  let at = header.length
  for (const [index, length] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + 16 * index)
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * index)
    at += length
  }
  for (const offset of [72, 80, 88]) header.writeBigUInt64LE(1n, offset)
  header.set([1, 1, 1, type, 0, 0], 96)
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * index)
  return Buffer.concat([header, directory, metadata, tile])
}

/** A picture of one colour, 4 × 4. */
export function png([red, green, blue]: [number, number, number]): Buffer {
  const header = Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 8, 2, 0, 0, 0])
  const row = [0, ...Array.from({ length: 4 }, () => [red, green, blue]).flat()]
  const pixels = deflateSync(Buffer.from(Array.from({ length: 4 }, () => row).flat()))
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A vector tile: water everywhere, and a place with a name at `x`, `y` of 4096. */
export function vectorTile(place: { name: string; x: number; y: number }): Buffer {
  const square = [
    ...command(1, 1),
    ...zigzags(0, 0),
    ...command(2, 3),
    ...zigzags(4096, 0, 0, 4096, -4096, 0),
    ...command(7, 1)
  ]
  const water = layer('water', [feature(3, [], square)], [], [])
  const names = layer(
    'places',
    [feature(1, [0, 0], [...command(1, 1), ...zigzags(place.x, place.y)])],
    ['name'],
    [place.name]
  )
  return Buffer.from([...field(3, water), ...field(3, names)])
}

function layer(name: string, features: number[][], keys: string[], values: string[]): number[] {
  return [
    ...field(1, [...Buffer.from(name)]),
    ...features.flatMap((one) => field(2, one)),
    ...keys.flatMap((key) => field(3, [...Buffer.from(key)])),
    ...values.flatMap((value) => field(4, field(1, [...Buffer.from(value)]))),
    ...[5 << 3, ...varint(4096)],
    ...[15 << 3, 2]
  ]
}

function feature(type: number, tags: number[], commands: number[]): number[] {
  return [...field(2, tags.flatMap(varint)), ...[3 << 3, type], ...field(4, commands.flatMap(varint))]
}

function field(number: number, bytes: number[]): number[] {
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes]
}

function command(id: number, count: number): number[] {
  return [(count << 3) | id]
}

function zigzags(...values: number[]): number[] {
  return values.map((value) => (value < 0 ? -2 * value - 1 : 2 * value))
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
}
