import { formatTime } from '../../../model/time.ts'
import type { SkippedItem } from '../feed.ts'
import type { Elements } from './mean-elements.ts'
import { shortName } from './names.ts'
import { type PassFacts, passFacts } from './pass-event.ts'
import { type ObservedPass, predictInSlices } from './predict.ts'
import type { Observer } from './settings.ts'

export interface TableRequest {
  elements: readonly Elements[]
  observer: Observer
  /** Epoch milliseconds. */
  from: number
  /** The distance from there in time; more than a week counts as a week. */
  hours: number
  /** Degrees; default: the observer's, else 20. */
  minElevation?: number
  /** Default 14. */
  maxAgeDays?: number
  /** Local time of day, as messages write it. */
  clockText(ms: number): string
  /** Bytes of UTF-8 of the text; default 140. */
  maxBytes?: number
  /** Of the text, in the language of whoever hears it; English when absent. */
  words?: PassWords
  signal?: AbortSignal
  /** Called between two small steps, in place of slices of its own. */
  pause?: () => Promise<void>
}

export interface PassWords {
  /** With the observer, or with '' where there is no room for it. */
  passes: (observer: string) => string
  noPass: (hours: number) => string
}

const ENGLISH_WORDS: PassWords = {
  passes: (observer) => `PASSES ${observer}`.trimEnd(),
  noPass: (hours) => `none in ${hours} h`
}

export interface PassTable {
  observer: string
  from: string
  to: string
  min_elevation: number
  /** In order of their rise. */
  rows: PassFacts[]
  /** Satellites left out, and why. */
  unusable: SkippedItem[]
  /** For a mesh message: as many passes as fit, the highest first; '' when `maxBytes` is too little for one. */
  text: string
}

const DEFAULT_ELEVATION = 20
const WEEK_HOURS = 168

/** The passes over one observer in the next hours, and a line for the mesh. Works in slices; rejects when aborted. */
export async function passTable(request: TableRequest): Promise<PassTable> {
  const { observer, from, elements } = request
  const minElevation = request.minElevation ?? observer.min_elevation ?? DEFAULT_ELEVATION
  const to = from + Math.min(Math.max(request.hours, 0), WEEK_HOURS) * 3_600_000
  const { passes, unusable } = await predictInSlices(
    {
      elements,
      observers: [{ ...observer, min_elevation: minElevation }],
      from,
      to,
      minElevation,
      maxAgeDays: request.maxAgeDays ?? 14
    },
    request.signal,
    request.pause
  )
  return {
    observer: observer.name,
    from: formatTime(from),
    to: formatTime(to),
    min_elevation: minElevation,
    rows: passes.map(passFacts),
    unusable,
    text: tableText(passes, observer.name, request)
  }
}

/** `PASSES Boise: ISS 9:32p 75, NOAA 20 3:41p 62`: name, rise and highest elevation, the highest pass first. */
function tableText(passes: readonly ObservedPass[], name: string, request: TableRequest): string {
  const { maxBytes: limit = 140, words = ENGLISH_WORDS } = request
  const fits = (text: string): boolean => Buffer.byteLength(text) <= limit
  const highest = [...passes].sort((a, b) => b.maxElevation - a.maxElevation || a.rise - b.rise)
  const pieces = highest.map(
    ({ satellite, rise, maxElevation }) =>
      `${shortName(satellite.name)} ${request.clockText(rise)} ${Math.round(maxElevation)}`
  )
  const [first = words.noPass(Math.round(request.hours)), ...more] = pieces
  let text = [`${words.passes(name)}: ${first}`, `${words.passes('')}: ${first}`].find(fits) ?? ''
  for (const piece of more) {
    if (text === '' || !fits(`${text}, ${piece}`)) break
    text = `${text}, ${piece}`
  }
  return text
}
