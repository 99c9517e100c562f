import * as v from 'valibot'
import { isClockSet } from '../../platform/clock/clock-set.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import type { Services } from './services.ts'

/** The newest tags that the answer holds. */
const MOST_HEARD = 50

const heardTag = v.object({
  channel: v.pipe(v.string(), v.description('Where it was heard: `mt:3`, `mc:north`.')),
  code: v.pipe(v.string(), v.description('Code of the thread, as the other station has it.')),
  station: v.pipe(v.string(), v.description('Node id, or the name that stood before the text.')),
  heard_at: v.string()
})
const standbyAnswer = v.object({
  enabled: v.boolean(),
  order: v.number(),
  stations: v.number(),
  turns: v.pipe(
    v.picklist(['slots', 'chance']),
    v.description(
      '`slots`: stations begin at different times of the common clock, so that no two texts cross. `chance`: the clock of this station was never set, so two may.'
    )
  ),
  heard: v.pipe(v.array(heardTag), v.description('The newest first.'))
})

/** `GET /api/standby`: this station's place in the order, and which texts of others it heard. */
function readStandby({
  context: { config, deliveries, now }
}: Services): Handler<unknown, undefined, Told<typeof standbyAnswer>> {
  return () => {
    const { enabled, order, stations } = config.current().notifications.standby
    const turns = isClockSet(now()) ? 'slots' : 'chance'
    const heard = deliveries.heardTags(MOST_HEARD).map(({ channelKey, code, peer, heardAt }) => ({
      channel: channelKey,
      code,
      station: peer,
      heard_at: new Date(heardAt).toISOString()
    }))
    return json({ enabled, order, stations, turns, heard })
  }
}

export const standbyRoutes = (services: Services): Route[] => [
  get('/api/standby', {
    summary: 'Tells which texts of other stations were heard.',
    about:
      'This station’s place among several that say each alert once (`notifications.standby`), and the tags of the others it heard, for a day.',
    access: 'operator',
    answer: standbyAnswer,
    handle: readStandby(services)
  })
]
