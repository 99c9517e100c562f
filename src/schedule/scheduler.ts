import type { ScheduledTask } from 'node-cron'
import type { Log } from '../lib/log.ts'

export interface Job {
  name: string
  /** Cron expression, five fields, in the given time zone. */
  cron: string
  run: () => void | Promise<void>
}

/** Jobs by the clock on the wall: one of a name at a time, each failure logged, all stopped with the rest. */
export class Scheduler {
  readonly #tasks: ScheduledTask[] = []
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** The cron library is loaded with the first job, so a program without jobs does not pay for it. */
  async add(job: Job, timezone: string): Promise<void> {
    const cron = await import('node-cron')
    const task = cron.schedule(
      job.cron,
      async () => {
        try {
          await job.run()
        } catch (error) {
          this.#log.error({ err: error, job: job.name }, 'a scheduled job failed')
        }
      },
      { name: job.name, timezone, noOverlap: true }
    )
    this.#tasks.push(task)
  }

  async stop(): Promise<void> {
    for (const task of this.#tasks.splice(0)) await task.destroy()
  }
}
