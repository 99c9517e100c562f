import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { errorText } from '../../platform/errors.ts'
import { type ZonePack, zoneShapesFromLines, zoneShapesFromPack } from '../coverage/zone-pack.ts'
import { combineZoneShapes, type ZoneShapes } from '../coverage/zones.ts'
import { CountyNames } from './county-names.ts'

/** Names of files that are taken for zone packs. */
export const PACK = /\.(?:geojson|topojson|json|ndjson)(?:\.gz)?$/i
const LINES = /\.ndjson(?:\.gz)?$/i
/** Ten times the outlines of the whole country at full detail; more is a mistake that would take the board down. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

export interface ZoneFilesOptions {
  /** Folder of the operator's zone packs; it need not exist. */
  zonesFolder: string
  /** The county atlas, or null when it is not installed. */
  atlasFile: string | null
  /** Told about every file that cannot be used; the others go on. */
  onProblem?: (file: string, message: string) => void
}

/** Outlines from files. */
export interface ZoneFiles extends ZoneShapes {
  /** Codes that have an outline, canonical; read once, as the shapes are. */
  codes(): readonly string[]
  /** Forgets what was read: the files have changed. */
  refresh(): void
}

/**
 * The zone packs of a folder (in order of their names), then the county and state atlas. Nothing is read until the
 * first shape is asked for; then the files are read once. Never throws: what cannot be read is reported.
 */
export function openZoneFiles(options: ZoneFilesOptions): ZoneFiles {
  const names = new CountyNames({
    atlasFile: options.atlasFile,
    onProblem: (message) => options.onProblem?.(options.atlasFile ?? '', message)
  })
  let read: { shapes: ZoneShapes; codes: readonly string[] } | null = null
  const all = () => {
    read ??= readAll(options)
    return read
  }
  return {
    refresh() {
      read = null
    },
    codes: () => all().codes,
    shape: (code) => all().shapes.shape(code),
    counties: (zone, named) => names.counties(zone, named)
  }
}

function readAll({ zonesFolder, atlasFile, onProblem = () => undefined }: ZoneFilesOptions): {
  shapes: ZoneShapes
  codes: readonly string[]
} {
  const files = packsIn(zonesFolder, onProblem)
  if (atlasFile !== null) files.push(atlasFile)
  const sources: ZonePack[] = []
  for (const file of files) {
    try {
      sources.push(readPack(file, (message) => onProblem(file, message)))
    } catch (error) {
      onProblem(file, errorText(error))
    }
  }
  return { shapes: combineZoneShapes(...sources), codes: [...new Set(sources.flatMap(({ codes }) => codes))] }
}

function packsIn(folder: string, onProblem: (file: string, message: string) => void): string[] {
  try {
    const names = readdirSync(folder).filter((name) => PACK.test(name) && !name.startsWith('.'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!missing) onProblem(folder, errorText(error))
    return []
  }
}

/** One pack, in whatever form. Throws AppError `bad-input`, or what reading the file throws. */
export function readPack(file: string, report: (message: string) => void): ZonePack {
  const bytes = readFileSync(file)
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = (zipped ? gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) : bytes).toString('utf8')
  return LINES.test(file) ? zoneShapesFromLines(text, report) : zoneShapesFromPack(JSON.parse(text), report)
}

/** The county atlas as installed beside the module `from` (its `import.meta.url`), or null when it is not. */
export function findCountyAtlas(from: string): string | null {
  try {
    return createRequire(from).resolve('us-atlas/counties-10m.json')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}
