import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import type { HttpContext } from '../server/context.ts'
import type { Identity } from '../server/identity.ts'
import { jsonSaid } from '../server/reply.ts'
import { form, get, type Handler, post, type Route } from '../server/route.ts'
import type { UpdatePort } from '../server/update.ts'
import { nameOf } from './acks.ts'
import type { Services } from './services.ts'

const PAGE = '/update'

const bundleSchema = v.strictObject({
  name: v.string(),
  size: v.pipe(v.number(), v.description('Bytes, compressed.')),
  sha256: v.string(),
  refused: v.pipe(
    v.nullable(v.string()),
    v.description('Why it is not taken; null when it is, or while it is looked at.')
  ),
  facts: v.pipe(
    v.nullable(
      v.strictObject({
        version: v.string(),
        arch: v.string(),
        made_at: v.string(),
        development: v.pipe(v.boolean(), v.description('Signed with a key that was made for development.')),
        key: v.pipe(v.string(), v.description('Fingerprint of the key that signed it.')),
        files: v.number(),
        bytes: v.pipe(v.number(), v.description('Unpacked.')),
        order: v.pipe(v.picklist(['newer', 'same', 'older']), v.description('Beside the release that runs.')),
        fits: v.pipe(v.boolean(), v.description('Made for this machine.'))
      })
    ),
    v.description('What its signed manifest says, once it was found whole.')
  )
})

const answerSchema = v.strictObject({
  way: v.pipe(
    v.picklist(['page', 'package', 'image', 'by_hand']),
    v.description(
      'How a release comes here: from the page, with apt, with a newer image of the card, or by whoever started the program.'
    )
  ),
  version: v.string(),
  platform: v.pipe(v.string(), v.description('The ending of the name of a bundle for this machine.')),
  busy: v.nullable(v.picklist(['copying', 'checking', 'installing'])),
  bundle: v.nullable(bundleSchema),
  last: v.pipe(
    v.nullable(
      v.strictObject({
        outcome: v.picklist(['updated', 'rolled_back', 'refused', 'failed']),
        reason: v.nullable(v.string()),
        from: v.string(),
        to: v.string(),
        at: v.pipe(v.string(), v.description('RFC 3339.'))
      })
    ),
    v.description('How the last installation ended.')
  )
})

function answerOf(updates: UpdatePort) {
  const { bundle, last, ...state } = updates.state()
  return { ...state, bundle, last: last === null ? null : { ...last, at: new Date(last.at).toISOString() } }
}

/** @throws AppError `unavailable` in a preview. */
export function updatesOf({ updates }: HttpContext): UpdatePort {
  if (updates === null) throw new AppError('unavailable', because('update_not_here'))
  return updates
}

const installSchema = looseObject({
  older: v.pipe(v.exactOptional(v.boolean(), false), v.description('An older release may come too.'))
})

const fields = looseObject({
  do: v.picklist(['take', 'install', 'discard']),
  path: v.exactOptional(v.string(), ''),
  older: v.exactOptional(v.string())
})
type Fields = v.InferOutput<typeof fields>

async function obey(context: HttpContext, identity: Identity, body: Fields): Promise<void> {
  const updates = updatesOf(context)
  if (body.do === 'take') await updates.take(body.path)
  else if (body.do === 'discard') await updates.discard()
  else await updates.install({ older: body.older !== undefined, by: nameOf(identity) })
}

/** `POST /update`: the forms of the page. */
function byForm({ context }: Services): Handler<unknown, Fields> {
  return ({ headers, identity, body }) =>
    operatorForm(context, { headers, identity, back: PAGE }, async () => {
      await obey(context, identity, body)
      return seeOther(PAGE)
    })
}

export const updateRoutes = (services: Services): Route[] => [
  get('/api/update', {
    access: 'operator',
    summary: 'The release that runs, the bundle that is here, and how the last installation ended.',
    about: 'A bundle comes by `POST /api/update/uploads` (tus), or from a stick by the page.',
    answer: answerSchema,
    refuses: { 503: 'A preview changes nothing' },
    handle: () => jsonSaid(answerOf(updatesOf(services.context)))
  }),
  post('/api/update/install', {
    access: 'operator',
    summary: 'Installs the bundle that is here.',
    about:
      'Root looks at its signature once more, backs up the data, installs it, and takes it back when it does not come up healthy: `GET /api/update` tells. The program is started anew meanwhile. The audit log has who asked for it.',
    body: installSchema,
    answer: answerSchema,
    refuses: {
      409: 'No bundle that may be installed, or one is being installed',
      503: 'Nothing here installs a release'
    },
    handle: async ({ identity, body }) => {
      const updates = updatesOf(services.context)
      await updates.install({ older: body.older, by: nameOf(identity) })
      return jsonSaid(answerOf(updates))
    }
  }),
  form(PAGE, { body: fields, handle: byForm(services) })
]
