import type { Exercise } from '../../warning/events/exercise.ts'

/**
 * How an inject stands: `given` it was told (a note: its time has come); `ahead` and `due` it will be; `missed` the station was off at its
 * time; `withdrawn` the exercise was stopped before.
 */
export type InjectState = 'ahead' | 'due' | 'given' | 'missed' | 'withdrawn'

/** The last exercise. Times are epoch milliseconds. */
export interface ExerciseView {
  title: string
  channels: { mt?: number | undefined; mc?: string | undefined } | null
  startedAt: number
  endsAt: number
  state: 'running' | 'stopped' | 'over'
  injects: {
    at: number
    note: string | null
    event: Exercise['injects'][number]['event'] | null
    /** Of the event, by which its trace is found. */
    id: string | null
    state: InjectState
  }[]
}

/** The exercises of this station, as its pages see them. */
export interface ExercisesPort {
  status: () => ExerciseView | null
  /** @throws AppError `conflict` while one is running, `invalid` for an event that cannot be. */
  start: (exercise: Exercise, places: Readonly<Record<string, object>>) => void
  /** Answers whether one was running. */
  stop: () => boolean
}
