import type { Reason } from '../../model/reason.ts'
/**
 * `waiting`: due at `due_at`. `running`: somebody holds the lease. `held`: waits for something from outside, see the
 * reason; asked again at `due_at`. `dead`: given up, see the reason; a retry makes it waiting again. A job that is done has no row.
 */
export type JobState = 'waiting' | 'running' | 'held' | 'dead'

/** One piece of work that survives the process. */
export interface Job {
  id: number
  /** The work to be done: `dispatch`, `extract` … */
  kind: string
  /** To what: the hash of an upload, the id of a document. One job per kind and subject. */
  subject: string
  state: JobState
  /** The number of times it was begun; being held does not count. */
  attempts: number
  /** Epoch milliseconds. */
  dueAt: number
  leaseOwner: string | null
  leaseUntil: number | null
  reason: Reason | null
  /** The run's own words: `page 3 of 90`. */
  progress: Reason | null
  /** Bytes of what is worked on; null where nobody knows. */
  weight: number | null
  /** How often the worker ended by itself while it ran; see deaths.ts. */
  deaths: number
  /** How the worker ended the last time. */
  death: Reason | null
  createdAt: number
  changedAt: number
}

/** The end of one run; a run that throws has failed. */
export type JobResult =
  /** `commit` runs in the transaction that removes the job: what the run found, and the next stage's job. */
  | { end: 'done'; commit: () => void }
  /** Cannot go on without something from outside (a program, a server): asked again at `retryAt`, or when somebody releases it. */
  | { end: 'held'; reason: Reason; retryAt: number; commit?: () => void }

export interface JobTools {
  /** Aborted when the program stops or the lease was lost: end soon, commit nothing. */
  signal: AbortSignal
  /** Shown beside the job; also renews the lease. Cheap: written at most once a second. */
  progress: (text: Reason) => void
}

/** One kind of work. `run` is idempotent: a crash anywhere leads to another run from the start. */
export interface JobKind {
  kind: string
  /** Jobs of one pool share its limit of runs at once. */
  pool: string
  maxAttempts: number
  /** It makes room: it runs on a full disk too. */
  makesRoom?: true
  /**
   * @throws AppError `bad-input`, `invalid`, `unsupported` or `too-large`: trying again is of no use, the job is dead at once.
   * Anything else is tried again with back-off until `maxAttempts`.
   */
  run: (job: Job, tools: JobTools) => Promise<JobResult>
  /** Runs in the transaction that gives the job up. */
  onDead: (job: Job, reason: Reason) => void
}
