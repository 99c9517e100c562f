import type { LookoutEvent } from '../../model/event.ts'
import { highestSeverity } from '../../model/severity.ts'
import type { CooldownKey, Delivery, HoldReason, NewDelivery, NewReply } from './delivery.ts'

/** The fields that a row takes from the event it is about. */
export type RowEvent = Pick<
  LookoutEvent,
  'id' | 'thread_id' | 'severity' | 'family' | 'category' | 'lifecycle' | 'expires' | 'zones' | 'same'
> &
  Partial<Pick<LookoutEvent, 'data'>>

export function asReply(key: string, path: NonNullable<NewReply['path']> = 'reply'): RowEvent {
  const thread_id = `${path}:${key}`
  const about = { family: path, category: path, lifecycle: 'new', severity: 'routine' } as const
  return { ...about, id: key, thread_id, expires: null, zones: [], same: [] }
}

/** The codes a message speaks of: an event lives and ends per zone or county. */
export function zonesOf({ zones, same }: Pick<LookoutEvent, 'zones' | 'same'>): string[] {
  return zones.length > 0 ? zones : same
}

export function laterEnd(known: number | null, { expires }: LookoutEvent): number | null {
  if (expires === null) return known
  return Math.max(known ?? 0, Date.parse(expires))
}

/** Both, each once; the first list itself where the second adds nothing, so that nobody stores it again. */
export function union(known: string[], more: readonly string[]): string[] {
  const all = new Set(known)
  if (all.size === known.length && more.every((one) => all.has(one))) return known
  return [...new Set([...known, ...more])]
}

/** Both, as `uniqueCooldowns` has them; the first list itself where the second adds nothing. */
export function joinCooldowns(known: CooldownKey[], more: readonly CooldownKey[]): CooldownKey[] {
  const isCovered = ({ family, category, region, gravity }: CooldownKey): boolean =>
    known.some(
      (one) =>
        one.region === region &&
        one.category === category &&
        one.family === family &&
        (gravity ?? Number.NEGATIVE_INFINITY) <= (one.gravity ?? Number.NEGATIVE_INFINITY)
    )
  return more.every(isCovered) ? known : uniqueCooldowns([...known, ...more])
}

/** One for each region and category, with the gravest of them. */
export function uniqueCooldowns(keys: readonly CooldownKey[]): CooldownKey[] {
  const unique = new Map<string, CooldownKey>()
  for (const key of keys) {
    const name = JSON.stringify([key.family, key.category, key.region])
    const known = unique.get(name)?.gravity ?? null
    const gravity = Math.max(known ?? Number.NEGATIVE_INFINITY, key.gravity ?? Number.NEGATIVE_INFINITY)
    unique.set(name, { ...key, gravity: Number.isFinite(gravity) ? gravity : null })
  }
  return [...unique.values()]
}

/** The one message that several held rows of a channel become; its category says what held them. */
export function digestOf(
  rows: readonly Delivery[],
  reason: HoldReason,
  now: number
): { about: RowEvent; planned: NewDelivery; channelKey: string } {
  const [first] = rows
  if (first === undefined) throw new Error('a digest of nothing')
  const { transport, channel, direct, channelKey, family } = first
  const severity = highestSeverity(rows.map((row) => row.severity))
  const name = `digest:${channelKey}:${now}:${first.id}`
  const planned: NewDelivery = {
    transport,
    channel,
    direct,
    kind: 'new',
    regions: [...new Set(rows.flatMap(({ regions }) => regions))],
    newPlacesOnly: false,
    path: 'digest',
    dedup: { source: 'digest', key: `${now}:${first.id}|${channelKey}` },
    cooldown: uniqueCooldowns(rows.flatMap(({ cooldown }) => cooldown)),
    mergeInto: null,
    material: ''
  }
  return {
    about: { ...asReply(name), thread_id: name, family, category: `digest_${reason}`, severity },
    planned,
    channelKey
  }
}
