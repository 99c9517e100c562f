import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** The time of `reference` on the machine of docs/measurements.md. Milliseconds. */
const REFERENCE_MS = 2.65

const buffer = Buffer.alloc(64)
const ofThread: (() => NodeJS.CpuUsage) | undefined = Reflect.get(process, 'threadCpuUsage')
const usage = (): NodeJS.CpuUsage => ofThread?.() ?? process.cpuUsage()

/**
 * CPU of this thread alone: neither another thread, another program nor a machine that stands still counts. The kernel brings its
 * count up to date when it is asked for the usage of the process; elsewhere Node tells it (from 23.9 on), or that of the whole process
 * stands for it.
 */
class ThreadClock {
  readonly #file = process.platform === 'linux' ? openSync(`/proc/self/task/${process.pid}/schedstat`, 'r') : null

  ms(): number {
    const { user, system } = this.#file === null ? usage() : process.cpuUsage()
    if (this.#file === null) return (user + system) / 1000
    const read = readSync(this.#file, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, read).split(' ')[0]) / 1e6
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
  }
}

/** Clock ticks of `/proc/stat` are hundredths of a second (Linux `USER_HZ`). Milliseconds. */
const TICK_MS = 10

/** The time this thread waited for a processor, and the time the machine as a whole was kept waiting by its host. Milliseconds. */
function waitedMs(): number {
  if (process.platform !== 'linux') return 0
  const [, queued = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')
  const [, , , , , , , , stolen = '0'] = (readFileSync('/proc/stat', 'latin1').split('\n', 1)[0] ?? '').split(/ +/)
  return Number(queued) / 1e6 + Number(stolen) * TICK_MS
}

/** The longest time for which work holds this thread: CPU between two turns of the loop, an upper limit of its longest step. */
export class StepMeter {
  readonly #clock = new ThreadClock()
  #begun = { slowness: 1, waited: 0, at: 0 }

  /** The steps from here on are judged together. */
  begin(): void {
    this.#begun = { slowness: this.#slowness(), waited: waitedMs(), at: performance.now() }
  }

  /**
   * The limit for steps measured since `begin`: `most`, milliseconds on the machine of docs/measurements.md, as long as it takes
   * on this one; with a reason to print. Waiting for a processor is told and changes nothing: it is no CPU of this thread.
   */
  limit(most: number): { ms: number; why: string } {
    const slowness = Math.max(this.#begun.slowness, this.#slowness())
    const share = (waitedMs() - this.#begun.waited) / Math.max(1, performance.now() - this.#begun.at)
    // The promise is one of milliseconds: a faster machine is not held to fewer.
    const ms = most * Math.max(1, slowness)
    return {
      ms,
      why: `limit ${ms.toFixed(1)} at slowness ${slowness.toFixed(2)}, waiting ${(100 * share).toFixed(0)} %`
    }
  }

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
  #slowness(): number {
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

/** A fixed piece of what the program mostly does: it writes, reads and sorts JSON. 2.65 ms on the machine of docs/measurements.md. */
export function reference(): void {
  const read = JSON.parse(JSON.stringify(sample)) as typeof sample
  read.sort((a, b) => (b.places[0]?.[0] ?? 0) - (a.places[0]?.[0] ?? 0))
}
