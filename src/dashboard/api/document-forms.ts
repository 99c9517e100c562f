import * as v from 'valibot'
import { parseWith } from '../../platform/config/issues.ts'
import { looseObject } from '../../platform/config/object.ts'
import { documentPath } from '../pages/frame/links.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import { writableKnowledge } from '../server/knowledge.ts'
import { notFound } from '../server/problem.ts'
import type { Answer } from '../server/reply.ts'
import { type Call, form, type Handler, type Route } from '../server/route.ts'
import { removeDocument, retryDocument, retryFailed, reviewBody, reviewDocument } from './document-orders.ts'
import type { Services } from './services.ts'

const field = v.optional(v.pipe(v.string(), v.maxLength(256)), '')

export const documentForm = looseObject({ do: field, domain: field, back: field })
export const knowledgeForm = looseObject({ do: field })

type DocumentForm = v.InferOutput<typeof documentForm>

/** The pages to which a form may send its reader afterwards, besides the page of the document. */
const BACKS = ['/knowledge', '/knowledge/review']

/** `POST /documents/:hash`: what the API's routes do, asked for by the forms of a page. */
function actOnDocument(services: Services): Handler<unknown, DocumentForm> {
  const { context } = services
  const [retry, remove, review] = [retryDocument(services), removeDocument(services), reviewDocument(services)]
  const act = (call: Call<unknown, DocumentForm>): Answer | Promise<Answer> => {
    const { do: what, domain } = call.body
    if (what === 'retry') return retry({ ...call, body: undefined })
    if (what === 'delete') return remove({ ...call, body: undefined })
    const asked = what === 'domain' ? { action: what, domain } : { action: what }
    return review({ ...call, body: parseWith(reviewBody, asked, 'the form') })
  }
  return (call) => {
    const { params, body, headers, identity } = call
    const back = BACKS.find((path) => path === body.back) ?? documentPath(params['hash'] ?? '')
    return operatorForm(context, { headers, identity, back }, async () => {
      await act(call)
      return seeOther(`${back}?done=${body.do}`)
    })
  }
}

/** `POST /knowledge`: what failed or is held is tried again, all of it. */
function actOnKnowledge(services: Services): Handler<unknown, v.InferOutput<typeof knowledgeForm>> {
  const { context } = services
  const again = retryFailed(services)
  return (call) => {
    const { body, headers, identity } = call
    return operatorForm(context, { headers, identity, back: '/knowledge' }, async () => {
      if (body.do === 'retry-all') await again({ ...call, body: undefined })
      else if (body.do === 'release') release(services)
      else throw notFound()
      return seeOther(`/knowledge?done=${body.do}`)
    })
  }
}

function release({ context }: Services): void {
  const { jobs, wake } = writableKnowledge(context)
  jobs.releaseHeld()
  wake()
}

export const documentFormsRoutes = (services: Services): Route[] => [
  form('/knowledge', { body: knowledgeForm, handle: actOnKnowledge(services) }),
  form('/documents/:hash', { body: documentForm, handle: actOnDocument(services) })
]
