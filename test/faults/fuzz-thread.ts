import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { errorCode } from '../../src/platform/files/atomic-file.ts'
import { type Parser, shownInput } from './fuzz-parser.ts'
import { inputOf, type Outcome } from './fuzz-run.ts'
import type { Told, Work } from './fuzz-worker.ts'

/** Runs the parsers in a thread, and sees from outside one that does not come back. */

/** A parser that took so much CPU over one input has not come back. */
const HUNG_CPU_MS = 60_000
const LOOK_MS = 500
/** Looks in a row at which nothing moved and nothing worked: it waits for what never comes. */
const MOST_IDLE = 20
const IDLE_CPU_MS = 20

/** One that hangs ends the thread, and is a fault of that case: then the parsers after it have no outcome. */
export function runInThread(
  parsers: readonly Parser[],
  work: Omit<Work, 'place' | 'names'>,
  onOutcome: (outcome: Outcome) => void
): Promise<void> {
  const place = new SharedArrayBuffer(8)
  const told = new Int32Array(place)
  const names = parsers.map(({ name }) => name)
  const worker = new Worker(process.argv[1] ?? '', { workerData: { ...work, names, place } })
  return new Promise((resolve, reject) => {
    let at = ''
    let since = process.cpuUsage()
    let before = since
    let queued = queuedMs()
    let idle = 0
    const watch = setInterval(() => {
      const here = `${Atomics.load(told, 0)} ${Atomics.load(told, 1)}`
      const look = process.cpuUsage()
      const starved = queuedMs()
      // A thread that would work and gets no processor waits for nothing: on a busy machine that may last longer than all looks.
      const isIdle = here === at && msBetween(before, look) < IDLE_CPU_MS && starved - queued < IDLE_CPU_MS
      idle = isIdle ? idle + 1 : 0
      before = look
      queued = starved
      if (here !== at) since = look
      at = here
      if (msBetween(since, look) > HUNG_CPU_MS || idle > MOST_IDLE) {
        onOutcome(hung(parsers[Atomics.load(told, 0)], work, Atomics.load(told, 1)))
        end()
      }
    }, LOOK_MS)
    const end = (): void => {
      clearInterval(watch)
      void worker.terminate().then(() => resolve())
    }
    worker.on('message', (message: Told) => {
      if (message.kind === 'outcome') onOutcome(message.outcome)
      else end()
    })
    worker.once('error', (error) => {
      clearInterval(watch)
      reject(error)
    })
  })
}

function hung(parser: Parser | undefined, { seed, from, cases }: Omit<Work, 'place' | 'names'>, nth: number): Outcome {
  const input = parser === undefined ? '' : inputOf(parser, seed, nth)
  const nothing = { ms: 0, bytes: 0, shown: '' }
  return {
    name: parser?.name ?? '',
    // One of the growing inputs comes after all cases.
    cases: Math.min(cases, nth - from + 1),
    seconds: HUNG_CPU_MS / 1000,
    refused: 0,
    dearest: nothing,
    grown: nothing,
    faults: [`it does not come back: case ${nth}: ${shownInput(input)}`]
  }
}

/** A thread that ended between the list and its file. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH'])

/** Milliseconds for which the threads of this process waited for a processor: the second figure of Linux's `schedstat`. */
function queuedMs(): number {
  const tasks = '/proc/self/task'
  return readdirSync(tasks).reduce((sum, id) => {
    try {
      return sum + Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[1]) / 1e6
    } catch (error) {
      if (GONE.has(errorCode(error))) return sum
      throw error
    }
  }, 0)
}

const msBetween = (before: NodeJS.CpuUsage, after: NodeJS.CpuUsage): number =>
  (after.user + after.system - before.user - before.system) / 1000
