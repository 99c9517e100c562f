import { familyKeys } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { strictObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { parseEventInput } from '../../warning/events/input.ts'
import { testText } from '../../warning/messages/test-text.ts'
import { clockText } from '../../warning/messages/times.ts'
import { type NetworkOutcome, sendOverNetwork } from '../../warning/outbox/network-send.ts'
import type { Target } from '../../warning/routing/decision.ts'
import { targetsOfDestination } from '../../warning/routing/rules.ts'
import type { Destination } from '../../warning/routing/settings.ts'
import type { HttpContext } from '../server/context.ts'
import { notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import { type Handler, post, type Route, type Told } from '../server/route.ts'
import { destinationTestAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** A test that has not left by then is no test any more. */
const WORTH_MS = 10 * 60_000

/**
 * `POST /api/notifications/destinations/:name/test`: what the destination really does with a message that says it is a test. A server is
 * asked once, here and now; a mesh gets its text through the outbox, under pacing and airtime like every other. Contract §5.
 */
function testDestination({ context }: Services): Handler<unknown, unknown, Told<typeof destinationTestAnswer>> {
  return async ({ params }) => {
    if (context.mode === 'preview') throw new AppError('unavailable', because('preview_transmits_nothing'))
    const name = params['name'] ?? ''
    const { settings, targets } = destinationOf(context, name)
    const ofMesh = targets.filter(isOfMesh)
    if (ofMesh.length > 0) return jsonSaid(queued(context, name, ofMesh))
    const outcome = await attempt(context, settings, targets[0])
    return outcome.kind === 'sent'
      ? jsonSaid({ ok: true, state: 'taken' as const, reason: null, deliveries: [] })
      : jsonSaid({ ok: false, state: 'refused' as const, reason: outcome.reason, deliveries: [] })
  }
}

type MeshTarget = Target & { transport: 'mt' | 'mc' }
const isOfMesh = (target: Target): target is MeshTarget => target.transport === 'mt' || target.transport === 'mc'

/** A destination as it was saved, and where it sends. Throws `not-found`, and `conflict` with what it lacks. */
function destinationOf(
  context: HttpContext,
  name: string
): { settings: Destination; targets: readonly [Target, ...Target[]] } {
  const { notifications } = context.config.current()
  if (!notifications.enabled) throw new AppError('conflict', because('notifications_are_off'))
  const settings = Object.hasOwn(notifications.destinations, name) ? notifications.destinations[name] : undefined
  if (settings === undefined) throw notFound()
  const { targets, trace } = targetsOfDestination(name, notifications)
  const [first, ...others] = targets
  if (first !== undefined) return { settings, targets: [first, ...others] }
  const [lack] = trace
  throw new AppError('conflict', lack === undefined ? because('not_ready') : { code: lack.code, params: lack.params })
}

function attempt({ config, now }: HttpContext, settings: Destination, { transport }: Target): Promise<NetworkOutcome> {
  const { station, families } = config.current()
  const at = now()
  const event = parseEventInput(
    {
      id: `test-${at}`,
      source: 'test',
      family: 'mesh_health',
      severity: 'routine',
      title: `TEST ${station.name}`,
      summary: `A test of this destination at ${clockText(at, station)}. Nothing has happened.`,
      sent_at: new Date(at).toISOString()
    },
    { now: at, families: familyKeys(families) }
  )
  return sendOverNetwork({ transport, content: { kind: 'test' }, regions: [] }, event, settings)
}

function queued(context: HttpContext, name: string, targets: readonly MeshTarget[]) {
  const config = context.config.current()
  const now = context.now()
  const deliveries = targets.map(({ transport, channel, direct }) => {
    const node = context.radios().find(({ network }) => network === transport)?.node_name ?? ''
    return context.addText({
      kind: 'test',
      transport,
      channel,
      direct,
      text: testText(config, { transport, channel, direct }, { nodeName: node, nowMs: now }),
      key: `${name}:${channel}:${now}`,
      expiresAt: now + WORTH_MS
    })
  })
  return { ok: true, state: 'queued' as const, reason: null, deliveries }
}

export const destinationTestRoutes = (services: Services): Route[] => [
  post('/api/notifications/destinations/:name/test', {
    summary: 'Tries a destination.',
    about:
      'A message that says it is a test goes to a destination of the saved configuration. Answers `{ok, state, reason, deliveries}`: `taken` or `refused` (with the reason) by a mail server, webhook or ntfy, which is asked once; `queued` with the ids of the messages for a mesh, where it is transmitted for real. 409: something the destination needs is missing, or notifications are off. 503 in preview.',
    body: strictObject({}),
    done: [200, 'Tried, or in the queue'],
    refuses: { 409: 'Notifications are off, or the destination lacks a setting' },
    withoutFolder: true,
    answer: destinationTestAnswer,
    handle: testDestination(services)
  })
]
