import { existsSync } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { readersTurn } from '../../platform/clock/slices.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import { distanceKm } from '../coverage/circle.ts'
import { foldName } from './fold-name.ts'

/** A town or village. */
export interface TownFound {
  name: string
  /** Its name in the lists of GeoNames where it was found by another; else empty. */
  also: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** The first division of the country: state, Land, prefecture. Empty where it is not known. */
  region: string
  /** UGC of its county in the United States; else empty. */
  county: string
  lat: number
  lon: number
  population: number
  /** IANA. */
  timezone: string
}

export interface GazetteerOptions {
  /** With index.json and places.bin, as scripts/gazetteer.js writes them; null when it was not built. */
  folder: string | null
}

const block = v.tuple([v.string(), v.number(), v.number()])
const indexSchema = v.object({
  zones: v.record(v.string(), v.string()),
  countries: v.record(v.string(), v.object({ box: v.array(v.number()), blocks: v.array(block) })),
  cells: v.array(block)
})
type Index = v.InferOutput<typeof indexSchema>
type Block = v.InferOutput<typeof block>

const inflated = promisify(inflateRaw)
/** Two letters name at most some hundred towns of a country: a guard for files that are not as they should be. */
const MOST_BLOCKS = 12
/** Who has typed the beginning of a name rarely means what a large town is called abroad. */
const ABROAD_SHARE = 1 / 5
const KM_PER_DEGREE = 110.5
/** Between two towns of a million people it is never so far; in a desert it may be. */
const FAR_KM = 150

/** The folder that the build makes beside `dist/` and `src/`, looked for from the module `from` (its `import.meta.url`) upwards. */
export function findGazetteer(from: string): string | null {
  for (let folder = dirname(fileURLToPath(from)); ; folder = dirname(folder)) {
    const found = join(folder, 'gazetteer')
    if (existsSync(join(found, 'index.json'))) return found
    if (folder === dirname(folder)) return null
  }
}

/**
 * Places of the world by name and by position. Each question reads the index and one or two blocks of some kB; nothing of it stays
 * in memory. Rejects with AppError `unavailable` when the files are not there or cannot be read.
 */
export class Gazetteer {
  readonly #folder: string | null

  constructor({ folder }: GazetteerOptions) {
    this.#folder = folder
  }

  /**
   * All countries, each with the box round its places (west, south, east, north); `here`: that of the most people in the zone, as a
   * browser tells it, empty when no place is in it.
   */
  async countries(zone: string): Promise<{ countries: { code: string; box: number[] }[]; here: string }> {
    const { countries, zones } = await this.#index()
    const known = Object.entries(countries).map(([code, { box }]) => ({ code, box }))
    return { countries: known, here: Object.hasOwn(zones, zone) ? (zones[zone] ?? '') : '' }
  }

  /**
   * Towns of a country whose name begins so, in any of its spellings; the whole name first, then the most people. Words after the name
   * are taken for the region: `springfield illinois`. `Muenchen` finds what `Munchen` finds.
   */
  async find({ country, text, limit }: { country: string; text: string; limit: number }): Promise<TownFound[]> {
    const index = await this.#index()
    const blocks = Object.hasOwn(index.countries, country) ? (index.countries[country]?.blocks ?? []) : []
    const folded = foldName(text)
    const plain = folded.replace(/([aou])e/g, '$1')
    return this.#reading(async (file) => {
      for (const wanted of plain === folded ? [folded] : [folded, plain]) {
        const words = wanted.split(' ')
        for (let taken = words.length; taken > 0 && wanted !== ''; taken--) {
          const [name, rest] = [words.slice(0, taken).join(' '), words.slice(taken)]
          const found = await inNames(file, blocks, { country, name, rest })
          if (found.length > 0) return bestOf(found, name, limit)
        }
      }
      return []
    })
  }

  /** The towns round a position, nearest first, at most 150 km away. */
  async near({
    lat,
    lon,
    limit
  }: {
    lat: number
    lon: number
    limit: number
  }): Promise<(TownFound & { km: number })[]> {
    const { cells } = await this.#index()
    return this.#reading(async (file) => {
      const found: (TownFound & { km: number })[] = []
      for (const [from, to] of bandsRound(lat, lon)) {
        for (const row of await rowsBetween(file, cells, from, to)) {
          const town = townOfCell(row)
          const km = distanceKm(lat, lon, town.lat, town.lon)
          if (km <= FAR_KM) found.push({ ...town, km })
        }
      }
      return found.sort((a, b) => a.km - b.km).slice(0, limit)
    })
  }

  async #index(): Promise<Index> {
    if (this.#folder === null) throw new AppError('unavailable', because('no_gazetteer'))
    try {
      return v.parse(indexSchema, JSON.parse(await readFile(join(this.#folder, 'index.json'), 'utf8')))
    } catch (error) {
      throw unreadable(error)
    }
  }

  async #reading<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    try {
      const file = await open(join(this.#folder ?? '', 'places.bin'))
      try {
        return await work(file)
      } finally {
        await file.close()
      }
    } catch (error) {
      throw unreadable(error)
    }
  }
}

function unreadable(error: unknown): AppError {
  return new AppError('unavailable', because('gazetteer_unreadable', { said: errorText(error) }), { cause: error })
}

/** The rows of a section with keys from `from` up to `to`, in their order. */
async function rowsBetween(file: FileHandle, blocks: readonly Block[], from: string, to: string): Promise<string[][]> {
  const next = blocks.findIndex(([first]) => first >= from)
  const begin = Math.max(0, (next === -1 ? blocks.length : next) - 1)
  const rows: string[][] = []
  for (const [first, offset, length] of blocks.slice(begin, begin + MOST_BLOCKS)) {
    if (first > to) break
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
    const text = (await inflated(buffer)).toString('utf8')
    for (const line of text.split('\n')) {
      const key = line.slice(0, line.indexOf('\t'))
      if (key >= from && key <= to && line !== '') rows.push(line.split('\t'))
    }
    await readersTurn()
  }
  return rows
}

interface Named {
  key: string
  town: TownFound
}

async function inNames(
  file: FileHandle,
  blocks: readonly Block[],
  { country, name, rest }: { country: string; name: string; rest: readonly string[] }
): Promise<Named[]> {
  // A letter alone is the beginning of thousands, and the whole name of few; a sign of Japan is not.
  const rows = await rowsBetween(file, blocks, name, /^[a-z]$/.test(name) ? name : `${name}\uffff`)
  return rows.flatMap(([key = '', shown = '', main = '', region = '', county = '', ...numbers]) => {
    const words = foldName(`${region} ${county.slice(0, 2)}`).split(' ')
    if (!rest.every((part) => words.some((word) => word.startsWith(part)))) return []
    return [{ key, town: { name: shown, also: main, country, region, county, ...numbersOf(numbers) } }]
  })
}

function numbersOf([lat, lon, population, timezone = '']: readonly string[]) {
  return { lat: Number(lat), lon: Number(lon), population: Number(population), timezone }
}

const weightOf = ({ town: { population, also } }: Named) => population * (also === '' ? 1 : ABROAD_SHARE)

/** A town once, by the spelling that was meant. */
function bestOf(found: readonly Named[], name: string, limit: number): TownFound[] {
  const ordered = [...found].sort(
    (a, b) =>
      Number(b.key === name) - Number(a.key === name) ||
      weightOf(b) - weightOf(a) ||
      Number(a.town.also !== '') - Number(b.town.also !== '')
  )
  const once = new Map<string, TownFound>()
  for (const { town } of ordered) {
    const key = `${town.lat} ${town.lon}`
    if (!once.has(key)) once.set(key, town)
  }
  return [...once.values()].slice(0, limit)
}

/** Keys of the cells of a degree round a position: from and to of each band of latitude; two where the date line lies between. */
function bandsRound(lat: number, lon: number): [string, string][] {
  const wide = Math.min(180, Math.ceil(FAR_KM / KM_PER_DEGREE / Math.max(0.02, Math.cos((lat * Math.PI) / 180))))
  const [west, east] = [Math.floor(lon) - wide, Math.floor(lon) + wide]
  const spans: [number, number][] =
    east - west >= 359
      ? [[-180, 180]]
      : west < -180
        ? [
            [-180, east],
            [west + 360, 180]
          ]
        : east > 180
          ? [
              [west, 180],
              [-180, east - 360]
            ]
          : [[west, east]]
  const cell = (y: number, x: number) => `${String(y + 90).padStart(3, '0')}${String(x + 180).padStart(3, '0')}`
  return [-2, -1, 0, 1, 2]
    .map((north) => Math.floor(lat) + north)
    .filter((y) => y >= -90 && y <= 90)
    .flatMap((y) => spans.map(([from, to]): [string, string] => [cell(y, from), cell(y, to)]))
}

function townOfCell([, country = '', name = '', region = '', county = '', ...numbers]: readonly string[]): TownFound {
  return { name, also: '', country, region, county, ...numbersOf(numbers) }
}
