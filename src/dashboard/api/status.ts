import type { Language } from '../../model/words/languages.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { StorageFault } from '../../platform/database/storage-fault.ts'
import { isNetworkOn } from '../../warning/routing/network-switches.ts'
import { servedReadiness } from '../pages/frame/problem-words.ts'
import { askerOf } from '../server/asker.ts'
import type { HttpContext } from '../server/context.ts'
import { shownRadio } from '../server/guest-view.ts'
import { canWrite } from '../server/identity.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { said } from '../server/said-status.ts'
import { liveAnswer, profileAnswer, readyAnswer, statusAnswer } from './answers/station.ts'
import { radiosAnswer } from './answers/warnings.ts'
import type { Services } from './services.ts'

/** `GET /api/status`: how the program is, in one look. */
function readStatus({ context }: Services): Handler<unknown, undefined, Told<typeof statusAnswer>> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const asker = askerOf(context, { headers, identity })
    const { coverage, notifications, http } = context.config.current()
    const config = context.config.status()
    const { language } = asker
    const radios = context.radios().map((radio) => said(radio, asker))
    return json({
      version: context.version,
      mode: context.mode,
      profile: context.profile.name,
      uptime_seconds: Math.floor((context.now() - context.startedAt) / 1000),
      started_at: new Date(context.startedAt).toISOString(),
      simulated: radios.some(({ simulated }) => simulated),
      demo: saidDemo(context, language),
      stale_config: config.stale,
      config_problem: problemView(config.problem, canWrite(identity, http)),
      storage: storageView(context.storageFault()),
      notifications_enabled: notifications.enabled,
      matrix_enabled: notifications.region_routes.enabled,
      matrix_mt_enabled: isNetworkOn(notifications.region_routes, 'mt'),
      matrix_mc_enabled: isNetworkOn(notifications.region_routes, 'mc'),
      tagging: coverage.region_tagging,
      coverage_areas: coverage.areas.length,
      queue: context.deliveries.counts(),
      loop: context.loop(),
      radios: radios.map(({ id, network, state, reason, simulated, queue }) => ({
        id,
        network,
        state,
        reason,
        simulated,
        waiting: queue.waiting
      })),
      backup: backupView(context),
      readiness: servedReadiness(context.readiness(), asker)
    })
  }
}

/** The path of the backups is nobody's business on the network: `GET /api/backup` has it. */
function backupView({ backups }: HttpContext): Told<typeof statusAnswer>['backup'] {
  if (backups === null) return null
  const { every, last, failed } = backups.state()
  return { every, last_good: last === null ? null : new Date(last.at).toISOString(), failing: failed !== null }
}

/** `storing: false`: the memory of what was sent is lost with the next restart. */
function storageView(fault: StorageFault | null): { storing: boolean; fault: StorageFault | null } {
  return { storing: fault === null, fault }
}

type ConfigProblem = NonNullable<ReturnType<Services['context']['config']['status']>['problem']>

/**
 * Without the folder: where the data lies is nobody's business on the network. Message and path name keys and values of the
 * file, which are the operator's alone.
 */
function problemView(problem: ConfigProblem | null, isOperator: boolean): Told<typeof statusAnswer>['config_problem'] {
  if (problem === null) return null
  const { code, message, line, column, path } = problem
  return isOperator
    ? { code, message, line, column, path }
    : { code, message: 'config.json is not valid', line, column, path: '' }
}

/** `GET /api/health` and `/api/health/live`: the process answers. */
export function live(): Handler<unknown, undefined, Told<typeof liveAnswer>> {
  return () => json({ status: 'live' })
}

/** `GET /api/health/ready`: 503 while nothing would be sent; what would be missed is told with either (contract §13). */
export function ready({ context }: Services): Handler<unknown, undefined, Told<typeof readyAnswer>> {
  return (call) => {
    const readiness = context.readiness()
    const { problems } = servedReadiness(readiness, askerOf(context, call))
    const { ready: isReady } = readiness
    return json({ status: isReady ? 'ready' : 'not_ready', ready: isReady, problems }, { status: isReady ? 200 : 503 })
  }
}

/** `GET /api/radios`. */
function listRadios({ context }: Services): Handler<unknown, undefined, Told<typeof radiosAnswer>> {
  return (call) => {
    const asker = askerOf(context, call)
    return json({ radios: context.radios().map((radio) => said(shownRadio(radio, asker), asker)) })
  }
}

/** `GET /api/profile`: contract §10; no paths, no secrets. */
function readProfile({ context }: Services): Handler<unknown, undefined, Told<typeof profileAnswer>> {
  const { name, features, tuning, subsystems, retention, polling } = context.profile
  const limits = { ...tuning, ...retention, ...polling, subsystems }
  return () => json({ profile: name, features, limits, overrides: context.overrides })
}

/** `GET /api/stream`: contract §7, live updates. */
function openStream({ live: stream, context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity, from }) => {
    const last = headers['last-event-id']
    return stream.open(Array.isArray(last) ? last[0] : last, { ...askerOf(context, { headers, identity }), from })
  }
}

export const statusRoutes = (services: Services): Route[] => [
  get('/api/radios', {
    summary: 'The radios.',
    about:
      '`{radios: [{id, network, link, simulated, node_name, modem, state, reason, since, channels, missing_channels, queue, airtime, details}]}`. `details` is null, or `{firmware, battery_percent, battery_millivolts, channel_utilization, air_utilization, queue_length, nodes_known, nodes: [{id, name, last_heard, battery_percent, snr}]}` with the 50 nodes heard last (`snr` in dB, of the last hop to us); the live stream and what a guest gets leave the nodes out.',
    answer: radiosAnswer,
    shared: true,
    handle: listRadios(services)
  }),
  get('/api/status', {
    summary: 'How the program is.',
    about:
      'Version, mode, profile, uptime, `demo`, `stale_config` with `config_problem`, switches, deliveries by state (`queue`), radios, `storage: {storing, fault}` (`full`, `io`, `read_only`, `gone`, `damaged`), `readiness` (as `/api/health/ready`).',
    answer: statusAnswer,
    shared: true,
    handle: readStatus(services)
  }),
  get('/api/profile', {
    summary: 'The deployment profile.',
    about: '`{profile, features, limits, overrides}`: no paths, no secrets.',
    answer: profileAnswer,
    handle: readProfile(services)
  }),
  get('/api/health', {
    summary: 'Whether the process answers.',
    about: '`{status: "live"}`.',
    answer: liveAnswer,
    handle: live()
  }),
  get('/api/health/live', {
    summary: 'Whether the process answers.',
    about: '`{status: "live"}`.',
    answer: liveAnswer,
    handle: live()
  }),
  get('/api/health/ready', {
    summary: 'Whether everything needed to warn is up.',
    about:
      '`{status, ready, problems: [{code, params, blocking, link, message}]}`: 200 `ready`, or 503 `not_ready` while nothing would be sent. `message` follows `Accept-Language`. Codes: [operator.md](operator.md#is-it-running).',
    refuses: { 503: { words: 'Nothing would be sent', answer: readyAnswer } },
    answer: readyAnswer,
    handle: ready(services)
  }),
  get('/api/stream', {
    summary: 'Live updates, as server-sent events.',
    about:
      'Events `decided`, `delivery`, `radio`, `source`, `config`, and `beat` every 15 s. `Last-Event-ID` brings what was missed (the last 500), or `reset`. At most 64 clients, 8 of one address, then 503.',
    media: ['text/event-stream'],
    handle: openStream(services)
  })
]

function saidDemo({ demo }: Pick<HttpContext, 'demo'>, language: Language): { playing: boolean; note: string } | null {
  const state = demo()
  return state === null ? null : { ...state, note: sentenceOf(state.note, language) }
}
