/** The common part of every part of `npm run bench`: its folder, its statistics, and the row it answers. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One line of the table. Without `ok` it is a figure nobody promised. */
export interface Row {
  what: string
  value: number | string
  unit: string
  target?: string
  ok?: boolean
}

/** A row with an upper limit. */
export function atMost(what: string, value: number, unit: string, limit: number): Row {
  return { what, value, unit, target: `<= ${limit} ${unit}`, ok: value <= limit }
}

/** A row with a lower limit. */
export function atLeast(what: string, value: number, unit: string, limit: number): Row {
  return { what, value, unit, target: `>= ${limit} ${unit}`, ok: value >= limit }
}

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Gives `work` a folder beside the program: the system's temporary folder may be memory, where an fsync costs nothing. */
export async function inBenchFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const parent = join(root, 'node_modules/.cache/lookout-bench')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'run-'))
  // The program's own timers do not keep a process alive.
  const hold = setInterval(() => undefined, 3_600_000)
  try {
    await work(folder)
  } finally {
    clearInterval(hold)
    rmSync(folder, { recursive: true, force: true })
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** V8 gives emptied pages back beside the program, a moment after collecting; without the pause they would count at random. */
const GIVE_BACK_MS = 300

/** MiB in use after collecting what nobody needs. */
export async function memoryInUse(): Promise<{ heap: number; rss: number }> {
  for (let round = 0; round < 2; round++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, GIVE_BACK_MS))
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20 }
}

/** Hands the rows to `bench.js`. */
export function answer(rows: readonly Row[]): void {
  process.stdout.write(`${JSON.stringify(rows)}\n`)
}
