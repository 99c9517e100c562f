import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import type { AuditRecord } from '../../platform/audit/chain.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { changedSince, type SettingChange, settingChanges, takenBack } from '../../settings/changes.ts'
import { applyChange } from '../editing/settings-document.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import type { HttpContext } from '../server/context.ts'
import { notFound } from '../server/problem.ts'
import { jsonSaid } from '../server/reply.ts'
import { form, get, type Handler, order, type Route, type Told } from '../server/route.ts'
import { nameOf } from './acks.ts'
import { auditAnswer, takenBackAnswer } from './answers/station.ts'
import { auditQuery } from './query.ts'
import type { Services } from './services.ts'

const PAGE = '/audit'

/** `GET /api/audit`: the newest first. */
function readAudit({
  context
}: Services): Handler<v.InferOutput<typeof auditQuery>, undefined, Told<typeof auditAnswer>> {
  return async ({ query: { limit, cursor } }) => {
    const { audit } = context
    if (audit === null) throw notFound()
    const records = await audit.newest(limit, cursor ?? Number.POSITIVE_INFINITY)
    const last = records.at(-1)?.seq ?? 1
    return jsonSaid({
      entries: records.map(({ seq, at, by, what, more }) => ({
        seq,
        at,
        by,
        code: what.code,
        text: what,
        changes: changesOf({ what, more })
      })),
      next: records.length === limit && last > 1 ? last : null
    })
  }
}

/** The places of an entry that can be taken back; empty where it is no change of settings. */
export function changesOf({ what, more }: Pick<AuditRecord, 'what' | 'more'>): SettingChange[] {
  const isChange = what.code === 'audit_settings_changed' || what.code === 'audit_file_edited'
  return isChange ? settingChanges(more['changes']) : []
}

/**
 * Takes one change of settings back where nothing was changed since at the same places. @throws AppError `not-found`, `invalid`,
 * `conflict` with the places that were.
 */
async function takeBack(context: HttpContext, number: string, by: string): Promise<string[]> {
  const seq = /^\d{1,15}$/.test(number) ? Number(number) : 0
  const record = (await context.audit?.find(seq)) ?? null
  if (record === null) throw new AppError('not-found', because('audit_no_such_entry', { seq }))
  const changes = changesOf(record)
  if (changes.length === 0) throw new AppError('invalid', because('audit_not_undoable', { seq }))
  await context.config.update(
    (raw) => {
      const again = changedSince(changes, raw)
      if (again.length > 0) throw new AppError('conflict', because('audit_changes_again', { places: again }))
      return applyChange(raw, takenBack(changes))
    },
    { by }
  )
  const places = changes.map(({ pointer }) => pointer)
  context.audit?.add({ by, what: because('audit_settings_taken_back', { seq, places }) })
  return places
}

export const undoForm = looseObject({ seq: v.optional(v.pipe(v.string(), v.maxLength(20)), '') })

export const auditRoutes = (services: Services): Route[] => [
  get('/api/audit', {
    summary: 'Who changed, sent, silenced and signed in.',
    about:
      '`{entries: [{seq, at, by, code, text, changes}], next}`, the newest first. `changes`: the places of a change of settings, with what was and what is, secrets masked. `lookout verify-log` checks the chain of hashes. See [operator.md](operator.md#who-did-what).',
    access: 'operator',
    query: auditQuery,
    answer: auditAnswer,
    handle: readAudit(services)
  }),
  order('/api/audit/:seq/undo', {
    summary: 'Takes a change of settings back.',
    about: 'No body. 409 where one of its places was changed again since. Answers `{ok, taken_back}`.',
    refuses: { 409: 'Changed again since' },
    answer: takenBackAnswer,
    handle: async ({ params, identity }) =>
      jsonSaid({
        ok: true as const,
        taken_back: await takeBack(services.context, params['seq'] ?? '', nameOf(identity))
      })
  }),
  form('/audit', {
    body: undoForm,
    handle: ({ body, headers, identity }) =>
      operatorForm(services.context, { headers, identity, back: PAGE }, async () => {
        await takeBack(services.context, body.seq, nameOf(identity))
        return seeOther(`${PAGE}?done=${body.seq}`)
      })
  })
]
