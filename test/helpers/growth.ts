/** So much CPU counts as nothing: less is noise. Milliseconds. */
const NOTHING_MS = 1
const RUNS = 5

function leastMs(work: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/**
 * How many times as much CPU an input eight times as large takes, the least of five runs each: about 8 where the time grows as the
 * input does, 64 where it grows with its square. Whatever else the machine does only adds to a run, so the least is near the truth.
 */
export function growthOfEightfold<Input>(
  make: (times: number) => Input,
  read: (input: Input) => void,
  size: number
): number {
  const [small, large] = [make(size), make(size * 8)]
  read(large)
  return (
    leastMs(() => read(large)) /
    Math.max(
      NOTHING_MS,
      leastMs(() => read(small))
    )
  )
}

/** More than linear, with what a busy machine adds. */
export const MOST_GROWTH = 24
