import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { DISK_WAIT_MS, waitsForDisk } from '../../platform/database/storage-fault.ts'
import { AppError, type ErrorCode, reasonOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import { backoff } from '../../platform/net/backoff.ts'
import type { Job, JobKind, JobResult } from './job.ts'
import { GIVEN_UP_AFTER, LARGE_BYTES, LONE_AFTER, SMALL_BYTES } from './order.ts'
import { ownerIsGone } from './owner.ts'
import type { JobStore } from './store.ts'

const LEASE_MS = 60_000
/** Other processes add jobs too; without a `wake` they are found after this. */
const LOOK_EVERY_MS = 15_000
const PROGRESS_EVERY_MS = 1000
/** When the strain is over they are released; a worker that slept meanwhile finds them after this. */
const STRAIN_WAIT_MS = 5 * 60_000
const RETRY = { min: 5000, max: 10 * 60_000 }
/** A job whose process died this often without an end is what kills it. */
const MAX_STARTS = 10
/** A run that goes on for longer does not keep a small job waiting. */
const LONG_RUN_MS = 5000
/** A job that runs alone has so long at first until it gives way to others, and each time longer, so that it comes to an end at last. */
const ALONE = { min: 20_000, max: 30 * 60_000 }
/** Trying again is of no use: the input is what it is. */
const PERMANENT: ReadonlySet<ErrorCode> = new Set(['bad-input', 'invalid', 'unsupported', 'too-large'])

export interface RunnerOptions {
  store: JobStore
  kinds: readonly JobKind[]
  /** Runs at once, by pool; a pool without an entry has one. */
  limits: Readonly<Record<string, number>>
  /** See `leaseOwner`. */
  owner: string
  clock: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Why nothing is begun that takes room; null while there is some. */
  shortOfRoom?: () => AppError | null
  /** The reason why this kind is not worked on, under strain; null while it is. */
  restsFor?: (kind: string) => Reason | null
  /** After every change of a job that this runner made. */
  onChange?: () => void
  random?: () => number
}

interface Run {
  job: Job
  kind: JobKind
  abort: AbortController
  /** The lease was lost: what the run answers is not stored. */
  lost: boolean
  /** The reason why it was broken off, to go on later. */
  rests: Reason | null
  begunAt: number
  /** It ended the worker before: nothing else runs beside it. */
  lone: boolean
  /** It made way for others and goes on after them. */
  gaveWay: boolean
  /** Cancels the next heartbeat. */
  stopBeat: () => void
  stopWait: () => void
  ended: Promise<void>
}

/**
 * Runs the durable jobs: at most `limits` of a pool at once, kinds of a pool in turns, a lease renewed while a run goes on,
 * failures tried again with back-off and given up after `maxAttempts`, inputs that can never succeed at once. A job is
 * never run twice at the same time by this process, and what a run found is stored once or not at all.
 */
export class JobRunner {
  readonly #options: RunnerOptions
  readonly #pools = new Map<string, JobKind[]>()
  readonly #running = new Map<number, Run>()
  /** How often a job that runs alone gave way. */
  readonly #yields = new Map<number, number>()
  #started = false
  #stopping = false
  #cancelLook: () => void = () => undefined
  #stopped: Promise<void> | null = null

  constructor(options: RunnerOptions) {
    this.#options = options
    for (const kind of options.kinds) this.#pools.set(kind.pool, [...(this.#pools.get(kind.pool) ?? []), kind])
  }

  /** Takes back what processes that are gone had begun, and begins. */
  start(): void {
    this.#started = true
    const { store, owner } = this.#options
    this.#guarded('taking back what an earlier process of this name had begun', () => store.releaseOwner(owner))
    this.wake()
  }

  /** One that was killed may live on for seconds on a busy machine, and its leases for a minute. */
  #takeBack(): void {
    const { store, owner, log } = this.#options
    for (const other of store.owners()) {
      if (other === owner || !ownerIsGone(other)) continue
      const count = store.releaseOwner(other)
      log.info({ owner: other, count }, 'jobs of a process that is gone are begun again')
    }
  }

  /** Looks for work now. */
  wake(): void {
    if (!this.#started || this.#stopping) return
    this.#cancelLook()
    this.#guarded('looking for jobs', () => {
      this.#takeBack()
      this.#options.store.releaseExpired()
      this.#fillAll()
    })
    this.#cancelLook = this.#options.clock.after(this.#untilNextLook(), () => this.wake())
  }

  /** Runs of kinds that rest from now on are broken off, uncounted, and wait. */
  strained(): void {
    for (const run of this.#running.values()) {
      run.rests = this.#options.restsFor?.(run.job.kind) ?? null
      if (run.rests !== null) run.abort.abort(new AppError('unavailable', run.rests))
    }
    this.wake()
  }

  /** Nothing runs and nothing is due; held and waiting jobs may be left for later (`store.nextDue`). */
  idle(): boolean {
    if (this.#running.size > 0) return false
    const { store, clock, kinds, owner } = this.#options
    const names = kinds.map(({ kind }) => kind)
    // Leases of a process that is being killed are ours the moment it is gone.
    if (store.owners(names).some((other) => other !== owner)) return false
    const next = store.nextDue(names)
    return next === null || next > clock.now()
  }

  /** Begins nothing more, aborts every run and resolves when all have ended; what did not end well waits again, uncounted. */
  stop(): Promise<void> {
    if (this.#stopped !== null) return this.#stopped
    this.#stopping = true
    this.#cancelLook()
    for (const run of this.#running.values()) run.abort.abort(new AppError('unavailable', because('program_stopping')))
    this.#stopped = Promise.all([...this.#running.values()].map(({ ended }) => ended)).then(() => undefined)
    return this.#stopped
  }

  /** A job that ended the worker before runs when nothing else does or could. */
  #fillAll(): void {
    const lone = [...this.#running.values()].find((run) => run.lone)
    if (lone !== undefined) {
      this.#giveWay(lone)
      return
    }
    for (const pool of this.#pools.keys()) this.#fill(pool)
    for (const pool of this.#pools.keys())
      while (this.#running.size === 0 && this.#beginOne(pool, { lone: true })) this.#options.onChange?.()
  }

  /** It ends for now if others are due and it had its time, and is begun again when they are through. */
  #giveWay(run: Run): void {
    if (run.abort.signal.aborted || !this.#options.store.isAnyDue(this.#options.kinds.map(({ kind }) => kind))) return
    const { id } = run.job
    if (this.#options.clock.now() - run.begunAt < this.#timeAlone(id)) return
    this.#yields.set(id, (this.#yields.get(id) ?? 0) + 1)
    run.gaveWay = true
    run.abort.abort(new AppError('unavailable', because('others_first')))
  }

  #timeAlone(id: number): number {
    return Math.min(ALONE.max, ALONE.min * 2 ** (this.#yields.get(id) ?? 0))
  }

  #fill(pool: string): void {
    for (;;) {
      const which = this.#room(pool)
      if (which === null || !this.#beginOne(pool, which)) return
      this.#options.onChange?.()
    }
  }

  /**
   * The jobs that may be begun in the pool now; null: none. The large never have its last place where there are several, and where all places
   * are held for long one small job more is let in.
   */
  #room(pool: string): { most?: number } | null {
    const limit = Math.max(1, this.#options.limits[pool] ?? 1)
    const runs = [...this.#running.values()].filter(({ kind }) => kind.pool === pool)
    if (runs.length < limit) {
      const large = runs.filter(({ job }) => isLarge(job)).length
      return limit > 1 && large >= limit - 1 ? { most: LARGE_BYTES } : {}
    }
    const now = this.#options.clock.now()
    const areLong = runs.every(({ begunAt }) => now - begunAt >= LONG_RUN_MS)
    return runs.length === limit && areLong ? { most: SMALL_BYTES } : null
  }

  /** The kind that was served goes to the end of the row. */
  #beginOne(pool: string, which: { most?: number; lone?: boolean }): boolean {
    const { store, owner } = this.#options
    for (const kind of this.#pools.get(pool) ?? []) {
      const job = store.claim([kind.kind], { owner, leaseMs: LEASE_MS, ...which })
      if (job === null) continue
      this.#pools.set(pool, [...(this.#pools.get(pool) ?? []).filter((other) => other !== kind), kind])
      if (this.#mayBegin(job, kind)) this.#begin(job, kind)
      return true
    }
    return false
  }

  #mayBegin(job: Job, kind: JobKind): boolean {
    const { store, owner, clock } = this.#options
    const same = this.#running.get(job.id)
    if (same !== undefined) {
      // Its lease ran out while this process was too busy to renew it; the run that still goes on must end first.
      this.#lose(same)
      store.retryLater(job.id, owner, { reason: null, dueAt: clock.now() + RETRY.min, counts: false })
      return false
    }
    const short = kind.makesRoom === true ? null : (this.#options.shortOfRoom?.() ?? null)
    if (short !== null) {
      store.hold(job.id, owner, { reason: reasonOf(short), retryAt: clock.now() + DISK_WAIT_MS })
      return false
    }
    const rests = this.#options.restsFor?.(job.kind) ?? null
    if (rests !== null) {
      store.hold(job.id, owner, { reason: rests, retryAt: clock.now() + STRAIN_WAIT_MS })
      return false
    }
    const reason = deadly(job, Math.max(MAX_STARTS, kind.maxAttempts))
    if (reason === null) return true
    this.#giveUp(job, kind, reason)
    return false
  }

  #begin(job: Job, kind: JobKind): void {
    const run: Run = {
      job,
      kind,
      abort: new AbortController(),
      lost: false,
      rests: null,
      begunAt: this.#options.clock.now(),
      lone: job.deaths >= LONE_AFTER,
      gaveWay: false,
      stopBeat: () => undefined,
      stopWait: () => undefined,
      ended: Promise.resolve()
    }
    this.#running.set(job.id, run)
    this.#beat(run)
    // From then on a small job may be let in beside it.
    run.stopWait = this.#options.clock.after(LONG_RUN_MS, () => this.wake())
    run.ended = this.#carryOut(run)
  }

  #beat(run: Run): void {
    run.stopBeat = this.#options.clock.after(LEASE_MS / 3, () => {
      this.#renew(run)
      if (!run.lost) this.#beat(run)
    })
  }

  #renew(run: Run, progress?: Reason): void {
    const { store, owner } = this.#options
    this.#guarded('renewing a lease', () => {
      if (!run.lost && !store.renew(run.job.id, owner, LEASE_MS, progress)) this.#lose(run)
    })
  }

  #lose(run: Run): void {
    run.lost = true
    run.stopBeat()
    run.abort.abort(new AppError('conflict', because('lease_lost')))
  }

  async #carryOut(run: Run): Promise<void> {
    let told = Number.NEGATIVE_INFINITY
    const progress = (what: Reason): void => {
      const now = this.#options.clock.now()
      if (now - told < PROGRESS_EVERY_MS || run.abort.signal.aborted) return
      told = now
      this.#renew(run, what)
      this.#options.onChange?.()
    }
    try {
      // Never in the caller's turn: a run that works without waiting must not hold up the filling of the pools.
      await Promise.resolve()
      const result = await run.kind.run(run.job, { signal: run.abort.signal, progress })
      if (!run.lost) this.#store(run, result)
    } catch (error) {
      if (!run.lost) this.#failed(run, error)
    } finally {
      run.stopBeat()
      run.stopWait()
      this.#running.delete(run.job.id)
      this.#options.onChange?.()
      this.wake()
    }
  }

  #store({ job }: Run, result: JobResult): void {
    const { store, owner, log } = this.#options
    const kept = result.end === 'done' ? store.finish(job.id, owner, result.commit) : store.hold(job.id, owner, result)
    if (!kept) log.warn({ kind: job.kind, subject: job.subject }, 'a job ended after its lease was lost')
    else if (result.end === 'held')
      log.info({ kind: job.kind, subject: job.subject, reason: sentenceOf(result.reason) }, 'a job is held')
  }

  #failed({ job, kind, abort, rests, gaveWay }: Run, error: unknown): void {
    const { store, owner, clock, log } = this.#options
    if (rests !== null) {
      this.#guarded('holding a job', () => {
        store.hold(job.id, owner, { reason: rests, retryAt: clock.now() + STRAIN_WAIT_MS })
      })
      return
    }
    if ((this.#stopping || gaveWay) && abort.signal.aborted) {
      this.#guarded('giving a job back', () => {
        store.retryLater(job.id, owner, { reason: null, dueAt: job.dueAt, counts: false })
      })
      return
    }
    const reason = reasonOf(error)
    if (waitsForDisk(error)) {
      log.warn({ err: error, kind: job.kind, subject: job.subject }, 'a job waits for the disk')
      this.#guarded('holding a job', () => {
        store.hold(job.id, owner, { reason, retryAt: clock.now() + DISK_WAIT_MS })
      })
      return
    }
    const permanent = error instanceof AppError && PERMANENT.has(error.code)
    if (permanent || job.attempts >= kind.maxAttempts) {
      this.#giveUp(job, kind, reason, error)
      return
    }
    log.warn({ err: error, kind: job.kind, subject: job.subject, attempt: job.attempts }, 'a job failed')
    const wait = backoff(job.attempts - 1, { ...RETRY, random: this.#options.random ?? Math.random })
    this.#guarded('setting a job aside', () => {
      store.retryLater(job.id, owner, { reason, dueAt: clock.now() + wait })
    })
  }

  #giveUp(job: Job, kind: JobKind, reason: Reason, error?: unknown): void {
    const { store, owner, clock, log } = this.#options
    log.error({ err: error, kind: job.kind, subject: job.subject, reason: sentenceOf(reason) }, 'a job was given up')
    const done = this.#guarded('giving a job up', () => {
      store.die(job.id, owner, reason, () => kind.onDead(job, reason))
    })
    // Nothing of it was stored. It must not be forgotten, and not be begun again at once either.
    if (!done)
      this.#guarded('setting a job aside', () => {
        store.retryLater(job.id, owner, { reason, dueAt: clock.now() + RETRY.max })
      })
  }

  /** The table may be locked or its disk full: a lease that could not be touched runs out, and the job comes again. */
  #guarded(what: string, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#options.log.error({ err: error }, `${what} failed`)
      return false
    }
  }

  #untilNextLook(): number {
    const { store, clock } = this.#options
    const lone = [...this.#running.values()].find((run) => run.lone)
    if (lone !== undefined)
      return Math.min(LOOK_EVERY_MS, Math.max(1000, lone.begunAt + this.#timeAlone(lone.job.id) - clock.now()))
    const open = [...this.#pools].filter(([pool]) => this.#room(pool) !== null).flatMap(([, kinds]) => kinds)
    let next: number | null = null
    this.#guarded('looking for the next job', () => {
      next = store.nextDue(open.map(({ kind }) => kind))
    })
    const wait = next === null ? LOOK_EVERY_MS : next - clock.now()
    return Math.min(LOOK_EVERY_MS, Math.max(1000, wait))
  }
}

function isLarge({ weight }: Job): boolean {
  return (weight ?? 0) > LARGE_BYTES
}

/** The reason why it is not begun again: it ends whatever works on it. */
function deadly({ attempts, deaths, death }: Job, maxStarts: number): Reason | null {
  if (deaths >= GIVEN_UP_AFTER)
    return death?.code === 'out_of_memory'
      ? because('needs_more_memory', { times: deaths })
      : because('worker_ended_times', { times: deaths, how: death ?? because('it_failed') })
  return attempts > maxStarts ? because('program_ended_times', { times: attempts - 1 }) : null
}
