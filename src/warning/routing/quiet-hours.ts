import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { highestSeverity, isAtLeast, type Severity } from '../../model/severity.ts'
import { minuteOfDay } from '../messages/times.ts'
import type { Carried, PlannedSend, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'
import type { QuietHours } from './quiet-settings.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/**
 * The end of the quiet hours that hold at `now`, epoch milliseconds; null outside them. Times are local, over changes
 * of the clock too.
 */
export function quietUntil({ enabled, start, end }: QuietHours, timezone: string, now: number): number | null {
  const [from, to] = [minutesOf(start), minutesOf(end)]
  if (!enabled || from === to) return null
  const minute = minuteOfDay(now, timezone)
  if (!isBetween({ start, end }, minute)) return null
  const ahead = (to - minute + DAY_MINUTES) % DAY_MINUTES
  const naive = Math.floor(now / MINUTE_MS) * MINUTE_MS + ahead * MINUTE_MS
  // Summer time may have begun or ended in between.
  const off = ((to - minuteOfDay(naive, timezone) + 1.5 * DAY_MINUTES) % DAY_MINUTES) - DAY_MINUTES / 2
  return naive + off * MINUTE_MS
}

/** True when this minute of a day lies in the span, which may go over midnight; a span that ends where it begins is the whole day. */
export function isBetween({ start, end }: { start: string; end: string }, minute: number): boolean {
  const [from, to] = [minutesOf(start), minutesOf(end)]
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

export interface QuietContext {
  quiet: QuietHours
  timezone: string
  now: number
  /** The messages of the thread on its channels: an end counts as much as what it ends. */
  carried: readonly Carried[]
}

/** Until when a message of this level and family would wait for the end of the quiet hours; null: it need not. */
export function quietFor(
  { family, severity, transport }: { family: string; severity: Severity; transport: string },
  { quiet, timezone, now }: Omit<QuietContext, 'carried'>
): number | null {
  const isMesh = transport === 'mt' || transport === 'mc'
  const about = quiet.families.length === 0 || quiet.families.includes(family)
  return !isMesh || !about || isAtLeast(severity, quiet.pass_severity) ? null : quietUntil(quiet, timezone, now)
}

/** Marks the messages that wait for the end of the quiet hours. */
export function holdForQuiet(
  event: LookoutEvent,
  sends: readonly PlannedSend[],
  { quiet, timezone, now, carried }: QuietContext
): { sends: PlannedSend[]; trace: TraceStep[] } {
  const trace: TraceStep[] = []
  const held = sends.map((send) => {
    const channel = channelKey(send)
    const told = carried.filter((row) => row.channelKey === channel).map(({ severity }) => severity)
    const severity = highestSeverity(send.kind === 'cancel' ? [event.severity, ...told] : [event.severity])
    const { family } = event
    const until = quietFor({ family, severity, transport: send.transport }, { quiet, timezone, now })
    if (until === null) return send
    trace.push({
      stage: 'quiet',
      outcome: 'note',
      reason: 'quiet_hours',
      ...because('quiet_until', { until }),
      channel
    })
    return { ...send, hold: { reason: 'quiet_hours' as const, until: Math.max(until, send.hold?.until ?? until) } }
  })
  return { sends: held, trace }
}
