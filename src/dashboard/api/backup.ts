import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import type { BackupFile } from '../../platform/backup/one-file.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import type { BackupPort } from '../server/backups.ts'
import type { HttpContext } from '../server/context.ts'
import type { Identity } from '../server/identity.ts'
import { jsonSaid } from '../server/reply.ts'
import { form, get, type Handler, order, type Route } from '../server/route.ts'
import { nameOf } from './acks.ts'
import type { Services } from './services.ts'

const PAGE = '/backup'

const answerSchema = v.strictObject({
  every: v.picklist(['off', 'daily', 'weekly']),
  folder: v.pipe(v.string(), v.description('Where they go: the folder that was chosen, or the stick.')),
  busy: v.boolean(),
  last: v.pipe(
    v.nullable(
      v.strictObject({
        at: v.pipe(v.string(), v.description('RFC 3339.')),
        folder: v.string(),
        files: v.number(),
        bytes: v.number()
      })
    ),
    v.description('The last one that was read back and found whole.')
  ),
  failed: v.pipe(
    v.nullable(v.strictObject({ at: v.string(), reason: v.string() })),
    v.description('Why the newest try failed; null when it did not.')
  ),
  restore: v.pipe(
    v.nullable(v.picklist(['reading', 'ready'])),
    v.description('A backup is being read in, or takes its place at the next start.')
  ),
  progress: v.pipe(
    v.nullable(v.strictObject({ files: v.number(), ofFiles: v.number() })),
    v.description('Files of it that were read in; null before the first second.')
  ),
  judging: v.pipe(v.boolean(), v.description('The uploaded one is being looked at.')),
  uploaded: v.pipe(
    v.nullable(
      v.strictObject({
        name: v.string(),
        size: v.pipe(v.number(), v.description('Bytes of the file.')),
        facts: v.pipe(
          v.nullable(
            v.strictObject({
              stamp: v.string(),
              made_by: v.pipe(v.string(), v.description('Release of the program that made it.')),
              made_at: v.string(),
              files: v.number(),
              bytes: v.pipe(v.number(), v.description('Unpacked.'))
            })
          ),
          v.description('What its manifest says, once every file of it was found in it.')
        ),
        refused: v.pipe(v.nullable(v.string()), v.description('Why it is not taken.'))
      })
    ),
    v.description('A backup that was uploaded and waits to be put back.')
  ),
  fileFailed: v.pipe(v.nullable(v.string()), v.description('Why the last one to be downloaded was not made.')),
  notRestored: v.pipe(v.nullable(v.string()), v.description('Why the last one could not be put back.'))
})

const iso = (at: number): string => new Date(at).toISOString()

function answerOf(backups: BackupPort) {
  const { last, failed, ...state } = backups.state()
  return {
    ...state,
    last: last === null ? null : { ...last, at: iso(last.at) },
    failed: failed === null ? null : { at: iso(failed.at), reason: failed.reason }
  }
}

/** @throws AppError `unavailable` in a preview. */
export function backupsOf({ backups }: HttpContext): BackupPort {
  if (backups === null) throw new AppError('unavailable', because('backup_not_here'))
  return backups
}

function begin(context: HttpContext, identity: Identity): BackupPort {
  const backups = backupsOf(context)
  backups.begin()
  context.audit?.add({ by: nameOf(identity), what: because('audit_backup_asked') })
  return backups
}

const fields = looseObject({
  do: v.exactOptional(v.picklist(['make', 'file', 'restore', 'restore-uploaded', 'discard']), 'make'),
  folder: v.exactOptional(v.string(), ''),
  stamp: v.exactOptional(v.string(), '')
})

async function restore(
  context: HttpContext,
  identity: Identity,
  { folder, stamp }: { folder: string; stamp: string }
): Promise<void> {
  await backupsOf(context).restore({ folder, stamp })
  context.audit?.add({ by: nameOf(identity), what: because('audit_restore_asked', { stamp }) })
}

/** @throws AppError as `BackupPort.restoreUploaded` does */
async function restoreUploaded(context: HttpContext, identity: Identity): Promise<BackupPort> {
  const backups = backupsOf(context)
  const stamp = backups.state().uploaded?.facts?.stamp ?? ''
  await backups.restoreUploaded()
  context.audit?.add({ by: nameOf(identity), what: because('audit_restore_asked', { stamp }) })
  return backups
}

async function obey(context: HttpContext, identity: Identity, body: v.InferOutput<typeof fields>): Promise<unknown> {
  switch (body.do) {
    case 'make':
      return begin(context, identity)
    case 'file':
      backupsOf(context).beginFile()
      return context.audit?.add({ by: nameOf(identity), what: because('audit_backup_asked') })
    case 'restore':
      return restore(context, identity, body)
    case 'restore-uploaded':
      return restoreUploaded(context, identity)
    case 'discard':
      return backupsOf(context).discardUploaded()
  }
}

/** `GET /api/backup/file`: read as it goes out. Whoever has it has all that the station knows, so the audit log has who took it. */
function download({ context }: Services): Handler<v.InferOutput<typeof fileQuery>, undefined> {
  return async ({ query, identity }) => {
    const file = await backupsOf(context).file(query)
    context.audit?.add({ by: nameOf(identity), what: because('audit_backup_downloaded', { stamp: query.stamp }) })
    return { takeOver: (req, res) => send(file, req, res) }
  }
}

function send({ name, bytes, content }: BackupFile, req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, {
    'Content-Type': 'application/x-tar',
    'Content-Length': bytes,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store'
  })
  if (req.method === 'HEAD') res.end()
  // The head is written: all that can be told of a stick that was pulled out is that it broke off.
  else pipeline(content(), res).catch(() => res.destroy())
}

const fileQuery = v.object({
  folder: v.pipe(v.string(), v.description('As the page names it.')),
  stamp: v.string()
})

export const backupRoutes = (services: Services): Route[] => [
  get('/api/backup', {
    access: 'operator',
    summary: 'Backups that the station makes by itself.',
    about:
      '`last` is the last good one; `failed` says what came in the way of the newest, and is null when nothing did.',
    answer: answerSchema,
    refuses: { 503: 'A preview makes none' },
    handle: () => jsonSaid(answerOf(backupsOf(services.context)))
  }),
  order('/api/backup', {
    summary: 'Begins a backup now.',
    about: 'No body. Made and read back in another process: `GET /api/backup` tells.',
    done: [202, 'Begun'],
    refuses: { 409: 'One is being made', 503: 'A preview makes none' },
    answer: answerSchema,
    handle: ({ identity }) => jsonSaid(answerOf(begin(services.context, identity)), { status: 202 })
  }),
  order('/api/backup/restore', {
    summary: 'Puts the uploaded backup back.',
    about:
      'No body. A backup comes by `POST /api/backup/uploads` (tus). Every file of it is read in beside the data and compared with its hash; nothing is replaced before all of it is whole. It takes its place at the next start, which follows by itself where something starts the program: `GET /api/backup` tells. What was here is kept in `before-restore-…` of the data folder.',
    done: [202, 'Begun'],
    refuses: {
      404: 'None was uploaded',
      409: 'One is being made, looked at or read in',
      503: 'A preview changes nothing'
    },
    answer: answerSchema,
    handle: async ({ identity }) =>
      jsonSaid(answerOf(await restoreUploaded(services.context, identity)), { status: 202 })
  }),
  get('/api/backup/file', {
    access: 'operator',
    summary: 'A backup as one file.',
    about:
      'A tar archive with everything that the station knows, keys too: keep it as you keep the board. Unpacked onto a stick it is a folder of backups.',
    query: fileQuery,
    media: ['application/x-tar'],
    refuses: { 404: 'Not there', 503: 'A preview makes none' },
    handle: download(services)
  }),
  form(PAGE, {
    body: fields,
    handle: ({ headers, identity, body }) =>
      operatorForm(services.context, { headers, identity, back: PAGE }, async () => {
        await obey(services.context, identity, body)
        return seeOther(PAGE)
      })
  })
]
