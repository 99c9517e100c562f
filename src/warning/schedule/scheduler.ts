import type { ScheduledTask } from 'node-cron'
import type { Log } from '../../platform/log/log.ts'

export interface Job {
  name: string
  /** Cron expression, five fields, in the given time zone. */
  cron: string
  run: () => void | Promise<void>
}

/** Jobs by the clock on the wall: one of a name at a time, each failure logged, all stopped with the rest. */
export class Scheduler {
  readonly #groups = new Map<string, ScheduledTask[]>()
  readonly #log: Log
  #last: Promise<void> = Promise.resolve()

  constructor(log: Log) {
    this.#log = log
  }

  /** Takes the place of the jobs this group had. The cron library is loaded with the first job: without jobs nobody pays for it. */
  set(group: string, jobs: readonly Job[], timezone: string): Promise<void> {
    // One change after the other: two at once would leave the jobs of both.
    this.#last = this.#last.then(() => this.#replace(group, jobs, timezone))
    return this.#last
  }

  async #replace(group: string, jobs: readonly Job[], timezone: string): Promise<void> {
    for (const task of this.#groups.get(group) ?? []) await task.destroy()
    this.#groups.delete(group)
    if (jobs.length === 0) return
    const cron = await import('node-cron')
    const tasks = jobs.map((job) =>
      cron.schedule(job.cron, () => this.#run(job), { name: job.name, timezone, noOverlap: true })
    )
    this.#groups.set(group, tasks)
  }

  async #run(job: Job): Promise<void> {
    try {
      await job.run()
    } catch (error) {
      this.#log.error({ err: error, job: job.name }, 'a scheduled job failed')
    }
  }

  async stop(): Promise<void> {
    await this.#last
    const tasks = [...this.#groups.values()].flat()
    this.#groups.clear()
    for (const task of tasks) await task.destroy()
  }
}
