import { parse } from 'csv-parse/sync'
import { because, isReason, type Reason } from '../../../model/reason.ts'
import { formatTime, parseTime } from '../../../model/time.ts'
import { AppError, errorText } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { stripMark } from '../reading/json.ts'
import { clip, oneLine } from '../reading/prose.ts'

export const FEED = 'FIRMS'

/** One pixel in which a satellite saw heat. Megawatts, epoch milliseconds. */
export interface Pixel {
  lat: number
  lon: number
  time: number
  frp: number
  satellite: string
}

/** The pixels of one or more files; the rows that are none are counted by reason. */
export interface Pixels {
  rows: number
  pixels: Pixel[]
  skipped: SkippedItem[]
}

/** Rows parsed in one go: about 5 ms of work on the smallest board. */
const SLICE = 500
/** Broken rows named one by one; a file of rubbish must not become a list of rubbish. */
const MOST_NAMED = 20
const NEEDED = ['latitude', 'longitude', 'acq_date', 'acq_time', 'confidence']

/**
 * Reads a FIRMS file, MODIS or VIIRS, by the names of its columns. A generator, so that a poll can pause between slices; it yields
 * nothing and returns the pixels. Throws AppError `bad-input` for what is no such file or was cut off inside a row.
 */
export function* readPixels(text: string, minConfidence: number): Generator<void, Pixels> {
  const lines = stripMark(text).split(/\r?\n/)
  const [header = ''] = lines
  const columns = new Map(header.split(',').map((name, index) => [name.trim().toLowerCase(), index]))
  if (!NEEDED.every((name) => columns.has(name))) throw notCsv(text)
  const cut = lines.at(-1) ?? ''
  if (lines.length > 1 && cut !== '' && cut.split(',').length < columns.size) {
    throw new AppError('bad-input', because('body_cut_in_row', { feed: FEED }))
  }
  yield
  const taken = new Taken(minConfidence)
  for (let start = 1; start < lines.length; start += SLICE) {
    for (const row of parseRows(lines.slice(start, start + SLICE))) taken.add(row, columns)
    yield
  }
  return taken.result()
}

function notCsv(text: string): AppError {
  if (text.trimStart().startsWith('<')) return new AppError('bad-input', because('web_page_for_csv', { feed: FEED }))
  const said = oneLine(text).trim()
  if (said === '') return new AppError('bad-input', because('body_is_empty', { feed: FEED }))
  return new AppError('bad-input', because('body_no_hotspots', { feed: FEED, said: clip(said, 80) }))
}

function parseRows(lines: readonly string[]): string[][] {
  try {
    // The service quotes nothing; a stray quote must not swallow the rows behind it.
    return parse(lines.join('\n'), { quote: false, relax_column_count: true, skip_empty_lines: true, trim: true })
  } catch (cause) {
    throw new AppError('bad-input', because('body_not_csv', { feed: FEED, said: errorText(cause) }), { cause })
  }
}

class Taken {
  readonly #minConfidence: number
  readonly #pixels: Pixel[] = []
  readonly #seen = new Set<string>()
  readonly #broken: SkippedItem[] = []
  #rows = 0
  #brokenCount = 0
  #doubtful = 0
  #repeats = 0

  constructor(minConfidence: number) {
    this.#minConfidence = minConfidence
  }

  add(row: readonly string[], columns: ReadonlyMap<string, number>): void {
    this.#rows++
    const field = (name: string): string => row[columns.get(name) ?? -1] ?? ''
    const pixel = row.length === columns.size ? readPixel(field) : because('not_so_many_columns')
    if (isReason(pixel)) this.#skip(pixel)
    else if (!isSure(field('confidence'), this.#minConfidence)) this.#doubtful++
    else this.#keep(pixel)
  }

  #skip(reason: Reason): void {
    this.#brokenCount++
    if (this.#broken.length < MOST_NAMED) this.#broken.push({ id: `row ${this.#rows}`, reason })
  }

  /** Pixels have no id: satellite, time and place are one. */
  #keep(pixel: Pixel): void {
    const key = `${pixel.satellite} ${pixel.time} ${pixel.lat} ${pixel.lon}`
    if (this.#seen.has(key)) this.#repeats++
    else {
      this.#seen.add(key)
      this.#pixels.push(pixel)
    }
  }

  result(): Pixels {
    const skipped = [...this.#broken]
    const more = this.#brokenCount - this.#broken.length
    if (more > 0) skipped.push({ id: 'further rows', reason: because('rows_unreadable', { count: more }) })
    if (this.#doubtful > 0)
      skipped.push({ id: 'confidence', reason: because('pixels_doubtful', { count: this.#doubtful }) })
    if (this.#repeats > 0) skipped.push({ id: 'repeats', reason: because('pixels_twice', { count: this.#repeats }) })
    return { rows: this.#rows, pixels: this.#pixels, skipped }
  }
}

/** `T2025-04-22T00:13_35.35244_139.87474`. */
export function pixelKey({ satellite, time, lat, lon }: Pixel): string {
  return `${satellite}${formatTime(time).slice(0, 16)}_${lat}_${lon}`
}

function readPixel(field: (name: string) => string): Pixel | Reason {
  const [lat, lon] = [decimal(field('latitude')), decimal(field('longitude'))]
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180) return because('no_position_given')
  // `13` is 00:13: spreadsheets lose the leading zeros.
  const digits = field('acq_time').replace(/^(\d{1,2}):(\d\d)(?::\d\d)?$/, '$1$2')
  const clock = /^\d{1,4}$/.test(digits) ? digits.padStart(4, '0') : ''
  const time = parseTime(`${field('acq_date')}T${clock.slice(0, 2)}:${clock.slice(2)}:00Z`)
  if (time === null) return because('no_time')
  return { lat, lon, time, frp: Math.max(0, decimal(field('frp')) ?? 0), satellite: field('satellite').slice(0, 12) }
}

function decimal(text: string): number | null {
  return /^-?\d{1,7}(?:\.\d{1,20})?$/.test(text) ? Number(text) : null
}

/** MODIS gives per cent, VIIRS low, nominal or high. */
function isSure(confidence: string, minConfidence: number): boolean {
  const percent = decimal(confidence)
  return percent === null ? /^[nh]/i.test(confidence) : percent >= minConfidence
}
