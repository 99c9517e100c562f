import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import { membersOf, openZip, streamOf } from '../../platform/files/zip-members.ts'
import { exportsOf } from '../../platform/process/exports-of.ts'

/** The outlines of the whole country at full detail are 120 MB. */
const MAX_MEMBER_BYTES = 1024 ** 3
const MEMBERS = ['.shp', '.dbf', '.prj'] as const
type Member = (typeof MEMBERS)[number]

/**
 * The features of a zipped shapefile (.shp and .dbf), one by one: of the only one, or of the one that is called `member`. Unpacked into a
 * folder below `workFolder` that is removed afterwards. Throws AppError `bad-input`: no zip, not one shapefile, a projection other than degrees.
 */
export async function* featuresOfShapefileZip(
  file: string,
  workFolder: string,
  member?: string
): AsyncGenerator<object> {
  const folder = await mkdtemp(join(workFolder, '.import-'))
  try {
    const found = await unpack(file, folder, member)
    const [shp, dbf, prj] = MEMBERS.map((ending) => found.get(ending))
    if (shp === undefined || dbf === undefined) {
      throw new AppError('bad-input', because('shapefile_lacks', { file, found: listOf(found) }))
    }
    if (prj !== undefined && (await readFile(prj, 'utf8')).trimStart().startsWith('PROJCS')) {
      throw new AppError('bad-input', because('shapefile_projected', { file }))
    }
    yield* featuresOf(file, shp, dbf)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* featuresOf(file: string, shp: string, dbf: string): AsyncGenerator<object> {
  // The reader says in its own words what it stumbles over: a file that is not what its name says.
  const refuse = (error: unknown): never => {
    throw new AppError('bad-input', because('shapefile_unreadable', { file, said: errorText(error) }), { cause: error })
  }
  const { open } = exportsOf(await import('shapefile'))
  const source = await open(shp, dbf, { encoding: 'utf-8' }).catch(refuse)
  const read = () => source.read().catch(refuse)
  for (let next = await read(); !next.done; next = await read()) yield next.value
}

function listOf(found: ReadonlyMap<Member, string>): string {
  return [...found.keys()].join(', ') || 'neither'
}

/** Takes one member of each ending; its folder inside the zip means nothing. */
async function unpack(file: string, folder: string, wanted: string | undefined): Promise<Map<Member, string>> {
  const zip = await openZip(file).catch((error: unknown) => {
    throw notAZip(file, error)
  })
  try {
    const entries = await chosen(file, zip, wanted)
    const found = new Map<Member, string>()
    for (const [ending, entry] of entries) {
      const path = join(folder, `zones${ending}`)
      // yauzl ends the stream with an error when a member is longer than its header says.
      await pipeline(await streamOf(zip, entry), createWriteStream(path))
      found.set(ending, path)
    }
    return found
  } catch (error) {
    throw error instanceof AppError ? error : notAZip(file, error)
  } finally {
    zip.close()
  }
}

/** The members of the one shapefile that is meant. @throws AppError `bad-input` where that is not one. */
async function chosen(file: string, zip: ZipFile, wanted: string | undefined): Promise<Map<Member, Entry>> {
  const found = new Map<Member, Entry>()
  const shapefiles: string[] = []
  let isOne = true
  for await (const entry of membersOf(zip)) {
    const { base, ending } = partsOf(entry.fileName)
    if (ending === undefined) continue
    if (ending === '.shp') shapefiles.push(base)
    if (wanted !== undefined && base.toLowerCase() !== wanted.toLowerCase()) continue
    if (found.has(ending)) isOne = false
    if (entry.uncompressedSize > MAX_MEMBER_BYTES)
      throw new AppError('bad-input', because('zip_entry_large', { file, entry: entry.fileName }))
    found.set(ending, entry)
  }
  if (!isOne || (found.size === 0 && shapefiles.length > 0))
    throw new AppError('bad-input', because('several_shapefiles', { file, found: shapefiles.sort() }))
  return found
}

function partsOf(path: string): { base: string; ending: Member | undefined } {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = MEMBERS.find((one) => name.toLowerCase().endsWith(one))
  return { base: ending === undefined ? name : name.slice(0, -ending.length), ending }
}

function notAZip(file: string, error: unknown): AppError {
  return new AppError('bad-input', because('zip_unreadable', { file, said: errorText(error) }), { cause: error })
}
