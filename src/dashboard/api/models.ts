import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'
import { applyChange } from '../editing/settings-document.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import type { HttpContext } from '../server/context.ts'
import type { Identity } from '../server/identity.ts'
import { knowledgeOf, writableKnowledge } from '../server/knowledge.ts'
import { jsonSaid } from '../server/reply.ts'
import { del, form, get, type Handler, order, type Route } from '../server/route.ts'
import { nameOf } from './acks.ts'
import { modelsAnswer } from './answers/models.ts'
import type { Services } from './services.ts'

const PAGE = '/knowledge/models'

const fields = looseObject({
  do: v.picklist(['use', 'remove']),
  name: v.pipe(v.string(), v.maxLength(256))
})
type Fields = v.InferOutput<typeof fields>

async function answerOf(context: HttpContext) {
  const { models, halves, absent, looking } = await knowledgeOf(context).models.state()
  return {
    models: models.map(({ name, bytes, facts, refused, inUse }) => ({
      name,
      bytes,
      dims: facts?.dims ?? null,
      words: facts?.words ?? null,
      refused,
      in_use: inUse
    })),
    halves,
    absent,
    looking
  }
}

/** By the way of every setting: it is checked, told in the audit log, and may be taken back there. */
async function use(context: HttpContext, identity: Identity, name: string): Promise<void> {
  await writableKnowledge(context).models.checkUsable(name)
  const set = { '/knowledge/embedding/provider': 'static', '/knowledge/embedding/model': name }
  await context.config.update((raw) => applyChange(raw, { set, remove: [] }), { by: nameOf(identity) })
}

/** `POST /knowledge/models`: the forms of the page. */
function byForm({ context }: Services): Handler<unknown, Fields> {
  return ({ headers, identity, body }) =>
    operatorForm(context, { headers, identity, back: PAGE }, async () => {
      if (body.do === 'use') await use(context, identity, body.name)
      else await writableKnowledge(context).models.remove(body.name)
      return seeOther(`${PAGE}?done=${body.do}`)
    })
}

export const modelsRoutes = (services: Services): Route[] => [
  get('/api/knowledge/models', {
    access: 'operator',
    summary: 'The models of meaning that the owner has brought.',
    about:
      '`{models: [{name, bytes, dims, words, refused, in_use}], halves: [{name, here, missing}], absent, looking}`. `dims` and `words` are null while nobody has opened a model since it came, which then begins, and of one that cannot be used: `refused` says why. `halves` are models of which one file has come; they are forgotten after a day. `absent` is a model that the settings name and that is not here. Files come by `POST /api/knowledge/models/:name/uploads` (tus).',
    answer: modelsAnswer,
    refuses: { 404: 'The profile has no knowledge' },
    handle: async () => jsonSaid(await answerOf(services.context))
  }),
  order('/api/knowledge/models/:name/use', {
    summary: 'Makes a model the one that is used.',
    about:
      'No body. Sets `knowledge.embedding.provider` to `static` and `knowledge.embedding.model` to its name. Everything is embedded again, in the background: `GET /api/knowledge` tells how far it is.',
    answer: modelsAnswer,
    refuses: { 404: 'Not here', 409: 'It cannot be used, and why', 503: 'A preview changes nothing' },
    handle: async ({ params, identity }) => {
      await use(services.context, identity, params['name'] ?? '')
      return jsonSaid(await answerOf(services.context))
    }
  }),
  del('/api/knowledge/models/:name', {
    summary: 'Removes a model, or what has come of one.',
    about: 'Never the one that is in use.',
    answer: modelsAnswer,
    refuses: { 404: 'Not here', 409: 'It is in use', 503: 'A preview changes nothing' },
    handle: async ({ params }) => {
      await writableKnowledge(services.context).models.remove(params['name'] ?? '')
      return jsonSaid(await answerOf(services.context))
    }
  }),
  form(PAGE, { body: fields, handle: byForm(services) })
]
