import * as v from 'valibot'
import { actionsOf, type Bulk, type BulkAction } from '../../knowledge/intake/bulk/bulk.ts'
import { addressLines } from '../../knowledge/intake/bulk/list.ts'
import { because } from '../../model/reason.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import type { HttpContext } from '../server/context.ts'
import { knowledgeOf, writableKnowledge } from '../server/knowledge.ts'
import { notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import { del, get, type Handler, order, post, type Route, type Told } from '../server/route.ts'
import { bulkAnswer, bulkEntriesAnswer, bulksAnswer, bulkView, placesAnswer } from './answers/bulk.ts'
import { bulkEntriesQuery } from './query.ts'
import type { Services } from './services.ts'
import { statusPath } from './uploads.ts'

const PATH = '/api/ingest/bulk'

export const bulkBody = looseObject({
  urls: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.maxLength(2000, 'an address has 2000 characters at most'))), []),
    v.description('Addresses, at most 2000.')
  ),
  text: v.pipe(
    v.optional(v.pipe(v.string(), v.maxLength(1_000_000)), ''),
    v.description('The same as a text, one a line; `#` begins a note.')
  ),
  folder: v.pipe(
    v.optional(v.pipe(v.string(), v.maxLength(4096)), ''),
    v.description('Instead: a folder, by its whole path, below a stick or one of `knowledge.bulk_folders`.')
  ),
  category: v.pipe(v.optional(v.pipe(v.string(), v.maxLength(200)), ''), v.description('For the catalogue.'))
})
type BulkBody = v.InferOutput<typeof bulkBody>

/** `POST /api/ingest/bulk`: 201 with the job; the worker does the rest. */
export function startBulk({ context }: Services): Handler<unknown, BulkBody, Told<typeof bulkView>> {
  return async ({ body }) => {
    const { bulk, wake } = writableKnowledge(context)
    const list = [...body.urls, body.text].join('\n')
    const isFolder = body.folder.trim() !== ''
    if (isFolder === (list.trim() !== '')) throw new AppError('invalid', because('bulk_one_source'))
    const { path, disk } = isFolder ? await bulk.check(body.folder) : { path: '', disk: null }
    const made = bulk.store.create({
      kind: isFolder ? 'folder' : 'addresses',
      place: path,
      disk,
      category: body.category,
      list: isFolder ? '' : addressLines(list).join('\n')
    })
    wake()
    return jsonSaid(viewOf(made), { status: 201, headers: { Location: `${PATH}/${made.id}` } })
  }
}

/** `GET /api/ingest/bulk`: newest first. */
function listBulks({ context }: Services): Handler<unknown, undefined, Told<typeof bulksAnswer>> {
  return () => jsonSaid({ bulk: knowledgeOf(context).bulk.store.list().map(viewOf) })
}

/** `GET /api/ingest/bulk/:id`. */
function readBulk({ context }: Services): Handler<unknown, undefined, Told<typeof bulkView>> {
  return ({ params }) => jsonSaid(viewOf(knowledgeOf(context).bulk.store.get(idOf(params))))
}

type EntriesQuery = v.InferOutput<typeof bulkEntriesQuery>

/** `GET /api/ingest/bulk/:id/entries`: in the order of the list. */
function listEntries({ context }: Services): Handler<EntriesQuery, undefined, Told<typeof bulkEntriesAnswer>> {
  return ({ params, query: { state, limit, cursor } }) => {
    const { store } = knowledgeOf(context).bulk
    const { id } = store.get(idOf(params))
    const found = store.entries(id, { state, after: cursor ?? 0, limit })
    const entries = found.map((entry) => ({
      what: entry.what,
      state: entry.state,
      hash: entry.hash,
      duplicate_of: entry.duplicateOf,
      status_url: statusOf(entry.duplicateOf ?? (entry.state === 'taken' ? entry.hash : null)),
      reason: entry.reason
    }))
    return jsonSaid({ entries, next: found.length < limit ? null : (found.at(-1)?.id ?? null) })
  }
}

const statusOf = (hash: string | null): string | null => (hash === null ? null : statusPath(hash))

/** `POST /api/ingest/bulk/:id/stop` and so on: what its state offers. */
export function actOnBulk(
  { context }: Services,
  action: BulkAction
): Handler<unknown, undefined, Told<typeof bulkAnswer>> {
  return ({ params }) => {
    const { bulk, wake } = writableKnowledge(context)
    const acted = bulk.store.act(idOf(params), action)
    wake()
    return jsonSaid({ ok: true, bulk: viewOf(acted) })
  }
}

/** `GET /api/ingest/places`. */
function listPlaces({ context }: Services): Handler<unknown, undefined, Told<typeof placesAnswer>> {
  return async () => {
    const places = await placesOf(context)
    return jsonSaid({
      places: places.map(({ path, label, removable, size, free, reason }) => ({
        path: path === '' ? null : path,
        label,
        removable,
        size_bytes: size,
        free_bytes: free,
        readable: reason === null,
        reason
      }))
    })
  }
}

function placesOf(context: HttpContext) {
  return knowledgeOf(context).bulk.places()
}

function viewOf(bulk: Bulk) {
  const { id, kind, place, category, state, reason, current, listed, counts, repeated, leftOut } = bulk
  return {
    id,
    kind,
    folder: kind === 'folder' ? place : null,
    category,
    state,
    reason,
    current,
    listed,
    ...counts,
    repeated,
    left_out: leftOut,
    actions: actionsOf(bulk),
    created_at: new Date(bulk.createdAt).toISOString(),
    ended_at: bulk.endedAt === null ? null : new Date(bulk.endedAt).toISOString(),
    url: `${PATH}/${id}`,
    entries_url: `${PATH}/${id}/entries`
  }
}

/** @throws AppError `not-found` for what cannot be a number. */
export function idOf(params: Readonly<Record<string, string>>): number {
  const id = params['id'] ?? ''
  if (!/^\d{1,15}$/.test(id)) throw notFound()
  return Number(id)
}

export const bulkRoutes = (services: Services): Route[] => [
  post(PATH, {
    summary: 'Takes in a list of addresses or a folder, as one job.',
    about:
      'Body: `{text}` or `{urls}` (at most 2000 addresses: pages, documents, captions), or `{folder}` (its files and those below it, at most 20,000; copies, the originals stay), and `category?`. Answers the job (201), which goes on over restarts and kills. A host is asked once a second at most; a site that does not answer is asked three times. 422 for a folder that is not below a stick or `knowledge.bulk_folders`, 503 for one that cannot be read, 429 when ten are under way.',
    body: bulkBody,
    done: [201, 'It waits its turn'],
    answer: bulkView,
    handle: startBulk(services)
  }),
  get(PATH, {
    summary: 'Lists and folders, newest first.',
    about:
      '`{bulk: [{id, kind, folder, category, state, reason, current, listed, found, taken, duplicate, refused, failed, left, repeated, left_out, actions, created_at, ended_at, url, entries_url}]}`. `state`: waiting, listing, taking, paused (see `reason`), stopped, done or failed; `current` is what is being taken now. `repeated`: lines that were in the list before; `left_out`: links, hidden names and other disks below the folder. Of those that are over the last ten are kept.',
    access: 'operator',
    answer: bulksAnswer,
    handle: listBulks(services)
  }),
  get(`${PATH}/:id`, {
    summary: 'One list or folder.',
    about: 'As in the list of them.',
    access: 'operator',
    answer: bulkView,
    handle: readBulk(services)
  }),
  get(`${PATH}/:id/entries`, {
    summary: 'What became of each address or file.',
    about:
      '`{entries: [{what, state, hash, duplicate_of, status_url, reason}], next}`, in the order of the list. `state`: left, taken, duplicate (of `duplicate_of`), refused or failed.',
    access: 'operator',
    query: bulkEntriesQuery,
    answer: bulkEntriesAnswer,
    handle: listEntries(services)
  }),
  order(`${PATH}/:id/stop`, {
    summary: 'Stops it.',
    about: 'No body. Within a second; what was taken stays. 409 when it is over.',
    answer: bulkAnswer,
    handle: actOnBulk(services, 'stop')
  }),
  order(`${PATH}/:id/resume`, {
    summary: 'Goes on with what is left.',
    about: 'No body. Of one that was stopped, has failed, or waits for a stick that is back. 409 otherwise.',
    answer: bulkAnswer,
    handle: actOnBulk(services, 'resume')
  }),
  order(`${PATH}/:id/retry`, {
    summary: 'Tries once more what failed.',
    about: 'No body. 409 while it is under way, and when nothing has failed.',
    answer: bulkAnswer,
    handle: actOnBulk(services, 'retry')
  }),
  del(`${PATH}/:id`, {
    summary: 'Removes the job from the list.',
    about: 'The documents it took in stay. 409 while it is under way.',
    answer: bulkAnswer,
    handle: actOnBulk(services, 'delete')
  }),
  get('/api/ingest/places', {
    summary: 'Sticks and folders that documents may be taken from.',
    about:
      '`{places: [{path, label, removable, size_bytes, free_bytes, readable, reason}]}`: what is mounted below /run/lookout-stick, /media, /run/media and /mnt, the folders of `knowledge.bulk_folders`, and sticks that are plugged in and not mounted (`path` is null).',
    access: 'operator',
    answer: placesAnswer,
    handle: listPlaces(services)
  })
]
