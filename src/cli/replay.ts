import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { LookoutEvent } from '../model/event.ts'
import { familyKeys } from '../model/families.ts'
import { because } from '../model/reason.ts'
import { VirtualClock } from '../platform/clock/clock.ts'
import { openDatabase } from '../platform/database/database.ts'
import { AppError } from '../platform/errors.ts'
import { prepareDataFolder } from '../platform/files/data-folder.ts'
import { holdLock } from '../platform/files/data-lock.ts'
import { createLog } from '../platform/log/log.ts'
import type { Config } from '../settings/schema.ts'
import { findCountyAtlas, openZoneFiles } from '../warning/atlas/zone-files.ts'
import { type Delivery, deliveryView } from '../warning/outbox/delivery.ts'
import { ledgerMigrations } from '../warning/outbox/schema.ts'
import type { Accepted } from '../warning/routing/accepted.ts'
import { channelsOf } from '../warning/routing/explain.ts'
import { namedChannels } from '../warning/routing/named-channels.ts'
import { readConfigIfAny, readConfigNamed, readNamed, temporaryFolder } from './files.ts'
import { ReplaySummary } from './replay-summary.ts'
import type { ReadFeed, RunningCore, VerbContext } from './verb.ts'

const HELP = `usage: lookout replay FILE… [--config FILE] [--as KIND] [--data DIR] [--speed N] [--dry-run]

Runs recorded feeds or stored events through the whole pipeline into simulated radios, on a virtual clock:
each event arrives at its own sent time, then the clock runs until nothing waits.
  FILE           a recorded feed (kind by content) or Events, one a line
  --as KIND      events, a kind of source (nws, nws_text, cap, usgs, swpc …) or a source of the configuration, for every file
  --config FILE  coverage, matrix, policies and the settings of sources (default: those of --data, else none)
  --data DIR     keep the data there (default: a fresh temporary folder, removed afterwards)
  --speed N      N times real time (default: as fast as it goes)
  --dry-run      tell what is decided, one line an event, instead of what is sent; DIR stays as it is

stdout: a delivery a line {transport, channel, text, bytes, severity, family, regions, thread_id, lifecycle, event_ids}
stderr: how far it is, from time to time, and a summary that explains every event that was not sent
exit codes: 0 done · 1 failed, or another Lookout runs on DIR · 2 usage or not a feed · 3 configuration refused · 4 a file is missing
`

/** After the last event the clock runs on until the queue is empty, at most this long. */
const TAIL_MS = 24 * 3_600_000
/** After an event the clock runs through at least this much, whether something waits or not: no quiet hours and no cooldown are longer. */
const AWAKE_MS = 26 * 3_600_000
const TELL_EVERY_MS = 10_000
const LISTEN_MS = 10 * 60_000

interface ReplayOptions {
  files: string[]
  as: string | undefined
  config: Config
  /** The data folder whose zone packs count, and whose memory of what was sent. */
  dataFolder: string
  /** The folder in which this run stores: the data folder itself, or a temporary one. */
  workFolder: string
  speed: number | null
  dryRun: boolean
}

/** `lookout replay`: contract §12. Pushed events and replay have no cold start. */
export async function replay(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      as: { type: 'string' },
      data: { type: 'string' },
      speed: { type: 'string' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  if (positionals.length === 0) throw new AppError('usage', because('replay_names_files'))
  const speed = values.speed === undefined ? null : Number(values.speed)
  if (speed !== null && !(speed > 0)) throw new AppError('usage', because('speed_is_positive'))
  const dryRun = values['dry-run'] === true
  const temporary = values.data === undefined || dryRun ? await temporaryFolder('lookout-replay-') : null
  const workFolder = temporary?.path ?? values.data ?? ''
  const dataFolder = values.data ?? workFolder
  // Two programs on one folder would send each other's messages.
  if (temporary === null) await prepareDataFolder(dataFolder)
  const release = temporary === null ? await holdLock(join(dataFolder, 'lookout.lock')) : () => undefined
  try {
    const config =
      values.config === undefined
        ? await readConfigIfAny(join(dataFolder, 'config.json'))
        : await readConfigNamed(values.config)
    if (dataFolder !== workFolder) await copyMemory(dataFolder, workFolder)
    await run({ files: positionals, as: values.as, config, dataFolder, workFolder, speed, dryRun }, context)
    return 0
  } finally {
    release()
    await temporary?.remove()
  }
}

/** A dry run judges by what the folder has sent, on a copy. */
async function copyMemory(from: string, to: string): Promise<void> {
  const path = join(from, 'lookout.db')
  if (!existsSync(path)) return
  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'FULL' })
  db.sql('VACUUM INTO ?').run(join(to, 'lookout.db'))
  db.close()
}

async function run(options: ReplayOptions, context: VerbContext): Promise<void> {
  const summary = new ReplaySummary(context.language)
  const events = await loadEvents(options, { context, summary })
  const clock = new VirtualClock(events.length > 0 ? Math.min(...events.map(sentAt)) : 0)
  const radios = await context.simulatedRadios(() => namedChannels(options.config.notifications).mc, clock)
  const core = await context.openCore({
    databasePath: join(options.workFolder, 'lookout.db'),
    config: () => options.config,
    configFor: () => options.config,
    zones: openZoneFiles({
      zonesFolder: join(options.dataFolder, 'zones'),
      atlasFile: findCountyAtlas(import.meta.url),
      onProblem: (file, message) => context.err(`lookout replay: ${file}: ${message}\n`)
    }),
    radios,
    clock,
    log: createLog({ level: 'warn' }),
    commitWindowMs: 0,
    inSlices: false,
    transmit: true,
    retentionDays: { events: 36_500, deliveries: 36_500, traces: 36_500 }
  })
  try {
    listen(core, options, { context, summary })
    await Promise.all(radios.map((radio) => radio.connect()))
    core.start()
    const tell = (text: string): void => context.err(`lookout replay: ${text}\n`)
    await playAll(events, { core, clock, speed: options.speed, tell })
    context.err(summary.text())
  } finally {
    await core.close()
    await Promise.all(radios.map((radio) => radio.close()))
  }
}

function listen(
  core: RunningCore,
  { dryRun }: ReplayOptions,
  { context, summary }: { context: VerbContext; summary: ReplaySummary }
): void {
  core.observers.on('decided', (accepted) => {
    summary.decided(accepted)
    if (dryRun) context.out(`${JSON.stringify(decisionLine(accepted))}\n`)
  })
  core.observers.on('delivery', (delivery) => {
    summary.delivery(delivery)
    if (!dryRun && (delivery.state === 'sent' || delivery.state === 'sent_unknown'))
      context.out(`${JSON.stringify(deliveryLine(delivery))}\n`)
  })
}

const TOLD = [
  'transport',
  'channel',
  'text',
  'bytes',
  'severity',
  'family',
  'regions',
  'thread_id',
  'lifecycle',
  'event_ids',
  'kind',
  'state',
  'sent_at'
] as const

function deliveryLine(delivery: Delivery): Record<string, unknown> {
  const view = deliveryView(delivery)
  return Object.fromEntries(TOLD.map((name) => [name, view[name]]))
}

function decisionLine({ event, decision, duplicate }: Accepted): Record<string, unknown> {
  const { id, source, thread_id, region, regions } = event
  if (decision === null) return { id, source, thread_id, outcome: duplicate ? 'duplicate' : 'recorded' }
  return {
    id,
    source,
    thread_id,
    region,
    regions,
    outcome: decision.kind,
    reason: decision.reason,
    channels: channelsOf(decision)
  }
}

interface Stage {
  core: RunningCore
  clock: VirtualClock
  speed: number | null
  /** Says how far it is. */
  tell: (text: string) => void
}

async function playAll(events: LookoutEvent[], stage: Stage): Promise<void> {
  const { core, clock, tell } = stage
  let toldAt = Date.now()
  for (let index = 0; index < events.length; ) {
    const at = sentAt(events[index])
    await untilQuiet(at, stage)
    if (Date.now() - toldAt >= TELL_EVERY_MS) {
      tell(`${index} of ${events.length} events, ${new Date(clock.now()).toISOString()}`)
      toldAt = Date.now()
    }
    const batch: LookoutEvent[] = []
    for (; index < events.length && sentAt(events[index]) === at; index++) {
      const event = events[index]
      if (event !== undefined) batch.push({ ...event, received_at: new Date(at).toISOString() })
    }
    const accepted = core.accept(batch.map((event) => ({ event })))
    await clock.runTo(at)
    await accepted
  }
  const end = clock.now() + TAIL_MS
  for (let next = clock.nextAt; next !== null && next <= end && core.waiting.open() > 0; next = clock.nextAt)
    await runTo(next, stage)
  // The last text is still listened for: cut off, the next run on this folder would say it again.
  await runTo(clock.now() + LISTEN_MS, stage)
}

/**
 * To the time of the next event: a day and whatever waits is lived through, what is left of the time is slept through, or products
 * of two years would take as long as the watch of every minute between them.
 */
async function untilQuiet(time: number, stage: Stage): Promise<void> {
  const { core, clock, speed } = stage
  await runTo(Math.min(time, clock.now() + AWAKE_MS), stage)
  for (let next = clock.nextAt; next !== null && next < time && core.waiting.open() > 0; next = clock.nextAt)
    await runTo(next, stage)
  if (speed === null) await clock.skipTo(time)
  else await runTo(time, stage)
}

async function runTo(time: number, { clock, speed }: Stage): Promise<void> {
  const ahead = time - clock.now()
  if (speed !== null && ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead / speed))
  await clock.runTo(time)
}

function sentAt(event: LookoutEvent | undefined): number {
  return event === undefined ? Number.NaN : Date.parse(event.sent_at)
}

/** Before it there was no feed: a time of arrival stands in for a time that the source left out. */
const EARLIEST_MS = Date.UTC(1980)

/** Events that name no time of their own have the newest of those that do, else that of the file. */
async function timed(read: (receivedAt: number) => Promise<ReadFeed>, file: string): Promise<ReadFeed> {
  const first = await read(0)
  const times = first.events.map(sentAt).filter((at) => at >= EARLIEST_MS)
  if (times.length === first.events.length) return first
  const arrived = times.length > 0 ? Math.max(...times) : (await stat(file)).mtimeMs
  const again = await read(arrived)
  const events = again.events.map((event) =>
    sentAt(event) >= EARLIEST_MS ? event : { ...event, sent_at: new Date(arrived).toISOString() }
  )
  return { ...again, events }
}

/** In the order of the sources' own time; ties keep the order of the files. */
async function loadEvents(
  { files, as, config }: ReplayOptions,
  { context, summary }: { context: VerbContext; summary: ReplaySummary }
): Promise<LookoutEvent[]> {
  const families = familyKeys(config.families)
  const events: LookoutEvent[] = []
  for (const file of files) {
    const content = await readNamed(file)
    const read = (receivedAt: number): Promise<ReadFeed> =>
      context
        .parseFeedFile(content, { receivedAt, families, config, ...(as === undefined ? {} : { as }) })
        .catch((error: unknown) => {
          throw error instanceof AppError
            ? new AppError(error.code, because('at_file', { file, why: error.reason }), { cause: error })
            : error
        })
    const feed = await timed(read, file)
    summary.file(file, feed)
    events.push(...feed.events)
  }
  return events
    .map((event, order) => ({ event, order }))
    .sort((a, b) => sentAt(a.event) - sentAt(b.event) || a.order - b.order)
    .map(({ event }) => event)
}
