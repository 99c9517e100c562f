import type { BroadcastPreview } from '../dashboard/server/context.ts'
import type { Spoken } from '../model/air-languages.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../settings/schema.ts'
import { REPLIES } from '../warning/messages/catalogue/replies.ts'
import { put } from '../warning/messages/catalogue/words.ts'
import { hourText } from '../warning/messages/wording.ts'
import type { Radio } from '../warning/radios/radio.ts'
import { MOST_IN_FORCE } from '../warning/readiness/all-clear.ts'
import { Broadcasts } from '../warning/schedule/broadcasts.ts'
import { nextRun } from '../warning/schedule/next-run.ts'
import { type BroadcastTextsOptions, broadcastText } from '../warning/schedule/texts.ts'
import type { Core } from './core.ts'
import { keptPassTexts, memoryOf, stationPasses } from './passes.ts'

export interface StationBroadcastsOptions {
  core: Core
  config: () => Config
  radios: readonly Radio[]
  clock: Clock
  log: Log
}

/** A broadcast that could not leave within this is no use any more. */
const WORTH_MS = 30 * 60_000
const PASS_HOURS = 24
/** Bytes of a node name: MeshCore keeps 32 with the final zero. */
const LONGEST_NAME = 31

/** The scheduled broadcasts of this station: their words come from the ledger and from what the sources remember. */
export function stationBroadcasts({ core, config, radios, clock, log }: StationBroadcastsOptions): Broadcasts {
  const texts: BroadcastTextsOptions = {
    config,
    now: () => clock.now(),
    active: (now) => core.ledger.active(now, MOST_IN_FORCE).map(({ event }) => event),
    problems: () => core.problems(),
    nodeName: (network) => nodeName(radios, network),
    bandConditions: (spoken) => conditions(core, config(), { now: clock.now(), spoken }),
    passes: keptPassTexts((observer, asked) => passes(core, config(), { observer, ...asked, now: clock.now() }), {
      now: () => clock.now(),
      config
    })
  }
  return new Broadcasts({
    broadcasts: () => config().notifications.broadcasts,
    timezone: () => config().station.timezone,
    enabled: () => config().notifications.enabled,
    now: () => clock.now(),
    log,
    compose: (broadcast, network) => broadcastText(broadcast, network, texts),
    send: (text, { network, channel, key }) =>
      core.addText({
        kind: 'broadcast',
        transport: network,
        channel,
        direct: false,
        text,
        key,
        expiresAt: clock.now() + WORTH_MS
      }),
    fact: (name) => core.ledger.fact(name),
    setFact: (name, value) => core.ledger.setFact(name, value)
  })
}

/** Until a radio has told its name, the longest it may have: the text is final, and must fit whatever the name is. */
function nodeName(radios: readonly Radio[], network: 'mt' | 'mc'): string {
  const name = radios.find(({ description }) => description.network === network)?.description.nodeName ?? ''
  return name === '' && network === 'mc' ? 'x'.repeat(LONGEST_NAME) : name
}

async function conditions(
  core: Core,
  config: Config,
  { now, spoken }: { now: number; spoken: Spoken }
): Promise<string | null> {
  const memory = memoryOf(core, config, 'swpc')
  if (memory === null) return null
  const { bandConditions } = await import('../warning/feeds/swpc/conditions.ts')
  const { bands, ...words } = REPLIES[spoken.language].bands
  const time = (ms: number): string => hourText({ ...spoken, station: config.station, nowMs: now }, ms)
  return bandConditions(memory, now, { bands: (heardAt) => put(bands, time(heardAt)), ...words })
}

async function passes(
  core: Core,
  config: Config,
  { observer, bytes, spoken, now }: { observer: string; bytes: number; spoken: Spoken; now: number }
): Promise<string | null> {
  try {
    const table = await stationPasses(core, config, { observer, hours: PASS_HOURS, now, maxBytes: bytes, spoken })
    return table.rows.length === 0 ? null : table.text
  } catch (error) {
    // Nothing to tell of is no failure of a broadcast.
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  }
}

/** The text of every broadcast as of now, and the time it is said next. */
export async function broadcastPreviews(
  broadcasts: Pick<Broadcasts, 'preview'>,
  config: Config,
  now: number
): Promise<BroadcastPreview[]> {
  const previews = config.notifications.broadcasts.map(async (broadcast) => {
    const { name, enabled, what, at, days } = broadcast
    const next = enabled && config.notifications.enabled ? nextRun(broadcast, config.station.timezone, now) : null
    return {
      name,
      enabled,
      what,
      at,
      days,
      next_run: next === null ? null : new Date(next).toISOString(),
      channels: await broadcasts.preview(broadcast)
    }
  })
  return Promise.all(previews)
}
