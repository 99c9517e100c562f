import type { Test } from 'tap'
import type { Job, JobKind, JobResult, JobTools } from '../../../src/knowledge/jobs/job.ts'
import { JobRunner } from '../../../src/knowledge/jobs/runner.ts'
import type { Reason } from '../../../src/model/reason.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { type JobSetup, jobSetup, storeDone } from './setup.ts'

const log = createLog({ level: 'silent' })

interface Running {
  job: Job
  tools: JobTools
  end: (result: JobResult) => void
  done: () => void
  fail: (error: unknown) => void
}

/** Runs that end when the test says so. */
export class Bench {
  readonly running = new Map<string, Running>()
  readonly begun: string[] = []
  readonly dead: string[] = []
  most = 0
  readonly #setup: JobSetup

  constructor(setup: JobSetup) {
    this.#setup = setup
  }

  kind(kind: string, pool = kind, maxAttempts = 3): JobKind {
    return {
      kind,
      pool,
      maxAttempts,
      run: (job, tools) =>
        new Promise((resolve, reject) => {
          const key = `${kind} ${job.subject}`
          if (this.running.has(key)) throw new Error(`${key} runs twice`)
          this.begun.push(key)
          const leave = (): void => {
            this.running.delete(key)
          }
          const end = (result: JobResult): void => {
            leave()
            resolve(result)
          }
          this.running.set(key, {
            job,
            tools,
            end,
            done: () => end({ end: 'done', commit: () => storeDone(this.#setup.db, key) }),
            fail: (error) => {
              leave()
              reject(error)
            }
          })
          this.most = Math.max(this.most, this.running.size)
        }),
      onDead: ({ subject }, reason) => {
        this.dead.push(`${kind} ${subject}: ${sentenceOf(reason)}`)
      }
    }
  }

  get(key: string): Running {
    const found = this.running.get(key)
    if (found === undefined) throw new Error(`${key} does not run; ${[...this.running.keys()]} do`)
    return found
  }
}

/** A runner of jobs that end when the test says so, on a virtual clock. */
export async function bench(
  t: Pick<Test, 'teardown'>,
  kinds: (bench: Bench) => JobKind[],
  limits: Record<string, number> = {},
  restsFor: (kind: string) => Reason | null = () => null
): Promise<
  JobSetup & { bench: Bench; runner: JobRunner; changes: () => number; settle: (ms?: number) => Promise<void> }
> {
  const setup = await jobSetup(t)
  const made = new Bench(setup)
  let changes = 0
  const runner = new JobRunner({
    store: setup.store,
    kinds: kinds(made),
    limits,
    owner: 'me',
    clock: setup.clock,
    log,
    restsFor,
    onChange: () => changes++,
    random: () => 0.5
  })
  const settle = (ms = 0): Promise<void> => setup.clock.runTo(setup.clock.now() + ms)
  return { ...setup, bench: made, runner, changes: () => changes, settle }
}
