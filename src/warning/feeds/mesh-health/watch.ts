import type { RadioHealth } from '../../radios/radio.ts'

/**
 * The rules by which readings become conditions. All pure; `elapsedMs` is the time since the last reading, at most two
 * sampling intervals, so that a clock that is set, or a machine that slept, makes nobody silent.
 */

/** Something that may be so: told at `level`, or not so (0). `since` is when it began. */
export interface Condition {
  /** Grows every time it is over: the identity of what was told. */
  readonly episode: number
  readonly level: number
  readonly since: number | null
  /** The number of times it was told in this episode. */
  readonly told: number
}

/** A change of a condition that a listener is to be told of. `before` and `after` are levels. */
export interface Change {
  readonly kind: 'begin' | 'change' | 'end'
  readonly before: number
  readonly after: number
  readonly episode: number
  /** The number of times it was told in this episode, this time included. */
  readonly told: number
  readonly since: number
}

/** A condition nothing was told of yet. An episode begins with the time, so that a lost memory repeats no identity. */
export function notSo(now: number): Condition {
  return { episode: Math.floor(now / 1000), level: 0, since: null, told: 0 }
}

/** The condition at another level, and what is to be told of that; `since` counts when it begins. */
export function moved(
  condition: Condition,
  level: number,
  { now, since = now }: { now: number; since?: number }
): { condition: Condition; change: Change | null } {
  const { episode, level: before, told } = condition
  if (level === before) return { condition, change: null }
  const began = condition.since ?? since
  const change = { before, after: level, episode, told: told + 1, since: began }
  if (level === 0) {
    const next = { ...notSo(now), episode: Math.max(episode + 1, Math.floor(now / 1000)) }
    return { condition: next, change: { kind: 'end', ...change } }
  }
  const next = { episode, level, since: began, told: told + 1 }
  return { condition: next, change: { kind: before === 0 ? 'begin' : 'change', ...change } }
}

/**
 * The level of a low battery: 0 = well, else the number of thresholds it is below. It falls at once and rises only when
 * it is `hysteresis` points above the threshold. Thresholds of 0 are off.
 */
export function batteryLevel(
  level: number,
  percent: number,
  { thresholds, hysteresis }: { thresholds: readonly number[]; hysteresis: number }
): number {
  const used = thresholds.filter((threshold) => threshold > 0)
  const below = (slack: number): number => used.filter((threshold) => percent < threshold + slack).length
  return Math.max(below(0), Math.min(level, below(hysteresis)))
}

/** A radio is back only when it has been ready this long; a link that comes for seconds only stays lost. */
export const STEADY_MS = 60_000

/** The time for which a radio has not been ready, and for which it has. Starts at nothing with every process. */
export interface Presence {
  readonly downMs: number
  readonly upMs: number
}

/** The presence after a reading. A radio that is closed is one we closed: it says nothing. */
export function presenceAfter(
  { downMs, upMs }: Presence,
  { state, since }: RadioHealth,
  { now, elapsedMs }: { now: number; elapsedMs: number }
): Presence {
  if (state === 'closed') return { downMs, upMs }
  const inState = Math.min(elapsedMs, Math.max(0, now - since))
  if (state !== 'ready') return { downMs: downMs + (upMs > 0 ? inState : elapsedMs), upMs: 0 }
  // Ready since the last reading only: it was away in between, seen or not.
  const up = inState < elapsedMs ? inState : upMs + inState
  return { downMs: up >= STEADY_MS ? 0 : downMs + elapsedMs - inState, upMs: up }
}

/** 1 while a radio counts as lost. */
export function lostLevel(level: number, { downMs, upMs }: Presence, limitMs: number): number {
  if (downMs >= limitMs) return 1
  return upMs >= STEADY_MS ? 0 : level
}

/** The known silence of one node. */
export interface Quiet {
  /** The time it was last heard, as the radio says: epoch milliseconds, perhaps of a clock that is wrong. */
  readonly heardAt: number | null
  /** For how long nothing was heard of it although a radio listened. */
  readonly quietMs: number
  /** The number of times it was heard since it was told as silent. */
  readonly hearings: number
}

/**
 * From this limit on one sign of life is a return. Below it takes two: a node at the edge of reach, heard once in three
 * hours, would otherwise be told eight times a day.
 */
export const ONE_HEARING_MS = 12 * 3_600_000

export interface Hearing {
  now: number
  elapsedMs: number
  heardAt: number | null
  /** A radio that could hear it is ready. */
  listening: boolean
  /** The first reading of this process: of a node told as silent it may be old news in another clock's time. */
  first: boolean
}

/** The silence after a reading, and the level: 1 when it counts as silent. A node never heard never does. */
export function silenceAfter(
  quiet: Quiet,
  level: number,
  { now, elapsedMs, heardAt, listening, first, limitMs }: Hearing & { limitMs: number }
): { quiet: Quiet; level: number } {
  if (first && level > 0 && heardAt !== null) return { quiet: { ...quiet, heardAt }, level }
  if (heardAt !== null && isNews(heardAt, quiet.heardAt, now)) {
    const hearings = level === 0 ? 0 : quiet.hearings + 1
    const back = hearings >= 2 || limitMs >= ONE_HEARING_MS
    const after = back ? 0 : level
    return { quiet: { heardAt, quietMs: 0, hearings: after === 0 ? 0 : hearings }, level: after }
  }
  if (quiet.heardAt === null || !listening) return { quiet, level }
  const quietMs = quiet.quietMs + elapsedMs
  if (quietMs < limitMs) return { quiet: { ...quiet, quietMs }, level }
  return { quiet: { ...quiet, quietMs, hearings: 0 }, level: 1 }
}

/** Some nodes tell the time of their last sign of life by their own clock: of one in the future every change is news. */
function isNews(heardAt: number, before: number | null, now: number): boolean {
  return before === null || heardAt > before || (before > now && heardAt !== before)
}

/** The use of one radio's channel. */
export interface Traffic {
  /** Per cent, one each sample, the newest last. */
  readonly samples: readonly number[]
  /** For how long it has been told as busy. */
  readonly busyMs: number
}

export interface TrafficLimits {
  /** The number of samples that make an average. */
  window: number
  windowMs: number
  highPercent: number
  clearPercent: number
  sustainedMs: number
}

/** The traffic after a reading and its level: 1 busy, 2 busy for hours. Without readings nothing changes. */
export function trafficAfter(
  { samples, busyMs }: Traffic,
  level: number,
  { percent, elapsedMs, limits }: { percent: number | null; elapsedMs: number; limits: TrafficLimits }
): { traffic: Traffic; level: number; mean: number | null } {
  if (percent === null) return { traffic: { samples: [], busyMs }, level, mean: null }
  const kept = [...samples, percent].slice(-limits.window)
  if (kept.length < limits.window) return { traffic: { samples: kept, busyMs }, level, mean: null }
  const mean = kept.reduce((sum, one) => sum + one, 0) / kept.length
  if (level === 0) {
    const busy = mean > limits.highPercent
    return { traffic: { samples: kept, busyMs: busy ? limits.windowMs : 0 }, level: busy ? 1 : 0, mean }
  }
  if (mean <= limits.clearPercent) return { traffic: { samples: kept, busyMs: 0 }, level: 0, mean }
  const busy = busyMs + elapsedMs
  return { traffic: { samples: kept, busyMs: busy }, level: busy >= limits.sustainedMs ? 2 : level, mean }
}
