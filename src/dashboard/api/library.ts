import * as v from 'valibot'
import type { Part } from '../../knowledge/intake/parts.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { announcedLength, bodyStream, readUploadForm } from '../server/body-stream.ts'
import { type LibraryDesk, libraryOf, writableLibrary } from '../server/library.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import type { Connection, Handler, StreamDocs, StreamHandler } from '../server/route.ts'
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
export function listLibrary({ context }: Services): Handler<unknown, undefined> {
  return ({ headers }) => {
    const library = libraryOf(context)
    library.look()
    return json({ sources: library.list(headers.host), server: library.server(headers.host) })
  }
}

/** `POST /api/library/sources`: a form with `file`, or the bytes with `?filename=`; 201 once it is safe on the disk. */
export function takeArchive({ context }: Services): StreamHandler<ArchiveQuery> {
  return async ({ query, headers }, { req, res }) => {
    const library = writableLibrary(context)
    const isForm = /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
    const { part, filename } = await (isForm
      ? readForm(library, { req, res })
      : readRaw(library, { req, res }, query.filename))
    if (part === null) throw new AppError('invalid', 'There is no file: send it as the field "file".')
    try {
      const arrived = await library.receiver.accept(part, { filename })
      const { source, pending } = await library.settled(arrived)
      return json(
        { ok: true, ...arrived, source: source === null ? null : library.one(source.id, headers.host), pending },
        { status: 201, headers: { Location: '/api/library/sources' } }
      )
    } finally {
      await library.receiver.drop(part)
    }
  }
}

async function readForm(
  { receiver }: LibraryDesk,
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
  { receiver }: LibraryDesk,
  { req, res }: Connection,
  filename: string
): Promise<{ part: Part; filename: string }> {
  if ((req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new AppError('unsupported', 'Send the file without a Content-Encoding: compressed bodies are not read.')
  const announced = announcedLength(req)
  await receiver.nameFor(filename)
  await receiver.checkSpace(announced)
  return { part: await receiver.store(bodyStream(req, res, 'fails'), { announced }), filename }
}

/** `POST /api/library/sources/:id/ingest`: reads the articles into documents, or pauses. */
export function setIngest({ context }: Services): Handler<unknown, v.InferOutput<typeof ingestBody>> {
  return ({ params, body, headers }) => {
    const library = writableLibrary(context)
    return json({ ok: true, source: library.setIngest(idOf(params), body.enabled, headers.host) })
  }
}

/** `POST /api/library/sources/:id/retry`: articles and documents that failed, once more. */
export function retrySource({ context }: Services): Handler<unknown, undefined> {
  return ({ params, headers }) => {
    const library = writableLibrary(context)
    const id = idOf(params)
    const retried = library.retry(id)
    return json({ ok: true, retried, source: library.one(id, headers.host) })
  }
}

/** `DELETE /api/library/sources/:id`: everything of it goes. */
export function removeSource({ context }: Services): Handler<unknown, undefined> {
  return async ({ params }) => json(await writableLibrary(context).remove(idOf(params)))
}

/** @throws AppError `not-found` for what cannot be the number of a source. */
function idOf(params: Readonly<Record<string, string>>): number {
  const text = params['id'] ?? ''
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}
