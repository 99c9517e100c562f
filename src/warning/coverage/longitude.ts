/** Longitudes count modulo 360 (geometry semantics, rule 2). Everything here is in degrees. */

/** Beyond any real number of turns: precision is gone, so only the remainder is kept. */
const FAR = 1e6
/** Decimals a shifted longitude is rounded to: 179.99 there and back is 179.99 again, so that shared vertices still touch. */
const DECIMALS = 1e12

/** `x + by` for a `by` that is a multiple of 360. Equal places stay equal; without a shift the number is untouched. */
export function shiftLongitude(x: number, by: number): number {
  return by === 0 ? x : Math.round((x + by) * DECIMALS) / DECIMALS
}

/** The multiple of 360 that brings a longitude into [-180, 180). */
export function turnsToNormal(x: number): number {
  if (x >= -180 && x < 180) return 0
  return -360 * Math.floor((x + 180) / 360)
}

/** The longitude without turns beyond reckoning; ordinary ones are untouched. */
export function nearLongitude(x: number): number {
  return Math.abs(x) > FAR ? x % 360 : x
}

/** The longitude in [-180, 180). */
export function normalLongitude(x: number): number {
  const near = nearLongitude(x)
  return shiftLongitude(near, turnsToNormal(near))
}

/** The turns to add to `x` and what follows, so that the step from `previous` is the short way; exactly 180 stays as drawn. */
export function turnsOfStep(previous: number, x: number): number {
  const step = x - previous
  return step > 180 || step < -180 ? -360 * Math.round(step / 360) : 0
}
