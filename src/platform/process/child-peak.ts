let largest = 0

/** The highest memory that was seen of a program that has ended, by whoever started it: looked at far more often than the station could. */
export function noteChildPeak(bytes: number | null): void {
  largest = Math.max(largest, bytes ?? 0)
}

/** The largest since it was asked the last time; null when nothing has ended. */
export function takeChildPeak(): number | null {
  const peak = largest
  largest = 0
  return peak === 0 ? null : peak
}
