import { Chance } from './fuzz-chance.ts'
import { Broken, type Parser, shownInput, sizeOf } from './fuzz-parser.ts'
import { MOST_FAULTS } from './fuzz-state.ts'

/** Tries one parser: broken inputs by the thousand, then inputs that grow, whose time must grow no faster than they do. */

export interface Try {
  seed: number
  /** Number of the first case. */
  from: number
  cases: number
  /** Of CPU, after which no further case is begun. */
  seconds: number | null
  pumps: number
  /** Told with the number of every case, before it. */
  begin(nth: number): void
}

export interface Dearest {
  ms: number
  bytes: number
  shown: string
}

export interface Outcome {
  name: string
  cases: number
  seconds: number
  refused: number
  /** The dearest of the broken inputs, and of those that grew to the full size. */
  dearest: Dearest
  grown: Dearest
  /** One line each, the first of each kind. */
  faults: string[]
}

/** So much more than linear a time may grow: what is measured on a busy machine is not exact. */
const MOST_GROWTH = 3
/** The same power of the length over the last doubling (8 to 24 times is 2 to 2.88): what leaves the caches, or gets pages of its own, costs a step once, and is linear again behind it. */
const MOST_DOUBLING = 2.88
const TIMES_LARGER = 8
/** Below this no growth is judged. Milliseconds of CPU. */
const TOO_SHORT_MS = 12
const CONFIRMING_RUNS = 16
/** Runs of the small input that pass a large one at once, where even a half of their least CPU would. */
const PASSING_RUNS = 3
const SURE = 2
/** Any input of at most 64 kB: no more CPU than this, on a machine ten times slower than that of the measurements. Milliseconds. */
const MOST_MS = 2000
const LARGEST = 64 * 1024
/** Cases between two looks at the time. */
const LOOK_AFTER = 64

const NOTHING: Dearest = { ms: 0, bytes: 0, shown: '' }

/** Number of the first input that grows. */
const PUMPS_FROM = 1_000_000_000

/** The input of a case, by its number. */
export function inputOf(parser: Parser, seed: number, nth: number): string | Uint8Array {
  const chance = Chance.of(parser.name, seed, nth)
  return nth < PUMPS_FROM ? parser.broken(chance) : parser.pump(chance)(Math.min(parser.most, LARGEST))
}

export async function tryParser(parser: Parser, wanted: Try): Promise<Outcome> {
  const trial = new Trial(parser)
  const started = process.cpuUsage()
  const most = wanted.seconds ?? Number.POSITIVE_INFINITY
  let done = 0
  let seconds = 0
  while (done < wanted.cases && !trial.isFull && seconds < most) {
    const nth = wanted.from + done
    wanted.begin(nth)
    await trial.one(inputOf(parser, wanted.seed, nth), `case ${nth}`)
    done++
    if (done % LOOK_AFTER === 0) seconds = secondsSince(started)
  }
  seconds = secondsSince(started)
  for (let nth = PUMPS_FROM; nth < PUMPS_FROM + wanted.pumps && !trial.isFull; nth++) {
    wanted.begin(nth)
    await trial.grow(parser.pump(Chance.of(parser.name, wanted.seed, nth)), `case ${nth}`)
  }
  return { name: parser.name, cases: done, seconds, ...trial.found }
}

function secondsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1e6
}

/** Things that stand on the prototypes of this process. */
const prototypeKeys = (): number =>
  [Object, Array, String].reduce((sum, { prototype }) => sum + Reflect.ownKeys(prototype).length, 0)
const PROTOTYPE_KEYS = prototypeKeys()

class Trial {
  readonly #parser: Parser
  readonly #faults = new Map<string, string>()
  #refused = 0
  #dearest = NOTHING
  #grown = NOTHING

  constructor(parser: Parser) {
    this.#parser = parser
  }

  get isFull(): boolean {
    return this.#faults.size >= MOST_FAULTS
  }

  get found(): Pick<Outcome, 'refused' | 'dearest' | 'grown' | 'faults'> {
    const faults = [...this.#faults.values()]
    return { refused: this.#refused, dearest: this.#dearest, grown: this.#grown, faults }
  }

  async one(input: string | Uint8Array, where: string): Promise<void> {
    const before = performance.now()
    if (await this.#read(input, where)) this.#refused++
    const ms = performance.now() - before
    if (ms <= this.#dearest.ms) return
    const sure = Math.min(ms, await this.#leastMs(input, 2))
    if (sure > this.#dearest.ms) this.#dearest = { ms: sure, bytes: sizeOf(input), shown: shownInput(input) }
  }

  async grow(pump: (size: number) => string | Uint8Array, where: string): Promise<void> {
    const most = Math.min(this.#parser.most, LARGEST)
    const large = pump(most)
    const ms = await this.#leastMs(large, 1, where)
    if (ms > this.#grown.ms) this.#grown = { ms, bytes: sizeOf(large), shown: shownInput(large) }
    if (ms < TOO_SHORT_MS) return
    const small = pump(Math.ceil(most / TIMES_LARGER))
    const ratio = sizeOf(large) / Math.max(1, sizeOf(small))
    const limitOf = (least: number): number => MOST_GROWTH * ratio * Math.max(least, 0.05)
    if (ms <= MOST_MS && ms * SURE <= limitOf(await this.#leastMs(small, PASSING_RUNS))) return
    const [least, most1] = [await this.#leastMs(small, CONFIRMING_RUNS), await this.#leastMs(large, CONFIRMING_RUNS)]
    const told = `${where}: ${sizeOf(small)} bytes ${least.toFixed(2)} ms, ${sizeOf(large)} bytes ${most1.toFixed(1)} ms of CPU: ${shownInput(large)}`
    if (most1 > MOST_MS) this.#fault('too dear', told)
    if (most1 <= TOO_SHORT_MS || most1 <= limitOf(least)) return
    const half = await this.#leastMs(pump(Math.ceil(most / 2)), CONFIRMING_RUNS)
    if (most1 > MOST_DOUBLING * half) this.#fault('grows faster than its input', told)
  }

  /** True when the input was refused. */
  async #read(input: string | Uint8Array, where: string): Promise<boolean> {
    let refused = false
    try {
      const reading = this.#parser.run(input)
      if (reading instanceof Promise) await reading
    } catch (error) {
      if (!(error instanceof Broken) && this.#parser.refuses(error)) refused = true
      else this.#fault(kindOf(error), `${where}: ${traceOf(error)}\n      ${shownInput(input)}`)
    }
    if (prototypeKeys() !== PROTOTYPE_KEYS) this.#fault('a prototype has changed', `${where}: ${shownInput(input)}`)
    return refused
  }

  #fault(kind: string, told: string): void {
    if (!this.#faults.has(kind)) this.#faults.set(kind, `${kind}: ${told}`)
  }

  /** The least CPU of some runs: what the machine does besides only adds to it. */
  async #leastMs(input: string | Uint8Array, runs: number, where = 'again'): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let run = 0; run < runs; run++) {
      const before = process.cpuUsage()
      await this.#read(input, where)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / 1000)
    }
    return least
  }
}

/** Faults of one kind are told once: by their words without figures. */
const kindOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replace(/\d+/g, 'N').slice(0, 120)

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return (error.stack ?? error.message)
    .split('\n')
    .slice(1, 4)
    .map((line) => line.trim())
    .join(' ')
}
