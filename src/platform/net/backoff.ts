/**
 * Milliseconds to wait before try number `attempt` (0 is the first retry): doubles from `min` up to `max`, spread at
 * random over the upper half so that many stations do not come back together. Always within [min, max].
 */
export function backoff(
  attempt: number,
  { min, max, random }: { min: number; max: number; random: () => number }
): number {
  const ceiling = Math.min(max, min * 2 ** (Math.max(0, attempt) + 1))
  const wait = ceiling / 2 + random() * (ceiling / 2)
  return Math.round(Math.min(max, Math.max(min, wait)))
}
