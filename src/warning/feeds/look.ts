import type { LookoutEvent } from '../../model/event.ts'
import { familyKeys } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { httpGet } from '../../platform/net/fetch.ts'
import type { WarningConfig } from '../settings.ts'
import { kindOf } from './create.ts'
import type { SkippedItem } from './feed.ts'
import { applyOverrides } from './overrides.ts'
import { HostQueue } from './polling/host-queue.ts'
import { BufferedMemory } from './polling/memory.ts'
import { FetchRound } from './polling/polite-fetch.ts'
import { whyBlocked } from './polling/poller-setup.ts'
import { TransientStore } from './polling/transient-store.ts'
import { userAgent } from './polling/user-agent.ts'
import { type SourceConfig, sourceName } from './settings.ts'
import type { ReadTools, SourceReading } from './source.ts'

/** A look at a source at one moment, as its settings want it. */
export interface Look {
  kind: string
  events: LookoutEvent[]
  skipped: SkippedItem[]
  items: number
  updated: string | null
}

interface LookOptions {
  settings: SourceConfig
  config: WarningConfig
}

/** A recorded body, read as a poll would read it. @throws AppError `bad-input` when it is not what the source publishes. */
export async function readRecorded(
  body: Uint8Array,
  { settings, config, at }: LookOptions & { at: number }
): Promise<Look> {
  const kind = await kindOf(settings.kind)
  return lookOf(kind.read(body, settings, readTools({ settings, config }, at, new TransientStore())), settings)
}

/**
 * One polite request, and nothing remembered of it. @throws AppError `conflict` when the source may not be asked or is none
 * that is asked, `unavailable` and `bad-input` when there is no good answer.
 */
export async function pollOnce({ settings, config, version }: LookOptions & { version: string }): Promise<Look> {
  const kind = await kindOf(settings.kind)
  const name = sourceName(settings)
  if (kind.mode === 'push') throw new AppError('conflict', because('source_wants_file', { source: name }))
  const blocked = whyBlocked({ kind, settings }, config.station.contact)
  if (blocked !== null) throw new AppError('conflict', because('source_not_asked', { source: name, why: blocked }))
  const store = new TransientStore()
  const { signal } = new AbortController()
  const setup = {
    transport: httpGet,
    hosts: new HostQueue(),
    store,
    clock: systemClock,
    userAgent: () => userAgent(version, config.station.contact)
  }
  const round = new FetchRound(setup, name, signal)
  const tools = readTools({ settings, config }, systemClock.now(), store)
  const reading = await kind.poll(settings, { ...tools, signal, fetch: (request) => round.fetch(request) })
  if (reading === 'unchanged') return { kind: kind.kind, events: [], skipped: [], items: 0, updated: null }
  return lookOf(reading, settings)
}

function readTools({ settings, config }: LookOptions, receivedAt: number, store: TransientStore): ReadTools {
  const source = sourceName(settings)
  return {
    source,
    receivedAt,
    memory: new BufferedMemory(store, source),
    station: config.station,
    coverage: config.coverage,
    inForce: () => [],
    families: () => familyKeys(config.families)
  }
}

function lookOf({ kind, events, skipped, items, updated }: SourceReading, { overrides }: SourceConfig): Look {
  const wanted = applyOverrides(events, overrides)
  return { kind, events: wanted.events, skipped: [...skipped, ...wanted.skipped], items, updated }
}
