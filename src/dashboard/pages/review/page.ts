import * as v from 'valibot'
import { toast } from '../../../../web/shared/parts.js'
import type { Document } from '../../../knowledge/catalogue/document.ts'
import { badgeOf } from '../../../knowledge/catalogue/listing.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { reviewBox } from '../document/document-review.ts'
import { type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { address, cursorOf, loose, pager } from '../frame/log-filters.ts'
import { paragraphs } from '../frame/prose-text.ts'
import { shorten } from '../frame/reader.ts'
import { type KnowledgeReader, knowledgeHandler } from '../knowledge/knowledge-frame.ts'
import { badgeMark, nameOf, statusMark } from '../knowledge/knowledge-words.ts'

const PER_PAGE = 20
const PATH = '/knowledge/review'

export const reviewPageQuery = v.object({ cursor: loose, done: loose })

/** `GET /knowledge/review`: documents somebody should decide about, each with its choices. Complete without a script. */
function readReviewPage(services: Services): Handler<v.InferOutput<typeof reviewPageQuery>, undefined> {
  return knowledgeHandler(services, (reader, { query }) => {
    const { knowledge, t } = reader
    const cursor = cursorOf(query.cursor)
    const { documents, next } = knowledge.catalogue.list({ review: true, cursor, limit: PER_PAGE })
    const open = documents.filter(({ id }) => !knowledge.catalogue.isBeingRemoved(id))
    const entries = open.map((document) => entry(document, reader))
    const body = [
      query.done === '' ? null : toast({ html }, t('Done.')),
      open.length === 0
        ? html`<p>${t('Nothing waits for a decision.')}</p>`
        : html`<p class="quiet">${t('A document without a domain is found all the same. One that is probably a copy is not indexed until somebody has decided.')}</p><ul class="reviews">${entries}</ul>`,
      pager(
        {
          newest: cursor === undefined ? null : PATH,
          older: next === null ? null : address(PATH, { cursor: next })
        },
        t
      )
    ]
    return { title: t('Decide'), path: PATH, body }
  })
}

/** The document with as much of its text as it takes to decide. */
function entry(document: Document, reader: KnowledgeReader): Html {
  const { t, knowledge } = reader
  const { id, hash, kind, author, status, filename } = document
  const about = [author, document.title === '' ? '' : filename].filter((text) => text !== '')
  const begin = paragraphs((knowledge.catalogue.page(id, 1)?.text ?? '').slice(0, 2000))
  const first = begin.map(({ text }) => text).join(' ')
  return html`<li class="card" data-key="${hash}"><p class="named">${badgeMark(badgeOf(kind), t)} <a href="${documentPath(hash)}">${shorten(nameOf(document), 160)}</a> ${statusMark(status, t)}</p>
${about.length === 0 ? null : html`<p class="quiet">${shorten(about.join(' · '), 200)}</p>`}
${first === '' ? null : html`<p class="excerpt">${shorten(first, 280)}</p>`}
${reviewBox(document, reader, PATH)}</li>
`
}

export const reviewPage = (services: Services): Route =>
  get('/knowledge/review', {
    about: 'Documents that wait for a decision.',
    query: reviewPageQuery,
    handle: readReviewPage(services)
  })
