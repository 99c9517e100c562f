import type { LookoutEvent } from '../../../model/event.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { SourceMemory } from '../source.ts'
import { meshHealthEvent } from './events.ts'
import { type Batch, judgeNode, judgeRadio } from './judge.ts'
import type { RadioReading } from './nodes.ts'
import type { MeshHealthSettings, WatchedNode } from './settings.ts'
import { keptOf, type NodeState, nodeDiffers, nodeState, type RadioState, radioDiffers, radioState } from './state.ts'
import type { Told } from './texts.ts'
import type { Change } from './watch.ts'

export interface MeshHealthOptions {
  /** `source` of the events. */
  source: string
  settings: () => MeshHealthSettings
  radios: () => readonly RadioReading[]
  clock: Clock
  memory: SourceMemory
  /** Resolves once the events and everything decided about them are stored. */
  accept: (events: LookoutEvent[]) => Promise<void>
  log: Log
}

/** The pause between two looks at the radios. */
export const SAMPLE_MS = 60_000
const RADIO = 'radio:'
const NODE = 'node:'

/**
 * The station's watch over its own mesh: looks at its radios once a minute and tells what came to be so and what is over.
 * What was told is remembered, so that a restart neither repeats nor forgets it.
 */
export class MeshHealth {
  readonly #o: MeshHealthOptions
  readonly #radios = new Map<string, RadioState>()
  readonly #nodes = new Map<string, NodeState>()
  /** Nodes a radio has spoken of since the start. */
  readonly #spokenOf = new Set<string>()
  #sampledAt: number | null = null
  #cancelTimer: () => void = () => undefined
  #running: Promise<void> | null = null
  #stopped = true

  constructor(options: MeshHealthOptions) {
    this.#o = options
  }

  start(): void {
    if (!this.#stopped) return
    this.#stopped = false
    this.#next(0)
  }

  /** Resolves when the sample under way, if any, is done. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelTimer()
    await this.#running
  }

  #next(ms: number): void {
    if (this.#stopped) return
    this.#cancelTimer = this.#o.clock.after(ms, () => {
      this.#running = this.#sample()
        .catch((error: unknown) => this.#o.log.error({ err: error }, 'the health of the mesh could not be recorded'))
        .finally(() => this.#next(SAMPLE_MS))
    })
  }

  /** Nothing is taken for told before it is stored: what fails is told at the next sample, under the same identity. */
  async #sample(): Promise<void> {
    const now = this.#o.clock.now()
    // A clock that is set, or a machine that slept, makes no one silent.
    const elapsedMs = this.#sampledAt === null ? 0 : Math.min(2 * SAMPLE_MS, Math.max(0, now - this.#sampledAt))
    this.#sampledAt = now
    const settings = this.#o.settings()
    const batch = { now, elapsedMs, settings, radios: this.#o.radios() }
    const events: LookoutEvent[] = []
    const keep: (() => void)[] = []
    for (const radio of batch.radios) this.#lookAtRadio(radio, batch, { events, keep })
    const entries = new Map(settings.nodes.map((entry) => [slugOf(entry), entry]))
    for (const [slug, entry] of entries) this.#lookAtNode(slug, entry, batch, { events, keep })
    if (events.length > 0) await this.#o.accept(events)
    for (const save of keep) save()
    this.#forgetAllBut(new Set(entries.keys()))
  }

  #lookAtRadio(radio: RadioReading, batch: Batch, out: Out): void {
    const key = RADIO + radio.id
    const known = this.#radios.get(key)
    const before = known ?? radioState(this.#o.memory.get(key), batch.now)
    const { state, told } = judgeRadio(radio, before, batch)
    for (const [what, text, change] of told) {
      out.events.push(this.#event(`radio-${radio.id}:${what}`, text, change, batch.settings.regions))
    }
    out.keep.push(() => {
      this.#radios.set(key, state)
      if (known === undefined || radioDiffers(before, state)) this.#o.memory.set(key, keptOf(state))
    })
  }

  #lookAtNode(slug: string, entry: WatchedNode, batch: Batch, out: Out): void {
    const key = NODE + slug
    const known = this.#nodes.get(key)
    const before = known ?? nodeState(this.#o.memory.get(key), batch.now)
    const { state, told, seen } = judgeNode(entry, before, { ...batch, first: !this.#spokenOf.has(slug) })
    const regions = entry.regions.length > 0 ? entry.regions : batch.settings.regions
    for (const [what, text, change] of told) out.events.push(this.#event(`${slug}:${what}`, text, change, regions))
    out.keep.push(() => {
      this.#nodes.set(key, state)
      if (seen) this.#spokenOf.add(slug)
      if (known === undefined || nodeDiffers(before, state)) this.#o.memory.set(key, state)
    })
  }

  #event(thread: string, text: Told, change: Change, regions: readonly string[]): LookoutEvent {
    const { kind, episode, told, after } = change
    return meshHealthEvent({
      ...text,
      source: this.#o.source,
      thread,
      episode,
      revision: kind === 'end' ? 'over' : `${told}-${after}`,
      lifecycle: kind === 'begin' ? 'new' : kind === 'change' ? 'update' : 'cancel',
      regions,
      sentAt: this.#o.clock.now()
    })
  }

  /** A node taken off the list is no longer spoken of. */
  #forgetAllBut(slugs: ReadonlySet<string>): void {
    for (const [key] of this.#o.memory.entries(NODE)) {
      const slug = key.slice(NODE.length)
      if (slugs.has(slug)) continue
      this.#o.memory.delete(key)
      this.#nodes.delete(key)
      this.#spokenOf.delete(slug)
    }
  }
}

interface Out {
  events: LookoutEvent[]
  /** Writes to memory, done once the events are stored. */
  keep: (() => void)[]
}

/** The entry as it stands in keys and threads, where | and # have a meaning. */
function slugOf({ node }: WatchedNode): string {
  return node.trim().toLowerCase().replaceAll(/[|#]/g, '_')
}
