import { closeSync, openSync, readSync } from 'node:fs'

/** The time of `reference` on the machine of docs/measurements.md. Milliseconds. */
const REFERENCE_MS = 2.65

const buffer = Buffer.alloc(64)

/**
 * CPU of this thread alone: neither another thread, another program nor a machine that stands still counts. The kernel brings its
 * count up to date when it is asked for the usage of the process; where it keeps none, that of the whole process stands for it.
 */
class ThreadClock {
  readonly #file = process.platform === 'linux' ? openSync(`/proc/self/task/${process.pid}/schedstat`, 'r') : null

  ms(): number {
    const { user, system } = process.cpuUsage()
    if (this.#file === null) return (user + system) / 1000
    const read = readSync(this.#file, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, read).split(' ')[0]) / 1e6
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
  }
}

/** The longest time for which work holds this thread: CPU between two turns of the loop, an upper limit of its longest step. */
export class StepMeter {
  readonly #clock = new ThreadClock()

  /** The longest step of this work, milliseconds of CPU, with how many turns there were. */
  async longest(work: () => Promise<unknown>): Promise<{ ms: number; turns: number }> {
    let [over, longest, turns] = [false, 0, 0]
    let before = this.#clock.ms()
    const turn = (): void => {
      const now = this.#clock.ms()
      longest = Math.max(longest, now - before)
      before = now
      turns++
      if (!over) setImmediate(turn)
    }
    setImmediate(turn)
    try {
      await work()
    } finally {
      over = true
    }
    await new Promise((resolve) => setImmediate(resolve))
    return { ms: longest, turns }
  }

  /** The present slowness against the machine of docs/measurements.md: the least of some tries. */
  slowness(): number {
    const costs = Array.from({ length: 12 }, () => {
      const begun = this.#clock.ms()
      reference()
      return this.#clock.ms() - begun
    })
    return Math.min(...costs) / REFERENCE_MS
  }

  close(): void {
    this.#clock.close()
  }
}

const sample = Array.from({ length: 400 }, (_, n) => ({
  id: `reference-${n}`,
  title: `Flood Warning ${n} for the middle fork`,
  at: 1_782_907_200_000 + n,
  places: Array.from({ length: 12 }, (_, k) => [-114 + Math.sin(n + k), 43 + Math.cos(n + k)])
}))

/** A fixed piece of what the program mostly does: it writes, reads and sorts JSON. */
function reference(): void {
  const read = JSON.parse(JSON.stringify(sample)) as typeof sample
  read.sort((a, b) => (b.places[0]?.[0] ?? 0) - (a.places[0]?.[0] ?? 0))
}
