/** Milliseconds of work between two turns of whoever else waits. */
const SLICE_MS = 12
/** On a machine that others use meanwhile, by the clock on the wall; a step may have 25 (contract §6, *Warnings before work*). */
const SHARED_MS = 18

/** The clock on the wall and the time this process has had of the cores, in milliseconds. */
export interface Watches {
  wall: () => number
  cpu: () => number
}

const own: Watches = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/**
 * Begins a slice of 12 ms; the answer is true once they are over. Whoever got half a core has half of the slice's work done by then:
 * it goes on for its work, not beyond 18 ms.
 */
export function beginSlice(watches: Watches = own): () => boolean {
  const begun = watches.wall()
  const worked = watches.cpu()
  return () => {
    const took = watches.wall() - begun
    if (took < SLICE_MS || took >= SHARED_MS) return took >= SLICE_MS
    return watches.cpu() - worked >= SLICE_MS
  }
}
