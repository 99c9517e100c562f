import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PartialUpload, PartialUploads } from '../../knowledge/intake/partial-uploads.ts'
import type { UploadFacts } from '../../knowledge/intake/receive.ts'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { announcedLength, bodyStream } from '../server/body-stream.ts'
import type { HttpContext } from '../server/context.ts'
import { knowledgeOf, writableKnowledge } from '../server/knowledge.ts'
import { writableLibrary } from '../server/library.ts'
import { HttpError } from '../server/problem.ts'
import type { Answer } from '../server/reply.ts'
import { type Connection, type Route, type StreamDocs, type StreamHandler, upload } from '../server/route.ts'
import { backupsOf } from './backup.ts'
import type { Services } from './services.ts'
import { factsOfUpload, uploadLength, uploadOffset } from './tus-headers.ts'
import { updatesOf } from './update.ts'
import { accepted, existingView, statusPath } from './uploads.ts'

const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,termination,expiration'
const CHUNK = 'application/offset+octet-stream'

const REFUSALS = [
  ['404', 'Not known, or not any more'],
  ['409', 'Another offset; or the file is here already'],
  ['412', 'Another version of tus'],
  ['413', 'Larger than uploads.max_bytes'],
  ['415', 'None of the formats that are read, by its content'],
  ['507', 'Not enough space']
] as const

export const tusDocs = {
  options: { media: null, statuses: [['204', 'Done']] },
  create: { media: CHUNK, statuses: [['201', 'Begun'], ['400', 'Malformed'], ['422', 'Empty'], ...REFUSALS] },
  head: { media: null, statuses: [['200', 'Done'], ...REFUSALS] },
  patch: { media: CHUNK, statuses: [['204', 'Stored'], ['400', 'Malformed, or cut off'], ...REFUSALS] },
  remove: {
    media: null,
    statuses: [
      ['204', 'Removed'],
      ['404', 'Not known']
    ]
  }
} as const satisfies Record<string, StreamDocs>

type Params = Readonly<Record<string, string>>

/** The uploads of one kind: under which path, and who keeps them. */
export interface TusUploads {
  /** Of the route, with its parameters. */
  path: string
  /** The title of a file, where the path says what it belongs to. */
  title?: (params: Params) => string
  /** @throws AppError when this station does not take such files. */
  partials: (context: HttpContext) => PartialUploads
  /** Before a byte comes. @throws AppError for a file that will not be taken. */
  check: (context: HttpContext, facts: UploadFacts) => Promise<unknown>
  /** The headers about a file that has arrived, by what names its bytes. */
  arrived: (name: string) => Record<string, string>
}

const documentUploads: TusUploads = {
  path: '/api/uploads',
  partials: (context) => knowledgeOf(context).partials,
  check: (context, { sha256 }) => accepted(knowledgeOf(context).receiver.demandNew(sha256)),
  arrived: (hash) => ({ 'Upload-Hash': hash, 'Upload-Status-Url': statusPath(hash) })
}

/** Archives of the library: as large as they are, known by the UUID of their header. */
export const archiveUploads: TusUploads = {
  path: '/api/library/uploads',
  partials: (context) => writableLibrary(context).partials,
  check: (context, { filename }) => writableLibrary(context).receiver.nameFor(filename),
  arrived: (uuid) => ({ 'Upload-Uuid': uuid })
}

/** Bundles of another release: one at a time, looked at when it is whole. */
const updateUploads: TusUploads = {
  path: '/api/update/uploads',
  partials: (context) => updatesOf(context).uploads,
  check: async () => undefined,
  arrived: (hash) => ({ 'Upload-Hash': hash })
}

/** A backup that is to be put back: one at a time, looked at when it is whole. */
const backupUploads: TusUploads = {
  path: '/api/backup/uploads',
  partials: (context) => backupsOf(context).uploads,
  check: async () => undefined,
  arrived: (hash) => ({ 'Upload-Hash': hash })
}

/** The files of a model of meaning: both are tried when the second is whole. */
const modelUploads: TusUploads = {
  path: '/api/knowledge/models/:name/uploads',
  title: ({ name = '' }) => name,
  partials: (context) => writableKnowledge(context).models.uploads,
  check: async () => undefined,
  arrived: (hash) => ({ 'Upload-Hash': hash })
}

/** `OPTIONS /api/uploads`: what of tus 1.0 there is (https://tus.io/protocols/resumable-upload). */
function tusOptions({ context }: Services, uploads = documentUploads): StreamHandler<unknown> {
  return () => {
    const { maxBytes } = uploads.partials(context)
    const limit: Record<string, string> = Number.isFinite(maxBytes) ? { 'Tus-Max-Size': String(maxBytes) } : {}
    return bare(204, { 'Tus-Version': VERSION, 'Tus-Extension': EXTENSIONS, ...limit })
  }
}

/** `POST /api/uploads`: begins an upload; a body is its first bytes. */
function tusCreate(services: Services, uploads = documentUploads): StreamHandler<unknown> {
  return tus(services, uploads, async (partials, { req, res }, params) => {
    const facts = factsOfUpload(req.headers, uploads.title?.(params))
    await uploads.check(services.context, facts)
    const begun = await partials.create(uploadLength(req.headers), facts)
    const found = hasChunk(req) ? await append(partials, begun, { req, res }) : begun
    const path = uploads.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    return bare(201, { Location: `${path}/${found.id}`, ...progressOf(found, uploads) })
  })
}

/** `HEAD /api/uploads/:id`: where it is, by what is on the disk. */
function tusHead(services: Services, uploads = documentUploads): StreamHandler<unknown> {
  return tus(services, uploads, async (partials, _connection, { id = '' }) => {
    const found = await accepted(partials.get(id))
    checkOutcome(found)
    return bare(200, { 'Upload-Length': String(found.length), ...progressOf(found, uploads) })
  })
}

/** `PATCH /api/uploads/:id`: more bytes; with the last ones the file is taken in like any upload. */
function tusPatch(services: Services, uploads = documentUploads): StreamHandler<unknown> {
  return tus(services, uploads, async (partials, { req, res }, { id = '' }) => {
    if (!hasChunk(req)) throw new AppError('unsupported', because('send_as_type', { type: CHUNK }))
    const offset = uploadOffset(req.headers)
    const found = await append(partials, { id, offset }, { req, res })
    return bare(204, progressOf(found, uploads))
  })
}

/** `DELETE /api/uploads/:id`: ends it and removes what came. */
function tusRemove(services: Services, uploads = documentUploads): StreamHandler<unknown> {
  return tus(services, uploads, async (partials, _connection, { id = '' }) => {
    await partials.remove(id)
    return bare(204, {})
  })
}

type Work = (partials: PartialUploads, connection: Connection, params: Params) => Promise<Answer>

/** Every answer, a refusal too, carries the version; every question must. */
function tus({ context }: Services, uploads: TusUploads, work: Work): StreamHandler<unknown> {
  return async ({ params }, connection) => {
    try {
      const partials = uploads.partials(context)
      if (connection.req.headers['tus-resumable'] !== VERSION)
        throw new HttpError('stale', because('send_tus_version', { version: VERSION }), { 'Tus-Version': VERSION })
      return await work(partials, connection, params)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { headers, members } = error instanceof HttpError ? error : { headers: {}, members: {} }
      throw new HttpError(error.code, error.reason, { ...headers, 'Tus-Resumable': VERSION }, members)
    }
  }
}

async function append(
  partials: PartialUploads,
  { id, offset }: Pick<PartialUpload, 'id' | 'offset'>,
  { req, res }: Connection
): Promise<PartialUpload> {
  const found = await accepted(partials.append(id, offset, bodyStream(req, res, 'ends')))
  checkOutcome(found)
  return found
}

/** A client that missed the refusal hears it again. */
function checkOutcome({ outcome }: PartialUpload): void {
  if (outcome === null || outcome.code === null) return
  const members = outcome.existing === null ? {} : { existing: existingView(outcome.existing) }
  throw new HttpError(outcome.code, outcome.reason, {}, members)
}

function progressOf({ offset, expiresAt, outcome }: PartialUpload, uploads: TusUploads): Record<string, string> {
  const hash = outcome?.hash ?? null
  return {
    'Upload-Offset': String(offset),
    'Upload-Expires': new Date(expiresAt).toUTCString(),
    ...(hash === null ? {} : uploads.arrived(hash))
  }
}

function bare(status: number, headers: Readonly<Record<string, string>>): Answer {
  return {
    takeOver: (_req: IncomingMessage, res: ServerResponse) => {
      const length = status === 204 ? {} : { 'Content-Length': '0' }
      res.writeHead(status, { 'Cache-Control': 'no-store', 'Tus-Resumable': VERSION, ...length, ...headers })
      res.end()
    }
  }
}

function hasChunk(req: IncomingMessage): boolean {
  const hasBody = req.headers['transfer-encoding'] !== undefined || announcedLength(req) > 0
  const isChunk = (req.headers['content-type'] ?? '').toLowerCase().split(';')[0]?.trim() === CHUNK
  return isChunk && (hasBody || req.method === 'PATCH')
}

/** The five rows of one kind of files. */
const tusRows = (
  services: Services,
  uploads: TusUploads,
  words: { options: string; summary: string; create: string; whole: string }
): Route[] => [
  upload('OPTIONS', uploads.path, {
    summary: 'What of tus there is.',
    about: words.options,
    access: 'read',
    docs: tusDocs.options,
    handle: tusOptions(services, uploads)
  }),
  upload('POST', uploads.path, {
    summary: words.summary,
    about: words.create,
    access: 'operator',
    docs: tusDocs.create,
    handle: tusCreate(services, uploads)
  }),
  upload('HEAD', `${uploads.path}/:id`, {
    summary: 'Where the upload is.',
    about: 'Headers `Upload-Offset`, `Upload-Length`; once it is whole `Upload-Hash`, or the refusal it ended with.',
    access: 'operator',
    docs: tusDocs.head,
    handle: tusHead(services, uploads)
  }),
  upload('PATCH', `${uploads.path}/:id`, {
    summary: 'Goes on with it.',
    about: `Headers \`Tus-Resumable\`, \`Upload-Offset\`, \`Content-Type: application/offset+octet-stream\`. ${words.whole}`,
    access: 'operator',
    docs: tusDocs.patch,
    handle: tusPatch(services, uploads)
  }),
  upload('DELETE', `${uploads.path}/:id`, {
    summary: 'Ends it.',
    about: 'Header `Tus-Resumable`. What came is removed.',
    access: 'operator',
    docs: tusDocs.remove,
    handle: tusRemove(services, uploads)
  })
]

export const tusRoutes = (services: Services): Route[] => [
  upload('OPTIONS', '/api/uploads', {
    summary: 'What of tus there is.',
    about:
      'Headers `Tus-Version`, `Tus-Extension`, `Tus-Max-Size`: [tus 1.0](https://tus.io/protocols/resumable-upload) with creation, creation-with-upload, termination and expiration.',
    access: 'read',
    docs: tusDocs.options,
    handle: tusOptions(services)
  }),
  upload('POST', '/api/uploads', {
    summary: 'Begins a resumable upload.',
    about:
      'Headers `Tus-Resumable: 1.0.0`, `Upload-Length`, `Upload-Metadata` (`filename`, `category`, `title`, `sha256` in Base64); a body of type `application/offset+octet-stream` is the first bytes. Answers with `Location`, `Upload-Offset`, `Upload-Expires`: 24 hours after the last byte. With `sha256` (64 hex digits) a file that is here already, under whatever name, is 409 with `existing` before a byte is sent, and bytes that are others are 400 at the end.',
    access: 'operator',
    docs: tusDocs.create,
    handle: tusCreate(services)
  }),
  upload('HEAD', '/api/uploads/:id', {
    summary: 'Where a resumable upload is.',
    about:
      'Headers `Upload-Offset`: what is on the disk, also after the program was killed; `Upload-Length`; once it is whole `Upload-Hash` and `Upload-Status-Url`, or the refusal it ended with.',
    access: 'operator',
    docs: tusDocs.head,
    handle: tusHead(services)
  }),
  upload('PATCH', '/api/uploads/:id', {
    summary: 'Goes on with an upload.',
    about:
      'Headers `Tus-Resumable`, `Upload-Offset`, `Content-Type: application/offset+octet-stream`. With the last byte the file is checked and taken in like any upload: the answer then has `Upload-Hash` and `Upload-Status-Url`, or is the refusal (409 with `existing`).',
    access: 'operator',
    docs: tusDocs.patch,
    handle: tusPatch(services)
  }),
  upload('DELETE', '/api/uploads/:id', {
    summary: 'Ends an upload.',
    about: 'Header `Tus-Resumable`. What came is removed.',
    access: 'operator',
    docs: tusDocs.remove,
    handle: tusRemove(services)
  }),
  upload('OPTIONS', '/api/library/uploads', {
    summary: 'What of tus there is.',
    about:
      'Headers `Tus-Version`, `Tus-Extension`: [tus 1.0](https://tus.io/protocols/resumable-upload) with creation, creation-with-upload, termination and expiration. There is no limit but the space on the disk.',
    access: 'read',
    docs: tusDocs.options,
    handle: tusOptions(services, archiveUploads)
  }),
  upload('POST', '/api/library/uploads', {
    summary: 'Begins an upload.',
    about:
      'Headers `Tus-Resumable: 1.0.0`, `Upload-Length`, `Upload-Metadata` (`filename` in Base64). Answers with `Location`, `Upload-Offset`, `Upload-Expires`. 409: the name is taken.',
    access: 'operator',
    docs: tusDocs.create,
    handle: tusCreate(services, archiveUploads)
  }),
  upload('HEAD', '/api/library/uploads/:id', {
    summary: 'Where the upload is.',
    about:
      'Headers `Upload-Offset`: what is on the disk, also after the program was killed; `Upload-Length`; once it is whole `Upload-Uuid`, or the refusal it ended with.',
    access: 'operator',
    docs: tusDocs.head,
    handle: tusHead(services, archiveUploads)
  }),
  upload('PATCH', '/api/library/uploads/:id', {
    summary: 'Goes on with it.',
    about:
      'Headers `Tus-Resumable`, `Upload-Offset`, `Content-Type: application/offset+octet-stream`. With the last byte the archive is checked and put in its place: the answer then has `Upload-Uuid`, which `GET /api/library/sources` lists soon.',
    access: 'operator',
    docs: tusDocs.patch,
    handle: tusPatch(services, archiveUploads)
  }),
  upload('DELETE', '/api/library/uploads/:id', {
    summary: 'Ends it.',
    about: 'Header `Tus-Resumable`. What came is removed.',
    access: 'operator',
    docs: tusDocs.remove,
    handle: tusRemove(services, archiveUploads)
  }),
  ...tusRows(services, backupUploads, {
    options: 'As `/api/uploads`, for a backup that is to be put back.',
    summary: 'Begins the upload of a backup.',
    create:
      'Headers as for `/api/uploads`. 507 unless what is unpacked of it has room too. A new one takes the place of one that is not finished, and of the one that is here once it is whole.',
    whole: 'After the last byte it is looked at: `GET /api/backup` tells.'
  }),
  ...tusRows(services, updateUploads, {
    options: 'As `/api/uploads`, for bundles of another release.',
    summary: 'Begins the upload of a bundle.',
    create: 'Headers as for `/api/uploads`. It takes the place of the bundle that is here once it is whole.',
    whole: 'After the last byte it is checked: `GET /api/update` tells.'
  }),
  ...tusRows(services, modelUploads, {
    options: 'As `/api/uploads`, for the two files of a model of meaning.',
    summary: 'Begins the upload of a file of a model of meaning.',
    create:
      'Headers as for `/api/uploads`; `filename` is `model.safetensors` (at most 512 MiB) or `tokenizer.json` (at most 40 MB), `:name` the name of the model: a letter or a digit, then letters, digits, dots, hyphens and underscores. In any order, or both at once.',
    whole:
      'After the last byte of the second file both are opened in a process of their own, and take their place when they are a model, or that of one of this name: `GET /api/knowledge/models` has it. Otherwise 422 says what is wrong with which file, neither is kept, and nothing changes.'
  })
]
