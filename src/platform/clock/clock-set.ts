/** Nobody has run this program before: a clock that shows less was never set. */
const BEFORE_US = Date.UTC(2025, 0, 1)

/** False while the clock shows a time before this program existed: as a board without a battery does until it is told the time. */
export const isClockSet = (now: number): boolean => now >= BEFORE_US

/** The first time that a clock which was set can show, epoch milliseconds. */
export const FIRST_SET_MS = BEFORE_US

/** Clocks that nobody set begin in 1970, or in 1980 those of GPS: what they show before this is no time. Epoch milliseconds. */
export const FIRST_TIME_MS = Date.UTC(1981, 0, 1)
