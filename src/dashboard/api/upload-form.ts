import * as v from 'valibot'
import { parseWith } from '../../platform/config/issues.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { type Content, html } from '../pages/frame/html.ts'
import { documentPath } from '../pages/frame/links.ts'
import { readerOf } from '../pages/frame/reader.ts'
import { operatorForm, refusalPage, seeOther } from '../pages/frame/refusal.ts'
import { HttpError } from '../server/problem.ts'
import type { Answer } from '../server/reply.ts'
import {
  type Call,
  form,
  type Handler,
  type Route,
  type StreamDocs,
  type StreamHandler,
  upload
} from '../server/route.ts'
import { takeTranscript, takeWebPage, webBody } from './intake.ts'
import type { Services } from './services.ts'
import { takeUpload } from './uploads.ts'

const PAGE = '/knowledge/upload'
/** A form of a page: the API documentation leaves it out. */
export const formDocs: StreamDocs = { media: 'multipart/form-data', statuses: [['303', 'On to the page of the file']] }

/** `POST /knowledge/upload`: the form of the page, sent by a browser without a script; answers pages. */
function takeUploadForm(services: Services): StreamHandler<unknown> {
  const take = takeUpload(services)
  return (call, connection) => onwards(services, call, async () => take({ ...call, query: {} }, connection))
}

/** `POST /knowledge/upload/transcript`: the same for captions. */
function takeTranscriptForm(services: Services): StreamHandler<unknown> {
  const take = takeTranscript(services)
  return (call, connection) => onwards(services, call, async () => take(call, connection))
}

const field = v.optional(v.pipe(v.string(), v.maxLength(4096)), '')
export const webForm = looseObject({ url: field, category: field, source_url: field })

/** `POST /knowledge/upload/web`: the same for a web page, by its address. */
function takeWebForm(services: Services): Handler<unknown, v.InferOutput<typeof webForm>> {
  const { context } = services
  const take = takeWebPage(services)
  return (call) =>
    operatorForm(context, { ...call, back: PAGE }, () =>
      onwards(services, call, async () => take({ ...call, body: parseWith(webBody, call.body, 'the form') }))
    )
}

/** Shows what the API's route takes in on the page of the file; tells what it refuses on a page with its status. */
async function onwards(
  { context }: Services,
  { headers, identity }: Call<unknown, unknown>,
  take: () => Promise<Answer>
): Promise<Answer> {
  try {
    const answer = await take()
    if (!('body' in answer)) return answer
    const { hash } = JSON.parse(answer.body) as { hash: string }
    return seeOther(`${documentPath(hash)}?done=received`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { t } = readerOf(context, { headers, identity })
    const more = existing(error, t('The document that is here already'))
    return refusalPage(context, { headers, identity, back: PAGE }, error, more)
  }
}

/** A duplicate says what it is a copy of. */
function existing(error: AppError, text: string): Content {
  if (!(error instanceof HttpError)) return null
  const { existing: found } = error.members
  if (typeof found !== 'object' || found === null || !('hash' in found)) return null
  return html`<p><a href="${documentPath(String(found.hash))}">${text}</a></p>`
}

export const uploadFormRoutes = (services: Services): Route[] => [
  upload('POST', '/knowledge/upload', { access: 'operator', docs: formDocs, handle: takeUploadForm(services) }),
  upload('POST', '/knowledge/upload/transcript', {
    access: 'operator',
    docs: formDocs,
    handle: takeTranscriptForm(services)
  }),
  form('/knowledge/upload/web', { body: webForm, handle: takeWebForm(services) })
]
