import { join } from 'node:path'
import type { CoreSetup, RunningApp, StartOptions } from '../cli/verb.ts'
import { startHttp } from '../dashboard/http-server.ts'
import { AuditLog } from '../platform/audit/audit-log.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { LoopMeter, patientClock } from '../platform/clock/loop-meter.ts'
import { Stopper } from '../platform/clock/stopper.ts'
import { prepareDataFolder } from '../platform/files/data-folder.ts'
import { diskAnswers } from '../platform/files/disk-probe.ts'
import { RESERVE, Reserve } from '../platform/files/reserve.ts'
import type { Log } from '../platform/log/log.ts'
import { giveBackAfterStart, keepYoungSpaceSmall, leaveOutLargeCompiler } from '../platform/process/small-heap.ts'
import { LocalSecret } from '../platform/sessions/local-secret.ts'
import { loadProfile, type Profile } from '../settings/profile.ts'
import { ConfigStore } from '../settings/store.ts'
import type { DemoPlayer, DemoStage } from '../warning/feeds/demo/demo-player.ts'
import { radioOrLongest } from '../warning/outbox/preview.ts'
import type { Radio } from '../warning/radios/radio.ts'
import { SelfReport } from '../warning/readiness/self-report.ts'
import { namedChannels } from '../warning/routing/named-channels.ts'
import { Scheduler } from '../warning/schedule/scheduler.ts'
import type { WarningConfig } from '../warning/settings.ts'
import { openAddresses } from './addresses.ts'
import { askPeerOverHttp } from './ask-peer.ts'
import { keepAuditTrail } from './audit-trail.ts'
import { openBoard, sayStarting } from './board-parts.ts'
import { forThoseAtRadios, offerClaim } from './claim.ts'
import { httpContext } from './context.ts'
import { Core } from './core.ts'
import { openHistory } from './history.ts'
import { httpsPort } from './https.ts'
import { openKeeping } from './keeping.ts'
import { openKnowledgeParts } from './knowledge-parts.ts'
import { LateKnowledge } from './late-knowledge.ts'
import { withProfileSources } from './profile-sources.ts'
import { borrowTime } from './radio-time.ts'
import { StationRadios } from './radios.ts'
import { rehearse } from './rehearsal.ts'
import { salvageBeside } from './salvage-work.ts'
import { machineWatch } from './shedding.ts'
import { stationSources } from './sources.ts'
import { countStart } from './starts.ts'
import { watchTime } from './time-watch.ts'
import { timedParts } from './timed-parts.ts'
import { closeFolder, lockFolder, unlessDiskFails, unlessReadOnly } from './without-disk.ts'
import { openZoneSupply } from './zone-supply.ts'

/** Not on the hour, when every other program on the board wakes too. */
const TIDY_CRON = '23 * * * *'

/** Up to this limit memory is worth more than time. MiB. */
const SMALL_HEAP_MB = 128

/** Requests and messages under way get 2 s to end: who keeps to that has not failed. */
const STEP_MS = 2300

/** Makes everything, top to bottom; what exists is registered to be stopped, bottom to top. */
export async function startApp(options: StartOptions): Promise<RunningApp> {
  const stopper = new Stopper({ clock: systemClock, log: options.log, stepMs: STEP_MS })
  try {
    return await start(options, stopper)
  } catch (error) {
    await stopper.stop()
    throw error
  }
}

async function start(options: StartOptions, stopper: Stopper): Promise<RunningApp> {
  const { log, dataFolder, mode, asked } = options
  const transmit = mode === 'run'
  const startedAt = systemClock.now()
  await sayStarting(options)
  await unlessReadOnly(log, () => prepareDataFolder(dataFolder))
  closeFolder(dataFolder, log)
  const lock = await lockFolder(options, stopper)
  asked.throwIfAborted()
  const profile = await loadProfile(options.profileName, join(options.root, 'profiles'))
  const isSmall = profile.tuning.heap_mb <= SMALL_HEAP_MB
  keepYoungSpaceSmall(isSmall)
  leaveOutLargeCompiler(isSmall)
  const counted = await countStart(options)
  stopper.add('record of starts', () => counted.ended())
  asked.throwIfAborted()
  const config = await ConfigStore.open({ folder: dataFolder, log, watch: true })
  stopper.add('configuration', () => config.close())
  const audit = transmit ? new AuditLog({ folder: dataFolder, clock: systemClock, log }) : null
  asked.throwIfAborted()

  const report = new SelfReport()
  let atWork = (): string[] => ['start']
  const loop = new LoopMeter({
    clock: systemClock,
    onStall: (ms) => report.loopStalled(ms, systemClock.now()),
    atWork: () => atWork()
  })
  loop.start()
  stopper.add('watch of the loop', () => loop.stop())
  let demo: DemoPlayer | null = null
  // A simulated radio has every channel in use, the demo's too while it plays.
  const mcNames = (): string[] => mcNamesOf([config.current(), demo?.shownConfig() ?? null])
  const shedding = machineWatch({ failedStarts: counted.failed, works: transmit, clock: systemClock, log })
  const shedFor = shedding.reasonOf
  const made = { clock: patientClock(systemClock, loop), log, ...(await airLogOf(options)) }
  const stationRadios = await StationRadios.open({ config, profile, transmit, mcNames, ...made })
  const { list: radios, problems } = stationRadios
  stopper.add('radios', () => stationRadios.close())

  demo = transmit ? await openDemo(options, config, radios) : null
  const current = withProfileSources(() => config.current(), profile)
  let zonesChanged = (): void => undefined
  const zones = openZoneSupply({
    dataFolder,
    config: current,
    version: options.version,
    fill: transmit,
    clock: systemClock,
    log,
    onChange: () => zonesChanged()
  })
  stopper.add('zones', () => zones.stop())
  asked.throwIfAborted()
  const knowledge = new LateKnowledge({
    open: () =>
      openKnowledgeParts({
        options,
        profile,
        current,
        works: transmit,
        shedFor,
        observers: core.observers,
        clock: systemClock,
        log
      }),
    clock: systemClock,
    log,
    random: Math.random
  })
  const keeping = await openKeeping({ ...options, audit, config }, stopper)
  const core = await Core.open({
    databasePath: join(dataFolder, 'lookout.db'),
    config: current,
    configFor: (event) => demo?.configFor(event) ?? current(),
    zones,
    radios,
    clock: systemClock,
    log,
    commitWindowMs: profile.tuning.commit_window_ms,
    transmit,
    report,
    salvage: (path, renewed) => salvageBeside({ clock: systemClock, log, asked }, path, renewed),
    ...(transmit ? { reserve: new Reserve(join(dataFolder, RESERVE)) } : {}),
    probe: () => diskAnswers(dataFolder),
    onDiskBack: () => knowledge.diskIsBack(),
    ...lock,
    retentionDays: retentionOf(profile),
    askPeer: askPeerOverHttp,
    ...(profile.subsystems.knowledge ? { library: knowledge.library } : {}),
    ...forThoseAtRadios(keeping, { context: () => context, audit })
  })
  stopper.add('core', () => core.close())
  if (audit !== null) stopper.add('audit log', keepAuditTrail({ audit, config, core, version: options.version }))
  zonesChanged = () => core.zonesChanged()
  stopper.add('knowledge', () => knowledge.stop())
  await knowledge.open()
  stopper.add('demo', () => demo?.stop())

  asked.throwIfAborted()
  const timed = timedParts({ core, config: current, radios, clock: systemClock, log, transmit, stopper })
  const sources = stationSources({ options, startedAt, profile, config, current, core, radios, shedFor })
  const history = await unlessDiskFails('history', log, () =>
    openHistory({ dataFolder, profile, core, sources, loop, clock: systemClock, log, knowledge })
  )
  if (history !== null) stopper.add('history', () => history.stop())
  const addresses = await openAddresses({ profile, dataFolder, file: config.current().addresses.file, log })
  stopper.add('addresses', () => addresses?.close())
  asked.throwIfAborted()
  const https = await httpsPort(options, () => config.current().http)
  const context = httpContext({
    options,
    https,
    secret: await publishSecret(options, stopper),
    startedAt,
    profile,
    config,
    core,
    demo,
    problems,
    report,
    sources,
    current,
    ...timed,
    zones,
    history: history?.history ?? null,
    audit,
    addresses,
    ...keeping,
    knowledge,
    loop,
    shedding,
    failedStarts: counted.failed
  })
  asked.throwIfAborted()
  const http = await startHttp(context, { host: options.host, port: options.port, https })
  stopper.add('http', () => http.close())
  asked.throwIfAborted()
  const tellConfig = configTeller(config, core)
  config.onChange(() => {
    tellConfig()
    knowledge.configChanged()
  })

  const unwatchMachine = shedding.start((given) => knowledge.give(given))
  stopper.add('watch of the machine', unwatchMachine)
  await zones.prepare()
  asked.throwIfAborted()
  core.start()
  openBoard({ options, core, config, power: keeping.power, readiness: context.readiness }, stopper)
  const scheduler = new Scheduler(log)
  const newest = (): number | null => core.newestEventAt()
  stopper.add('time of the radios', borrowTime({ clock: systemClock, radios, newest, report, log }))
  stopper.add('watch of time', watchTime(report, { clock: systemClock, onLeap: leapOf({ core, scheduler, log }) }))
  stopper.add('watch of the radios', () => stationRadios.unwatch())
  stationRadios.start(core)
  // Pages that show the radios look again once these are others.
  config.onChange(() => void stationRadios.follow().then((others) => others && tellConfig()))
  stopper.add('sources', () => sources.stop())
  if (transmit) {
    sources.start()
    history?.start()
    knowledge.start()
  }
  stopper.add('schedule', () => scheduler.stop())
  const schedule = (): Promise<void> => scheduler.set('broadcasts', timed.broadcasts.jobs(), current().station.timezone)
  if (transmit) {
    await scheduler.set('tidy', [{ name: 'tidy', cron: TIDY_CRON, run: () => core.tidy() }], 'UTC')
    await schedule()
    config.onChange(() => {
      schedule().catch((error: unknown) => log.error({ err: error }, 'the scheduled broadcasts could not be changed'))
    })
  }
  const stage = demoStage(core, log, { transmit, demo })
  demo?.prepare(stage)
  const app: RunningApp = {
    url: http.url,
    radios,
    observers: core.observers,
    timezone: () => (demo?.shownConfig() ?? config.current()).station.timezone,
    demoNote: demo?.note() ?? null,
    offerClaim: () => offerClaim({ options, sessions: context.sessions, audit }),
    reload: () => {
      zones.refresh()
      return config.refresh()
    },
    waiting: () => core.waiting.open(),
    loops: () => [...core.loops(), scheduler],
    stop: () => stopper.stop()
  }
  atWork = () => sources.list().flatMap(({ state, name }) => (state === 'polling' ? [name] : []))
  counted.up()
  options.onStarted?.(app)
  afterStart({ transmit, profile, config: current(), radios, startedAt, log, stopper })
  await demo?.play(stage)
  return app
}

/** Does what can wait until the station works. */
function afterStart({
  transmit,
  profile,
  config,
  radios,
  startedAt,
  log,
  stopper
}: {
  transmit: boolean
  profile: Profile
  config: WarningConfig
  radios: readonly Radio[]
  startedAt: number
  log: Log
  stopper: Stopper
}): void {
  if (profile.tuning.heap_mb <= SMALL_HEAP_MB) stopper.add('memory of the start', giveBackAfterStart(systemClock))
  // Whoever is to be warned first does not wait until expressions are made.
  if (transmit) void rehearse({ config, description: radioOrLongest(radios, 'mt'), nowMs: startedAt }, log)
}

/** The wall clock was set: what goes by it is looked at anew. */
function retentionOf({ retention }: Profile): CoreSetup['retentionDays'] {
  return { events: retention.events_days, deliveries: retention.deliveries_days, traces: retention.trace_days }
}

function leapOf({ core, scheduler, log }: { core: Core; scheduler: Scheduler; log: Log }): () => void {
  return () => {
    core.clockSet()
    scheduler.clockSet().catch((error: unknown) => log.error({ err: error }, 'the schedule could not follow the clock'))
  }
}

/** Null in a preview, and while the disk takes no file: a session or a token still opens the station. */
async function publishSecret({ dataFolder, log, mode }: StartOptions, stopper: Stopper): Promise<LocalSecret | null> {
  if (mode === 'preview') return null
  const secret = new LocalSecret(dataFolder)
  const published = await unlessDiskFails('secret of this machine', log, () => secret.publish().then(() => true))
  if (published === null) return null
  stopper.add('secret of this machine', () => secret.withdraw())
  return secret
}

/**
 * The stage that the demo plays on. Set up while the program did not run, or started without the demo: what it left
 * would stand there as real, so it goes first.
 */
function demoStage(
  core: Core,
  log: Log,
  { transmit, demo }: { transmit: boolean; demo: DemoPlayer | null }
): DemoStage {
  if (transmit && demo === null) core.forgetDemo()
  return {
    accept: (arrivals) => core.accept(arrivals),
    fact: (name) => core.ledger.fact(name),
    setFact: (name, value) => core.ledger.setFact(name, value),
    remove: () => core.forgetDemo(),
    onError: (error) => log.error({ err: error }, 'a step of the demo failed')
  }
}

/** The demo brings the feeds' parsers with it: loaded only where it may play. */
async function openDemo(
  options: StartOptions,
  config: ConfigStore,
  radios: readonly Radio[]
): Promise<DemoPlayer | null> {
  const allSimulated = radios.length > 0 && radios.every(({ description }) => description.simulated)
  if (options.demo === 'off' || !allSimulated) return null
  const { DemoPlayer } = await import('../warning/feeds/demo/demo-player.ts')
  return DemoPlayer.open({
    root: options.root,
    demo: options.demo,
    config: () => config.current(),
    onConfigChange: (listener) => config.onChange(listener),
    allSimulated,
    clock: systemClock
  })
}

/** Development aid: see `StartOptions.airLog`. */
async function airLogOf({ airLog: file }: StartOptions): Promise<{ onMade?: (radio: Radio) => void }> {
  if (file === undefined) return {}
  const { keepAirLog } = await import('../warning/radios/air-log-file.ts')
  return { onMade: (radio) => keepAirLog([radio], file) }
}

const mcNamesOf = (configs: readonly (Pick<WarningConfig, 'notifications'> | null)[]): string[] =>
  configs.flatMap((one) => (one === null ? [] : namedChannels(one.notifications).mc))

/** Tells whoever looks that the configuration, or what runs by it, is another. */
function configTeller(config: ConfigStore, core: Core): () => void {
  return () => {
    const { revision, stale } = config.status()
    core.observers.tell('config', { revision, stale })
  }
}
