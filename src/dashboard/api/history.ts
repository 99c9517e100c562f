import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { readersTurn } from '../../platform/clock/slices.ts'
import { AppError } from '../../platform/errors.ts'
import { MAX_HOURS, METRIC_TYPES } from '../../platform/metrics/point.ts'
import { jsonPieces } from '../server/pieces.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { historyAnswer } from './answers/station.ts'
import type { Services } from './services.ts'

const HOURS = `hours is a whole number from 1 to ${MAX_HOURS}`

export const historyQuery = v.object({
  type: v.optional(v.picklist(METRIC_TYPES, `a type is one of ${METRIC_TYPES.join(', ')}`), 'knowledge'),
  hours: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, HOURS),
      v.transform(Number),
      v.minValue(1, HOURS),
      v.maxValue(MAX_HOURS, HOURS)
    ),
    '24'
  )
})

/** `GET /api/metrics/history` (contract §10): what was measured, oldest first. */
function readHistory({
  context
}: Services): Handler<v.InferOutput<typeof historyQuery>, undefined, Told<typeof historyAnswer>> {
  return async ({ query: { type, hours } }) => {
    if (context.history === null)
      throw new AppError('not-found', because('profile_no_measurements', { profile: context.profile.name }))
    const pieces = [Buffer.from(`{"type":${JSON.stringify(type)},"hours":${hours},"points":[`)]
    let joint = ''
    for (const some of context.history.portions(type, { hours, now: context.now() })) {
      const points = some.map(({ at, json }) => `{"timestamp":"${new Date(at).toISOString()}","data":${json}}`)
      if (points.length > 0) {
        pieces.push(Buffer.from(joint + points.join(',')))
        joint = ','
      }
      await readersTurn()
    }
    return jsonPieces([...pieces, Buffer.from(']}')])
  }
}

export const historyRoutes = (services: Services): Route[] => [
  get('/api/metrics/history', {
    summary: 'What was measured over time.',
    about:
      '`{type, hours, points: [{timestamp, data}]}`, oldest first: one point per 120 s, kept 7 days. `type` is knowledge, radios, feeds, airtime or system; `hours` 1 to 168, 24 unless asked.',
    query: historyQuery,
    answer: historyAnswer,
    handle: readHistory(services)
  })
]
