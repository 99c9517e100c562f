import * as v from 'valibot'
import { mtChannelSchema, severitySchema } from '../../model/channel-schema.ts'
import { DRILL_CATEGORY } from '../../model/event.ts'
import { strictObject } from '../../platform/config/object.ts'

/**
 * A scripted exercise (docs/interface.md §13): what is told after how many minutes, and what the controller is to know then. Its events are
 * drills: they go the whole way of a warning, every text of theirs says that it is an exercise, and they are never in force.
 */

const MOST_INJECTS = 100
const MOST_MINUTES = 24 * 60
/** Beside the mark and the place a text of MeshCore has room for so many characters. */
const MOST_WORDS = 80
/** After its last inject an exercise goes on for as long, unless it says when it ends. */
const LAST_MINUTES = 10
const MINUTE_MS = 60_000
/** An alert that nobody ended is over by itself as long after the exercise. */
const AFTER_MS = 5 * MINUTE_MS

const minutes = v.pipe(
  v.number('a time is a number of minutes from the beginning'),
  v.minValue(0, 'a time is not before the beginning'),
  v.maxValue(MOST_MINUTES, `an exercise lasts at most ${MOST_MINUTES} minutes`)
)
const words = (most: number, what: string) =>
  v.pipe(
    v.string(`${what} is a text`),
    v.trim(),
    v.minLength(1, `${what} must not be empty`),
    v.maxLength(most, `${what} has at most ${most} characters`)
  )

const injectedEvent = strictObject({
  name: v.pipe(
    words(24, 'a name'),
    v.regex(/^[\p{L}\p{N} _-]+$/u, 'a name is letters, digits, blanks, - or _'),
    v.description('The thing that it is about: a later inject of the same name is news of it.')
  ),
  family: v.pipe(words(64, 'a family'), v.description('The row of the matrix.')),
  region: v.pipe(words(64, 'a region'), v.description('A named area: the column of the matrix.')),
  severity: v.pipe(v.optional(severitySchema, 'priority'), v.description('As the matrix and the radios weigh it.')),
  words: v.pipe(words(MOST_WORDS, 'words'), v.description('Said behind the mark of an exercise.')),
  ends: v.pipe(v.optional(v.boolean(), false), v.description('True: the thing of this name is over.'))
})

const inject = v.pipe(
  strictObject({
    at: v.pipe(minutes, v.description('Minutes from the beginning.')),
    note: v.pipe(v.optional(words(300, 'a note')), v.description('For the controller; it is not sent.')),
    event: v.optional(injectedEvent)
  }),
  v.check(({ note, event }) => note !== undefined || event !== undefined, 'an inject has an event, a note, or both')
)

/** `POST /api/exercise`, and the file that the page takes. */
export const exerciseSchema = v.pipe(
  strictObject({
    title: v.pipe(words(60, 'a title'), v.description('Its name, for the page and the report.')),
    channels: v.pipe(
      v.optional(
        v.pipe(
          strictObject({
            mt: v.optional(mtChannelSchema),
            mc: v.optional(words(64, 'a channel of MeshCore'))
          }),
          v.check(
            ({ mt, mc }) => mt !== undefined || mc !== undefined,
            'name a channel: mt (an index), mc (a name), or both'
          )
        )
      ),
      v.description('The channels of the drill. Without them it goes where the matrix sends real warnings.')
    ),
    ends: v.pipe(v.optional(minutes), v.description(`Minutes until its end; ${LAST_MINUTES} after the last inject.`)),
    injects: v.pipe(
      v.array(inject, 'injects is a list'),
      v.minLength(1, 'an exercise has an inject'),
      v.maxLength(MOST_INJECTS, `an exercise has at most ${MOST_INJECTS} injects`)
    )
  }),
  v.check(
    ({ ends, injects }) => ends === undefined || injects.every(({ at }) => at <= ends),
    'an inject comes after the end of the exercise'
  )
)

export type Exercise = v.InferOutput<typeof exerciseSchema>
type InjectedEvent = NonNullable<Exercise['injects'][number]['event']>

/** One run of an exercise. Times are epoch milliseconds. */
export interface ExerciseRun {
  startedAt: number
  exercise: Exercise
  /** Fields of an event that say where each region is; a region that has none is said by its name alone. */
  places: Readonly<Record<string, object>>
  /** When somebody ended it before its time; null otherwise. */
  stoppedAt: number | null
}

/** When the run is over by itself, epoch milliseconds. */
export function endOf({ startedAt, exercise: { ends, injects } }: Pick<ExerciseRun, 'startedAt' | 'exercise'>): number {
  const last = Math.max(...injects.map(({ at }) => at))
  return startedAt + (ends ?? last + LAST_MINUTES) * MINUTE_MS
}

/** When an inject is due, epoch milliseconds. */
export function dueAt(run: Pick<ExerciseRun, 'startedAt' | 'exercise'>, n: number): number {
  return run.startedAt + (run.exercise.injects[n]?.at ?? 0) * MINUTE_MS
}

/** The id of an inject's event: the same after every start of the station, so that nothing is told twice. */
export function injectId({ startedAt }: Pick<ExerciseRun, 'startedAt'>, n: number | string): string {
  return `drill-${startedAt}-${n}`
}

/** The event of an inject, to be read as a posted one; null for a note alone. */
export function injectedInput(run: ExerciseRun, n: number, now: number): object | null {
  const event = run.exercise.injects[n]?.event
  if (event === undefined) return null
  const before = run.exercise.injects.some((other, at) => other.event?.name === event.name && isBefore(run, at, n))
  const lifecycle = event.ends ? 'cancel' : before ? 'update' : 'new'
  return inputOf(run, { event, id: injectId(run, n), lifecycle, now })
}

function isBefore(run: ExerciseRun, one: number, other: number): boolean {
  return dueAt(run, one) < dueAt(run, other) || (dueAt(run, one) === dueAt(run, other) && one < other)
}

/** The ends of whatever was told and goes on: what the run itself tells when it is over. */
export function closingInputs(
  run: ExerciseRun,
  isTold: (id: string) => boolean,
  now: number
): { id: string; input: object }[] {
  const open = new Map<string, InjectedEvent>()
  const order = run.exercise.injects.map((_, n) => n).sort((a, b) => (isBefore(run, a, b) ? -1 : 1))
  for (const n of order) {
    const event = run.exercise.injects[n]?.event
    if (event === undefined || !isTold(injectId(run, n))) continue
    if (event.ends) open.delete(event.name)
    else open.set(event.name, event)
  }
  return [...open].map(([name, event]) => {
    const id = injectId(run, `end-${name}`)
    return { id, input: inputOf(run, { event, id, lifecycle: 'cancel', now }) }
  })
}

function inputOf(
  run: ExerciseRun,
  { event, id, lifecycle, now }: { event: InjectedEvent; id: string; lifecycle: string; now: number }
): object {
  const { channels, title } = run.exercise
  return {
    id,
    revision: id,
    source: 'drill',
    category: DRILL_CATEGORY,
    family: event.family,
    severity: event.severity,
    lifecycle,
    thread_id: `drill:${run.startedAt}:${event.name}`,
    title: `EXERCISE, no danger: ${event.words}`,
    sent_at: new Date(now).toISOString(),
    // It is ended by a text; where that cannot be said, by itself.
    expires: new Date(Math.max(endOf(run), now) + AFTER_MS).toISOString(),
    ...(run.places[event.region] ?? { regions: [event.region] }),
    data: { drill: true, exercise: title, ...(channels === undefined ? {} : { drill_channels: channels }) }
  }
}
