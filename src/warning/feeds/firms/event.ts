import type { LookoutEvent } from '../../../model/event.ts'
import { formatTime, formatTimeOrNull } from '../../../model/time.ts'
import { feedEvent } from '../reading/feed-event.ts'
import type { ReadTools } from '../source.ts'
import type { Cluster } from './clusters.ts'
import { ClusterStore, type KnownCluster } from './identity.ts'
import type { FirmsSettings } from './settings.ts'

const HOUR_MS = 3_600_000
/** A pixel is up to this large: no circle is smaller. */
const LEAST_RADIUS_KM = 0.5

/** True when a cluster is worth a word: pixels or power enough. */
export function isWorthTelling({ pixels, frp }: Cluster, settings: FirmsSettings): boolean {
  return pixels.length >= settings.min_pixels || frp >= settings.min_frp_mw
}

/** The memory of a cluster once it is told: growth counts when pixels or power have doubled. */
export function grown(
  cluster: Cluster,
  known: KnownCluster | null,
  settings: FirmsSettings
): Omit<KnownCluster, 'cells'> {
  const { first, last, frp } = cluster
  const pixels = cluster.pixels.length
  const strong = frp >= settings.priority_frp_mw
  if (known === null) {
    return { id: ClusterStore.newId(cluster), first: first.time, last, pixels, frp, doublings: 0, strong }
  }
  const doubled = pixels >= 2 * known.pixels || (frp >= settings.min_frp_mw && frp >= 2 * known.frp)
  return {
    id: known.id,
    first: known.first,
    last: Math.max(known.last, last),
    pixels: doubled ? pixels : known.pixels,
    frp: doubled ? frp : known.frp,
    doublings: known.doublings + (doubled ? 1 : 0),
    strong: strong || known.strong
  }
}

/** The event of a cluster; `known` as it is after this listing. */
export function toEvent(
  cluster: Cluster,
  known: Omit<KnownCluster, 'cells'>,
  { isNew, settings }: { isNew: boolean; settings: FirmsSettings },
  tools: ReadTools
): LookoutEvent {
  const { lat, lon, radiusKm, frp, pixels } = cluster
  const count = pixels.length
  const power = `${Math.round(frp)} MW`
  const single = count === 1
  return feedEvent(
    {
      id: known.id,
      // Every pass of a satellite is a message; only a doubling is told.
      revision: `${formatTime(known.last).slice(0, 16)}/${known.doublings}${known.strong ? '+' : ''}`,
      category: single ? 'wildfire_hotspot' : 'unattributed_hotspot_cluster',
      severity: 'routine',
      title: single ? `Hotspot, ${power}` : `${count} hotspots, ${power}`,
      summary: 'Heat seen by satellite, away from any known fire.',
      circle: { lat, lon, radius_km: Math.round(Math.max(LEAST_RADIUS_KM, radiusKm) * 100) / 100 },
      lat,
      lon,
      onset: formatTime(known.first),
      expires: formatTimeOrNull(known.last + settings.cluster_hours * HOUR_MS),
      sent_at: formatTime(known.last),
      thread_id: `firms:${known.id}`,
      lifecycle: isNew ? 'new' : 'update',
      data: {
        ...(known.strong ? { severity_inside_region: 'priority' } : {}),
        pixels: count,
        frp_mw: Math.round(frp * 10) / 10,
        attribution: 'FIRMS',
        material: `x${known.doublings}${known.strong ? '|strong' : ''}`,
        satellites: [...new Set(pixels.map(({ satellite }) => satellite))].sort()
      }
    },
    tools
  )
}
