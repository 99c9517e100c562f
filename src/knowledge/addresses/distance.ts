/**
 * Damerau–Levenshtein distance (optimal string alignment): changes, insertions, removals and swapped neighbours. Answers
 * `most + 1` as soon as it is certain to be more than `most`.
 */
export function distance(a: string, b: string, most: number): number {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = nextRow(a, b, { row, above, before })
    if (Math.min(...current) > most) return most + 1
    before = above
    above = current
  }
  return Math.min(above[b.length] ?? 0, most + 1)
}

function nextRow(
  a: string,
  b: string,
  { row, above, before }: { row: number; above: readonly number[]; before: readonly number[] }
): number[] {
  const current = [row]
  for (let column = 1; column <= b.length; column++) {
    const cost = a[row - 1] === b[column - 1] ? 0 : 1
    let least = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + cost)
    const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
    if (swapped) least = Math.min(least, (before[column - 2] ?? 0) + 1)
    current.push(least)
  }
  return current
}

/** The number of typing errors that a word of this length may have: in short words one error makes another word. */
export function allowedErrors(length: number): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}
