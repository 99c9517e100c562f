import * as v from 'valibot'
import { stepper, toast } from '../../../../web/shared/parts.js'
import { bytesText } from '../../../../web/shared/times.js'
import type { Document, Upload } from '../../../knowledge/catalogue/document.ts'
import { badgeOf } from '../../../knowledge/catalogue/listing.ts'
import type { UploadStatus } from '../../../knowledge/catalogue/states.ts'
import { jobOf, uploadStatus } from '../../../knowledge/catalogue/status.ts'
import type { Reason } from '../../../model/reason.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { loose } from '../frame/log-filters.ts'
import { shorten } from '../frame/reader.ts'
import { pageTime } from '../frame/times.ts'
import { type KnowledgePage, type KnowledgeReader, knowledgeHandler, section } from '../knowledge/knowledge-frame.ts'
import {
  badgeMark,
  isOver,
  itemsText,
  languageName,
  nameOf,
  pagesText,
  statusMark,
  stepsOf,
  waitWords
} from '../knowledge/knowledge-words.ts'
import { actionSection, retryForm } from './document-actions.ts'
import { factList, factSections, sourceName } from './document-facts.ts'
import { reviewBox } from './document-review.ts'
import { textSections } from './document-text.ts'

const documentPageQuery = v.object({ page: loose, q: loose, done: loose })

/** `GET /documents/:hash`: one document, or one file on its way to be one. Complete without a script. */
function readDocumentPage(services: Services): Handler<v.InferOutput<typeof documentPageQuery>, undefined> {
  return knowledgeHandler(services, async (reader, { params, query }) => {
    const hash = params['hash'] ?? ''
    const document = reader.knowledge.catalogue.byHash(hash)
    if (document === null) return uploadPage(hash, query.done, reader)
    const page = /^\d{1,7}$/.test(query.page) ? Number(query.page) : 1
    const body = [
      html`<div id="content">${doneNotice(query.done, reader)}${lede(document, reader)}${standing(document, reader)}</div>`,
      html`<div id="review">${reviewBox(document, reader)}</div>`,
      textSections(document, { page, q: query.q }, reader),
      factSections(document, reader),
      actionSection(document, reader)
    ]
    const data = { settled: isOver(document.status) }
    const path = documentPath(document.hash)
    return { title: shorten(nameOf(document), 200), path, body, script: 'pages/document/script.js', data }
  })
}

/** The notice of what a form has just done. */
function doneNotice(done: string, { t }: KnowledgeReader): Html | null {
  const words: Readonly<Record<string, string>> = {
    received: t('It has arrived. This page follows it to the end.'),
    retry: t('It is tried again.'),
    domain: t('The domain is changed.'),
    keep: t('It is kept and goes on.'),
    replace: t('It takes the place of the older one, which is being deleted.')
  }
  const said = words[done]
  return said === undefined ? null : toast({ html }, said)
}

function lede(document: Document, reader: KnowledgeReader): Html {
  const { language, t } = reader
  const { kind, author, year, domain, pageCount, itemCount } = document
  const about: Content[] = [
    badgeMark(badgeOf(kind), t),
    statusMark(document.status, t),
    author,
    year,
    t.term(domain),
    languageName(document.language, language, t),
    pageCount === 0 ? '' : pagesText(pageCount, reader),
    itemCount === 0 ? '' : itemsText(itemCount, reader)
  ]
  return html`<p class="lede">${about.filter((part) => part !== '').map((part) => html`<span>${part}</span> `)}</p>`
}

/** The state of a document and its reason: what stopped it, what it waits for, how far it is. */
function standing(document: Document, reader: KnowledgeReader): Content {
  const { knowledge, t } = reader
  const { id, status, reason, failedStage } = document
  if (knowledge.catalogue.isBeingRemoved(id))
    return html`<p class="banner note" role="status">${t('It is being deleted, with everything of it.')}</p>`
  if (status === 'complete') return null
  const said = reason ?? waitOf(document, reader)
  return [
    steps(status, stepsOf(status, failedStage, t), reader),
    said === null
      ? null
      : html`<p class="banner ${status === 'failed' ? 'bad' : 'note'}">${waitWords(said, reader)}</p>`,
    retryForm(document, reader)
  ]
}

/** The reason why its present work waits: the worker, when that does not run, else what stands before it. */
function waitOf(document: Document, { knowledge }: KnowledgeReader): Reason | null {
  const job = jobOf(document, knowledge.jobs)
  if (job === null) return null
  return (job.state === 'running' ? null : knowledge.worker().reason) ?? knowledge.jobs.waitsFor(job)
}

/** The way of a file, as a line of steps. */
function steps(status: UploadStatus, list: ReturnType<typeof stepsOf>, { t }: KnowledgeReader): Html {
  const words = {
    done: t('done'),
    now: t('now'),
    next: t('to come'),
    left: t('left out here'),
    stopped: t('stopped here')
  }
  const steps = list.map(({ name: content, state }) => ({ content, state, word: words[state] }))
  return stepper({ html }, { label: t('How far it is'), status, steps })
}

/** A file that is no document, yet or for good. */
async function uploadPage(hash: string, done: string, reader: KnowledgeReader): Promise<KnowledgePage> {
  const { knowledge, t } = reader
  const upload = knowledge.uploads.get(hash)
  const found = await uploadStatus(hash, knowledge)
  if (found === null) {
    const body = html`<p>${t('No document has this address: it was deleted, or never here.')}</p><p><a class="button" href="/catalogue">${t('Catalogue')}</a></p>`
    return { title: t('No such document'), path: '/catalogue', status: 404, body }
  }
  const { status, duplicate_of: original } = found
  const reason = (isOver(status) ? null : knowledge.worker().reason) ?? found.waits_for ?? found.reason
  const list = stepsOf(status, null, t)
  const body = html`<div id="content">${doneNotice(done, reader)}<p class="lede">${statusMark(status, t)}</p>
${steps(status, list, reader)}
${reason === null ? null : html`<p class="banner ${status === 'rejected' ? 'bad' : 'note'}">${waitWords(reason, reader)}</p>`}
${original === null ? null : html`<p><a href="${documentPath(original)}">${t('The document it is a copy of')}</a></p>`}
${status === 'rejected' ? html`<p>${t('It may be uploaded again, once it is mended.')} <a href="/knowledge/upload">${t('Add documents')}</a></p>` : null}
${(status === 'rejected' || status === 'duplicate') && reader.mayWrite ? dropForm(hash, reader) : null}
${upload === null ? null : section('facts', t('Facts'), uploadFacts(upload, reader))}</div>`
  const data = { settled: isOver(status) }
  const title = found.filename === '' ? t('A file') : shorten(found.filename, 200)
  return { title, path: documentPath(hash), body, script: 'pages/document/script.js', data }
}

/** Of a file that was not taken in nothing is left but itself, and why. */
function dropForm(hash: string, { t }: KnowledgeReader): Html {
  return html`<form method="post" action="/documents/${hash}"><input type="hidden" name="back" value="/knowledge"><button name="do" value="delete">${t('Delete this file')}</button></form>`
}

function uploadFacts(upload: Upload, reader: KnowledgeReader): Html {
  const { context, language, t } = reader
  return factList([
    [t('File'), upload.filename],
    [t('Size'), bytesText(upload.size, language)],
    [t('Category'), upload.category],
    [t('Came by'), sourceName(upload.source, reader)],
    [t('Received'), pageTime(context, upload.receivedAt, language)],
    [t('Identity (SHA-256)'), html`<code>${upload.hash}</code>`]
  ])
}

export const documentPage = (services: Services): Route =>
  get('/documents/:hash', {
    about: 'One document: facts and who said them, pages (`?page=N`), items, review, removal.',
    query: documentPageQuery,
    handle: readDocumentPage(services)
  })
