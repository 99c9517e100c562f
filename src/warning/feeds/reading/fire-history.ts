import type { LookoutEvent } from '../../../model/event.ts'
import { formatTime } from '../../../model/time.ts'
import type { ReadTools, SourceMemory } from '../source.ts'
import { feedEvent } from './feed-event.ts'
import { asBag, numberOf, textOf } from './json.ts'
import { looseNumber } from './loose.ts'
import { eachRemembered } from './steps.ts'

/** The memory of a wildfire that its source has listed. Times are epoch milliseconds. */
export interface FireRecord {
  /** Size when growth was told last; 0 while unknown. */
  base: number
  /** Containment told last, in quarters of per cent: 0, 25, 50, 75, 100. */
  contained: number
  /** Since when it has not been listed; null while it is. */
  gone: number | null
  /** Told to be out: its disappearance says nothing more. */
  out: boolean
  /** Listings it stands in. */
  layers: string[]
  title: string
  name: string
  attribution: string
  lat: number | null
  lon: number | null
  sent: number
}

export interface GrowthRule {
  /** Doubling counts from this size on. */
  growth_floor: number
  /** So much more counts without doubling. */
  growth_step: number
}

/** The size that has been told, once `size` is known: it moves when the fire has doubled or grown by a step. */
export function toldSize(known: Pick<FireRecord, 'base'> | null, size: number | null, rule: GrowthRule): number {
  if (known === null) return size ?? 0
  if (size === null) return known.base
  const doubled = size >= rule.growth_floor && size >= 2 * known.base && size > known.base
  return doubled || size >= known.base + rule.growth_step ? size : known.base
}

/** A figure that swings about a quarter is told once. */
const SLACK = 5

/** The quarter of containment that has been told; it falls only when the figure has clearly fallen. */
export function toldContainment(known: Pick<FireRecord, 'contained'> | null, percent: number | null): number {
  if (percent === null) return known?.contained ?? 0
  const quarter = Math.min(100, Math.max(0, Math.floor(percent / 25) * 25))
  const before = known?.contained ?? 0
  return quarter < before && percent > before - SLACK ? before : quarter
}

const PREFIX = 'fire:'

/** The fires of a source from poll to poll. Doing the same poll twice leaves the same behind. */
export class FireHistory {
  readonly #memory: SourceMemory

  constructor(memory: SourceMemory) {
    this.#memory = memory
  }

  of(id: string): FireRecord | null {
    return recordOf(this.#memory.get(PREFIX + id))
  }

  note(id: string, record: FireRecord): void {
    this.#memory.set(PREFIX + id, record)
  }

  /**
   * Marks what the `covered` listings do not have any more, and answers what has been gone for `goneMs`: that takes two
   * complete listings at least. `listed` null: the same listings as the last time.
   */
  *missing(
    listed: ReadonlySet<string> | null,
    covered: readonly string[],
    now: number,
    goneMs: number
  ): Generator<void, [string, FireRecord][]> {
    const ended: [string, FireRecord][] = []
    yield* eachRemembered(this.#memory, PREFIX, (key, value) => {
      const id = key.slice(PREFIX.length)
      const record = recordOf(value)
      if (record === null || listed?.has(id) === true) return
      if (record.gone === null) {
        const absent = listed !== null && record.layers.every((layer) => covered.includes(layer))
        if (absent) this.note(id, { ...record, gone: now })
      } else if (now - record.gone >= goneMs) {
        this.#memory.delete(key)
        if (!record.out) ended.push([id, record])
      }
    })
    return ended
  }
}

function recordOf(value: unknown): FireRecord | null {
  const bag = asBag(value)
  if (bag === null) return null
  const layers: unknown[] = Array.isArray(bag['layers']) ? bag['layers'] : []
  return {
    base: numberOf(bag['base']) ?? 0,
    contained: numberOf(bag['contained']) ?? 0,
    gone: numberOf(bag['gone']),
    out: bag['out'] === true,
    layers: layers.filter((layer) => typeof layer === 'string'),
    title: textOf(bag['title']),
    name: textOf(bag['name']),
    attribution: textOf(bag['attribution']),
    lat: looseNumber(bag['lat']),
    lon: looseNumber(bag['lon']),
    sent: numberOf(bag['sent']) ?? 0
  }
}

/** The silent end of a fire its source does not list any more: nobody has said that it is out. */
export function goneEvent(id: string, record: FireRecord, threadId: string, tools: ReadTools): LookoutEvent {
  const { title, name, attribution, lat, lon, sent } = record
  return feedEvent(
    {
      id,
      revision: 'gone',
      category: 'wildfire_closed',
      severity: 'routine',
      title,
      lat,
      lon,
      sent_at: formatTime(sent),
      thread_id: threadId,
      lifecycle: 'expire',
      data: { incident_name: name, attribution, material: 'gone' }
    },
    tools
  )
}
