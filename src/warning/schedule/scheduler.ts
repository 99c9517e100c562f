import type { ScheduledTask } from 'node-cron'
import { type Loop, Pulse } from '../../platform/clock/pulse.ts'
import type { Log } from '../../platform/log/log.ts'

export interface Job {
  name: string
  /** Cron expression, five fields, in the given time zone. */
  cron: string
  run: () => void | Promise<void>
}

interface Group {
  jobs: readonly Job[]
  timezone: string
  tasks: readonly ScheduledTask[]
}

/** Jobs by the clock on the wall: one of a name at a time, each failure logged, all stopped with the rest. */
export class Scheduler implements Loop {
  readonly name = 'scheduler'
  readonly pulse = new Pulse()
  readonly #groups = new Map<string, Group>()
  readonly #log: Log
  #running = 0
  #changing = 0
  #last: Promise<void> = Promise.resolve()

  constructor(log: Log) {
    this.#log = log
  }

  /** No job and no change of them is under way: it lives. */
  tick(): void {
    if (this.#running + this.#changing === 0) this.pulse.beat()
  }

  /** The wall clock was set: timers went by the old time, up to a day ahead. */
  async clockSet(): Promise<void> {
    for (const [name, { jobs, timezone }] of [...this.#groups]) await this.set(name, jobs, timezone)
  }

  /**
   * Takes the place of the jobs this group had; where one of them cannot be scheduled, those stay and the answer rejects. The cron
   * library is loaded with the first job: without jobs nobody pays for it.
   */
  set(group: string, jobs: readonly Job[], timezone: string): Promise<void> {
    // One change after the other: two at once would leave the jobs of both.
    const changed = this.#last.then(() => this.#counted(() => this.#replace(group, jobs, timezone)))
    // Whoever asked hears of a failure; the next change goes on from here.
    this.#last = changed.catch(() => undefined)
    return changed
  }

  async #replace(group: string, jobs: readonly Job[], timezone: string): Promise<void> {
    const tasks: ScheduledTask[] = []
    try {
      const cron = jobs.length === 0 ? null : await import('node-cron')
      for (const job of jobs) {
        const task = cron?.schedule(job.cron, () => this.#run(job), { name: job.name, timezone, noOverlap: true })
        if (task !== undefined) tasks.push(task)
      }
    } catch (error) {
      for (const task of tasks) await task.destroy()
      throw error
    }
    const before = this.#groups.get(group)?.tasks ?? []
    if (jobs.length === 0) this.#groups.delete(group)
    else this.#groups.set(group, { jobs, timezone, tasks })
    for (const task of before) await task.destroy()
  }

  async #counted(change: () => Promise<void>): Promise<void> {
    this.#changing++
    await change().finally(() => {
      this.#changing--
    })
  }

  async #run(job: Job): Promise<void> {
    this.#running++
    this.pulse.beat()
    try {
      await job.run()
    } catch (error) {
      this.#log.error({ err: error, job: job.name }, 'a scheduled job failed')
    } finally {
      this.#running--
    }
  }

  async stop(): Promise<void> {
    await this.#last
    const tasks = [...this.#groups.values()].flatMap((group) => group.tasks)
    this.#groups.clear()
    for (const task of tasks) await task.destroy()
  }
}
