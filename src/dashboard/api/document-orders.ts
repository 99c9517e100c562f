import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { DOMAINS, type Document, type Upload } from '../../knowledge/catalogue/document.ts'
import { redoWindows } from '../../knowledge/enrich/redo-windows.ts'
import { REJECTED } from '../../knowledge/intake/rejected.ts'
import { because } from '../../model/reason.ts'
import { strictObject } from '../../platform/config/object.ts'
import { AppError, refusedAt } from '../../platform/errors.ts'
import { documentView } from '../server/document-view.ts'
import { type KnowledgeContext, writableKnowledge } from '../server/knowledge.ts'
import { jsonSaid } from '../server/reply.ts'
import { del, type Handler, order, post, type Route, type Told } from '../server/route.ts'
import { orderedDocumentAnswer, removedDocumentAnswer, retriedAnswer, reviewedAnswer } from './answers/knowledge.ts'
import { documentOf } from './documents.ts'
import type { Services } from './services.ts'

export const reviewBody = strictObject({
  action: v.pipe(
    v.picklist(['domain', 'keep', 'replace', 'discard'], 'an action is domain, keep, replace or discard'),
    v.description(
      'domain: it belongs there. keep: it is no copy. replace: it takes the place of what it copies. discard: it goes.'
    )
  ),
  domain: v.pipe(
    v.exactOptional(v.picklist(DOMAINS, `a domain is one of ${DOMAINS.join(', ')}`)),
    v.description('For the action domain.')
  )
})

type ReviewBody = v.InferOutput<typeof reviewBody>

/** `POST /api/documents/:hash/retry`: back to the stage that failed; of one that is done, the windows the model failed at. */
export function retryDocument({ context }: Services): Handler<unknown, undefined, Told<typeof orderedDocumentAnswer>> {
  return ({ params }) => {
    const { catalogue, wake } = writableKnowledge(context)
    const found = documentOf(catalogue, params)
    if (!catalogue.retry(found.id) && !redoWindows(catalogue, found.id))
      throw new AppError('conflict', because('not_to_retry', { status: found.status }))
    wake()
    return jsonSaid(viewOf(catalogue.byId(found.id) ?? found), { status: 202 })
  }
}

/** `POST /api/documents/retry-failed`: all of them; what was left out on purpose stays. */
export function retryFailed({ context }: Services): Handler<unknown, undefined, Told<typeof retriedAnswer>> {
  return () => {
    const { catalogue, wake } = writableKnowledge(context)
    const retried = catalogue.retryAll()
    wake()
    return jsonSaid({ ok: true, retried }, { status: 202 })
  }
}

/** `DELETE /api/documents/:hash`: everything of it goes, in the background; of a file that was not taken in, at once. */
export function removeDocument({ context }: Services): Handler<unknown, undefined, Told<typeof removedDocumentAnswer>> {
  return async ({ params }) => {
    const knowledge = writableKnowledge(context)
    const { catalogue, wake } = knowledge
    const refused = refusedUpload(knowledge, params)
    if (refused !== null) {
      knowledge.uploads.forget(refused.hash)
      await rm(join(knowledge.folder, REJECTED, refused.hash), { recursive: true, force: true })
      return jsonSaid({ ok: true, hash: refused.hash, filename: refused.filename, state: 'removed' }, { status: 202 })
    }
    const { id, hash, filename } = documentOf(catalogue, params)
    catalogue.discard(id)
    wake()
    return jsonSaid({ ok: true, hash, filename, state: 'removing' }, { status: 202 })
  }
}

/** The record of a file that did not become a document, and will not. */
function refusedUpload(
  { catalogue, uploads }: KnowledgeContext,
  params: Readonly<Record<string, string>>
): Upload | null {
  const hash = (params['hash'] ?? '').toLowerCase()
  const found = catalogue.byHash(hash) === null ? uploads.get(hash) : null
  return found?.state === 'rejected' || found?.state === 'duplicate' ? found : null
}

/** `POST /api/documents/:hash/review`: somebody's decision. */
export function reviewDocument({ context }: Services): Handler<unknown, ReviewBody, Told<typeof reviewedAnswer>> {
  return async ({ params, body }) => {
    const knowledge = writableKnowledge(context)
    const { catalogue, wake } = knowledge
    const found = documentOf(catalogue, params)
    if (body.action === 'domain') {
      if (body.domain === undefined) throw refusedAt('/domain', 'rule', because('name_the_domain'))
      await knowledge.decideDomain(found.id, body.domain)
    } else catalogue.transaction(() => decide(knowledge, found, body))
    wake()
    const now = catalogue.byId(found.id) ?? found
    return jsonSaid({ ...viewOf(now), removing: catalogue.isBeingRemoved(found.id) })
  }
}

function decide({ catalogue }: KnowledgeContext, found: Document, { action }: ReviewBody): void {
  if (action === 'domain') return
  if (found.review === null) throw new AppError('conflict', because('nothing_to_decide'))
  if (action === 'replace' && catalogue.byHash(found.review.duplicate_of ?? '') === null)
    throw new AppError('conflict', because('original_is_gone'))
  catalogue[action](found.id)
}

const viewOf = (document: Document) => ({
  ok: true as const,
  document: documentView(document)
})

export const documentOrdersRoutes = (services: Services): Route[] => [
  order('/api/documents/retry-failed', {
    summary: 'Tries every failed document again.',
    about: 'No body. Answers `{ok, retried}`. Skipped documents stay as they are.',
    done: [202, 'Done'],
    answer: retriedAnswer,
    handle: retryFailed(services)
  }),
  del('/api/documents/:hash', {
    summary: 'Removes a document and everything of it.',
    about:
      'Answers `{ok, hash, filename, state: "removing"}`: rows, pages, items, vectors and files go in the background; the document is 404 then, and may be uploaded again.',
    done: [202, 'Begun'],
    answer: removedDocumentAnswer,
    handle: removeDocument(services)
  }),
  order('/api/documents/:hash/retry', {
    summary: 'Tries a document again.',
    about: 'No body. Answers `{ok, document}`: it is back at the stage that failed. A skipped one is looked at again.',
    done: [202, 'Done'],
    refuses: { 409: 'It has not failed' },
    answer: orderedDocumentAnswer,
    handle: retryDocument(services)
  }),
  post('/api/documents/:hash/review', {
    summary: 'Decides about a document.',
    about: 'Body: `{action, domain?}`. Answers `{ok, document, removing}`. 409: there is nothing to decide.',
    body: reviewBody,
    refuses: { 409: 'There is nothing to decide' },
    answer: reviewedAnswer,
    handle: reviewDocument(services)
  })
]
