import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { StartOptions } from '../cli/verb.ts'
import { printSheet } from '../dashboard/paper/print.ts'
import { readBundles } from '../dashboard/server/bundles.ts'
import type { HttpContext } from '../dashboard/server/context.ts'
import type { HttpsPort } from '../dashboard/server/https-port.ts'
import { LocalOperator } from '../dashboard/server/local-operator.ts'
import { because, type Reason } from '../model/reason.ts'
import type { AuditLog } from '../platform/audit/audit-log.ts'
import { systemClock } from '../platform/clock/clock.ts'
import type { LoopMeter } from '../platform/clock/loop-meter.ts'
import { AppError } from '../platform/errors.ts'
import type { MetricsHistory } from '../platform/metrics/history.ts'
import type { PowerWatch } from '../platform/metrics/power.ts'
import { MANIFEST } from '../platform/release/release.ts'
import { CLAIM_CARD_FILE } from '../platform/sessions/claim-code.ts'
import type { LocalSecret } from '../platform/sessions/local-secret.ts'
import { SessionStore } from '../platform/sessions/session-store.ts'
import { TokenStore } from '../platform/sessions/tokens.ts'
import type { Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'
import type { ConfigStore } from '../settings/store.ts'
import { findGazetteer, Gazetteer } from '../warning/atlas/gazetteer.ts'
import type { DemoPlayer } from '../warning/feeds/demo/demo-player.ts'
import type { Sources } from '../warning/feeds/sources.ts'
import type { SelfReport } from '../warning/readiness/self-report.ts'
import type { Broadcasts } from '../warning/schedule/broadcasts.ts'
import type { WarningConfig } from '../warning/settings.ts'
import { keptAirtimeAhead } from './airtime-ahead.ts'
import type { Backups } from './backups.ts'
import { broadcastPreviews } from './broadcasts.ts'
import type { Core } from './core.ts'
import type { LateKnowledge } from './late-knowledge.ts'
import { passesAnswers } from './passes.ts'
import { stationPlaces } from './places.ts'
import { radioPlaces } from './radio-probe.ts'
import { type ReadinessParts, stationReadiness } from './readiness.ts'
import type { Shedding } from './shedding.ts'
import type { ZoneSupply } from './zone-supply.ts'

interface ContextParts {
  options: StartOptions
  startedAt: number
  profile: Profile
  config: ConfigStore
  core: Core
  demo: DemoPlayer | null
  /** Reasons why configured radios could not be made. */
  problems: Reason[]
  report: SelfReport
  sources: Sources
  /** The configuration with what the profile adds. */
  current: () => Config
  broadcasts: Broadcasts
  exercises: HttpContext['exercises']
  zones: ZoneSupply
  history: MetricsHistory | null
  /** Null in a preview, which changes nothing that leaves. */
  audit: AuditLog | null
  addresses: HttpContext['addresses']
  hotspot: HttpContext['hotspot']
  updates: HttpContext['updates']
  backups: Backups | null
  power: PowerWatch
  knowledge: Pick<LateKnowledge, 'parts' | 'fault'>
  loop: Pick<LoopMeter, 'worst' | 'lostMs'>
  shedding: Pick<Shedding, 'reason' | 'reasonOf'>
  /** Starts before this one that failed at once, in a row. */
  failedStarts: number
  https: HttpsPort | null
  /** Null in a preview, which shows no secret, and while the disk takes none. */
  secret: LocalSecret | null
}

/** The program as the web sees it. */
export function httpContext(parts: ContextParts): HttpContext {
  const { knowledge } = parts
  return {
    ...stationContext(parts),
    restart: { by: parts.options.restartedBy, ask: parts.options.leave },
    claimOnCard: () =>
      access(CLAIM_CARD_FILE).then(
        () => true,
        // Not there, or not to be seen from here: nobody is sent to look for it.
        () => false
      ),
    isBundle: existsSync(join(parts.options.root, MANIFEST)),
    // Beside the built program; there are none beside the sources.
    bundles: readBundles(join(import.meta.dirname, 'bundles')),
    print: printSheet,
    hotspot: parts.hotspot,
    exercises: parts.exercises,
    updates: parts.updates,
    backups: parts.backups,
    knowledgeClosed: () => knowledge.fault !== null,
    // Opened later than the web where the disk failed at the start.
    get library() {
      return knowledge.parts?.library?.context ?? null
    },
    get scraper() {
      return knowledge.parts?.scraper ?? null
    },
    get knowledge() {
      return knowledge.parts?.knowledge.context ?? null
    },
    get keys() {
      return knowledge.parts?.knowledge.keys ?? null
    }
  }
}

/** The air and the sky of the coming hours. */
function comingUp({
  core,
  current,
  broadcasts
}: ContextParts): Pick<HttpContext, 'airtimeAhead' | 'broadcasts' | 'passes'> {
  return {
    airtimeAhead: keptAirtimeAhead((planned) => core.airtimeAhead(planned), current, systemClock),
    broadcasts: () => broadcastPreviews(broadcasts, current(), systemClock.now()),
    passes: passesAnswers(core, current, () => systemClock.now())
  }
}

type LaterParts =
  | 'restart'
  | 'claimOnCard'
  | 'isBundle'
  | 'bundles'
  | 'print'
  | 'hotspot'
  | 'exercises'
  | 'updates'
  | 'backups'
  | 'knowledgeClosed'
  | 'library'
  | 'scraper'
  | 'knowledge'
  | 'keys'

/** The facts about the machine that readiness asks for. */
const machineFacts = ({ backups, power }: ContextParts): Pick<ReadinessParts, 'backup' | 'undervoltage'> => ({
  backup: () => backups?.problem() ?? null,
  undervoltage: () => power.now().low === true
})

function stationContext(parts: ContextParts): Omit<HttpContext, LaterParts> {
  const {
    options,
    startedAt,
    profile,
    config,
    core,
    demo,
    problems,
    report,
    sources,
    current,
    zones,
    history,
    knowledge
  } = parts
  const { mode, version, log } = options
  const local = localOperator(parts)
  return {
    version,
    mode,
    startedAt,
    now: () => systemClock.now(),
    log,
    profile,
    config,
    overrides: options.overrides,
    tokens: new TokenStore({ folder: options.dataFolder }),
    sessions: new SessionStore({ folder: options.dataFolder, log }),
    local,
    https: () => parts.https?.state ?? { state: 'off' },
    observers: core.observers,
    ledger: core.ledger,
    acceptEvents: async (events) => {
      if (mode === 'preview') {
        throw new AppError('unavailable', because('preview_takes_no_events'))
      }
      return core.accept(events.map((event) => ({ event })))
    },
    storageFault: () => {
      core.storage.look()
      return core.storage.fault
    },
    ...messagesOf(core, mode),
    reactions: core.reactions,
    radios: () => core.radioStatus(),
    sources: {
      list: () => sources.list(),
      kinds: () => sources.kinds(),
      poll: (name) => {
        if (mode === 'preview') throw new AppError('unavailable', because('preview_asks_nobody'))
        return sources.poll(name)
      }
    },
    addText: (text) => core.addText(text),
    ...comingUp(parts),
    ...radioPlaces({ radios: () => current().radios, transmit: mode !== 'preview', clock: systemClock }),
    places: stationPlaces({ zones, log }),
    gazetteer: new Gazetteer({ folder: findGazetteer(import.meta.url) }),
    mapsFolder: join(options.dataFolder, 'maps'),
    explain: (event, matrix) => core.explainSteps(event, matrix),
    backtest: (...asked) => core.backtest(...asked),
    readiness: stationReadiness({
      mode,
      startedAt,
      core,
      report,
      saved: () => config.current(),
      dataFolder: options.dataFolder,
      now: () => systemClock.now(),
      configStale: () => config.status().stale,
      demoOffered: () => demo?.offered ?? false,
      unmadeRadios: problems,
      proxySign: () => local.unnamedProxy(config.current().http),
      sources: () => sources.list(),
      knowledgeClosed: () => knowledge.fault !== null,
      shed: () => parts.shedding.reason(),
      ...machineFacts(parts),
      failedStarts: parts.failedStarts
    }),
    shedFor: () => parts.shedding.reasonOf('dashboard'),
    loop: () => {
      const { ms, during } = parts.loop.worst()
      return { worst_stall_ms: ms, stalled_ms: Math.round(parts.loop.lostMs()), during }
    },
    history,
    audit: parts.audit,
    addresses: parts.addresses,
    demo: () => demo?.state() ?? null,
    shownConfig: shownConfigOf(
      () => config.current(),
      () => demo?.shownConfig() ?? null
    )
  }
}

/** One object until either changes: pages keep beside it what they found in it. */
function shownConfigOf(current: () => Config, ofDemo: () => WarningConfig | null): () => Config {
  let known: { own: Config; demo: WarningConfig | null; shown: Config } | null = null
  return () => {
    const [own, demo] = [current(), ofDemo()]
    if (known?.own !== own || known.demo !== demo) known = { own, demo, shown: { ...own, ...demo } }
    return known.shown
  }
}

/** The messages, and other stations' words of them. */
function messagesOf(core: Core, mode: StartOptions['mode']): Pick<HttpContext, 'deliveries' | 'byIp'> {
  return { deliveries: deliveriesOf(core), byIp: byIpOf(core, mode) }
}

function deliveriesOf(core: Core): HttpContext['deliveries'] {
  return {
    list: (query) => core.deliveries.list(query),
    steps: (id) => core.deliveries.steps(id),
    ofEvent: (seq) => core.deliveries.ofEvent(seq),
    counts: () => core.waiting.counts(),
    rang: () => core.deliveries.rang(),
    heardTags: (count) => core.deliveries.heardTags(count),
    airtimeMs: (network, bytes) => core.airtimeMs(network, bytes)
  }
}

/** A preview says nothing, and asks nobody. */
function byIpOf({ byIp }: Core, mode: StartOptions['mode']): HttpContext['byIp'] {
  return {
    answer: (question) => (mode === 'preview' ? null : byIp.answer(question)),
    states: () => byIp.states(),
    tryAll: async () => {
      if (mode === 'preview') throw new AppError('unavailable', because('preview_asks_nobody'))
      return byIp.tryAll()
    }
  }
}

function localOperator({ config, profile, secret, options }: ContextParts): LocalOperator {
  return new LocalOperator({
    on: () => config.current().http.local_operator ?? (options.mode === 'preview' || profile.http.local_operator),
    secret: (presented) => secret?.matches(presented) ?? false
  })
}
