const FARTHEST = 2

/** The candidate at most two typing slips (insert, drop, swap or change of a letter) away from `word`, or null. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  let bestSlips = FARTHEST + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > FARTHEST) continue
    const slips = distance(word.toLowerCase(), candidate.toLowerCase())
    // Two slips make any other word out of one of two letters.
    if (slips < bestSlips && slips < word.length) {
      best = candidate
      bestSlips = slips
    }
  }
  return best
}

/** Optimal string alignment distance. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
