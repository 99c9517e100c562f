import { readdirSync, readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gunzip, gunzipSync } from 'node:zlib'
import { nextTurn, Slices } from '../../platform/clock/slices.ts'
import { errorText } from '../../platform/errors.ts'
import { ZoneLines, type ZonePack, zoneShapesFromLines, zoneShapesFromPack } from '../coverage/zone-pack.ts'
import { combineZoneShapes, type ZoneShapes } from '../coverage/zones.ts'
import { CountyNames } from './county-names.ts'

/** Names of files that are taken for zone packs. */
export const PACK = /\.(?:geojson|topojson|json|ndjson)(?:\.gz)?$/i
const LINES = /\.ndjson(?:\.gz)?$/i
/** Ten times the outlines of the whole country at full detail; more is a mistake that would take the board down. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

const PIECE_BYTES = 64 * 1024
/** Short: what the garbage collector does comes on top of it. */
const LINES_MS = 4

const unzipped = promisify(gunzip)

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
  /** Reads what is new or has changed, in steps and beside others; until then what was read before counts. Never throws. */
  prepare(): Promise<void>
}

interface ReadPacks {
  shapes: ZoneShapes
  codes: readonly string[]
  /** By file, with what tells that it has changed. */
  packs: ReadonlyMap<string, { mark: string; pack: ZonePack }>
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
  let read: ReadPacks | null = null
  let preparing: Promise<void> = Promise.resolve()
  const all = () => {
    read ??= readAll(options)
    return read
  }
  const prepare = async (): Promise<void> => {
    read = await readBeside(options, read)
    await nextTurn()
    names.prepare()
  }
  return {
    refresh() {
      read = null
    },
    prepare() {
      preparing = preparing.then(prepare)
      return preparing
    },
    codes: () => all().codes,
    shape: (code) => all().shapes.shape(code),
    counties: (zone, named) => names.counties(zone, named)
  }
}

function readAll(options: ZoneFilesOptions): ReadPacks {
  const { onProblem = () => undefined } = options
  const packs: ZonePack[] = []
  for (const file of filesOf(options)) {
    try {
      packs.push(readPack(file, (message) => onProblem(file, message)))
    } catch (error) {
      onProblem(file, errorText(error))
    }
  }
  return { ...combined(packs), packs: new Map() }
}

async function readBeside(options: ZoneFilesOptions, before: ReadPacks | null): Promise<ReadPacks> {
  const { onProblem = () => undefined } = options
  const packs = new Map<string, { mark: string; pack: ZonePack }>()
  for (const file of filesOf(options)) {
    try {
      const { mtimeMs, size, ino } = await stat(file)
      const mark = `${mtimeMs} ${size} ${ino}`
      const known = before?.packs.get(file)
      const pack = known?.mark === mark ? known.pack : await readPackBeside(file, (message) => onProblem(file, message))
      packs.set(file, { mark, pack })
    } catch (error) {
      onProblem(file, errorText(error))
    }
  }
  return { ...combined([...packs.values()].map(({ pack }) => pack)), packs }
}

function filesOf({ zonesFolder, atlasFile, onProblem = () => undefined }: ZoneFilesOptions): string[] {
  const files = packsIn(zonesFolder, onProblem)
  return atlasFile === null ? files : [...files, atlasFile]
}

function combined(packs: readonly ZonePack[]): Omit<ReadPacks, 'packs'> {
  return { shapes: combineZoneShapes(...packs), codes: [...new Set(packs.flatMap(({ codes }) => codes))] }
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

/** The same without holding the thread: but for JSON that is one document, which is parsed in one go. */
async function readPackBeside(file: string, report: (message: string) => void): Promise<ZonePack> {
  const bytes = await readFile(file)
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (LINES.test(file)) return readLines(zipped ? unzippedPieces(bytes) : pieces(bytes), report)
  const plain = zipped ? await unzipped(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) : bytes
  await nextTurn()
  const text = plain.toString('utf8')
  await nextTurn()
  return zoneShapesFromPack(JSON.parse(text), report)
}

/** Lines are read as they come: neither the bytes nor the text of a whole country are ever in one piece. */
async function readLines(
  from: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  report: (message: string) => void
): Promise<ZonePack> {
  const slices = new Slices(nextTurn, LINES_MS)
  const decoder = new TextDecoder()
  const lines = new ZoneLines()
  for await (const piece of from) {
    lines.take(decoder.decode(piece, { stream: true }))
    await slices.pause()
  }
  lines.take(decoder.decode())
  return lines.pack(report)
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES)
}

/** Throws, as reading a file does, when it is damaged or unpacks to too much. */
async function* unzippedPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  let sum = 0
  const unzip = createGunzip({ chunkSize: PIECE_BYTES })
  for await (const piece of Readable.from(pieces(bytes)).pipe(unzip) as AsyncIterable<Uint8Array>) {
    sum += piece.length
    if (sum > MAX_UNPACKED_BYTES) throw new RangeError(`more than ${MAX_UNPACKED_BYTES} bytes`)
    yield piece
  }
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
