import { looseObject } from '../../platform/config/object.ts'
import type { PinnedKey } from '../../warning/outbox/pinned-keys.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { del, form, get, type Handler, type Route, type Told } from '../server/route.ts'
import { unlessStored } from './acks.ts'
import { adminKeysAnswer, forgottenKeyAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

const RADIOS = '/radios'

/** `GET /api/admin-keys`: who may act by radio is nobody's business but the operator's. */
function listKeys({ context }: Services): Handler<unknown, undefined, Told<typeof adminKeysAnswer>> {
  return () => json({ keys: context.reactions.keys.list().map(keyView) })
}

/** `DELETE /api/admin-keys/:node`: the next key of the node is pinned instead. */
function forgetKey({ context }: Services): Handler<unknown, undefined, Told<typeof forgottenKeyAnswer>> {
  return ({ params }) => {
    if (!context.reactions.keys.forget(params['node'] ?? '')) throw notFound()
    return json({ ok: true, ...unlessStored(context) })
  }
}

function forgetByForm({ context }: Services): Handler<unknown, object> {
  return ({ headers, identity, params }) =>
    operatorForm(context, { headers, identity, back: RADIOS }, () => {
      if (!context.reactions.keys.forget(params['node'] ?? '')) throw notFound()
      return seeOther(RADIOS)
    })
}

function keyView({ node, key, firstSeen, other }: PinnedKey): Told<typeof adminKeysAnswer>['keys'][number] {
  return {
    node,
    key,
    first_seen: new Date(firstSeen).toISOString(),
    other: other === null ? null : { key: other.key, at: new Date(other.at).toISOString() }
  }
}

export const adminKeysRoutes = (services: Services): Route[] => [
  get('/api/admin-keys', {
    access: 'operator',
    summary: "Keys of admins' Meshtastic nodes, pinned at first use.",
    about:
      '`{keys: [{node, key, first_seen, other: {key, at} | null}]}`; `other`: the newest key under this id that was refused. See [commands.md](commands.md#who-is-who).',
    answer: adminKeysAnswer,
    handle: listKeys(services)
  }),
  del('/api/admin-keys/:node', {
    summary: 'Forgets a pinned key: the next one is pinned.',
    about: '`:node` is the id (`!a1b2c3d4`). Answers `{ok, stored?: false}`; 404 when none is pinned.',
    withoutFolder: true,
    answer: forgottenKeyAnswer,
    handle: forgetKey(services)
  }),
  form('/radios/keys/:node', { body: looseObject({}), withoutFolder: true, handle: forgetByForm(services) })
]
