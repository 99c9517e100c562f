import * as v from 'valibot'
import { listFamilies } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { formatTime } from '../../model/time.ts'
import { strictObject } from '../../platform/config/object.ts'
import { AppError, refusedAt } from '../../platform/errors.ts'
import { type Exercise, exerciseSchema } from '../../warning/events/exercise.ts'
import { firstRunDocument } from '../editing/first-run-document.ts'
import type { ExercisesPort, ExerciseView } from '../server/exercises.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import type { Services } from './services.ts'

const injectAnswer = v.object({
  at: v.string(),
  note: v.nullable(v.string()),
  event: v.nullable(
    v.object({
      name: v.string(),
      family: v.string(),
      region: v.string(),
      severity: v.string(),
      words: v.string(),
      ends: v.boolean()
    })
  ),
  id: v.pipe(v.nullable(v.string()), v.description('Of the event, of the source `drill`.')),
  state: v.pipe(
    v.picklist(['ahead', 'due', 'given', 'missed', 'withdrawn']),
    v.description(
      '`missed`: the station was off, or its storage failed, for over 2 minutes of its time. `withdrawn`: stopped before.'
    )
  )
})
const exerciseAnswer = v.object({
  exercise: v.nullable(
    v.object({
      title: v.string(),
      channels: v.nullable(v.object({ mt: v.optional(v.number()), mc: v.optional(v.string()) })),
      started_at: v.string(),
      ends_at: v.string(),
      state: v.picklist(['running', 'stopped', 'over']),
      injects: v.array(injectAnswer)
    })
  )
})
type Answer = Told<typeof exerciseAnswer>

function viewOf(view: ExerciseView | null): Answer {
  if (view === null) return { exercise: null }
  const { startedAt, endsAt, injects, channels, ...rest } = view
  return {
    exercise: {
      ...rest,
      channels:
        channels === null
          ? null
          : {
              ...(channels.mt === undefined ? {} : { mt: channels.mt }),
              ...(channels.mc === undefined ? {} : { mc: channels.mc })
            },
      started_at: formatTime(startedAt),
      ends_at: formatTime(endsAt),
      injects: injects.map(({ at, event = null, ...inject }) => ({ ...inject, event, at: formatTime(at) }))
    }
  }
}

function portOf({ context }: Services): ExercisesPort {
  if (context.exercises === null) throw new AppError('unavailable', because('preview_transmits_nothing'))
  return context.exercises
}

/** `GET /api/exercise`: the last exercise, and what became of its injects. */
function readExercise({ context }: Services): Handler<unknown, undefined, Answer> {
  return () => json(viewOf(context.exercises?.status() ?? null))
}

/** `POST /api/exercise`: begins one. Every family and region must be one of this station's. */
function startExercise(services: Services): Handler<unknown, Exercise, Answer> {
  const { context } = services
  return ({ body }) => {
    const port = portOf(services)
    const config = context.config.current()
    const areas = firstRunDocument(config, context.config.raw()).areas
    const places: Record<string, object> = {}
    for (const [n, { event }] of body.injects.entries()) {
      if (event === undefined) continue
      const { family, region } = event
      const probe = areas.find(({ name }) => name === region)?.probe
      if (probe == null)
        throw refusedAt(`/injects/${n}/event/region`, 'choice', because('drill_needs_area', { region }))
      if (!listFamilies(config.families).some(({ key }) => key === family))
        throw refusedAt(`/injects/${n}/event/family`, 'choice', because('drill_needs_family', { family }))
      places[region] = probe
    }
    port.start(body, places)
    return json(viewOf(port.status()), { status: 202 })
  }
}

/** `POST /api/exercise/stop`: what is ahead is not told, and what was told is ended. */
function stopExercise(services: Services): Handler<unknown, unknown, Answer> {
  return () => {
    const port = portOf(services)
    if (!port.stop()) throw new AppError('conflict', because('exercise_no_run'))
    return json(viewOf(port.status()))
  }
}

export const exerciseRoutes = (services: Services): Route[] => [
  get('/api/exercise', {
    summary: 'Tells the last scripted exercise, inject by inject.',
    about:
      'The exercise that runs, or ran last: `{exercise: {title, channels, started_at, ends_at, state, injects}}`, null where none did.',
    access: 'operator',
    answer: exerciseAnswer,
    handle: readExercise(services)
  }),
  post('/api/exercise', {
    summary: 'Starts a scripted exercise.',
    about:
      'Body: `{title, channels?, ends?, injects}`; an inject is `{at, note?, event?}`, its event `{name, family, region, severity?, words, ends?}`, times in minutes. Its events are drills: their texts are marked, none is in force, none arms a cooldown. With `channels` (`{mt?, mc?}`) they stay there; else the matrix decides. 409 while one runs.',
    body: exerciseSchema,
    refuses: { 409: 'An exercise is running' },
    done: [202, 'Started'],
    answer: exerciseAnswer,
    handle: startExercise(services)
  }),
  post('/api/exercise/stop', {
    summary: 'Ends the exercise that is running.',
    about: 'What is ahead is not told; what was told and goes on is ended by a text. 409 when none is running.',
    body: strictObject({}),
    refuses: { 409: 'No exercise is running' },
    answer: exerciseAnswer,
    handle: stopExercise(services)
  })
]
