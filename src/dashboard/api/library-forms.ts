import * as v from 'valibot'
import type { RemovalReport } from '../../knowledge/library/library.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { operatorForm, refusalPage, seeOther } from '../pages/frame/refusal.ts'
import { LIBRARY } from '../pages/library/library-frame.ts'
import { removedAddress } from '../pages/library/library-removal.ts'
import { libraryOf } from '../server/library.ts'
import { notFound } from '../server/problem.ts'
import type { Answer } from '../server/reply.ts'
import { type Call, form, type Handler, type Route, type StreamHandler, upload } from '../server/route.ts'
import { removeSource, retrySource, setIngest, takeArchive } from './library.ts'
import type { Services } from './services.ts'
import { formDocs } from './upload-form.ts'

const field = v.optional(v.pipe(v.string(), v.maxLength(64)), '')

export const sourceForm = looseObject({ do: field })

/** `POST /library`: the form of the page, sent by a browser without a script; answers pages. */
function takeArchiveForm(services: Services): StreamHandler<unknown> {
  const { context } = services
  const take = takeArchive(services)
  return async (call, connection) => {
    const { headers, identity } = call
    try {
      const answer = await take({ ...call, query: { filename: '' } }, connection)
      if (!('body' in answer)) return answer
      const { pending } = JSON.parse(answer.body) as { pending: string[] }
      return seeOther(`${LIBRARY}?done=${pending.includes('detection') ? 'arrived' : 'received'}`)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return refusalPage(context, { headers, identity, back: LIBRARY }, error)
    }
  }
}

/** `POST /library/:id`: what the API's routes do with an archive, asked for by the forms of a page. */
function actOnSource(services: Services): Handler<unknown, v.InferOutput<typeof sourceForm>> {
  const { context } = services
  const [ingest, retry, remove] = [setIngest(services), retrySource(services), removeSource(services)]
  const act = async (call: Call<unknown, v.InferOutput<typeof sourceForm>>): Promise<Answer> => {
    const { do: what } = call.body
    if (what === 'read' || what === 'pause') {
      await ingest({ ...call, body: { enabled: what === 'read' } })
      return seeOther(LIBRARY)
    }
    if (what === 'retry') {
      await retry({ ...call, body: undefined })
      return seeOther(`${LIBRARY}?done=retry`)
    }
    if (what !== 'remove') throw notFound()
    const { title } = libraryOf(context).one(Number(call.params['id']), undefined)
    const answer = await remove({ ...call, body: undefined })
    return 'body' in answer ? seeOther(removedAddress(title, JSON.parse(answer.body) as RemovalReport)) : answer
  }
  return (call) => {
    const { headers, identity } = call
    return operatorForm(context, { headers, identity, back: LIBRARY }, () => act(call))
  }
}

export const libraryFormsRoutes = (services: Services): Route[] => [
  upload('POST', '/library', { access: 'operator', docs: formDocs, handle: takeArchiveForm(services) }),
  form('/library/:id', { body: sourceForm, handle: actOnSource(services) })
]
