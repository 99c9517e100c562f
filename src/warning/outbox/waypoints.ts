import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { isAtLeast } from '../../model/severity.ts'
import { iconOf, WAYPOINT_GONE, WAYPOINT_NAME_BYTES, type Waypoint } from '../../model/waypoint.ts'
import { sha256Hex } from '../../platform/bytes/hash.ts'
import type { Database } from '../../platform/database/database.ts'
import { pointOf } from '../messages/facts.ts'
import { mapName } from '../messages/map-name.ts'
import { spokenOn } from '../messages/spoken-on.ts'
import type { WarningConfig } from '../settings.ts'
import type { Delivery } from './delivery.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'

/** A hazard that names no end is on the map for a day. */
const WITHOUT_END_MS = 86_400_000

export interface WaypointsOptions {
  db: Database
  config: () => WarningConfig
  ledger: Pick<Ledger, 'get'>
  outbox: Pick<Outbox, 'get' | 'apply' | 'addWaypoint'>
}

/**
 * Marks on the maps of a Meshtastic channel (docs/interface.md §6, *Waypoints*): one for each thread, which follows its texts. They stand
 * below whatever warns, and no text waits for one but by the time that is on the air.
 */
export class Waypoints {
  readonly #o: WaypointsOptions

  constructor(options: WaypointsOptions) {
    this.#o = options
  }

  /** The mark that follows this text, which is handed over for the first time. Part of the caller's transaction. */
  follow(text: Delivery): void {
    const { outbox, config } = this.#o
    const { enabled, min_severity: least } = config().notifications.mt_waypoints
    const { content, transport, direct, attempts, origin } = text
    if (transport !== 'mt' || direct || attempts > 0 || origin !== null) return
    if (content.kind === 'end') this.#takeAway(text)
    else if (enabled && content.kind === 'alert' && isAtLeast(text.severity, least)) {
      const waypoint = this.#waypointOf(text)
      const line = waypoint === null ? null : lineOf(waypoint)
      const last = this.#marks(text).at(0)
      if (line === null || line === last?.line) return
      this.#supersede(text)
      outbox.addWaypoint(text, line)
    }
  }

  /** The packet of a stored mark; null for any other message, and where what it marked is no longer stored. */
  of({ content, origin }: Delivery): Waypoint | null {
    if (content.kind !== 'waypoint' || origin === null) return null
    const text = this.#o.outbox.get(origin)
    return text === null ? null : this.#waypointOf(text)
  }

  /** A mark of something that is over goes from the map; one that still waits is not made. */
  #takeAway(text: Delivery): void {
    const left = this.#marks(text).some(({ state }) => state !== 'queued' && state !== 'held' && state !== 'suppressed')
    this.#supersede(text)
    const waypoint = left ? this.#waypointOf(text) : null
    if (waypoint !== null) this.#o.outbox.addWaypoint(text, lineOf(waypoint))
  }

  /** The marks of the thread on its channel, the newest first. */
  #marks({ threadId, channelKey }: Delivery): { id: number; state: string; line: string; attempts: number }[] {
    return this.#o.db
      .sql(
        "SELECT id, state, attempts, json_extract(parts, '$[0]') AS line FROM deliveries WHERE thread_id = ? AND channel_key = ? ORDER BY id DESC LIMIT 20"
      )
      .all(threadOf(threadId), channelKey)
      .map((row) => ({
        id: Number(row['id']),
        state: String(row['state']),
        line: String(row['line']),
        attempts: Number(row['attempts'])
      }))
  }

  #supersede(text: Delivery): void {
    for (const { id, state, attempts } of this.#marks(text))
      if ((state === 'queued' || state === 'held') && attempts === 0)
        this.#o.outbox.apply(id, 'suppress', { reason: 'superseded', step: because('waypoint_outdated') })
  }

  #waypointOf(text: Delivery): Waypoint | null {
    const { threadId, eventSeqs, content, createdAt } = text
    const events = eventSeqs.flatMap((seq) => this.#o.ledger.get(seq)?.event ?? [])
    const event = events.findLast((one) => pointOf(one) !== null) ?? events.at(-1)
    if (event === undefined) return null
    const ends = content.kind === 'end'
    const config = this.#o.config()
    const point = pointOf(event)
    // Clients find the mark by its id; an end may name no place.
    if (point === null && !ends) return null
    const { lat, lon } = point ?? { lat: 0, lon: 0 }
    return {
      id: idOf(threadId),
      lat,
      lon,
      expire: ends ? WAYPOINT_GONE : expireOf(event, createdAt),
      name: mapName(
        { event, station: config.station, nowMs: createdAt, ...spokenOn(config, text) },
        WAYPOINT_NAME_BYTES
      ),
      icon: iconOf(event.family)
    }
  }
}

/** The thread of the marks of a thread: no guard takes them for messages of the event. */
function threadOf(threadId: string): string {
  return `waypoint:${threadId}`
}

function idOf(threadId: string): number {
  return Number.parseInt(sha256Hex(`waypoint ${threadId}`).slice(0, 8), 16) || 1
}

function expireOf({ expires }: Pick<LookoutEvent, 'expires'>, createdAt: number): number {
  return Math.floor((expires === null ? createdAt + WITHOUT_END_MS : Date.parse(expires)) / 1000)
}

/** The mark as people read it in the list of messages: `Pine Fire 43.6150,-116.2023`. */
function lineOf({ name, lat, lon, expire }: Waypoint): string {
  const place = `${lat.toFixed(4)},${lon.toFixed(4)}`
  return expire === WAYPOINT_GONE ? `${name} gone from ${place}` : `${name} ${place}`
}
