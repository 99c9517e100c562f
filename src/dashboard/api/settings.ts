import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import type { JsonObject } from '../../platform/config/json.ts'
import { maskSecrets } from '../../platform/config/masked.ts'
import { AppError, issueReason } from '../../platform/errors.ts'
import { describeSettings, type Setting } from '../../settings/describe.ts'
import { guestView } from '../../settings/guest-view.ts'
import { configWarnings } from '../../settings/warnings.ts'
import {
  applyChange,
  keepsSecrets,
  needRestart,
  type SettingsChange,
  settingsBody
} from '../editing/settings-document.ts'
import { askerOf } from '../server/asker.ts'
import type { HttpContext } from '../server/context.ts'
import { toldTo } from '../server/guest.ts'
import { canWrite, type Identity } from '../server/identity.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { nameOf } from './acks.ts'
import { savedSettingsAnswer, schemaAnswer, settingsAnswer } from './answers/station.ts'
import type { Services } from './services.ts'

export const schemaQuery = v.object({
  section: v.pipe(v.exactOptional(v.string()), v.description('Only this section, such as station.')),
  kind: v.pipe(v.exactOptional(v.string()), v.description('With section=sources: only this kind of source.'))
})

/** `settings` as whoever asks may see it, and the revision `If-Match` is compared with. */
export interface ServedSettings {
  /** As written, defaults not filled in; a secret that is set is `{"$kept": pointer}`. */
  settings: JsonObject
  revision: string
  /** Values of the command line or the environment in place of the configuration, by pointer. */
  overridden: Record<string, string | number | boolean>
  stale_config: boolean
  problem: string | null
}

/** The configuration on disk now: the operator sees all but the secrets, a guest what the schema says is public. */
export async function servedSettings(context: HttpContext, identity: Identity): Promise<ServedSettings> {
  await context.config.refresh()
  const isOperator = canWrite(identity, context.config.current().http)
  const raw = context.config.raw()
  const settings = isOperator ? maskSecrets(raw) : guestView(raw)
  return {
    settings,
    revision: revisionOf(settings),
    overridden: isOperator ? overridden(context) : {},
    stale_config: context.config.status().stale,
    problem: problemText(context, isOperator)
  }
}

/** Path and message name keys and values of the file: a guest hears of the line alone. */
function problemText({ config }: HttpContext, isOperator: boolean): string | null {
  const { problem } = config.status()
  if (problem === null) return null
  const { line, path, message } = problem
  if (!isOperator) return line === null ? 'the file' : `line ${line}`
  return `${line === null ? '' : `line ${line}: `}${path === '' ? '' : `${path}: `}${message}`
}

/** Contract §12: the command line and the environment come before `config.json`. */
function overridden({ overrides, config }: HttpContext): ServedSettings['overridden'] {
  const { http, log_level } = config.current()
  const saved = { '/http/host': http.host, '/http/port': http.port, '/log_level': log_level }
  const forced = { '/http/host': overrides['host'], '/http/port': overrides['port'], '/log_level': overrides['log'] }
  return Object.fromEntries(
    Object.entries(forced).flatMap(([pointer, value]) =>
      value === undefined || value === saved[pointer as keyof typeof saved] ? [] : [[pointer, value]]
    )
  )
}

/** `GET /api/settings`. */
export function readSettings({ context }: Services): Handler<unknown, undefined, Told<typeof settingsAnswer>> {
  return async ({ identity }) => {
    const served = await servedSettings(context, identity)
    return json(served, { headers: { ETag: `"${served.revision}"` } })
  }
}

/** `GET /api/settings/schema`: what forms are made from; `kind` narrows the sources down to one. */
function readSettingsSchema(): Handler<v.InferOutput<typeof schemaQuery>, undefined, Told<typeof schemaAnswer>> {
  return ({ query: { section, kind } }) => {
    if (section === undefined) return json(describeSettings())
    const setting = ownMember(describeSettings().members, section)
    if (setting === undefined) throw notFound()
    if (kind === undefined) return json(setting)
    const one = ownMember(setting.items?.kinds, kind)
    if (one === undefined) throw notFound()
    return json(one)
  }
}

function ownMember(members: Record<string, Setting> = {}, name: string): Setting | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

/** `POST /api/settings`: read-modify-write of the places it names; unknown keys and the order of keys survive. */
function writeSettings({ context }: Services): Handler<unknown, SettingsChange, Told<typeof savedSettingsAnswer>> {
  return async ({ body, headers, identity }) => {
    const pointers = [...Object.keys(body.set), ...body.remove]
    if (pointers.length === 0) throw new AppError('invalid', because('name_something_to_set'))
    const ifMatch = headers['if-match']
    if (ifMatch === undefined && keepsSecrets(body.set))
      throw new AppError('invalid', because('kept_secret_needs_match'))
    const config = await context.config.update((raw) => applyChange(raw, body), {
      ...(ifMatch === undefined ? {} : { ifMatch }),
      revisionOf: (_config, raw) => maskSecrets(raw),
      by: nameOf(identity)
    })
    const raw = context.config.raw()
    const served = await servedSettings(context, identity)
    const asker = askerOf(context, { headers, identity })
    const warnings = configWarnings(raw, config)
      .filter(({ path }) => pointers.some((pointer) => touches(path, pointer)))
      .map((found) => ({ path: found.path, code: found.code, message: toldTo(issueReason(found), asker) }))
    return json(
      { ok: true, ...served, restart: needRestart(pointers, raw), warnings },
      { headers: { ETag: `"${served.revision}"` } }
    )
  }
}

function touches(path: string, pointer: string): boolean {
  const place = pointer.replace(/\/-$/, '')
  return path === place || path.startsWith(`${place}/`) || place.startsWith(`${path}/`)
}

export const settingsRoutes = (services: Services): Route[] => [
  get('/api/settings', {
    summary: 'The configuration, as far as the caller may see it.',
    about:
      '`{settings, revision, overridden, stale_config, problem}`. `settings` is `config.json` as written, defaults left out; a secret that is set is `{"$kept": pointer}`. Whoever may not change it sees numbers, switches, choices and public names; of addresses scheme and host; every other text is `$kept`, unknown keys and `overridden` are left out. `overridden`: pointer → what the command line or the environment says in its place. The revision is the `ETag`.',
    answer: settingsAnswer,
    handle: readSettings(services)
  }),
  post('/api/settings', {
    summary: 'Changes places of the configuration.',
    about:
      'Body: `{set: {pointer: value}, remove: [pointer]}`. The last part `-` adds to a list; `{"$kept": pointer}` keeps a secret and needs `If-Match`. Everything else in the file stays as it is. Answers what GET answers, with `restart` (pointers used from the next start on) and `warnings`.',
    body: settingsBody,
    refuses: { 409: 'The configuration file is not valid', 412: 'Changed in between' },
    answer: savedSettingsAnswer,
    handle: writeSettings(services)
  }),
  get('/api/settings/schema', {
    summary: 'What settings there are.',
    about:
      'A tree of `{type, title, description, default, required, nullable, secret, restart, public, public_names, choices, min, max, whole, most, unit, members | items | values | kinds}`, made from the schema that checks the configuration.',
    query: schemaQuery,
    refuses: { 404: 'Not known' },
    answer: schemaAnswer,
    handle: readSettingsSchema()
  })
]
