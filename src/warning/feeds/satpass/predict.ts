import { because, type Reason } from '../../../model/reason.ts'
import { paced, Slices } from '../../../platform/clock/slices.ts'
import type { SkippedItem } from '../feed.ts'
import { tooOld } from './elements.ts'
import type { Elements } from './mean-elements.ts'
import { trackOf } from './orbit.ts'
import { type Pass, searchPasses, type Window } from './passes.ts'
import type { Observer } from './settings.ts'

/** A pass of a satellite over an observer. */
export interface ObservedPass extends Pass {
  satellite: Elements
  observer: Observer
}

export interface PredictRequest {
  elements: readonly Elements[]
  observers: readonly Observer[]
  /** Epoch milliseconds: passes that rise from `from` on and before `to`. */
  from: number
  to: number
  /** Degrees, for observers without one of their own. */
  minElevation: number
  maxAgeDays: number
}

export interface Prediction {
  /** In order of their rise. */
  passes: ObservedPass[]
  /** Satellites that are left out, and why: old elements, a decayed orbit. */
  unusable: SkippedItem[]
}

/** Predicts in one go: fine for a few satellites. Satellites that fly docked together count once. */
export function predict(request: PredictRequest): Prediction {
  const work = predictInSteps(request)
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/**
 * The same in slices of about 10 ms, so that radios and pages are served in between; of several at once one has its turn at a
 * time. With a `pause` it decides when the work goes on. Rejects when `signal` is aborted.
 */
export async function predictInSlices(
  request: PredictRequest,
  signal?: AbortSignal,
  pause?: () => Promise<void>
): Promise<Prediction> {
  const slices = new Slices()
  return paced(predictInSteps(request), async () => {
    await (pause === undefined ? slices.pause() : pause())
    signal?.throwIfAborted()
  })
}

function* predictInSteps(request: PredictRequest): Generator<void, Prediction> {
  const passes: ObservedPass[] = []
  const unusable: SkippedItem[] = []
  const middle = (request.from + request.to) / 2
  for (const satellite of request.elements) {
    const reason = tooOld(satellite, middle, request.maxAgeDays) ?? whyDown(satellite, request)
    if (reason !== null) unusable.push({ id: satellite.name, reason })
    else for (const observer of request.observers) passes.push(...(yield* observed(satellite, observer, request)))
    yield
  }
  return { passes: withoutDocked(passes).sort((a, b) => a.rise - b.rise), unusable }
}

/** SGP4 says itself where an orbit has ended. */
function whyDown(satellite: Elements, { from, to }: PredictRequest): Reason | null {
  const track = trackOf(satellite, { lat: 0, lon: 0, elevation_m: 0 })
  if (track.look(from) === null) return because('has_decayed')
  return track.look(to) === null ? because('will_decay') : null
}

function* observed(
  satellite: Elements,
  observer: Observer,
  { from, to, minElevation }: PredictRequest
): Generator<void, ObservedPass[]> {
  const window: Window = { from, to, minElevation: observer.min_elevation ?? minElevation }
  const found: ObservedPass[] = []
  for (const pass of searchPasses(trackOf(satellite, observer), window)) {
    if (pass === null) yield
    else found.push({ ...pass, satellite, observer })
  }
  return found
}

const DOCKED_MS = 15_000
const DOCKED_DEGREES = 1

/** The modules of a space station have elements each: the lowest catalogue number stands for all. */
function withoutDocked(passes: readonly ObservedPass[]): ObservedPass[] {
  const byNumber = [...passes].sort((a, b) => a.satellite.number - b.satellite.number)
  const kept = new Map<Observer, ObservedPass[]>()
  for (const pass of byNumber) {
    const others = kept.get(pass.observer) ?? []
    if (!others.some((other) => isDocked(pass, other))) kept.set(pass.observer, [...others, pass])
  }
  return [...kept.values()].flat()
}

function isDocked(one: ObservedPass, other: ObservedPass): boolean {
  return (
    Math.abs(one.rise - other.rise) < DOCKED_MS &&
    Math.abs(one.set - other.set) < DOCKED_MS &&
    Math.abs(one.maxElevation - other.maxElevation) < DOCKED_DEGREES &&
    Math.abs(one.satellite.meanMotion - other.satellite.meanMotion) < 0.05
  )
}

/** Of passes that rise within `spacingMs` of each other over one observer, the highest; in order of their rise. */
export function highestOfNear(passes: readonly ObservedPass[], spacingMs: number): ObservedPass[] {
  const kept: ObservedPass[] = []
  for (const pass of [...passes].sort((a, b) => b.maxElevation - a.maxElevation || a.rise - b.rise)) {
    const near = kept.some(
      ({ observer, rise }) => observer.name === pass.observer.name && Math.abs(rise - pass.rise) < spacingMs
    )
    if (!near) kept.push(pass)
  }
  return kept.sort((a, b) => a.rise - b.rise)
}
