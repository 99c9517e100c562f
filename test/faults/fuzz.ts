import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { shownInput } from './fuzz-parser.ts'
import { everyParser } from './fuzz-parsers.ts'
import { inputOf, type Outcome } from './fuzz-run.ts'
import { type Told, type Work, work } from './fuzz-worker.ts'

const HELP = `usage: fuzz [--seed N] [--cases N] [--seconds N] [--pumps N] [--only NAME[,NAME]] [--list]

Every parser of outside bytes, given broken inputs: it may refuse them by its typed error and nothing else, comes back, keeps its
promises, and takes no more time than the size of the input lets expect.
  --seed N     of the inputs; default: one that is printed. The same seed and number give the same input
  --cases N    of each parser; default 1000000
  --seconds N  of CPU at most for each parser, which then has fewer cases
  --pumps N    inputs of each parser that grow to 64 kB; default 2000
  --only NAME  these parsers; a name may end in *
  --inputs     tells the dearest inputs too
  --list       names the parsers, and the files and functions that each holds
`
/** A parser that took so much CPU over one input has not come back. */
const HUNG_CPU_MS = 60_000
const LOOK_MS = 500
/** Looks in a row at which nothing moved and nothing worked: it waits for what never comes. */
const MOST_IDLE = 20
const IDLE_CPU_MS = 20

interface Options extends Omit<Work, 'place'> {
  list: boolean
  inputs: boolean
}

const whole = (text: string, name: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`)
  return value
}

async function optionsOf(): Promise<Options | null> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      cases: { type: 'string', default: '1000000' },
      seconds: { type: 'string' },
      pumps: { type: 'string', default: '2000' },
      only: { type: 'string' },
      list: { type: 'boolean', default: false },
      inputs: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) return null
  const wanted = values.only?.split(',') ?? ['*']
  const fits = (name: string): boolean =>
    wanted.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
  const names = (await everyParser()).map(({ name }) => name).filter(fits)
  if (names.length === 0) throw new Error('no such parser: --list names them')
  return {
    names,
    seed: whole(values.seed ?? String(Date.now() % 1_000_000), 'seed'),
    cases: whole(values.cases, 'cases'),
    seconds: values.seconds === undefined ? null : whole(values.seconds, 'seconds'),
    pumps: whole(values.pumps, 'pumps'),
    list: values.list,
    inputs: values.inputs
  }
}

/** Runs the parsers in a thread; one that hangs ends the thread, and is a fault of that case. */
function run(options: Options, onOutcome: (outcome: Outcome) => void): Promise<{ hung: string | null }> {
  const place = new SharedArrayBuffer(8)
  const told = new Int32Array(place)
  const worker = new Worker(process.argv[1] ?? '', { workerData: { ...options, place } })
  return new Promise((resolve, reject) => {
    let at = ''
    let since = process.cpuUsage()
    let before = since
    let idle = 0
    const watch = setInterval(() => {
      const here = `${Atomics.load(told, 0)} ${Atomics.load(told, 1)}`
      const look = process.cpuUsage()
      idle = here === at && msBetween(before, look) < IDLE_CPU_MS ? idle + 1 : 0
      before = look
      if (here !== at) since = look
      at = here
      if (msBetween(since, look) > HUNG_CPU_MS || idle > MOST_IDLE) end(here)
    }, LOOK_MS)
    const end = (hung: string | null): void => {
      clearInterval(watch)
      void worker.terminate().then(() => resolve({ hung }))
    }
    worker.on('message', (message: Told) => {
      if (message.kind === 'outcome') onOutcome(message.outcome)
      else end(null)
    })
    worker.once('error', (error) => {
      clearInterval(watch)
      reject(error)
    })
  })
}

const msBetween = (before: NodeJS.CpuUsage, after: NodeJS.CpuUsage): number =>
  (after.user + after.system - before.user - before.system) / 1000

function tell({ name, cases, seconds, refused, dearest, grown, faults }: Outcome, isInputShown: boolean): void {
  const rate = seconds === 0 ? 0 : Math.round(cases / seconds)
  const row = [
    name.padEnd(18),
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
  if (isInputShown) console.log(`    dearest: ${dearest.shown}\n    grown:   ${grown.shown}`)
}

async function main(): Promise<number> {
  const options = await optionsOf()
  if (options === null) {
    process.stdout.write(HELP)
    return 0
  }
  const parsers = (await everyParser()).filter(({ name }) => options.names.includes(name))
  if (options.list) {
    for (const { name, covers, most } of parsers) console.log(`${name} (to ${most} bytes)\n  ${covers.join('\n  ')}`)
    return 0
  }
  console.log(
    `fuzz, seed ${options.seed}: parser, cases, cases a second of CPU, refused, dearest case, dearest that grew`
  )
  let passed = 0
  let failed = 0
  const { hung } = await run(options, (outcome) => {
    tell(outcome, options.inputs)
    if (outcome.faults.length === 0) passed++
    else failed++
  })
  if (hung !== null) {
    failed++
    const [nth = 0, at = 0] = hung.split(' ').map(Number)
    const parser = parsers[nth]
    const input = parser === undefined ? '' : inputOf(parser, options, at)
    console.log(`not ok ${parser?.name} does not come back from case ${at}: ${shownInput(input)}`)
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

if (isMainThread) process.exitCode = await main()
else await work(workerData as Work)
