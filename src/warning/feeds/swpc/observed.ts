import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, numberOf } from '../reading/json.ts'
import type { ReadTools, SourceMemory } from '../source.ts'
import type { SwpcDocument } from './documents.ts'
import { spaceEvent } from './event.ts'
import {
  type ScaleLetter,
  type ScaleLevel,
  scaleAdjective,
  scaleCategory,
  scaleEffect,
  scaleName,
  scaleSeverity,
  scaleText,
  stormOfKp
} from './scales.ts'
import type { SwpcSettings } from './settings.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The K index is of three hours; as often a storm that goes on is confirmed. */
const PERIOD_MS = 3 * HOUR_MS
/** After so long without an observation nobody can say that it is the same storm. */
const GAP_MS = 24 * HOUR_MS
/** A storm nobody confirms any more is taken to be over. */
const VALID_MS = 2 * PERIOD_MS

/** A storm that goes on. Times are epoch milliseconds of the source. */
interface Storm {
  start: number
  level: number
  /** Changes of level so far. */
  changes: number
  /** Since when it has been weaker than `level`, and how strong it was at most since then. */
  weaker: { since: number; peak: number } | null
  at: number
}

type Scales = Extract<SwpcDocument, { kind: 'scales' }>

/** Keeps the newest K index: it is told together with the geomagnetic storm, never by itself. */
export function rememberKp(memory: SourceMemory, latest: { time: number; kp: number } | null): void {
  const known = numberOf(asBag(memory.get('kp'))?.['time'])
  if (latest !== null && (known === null || latest.time >= known)) memory.set('kp', latest)
}

/**
 * The storms of `noaa-scales.json`, which alone decides about what is observed: one thread per storm from its first level on,
 * told at every rise, at a fall that has lasted `hold_minutes`, and silently at its end.
 */
export function observedStorms(
  { time, levels, unread }: Scales,
  settings: SwpcSettings,
  tools: ReadTools
): { events: LookoutEvent[]; skipped: SkippedItem[] } {
  const skipped = unread.map((letter) => ({ id: letter, reason: because('no_observed_level') }))
  const before = numberOf(tools.memory.get('scales_at'))
  if (before !== null && time < before) {
    return { events: [], skipped: [{ id: 'noaa-scales', reason: because('older_than_read') }] }
  }
  tools.memory.set('scales_at', time)
  const events = levels.flatMap((observed) => {
    const key = `storm:${observed.letter}`
    const known = stormOf(tools.memory.get(key))
    const level = observed.level >= settings.min_scale ? observed.level : 0
    if (observed.level > 0 && level === 0) skipped.push({ id: scaleText(observed), reason: because('below_min_scale') })
    const next = step(known, level, time, holdMs(observed.letter, settings))
    if (next === null) tools.memory.delete(key)
    else tools.memory.set(key, next)
    return eventsOf(observed.letter, { known, next, time }, settings, tools)
  })
  return { events, skipped }
}

/** A blackout lasts as long as its flare, and the next flare is news; K index and protons swing within one storm. */
function holdMs(letter: ScaleLetter, settings: SwpcSettings): number {
  const ms = settings.hold_minutes * MINUTE_MS
  return letter === 'R' ? ms / 6 : ms
}

function stormOf(value: unknown): Storm | null {
  const bag = asBag(value)
  const [start, level, changes, at] = ['start', 'level', 'changes', 'at'].map((key) => numberOf(bag?.[key]))
  if (start == null || level == null || changes == null || at == null) return null
  const weaker = asBag(bag?.['weaker'])
  const [since, peak] = [numberOf(weaker?.['since']), numberOf(weaker?.['peak'])]
  return { start, level, changes, at, weaker: since === null || peak === null ? null : { since, peak } }
}

/** The storm after one more observation: up at once, down only when it has been weaker for `holdMs`. */
function step(known: Storm | null, level: number, time: number, holdMs: number): Storm | null {
  const storm = known !== null && time - known.at <= GAP_MS ? known : null
  if (storm === null) return level === 0 ? null : { start: time, level, changes: 0, weaker: null, at: time }
  if (level > storm.level) return { ...storm, level, changes: storm.changes + 1, weaker: null, at: time }
  if (level === storm.level) return { ...storm, weaker: null, at: time }
  const since = storm.weaker?.since ?? time
  const peak = Math.max(storm.weaker?.peak ?? 0, level)
  if (time - since < holdMs) return { ...storm, weaker: { since, peak }, at: time }
  if (peak === 0) return null
  const weaker = level < peak ? { since: time, peak: level } : null
  return { ...storm, level: peak, changes: storm.changes + 1, weaker, at: time }
}

interface Turn {
  known: Storm | null
  next: Storm | null
  time: number
}

/** While it is weaker than told nothing is said: neither that it goes on nor that it is over. */
function eventsOf(letter: ScaleLetter, turn: Turn, settings: SwpcSettings, tools: ReadTools): LookoutEvent[] {
  const { known, next, time } = turn
  const events: LookoutEvent[] = []
  const isOver = known !== null && next?.start !== known.start
  if (isOver) events.push(stormEvent({ letter, level: known.level }, known, { time, over: true }, settings, tools))
  if (next !== null && (next.weaker === null || next.changes !== known?.changes)) {
    events.push(stormEvent({ letter, level: next.level }, next, { time, over: false }, settings, tools))
  }
  return events
}

function stormEvent(
  scale: ScaleLevel,
  storm: Storm,
  { time, over }: { time: number; over: boolean },
  settings: SwpcSettings,
  tools: ReadTools
): LookoutEvent {
  const id = `${scale.letter}-${formatTime(storm.start).slice(0, 16)}`
  const name = scaleName(scale)
  const kp = scale.letter === 'G' ? matchingKp(tools.memory, scale.level, time) : null
  return spaceEvent({
    id,
    source: tools.source,
    revision: over
      ? 'end'
      : `${storm.changes}.${scaleText(scale)}@${formatTime(time - (time % PERIOD_MS)).slice(0, 13)}`,
    category: scaleCategory(scale),
    severity: scaleSeverity(scale, settings.extreme_is_immediate),
    title: `${scaleText(scale)} (${scaleAdjective(scale)}) ${name.toLowerCase()} ${over ? 'is over' : 'observed'}`,
    body: '',
    onset: storm.start,
    expires: over ? time : time + VALID_MS,
    sentAt: time,
    receivedAt: tools.receivedAt,
    threadId: `swpc:${id}`,
    lifecycle: over ? 'expire' : storm.changes === 0 ? 'new' : 'update',
    data: {
      event_name: name,
      scale: scaleText(scale),
      ...(kp === null ? {} : { kp }),
      origin_time: formatTime(time),
      detail: scaleEffect(scale),
      material: over ? 'end' : scaleText(scale)
    }
  })
}

/** A K index of another period would contradict the scale beside it. */
function matchingKp(memory: SourceMemory, level: number, time: number): number | null {
  const bag = asBag(memory.get('kp'))
  const [at, kp] = [numberOf(bag?.['time']), numberOf(bag?.['kp'])]
  if (at === null || kp === null || stormOfKp(kp) !== level) return null
  return Math.abs(time - at) <= VALID_MS ? kp : null
}
