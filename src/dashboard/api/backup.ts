import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import type { BackupPort } from '../server/backups.ts'
import type { HttpContext } from '../server/context.ts'
import type { Identity } from '../server/identity.ts'
import { jsonSaid } from '../server/reply.ts'
import { form, get, order, type Route } from '../server/route.ts'
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
function backupsOf({ backups }: HttpContext): BackupPort {
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
  do: v.exactOptional(v.picklist(['make', 'restore']), 'make'),
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
  form(PAGE, {
    body: fields,
    handle: ({ headers, identity, body }) =>
      operatorForm(services.context, { headers, identity, back: PAGE }, async () => {
        if (body.do === 'restore') await restore(services.context, identity, body)
        else begin(services.context, identity)
        return seeOther(PAGE)
      })
  })
]
