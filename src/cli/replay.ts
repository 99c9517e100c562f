import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findCountyAtlas, openZoneFiles } from '../atlas/zone-files.ts'
import { parseWith } from '../config/issues.ts'
import { type Config, configSchema } from '../config/schema.ts'
import type { LookoutEvent } from '../events/event.ts'
import { VirtualClock } from '../lib/clock.ts'
import { AppError, errorText } from '../lib/errors.ts'
import { createLog } from '../lib/log.ts'
import { type Delivery, deliveryView } from '../outbox/delivery.ts'
import { channelsOf } from '../routing/explain.ts'
import { namedChannels } from '../routing/named-channels.ts'
import type { Accepted } from '../routing/pipeline.ts'
import { ReplaySummary } from './replay-summary.ts'
import type { RunningCore, VerbContext } from './verb.ts'

const HELP = `usage: lookout replay FILE… [--config FILE] [--as KIND] [--data DIR] [--speed N] [--dry-run]

Runs recorded feeds or stored events through the whole pipeline into simulated radios, on a virtual clock:
each event arrives at its own sent time, then the clock runs until nothing waits.
  FILE           a recorded feed (kind by content) or Events, one a line
  --as KIND      nws, usgs, cap or events, for every file
  --config FILE  coverage, matrix and policies (default: those of --data, else none)
  --data DIR     keep the data there (default: a fresh temporary folder, removed afterwards)
  --speed N      N times real time (default: as fast as it goes)
  --dry-run      decide only: one line an event, nothing is transmitted

stdout: a delivery a line {transport, channel, text, bytes, severity, family, regions, thread_id, lifecycle, event_ids}
stderr: a summary that explains every event that was not sent
exit codes: 0 done · 1 failed · 2 usage or not a feed · 3 configuration refused · 4 a file is missing
`

/** After the last event the clock runs on until the queue is empty, at most this long. */
const TAIL_MS = 24 * 3_600_000

interface ReplayOptions {
  files: string[]
  as: string | undefined
  config: Config
  dataFolder: string
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
  if (positionals.length === 0) throw new AppError('usage', 'name at least one file: lookout replay FILE…')
  const speed = values.speed === undefined ? null : Number(values.speed)
  if (speed !== null && !(speed > 0)) throw new AppError('usage', '--speed is a number greater than 0')
  const temporary = values.data === undefined ? await mkdtemp(join(tmpdir(), 'lookout-replay-')) : null
  const dataFolder = values.data ?? temporary ?? ''
  try {
    const config = await loadConfig(values.config, dataFolder)
    await run(
      { files: positionals, as: values.as, config, dataFolder, speed, dryRun: values['dry-run'] === true },
      context
    )
    return 0
  } finally {
    if (temporary !== null) await rm(temporary, { recursive: true, force: true })
  }
}

async function run(options: ReplayOptions, context: VerbContext): Promise<void> {
  const summary = new ReplaySummary()
  const events = await loadEvents(options, { context, summary })
  const clock = new VirtualClock(events.length > 0 ? Math.min(...events.map(sentAt)) : 0)
  const radios = options.dryRun
    ? []
    : await context.simulatedRadios(() => namedChannels(options.config.notifications).mc, clock)
  const core = await context.openCore({
    databasePath: join(options.dataFolder, 'lookout.db'),
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
    transmit: !options.dryRun,
    retentionDays: { events: 36_500, deliveries: 36_500, traces: 36_500 }
  })
  try {
    listen(core, options, { context, summary })
    await Promise.all(radios.map((radio) => radio.connect()))
    core.start()
    await playAll(events, { core, clock, speed: options.speed })
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
    if (delivery.state === 'sent' || delivery.state === 'sent_unknown')
      context.out(`${JSON.stringify(deliveryLine(delivery))}\n`)
  })
}

function deliveryLine(delivery: Delivery): Record<string, unknown> {
  const {
    transport,
    channel,
    text,
    bytes,
    severity,
    family,
    regions,
    thread_id,
    lifecycle,
    event_ids,
    state,
    sent_at
  } = deliveryView(delivery)
  return {
    transport,
    channel,
    text,
    bytes,
    severity,
    family,
    regions,
    thread_id,
    lifecycle,
    event_ids,
    kind: delivery.kind,
    state,
    sent_at
  }
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
}

async function playAll(events: LookoutEvent[], stage: Stage): Promise<void> {
  const { core, clock } = stage
  for (let index = 0; index < events.length; ) {
    const at = sentAt(events[index])
    await runTo(at, stage)
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
}

async function runTo(time: number, { clock, speed }: Stage): Promise<void> {
  const ahead = time - clock.now()
  if (speed !== null && ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead / speed))
  await clock.runTo(time)
}

function sentAt(event: LookoutEvent | undefined): number {
  return event === undefined ? Number.NaN : Date.parse(event.sent_at)
}

/** In the order of the sources' own time; ties keep the order of the files. */
async function loadEvents(
  { files, as }: ReplayOptions,
  { context, summary }: { context: VerbContext; summary: ReplaySummary }
): Promise<LookoutEvent[]> {
  const events: LookoutEvent[] = []
  for (const file of files) {
    const feed = await context.parseFeedFile(await read(file), { receivedAt: 0, ...(as === undefined ? {} : { as }) })
    summary.file(file, feed)
    events.push(...feed.events)
  }
  return events
    .map((event, order) => ({ event, order }))
    .sort((a, b) => sentAt(a.event) - sentAt(b.event) || a.order - b.order)
    .map(({ event }) => event)
}

async function loadConfig(file: string | undefined, dataFolder: string): Promise<Config> {
  const path = file ?? join(dataFolder, 'config.json')
  let text: Buffer
  try {
    text = await readFile(path)
  } catch (error) {
    if (file === undefined) return parseWith(configSchema, {}, 'the empty configuration')
    throw new AppError('missing', `cannot read ${path}: ${errorText(error)}`, { cause: error })
  }
  return parseConfig(text.toString('utf8'), path)
}

function parseConfig(text: string, path: string): Config {
  try {
    return parseWith(configSchema, JSON.parse(text), path)
  } catch (error) {
    const issues = error instanceof AppError ? error.issues : []
    throw new AppError('config-refused', `${path}: ${errorText(error)}`, { cause: error, issues })
  }
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new AppError('missing', `cannot read ${file}: ${errorText(error)}`, { cause: error })
  }
}
