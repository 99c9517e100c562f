import type { ExercisesPort, ExerciseView, InjectState } from '../dashboard/server/exercises.ts'
import type { LookoutEvent } from '../model/event.ts'
import { familyKeys } from '../model/families.ts'
import { because } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../settings/schema.ts'
import {
  closingInputs,
  dueAt,
  type Exercise,
  type ExerciseRun,
  endOf,
  injectedInput,
  injectId
} from '../warning/events/exercise.ts'
import { parseEventInput } from '../warning/events/input.ts'
import type { Core } from './core.ts'

/** The exercises of this station: what is told of them goes the way of every event. */
export function stationExercises({ core, config, clock, log }: StationExercisesOptions): Exercises {
  return new Exercises({
    clock,
    fact: (name) => core.ledger.fact(name),
    setFact: (name, value) => core.ledger.setFact(name, value),
    isStored: (id) => core.ledger.find(id).some(({ event }) => event.source === 'drill'),
    accept: (events) => core.accept(events.map((event) => ({ event }))),
    eventOf: (input) => parseEventInput(input, { now: clock.now(), families: familyKeys(config().families) }),
    onError: (error) => log.error({ err: error }, 'the exercise could not go on')
  })
}

/** Its run, as JSON: nothing else of it is kept, for what was told stands in the ledger. */
const FACT = 'exercise_run'
/** An inject that could not be told within this of its time is not told any more: it would disturb the next. */
const LATE_MS = 2 * 60_000
/** A timer is no longer: a wall clock that was set is noticed within this. */
const LOOK_MS = 30_000
const RESUME_MS = 5000

export interface StationExercisesOptions {
  core: Pick<Core, 'ledger' | 'accept'>
  config: () => Config
  clock: Clock
  log: Pick<Log, 'error'>
}

export interface ExercisesOptions {
  clock: Clock
  fact: (name: string) => string | null
  setFact: (name: string, value: string) => void
  /** True when an event of this id is stored. */
  isStored: (id: string) => boolean
  accept: (events: LookoutEvent[]) => Promise<unknown>
  /** @throws AppError `invalid` for what is no event. */
  eventOf: (input: object) => LookoutEvent
  onError: (error: unknown) => void
}

/**
 * Plays the exercise that somebody started. What becomes of an inject is told by the ledger alone, whose events have fixed ids: after an end
 * of the process at any moment the rest goes on, what was said is not said again, and what fell due meanwhile is told to be missed.
 */
export class Exercises implements ExercisesPort {
  readonly #o: ExercisesOptions
  #cancel: () => void = () => undefined
  #closed = false
  /** One look after the other. */
  #looking: Promise<void> = Promise.resolve()

  /** Goes on with what the last process began, once the station has had time for what is real. */
  constructor(options: ExercisesOptions) {
    this.#o = options
    this.#cancel = options.clock.after(RESUME_MS, () => this.#look())
  }

  close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    return this.#looking
  }

  status(): ExerciseView | null {
    const run = this.#run()
    if (run === null) return null
    const now = this.#o.clock.now()
    const { exercise, startedAt, stoppedAt } = run
    const ends = Math.min(stoppedAt ?? Number.POSITIVE_INFINITY, endOf(run))
    return {
      title: exercise.title,
      channels: exercise.channels ?? null,
      startedAt,
      endsAt: ends,
      state: stoppedAt !== null ? 'stopped' : now >= ends ? 'over' : 'running',
      injects: exercise.injects.map(({ note, event }, n) => ({
        at: dueAt(run, n),
        note: note ?? null,
        event: event ?? null,
        id: event === undefined ? null : injectId(run, n),
        state: this.#stateOf(run, n, now)
      }))
    }
  }

  /** @throws AppError `conflict` while one is running, `invalid` for an event that cannot be. */
  start(exercise: Exercise, places: Readonly<Record<string, object>>): void {
    const now = this.#o.clock.now()
    if (this.status()?.state === 'running') throw new AppError('conflict', because('exercise_runs'))
    const run: ExerciseRun = { startedAt: now, exercise, places, stoppedAt: null }
    // All of them are read before the first is told.
    for (const n of exercise.injects.keys()) {
      const input = injectedInput(run, n, now)
      if (input !== null) this.#o.eventOf(input)
    }
    this.#o.setFact(FACT, JSON.stringify(run))
    this.#look()
  }

  /** Nothing that is ahead is told any more, and a text ends whatever goes on. Answers whether one was running. */
  stop(): boolean {
    const run = this.#run()
    if (run === null || this.status()?.state !== 'running') return false
    this.#o.setFact(FACT, JSON.stringify({ ...run, stoppedAt: this.#o.clock.now() }))
    this.#look()
    return true
  }

  #run(): ExerciseRun | null {
    const stored = this.#o.fact(FACT)
    return stored === null ? null : (JSON.parse(stored) as ExerciseRun)
  }

  #stateOf(run: ExerciseRun, n: number, now: number): InjectState {
    const due = dueAt(run, n)
    const isEvent = run.exercise.injects[n]?.event !== undefined
    if (isEvent && this.#o.isStored(injectId(run, n))) return 'given'
    if (run.stoppedAt !== null && due >= run.stoppedAt) return 'withdrawn'
    if (due > now) return 'ahead'
    if (!isEvent) return 'given'
    return run.stoppedAt !== null || now - due > LATE_MS ? 'missed' : 'due'
  }

  #look(): void {
    this.#cancel()
    if (this.#closed) return
    this.#looking = this.#looking
      .then(() => this.#tell())
      .catch(this.#o.onError)
      .finally(() => this.#again())
  }

  #again(): void {
    const run = this.#run()
    if (run === null || this.#closed) return
    const now = this.#o.clock.now()
    const times = [...run.exercise.injects.keys()].map((n) => dueAt(run, n))
    const next = Math.min(...[...times, endOf(run)].filter((at) => at > now))
    const isOver = run.stoppedAt !== null || !Number.isFinite(next)
    // Over and not closed: the storage refused it, and it is tried again.
    if (isOver && this.#unclosed(run).length === 0) return
    this.#cancel()
    this.#cancel = this.#o.clock.after(Math.min(LOOK_MS, isOver ? LOOK_MS : next - now), () => this.#look())
  }

  /** Everything that is due, in the order of its times. */
  async #tell(): Promise<void> {
    const run = this.#run()
    if (run === null) return
    const now = this.#o.clock.now()
    const order = [...run.exercise.injects.keys()].sort((a, b) => dueAt(run, a) - dueAt(run, b))
    for (const n of order) {
      if (this.#stateOf(run, n, now) !== 'due') continue
      const input = injectedInput(run, n, now)
      if (input !== null) await this.#o.accept([this.#o.eventOf(input)])
    }
    if (run.stoppedAt === null && now < endOf(run)) return
    for (const { input } of this.#unclosed(run)) await this.#o.accept([this.#o.eventOf(input)])
  }

  #unclosed(run: ExerciseRun): { id: string; input: object }[] {
    const now = this.#o.clock.now()
    // A station that comes back long after has nobody to tell it to: what was told is over by its own time.
    if (now - Math.min(run.stoppedAt ?? endOf(run), endOf(run)) > LATE_MS) return []
    return closingInputs(run, this.#o.isStored, now).filter(({ id }) => !this.#o.isStored(id))
  }
}
