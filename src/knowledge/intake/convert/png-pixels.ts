export interface PngHeader {
  width: number
  height: number
  /** Bits per sample. */
  depth: number
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  colourType: number
  interlaced: boolean
  palette: Buffer | null
  transparency: Buffer | null
}

/** The start of a pass and the size of its steps. */
type Pass = readonly [x: number, y: number, dx: number, dy: number]

/** Adam7 (PNG specification, 8.2). */
const ADAM7: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2]
]
const WHOLE: readonly Pass[] = [[0, 0, 1, 1]]
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function samplesOf(header: PngHeader): number {
  return SAMPLES[header.colourType] ?? 1
}

function passesOf(header: PngHeader): { pass: Pass; columns: number; rows: number; rowBytes: number }[] {
  const bits = samplesOf(header) * header.depth
  return (header.interlaced ? ADAM7 : WHOLE)
    .map((pass) => {
      const [x, y, dx, dy] = pass
      const columns = Math.max(0, Math.ceil((header.width - x) / dx))
      const rows = Math.max(0, Math.ceil((header.height - y) / dy))
      return { pass, columns, rows, rowBytes: Math.ceil((columns * bits) / 8) }
    })
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
}

/** The number of bytes that the picture has unpacked: its rows and one filter byte for each. */
export function pixelBytesOf(header: PngHeader): number {
  return passesOf(header).reduce((sum, { rows, rowBytes }) => sum + rows * (rowBytes + 1), 0)
}

/** The picture on white: 8-bit RGB rows with filter 0, not interlaced. `raw` has exactly `pixelBytesOf` bytes. */
export function flatPixels(raw: Buffer, header: PngHeader): Buffer {
  const stride = 1 + header.width * 3
  const out = Buffer.alloc(stride * header.height)
  const step = Math.max(1, (samplesOf(header) * header.depth) >> 3)
  let at = 0
  for (const { pass, columns, rows, rowBytes } of passesOf(header)) {
    const [x, y, dx, dy] = pass
    let previous: Buffer = Buffer.alloc(rowBytes)
    for (let row = 0; row < rows; row++) {
      const line = raw.subarray(at + 1, at + 1 + rowBytes)
      unfilter(raw[at] ?? 0, line, previous, step)
      for (let column = 0; column < columns; column++) {
        const to = (y + row * dy) * stride + 1 + (x + column * dx) * 3
        paint(out, to, pixelAt(line, column, header))
      }
      previous = line
      at += 1 + rowBytes
    }
  }
  return out
}

/** PNG specification, 9.2. */
function unfilter(type: number, line: Buffer, above: Buffer, step: number): void {
  for (let at = 0; at < line.length; at++) {
    const left = at >= step ? (line[at - step] ?? 0) : 0
    const up = above[at] ?? 0
    const corner = at >= step ? (above[at - step] ?? 0) : 0
    line[at] = ((line[at] ?? 0) + predicted(type, left, up, corner)) & 0xff
  }
}

function predicted(type: number, left: number, up: number, corner: number): number {
  if (type === 1) return left
  if (type === 2) return up
  if (type === 3) return (left + up) >> 1
  if (type !== 4) return 0
  const estimate = left + up - corner
  const toLeft = Math.abs(estimate - left)
  const toUp = Math.abs(estimate - up)
  const toCorner = Math.abs(estimate - corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

type Pixel = readonly [red: number, green: number, blue: number, alpha: number]

function pixelAt(line: Buffer, column: number, header: PngHeader): Pixel {
  const samples = samplesOf(header)
  const s = (index: number): number => sampleAt(line, column * samples + index, header.depth)
  const scale = 255 / (2 ** header.depth - 1)
  switch (header.colourType) {
    case 3: {
      const index = s(0)
      const { palette } = header
      const alpha = header.transparency?.[index] ?? 255
      return [palette?.[index * 3] ?? 0, palette?.[index * 3 + 1] ?? 0, palette?.[index * 3 + 2] ?? 0, alpha]
    }
    case 2:
    case 6: {
      const alpha = header.colourType === 6 ? s(3) * scale : keyed(header, [s(0), s(1), s(2)])
      return [s(0) * scale, s(1) * scale, s(2) * scale, alpha]
    }
    default: {
      const grey = s(0) * scale
      return [grey, grey, grey, header.colourType === 4 ? s(1) * scale : keyed(header, [s(0)])]
    }
  }
}

/** A grey or colour picture may name one colour that is transparent. */
function keyed(header: PngHeader, samples: readonly number[]): number {
  const key = header.transparency
  if (key === null || key.length < samples.length * 2) return 255
  return samples.every((sample, index) => key.readUInt16BE(index * 2) === sample) ? 0 : 255
}

function sampleAt(line: Buffer, index: number, depth: number): number {
  if (depth === 8) return line[index] ?? 0
  if (depth === 16) return ((line[index * 2] ?? 0) << 8) | (line[index * 2 + 1] ?? 0)
  const bit = index * depth
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

function paint(out: Buffer, to: number, pixel: Pixel): void {
  const [red, green, blue, alpha] = pixel
  const white = 255 - alpha
  out[to] = Math.round((red * alpha) / 255 + white)
  out[to + 1] = Math.round((green * alpha) / 255 + white)
  out[to + 2] = Math.round((blue * alpha) / 255 + white)
}
