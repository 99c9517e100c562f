import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { LookoutEvent } from '../model/event.ts'
import { familyKeys } from '../model/families.ts'
import { because } from '../model/reason.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import { createLog } from '../platform/log/log.ts'
import { dataFolderOf } from '../settings/environment.ts'
import type { Config } from '../settings/schema.ts'
import { findCountyAtlas, openZoneFiles } from '../warning/atlas/zone-files.ts'
import { namedChannels } from '../warning/routing/named-channels.ts'
import { saidExplanation } from '../warning/routing/said-trace.ts'
import { verbFolder } from './data-folder.ts'
import { readConfigIfAny, readConfigNamed, readNamed, temporaryFolder } from './files.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout explain --event FILE [--config FILE] [--data DIR] [--at TIME]

What would become of an event, and why: every stage, every cell, every text. Nothing is stored or sent.
  --event FILE   an Event, a GeoJSON Feature or a recorded feed item ("-" reads stdin)
  --config FILE  the configuration (default: config.json in the data folder)
  --at TIME      judge as of this RFC 3339 time (default: the event's own sent time)

stdout: one JSON explanation an event
`

/** `lookout explain`: contract §4 rule 8 on the command line, with an empty memory of what was sent. */
export async function explainVerb(args: string[], context: VerbContext): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      event: { type: 'string' },
      config: { type: 'string' },
      data: { type: 'string' },
      at: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  if (values.event === undefined) throw new AppError('usage', because('explain_names_event'))
  const { config, dataFolder } = await judgedBy(values, context)
  const content = values.event === '-' ? await readAll(context) : await readNamed(values.event)
  const feed = await context.parseFeedFile(content, {
    receivedAt: systemClock.now(),
    families: familyKeys(config.families)
  })
  for (const { id, reason } of feed.skipped)
    context.err(`lookout explain: ${id} is no event: ${sentenceOf(reason, context.language)}\n`)
  const at = values.at === undefined ? null : Date.parse(values.at)
  if (at !== null && Number.isNaN(at)) throw new AppError('usage', because('at_is_rfc_time'))

  await explainAll(feed.events, { config, dataFolder, at, context })
  return feed.events.length > 0 ? 0 : 1
}

interface Trial {
  config: Config
  dataFolder: string
  /** Milliseconds; null: when the event was sent. */
  at: number | null
  context: VerbContext
}

async function explainAll(events: readonly LookoutEvent[], { config, dataFolder, at, context }: Trial): Promise<void> {
  const folder = await temporaryFolder('lookout-explain-')
  let now = systemClock.now()
  const clock: Clock = { now: () => now, after: (ms, task) => systemClock.after(ms, task) }
  const radios = await context.simulatedRadios(() => namedChannels(config.notifications).mc, clock)
  const core = await context.openCore({
    databasePath: join(folder.path, 'lookout.db'),
    config: () => config,
    configFor: () => config,
    zones: openZoneFiles({ zonesFolder: join(dataFolder, 'zones'), atlasFile: findCountyAtlas(import.meta.url) }),
    radios,
    clock,
    log: createLog({ level: 'warn' }),
    commitWindowMs: 0,
    transmit: false,
    retentionDays: { events: 1, deliveries: 1, traces: 1 }
  })
  try {
    // Nothing is known here of the radios of a station: a trial is about the configuration, so none is away.
    await Promise.all(radios.map((radio) => radio.connect()))
    for (const event of events) {
      now = at ?? Date.parse(event.sent_at)
      context.out(`${JSON.stringify(saidExplanation(core.explain(event), context.language), null, 2)}\n`)
    }
  } finally {
    await core.close()
    await Promise.all(radios.map((radio) => radio.close()))
    await folder.remove()
  }
}

/** With a configuration of its own a trial is not about the station that runs. */
async function judgedBy(
  { config: file, data }: { config?: string | undefined; data?: string | undefined },
  context: VerbContext
): Promise<{ config: Config; dataFolder: string }> {
  if (file !== undefined)
    return { config: await readConfigNamed(file), dataFolder: dataFolderOf({ argv: { data }, env: context.env }) }
  const dataFolder = verbFolder(data, context)
  return { config: await readConfigIfAny(join(dataFolder, 'config.json')), dataFolder }
}

async function readAll({ stdin }: VerbContext): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
