import { parseArgs } from 'node:util'
import { isMainThread, workerData } from 'node:worker_threads'
import { buildsOf } from './fuzz-build.ts'
import { runFleet } from './fuzz-fleet.ts'
import type { Parser } from './fuzz-parser.ts'
import { everyParser } from './fuzz-parsers.ts'
import type { Outcome } from './fuzz-run.ts'
import { removeScratch } from './fuzz-scratch.ts'
import { readState } from './fuzz-state.ts'
import { runInThread } from './fuzz-thread.ts'
import { type Work, work } from './fuzz-worker.ts'

const HELP = `usage: fuzz [--seed N] [--cases N] [--seconds N] [--pumps N] [--only NAME[,NAME]] [--list]
       fuzz --state FILE [--processes N] [--seed N] [--cases N] [--table]

Every parser of outside bytes, given broken inputs: it may refuse them by its typed error and nothing else, comes back, keeps its
promises, and takes no more time than the size of the input lets expect.
  --seed N      of the inputs; default: one that is printed, with --state 1. The same seed and number give the same input
  --cases N     of each parser; default 1000000
  --from N      number of the first case; default 0
  --seconds N   of CPU at most for each parser, which then has fewer cases
  --pumps N     inputs of each parser that grow to 64 kB; default 2000. Their numbers begin at 1000000000
  --only NAME   these parsers; a name may end in *
  --state FILE  keeps there what is done, so that the same command goes on after an interruption; a parser whose
                own code has changed since begins anew
  --processes N that share the work; default 2
  --table       prints what the file tells, and does nothing
  --json        every outcome as a line of JSON, as the file has them
  --inputs      tells the dearest inputs too
  --list        names the parsers, and the files and functions that each holds
`
interface Options extends Omit<Work, 'place' | 'names'> {
  parsers: readonly Parser[]
  state: string | null
  processes: number
  isTable: boolean
  shown: 'list' | 'json' | 'inputs' | 'plain'
}

const whole = (text: string, name: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`)
  return value
}

const FLAGS = ['list', 'json', 'inputs'] as const

async function optionsOf(): Promise<Options | null> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      cases: { type: 'string', default: '1000000' },
      from: { type: 'string', default: '0' },
      seconds: { type: 'string' },
      pumps: { type: 'string', default: '2000' },
      only: { type: 'string' },
      state: { type: 'string' },
      processes: { type: 'string', default: '2' },
      list: { type: 'boolean' },
      table: { type: 'boolean' },
      json: { type: 'boolean' },
      inputs: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help === true) return null
  const wanted = values.only?.split(',') ?? ['*']
  const fits = ({ name }: Parser): boolean =>
    wanted.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
  const parsers = (await everyParser()).filter(fits)
  if (parsers.length === 0) throw new Error('no such parser: --list names them')
  const seed = values.seed ?? (values.state === undefined ? String(Date.now() % 1_000_000) : '1')
  return {
    parsers,
    seed: whole(seed, 'seed'),
    cases: whole(values.cases, 'cases'),
    from: whole(values.from, 'from'),
    seconds: values.seconds === undefined ? null : whole(values.seconds, 'seconds'),
    pumps: whole(values.pumps, 'pumps'),
    state: values.state ?? null,
    processes: Math.max(1, whole(values.processes, 'processes')),
    isTable: values.table === true,
    shown: FLAGS.find((flag) => values[flag] === true) ?? 'plain'
  }
}

function tell(outcome: Outcome, shown: Options['shown']): void {
  const { name, cases, seconds, refused, dearest, grown, faults } = outcome
  if (shown === 'json') {
    console.log(JSON.stringify(outcome))
    return
  }
  const rate = seconds === 0 ? 0 : Math.round(cases / seconds)
  const row = [
    name.padEnd(20),
    String(cases).padStart(9),
    `${rate}/s`.padStart(10),
    `${Math.round((100 * refused) / Math.max(1, cases))} %`.padStart(6),
    `${dearest.ms.toFixed(2)} ms`.padStart(11),
    `${dearest.bytes} B`.padStart(9),
    `${grown.ms.toFixed(1)} ms`.padStart(10),
    `${grown.bytes} B`.padStart(8)
  ]
  console.log(`${faults.length === 0 ? 'ok    ' : 'not ok'} ${row.join(' ')}`)
  for (const fault of faults) console.log(`    ${fault}`)
  if (shown === 'inputs') console.log(`    dearest: ${dearest.shown}\n    grown:   ${grown.shown}`)
}

const heading = (seed: number): void =>
  console.log(`fuzz, seed ${seed}: parser, cases, cases a second of CPU, refused, dearest case, dearest that grew`)

async function longRun(options: Options, file: string): Promise<number> {
  const { seed, cases, parsers, processes, pumps, shown, isTable } = options
  const builds = await buildsOf(parsers)
  const state = readState(file, { seed, cases, builds })
  const names = Object.keys(builds)
  if (!isTable) {
    let done = 0
    const onSlice = ({ name }: { name: string }, all: Outcome): void => {
      done++
      const whole = names.filter((one) => (state.parsers[one]?.cases ?? 0) >= cases).length
      console.log(
        `slice ${done}: ${name} has ${all.cases}, ${all.faults.length} faults; ${whole} of ${names.length} done`
      )
    }
    await runFleet({ file, state, builds, processes, pumps, onSlice })
  }
  if (shown !== 'json') heading(seed)
  const outcomes = names.flatMap((name) => state.parsers[name] ?? [])
  for (const outcome of outcomes) tell(outcome, shown)
  const good = outcomes.filter((one) => one.faults.length === 0 && one.cases >= cases).length
  if (shown !== 'json') console.log(`${good} passed, ${names.length - good} failed`)
  return good === names.length ? 0 : 1
}

async function main(): Promise<number> {
  const options = await optionsOf()
  if (options === null) {
    process.stdout.write(HELP)
    return 0
  }
  const { parsers, shown, isTable, state, processes, ...rest } = options
  if (shown === 'list') {
    for (const { name, covers, most } of parsers) console.log(`${name} (to ${most} bytes)\n  ${covers.join('\n  ')}`)
    return 0
  }
  if (state !== null) return await longRun(options, state)
  if (isTable) throw new Error('--table is of a --state')
  heading(options.seed)
  const outcomes: Outcome[] = []
  await runInThread(parsers, rest, (outcome) => {
    outcomes.push(outcome)
    tell(outcome, shown)
    process.send?.(outcome)
  })
  process.disconnect?.()
  const good = outcomes.filter(({ faults }) => faults.length === 0).length
  console.log(`${good} passed, ${parsers.length - good} failed`)
  return good === parsers.length ? 0 : 1
}

if (isMainThread) process.exitCode = await main().finally(removeScratch)
else await work(workerData as Work)
