import { createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import type { Geometry } from '../../model/geojson.ts'
import { because } from '../../model/reason.ts'
import { StorageError, storageFaultOf } from '../../platform/database/storage-fault.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import { placeFile } from '../../platform/files/atomic-file.ts'
import { type CodeRule, codeOf, zoneShapesFromPack } from '../coverage/zone-pack.ts'
import { featuresOfShapefileZip } from './shapefile-zip.ts'
import { thinned } from './thin.ts'

export const PACK_ENDING = '.zones.ndjson.gz'
/** About 150 m: a tenth of the size, and less than the outlines of the weather services differ among themselves. */
export const DEFAULT_TOLERANCE = 0.0015
const MAX_BYTES = 512 * 1024 * 1024

/** `system`, `code`, `digits`, `first`: for files that do not say how they write their codes. */
export interface ImportOptions extends CodeRule {
  file: string
  /** Folder of the zone packs; made when missing. */
  zonesFolder: string
  /** Name of the pack; default: that of the file. */
  name?: string
  /** Which shapefile of several in one ZIP. */
  member?: string | undefined
  /** Degrees by which an outline may be thinned; 0 = as it is. */
  tolerance: number
  /** Told of every feature that is left out. */
  onSkipped: (reason: string) => void
  /** Gives the finished pack its name; tests watch the order. */
  place?: typeof placeFile
}

export interface ImportedPack {
  path: string
  codes: number
  skipped: number
  bytes: number
}

interface Outline {
  code: string
  geometry: Geometry
}

/**
 * Brings a zone pack (GeoJSON, TopoJSON, both also gzipped, or a zipped shapefile) into the form the station reads with
 * little memory. Written under a temporary name and renamed: a pack of the same name stays until the new one is whole.
 * Throws AppError `missing` (no such file), `bad-input` (no pack, no codes) and `no-space`.
 */
export async function importPack(options: ImportOptions): Promise<ImportedPack> {
  const { file, zonesFolder, onSkipped, place = placeFile } = options
  const name = packName(options.name ?? basename(file))
  await mkdir(zonesFolder, { recursive: true })
  const path = join(zonesFolder, name + PACK_ENDING)
  const temporary = join(zonesFolder, `.${name}.part`)
  const codes = new Set<string>()
  let skipped = 0
  const skip = (reason: string): void => {
    skipped++
    onSkipped(reason)
  }
  async function* lines(): AsyncGenerator<string> {
    for await (const { code, geometry } of outlinesOf(file, options, skip)) {
      if (!isInDegrees(geometry)) throw new AppError('bad-input', because('shapefile_projected', { file }))
      const line = lineOf({ code, geometry }, options.tolerance)
      if (line === null) {
        skip(`the outline of ${code} is broken`)
        continue
      }
      codes.add(code)
      yield line
    }
  }
  try {
    await pipeline(Readable.from(lines()), createGzip({ level: 9 }), createWriteStream(temporary))
    if (codes.size === 0) throw new AppError('bad-input', because('pack_no_zone_code', { file }))
    await place(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw storageFaultOf(error) === 'full' ? new StorageError('full', error) : error
  }
  return { path, codes: codes.size, skipped, bytes: (await stat(path)).size }
}

/** False for metres of a projection: they are far beyond any latitude. A broken outline is judged elsewhere. */
function isInDegrees(geometry: Geometry): boolean {
  let at: unknown = 'coordinates' in geometry ? geometry.coordinates : null
  while (Array.isArray(at) && Array.isArray(at[0])) at = at[0]
  const [lon, lat] = Array.isArray(at) ? at : []
  return !(typeof lon === 'number' && typeof lat === 'number' && (Math.abs(lon) > 361 || Math.abs(lat) > 91))
}

/** Null for an outline whose coordinates are not nested as its type says: what a file holds is not checked before. */
function lineOf({ code, geometry }: Outline, tolerance: number): string | null {
  try {
    return `${JSON.stringify({ code, geometry: tolerance > 0 ? thinned(geometry, tolerance) : geometry })}\n`
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

function packName(text: string): string {
  const bare = text.replace(/(?:\.zones)?(?:\.(?:zip|gz|json|geojson|topojson|ndjson))+$/i, '')
  const name = bare.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  if (name === '') throw new AppError('usage', because('give_pack_a_name'))
  return name.slice(0, 80)
}

async function* outlinesOf(
  file: string,
  options: ImportOptions,
  skip: (reason: string) => void
): AsyncGenerator<Outline> {
  const { zonesFolder, member } = options
  const bytes = await beginningOf(file)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    for await (const feature of featuresOfShapefileZip(file, zonesFolder, member))
      yield* outlineOf(feature, options, skip)
    return
  }
  const pack = zoneShapesFromPack(await readWhole(file), skip, options)
  for (const code of pack.codes) {
    const geometry = pack.shape(code)
    if (geometry !== null) yield { code, geometry }
  }
}

function* outlineOf(feature: object, rule: CodeRule, skip: (reason: string) => void): Generator<Outline> {
  const code = codeOf(feature, rule)
  const geometry = 'geometry' in feature ? (feature.geometry as Geometry | null) : null
  if (code === null) skip('a feature without a code')
  else if (geometry === null) skip(`${code} has no outline`)
  else yield { code, geometry }
}

async function beginningOf(file: string): Promise<Uint8Array> {
  try {
    const handle = await open(file, 'r')
    try {
      const { buffer } = await handle.read(new Uint8Array(4), 0, 4, 0)
      return buffer
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new AppError('missing', because('pack_unreadable', { file, said: errorText(error) }), { cause: error })
  }
}

async function readWhole(file: string): Promise<unknown> {
  const bytes = await readFile(file)
  try {
    const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
    return JSON.parse((zipped ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString('utf8'))
  } catch (error) {
    throw new AppError('bad-input', because('pack_neither_json_nor_zip', { file, said: errorText(error) }), {
      cause: error
    })
  }
}
