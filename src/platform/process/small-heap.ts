import { setFlagsFromString } from 'node:v8'
import type { Clock } from '../clock/clock.ts'

/**
 * Keeps the space for young objects at its present size (V8: 1 MB at the start instead of up to 16, twice), or lets it grow as V8
 * does by itself. Small, it is under load some 25 MB less resident memory for a fifth more time spent collecting: right on a board
 * with 512 MB, wrong elsewhere. Takes effect at once; on the command line V8 raises the flag to 2.
 *
 * So small a space one thread clears in half a millisecond. V8 hands the work to several, and then waits for each that began: beside
 * other work, which takes their core, that held the loop for up to 30 ms.
 */
export function keepYoungSpaceSmall(small: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${small ? 1 : 2}`)
  setFlagsFromString(small ? '--no-parallel-scavenge' : '--parallel-scavenge')
}

/** From here on V8 makes code fast by two compilers of its own, of which the first does for us. */
const TWO_COMPILERS_SINCE = 24

/**
 * Leaves the larger of V8's optimizing compilers out, or lets it work. It is 6 MB of the program that a board then never reads from its card nor holds in
 * memory, and a storm costs the same CPU without it: the code it makes is a third faster, and making it costs as much. Before Node 24
 * it is the only one, and stays.
 */
export function leaveOutLargeCompiler(small: boolean, version: string = process.versions.node): void {
  if (Number(version.split('.')[0]) < TWO_COMPILERS_SINCE) return
  setFlagsFromString(small ? '--no-turbofan' : '--turbofan')
}

/** V8 looks each 8 s whether it may; a small board's start is not over at once. */
const GIVING_BACK_MS = 40_000

/**
 * Lets V8 give back what the start alone needed, 4 to 6 MiB of it. V8 does so by itself, in small steps, once little is allocated, but
 * judges that by its last collections: of a process that starts and then rests those of the start, for ever. For a while it is told that
 * memory counts more; its large collections are then two, of up to 12 ms each at their end, which is why this does not stay.
 */
export function giveBackAfterStart(clock: Pick<Clock, 'after'>): () => void {
  setFlagsFromString('--optimize-for-size')
  return clock.after(GIVING_BACK_MS, () => setFlagsFromString('--no-optimize-for-size'))
}

/**
 * V8 forgets the shape of objects of which none lived at two large collections, and with it all code that was made for it: what a
 * storm had made fast was slow again after a quiet hour, and each compiling cost more than what it ran. A shape has some hundred bytes.
 */
const KEPT_COLLECTIONS = 100

/** Keeps the shapes of objects over so many large collections. Takes effect at once, for the shapes of later objects. */
export function keepShapes(): void {
  setFlagsFromString(`--retain-maps-for-n-gc=${KEPT_COLLECTIONS}`)
}
