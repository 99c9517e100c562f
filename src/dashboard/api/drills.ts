import * as v from 'valibot'
import { DRILL_CATEGORY } from '../../model/event.ts'
import { familyKeys, listFamilies } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { strictObject } from '../../platform/config/object.ts'
import { AppError, refusedAt } from '../../platform/errors.ts'
import { parseEventInput } from '../../warning/events/input.ts'
import { firstRunDocument } from '../editing/first-run-document.ts'
import { json } from '../server/reply.ts'
import { type Handler, post, type Route, type Told } from '../server/route.ts'
import { drillAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** A drill that has not gone out by then proves nothing any more. */
const WORTH_MS = 10 * 60_000

const drillBody = strictObject({
  region: v.pipe(v.string('a region is a name'), v.description('A named area: the made-up event lies in it.')),
  family: v.pipe(v.string('a family is a text'), v.description('The row of the matrix that is tried.'))
})

/**
 * `POST /api/drills`: a made-up event of the gravest kind goes the whole way, from the tagging over the matrix to the radios, and says DRILL
 * in every text. It is never in force, and what became of it stands in its trace.
 */
function startDrill({
  context
}: Services): Handler<unknown, v.InferOutput<typeof drillBody>, Told<typeof drillAnswer>> {
  return async ({ body: { region, family } }) => {
    if (context.mode === 'preview') throw new AppError('unavailable', because('preview_transmits_nothing'))
    const config = context.config.current()
    const area = firstRunDocument(config, context.config.raw()).areas.find(({ name }) => name === region)
    if (area?.probe == null) throw refusedAt('/region', 'choice', because('drill_needs_area', { region }))
    if (!listFamilies(config.families).some(({ key }) => key === family))
      throw refusedAt('/family', 'choice', because('drill_needs_family', { family }))
    const now = context.now()
    const made = {
      id: `drill-${now}`,
      source: 'drill',
      category: DRILL_CATEGORY,
      family,
      severity: 'immediate',
      title: `DRILL, no danger: ${config.station.name}`,
      sent: new Date(now).toISOString(),
      expires: new Date(now + WORTH_MS).toISOString(),
      data: { drill: true },
      ...area.probe
    }
    const event = parseEventInput(made, { now, families: familyKeys(config.families) })
    await context.acceptEvents([event])
    return json({ ok: true, id: event.id, source: event.source, title: event.title }, { status: 202 })
  }
}

export const drillsRoutes = (services: Services): Route[] => [
  post('/api/drills', {
    summary: 'Sends a drill the whole way of a warning.',
    about:
      'Body: `{region, family}`. A made-up event (`data.drill`) in the area goes through tags, matrix and radios; its texts begin with DRILL. It is never in force and ends after 10 minutes. Answers `{ok, id, source, title}`; `GET /api/events/:id/trace?source=drill` tells how far it came. 503 in preview.',
    body: drillBody,
    done: [202, 'Done'],
    answer: drillAnswer,
    handle: startDrill(services)
  })
]
