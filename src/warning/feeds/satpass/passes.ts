import type { Look, Track } from './orbit.ts'

/** The rise, culmination and set of a satellite: epoch milliseconds, degrees, kilometres at the culmination. */
export interface Pass {
  rise: number
  riseAzimuth: number
  max: number
  maxElevation: number
  maxAzimuth: number
  range: number
  set: number
  setAzimuth: number
}

export interface Window {
  /** Passes that rise from here, epoch milliseconds … */
  from: number
  /** … and before this; they may set later. */
  to: number
  /** Degrees: where rise and set are. */
  minElevation: number
}

interface Sample extends Look {
  at: number
  /** The satellite may have been up and down again since the sample before. */
  unsure: boolean
}

/** A pass under way. `before` and `after` enclose the highest sample. */
interface Rising {
  rise: number
  before: number
  best: Sample
  after: number
}

/** A satellite that stays up longer than this makes no pass: a geostationary one, say. */
const LONGEST_MS = 24 * 3_600_000
const LONGEST_STEP_S = 1800
const CROSSING_MS = 20
const PEAK_MS = 100

/**
 * All passes of one satellite in order of their rise. Yields null now and then, where the caller may take a breath.
 * Ends early where the orbit ends. A satellite that never rises costs few steps: while it is far below the horizon, the
 * next look is only due when it could be back at its fastest.
 */
export function* searchPasses(track: Track, window: Window): Generator<Pass | null> {
  const end = window.to + LONGEST_MS
  let rising: Rising | null = null
  let earlier: Sample | null = null
  let last = sampleAt(track, window.from - track.step * 1000, false)
  while (last !== null && (last.at < window.to || rising !== null) && last.at < end) {
    yield null
    const { wait, unsure } = pace(track, last, window.minElevation)
    const next = sampleAt(track, last.at + wait, unsure)
    if (next === null) return
    const wasUp = last.elevation >= window.minElevation
    const isUp = next.elevation >= window.minElevation
    if (rising !== null) {
      rising = risen(rising, last, next)
      if (!isUp) {
        yield* inside(passOf(track, rising, crossing(track, last.at, next.at, window.minElevation)), window)
        rising = null
      }
    } else if (isUp && !wasUp) {
      const rise = crossing(track, last.at, next.at, window.minElevation)
      rising = { rise, before: rise, best: next, after: next.at }
    } else if (!isUp) yield* inside(hidden(track, earlier, last, next, window), window)
    earlier = last
    last = next
  }
}

function* inside(pass: Pass | null, { from, to }: Window): Generator<Pass> {
  if (pass !== null && pass.rise >= from && pass.rise < to) yield pass
}

function sampleAt(track: Track, at: number, unsure: boolean): Sample | null {
  const look = track.look(at)
  return look === null ? null : { ...look, at, unsure }
}

/** The direction of something `range` away turns by at most asin(speed·t / range): before that it cannot be up. */
function pace(track: Track, { elevation, range }: Sample, minElevation: number): { wait: number; unsure: boolean } {
  const gap = Math.min(90, minElevation - elevation)
  const safe = gap <= 0 ? 0 : (range * Math.sin((gap * Math.PI) / 180)) / track.speed
  const wait = Math.min(LONGEST_STEP_S, Math.max(track.step, safe))
  return { wait: wait * 1000, unsure: wait > safe }
}

/** Takes the next sample in: as the new highest, or as the end of the stretch in which the highest point lies. */
function risen(rising: Rising, last: Sample, next: Sample): Rising {
  if (next.elevation > rising.best.elevation) return { ...rising, before: last.at, best: next, after: next.at }
  return rising.after === rising.best.at ? { ...rising, after: next.at } : rising
}

function passOf(track: Track, { rise, before, best, after }: Rising, set: number): Pass | null {
  return toPass(track, rise, culmination(track, Math.max(before, rise), Math.min(Math.max(after, best.at), set)), set)
}

/** A pass that came and went between two looks: only where three samples show a summit. */
function hidden(track: Track, first: Sample | null, middle: Sample, last: Sample, window: Window): Pass | null {
  if (first === null || !(middle.unsure || last.unsure)) return null
  if (middle.elevation < first.elevation || middle.elevation < last.elevation) return null
  if (middle.elevation >= window.minElevation || first.elevation >= window.minElevation) return null
  const max = culmination(track, first.at, last.at)
  if ((track.look(max)?.elevation ?? -90) < window.minElevation) return null
  const rise = crossing(track, first.at, max, window.minElevation)
  return toPass(track, rise, max, crossing(track, max, last.at, window.minElevation))
}

function toPass(track: Track, rise: number, max: number, set: number): Pass | null {
  const [atRise, atMax, atSet] = [track.look(rise), track.look(max), track.look(set)]
  if (atRise === null || atMax === null || atSet === null || !(rise < max && max < set)) return null
  return {
    rise,
    riseAzimuth: atRise.azimuth,
    max,
    maxElevation: atMax.elevation,
    maxAzimuth: atMax.azimuth,
    range: atMax.range,
    set,
    setAzimuth: atSet.azimuth
  }
}

/** Finds by bisection where the elevation passes `level` between two times of which one is above and one below. */
function crossing(track: Track, from: number, to: number, level: number): number {
  const isUp = (at: number): boolean => (track.look(at)?.elevation ?? -90) >= level
  let [low, high] = [from, to]
  const upAtFirst = isUp(from)
  while (high - low > CROSSING_MS) {
    const middle = (low + high) / 2
    if (isUp(middle) === upAtFirst) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The highest point between two times that enclose one, by golden section. */
function culmination(track: Track, from: number, to: number): number {
  const height = (at: number): number => track.look(at)?.elevation ?? -90
  let [low, high] = [from, to]
  let left = high - GOLDEN * (high - low)
  let right = low + GOLDEN * (high - low)
  let [atLeft, atRight] = [height(left), height(right)]
  while (high - low > PEAK_MS) {
    if (atLeft < atRight) {
      low = left
      left = right
      atLeft = atRight
      right = low + GOLDEN * (high - low)
      atRight = height(right)
    } else {
      high = right
      right = left
      atRight = atLeft
      left = high - GOLDEN * (high - low)
      atLeft = height(left)
    }
  }
  return (low + high) / 2
}
