import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readersTurn, Slices } from '../../platform/clock/slices.ts'

/** Degrees. */
interface GroundBox {
  west: number
  south: number
  east: number
  north: number
}

/** Finer ones come last. Each line is longitude and latitude in turn, in degrees. */
interface GroundLayer {
  name: 'countries' | 'states' | 'counties'
  lines: Float32Array[]
}

/** Wider than this, lines of states are a tangle; the same of counties. Degrees of longitude. */
const WIDEST = { countries: 360, states: 50, counties: 9 } as const
/** Of one line in the file: its box and how many corners it has. */
const HEAD = 5

/** The folder with the lines of the bundled atlas (`scripts/atlas-lines.js`), found upwards from the running code; null where it was not built. */
export function findGround(from: string): string | null {
  for (let folder = dirname(fileURLToPath(from)); ; folder = dirname(folder)) {
    const found = join(folder, 'web', 'vendor', 'atlas')
    if (existsSync(join(found, 'states.lines'))) return found
    if (folder === dirname(folder)) return null
  }
}

/** Coasts and borders that show in a box. Each question reads the files; nothing of them stays in memory. */
export async function groundLines(folder: string, box: GroundBox): Promise<GroundLayer[]> {
  const layers: GroundLayer[] = []
  for (const name of ['countries', 'states', 'counties'] as const) {
    if (box.east - box.west > WIDEST[name]) continue
    layers.push({ name, lines: await linesIn(join(folder, `${name}.lines`), box) })
  }
  return layers
}

/** In slices: whoever looks at a map holds nobody up. */
async function linesIn(file: string, box: GroundBox): Promise<Float32Array[]> {
  const bytes = await readFile(file)
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT)
  const count = numbers[0] ?? 0
  const slices = new Slices(readersTurn)
  const lines: Float32Array[] = []
  let at = 1 + count * HEAD
  for (let n = 0; n < count; n++) {
    const [west = 0, south = 0, east = 0, north = 0, corners = 0] = numbers.subarray(1 + n * HEAD, 1 + (n + 1) * HEAD)
    if (west <= box.east && east >= box.west && south <= box.north && north >= box.south)
      lines.push(numbers.subarray(at, at + 2 * corners))
    at += 2 * corners
    await slices.pause()
  }
  return lines
}
