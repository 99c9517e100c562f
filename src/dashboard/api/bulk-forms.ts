import { join } from 'node:path'
import * as v from 'valibot'
import type { BulkAction } from '../../knowledge/intake/bulk/bulk.ts'
import { parseWith } from '../../platform/config/issues.ts'
import { looseObject } from '../../platform/config/object.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import { notFound } from '../server/problem.ts'
import type { Answer } from '../server/reply.ts'
import { type Call, form, type Handler, type Route } from '../server/route.ts'
import { actOnBulk, bulkBody, idOf, startBulk } from './bulk.ts'
import type { Services } from './services.ts'

const PAGE = '/knowledge/bulk'
const field = v.optional(v.pipe(v.string(), v.maxLength(16_384)), '')

export const bulkForm = looseObject({ text: field, place: field, below: field, category: field })
type BulkForm = v.InferOutput<typeof bulkForm>
export const bulkActForm = looseObject({ do: field })
type BulkActForm = v.InferOutput<typeof bulkActForm>

const ACTIONS: readonly BulkAction[] = ['stop', 'resume', 'retry', 'delete']

/** `POST /knowledge/bulk`: what the API's route begins, asked for by a form. */
function takeBulkForm(services: Services): Handler<unknown, BulkForm> {
  const start = startBulk(services)
  const act = async (call: Call<unknown, BulkForm>): Promise<Answer> => {
    const { text, place, below, category } = call.body
    const folder = place.trim() === '' ? '' : join(place.trim(), below.trim())
    const answer = await start({ ...call, body: parseWith(bulkBody, { text, folder, category }, 'the form') })
    if (!('body' in answer)) return answer
    const { id } = JSON.parse(answer.body) as { id: number }
    return seeOther(`${PAGE}/${id}?done=started`)
  }
  return (call) => operatorForm(services.context, { ...call, back: PAGE }, () => act(call))
}

/** `POST /knowledge/bulk/:id`: what its state offers. */
function actOnBulkForm(services: Services): Handler<unknown, BulkActForm> {
  const handlers = new Map(ACTIONS.map((action) => [action as string, actOnBulk(services, action)]))
  return (call) => {
    const back = `${PAGE}/${idOf(call.params)}`
    return operatorForm(services.context, { ...call, back }, async () => {
      const act = handlers.get(call.body.do)
      if (act === undefined) throw notFound()
      await act({ ...call, body: undefined })
      return seeOther(`${call.body.do === 'delete' ? PAGE : back}?done=${call.body.do}`)
    })
  }
}

export const bulkFormsRoutes = (services: Services): Route[] => [
  form('/knowledge/bulk', { body: bulkForm, handle: takeBulkForm(services) }),
  form('/knowledge/bulk/:id', { body: bulkActForm, handle: actOnBulkForm(services) })
]
