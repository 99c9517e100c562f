import { basename, extname, join, relative, sep } from 'node:path'
import type * as v from 'valibot'
import type { Catalogue } from '../../knowledge/catalogue/catalogue.ts'
import type { Document } from '../../knowledge/catalogue/document.ts'
import { documentView, pageView } from '../server/document-view.ts'
import { knowledgeOf } from '../server/knowledge.ts'
import { notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { sendFile, servedFile } from '../server/send-file.ts'
import { documentAnswer, documentsAnswer, pageAnswer } from './answers/knowledge.ts'
import { documentsQuery } from './query.ts'
import type { Services } from './services.ts'

/** `GET /api/documents`: newest first. */
export function listDocuments({
  context
}: Services): Handler<v.InferOutput<typeof documentsQuery>, undefined, Told<typeof documentsAnswer>> {
  return ({ query }) => {
    const { source, q, review, ...rest } = query
    const { documents, next } = knowledgeOf(context).catalogue.list({
      ...rest,
      sourceId: source,
      text: q,
      review: review === undefined ? undefined : true
    })
    return jsonSaid({ documents: documents.map(documentView), next })
  }
}

/** The document a path names, by any hash it answers to. @throws AppError `not-found`. */
export function documentOf(catalogue: Catalogue, params: Readonly<Record<string, string>>): Document {
  const found = catalogue.byHash((params['hash'] ?? '').toLowerCase())
  if (found === null) throw notFound()
  return found
}

/** `GET /api/documents/:hash`. */
export function readDocument({ context }: Services): Handler<unknown, undefined, Told<typeof documentAnswer>> {
  return ({ params }) => {
    const { catalogue } = knowledgeOf(context)
    const found = documentOf(catalogue, params)
    const { id, provenance } = found
    const windows = catalogue.windows(id).map(({ firstPage, lastPage, ...rest }) => ({
      number: rest.number,
      first_page: firstPage,
      last_page: lastPage,
      state: rest.state,
      reason: rest.reason,
      provider: rest.provider
    }))
    const removing = catalogue.isBeingRemoved(id)
    return jsonSaid({ ...documentView(found), provenance, hashes: catalogue.hashesOf(id), windows, removing })
  }
}

/** `GET /api/documents/:hash/pages/:n`: one page of text. */
export function readDocumentPage({ context }: Services): Handler<unknown, undefined, Told<typeof pageAnswer>> {
  return ({ params }) => {
    const { catalogue } = knowledgeOf(context)
    const { id, hash, pageCount } = documentOf(catalogue, params)
    const number = /^\d{1,9}$/.test(params['n'] ?? '') ? Number(params['n']) : 0
    const page = catalogue.page(id, number)
    if (page === null) throw notFound()
    return jsonSaid({ hash, page_count: pageCount, ...pageView(page) })
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.epub': 'application/epub+zip',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.mobi': 'application/x-mobipocket-ebook',
  '.vtt': 'text/vtt',
  '.srt': 'application/x-subrip'
}

/** `GET /api/documents/:hash/original`: the stored file, to be saved: strangers' files are never shown as pages of ours. */
function readOriginal({ context }: Services): Handler<unknown, undefined> {
  return async ({ params, headers }) => {
    const { catalogue, folder } = knowledgeOf(context)
    const found = documentOf(catalogue, params)
    const path = found.path === null ? null : insideOf(folder, found.path)
    const file = path === null ? null : await servedFile(path)
    if (path === null || file === null) throw notFound()
    return sendFile(file, headers, {
      'Content-Type': TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
      'Content-Disposition': attachment(nameFor(found, path)),
      'Content-Security-Policy': "sandbox; default-src 'none'"
    })
  }
}

/** Rows are ours, and still nothing outside the data folder is ever served. */
function insideOf(folder: string, path: string): string | null {
  const full = join(folder, path)
  const inside = relative(folder, full)
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? null : full
}

/** The name it came with, with the ending it really has. */
function nameFor({ filename }: Document, path: string): string {
  const ending = extname(path)
  const name = basename(filename)
  return name.toLowerCase().endsWith(ending.toLowerCase()) ? name : `${name}${ending}`
}

/** RFC 6266: an ASCII name for old clients, the real one for all others. */
function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

export const documentsRoutes = (services: Services): Route[] => [
  get('/api/documents', {
    summary: 'Documents, newest first.',
    about:
      '`{documents: [{hash, badge, filename, title, author, domain, category, language, status, message, reason, failed_stage, review, page_count, item_count, vector_count, …}], next}`.',
    query: documentsQuery,
    answer: documentsAnswer,
    handle: listDocuments(services)
  }),
  get('/api/documents/:hash', {
    summary: 'One document.',
    about:
      'The fields of the list, with `provenance` (who said what of title, author, edition and year), `hashes`, `windows` and `removing`. Any hash the document answers to will do.',
    answer: documentAnswer,
    handle: readDocument(services)
  }),
  get('/api/documents/:hash/pages/:n', {
    summary: 'A page of its text.',
    about: '`{hash, page_count, number, text, method, start_seconds}`; pages count from 1.',
    answer: pageAnswer,
    handle: readDocumentPage(services)
  }),
  get('/api/documents/:hash/original', {
    summary: 'The stored file.',
    about: 'The file, as an attachment; ranges of bytes are served.',
    media: [...Object.values(TYPES), 'application/octet-stream'],
    handle: readOriginal(services)
  })
]
