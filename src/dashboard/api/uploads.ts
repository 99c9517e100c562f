import type { IncomingMessage } from 'node:http'
import type * as v from 'valibot'
import { messageOf, uploadStatus } from '../../knowledge/catalogue/status.ts'
import { checkSize } from '../../knowledge/intake/parts.ts'
import { DuplicateError, type Existing, type Receiver } from '../../knowledge/intake/receive.ts'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { announcedLength, bodyStream, readUploadForm, type UploadForm } from '../server/body-stream.ts'
import { knowledgeOf } from '../server/knowledge.ts'
import { HttpError, notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import {
  type Connection,
  get,
  type Handler,
  type Route,
  type StreamDocs,
  type StreamHandler,
  type Told,
  upload
} from '../server/route.ts'
import { categoriesAnswer, uploadedAnswer, uploadStatusAnswer } from './answers/knowledge.ts'
import { rawUploadQuery } from './query.ts'
import type { Services } from './services.ts'
import { isHash } from './tus-headers.ts'

type RawQuery = v.InferOutput<typeof rawUploadQuery>

/** A form has this much around the file at most: its other fields are short. */
const FORM_SLACK = 256 * 1024

export const uploadDocs: StreamDocs = {
  media: 'multipart/form-data',
  statuses: [
    ['201', 'It has arrived'],
    ['400', 'Cut off, or a broken form'],
    ['409', 'It is here already; `existing` names it'],
    ['413', 'Larger than uploads.max_bytes'],
    ['415', 'None of the formats that are read, by its content'],
    ['422', 'Empty, or no file'],
    ['507', 'Not enough space']
  ]
}

export const statusPath = (hash: string): string => `/api/upload/${hash}/status`
export const retryPath = (hash: string): string => `/api/documents/${hash}/retry`

/**
 * `POST /api/upload`: a form with `file`, `category` and `title`, or the bytes alone; 201 once it is safe on the disk. In
 * preview too: the file waits there until somebody works on it (contract §7).
 */
export function takeUpload({ context }: Services): StreamHandler<RawQuery, Told<typeof uploadedAnswer>> {
  return async ({ query }, { req, res }) => {
    const { receiver } = knowledgeOf(context)
    const isForm = /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')
    const { part, filename, fields } = await (isForm
      ? readForm(receiver, { req, res })
      : readRaw(receiver, { req, res }, query))
    if (part === null) throw new AppError('invalid', because('no_file_sent'))
    try {
      const announced = (fields['sha256'] ?? '').toLowerCase()
      const facts = {
        filename,
        category: fields['category'] ?? '',
        title: fields['title'] ?? '',
        ...(isHash(announced) ? { sha256: announced } : {})
      }
      const { hash, filename: kept } = await accepted(receiver.accept(part, facts))
      const status_url = statusPath(hash)
      return jsonSaid(
        { hash, filename: kept, status: 'pending', status_url },
        { status: 201, headers: { Location: status_url } }
      )
    } finally {
      await receiver.drop(part)
    }
  }
}

async function readForm(receiver: Receiver, { req, res }: Connection): Promise<UploadForm> {
  await checkAnnounced(receiver, Math.max(0, announcedLength(req) - FORM_SLACK))
  return readUploadForm(req, res, {
    store: (content, filename) => receiver.store(content, { filename }),
    drop: (part) => receiver.drop(part)
  })
}

async function readRaw(receiver: Receiver, { req, res }: Connection, query: RawQuery): Promise<UploadForm> {
  const announced = announcedLength(req)
  checkPlain(req)
  const { filename = '', category = '', title = '', sha256 = '' } = query
  await checkAnnounced(receiver, announced)
  if (isHash(sha256.toLowerCase())) await accepted(receiver.demandNew(sha256.toLowerCase()))
  const part = await receiver.store(bodyStream(req, res, 'fails'), { announced, filename })
  return { part, filename, fields: { category, title, sha256 } }
}

/** Before the client is told to go on. */
async function checkAnnounced(receiver: Receiver, length: number): Promise<void> {
  checkSize(length, receiver.settings.maxBytes)
  await receiver.checkSpace(length)
}

function checkPlain({ headers }: IncomingMessage): void {
  if (/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new AppError('unsupported', because('send_as_multipart'))
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new AppError('unsupported', because('file_not_compressed'))
}

/** A duplicate names the file that is here, and where to ask about it (contract §8). */
export async function accepted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error
    throw new HttpError('conflict', error.reason, {}, { existing: existingView(error.existing) })
  }
}

export function existingView({ hash, filename, status, retryable }: Existing): Record<string, string> {
  const retry = retryable ? { retry_url: retryPath(hash) } : {}
  return { hash, filename, status, status_url: statusPath(hash), ...retry }
}

/** States that somebody has to work on before they go on: in preview nobody does (contract §7). */
const WAITING: ReadonlySet<string> = new Set([
  'pending',
  'processing',
  'queued',
  'extracting',
  'extracted',
  'enriching',
  'enriched',
  'embedding'
])
const NOT_HERE = 'This is a preview: it waits until lookout start runs, because nothing is sorted or indexed here.'

/** `GET /api/upload/:hash/status`. */
function readUploadStatus({ context }: Services): Handler<unknown, undefined, Told<typeof uploadStatusAnswer>> {
  return async ({ params }) => {
    const status = await uploadStatus((params['hash'] ?? '').toLowerCase(), knowledgeOf(context))
    if (status === null) throw notFound()
    const { document, ...told } = status
    const waits = context.mode === 'preview' && WAITING.has(status.status)
    const worker = knowledgeOf(context).worker()
    // A job that runs at this moment has a worker.
    const rests = worker.reason !== null && status.progress === null && WAITING.has(status.status)
    const rest = waits
      ? { ...told, message: NOT_HERE }
      : rests
        ? { ...told, waits_for: worker.reason, message: messageOf(status.status, worker.reason) }
        : told
    const retry = status.status === 'failed' && document !== null ? { retry_url: retryPath(document.hash) } : {}
    return jsonSaid({ ...rest, document, status_url: statusPath(status.hash), ...retry })
  }
}

/** `GET /api/upload/categories`: what was used before, for suggestions. */
export function listCategories({ context }: Services): Handler<unknown, undefined, Told<typeof categoriesAnswer>> {
  return () => jsonSaid({ categories: knowledgeOf(context).catalogue.categories() })
}

export const uploadsRoutes = (services: Services): Route[] => [
  upload('POST', '/api/upload', {
    summary: 'Takes a file in.',
    about:
      'Body: `multipart/form-data` with `file`, `category?`, `title?`, `sha256?` in any order; or the bytes of the file with `?filename=`. With `?sha256=` a file that is here already is refused before its bytes are read, and bytes that are others are 400. What the file is, is read from its content: PDF, text, EPUB, .doc, .docx, .mobi; a name with another ending is 415, and so is a plain text under the name of another format. Answers `{hash, filename, status: "pending", status_url}` once it is safe on the disk; `hash` is the SHA-256 of what was sent. 409 carries `existing: {hash, filename, status, status_url, retry_url?}`. In preview it stays `pending`.',
    access: 'operator',
    query: rawUploadQuery,
    docs: uploadDocs,
    answer: uploadedAnswer,
    handle: takeUpload(services)
  }),
  get('/api/upload/categories', {
    summary: 'Categories that were used before.',
    about: '`{categories: [{name, count}]}`, the most used first.',
    answer: categoriesAnswer,
    handle: listCategories(services)
  }),
  get('/api/upload/:hash/status', {
    summary: 'What became of an uploaded file.',
    about:
      '`{hash, filename, status, message, reason, waits_for, progress, duplicate_of, document, status_url, retry_url?}`; `document` is null, or `{hash, title, domain, pages, items, vectors}`. A status is pending, processing, queued, extracting, extracted, enriching, enriched, embedding, complete, failed, rejected, duplicate, skipped or needs_review. The hash of what was uploaded goes on answering after conversion.',
    answer: uploadStatusAnswer,
    handle: readUploadStatus(services)
  })
]
