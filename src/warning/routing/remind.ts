import type { AlertWords } from '../../model/content.ts'
import { isDemo, isDrill, type LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import { minuteOfDay } from '../messages/times.ts'
import type { Carried, InForce, PlannedSend, Silence, Target } from './decision.ts'
import { applyInhibition } from './inhibit.ts'
import { channelKey, dedupKey } from './keys.ts'
import { materialOf } from './material.ts'
import { askMatrix } from './matrix.ts'
import { isBetween, quietFor } from './quiet-hours.ts'
import type { Reminder } from './reminder-settings.ts'
import { askRules } from './rules.ts'
import type { NotificationsConfig } from './settings.ts'
import { applySilences } from './silences.ts'

const HOUR_MS = 3_600_000
/** Nobody is woken again by a hazard that is over so soon. */
const SOON_OVER_MS = 15 * 60_000

export interface RemindInput {
  event: LookoutEvent
  /** The rule that is meant for it (`reminderFor`). */
  reminder: Reminder
  /** The messages of its thread on its channels, oldest first. */
  carried: readonly Carried[]
  /** The time at which a message was on the air, epoch milliseconds. */
  saidAt: (id: number) => number
  notifications: NotificationsConfig
  silences: readonly Silence[]
  /** See `InhibitionContext`. */
  inForce: () => readonly InForce[]
  regionsOf: (code: string) => readonly string[] | null
  timezone: string
  now: number
}

/** The reminder that is meant for this event at this time of day, or null. */
export function reminderFor({
  event,
  notifications,
  timezone,
  now
}: Pick<RemindInput, 'event' | 'notifications' | 'timezone' | 'now'>): Reminder | null {
  if (isDemo(event) || isDrill(event)) return null
  if (event.expires !== null && Date.parse(event.expires) - now < SOON_OVER_MS) return null
  const fits = ({ families, min_severity }: Reminder): boolean =>
    (families.length === 0 || families.includes(event.family)) && isAtLeast(event.severity, min_severity)
  const found = notifications.reminders.find(fits)
  return found !== undefined && isBetween(found, minuteOfDay(now, timezone)) ? found : null
}

/**
 * The reminders that are due for an event which goes on: on each mesh channel that was told of it, that is still meant to be, and on
 * which it was not said for so long. Docs: docs/interface.md §6.
 */
export function planReminders(input: RemindInput): PlannedSend[] {
  const { event, reminder, carried, saidAt, now } = input
  const last = new Map(carried.map((row) => [row.channelKey, row]))
  return meant(input).flatMap(({ target, regions }) => {
    const row = last.get(channelKey(target))
    // A message that waits will be said, and an end was the last word.
    if (row === undefined || row.state !== 'sent' || row.kind === 'cancel') return []
    if (now - saidAt(row.id) < reminder.every_hours * HOUR_MS) return []
    return [sendOf(event, { target, regions, origin: { id: row.id, kind: row.kind }, now })]
  })
}

/** Mesh channels that would be told of it now, with their regions: of the matrix, else of policies and rules. */
function meant({
  event,
  notifications,
  silences,
  inForce,
  regionsOf,
  timezone,
  now
}: RemindInput): { target: Target; regions: string[] }[] {
  const matrix = askMatrix(event, notifications.region_routes)
  const targets = matrix.authoritative ? matrix.targets : askRules(event, notifications).targets
  const heard = applySilences(event, targets, silences).targets
  // A graver warning that is in force says it: unlike a change of what was told, a reminder does not pass.
  const context = { config: notifications.inhibition, inForce, carried: () => [], regionsOf }
  return applyInhibition(event, heard, context).targets.filter(({ target: { transport } }) => {
    const isMesh = transport === 'mt' || transport === 'mc'
    const { family, severity } = event
    const { quiet_hours: quiet } = notifications
    return isMesh && quietFor({ family, severity, transport }, { quiet, timezone, now }) === null
  })
}

function sendOf(
  event: LookoutEvent,
  {
    target,
    regions,
    origin,
    now
  }: { target: Target; regions: string[]; origin: { id: number; kind: AlertWords['kind'] }; now: number }
): PlannedSend {
  return {
    ...target,
    kind: origin.kind,
    regions,
    newPlacesOnly: false,
    path: 'reminder',
    dedup: dedupKey({
      source: event.source,
      threadId: event.thread_id,
      // Not the key of the alert itself: this one is meant to be said again.
      revision: `still@${now}`,
      channelKey: channelKey(target)
    }),
    cooldown: [],
    mergeInto: null,
    material: materialOf(event),
    mark: 'STILL',
    origin: origin.id
  }
}
