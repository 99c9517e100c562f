import * as v from 'valibot'
import type { Part } from '../../knowledge/intake/parts.ts'
import { because } from '../../model/reason.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { announcedLength, bodyStream, readUploadForm } from '../server/body-stream.ts'
import { type LibraryService, libraryOf, writableLibrary } from '../server/library.ts'
import { notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import {
  type Connection,
  del,
  get,
  type Handler,
  order,
  post,
  type Route,
  type StreamDocs,
  type StreamHandler,
  type Told,
  upload
} from '../server/route.ts'
import {
  archiveAnswer,
  arrivedArchiveAnswer,
  libraryAnswer,
  removalAnswer,
  retriedArchiveAnswer
} from './answers/knowledge.ts'
import type { Services } from './services.ts'

export const archiveQuery = v.object({
  filename: v.pipe(
    v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
    v.description('Name of the file, when the body is its bytes.')
  )
})
type ArchiveQuery = v.InferOutput<typeof archiveQuery>

export const ingestBody = looseObject({
  enabled: v.pipe(v.boolean(), v.description('Whether articles are read into documents; false pauses.'))
})

export const archiveDocs: StreamDocs = {
  media: 'multipart/form-data',
  statuses: [
    ['201', 'It has arrived'],
    ['400', 'Cut off, or a broken form'],
    ['409', 'An archive of this name, or the same archive, is here already'],
    ['415', 'No ZIM archive, by its first bytes'],
    ['422', 'No file, no name, or an archive that is cut off'],
    ['507', 'Not enough space']
  ]
}

/** `GET /api/library/sources` (contract §9). */
function listLibrary({ context }: Services): Handler<unknown, undefined, Told<typeof libraryAnswer>> {
  return ({ headers }) => {
    const library = libraryOf(context)
    library.look()
    return jsonSaid({ sources: library.list(headers.host), server: library.server(headers.host) })
  }
}

/** `POST /api/library/sources`: a form with `file`, or the bytes with `?filename=`; 201 once it is safe on the disk. */
export function takeArchive({ context }: Services): StreamHandler<ArchiveQuery, Told<typeof arrivedArchiveAnswer>> {
  return async ({ query, headers }, { req, res }) => {
    const library = writableLibrary(context)
    const isForm = /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
    const { part, filename } = await (isForm
      ? readForm(library, { req, res })
      : readRaw(library, { req, res }, query.filename))
    if (part === null) throw new AppError('invalid', because('no_file_sent'))
    try {
      const arrived = await library.receiver.accept(part, { filename })
      const { source, pending } = await library.settled(arrived)
      return jsonSaid(
        { ok: true, ...arrived, source: source === null ? null : library.one(source.id, headers.host), pending },
        { status: 201, headers: { Location: '/api/library/sources' } }
      )
    } finally {
      await library.receiver.drop(part)
    }
  }
}

async function readForm(
  { receiver }: LibraryService,
  { req, res }: Connection
): Promise<{ part: Part | null; filename: string }> {
  await receiver.checkSpace(announcedLength(req))
  return readUploadForm(req, res, {
    store: async (content, filename) => {
      // A stream that fails while its name is looked at must not end the program.
      content.on('error', () => undefined)
      await receiver.nameFor(filename)
      return receiver.store(content)
    },
    drop: (part) => receiver.drop(part)
  })
}

async function readRaw(
  { receiver }: LibraryService,
  { req, res }: Connection,
  filename: string
): Promise<{ part: Part; filename: string }> {
  if ((req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new AppError('unsupported', because('file_not_compressed'))
  const announced = announcedLength(req)
  await receiver.nameFor(filename)
  await receiver.checkSpace(announced)
  return { part: await receiver.store(bodyStream(req, res, 'fails'), { announced }), filename }
}

/** `POST /api/library/sources/:id/ingest`: reads the articles into documents, or pauses. */
export function setIngest({
  context
}: Services): Handler<unknown, v.InferOutput<typeof ingestBody>, Told<typeof archiveAnswer>> {
  return ({ params, body, headers }) => {
    const library = writableLibrary(context)
    return jsonSaid({ ok: true, source: library.setIngest(idOf(params), body.enabled, headers.host) })
  }
}

/** `POST /api/library/sources/:id/retry`: articles and documents that failed, once more. */
export function retrySource({ context }: Services): Handler<unknown, undefined, Told<typeof retriedArchiveAnswer>> {
  return ({ params, headers }) => {
    const library = writableLibrary(context)
    const id = idOf(params)
    const retried = library.retry(id)
    return jsonSaid({ ok: true, retried, source: library.one(id, headers.host) })
  }
}

/** `DELETE /api/library/sources/:id`: everything of it goes. */
export function removeSource({ context }: Services): Handler<unknown, undefined, Told<typeof removalAnswer>> {
  return async ({ params }) => jsonSaid(await writableLibrary(context).remove(idOf(params)))
}

/** @throws AppError `not-found` for what cannot be the number of a source. */
function idOf(params: Readonly<Record<string, string>>): number {
  const text = params['id'] ?? ''
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}

export const libraryRoutes = (services: Services): Route[] => [
  get('/api/library/sources', {
    summary: 'Archives of the library, and its server.',
    about:
      '`{sources: [{id, filename, title, description, language, category, status, progress, activity, failed, ingest_enabled, counts: {articles, extracted, total, in_vector_store, skipped, failed}, browse_url, size_bytes, uuid, state, reason}], server: {status, url, version, reason, foreign: [{title, language, browse_url}], problem}}`. A status is DETECTED, EXTRACTING, PROCESSING, EMPTY (read to its end, and nothing of it can be searched) or COMPLETE, a state present, missing, damaged or removing; the server is running, starting, failed, missing, external or off. `browse_url` is null while the server does not list the archive; `foreign` are books of an external server that are none of ours.',
    answer: libraryAnswer,
    handle: listLibrary(services)
  }),
  upload('POST', '/api/library/sources', {
    summary: 'Takes an archive in.',
    about:
      'Body: `multipart/form-data` with `file`; or the bytes of the archive with `?filename=`. As large as the disk allows. Answers `{ok, filename, uuid, source, pending}` once it is in its place; `source` is null and `pending` names detection and registration when they take longer than 20 s. The file name is written in small letters. A file is never overwritten. 503 in preview.',
    access: 'operator',
    query: archiveQuery,
    docs: archiveDocs,
    answer: arrivedArchiveAnswer,
    handle: takeArchive(services)
  }),
  post('/api/library/sources/:id/ingest', {
    summary: 'Reads the articles of an archive, or pauses.',
    about:
      'Body: `{enabled}`. Answers `{ok, source}`. Off pauses; on goes on from there. 409 while the source is being removed.',
    body: ingestBody,
    answer: archiveAnswer,
    handle: setIngest(services)
  }),
  order('/api/library/sources/:id/retry', {
    summary: 'Tries again what failed of an archive.',
    about:
      'No body. Articles and documents that failed are tried again. Answers `{ok, retried, source}`; `retried` counts documents.',
    answer: retriedArchiveAnswer,
    handle: retrySource(services)
  }),
  del('/api/library/sources/:id', {
    summary: 'Removes an archive and everything of it.',
    about:
      'Everything of the source goes: documents, vectors, file, registration, archiving jobs. Answers `{ok, removed: {documents, vectors, file, registration, jobs}, pending: []}` after at most 20 s; what `pending` names is not gone yet and goes on, also after a restart. Ask again to wait again.',
    answer: removalAnswer,
    handle: removeSource(services)
  })
]
