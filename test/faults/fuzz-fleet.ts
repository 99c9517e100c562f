import { fork } from 'node:child_process'
import type { Outcome } from './fuzz-run.ts'
import { nextSlice, type Slice, type State, type Tried, together, writeState } from './fuzz-state.ts'

/** The long run: slices of all parsers on some processes, each slice kept in the file as soon as it is done. */

export interface Fleet {
  file: string
  state: State
  /** Of each parser that is to be tried, by its name. */
  builds: Readonly<Record<string, string>>
  processes: number
  pumps: number
  onSlice(slice: Slice, all: Outcome): void
}

/** Ends when every parser has had its cases. */
export async function runFleet(fleet: Fleet): Promise<void> {
  const busy = new Set<string>()
  const crew = Array.from({ length: fleet.processes }, async () => {
    for (let slice = nextOf(fleet, busy); slice !== null; slice = nextOf(fleet, busy)) {
      busy.add(slice.name)
      const outcome = await inProcess(slice, fleet.state.seed)
      const tried: Tried = { ...outcome, build: fleet.builds[slice.name] ?? '' }
      const all = together(fleet.state.parsers[slice.name], tried)
      fleet.state.parsers[slice.name] = all
      writeState(fleet.file, fleet.state)
      busy.delete(slice.name)
      fleet.onSlice(slice, all)
    }
  })
  await Promise.all(crew)
}

const nextOf = ({ state, builds, pumps }: Fleet, busy: ReadonlySet<string>): Slice | null =>
  nextSlice(state, Object.keys(builds), { busy, pumps })

/** An interruption costs no more than this. Seconds of CPU. */
const SLICE_SECONDS = 120

/** A process of its own for each slice: what a parser leaves in memory slows no other down. */
function inProcess({ name, from, cases, pumps }: Slice, seed: number): Promise<Outcome> {
  const given = { seed, from, cases, pumps, seconds: SLICE_SECONDS }
  const numbers = Object.entries(given).flatMap(([key, value]) => [`--${key}`, String(value)])
  const child = fork(process.argv[1] ?? '', [...numbers, '--only', name], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  return new Promise((resolve, reject) => {
    let outcome: Outcome | null = null
    child.on('message', (message) => {
      outcome = message as Outcome
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (outcome !== null) resolve(outcome)
      else resolve(died({ name, from, cases, pumps }, signal ?? `exit code ${code}`))
    })
  })
}

/** A process that ends without a word: the memory ran out, or an error came after the parser had answered. */
function died({ name, from, cases }: Slice, why: string): Outcome {
  const nothing = { ms: 0, bytes: 0, shown: '' }
  const faults = [`its process ended (${why}): case ${from} or one of the ${cases} from there on`]
  return { name, cases, seconds: 0, refused: 0, dearest: nothing, grown: nothing, faults }
}
