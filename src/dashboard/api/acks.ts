import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { strictObject } from '../../platform/config/object.ts'
import type { Ack } from '../../warning/outbox/ack-store.ts'
import type { HttpContext } from '../server/context.ts'
import { type Asker, authorFor } from '../server/guest.ts'
import type { Identity } from '../server/identity.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { type Handler, post, type Route, type Told } from '../server/route.ts'
import { ackAnswer, type ack as ackShape } from './answers/warnings.ts'
import type { Services } from './services.ts'

export const ackBody = strictObject({
  reason: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'a reason has at most 200 characters')), ''),
    v.description('Why, or who takes care of it.')
  )
})

/** `POST /api/threads/:id/ack`: somebody has it in hand; nothing more follows. `:id` is a thread id or a code (`K7QF`). */
export function acknowledge({
  context
}: Services): Handler<unknown, v.InferOutput<typeof ackBody>, Told<typeof ackAnswer>> {
  return ({ params, body, identity }) => {
    const { ledger, reactions } = context
    const asked = params['id'] ?? ''
    const thread = ledger.thread(asked).length > 0 ? asked : ledger.codes.threadOf(asked)
    if (thread === null) throw notFound()
    const name = nameOf(identity)
    const { ack, stopped } = reactions.acknowledge(thread, { author: name, name, reason: body.reason })
    const alert = ledger.codes.known(thread) ?? thread
    context.audit?.add({ by: name, what: because('audit_acknowledged', { alert, said: body.reason }) })
    return json({
      ok: true,
      thread_id: thread,
      code: ledger.codes.known(thread),
      ack: ackView(ack, { isGuest: false }),
      stopped,
      escalation: reactions.followUp(thread),
      ...unlessStored(context)
    })
  }
}

/** While nothing can be stored a decision counts until the next restart, and the answer says so (contract §6). */
export function unlessStored({ storageFault }: Pick<HttpContext, 'storageFault'>): { stored?: false } {
  return storageFault() === null ? {} : { stored: false }
}

/** The name under which a decision made on the web is remembered. */
export function nameOf(identity: Identity): string {
  return identity.kind === 'idp' || identity.kind === 'token' ? identity.name : 'operator'
}

/** A guest reads the name that somebody goes by on the mesh, not who it is. */
export function ackView({ author, name, reason, at }: Ack, asker: Pick<Asker, 'isGuest'>): Told<typeof ackShape> {
  const shown = name === author ? authorFor(name, asker) : name
  return { author: authorFor(author, asker), name: shown, reason, at: new Date(at).toISOString() }
}

export const acksRoutes = (services: Services): Route[] => [
  post('/api/threads/:id/ack', {
    summary: 'Acknowledges an alert: nothing more follows.',
    about:
      'Body: `{reason?}`. `id` is a thread id or a code. Answers `{ok, thread_id, code, ack: {author, name, reason, at}, stopped, escalation}`; `stopped`: an escalation was open; `stored: false` while nothing can be stored: a restart forgets it then. See [commands.md](commands.md#escalation).',
    body: ackBody,
    withoutFolder: true,
    answer: ackAnswer,
    handle: acknowledge(services)
  })
]
