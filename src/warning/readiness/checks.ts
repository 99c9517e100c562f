import { isClockSet } from '../../platform/clock/clock-set.ts'
import { isNetworkOn, MESH_NETWORKS } from '../routing/network-switches.ts'
import type { WarningConfig } from '../settings.ts'
import type { RadioFact, SourceFact, StationFacts } from './facts.ts'
import { familiesWithSources, tellsHazards } from './families.ts'
import type { Problem, ProblemCode, Readiness } from './problem.ts'
import { familiesOfPolicies, sendingCells } from './routes.ts'

const NEARLY_FULL_BYTES = 200 * 1024 * 1024
const WRITE_LIMIT_MS = 60_000
const SILENT_INTERVALS = 3
/** One or two may be a power cut. */
const MANY_STARTS = 3
/** So many events are named; the rest is a number. */
const UNTOLD_NAMED = 5

type Params = Problem['params']
type Found = readonly { params: Params; link?: string }[]

interface Check {
  code: ProblemCode
  /** Contract §13, first group: nothing would be sent. */
  blocking: boolean
  /** The page that mends it, unless the finding names another. */
  link: string
  find: (facts: StationFacts) => Found
}

const NONE: Found = []
const once = (is: boolean, params: Params = {}): Found => (is ? [{ params }] : NONE)

/** Contract §13, line by line: what would be sent by nobody first, then what would be missed. */
const CHECKS: readonly Check[] = [
  // Nothing would be sent.
  {
    code: 'notifications_off',
    blocking: true,
    link: '/settings/notifications',
    find: ({ config }) => once(!config.notifications.enabled)
  },
  { code: 'storage_failing', blocking: true, link: '/history', find: storageFailing },
  { code: 'no_radio', blocking: true, link: '/first-run', find: (facts) => once(radioCount(facts) === 0) },
  { code: 'all_radios_down', blocking: true, link: '/radios', find: allRadiosDown },
  {
    code: 'no_named_area',
    blocking: true,
    link: '/coverage',
    find: ({ config }) => once(config.coverage.areas.every(({ name }) => name === null))
  },
  {
    code: 'tagging_off',
    blocking: true,
    link: '/coverage',
    find: ({ config: { coverage } }) =>
      once(!coverage.region_tagging && coverage.areas.some(({ name }) => name !== null))
  },
  {
    code: 'matrix_off',
    blocking: true,
    link: '/mesh-a/routing',
    find: ({ config }) => once(!config.notifications.region_routes.enabled && familiesOfPolicies(config).length === 0)
  },
  {
    code: 'matrix_empty',
    blocking: true,
    link: '/mesh-a/routing',
    find: ({ config }) =>
      once(
        config.notifications.region_routes.enabled &&
          sendingCells(config).length === 0 &&
          familiesOfPolicies(config).length === 0
      )
  },

  // Something would be missed.
  {
    code: 'clock_unknown',
    blocking: false,
    link: '/settings',
    find: ({ now }) => once(!isClockSet(now), { year: new Date(now).getUTCFullYear() })
  },
  {
    code: 'clock_from_radio',
    blocking: false,
    link: '/radios',
    find: ({ clock }) => once(clock.from !== null, { radio: clock.from ?? '' })
  },
  {
    code: 'clock_jumped',
    blocking: false,
    link: '/history',
    find: ({ clock }) => (clock.jump === null ? NONE : [{ params: { seconds: Math.round(clock.jump.seconds) } }])
  },
  { code: 'config_stale', blocking: false, link: '/settings', find: ({ configStale }) => once(configStale) },
  {
    code: 'proxy_unnamed',
    blocking: false,
    link: '/settings/http',
    find: ({ proxySign }) => once(proxySign !== null, { sign: proxySign ?? '' })
  },
  {
    code: 'admin_key_changed',
    blocking: false,
    link: '/radios',
    find: ({ changedKeys }) => once(changedKeys > 0, { count: changedKeys })
  },
  {
    code: 'radio_unusable',
    blocking: false,
    link: '/settings/radios',
    find: ({ unmadeRadios }) => unmadeRadios.map((reason) => ({ params: { reason } }))
  },
  { code: 'radio_down', blocking: false, link: '/radios', find: radiosThat('down', 'closed') },
  { code: 'radio_connecting', blocking: false, link: '/radios', find: radiosThat('connecting') },
  { code: 'radio_suspect', blocking: false, link: '/radios', find: radiosThat('suspect') },
  { code: 'network_without_radio', blocking: false, link: '/first-run', find: networksWithoutRadio },
  { code: 'matrix_network_off', blocking: false, link: '/mesh-a/routing', find: networksOff },
  { code: 'matrix_silent', blocking: false, link: '/mesh-a/routing', find: silentMatrix },
  { code: 'event_untold', blocking: false, link: '/events', find: untold },
  {
    code: 'zones_unplaced',
    blocking: false,
    link: '/coverage',
    find: ({ unplaced: [newest, ...rest] }) =>
      newest === undefined
        ? NONE
        : [{ params: { title: newest.title, told: newest.told ? 'state' : 'nobody', more: rest.length } }]
  },
  {
    code: 'messages_failed',
    blocking: false,
    link: '/deliveries?state=failed',
    find: ({ failedMessages }) => once(failedMessages > 0, { count: failedMessages })
  },
  { code: 'channel_missing', blocking: false, link: '/radios', find: channelsThat('no_channel') },
  { code: 'channel_disabled', blocking: false, link: '/radios', find: channelsThat('channel_disabled') },
  {
    code: 'no_hazard_source',
    blocking: false,
    link: '/sources',
    find: ({ config }) => once(!config.sources.some(({ enabled, kind }) => enabled && tellsHazards(kind)))
  },
  { code: 'source_blocked', blocking: false, link: '/sources', find: sourcesThat('blocked') },
  { code: 'source_down', blocking: false, link: '/sources', find: sourcesThat('down') },
  { code: 'source_silent', blocking: false, link: '/sources', find: silentSources },
  {
    code: 'source_failing',
    blocking: false,
    link: '/sources',
    find: (facts) =>
      facts.sources
        .filter((source) => source.state === 'failing' && !isSilent(source, facts.now))
        .map(({ name, reason }) => ({ params: { name, reason: reason ?? '' } }))
  },
  {
    code: 'imported_matrix_off',
    blocking: false,
    link: '/mesh-a/routing',
    find: ({ config: { notifications } }) => once(isImportedOff(notifications.region_routes))
  },
  { code: 'family_unrouted', blocking: false, link: '/mesh-a/routing', find: unroutedFamilies },
  {
    code: 'disk_nearly_full',
    blocking: false,
    link: '/history',
    find: ({ disk, storage }) =>
      storage === null && disk !== null && disk.freeBytes < NEARLY_FULL_BYTES
        ? [{ params: { megabytes: Math.round(disk.freeBytes / 2 ** 20) } }]
        : NONE
  },
  {
    code: 'loop_stalled',
    blocking: false,
    link: '/history',
    find: ({ loop }) => (loop === null ? NONE : [{ params: { seconds: Math.round(loop.stalledMs / 100) / 10 } }])
  },
  {
    code: 'writes_stopped',
    blocking: false,
    link: '/history',
    find: ({ now, writes: { unwrittenSince } }) =>
      unwrittenSince !== null && now - unwrittenSince > WRITE_LIMIT_MS
        ? [{ params: { seconds: Math.round((now - unwrittenSince) / 1000) } }]
        : NONE
  },
  {
    code: 'work_shed',
    blocking: false,
    link: '/history',
    find: ({ shed }) => (shed === null ? NONE : [{ params: { reason: shed } }])
  },
  {
    code: 'starts_failed',
    blocking: false,
    link: '/history',
    find: ({ failedStarts }) => once(failedStarts >= MANY_STARTS, { count: failedStarts })
  },
  { code: 'undervoltage', blocking: false, link: '/history', find: ({ undervoltage }) => once(undervoltage) },
  {
    code: 'backup_failed',
    blocking: false,
    link: '/backup',
    find: ({ backup }) => (backup === null ? NONE : [{ params: { reason: backup } }])
  },
  { code: 'database_put_aside', blocking: false, link: '/history', find: putAside },
  { code: 'knowledge_closed', blocking: false, link: '/history', find: ({ knowledgeClosed }) => once(knowledgeClosed) },
  { code: 'demo', blocking: false, link: '/first-run', find: ({ demo }) => once(demo) },
  { code: 'drill', blocking: false, link: '/events', find: ({ drill }) => once(drill) },
  { code: 'preview', blocking: false, link: '/', find: ({ preview }) => once(preview) }
]

/** All that keeps a warning from going out now, gravest first (contract §13). Pure: the same facts, the same answer. */
export function judge(facts: StationFacts): Readiness {
  const problems = CHECKS.flatMap(({ code, blocking, link, find }) =>
    find(facts).map((one): Problem => ({ code, blocking, link: one.link ?? link, params: one.params }))
  )
  return { ready: problems.every(({ blocking }) => !blocking), problems }
}

/** A switch of a network says on, and the master that the earlier system did not have is off. */
function isImportedOff({ enabled, mt_enabled, mc_enabled }: WarningConfig['notifications']['region_routes']): boolean {
  return !enabled && (mt_enabled === true || mc_enabled === true)
}

/** The matrix is on, but off for a network that there is a radio for. */
function networksOff({ config, radios }: StationFacts): Found {
  const { region_routes } = config.notifications
  if (!region_routes.enabled) return NONE
  return MESH_NETWORKS.filter(
    (network) =>
      !isNetworkOn(region_routes, network) && [...config.radios, ...radios].some((radio) => radio.network === network)
  ).map((network) => ({ params: { network }, link: network === 'mt' ? '/mesh-a/routing' : '/mesh-b/routing' }))
}

/**
 * Cells are stored and none of them sends, while a policy or a rule does: the station is ready, and says less than its matrix looks like. A muted
 * cell even keeps the policy from speaking (contract §4 rule 2).
 */
function silentMatrix({ config }: StationFacts): Found {
  const { region_routes } = config.notifications
  const cells = Object.values(region_routes.cells).reduce((sum, row) => sum + Object.keys(row).length, 0)
  const isTold = isImportedOff(region_routes) || config.coverage.areas.every(({ name }) => name === null)
  if (cells === 0 || isTold || familiesOfPolicies(config).length === 0) return NONE
  return once(!region_routes.enabled || sendingCells(config).length === 0, {
    cells,
    state: region_routes.enabled ? 'on' : 'off'
  })
}

function storageFailing({ storage }: StationFacts): Found {
  return storage === null ? NONE : [{ params: { reason: storage.code, detail: storage.detail } }]
}

function putAside({ putAside: names }: StationFacts): Found {
  return names.map((name) => {
    const file = name.replace(/\.(?:bad-.*|damaged)$/, '')
    return { params: { file, aside: name.endsWith('.damaged') ? '' : name } }
  })
}

/** A preview connects to none of them, and says so by itself. */
function radioCount({ preview, config, radios, unmadeRadios }: StationFacts): number {
  return radios.length + unmadeRadios.length + (preview ? config.radios.length : 0)
}

function allRadiosDown({ preview, radios, unmadeRadios }: StationFacts): Found {
  const count = radios.length + unmadeRadios.length
  return once(!preview && count > 0 && radios.every(({ state }) => state !== 'ready' && state !== 'suspect'), { count })
}

function radiosThat(...states: RadioFact['state'][]): Check['find'] {
  return ({ radios }) =>
    radios
      .filter(({ state }) => states.includes(state))
      .map(({ id, reason }) => ({ params: { id, reason: reason ?? '' } }))
}

/** Told only where there is a radio at all: without any, nothing goes anywhere. */
function networksWithoutRadio({ preview, config, radios, unmadeRadios }: StationFacts): Found {
  if (preview || unmadeRadios.length > 0 || radios.length === 0) return NONE
  const cells = config.notifications.region_routes.enabled ? sendingCells(config) : []
  return (['mt', 'mc'] as const).flatMap((network) => {
    const channels = [...new Set(cells.flatMap(({ cell }) => cell[network] ?? []))]
    const has = radios.some((radio) => radio.network === network)
    return has || channels.length === 0 ? [] : [{ params: { network, channels: channels.join(', ') } }]
  })
}

function channelsThat(problem: RadioFact['missing'][number]['problem']): Check['find'] {
  return ({ radios }) =>
    radios.flatMap(({ id, missing }) =>
      missing.filter((one) => one.problem === problem).map(({ channel }) => ({ params: { id, channel } }))
    )
}

function sourcesThat(state: string): Check['find'] {
  return ({ sources }) =>
    sources
      .filter((source) => source.state === state)
      .map(({ name, reason }) => ({ params: { name, reason: reason ?? '' } }))
}

function silentSources({ now, sources }: StationFacts): Found {
  return sources
    .filter((source) => isSilent(source, now))
    .map(({ name, reason, heardAt, answered }) => ({
      params: { name, reason: reason ?? '', seconds: Math.round((now - heardAt) / 1000), answered: answered ? 1 : 0 }
    }))
}

function isSilent({ state, heardAt, intervalSeconds }: SourceFact, now: number): boolean {
  if (state === 'off' || state === 'blocked' || intervalSeconds === null) return false
  return state === 'stale' || now - heardAt > SILENT_INTERVALS * intervalSeconds * 1000
}

function unroutedFamilies({ config }: StationFacts): Found {
  const { region_routes } = config.notifications
  const routed = new Set(familiesOfPolicies(config))
  if (region_routes.enabled) for (const { family } of sendingCells(config)) routed.add(family)
  return [...familiesWithSources(config)]
    .filter(([family]) => !routed.has(family))
    .map(([family, name]) => ({ params: { family, name } }))
}

function untold({ untold: events }: StationFacts): Found {
  const named = events.slice(0, UNTOLD_NAMED).map(({ id, source, title, severity, reason }) => ({
    params: { title, severity, reason },
    link: `/events/${encodeURIComponent(id)}?source=${encodeURIComponent(source)}`
  }))
  const rest = events.length - named.length
  return rest === 0 ? named : [...named, { params: { title: '', severity: '', reason: '', more: rest } }]
}
