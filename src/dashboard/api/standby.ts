import * as v from 'valibot'
import { isClockSet } from '../../platform/clock/clock-set.ts'
import { strictObject } from '../../platform/config/object.ts'
import { PEER_STATES, type PeerState } from '../../warning/outbox/peer-asker.ts'
import type { PeerQuestion } from '../../warning/outbox/peer-question.ts'
import { peerAnswerSchema, peerQuestionSchema } from '../../warning/outbox/peer-schema.ts'
import type { HttpContext } from '../server/context.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import type { Services } from './services.ts'

/** The newest tags that the answer holds. */
const MOST_HEARD = 50

const heardTag = v.object({
  channel: v.pipe(v.string(), v.description('Where it was heard: `mt:3`, `mc:north`.')),
  code: v.pipe(v.string(), v.description('Code of the thread, as the other station has it.')),
  station: v.pipe(v.string(), v.description('Node id, or the name that stood before the text.')),
  heard_at: v.string()
})
const addressState = v.object({
  order: v.pipe(v.number(), v.description('Its place in the order.')),
  address: v.string(),
  state: v.pipe(
    v.picklist(PEER_STATES),
    v.description(
      'By questions alone. `unknown`: not asked since the start; `answers`; `disbelieved`: what came is no answer of it (another secret or place in the order, or standby is off there); `silent`: nothing came within 3 s.'
    )
  ),
  asked_at: v.nullable(v.string()),
  answered_at: v.pipe(v.nullable(v.string()), v.description('When it last answered.'))
})
const addressesAnswer = v.object({ addresses: v.array(addressState) })
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
  heard: v.pipe(v.array(heardTag), v.description('The newest first.')),
  addresses: v.pipe(v.array(addressState), v.description('Stations that are asked over IP.'))
})

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const addressOf = ({ order, address, state, askedAt, answeredAt }: PeerState): Told<typeof addressState> => ({
  order,
  address,
  state,
  asked_at: timeOf(askedAt),
  answered_at: timeOf(answeredAt)
})

/** The other stations that are asked over IP, as they are told. */
export const askedStations = ({ byIp }: Pick<HttpContext, 'byIp'>): Told<typeof addressState>[] =>
  byIp.states().map(addressOf)

/** `GET /api/standby`: this station's place in the order, and which texts of others it heard. */
function readStandby({
  context: { config, deliveries, byIp, now }
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
    return json({ enabled, order, stations, turns, heard, addresses: askedStations({ byIp }) })
  }
}

/** `POST /api/standby/try`: asks the other stations now whether they answer. */
function tryStations({ context: { byIp } }: Services): Handler<unknown, unknown, Told<typeof addressesAnswer>> {
  return async () => json({ addresses: (await byIp.tryAll()).map(addressOf) })
}

/** `POST /api/standby/question`: another station asks whether this one will say what waits there. Nothing is told to anybody else. */
function answerStation({ context: { byIp } }: Services): Handler<unknown, PeerQuestion, Told<typeof peerAnswerSchema>> {
  return ({ body }) => {
    const answer = byIp.answer(body)
    if (answer === null) throw notFound()
    return json(answer)
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
  }),
  post('/api/standby/try', {
    summary: 'Asks the other stations of `notifications.standby.addresses` whether they answer.',
    about: 'Each is asked once, about no message, for at most 3 s. Answers what is known of each then.',
    body: strictObject({}),
    withoutFolder: true,
    answer: addressesAnswer,
    handle: tryStations(services)
  }),
  post('/api/standby/question', {
    summary: 'For other stations of the same secret: whether this one will say what waits there.',
    about:
      'The question and the answer are sums that nobody else makes or reads (docs/interface.md §6, *Two stations*). 404 for whoever has not the secret, and where this station stands alone.',
    access: 'trial',
    body: peerQuestionSchema,
    refuses: { 404: 'No station of this secret asked, or this one stands alone' },
    withoutFolder: true,
    answer: peerAnswerSchema,
    handle: answerStation(services)
  })
]
